-- 6. Zones of control and 7. stacking.

exerting = query("exerting", { rule = { "6.zoc.a", "13.train.d" } }, function(side)
  return units_of(side):filter{ train = false }:spaces()
end)

zoc = query("zoc", { rule = "6.zoc.a" }, function(side)
  return around(exerting(side), off_hexes)
end)

-- Enemy ZOC that a side's own units do not lift: for retreat and supply.
danger = query("danger", { rule = { "9.retreat.d", "15.supply.d" } }, function(side)
  return zoc(enemy(side)):minus(standing(side))
end)

function is_panzer(formation)
  for _, division in ipairs(value "armored-divisions".list) do
    if division == formation then return true end
  end
  return false
end

-- Hexes in which one more unit of this formation would break the limit of two, or of three of one panzer division.
crowded = query("crowded", { rule = { "7.stack.a", "7.kg.a", "13.train.f" } }, function(side, formation)
  local here = units_of(side)
  local full = here:spaces(value "stack".units)
  if not is_panzer(formation) then return full end
  local comrades = here:filter{ formation = formation }:spaces(value "stack".units)
  return full:minus(comrades:minus(here:spaces(value "stack".kampfgruppe)))
end)

function crowded_for(unit)
  return crowded(unit.side, unit.formation)
end

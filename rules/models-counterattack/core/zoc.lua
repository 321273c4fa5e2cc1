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

is_panzer = query("is-panzer", { rule = "7.kg.a" }, function(formation)
  for _, division in ipairs(value "armored-divisions".list) do
    if division == formation then return true end
  end
end)

-- Hexes in which one more unit would break the limit of two.
crowded = query("crowded", { rule = { "7.stack.a", "13.train.f" } }, function(side)
  return units_of(side):spaces(value "stack".units)
end)

comrades = query("comrades", { rule = "7.kg.a" }, function(side, division)
  return units_of(side):filter{ formation = division }
end)

-- The same for a unit of a panzer division: three of the division may stand together.
crowded_for_panzers = query("crowded-for-panzers", { rule = { "7.stack.a", "7.kg.a" } }, function(side, division)
  local pairs_of_it = comrades(side, division):spaces(value "stack".units)
  if #pairs_of_it == 0 then return crowded(side) end
  return crowded(side):minus(pairs_of_it:minus(units_of(side):spaces(value "stack".kampfgruppe)))
end)

-- What the limit asks of a hex with more than two: do all belong to one panzer division?
query("room", { rule = "7.kg.a" }, function(hex, side)
  local units = units_of(side):filter{ at = hex }
  local division = units:first().formation
  if is_panzer(division) and #units:both(comrades(side, division)) == #units then return value "stack".kampfgruppe end
end)

function crowded_for(unit)
  local side, formation = unit.side, unit.formation
  return is_panzer(formation) and crowded_for_panzers(side, formation) or crowded(side)
end

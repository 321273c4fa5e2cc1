-- 8. Supply lines and the supply check.

-- Hexes a supply line cannot pass: enemies, their ZOC unless a friend is there, cities they control.
supply_barred = query("supply-barred", { rule = { "8.1b", "8.1c", "8.1f" } }, function(side)
  local foe = enemy(side)
  return ezoc(side):minus(standing(side)):plus(standing(foe)):plus(cities_of(foe))
end)

-- Sources printed on the map; reinforcements come by these only.
printed_sources = query("printed-sources", { rule = "2.1h" }, function(side) return spaces { supply = side } end)

supply_sources = query("supply-sources", { rule = { "2.1h", "11.1h" } }, function(side)
  if side == "axis" then return printed_sources "axis" end
  return printed_sources "soviet":plus(bridgehead_hex())
end)

-- Every hex from which a line can be traced, of any length, not over unbridged major rivers or blocked hexsides.
supply_net = query("supply-net", { rule = { "8.1a", "8.1d", "8.1e", "2.1i" } }, function(side)
  return flood { from = supply_sources(side), blocked = supply_barred(side), barrier = water_barriers() }
end)

local function mark(units, status, told)
  for _, unit in ipairs(units:filter { not_supply = status }) do
    unit.supply = status
    log(told, unit.full)
  end
end

-- Judged for both sides at once; only then do HQs relocate, which changes nothing that was judged.
procedure("chit.supply", { rule = { "8.0a", "4.3g", "8.1n", "2.3e", "8.1l" } }, function()
  local stranded = {}
  for _, side in ipairs(sides) do
    judge_supply(side)
    stranded[side] = headquarters(side):filter { not_at = supply_net(side) }
  end
  for _, side in ipairs(sides) do relocate_all(side, stranded[side]) end
end)

judge_supply = procedure("judge-supply", { rule = { "8.1i", "2.5c", "8.1j", "8.1k", "8.1m" } }, function(side)
  local units = combat_units(side)
  local fed = units:filter { at = supply_net(side) }
  local cut = units:minus(fed)
  local marked = cut:filter { supply = { "oos", "isolated" } }
  mark(fed, "in", "in-supply")
  mark(cut:minus(marked), "oos", "out-of-supply")
  mark(marked, "isolated", "isolated")
end)

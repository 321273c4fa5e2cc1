-- 6.B, 13.3.8, 13.3.9 Attrition, right after a side's fifth round.

procedure("attrition-segment", { rule = { "6.B1", "6.B2", "13.1.1a", "4.4.5a" }, stages = { "check", "units", "hexes" } })

procedure("attrition-segment.check", { rule = "13.1.1a" }, function()
  check_supply(game.active, units_of(game.active))
  if game.active == "axis" then axis_airlift() end
end)

procedure("attrition-segment.units", { rule = { "13.3.8a", "13.3.8b" } }, function()
  local doomed = units_of(game.active):filter{ supply = "oos" }
  for _, unit in ipairs(doomed:minus(saved_from_attrition())) do
    log("starved", unit, unit.space)
    eliminate(unit)
  end
end)

-- Hedgehogs: German units in cities. Luftwaffe Supply: all units in one hex. For attrition only.
function saved_from_attrition()
  local saved = nobody()
  if effect "hedgehogs" then saved = saved:plus(units_of "axis":filter{ nation = "ge", at = spaces{ place = "city" } }) end
  if effect "airlift" then saved = saved:plus(units_of "axis":filter{ at = effect "airlift".hex }) end
  return saved
end

-- Own cities, ports, oil and VP hexes that could not feed a unit (towns too, by option).
cut_off_hexes = query("cut-off-hexes", { rule = { "13.3.9", "23.1.5", "13.2.3b" } }, function(side)
  local held = spaces{ control = side }
  local prizes = held:filter{ place = "city" }:plus(held:filter{ oil = true }):plus(held:filter{ vp = true })
    :plus(held:filter{ port = { "baltic", "black", "caspian", "white" } })
  if option "town-control" then prizes = prizes:plus(held:filter{ place = "town" }) end
  local doubtful = prizes:minus(shelter(side))
  return doubtful:minus(traceable_by_any(side, doubtful))
end)

procedure("attrition-segment.hexes", { rule = "13.3.9" }, function()
  local side = game.active
  for _, hex in ipairs(cut_off_hexes(side):minus(attrition_havens())) do
    log("cut-off", hex, enemy(side))
    take_control(hex, enemy(side))
  end
end)

-- Hexes whose garrison a card keeps alive keep their flag too, and so does the hex that is supplied by air.
function attrition_havens()
  local kept = saved_from_attrition():spaces()
  return effect "airlift" and kept:plus{ effect "airlift".hex } or kept
end

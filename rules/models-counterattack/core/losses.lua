-- 2 and 9. Steps, losses, and units that leave the game.

lose_step = procedure("lose-step", { rule = { "2.anatomy.c", "2.anatomy.d", "2.anatomy.e", "9.result.c", "9.result.d", "2.anatomy.b" } }, function(unit)
  drop_events(unit, "step")
  if not step_down(unit) then eliminate(unit) end
end)

local flags = { "active", "done", "called", "dis", "oos", "prepared", "spent" }

eliminate = procedure("eliminate", { rule = { "2.anatomy.d", "2.map.c" } }, function(unit)
  for _, card in ipairs(unit.cargo) do move(card, space "removed") end
  if unit.level < unit.levels then step_down(unit, unit.levels - unit.level) end
  leave_map(unit, space(unit.side .. "-losses"))
  disband_artillery(unit.formation)
  check_decisive(unit.side)
end)

leave_map = procedure("leave-map", { rule = { "2.anatomy.d", "19.magnuszew.h" } }, function(unit, to)
  for _, flag in ipairs(flags) do
    if unit[flag] then unit[flag] = false end
  end
  if unit.reserve > 0 then unit.reserve = 0 end
  move(unit, to)
end)

-- Units on the map, in Warsaw, off the map, and those still to come.
function still_there(side)
  return in_play(side):plus(pieces{ kind = "unit", side = side, place = none, min_enters = game.turn })
end

disband_artillery = procedure("disband-artillery", { rule = "10.art.j" }, function(formation)
  local guns = pieces{ kind = "marker", weapon = "artillery", formation = formation }:first()
  if not guns or guns.place == space "removed" or guns.place == space "magnuszew" then return end
  if not still_there(guns.side):any{ formation = formation } then move(guns, space "removed") end
end)

check_decisive = procedure("check-decisive", { rule = "3.victory.i" }, function(side)
  if #still_there(side) == 0 then
    end_game{ winner = enemy(side), reason = "decisive-victory", rule = "3.victory.i" }
  end
end)

-- Losses are divided by the owner, a step at a time; when all must go, all go.
take_losses = procedure("take-losses", { rule = { "9.result.b", "11.combat.h" } }, function(side, prompt, units, count)
  if count >= steps_of(alive(units)) then
    for _, unit in ipairs(alive(units)) do eliminate(unit) end
    return
  end
  for _ = 1, count do
    local unit = ask(side, prompt, { among = alive(units) })
    lose_step(unit)
  end
end)

-- Those of a list that are on a hex or in Warsaw.
function alive(units)
  return units:filter(function(unit) return is_hex(unit.place) or unit.place == warsaw() end)
end

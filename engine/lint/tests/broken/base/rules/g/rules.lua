-- The rules of the game that the broken inputs break.

units_of = query("units-of", { rule = "1.1" }, function(side)
  return pieces{ kind = "unit", side = side, on_map = true }
end)

query("anyone-left", { rule = "3.1" }, function() return #units_of(game.active) > 0 end)

procedure("set-up", { rule = "1.1" }, function()
  shuffle(space "deck")
  draw(space "deck", space "hand", option "pace")
end)

procedure("card", { rule = "2.1" }, function()
  menu(game.active, "card", { none = "pass" })
end)

offer("card", "play", { rule = "2.1", run = "play-card", among = function() return space "hand".pieces end })

procedure("play-card", { rule = "2.1" }, function(card)
  move(card, "lost")
  if card.starts then start_effect(card.starts, { lasts = "half" }) else call("card." .. card.id, card) end
end)

procedure("card.rain", { rule = "2.1" }, function(card)
  game.weather = "foul"
  log("rained", card)
end)

procedure("card.truce", { rule = "2.1" }, function() emit("truce") end)

on("truce", "truce-ends-fights", { rule = "2.1" }, function() game.weather = "fair" end)

number("allowance", { rule = { "3.1", "2.2" }, stages = { "card" } }, function(n, unit) n:add(unit.strength) end)

modify("allowance", "forced-march", { rule = "2.2", stage = "card", during = "forced-march" }, function(n)
  n:add(value "march".bonus)
end)

crowded = query("crowded", { rule = "3.2" }, function(side) return units_of(side):spaces(value "stack".units) end)

procedure("movement", { rule = "3.1" }, function()
  local side = game.active
  local unit = ask(side, "move.unit", { among = units_of(side), none = "nobody" })
  if not unit then return end
  local goal = reach{ profile = "foot", from = unit.space, points = evaluate("allowance", unit) }
  if #goal.spaces == 0 then return end
  move(unit, ask(side, "move.to", { among = goal.spaces, unit = unit }))
  unit.moved = true
  call("fight", unit)
end)

forbid("move.to", "no-room", { rule = "3.2", without = "fog" }, function(hex, ask)
  if crowded(ask.unit.side):has(hex) then return no("crowded", hex) end
end)

procedure("fight", { rule = "3.3", stages = { "fire" } })

procedure("fight.fire", { rule = "3.3" }, function(unit)
  local target = unit.space
  if not sight{ from = unit, to = target, rules = "ground" }.clear or target.terrain == "wood" then return end
  local fight = start_record("fight", { attacker = unit.side, target = target })
  if lookup("combat", roll "fire", column("combat", unit.strength)) == "step" then step_down(unit) end
  finish_record(fight)
end)

procedure("count", { rule = "1.1" }, function()
  for _, hex in ipairs(spaces{ crossing = true }:filter{ not_holder = none }) do
    sides[hex.holder].points = sides[hex.holder].points + 1
  end
  end_game{ winner = nil, reason = "points", rule = "1.1" }
end)

invariant("stacking", { rule = "3.2" }, function()
  for _, side in ipairs(sides) do
    for _, hex in ipairs(spaces{ on_map = true }) do
      if #pieces{ at = hex, side = side } > value "stack".units then return no("crowded", hex) end
    end
  end
end)

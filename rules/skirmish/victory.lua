-- Chapter 7: towns, victory, and what must always be true.

procedure("arrival.claim", { rule = "7.1" }, function(unit)
  local hex, side = unit.space, unit.side
  if not hex.prize or hex.holder == side then return end
  hex.holder = side
  log("taken", side, hex)
  emit("town.taken", side)
end)

on("town.taken", "plunder", { rule = "7.1" }, draw_card)

-- Wherever the last straw falls, on a march or in the middle of a combat, the game is over at once.
on("unit.lost", "rout", { rule = "7.3" }, function(unit)
  if store(unit.side, "lost").count < value "rout".lost then return end
  end_game{ winner = enemy(unit.side), reason = "rout", rule = "7.3" }
end)

procedure("verdict", { rule = "1.4", stages = { "conquest", "points" } })

procedure("verdict.conquest", { rule = "7.2" }, function()
  for _, side in ipairs(sides) do
    local others = spaces{ min_prize = 1, not_holder = side }
    if #others == 0 then end_game{ winner = side, reason = "conquest", rule = "7.2" } end
  end
end)

procedure("verdict.points", { rule = { "7.4", "7.5" } }, function()
  if game.turn < value "last-turn" then return end
  local lead = evaluate("score", "harrow") - evaluate("score", "vale")
  if lead == 0 then end_game{ reason = "draw", rule = "7.5" } end
  end_game{ winner = lead > 0 and "harrow" or "vale", reason = "points", rule = "7.4" }
end)

number("score", { rule = "7.4", stages = { "losses", "stores" } }, function(n, side)
  n:add(spaces{ holder = side }:sum "prize")
end)

modify("score", "fallen-enemies", { rule = "7.4", stage = "losses" }, function(n, side)
  n:add(store(enemy(side), "lost").count)
end)

modify("score", "stores", { rule = "7.4", stage = "stores" }, function(n, side) n:add(sides[side].stores) end)

invariant("apart", { rule = "5.1" }, function()
  local hex = standing "harrow":both(standing "vale"):first()
  if hex then return no("mixed", hex) end
end)

invariant("nothing-lost", { rule = "1.3" }, function()
  local stray = pieces():filter(function(piece) return piece.place == nil end):first()
  if stray then return no("astray", stray) end
end)

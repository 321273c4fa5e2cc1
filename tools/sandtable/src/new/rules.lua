-- Each side moves its unit one space, or stays; whoever stands at the ford alone when the last turn is over has won.
procedure("march", { rule = "1.1" }, function()
  local unit = pieces{ kind = "unit", side = game.active }:first()
  local to = ask(game.active, "march", { among = neighbours(unit.space), none = "stay", unit = unit })
  if to then move(unit, to) end
end)

procedure("verdict", { rule = "1.2" }, function()
  local there = space "ford".pieces
  if #there == 1 then end_game{ winner = there[1].side, reason = "ford", rule = "1.2" } end
  end_game{ reason = "nobody", rule = "1.2" }
end)

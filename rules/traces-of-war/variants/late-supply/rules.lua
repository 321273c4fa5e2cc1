-- Another chit is drawn in its place, and the Supply chit goes back into the cup.
after("draw-chit", "supply-waits", { rule = "late-supply.1" }, function()
  local chit = game.chit
  if chit.effect == "hq" then game.command_given = true end
  if chit.effect ~= "supply" or game.command_given or space "cup".count == 0 then return end
  call "draw-chit"
  move(chit, space "cup")
  shuffle(space "cup")
end)

-- Handlers of this layer. It can add its own, or change those of the game by id: wrap, replace, disable.

procedure("NAME", { rule = "NAME.1" }, function()
  game.WORD = true
end)

-- Handlers of this layer. It can add its own, or change those of the game by id: wrap, replace, disable.

on("EVENT", "NAME", { rule = "NAME.1" }, function()
  game.WORD = game.WORD + 1
end)

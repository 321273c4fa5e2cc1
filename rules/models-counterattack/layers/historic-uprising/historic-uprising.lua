-- The trigger of 18.trigger.a is not looked at: at the end of turn 5 the uprising is on its way.
instead("trigger-uprising", "first-of-august", { rule = "historic.1" }, function()
  if game.turn + 1 == value "magnuszew".from_turn then game.triggered = true end
end)

-- What must hold after every decision of a test or simulation.

invariant("card-places", { rule = "2.3.1a" }, function()
  for _, card in ipairs(pieces{ kind = "card" }) do
    if game.turn > 0 and not card.place then return no("card-astray", card) end
  end
end)

invariant("one-side-in-a-hex", { rule = "10.1.6" }, function()
  local shared = standing "axis":both(standing "soviet")
  if #shared > 0 then return no("stacked-badly", shared:first()) end
end)

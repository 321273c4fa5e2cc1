-- What must hold after every decision of a test or simulation.

invariant("no-mixed-hexes", { rule = "5.0f" }, function()
  local shared = standing "axis":both(standing "soviet")
  if #shared > 0 then return no("mixed-hex", shared:first()) end
end)

invariant("chit-places", { rule = "2.1f" }, function()
  for _, chit in ipairs(pieces { kind = "chit" }) do
    if game.turn > 0 and not chit.place then return no("chit-astray", chit) end
  end
end)

invariant("crossings-in-range", { rule = "12.3c" }, function()
  if crossings_held() > #spaces { crossing = true } + 1 then return no("too-many-crossings") end
end)

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

-- While units are under way a hex may be overfull for a moment; between activations it may not.
invariant("stacking", { rule = { "5.0a", "5.0c" } }, function()
  if game.mode ~= "none" then return end
  for _, side in ipairs(sides) do
    local packed = combat_units(side):spaces(value "stack".units + 1):plus(headquarters(side):spaces(value "stack".hqs + 1))
    if #packed > 0 then return no("stacking", packed:first()) end
  end
end)

-- What must hold after every decision of a test or simulation.

invariant("one-side-in-a-hex", { rule = "6.move.f" }, function()
  local shared = standing "soviet":both(standing "german")
  if #shared > 0 then return no("shared-hex", shared:first()) end
end)

invariant("no-soviets-in-warsaw", { rule = "6.warsaw.d" }, function()
  if #pieces{ kind = "unit", side = "soviet", at = warsaw() } > 0 then return no("soviets-in-warsaw") end
end)

invariant("reserve-markers", { rule = "14.reserve.b" }, function()
  for _, side in ipairs(sides) do
    if #markers_of(side) > value "reserve".markers then return no("too-many-reserves") end
  end
end)

invariant("train-on-rails", { rule = "13.train.b" }, function()
  for _, train in ipairs(pieces{ kind = "unit", train = true, on_map = true }) do
    if not on_network("rail", train.space) then return no("off-the-rails", train) end
  end
end)

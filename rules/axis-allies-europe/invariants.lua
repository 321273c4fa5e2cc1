-- What must be true after every step, whatever the players do.

invariant("nine-complexes", { rule = "unit-ic.2" }, function()
  if option "complex-for-sale" then return end
  local n = #pieces { type = "complex", on_map = true }
  if n > value "complexes" then return no("too-many-complexes", n) end
end)

invariant("decks", { rule = { "unit-ftr.10", "unit-cv.2" } }, function()
  for _, carrier in ipairs(pieces { min_deck = 1, on_map = true }) do
    if #carrier.cargo > carrier.deck then return no("deck-overfull", carrier) end
  end
end)

invariant("holds", { rule = "unit-tr.2" }, function()
  for _, ship in ipairs(pieces { min_capacity = 1, on_map = true }) do
    if room(ship) < 0 then return no("hold-overfull", ship) end
  end
end)

invariant("money", { rule = "buy.3" }, function()
  for _, side in ipairs(sides) do
    if sides[side].ipc < 0 then return no("debt", side) end
  end
end)

invariant("grounds", { rule = { "board.17", "board.18", "board.11" } }, function()
  local stranded = pieces { domain = "land", place = spaces { ground = "sea" } }
  if #stranded > 0 then return no("land-unit-at-sea", stranded[1]) end
  local beached = pieces { at = spaces { ground = "land" }, domain = "sea" }
  if #beached > 0 then return no("ship-ashore", beached[1]) end
  local guests = pieces { at = spaces { neutral = true } }
  if #guests > 0 then return no("in-a-neutral-state", guests[1]) end
end)

invariant("convoy-markers", { rule = { "convoy.6", "convoy.19" } }, function()
  for _, zone in ipairs(spaces { ground = "sea", not_marker = none }) do
    if team(zone.marker) ~= "axis" then return no("allied-convoy-marker", zone) end
  end
end)

-- Between turns nothing is in the air.
invariant("all-landed", { rule = { "noncombat.1", "board.19" } }, function()
  local up = pieces { airborne = true, not_side = game.active or {} }
  if #up > 0 then return no("still-airborne", up[1]) end
end)

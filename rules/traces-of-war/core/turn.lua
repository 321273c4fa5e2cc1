-- 4.0, 4.1 The start of a turn and the Luftwaffe.

procedure("turn-start", { rule = { "3.0d", "4.2.1f", "4.2.2c" } }, function()
  log("turn-begins", game.turn, lookup("turns", game.turn, "month"))
  for _, chit in ipairs(pieces { kind = "chit", opens = game.turn }) do
    if chit.place and chit.place.kind == "box" then move(chit, inactive_box(chit.side)) end
  end
  if option "ukrainian-fronts" and game.turn == value "ukrainian-fronts".turn then raise_fronts() end
  count_crossings()
end)

function inactive_box(side) return space(side .. "-inactive") end

-- The Soviet HQs turn to their stronger face, which is the last of theirs.
raise_fronts = procedure("raise-fronts", { rule = "14.2a" }, function()
  for _, hq in ipairs(pieces { kind = "unit", side = "soviet", hq = true }) do
    local front = hq.full
    hq.level = hq.levels
    log("front-renamed", front, hq.full)
  end
end)

-- Markers come by chance, and only the Axis sees which.
procedure("luftwaffe-reorganization", { rule = { "4.1a", "4.0a", "2.6c", "7.0b", "7.0c", "2.1e" } }, function()
  local box = space "luftwaffe-box"
  shuffle(box)
  for _ = 1, math.min(by_crossings "luftwaffe", box.count) do
    move(pick("luftwaffe", box.pieces), space "luftwaffe-hand")
  end
end)

procedure("luftwaffe-return", { rule = { "4.3o", "7.0e" } }, function()
  for _, marker in ipairs(space "luftwaffe-hand".pieces) do move(marker, space "luftwaffe-box") end
end)

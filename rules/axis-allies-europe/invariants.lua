-- What must be true after every answer, whatever the players do.

invariant("decks", { rule = { "unit-ftr.10", "unit-cv.2" } }, function()
  return pieces { type = "carrier", on_map = true }:any(function(carrier) return deck_room(carrier) < 0 end) and no "deck-overfull"
end)

invariant("holds", { rule = "unit-tr.2" }, function()
  return pieces { type = "transport", on_map = true }:any(function(ship) return room(ship) < 0 end) and no "hold-overfull"
end)

invariant("grounds", { rule = { "board.17", "board.18", "board.11" } }, function()
  local lost = pieces { domain = "land", place = spaces { ground = "sea" } }:plus(pieces { domain = "sea", at = spaces { ground = "land" } })
  return #lost:plus(pieces { at = neutral_land() }) > 0 and no "wrong-ground"
end)

invariant("convoy-markers", { rule = { "convoy.6", "convoy.19" } }, function()
  return spaces { ground = "sea", marker = foes "german" }:any() and no "allied-convoy-marker"
end)

invariant("all-landed", { rule = { "noncombat.1", "board.19" } }, function()
  return pieces { airborne = true, not_side = game.active or {} }:any() and no "still-airborne"
end)

-- What must be true after every answer, whatever the players do. Each guards a "never", "at most", "only" or "must" of the book.

-- What is wrong with the first of a list, if it has any.
local function none_of(list, text)
  if #list > 0 then return { text = text, about = list[1] } end
end

-- Each test is a query of its own, so that cases can ask for it too: it gives what is wrong, and with which piece, space or side. The second
-- argument is its own paragraph, the third the book's.
local tests, ids = {}, {}
local function guard(id, own, book, test)
  local look = query("never." .. id, { rule = own }, test)
  tests[id] = look
  table.insert(ids, id)
  invariant(id, { rule = book }, function()
    local wrong = look()
    if wrong then return no(wrong.text, wrong.about) end
  end)
end

-- ---------------------------------------------------------------- places

guard("decks", "never.1", { "unit-ftr.10", "unit-cv.2" }, function()
  return none_of(pieces { on_map = true, min_deck = 1 }:filter(function(carrier) return deck_room(carrier) < 0 end), "deck-overfull")
end)

guard("deck-guests", "never.2", { "unit-ftr.9", "noncombat.12", "unit-cv.2" }, function()
  return none_of(pieces { domain = "air", on_map = true }:filter(function(unit)
    return is_carrier(unit.place) and not (unit:is "lands-on-carrier" and unit.place.deck > 0 and allied(unit.side, unit.place.side))
  end), "wrong-guest")
end)

guard("holds", "never.3", "unit-tr.2", function()
  return none_of(pieces { on_map = true, min_capacity = 1 }:filter(function(ship) return room(ship) < 0 end), "hold-overfull")
end)

guard("hold-guests", "never.4", { "unit-tr.1", "unit-tr.17", "multi.8" }, function()
  return none_of(pieces { domain = "land", at = spaces { ground = "sea" } }:filter(function(unit)
    return not is_carrier(unit.place) or unit.place.capacity == 0 or not allied(unit.side, unit.place.side)
  end), "wrong-cargo")
end)

guard("ships-at-sea", "never.5", { "board.18", "unit-tr.17" }, function()
  return none_of(pieces { domain = "sea", on_map = true }:filter(function(ship) return is_carrier(ship.place) or ship.place.ground ~= "sea" end), "wrong-ground")
end)

guard("nobody-in-neutral-states", "never.6", { "board.11", "board.12", "diff.3" }, function()
  return none_of(pieces { at = neutral_land() }, "in-neutral-state")
end)

guard("nobody-outside", "never.7", "learning.1", function() return none_of(pieces { at = spaces { closed = true } }, "outside") end)

guard("complexes-stay", "never.8", { "unit-ic.1", "unit-ic.2" }, function()
  return none_of(pieces { has = "industry", on_map = true }:filter(function(complex) return is_carrier(complex.place) or complex.place.ground ~= "land" end), "moved-complex")
end)

-- ---------------------------------------------------------------- aircraft

guard("only-the-active-power-is-in-the-air", "never.9", { "noncombat.1", "noncombat.2" }, function()
  return none_of(pieces { airborne = true, not_side = game.active or {} }, "still-airborne")
end)

-- At sea without a deck: in the air, or out of a carrier that goes down in the battle under way.
guard("no-aircraft-rests-on-the-sea", "never.10", { "board.19", "noncombat.1", "unit-ftr.7" }, function()
  return none_of(pieces { domain = "air", place = spaces { ground = "sea" }, airborne = false, not_at = spaces { fought = true } }, "on-the-sea")
end)

-- Between turns of one power aircraft stand on friendly land only.
guard("no-aircraft-rests-on-enemy-land", "never.11", { "noncombat.13", "result.5" }, function()
  for _, side in ipairs(sides) do
    local lost = pieces { side = side, domain = "air", airborne = false, scrambled = false, place = hostile_land(team(side)) }
    if #lost > 0 then return { text = "on-enemy-land", about = lost[1] } end
  end
end)

-- Nothing lands where the power's side came only this turn.
guard("no-aircraft-lands-on-fresh-land", "never.12", { "noncombat.14", "result.7", "capture.3" }, function()
  return none_of(pieces { domain = "air", side = game.active or {}, airborne = false, place = fresh_land() }, "on-fresh-land")
end)

guard("movement-is-not-exceeded", "never.13", { "board.16", "noncombat.2", "cmove.12" }, function()
  return none_of(pieces { on_map = true, min_spent = 1 }:filter(function(unit) return unit.spent > unit.speed end), "too-far")
end)

guard("only-aircraft-raid", "never.14", { "sbr.2", "sbr.4" }, function()
  return none_of(pieces { raiding = true }:filter(function(unit) return not unit.bombs and not unit.escort end), "wrong-raider")
end)

guard("only-fighters-intercept", "never.15", "sbr.6", function()
  return none_of(pieces { scrambled = true }:filter(function(unit) return not unit.intercept end), "wrong-interceptor")
end)

-- ---------------------------------------------------------------- combat

guard("only-submarines-submerge", "never.16", { "unit-sub.5", "sea.D3" }, function()
  return none_of(pieces { submerged = true }:filter(function(unit) return not unit:is "dives" end), "wrong-diver")
end)

guard("damage-needs-a-second-hit", "never.17", { "sea.D4", "unit-bb.2" }, function()
  return none_of(pieces { damaged = true, hit = false }:filter(function(unit) return hits_left(unit) < 1 end), "should-be-sunk")
end)

guard("guns-and-complexes-are-never-hit", "never.18", { "land.C6", "unit-ic.2" }, function()
  return none_of(pieces { hit = true, max_hits = 0 }, "hit-the-indestructible")
end)

-- Nobody but the power in turn stands on enemy land, and its enemies never on land that was taken from them.
guard("allies-do-not-fight", "never.19", { "cmove.4", "multi.7" }, function()
  for _, side in ipairs(sides) do
    if side ~= game.active then
      local list = pieces { side = side, domain = "land", min_hits = 1, place = hostile_land(team(side)) }
      if #list > 0 then return { text = "on-enemy-land", about = list[1] } end
    end
  end
end)

-- ---------------------------------------------------------------- control

guard("convoy-markers-are-german", "never.20", { "convoy.6", "convoy.19" }, function()
  return none_of(spaces { ground = "sea", marker = foes "german" }, "allied-convoy-marker")
end)

guard("only-centres-carry-markers-at-sea", "never.21", { "result.6", "board.7" }, function()
  return none_of(spaces { ground = "sea", convoy = none, not_marker = none }, "marked-sea")
end)

guard("no-marker-on-own-land", "never.22", { "setup.6", "capture.1" }, function()
  return none_of(spaces { ground = "land", not_marker = none }:filter(function(space) return space.marker == space.owner end), "own-marker")
end)

-- An Ally's land that another Ally holds: only while its capital is lost.
guard("freed-land-returns", "never.23", { "npc.3", "npc.4", "npc.5" }, function()
  return none_of(spaces { ground = "land", not_marker = none, not_owner = none }:filter(function(space)
    return allied(space.marker, space.owner) and not capital_lost(space.owner)
  end), "not-returned")
end)

guard("the-middle-east-is-german-or-free", "never.24", { "mideast.7", "mideast.8" }, function()
  if option "middle-east-freed" == "liberator" then return end
  return none_of(spaces { mideast = true, marker = foes "german" }, "allied-middle-east")
end)

guard("guns-follow-the-territory", "never.25", { "unit-aa.2", "npc.6" }, function()
  return none_of(pieces { has = "follows-territory", place = spaces { ground = "land" } }:filter(function(unit)
    local holder = controller(unit.place)
    return holder and not allied(holder, unit.side)
  end), "wrong-owner")
end)

-- ---------------------------------------------------------------- money and purchases

-- The levels of all powers together are what the map pays: nothing is counted twice.
guard("levels-are-the-map", "never.26", { "ipc.7", "setup.10", "convoy.17", "npc.2" }, function()
  if game.middlesea or option "convoy-plunder" then return end
  local sum, map = 0, land_in_play():filter { mideast = false }:filter(function(space) return controller(space) ~= nil end):sum "ipc"
  for _, side in ipairs(sides) do sum = sum + evaluate("production", side) - sides[side].bonus end
  local paying = spaces { ground = "sea", closed = false, marker = none, not_convoy = none }:filter(function(zone)
    return not zone.needs or zone.needs.marker ~= "german"
  end)
  if sum ~= map + paying:sum "ipc" then return { text = "wrong-levels" } end
end)

guard("purchases-wait-in-their-pool", "never.27", { "buy.4", "buy.5" }, function()
  return none_of(pieces { at = spaces { pool = sides } }:filter(function(unit)
    return unit.side ~= unit.place.pool or unit.used or unit.spent > 0
  end), "restless-purchase")
end)

guard("placement-limit", "never.28", { "place.8", "unit-ic.4" }, function()
  return none_of(spaces { ground = "land", min_placed = 1 }:filter(function(space)
    return space ~= entry_area(game.active) and space.owner ~= game.active and space.placed > space.ipc
  end), "too-many-placed")
end)

guard("no-purchase-without-a-capital", "never.29", { "capital.4", "capital.5" }, function()
  for _, side in ipairs(sides) do
    if capital_lost(side) and sides[side].ipc > 0 then return { text = "rich-exile", about = side } end
  end
end)

-- ---------------------------------------------------------------- transports

-- Who came aboard this turn goes ashore only from a ship of its own power that was in no battle.
guard("no-bridge-through-a-battle", "never.30", { "multi.11", "unit-tr.15" }, function()
  return none_of(pieces { boarded = true, not_target = none }:filter(function(unit)
    return is_carrier(unit.place) and (unit.place.fought or unit.place.side ~= unit.side)
  end), "landed-too-soon")
end)

guard("one-harbour-a-turn", "never.31", { "unit-tr.12", "unit-tr.20", "amphib.4" }, function()
  return none_of(pieces { domain = "land", not_target = none }:filter(function(unit)
    return is_carrier(unit.place) and unit.place.target ~= unit.target
  end), "two-harbours")
end)

guard("landing-is-a-full-move", "never.32", { "amphib.11", "unit-tr.16", "unit-tr.9" }, function()
  return none_of(pieces { domain = "land", side = game.active or {}, boarded = true, used = false }, "moved-on")
end)

-- The first of them that is broken in this position.
query("outcome.broken", { rule = "odds.5" }, function()
  for _, id in ipairs(ids) do
    if tests[id]() then return id end
  end
  return "nothing"
end)

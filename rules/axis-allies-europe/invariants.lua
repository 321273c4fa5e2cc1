-- What must be true after every answer, whatever the players do. Each guards a "never", "at most", "only" or "must" of the book.

-- What is wrong with the first of a list, if it has any.
local function none_of(list, text)
  if #list > 0 then return { text = text, about = list[1] } end
end

-- Each test is a query of its own, so that cases can ask for it too: it gives what is wrong, and with which piece, space or side.
local tests, ids = {}, {}
local function guard(id, rule, test)
  local look = query("never." .. id, { rule = rule }, test)
  tests[id], ids[#ids + 1] = look, id
  return function()
    local wrong = look()
    if wrong then return no(wrong.text, wrong.about) end
  end
end

-- ---------------------------------------------------------------- places

invariant("decks", { rule = { "unit-ftr.10", "unit-cv.2" } }, guard("decks", "never.1", function()
  return none_of(pieces { on_map = true, min_deck = 1 }:filter(function(carrier) return deck_room(carrier) < 0 end), "deck-overfull")
end))

invariant("deck-guests", { rule = { "unit-ftr.9", "noncombat.12", "unit-cv.2" } }, guard("deck-guests", "never.2", function()
  return none_of(pieces { domain = "air", on_map = true }:filter(function(unit)
    return is_carrier(unit.place) and not (unit:is "lands-on-carrier" and unit.place.deck > 0 and allied(unit.side, unit.place.side))
  end), "wrong-guest")
end))

invariant("holds", { rule = "unit-tr.2" }, guard("holds", "never.3", function()
  return none_of(pieces { on_map = true, min_capacity = 1 }:filter(function(ship) return room(ship) < 0 end), "hold-overfull")
end))

invariant("hold-guests", { rule = { "unit-tr.1", "unit-tr.17", "multi.8" } }, guard("hold-guests", "never.4", function()
  return none_of(pieces { domain = "land", at = spaces { ground = "sea" } }:filter(function(unit)
    return not is_carrier(unit.place) or unit.place.capacity == 0 or not allied(unit.side, unit.place.side)
  end), "wrong-cargo")
end))

invariant("ships-at-sea", { rule = { "board.18", "unit-tr.17" } }, guard("ships-at-sea", "never.5", function()
  return none_of(pieces { domain = "sea", on_map = true }:filter(function(ship) return is_carrier(ship.place) or ship.place.ground ~= "sea" end), "wrong-ground")
end))

invariant("nobody-in-neutral-states", { rule = { "board.11", "board.12", "diff.3" } }, guard("nobody-in-neutral-states", "never.6", function()
  return none_of(pieces { at = neutral_land() }, "in-neutral-state")
end))

invariant("nobody-outside", { rule = "learning.1" }, guard("nobody-outside", "never.7", function() return none_of(pieces { at = spaces { closed = true } }, "outside") end))

invariant("complexes-stay", { rule = { "unit-ic.1", "unit-ic.2" } }, guard("complexes-stay", "never.8", function()
  return none_of(pieces { has = "industry", on_map = true }:filter(function(complex) return is_carrier(complex.place) or complex.place.ground ~= "land" end), "moved-complex")
end))

-- ---------------------------------------------------------------- aircraft

invariant("only-the-active-power-is-in-the-air", { rule = { "noncombat.1", "noncombat.2" } }, guard("only-the-active-power-is-in-the-air", "never.9", function()
  return none_of(pieces { airborne = true, not_side = game.active or {} }, "still-airborne")
end))

-- At sea without a deck: in the air, or out of a carrier that goes down in the battle under way.
invariant("no-aircraft-rests-on-the-sea", { rule = { "board.19", "noncombat.1", "unit-ftr.7" } }, guard("no-aircraft-rests-on-the-sea", "never.10", function()
  return none_of(pieces { domain = "air", place = spaces { ground = "sea" }, airborne = false, not_at = spaces { fought = true } }, "on-the-sea")
end))

-- Between turns of one power aircraft stand on friendly land only.
invariant("no-aircraft-rests-on-enemy-land", { rule = { "noncombat.13", "result.5" } }, guard("no-aircraft-rests-on-enemy-land", "never.11", function()
  for _, side in ipairs(sides) do
    local lost = pieces { side = side, domain = "air", airborne = false, scrambled = false, place = hostile_land(team(side)) }
    if #lost > 0 then return { text = "on-enemy-land", about = lost[1] } end
  end
end))

-- Nothing lands where the power's side came only this turn.
invariant("no-aircraft-lands-on-fresh-land", { rule = { "noncombat.14", "result.7", "capture.3" } }, guard("no-aircraft-lands-on-fresh-land", "never.12", function()
  return none_of(pieces { domain = "air", side = game.active or {}, airborne = false, place = fresh_land() }, "on-fresh-land")
end))

invariant("movement-is-not-exceeded", { rule = { "board.16", "noncombat.2", "cmove.12" } }, guard("movement-is-not-exceeded", "never.13", function()
  return none_of(pieces { on_map = true, min_spent = 1 }:filter(function(unit) return unit.spent > unit.speed end), "too-far")
end))

invariant("only-aircraft-raid", { rule = { "sbr.2", "sbr.4" } }, guard("only-aircraft-raid", "never.14", function()
  return none_of(pieces { raiding = true }:filter(function(unit) return not unit.bombs and not unit.escort end), "wrong-raider")
end))

invariant("only-fighters-intercept", { rule = "sbr.6" }, guard("only-fighters-intercept", "never.15", function()
  return none_of(pieces { scrambled = true }:filter(function(unit) return not unit.intercept end), "wrong-interceptor")
end))

-- ---------------------------------------------------------------- combat

invariant("only-submarines-submerge", { rule = { "unit-sub.5", "sea.D3" } }, guard("only-submarines-submerge", "never.16", function()
  return none_of(pieces { submerged = true }:filter(function(unit) return not unit:is "dives" end), "wrong-diver")
end))

invariant("damage-needs-a-second-hit", { rule = { "sea.D4", "unit-bb.2" } }, guard("damage-needs-a-second-hit", "never.17", function()
  return none_of(pieces { damaged = true, hit = false }:filter(function(unit) return hits_left(unit) < 1 end), "should-be-sunk")
end))

invariant("guns-and-complexes-are-never-hit", { rule = { "land.C6", "unit-ic.2" } }, guard("guns-and-complexes-are-never-hit", "never.18", function()
  return none_of(pieces { hit = true, max_hits = 0 }, "hit-the-indestructible")
end))

-- Nobody but the power in turn stands on enemy land, and its enemies never on land that was taken from them.
invariant("allies-do-not-fight", { rule = { "cmove.4", "multi.7" } }, guard("allies-do-not-fight", "never.19", function()
  for _, side in ipairs(sides) do
    if side ~= game.active then
      local list = pieces { side = side, domain = "land", min_hits = 1, place = hostile_land(team(side)) }
      if #list > 0 then return { text = "on-enemy-land", about = list[1] } end
    end
  end
end))

-- ---------------------------------------------------------------- control

invariant("convoy-markers-are-german", { rule = { "convoy.6", "convoy.19" } }, guard("convoy-markers-are-german", "never.20", function()
  return none_of(spaces { ground = "sea", marker = foes "german" }, "allied-convoy-marker")
end))

invariant("only-centres-carry-markers-at-sea", { rule = { "result.6", "board.7" } }, guard("only-centres-carry-markers-at-sea", "never.21", function()
  return none_of(spaces { ground = "sea", convoy = none, not_marker = none }, "marked-sea")
end))

invariant("no-marker-on-own-land", { rule = { "setup.6", "capture.1" } }, guard("no-marker-on-own-land", "never.22", function()
  return none_of(spaces { ground = "land", not_marker = none }:filter(function(space) return space.marker == space.owner end), "own-marker")
end))

-- An Ally's land that another Ally holds: only while its capital is lost.
invariant("freed-land-returns", { rule = { "npc.3", "npc.4", "npc.5" } }, guard("freed-land-returns", "never.23", function()
  return none_of(spaces { ground = "land", not_marker = none, not_owner = none }:filter(function(space)
    return allied(space.marker, space.owner) and not capital_lost(space.owner)
  end), "not-returned")
end))

invariant("the-middle-east-is-german-or-free", { rule = { "mideast.7", "mideast.8" } }, guard("the-middle-east-is-german-or-free", "never.24", function()
  if option "middle-east-freed" == "liberator" then return end
  return none_of(spaces { mideast = true, marker = foes "german" }, "allied-middle-east")
end))

invariant("guns-follow-the-territory", { rule = { "unit-aa.2", "npc.6" } }, guard("guns-follow-the-territory", "never.25", function()
  return none_of(pieces { has = "follows-territory", place = spaces { ground = "land" } }:filter(function(unit)
    local holder = controller(unit.place)
    return holder and not allied(holder, unit.side)
  end), "wrong-owner")
end))

-- ---------------------------------------------------------------- money and purchases

-- The levels of all powers together are what the map pays: nothing is counted twice.
invariant("levels-are-the-map", { rule = { "ipc.7", "setup.10", "convoy.17", "npc.2" } }, guard("levels-are-the-map", "never.26", function()
  if game.middlesea or option "convoy-plunder" then return end
  local sum, map = 0, land_in_play():filter { mideast = false }:filter(function(space) return controller(space) ~= nil end):sum "ipc"
  for _, side in ipairs(sides) do sum = sum + evaluate("production", side) - sides[side].bonus end
  local paying = spaces { ground = "sea", closed = false, marker = none, not_convoy = none }:filter(function(zone)
    return not zone.needs or zone.needs.marker ~= "german"
  end)
  if sum ~= map + paying:sum "ipc" then return { text = "wrong-levels" } end
end))

invariant("purchases-wait-in-their-pool", { rule = { "buy.4", "buy.5" } }, guard("purchases-wait-in-their-pool", "never.27", function()
  return none_of(pieces { at = spaces { pool = sides } }:filter(function(unit)
    return unit.side ~= unit.place.pool or unit.used or unit.spent > 0
  end), "restless-purchase")
end))

invariant("placement-limit", { rule = { "place.8", "unit-ic.4" } }, guard("placement-limit", "never.28", function()
  return none_of(spaces { ground = "land", min_placed = 1 }:filter(function(space)
    return space ~= entry_area(game.active) and space.owner ~= game.active and space.placed > space.ipc
  end), "too-many-placed")
end))

invariant("no-purchase-without-a-capital", { rule = { "capital.4", "capital.5" } }, guard("no-purchase-without-a-capital", "never.29", function()
  for _, side in ipairs(sides) do
    if capital_lost(side) and sides[side].ipc > 0 then return { text = "rich-exile", about = side } end
  end
end))

-- ---------------------------------------------------------------- transports

-- Who came aboard this turn goes ashore only from a ship of its own power that was in no battle.
invariant("no-bridge-through-a-battle", { rule = { "multi.11", "unit-tr.15" } }, guard("no-bridge-through-a-battle", "never.30", function()
  return none_of(pieces { boarded = true, not_target = none }:filter(function(unit)
    return is_carrier(unit.place) and (unit.place.fought or unit.place.side ~= unit.side)
  end), "landed-too-soon")
end))

invariant("one-harbour-a-turn", { rule = { "unit-tr.12", "unit-tr.20", "amphib.4" } }, guard("one-harbour-a-turn", "never.31", function()
  return none_of(pieces { domain = "land", not_target = none }:filter(function(unit)
    return is_carrier(unit.place) and unit.place.target ~= unit.target
  end), "two-harbours")
end))

invariant("landing-is-a-full-move", { rule = { "amphib.11", "unit-tr.16", "unit-tr.9" } }, guard("landing-is-a-full-move", "never.32", function()
  return none_of(pieces { domain = "land", side = game.active or {}, boarded = true, used = false }, "moved-on")
end))

-- The first of them that is broken in this position.
query("outcome.broken", { rule = "odds.5" }, function()
  for _, id in ipairs(ids) do
    if tests[id]() then return id end
  end
  return "nothing"
end)

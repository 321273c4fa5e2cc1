-- What the book says never happens, happens at most so often, or only on terms: looked at after every answer of a test or a simulation.
-- Each finds the first thing that breaks its paragraph.

local function never(id, rule, text, find)
  invariant(id, { rule = rule }, function()
    local found = find()
    if found then return no(text, found) end
  end)
end

local function of_either(find)
  return find "axis" or find "soviet"
end

-- Where cards and units lie.

never("card-places", "2.3.1a", "card-astray", function()
  return game.turn > 0 and pieces{ kind = "card", place = none }:first()
end)

never("total-war-cards-wait", "7.1.2", "out-of-time", function()
  if game.total_war or game.turn == 0 then return end
  return pieces{ kind = "card", deck = "total-war" }:minus(space "axis-stock".pieces):minus(space "soviet-stock".pieces):first()
end)

never("no-total-war-before-its-turn", "7.6.4a", "too-much", function()
  return game.total_war and game.turn < value "total-war".from and game.turn
end)

never("axis-hand", "7.6.1a", "too-much", function()
  local cards = space "axis-hand".count
  return cards > value "hand".maximum and cards
end)

never("box-holds-who-can-return", "2.2.1f", "out-of-place", function()
  return of_either(function(side) return space("eliminated-" .. side).pieces:filter{ best = none }:first() end)
end)

never("track-holds-axis-armies", "11.3.6b", "out-of-place", function()
  local waiting = space "turn-track".pieces
  return waiting:filter{ size = "scu" }:first() or waiting:filter{ side = "soviet" }:first()
end)

never("one-southwest-front", "11.3.6c", "out-of-place", function()
  local first, second = piece "su-f-southwest", piece "su-f-southwest2"
  return units_of "soviet":has(first) and units_of "soviet":has(second) and second
end)

-- Who stands where.

never("one-side-in-a-hex", "10.1.6", "stacked-badly", function() return standing "axis":both(standing "soviet"):first() end)
never("nations-apart", "9.2.1", "stacked-badly", function() return nationals "ro":spaces():both(nationals "hu":spaces()):first() end)
never("one-band-in-a-hex", "9.1.3", "stacked-badly", function()
  return bands():filter{ on_map = true }:spaces(2):first() -- allow figure-in-rule: a band and another one
end)
never("no-romanians-in-hungary", "19.1.1a", "out-of-place", function() return nationals "ro":filter{ at = spaces{ country = "hungary" } }:first() end)
never("no-hungarians-in-romania", "19.2.1", "out-of-place", function() return nationals "hu":filter{ at = spaces{ country = "romania" } }:first() end)
-- While the card lies on the table its event is still under way.
never("no-romanians-after-the-defections", "card.su.32", "out-of-place", function()
  local card = piece "soviet-32"
  return card.played and card.place ~= pile("soviet", "table") and nationals "ro":first()
end)
never("no-italians-after-the-duce", "card.su.37", "out-of-place", function() return has_been_played "soviet-37" and nationals "it":first() end)
never("tanks-after-the-evacuation", { "card.su.06", "card.su.08" }, "out-of-time", function()
  return not has_been_played "soviet-08" and units_of "soviet":filter{ needs = "soviet-08" }:first()
end)

-- Partisans, works and Stalin.

never("six-bands", "16.1.2b", "too-much", function()
  local on_map = #bands():filter{ on_map = true }
  return on_map > value "partisans".on_map and on_map
end)
never("bands-in-the-wild", "16.1.3a", "out-of-place", function()
  return sleeping():filter{ not_at = spaces{ ussr = true, terrain = { "forest", "swamp" } } }:first()
end)
never("bands-after-the-formation", "16.1.1", "out-of-time", function()
  return not has_been_played "soviet-21" and bands():filter{ on_map = true }:first()
end)
never("stalin-moves-twice", "16.4.6", "too-much", function() return game.stalin_moves > value "stalin".moves and game.stalin_moves end)
never("stalin-by-rail", "16.4.5", "out-of-place", function()
  local stalin = piece "su-stalin"
  return stalin.moved ~= "no" and stalin.moved ~= "rail" and stalin
end)
never("trench-markers", "10.3.2b", "too-much", function()
  return of_either(function(side) return #trenches(side) > value "trench-markers"[side] and #trenches(side) end)
end)
never("trenches-under-their-own", "10.3.2a", "out-of-place", function()
  return trenches "axis":both(standing "soviet"):first() or trenches "soviet":both(standing "axis"):first()
end)
never("festung-markers", "16.3.1", "too-much", function() return #festungen() > value "festungen".markers and #festungen() end)
never("festungen-in-towns", "16.3.2", "out-of-place", function()
  return festungen():minus(spaces{ place = { "town", "city" }, control = "axis" }):first()
end)
never("ruins-stay-ruins", "16.2.2", "out-of-place", function() return fortresses "axis":plus(fortresses "soviet"):filter{ destroyed = true }:first() end)
never("fortresses-of-their-owner", "16.2.1", "out-of-place", function()
  return fortresses "axis":filter{ control = "soviet" }:first() or fortresses "soviet":filter{ control = "axis" }:first()
end)

-- What is done once, at most so often, or not at all.

never("rp-plays", { "7.4.2", "7.4.3a" }, "too-much", function()
  return of_either(function(side) return sides[side].rp_plays > the_turn(side .. "-rp") and sides[side].rp_plays end)
end)
never("reinforcement-plays", { "7.5.2a", "4.5.1a" }, "too-much", function()
  return of_either(function(side) return sides[side].reinforcement_plays > the_turn(side .. "-reinforcements") and sides[side].reinforcement_plays end)
end)
never("ops-are-not-borrowed", "7.3.1", "too-much", function()
  return of_either(function(side) return (sides[side].ops < 0 or sides[side].banked < 0) and side end)
end)
never("axis-banked-ops", "18.2.1", "too-much", function()
  return sides.axis.banked > value "axis-banked".ops and sides.axis.banked
end)
never("one-ship-on-each-sea", "10.2.5", "too-much", function()
  for _, sea in ipairs(value "supply".seas) do
    if sides.axis["sea_" .. sea] > value "sea".axis_per_turn then return sea end
  end
end)
never("nothing-stirs-in-the-mud", { "15.1.1a", "15.1.1b" }, "out-of-time", function()
  return game.round > 0 and game.turn > 0 and rasputitsa() and (game.moving or game.fighting) and game.active
end)
never("axis-still-in-june", "4.4.2", "out-of-time", function()
  return game.turn == 1 and units_of "axis":filter{ moved = { "march", "rail", "sea" } }:first()
end)
never("soviets-at-home-in-june", { "4.4.3", "4.4.4" }, "out-of-place", function()
  return game.turn == 1 and units_of "soviet":filter{ at = spaces{ country = { "romania", "hungary" } } }:first()
end)

-- Moves and attacks.

local journeys = { "rail", "sea" }

never("armies-do-not-travel", "10.2.1a", "out-of-place", function()
  return pieces{ kind = "unit", size = "lcu", moved = journeys }:first()
end)
never("travellers-do-not-attack", "10.2.1b", "out-of-time", function()
  return pieces{ kind = "unit", attacked = true, moved = journeys }:first()
end)
never("newcomers-do-not-attack", "4.5.1d", "out-of-time", function() return pieces{ kind = "unit", attacked = true, placed = true }:first() end)
never("no-axis-trains-in-the-caucasus", "10.2.4a", "out-of-place", function()
  return units_of "axis":filter{ moved = "rail", at = spaces{ caucasus = true } }:first()
end)
never("no-soviet-trains-in-germany", "10.2.4a", "out-of-place", function()
  return units_of "soviet":filter{ moved = "rail", exploited = false, at = spaces{ germany = true } }:first()
end)
never("closed-targets", { "11.1.9a", "11.1.9b", "11.1.9c" }, "out-of-time", function()
  return game.active == "axis" and spaces{ attacked_here = true }:both(restricted_hexes()):first()
end)
never("only-spearheads-exploit", { "12.1.1a", "12.1.1b" }, "out-of-place", function()
  local slow = pieces{ kind = "unit", exploited = true, exploits = none }
  return slow:filter(function(unit) return not (unit:is "mech" and has_been_played "soviet-15") end):first()
end)
never("no-axis-unit-exploits-in-the-caucasus", "12.1.3", "out-of-place", function()
  return units_of "axis":filter{ exploited = true, at = spaces{ caucasus = true } }:first()
end)

-- Blitz markers.

never("four-blitz-markers", "11.2.1y", "too-much", function() return #blitz_hexes() > value "blitz".markers and #blitz_hexes() end)
never("no-blitz-without-ops", "7.2.6b", "out-of-time", function() return game.action == "zero" and blitz_hexes():first() end)
never("no-soviet-blitz-without-lend-lease", "11.2.1w", "out-of-time", function()
  return game.active == "soviet" and not game.lend_lease and blitz_hexes():first()
end)
never("no-axis-blitz-in-winter", "15.1.2c", "out-of-time", function()
  return game.active == "axis" and game.turn == value "winter".turn and blitz_hexes():first()
end)
never("one-axis-blitz-beyond-the-line", "11.5.2c", "too-much", function()
  local beyond = blitz_hexes():filter{ paulus = true }
  return game.active == "axis" and game.turn < value "winter".turn and #beyond > value "blitz-east".markers and #beyond
end)

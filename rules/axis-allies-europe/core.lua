-- Who is who, and who holds what. Everything else builds on these words.
-- `:spaces()` after a filter of spaces makes a set of them again: the kernel combines sets much faster than lists.

-- Powers of one team are allies; `sides.german.foes` lists the powers of the other. Printed values, so they are read once.
local teams, foes_of, friends_of = {}, {}, {}
for _, side in ipairs(sides) do
  teams[side], foes_of[side], friends_of[side] = sides[side].team, sides[side].foes, sides[side].friends
end
function team(side) return teams[side] end
function allied(a, b) return teams[a] == teams[b] end
function foes(side) return foes_of[side] end
function friends(side) return friends_of[side] end

-- Spaces a turn, by type.
local speeds = {}
for _, kind in ipairs(rows "unit") do speeds[kind] = row(kind).speed end
function speed_of(kind) return speeds[kind] end

-- The power whose marker or printed colour a space shows; none for the Middle East, neutrals and the sea.
function controller(space) return space.marker or space.owner end

-- Spaces of a list that show a marker or the printed colour of these powers.
function controlled(list, powers) return list:filter { marker = powers }:plus(list:filter { marker = none, owner = powers }) end

-- States that nobody may enter. In a variant they are like enemy land, of no team until somebody takes them.
neutral_land = query("neutral-land", { rule = { "board.11", "diff.3", "board.12" } }, function()
  return option "neutrals" == "closed" and spaces { neutral = true } or nowhere()
end)

land_in_play = query("land-in-play", { rule = { "board.5", "board.11", "board.3", "learning.1" } }, function()
  return spaces { ground = "land", closed = false }:minus(neutral_land())
end)

-- Middle East states side with the Allies until Germany takes them.
friendly_land = query("friendly-land", { rule = { "board.9", "board.10" } }, function(team)
  local land = land_in_play()
  if team == "axis" then return controlled(land, friends "german") end
  return controlled(land, foes "german"):plus(land:filter { marker = none, mideast = true })
end)

hostile_land = query("hostile-land", { rule = "board.9" }, function(team)
  return land_in_play():minus(friendly_land(team))
end)

-- Friendly since the start of the turn: only here may aircraft land, armies retreat and units be placed.
secure_land = query("secure-land", { rule = { "noncombat.14", "land.F3", "place.1", "capture.3" } }, function(team)
  return friendly_land(team):minus(fresh_land())
end)

fresh_land = query("fresh-land", { rule = { "noncombat.7", "noncombat.14" } }, function() return spaces { fresh = true } end)

function hostile(side, space) return hostile_land(team(side)):has(space) end

-- What each power has, by itself. The whole force stays the same while its pieces only move, and so do the lists made from it.
force_of = query("force-of", { rule = { "board.5", "buy.5" } }, function(side) return pieces { side = side, on_map = true } end)
ships_of = query("ships-of", { rule = { "board.18", "unit-sub.10" } }, function(side) return force_of(side):filter { domain = "sea", submerged = false } end)
aircraft_of = query("aircraft-of", { rule = "board.19" }, function(side) return force_of(side):filter { domain = "air" } end)
wing_of = query("wing-of", { rule = "board.19" }, function(side, kind) return aircraft_of(side):filter { type = kind } end)
troops_of = query("troops-of", { rule = { "board.17", "unit-aa.5" } }, function(side) return force_of(side):filter { domain = "land", min_hits = 1 } end)
guns_of = query("guns-of", { rule = "unit-aa.1" }, function(side) return force_of(side):filter { not_flak = none } end)
warships_of = query("warships-of", { rule = { "unit-tr.21", "unit-tr.1" } }, function(side) return ships_of(side):filter { not_attack = 0 } end)
unarmed_of = query("unarmed-of", { rule = "unit-tr.21" }, function(side) return ships_of(side):filter { attack = 0 } end)
transports_of = query("transports-of", { rule = "unit-tr.1" }, function(side) return ships_of(side):filter { not_capacity = 0 } end)
carriers_of = query("carriers-of", { rule = "unit-cv.2" }, function(side) return ships_of(side):filter { not_deck = 0 } end)

carrier_waters = query("carrier-waters", { rule = "unit-cv.2" }, function(side) return carriers_of(side):spaces() end)

complexes_of = query("complexes-of", { rule = "unit-ic.3" }, function(side) return force_of(side):filter { has = "industry" } end)
garrisons_of = query("garrisons-of", { rule = "unit-arm.2" }, function(side)
  return option "complex-stops-blitz" and force_of(side) or force_of(side):minus(complexes_of(side))
end)

-- Where a power has something of such a list. A query of its own, so that what is built on it is worked out anew only if it changes.
local held_spaces = query("held-spaces", { rule = "board.5" }, function(of, side)
  if of == "ships" then return ships_of(side):spaces() end
  if of == "complexes" then return complexes_of(side):spaces() end
  if of == "guns" then return guns_of(side):spaces() end
  if of == "garrisons" then return garrisons_of(side):spaces() end
  return troops_of(side):spaces():plus(aircraft_of(side):spaces())
end)

-- Where any of these powers has such a thing.
function all_spaces(powers, of)
  local all = nowhere()
  for _, side in ipairs(powers) do all = all:plus(held_spaces(of, side)) end
  return all
end

-- Sea zones with enemy ships that are not submerged.
enemy_waters = query("enemy-waters", { rule = { "cmove.15", "unit-sub.10", "cmove.9" } }, function(side) return all_spaces(foes(side), "ships") end)

-- Spaces with enemies that fight on land.
enemy_garrisons = query("enemy-garrisons", { rule = { "land.1", "cmove.7" } }, function(side)
  return all_spaces(foes(side), "fighters")
end)

local convoy_centres = query("convoy-centres", { rule = "board.7" }, function() return spaces { ground = "sea", not_convoy = none } end)

-- Those that the power could still take or free.
prizes_at_sea = query("prizes-at-sea", { rule = { "convoy.2", "convoy.6" } }, function(side)
  return team(side) == "axis" and convoy_centres():filter { marker = none } or convoy_centres():filter { not_marker = none }
end)

-- Zones that a ship may not enter in the non-combat move: enemy ships, or a convoy centre in enemy hands.
closed_waters = query("closed-waters", { rule = { "noncombat.9", "convoy.2" } }, function(side)
  return enemy_waters(side):plus(prizes_at_sea(side))
end)

-- The map, one step at a time.
near = query("near", { rule = { "board.20", "outside.2" } }, function(network, space)
  return flood { from = { space }, over = network, steps = 1 }:minus { space }:spaces()
end)

function coast(space) return near("coast", space) end
function beside(land) return flood { from = land, over = "coast", steps = 1 } end

-- The pieces at a space that can fight there; guns and complexes never do.
function garrison(side, space)
  return pieces { at = space, side = foes(side), domain = { "land", "air" }, min_hits = 1 }
end

-- Players: with two or three of them, one player decides for several powers.
seat = query("seat", { rule = { "setup.1", "setup.2", "setup.3" } }, function(side)
  return sides[side].seats[option "players" - value "fewest-players" + 1]
end)

-- The powers that must agree: one for each player among them.
function voters(powers)
  local seen, list = {}, {}
  for _, side in ipairs(powers) do
    if not seen[seat(side)] then
      seen[seat(side)] = true
      list[#list + 1] = side
    end
  end
  return list
end

function types_in(list) return list:distinct("type"):map "type" end
function owners_of(list) return list:distinct("side"):map "side" end

-- A landing place is a territory or a carrier: the space it is in.
function is_carrier(place) return place.kind == "unit" end
function space_of(place) return is_carrier(place) and place.space or place end

-- An empty list of spaces to add to.
nowhere = query("nowhere", {}, function() return spaces { ground = {} } end)

-- Who is who and what stands where. Everything else builds on these words.

local FOES = {
  german = { "soviet", "soviet-2" }, ["german-2"] = { "soviet", "soviet-2" },
  soviet = { "german", "german-2" }, ["soviet-2"] = { "german", "german-2" },
}
local TEAM = { german = { "german", "german-2" }, soviet = { "soviet", "soviet-2" } }

function team(side) return sides[side].team end
function foes(side) return FOES[side] end
function allies(side) return TEAM[team(side)] end
function hostile(a, b) return team(a) ~= team(b) end

-- The scenario says how far the rules are in force (learn.1).
in_force = query("in-force", { rule = "learn.1" }, function(chapter) return value "sections" >= value "chapter"[chapter] end)

special = query("special", { rule = "1.0a" }, function(id)
  for _, each in ipairs(value "special") do
    if each == id then return true end
  end
end)

function hand(side) return space(side .. "-hand") end
function notes(side) return space(side .. "-notes") end

-- Units on the map. Hidden ones lie among their owner's notes and are not on the map.
units_of = query("units-of", { rule = "1.1b" }, function(side)
  return pieces { kind = "unit", side = side, on_map = true, not_mode = "air" }
end)

ground_of = query("ground-of", { rule = "1.1b" }, function(side)
  return pieces { kind = "unit", side = allies(side), on_map = true, not_mode = "air" }
end)

hidden_of = query("hidden-of", { rule = "10.0a" }, function(side)
  if not lurkers(side):any() then return nobody() end
  return pieces { kind = "unit", side = side, at = notes(side) }
end)

-- Hidden units and coins: whoever has a lair.
lurkers = query("lurkers", { rule = { "10.0a", "21.2a" } }, function(side)
  return pieces { kind = "unit", side = side, not_lair = none }:plus(pieces { type = "coin", side = side, not_lair = none })
end)

-- Whether empty hexes may not be: the scenario has hidden units, or somebody went into hiding before all eyes (10.0h, 10.2a).
somebody_hides = query("somebody-hides", { rule = { "10.0h", "10.2a" } }, function()
  if value "hidden-units" then return true end
  for _, side in ipairs(value "forces") do
    if lurkers(side):any() then return true end
  end
  return false
end)

enemies_of = query("enemies-of", { rule = "7.0a" }, function(side)
  return pieces { kind = "unit", side = foes(side), on_map = true, not_mode = "air" }
end)

enemy_hexes = query("enemy-hexes", { rule = "7.0a" }, function(side) return enemies_of(side):spaces() end)

own_hexes = query("own-hexes", { rule = "7.7a" }, function(side) return ground_of(side):spaces() end)

function units_in(hex) return pieces { kind = "unit", at = hex, not_mode = "air" } end
function enemies_in(hex, side) return pieces { kind = "unit", at = hex, side = foes(side), not_mode = "air" } end
function enemy_in(hex, side) return enemy_hexes(side):has(hex) end

-- Where a unit is, for its owner: hidden units have a lair.
function hex_of(unit) return unit.lair or unit.space end
function is_hidden(unit) return unit.lair ~= nil end
function is_squad(unit) return unit.class == "squad" end
function is_infantry(unit) return unit.mode == "foot" end

-- Markers by type: the hexes that hold one.
marked = query("marked", { rule = "18.0a" }, function(type)
  return pieces { type = type, on_map = true }:spaces()
end)

mine_hexes = query("mine-hexes", { rule = "18.5a" }, function()
  return pieces { kind = "marker", mines = { "red", "blue", "black" }, on_map = true }:spaces()
end)

function marker_in(hex, type) return pieces { type = type, at = hex }[1] end
function forts_in(hex) return pieces { kind = "marker", fort = true, at = hex } end

-- The hexes of the boards that the scenario uses.
in_play = query("in-play", { rule = "1.0c" }, function()
  return spaces { kind = "hex" }
end)

-- A list of the scenario as a plain table, and the hexes it names.
function plain(list)
  local copy = {}
  for i = 1, #list do copy[i] = list[i] end
  return copy
end

function hexes_named(list) return spaces { id = plain(list) } end

nowhere = query("nowhere", { rule = "1.0f" }, function() return spaces { id = {} } end)
nobody = query("nobody", { rule = "1.1b" }, function() return pieces { id = {} } end)

-- A facing turned by so many sides of a hex.
function turned(facing, by) return (facing + by) % value "facings" end

-- A number of dice, added up.
function total(dice)
  local sum = 0
  for i = 1, #dice do sum = sum + dice[i] end
  return sum
end

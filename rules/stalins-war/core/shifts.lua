-- Column shifts: terrain, supply, the Paulus Line, winter, mobile defence. All add up; the table's edge is the limit.

local function attacking(fight, side) return side == fight.attacker end

-- The place in the hex counts once: an intact fortress, else a city, else a town.
function place_of(hex)
  return hex.fortress and "fortress" or hex.place
end

-- Winter 1942 takes the ground from Axis defenders, all but the trenches.
function frozen_ground(fight)
  return fight.defender == "axis" and winter_bites()
end

function winter_bites()
  return game.turn == value "winter".turn and not has_been_played "axis-19"
end

modify("column", "terrain", { stage = "shift", rule = { "11.2.1h", "table.tec.rough", "table.tec.swamp", "table.tec.mountain", "table.tec.cumulative", "15.1.2b" } }, function(n, fight, side)
  if not attacking(fight, side) or fight.clear_hex or frozen_ground(fight) then return end
  n:add(-lookup("terrain", fight.target.terrain, "shift"))
end)

modify("column", "place", { stage = "shift", rule = { "table.tec.town", "table.tec.city", "table.tec.fortress", "15.1.2b" } }, function(n, fight, side)
  local place = place_of(fight.target)
  if not attacking(fight, side) or not place or fight.clear_hex or frozen_ground(fight) then return end
  n:add(-lookup("place", place, "shift"))
end)

modify("column", "trench", { stage = "shift", rule = "table.tec.trench" }, function(n, fight, side)
  if attacking(fight, side) and fight.target.trench == fight.defender and not fight.clear_hex then
    n:add(-value "trench".shift)
  end
end)

function crossing(hex, target)
  for _, feature in ipairs(border(hex, target)) do
    if feature == "river" or feature == "major-river" or feature == "kerch" then return feature end
  end
end

-- What an attacker must cross. A Paradrop takes the rivers away, not the strait.
function hurdle(fight, hex)
  local feature = crossing(hex, fight.target)
  return (feature == "kerch" or not fight.no_rivers) and feature or nil
end

-- A river helps the defender only if every attacker must cross one; the Kerch strait helps if anyone does.
local function hexside(fight)
  local first = fight.hexes:first()
  local strait = fight.hexes:any(function(hex) return hurdle(fight, hex) == "kerch" end)
  if strait then return "kerch" end
  return first and fight.hexes:all(function(hex) return hurdle(fight, hex) ~= nil end) and hurdle(fight, first)
end

modify("column", "river", { stage = "shift", rule = { "table.tec.river", "table.tec.majorriver", "table.tec.kerch", "15.1.2b" } }, function(n, fight, side)
  local feature = attacking(fight, side) and not frozen_ground(fight) and hexside(fight)
  if feature then n:add(-lookup("hexside", feature, "shift")) end
end)

modify("column", "out-of-supply", { stage = "shift", rule = { "11.2.1i", "13.3.5" } }, function(n, fight, side)
  if #out_of_supply(fight, side) > 0 then n:add(value "shift".oos) end
end)

modify("column", "paulus-line", { stage = "shift", rule = "11.2.1j", turns = "1-4" }, function(n, fight, side)
  if side == "axis" and attacking(fight, side) and fight.target.paulus and #out_of_supply(fight, side) == 0 then
    n:add(value "shift".paulus)
  end
end)

modify("column", "winter-1942", { stage = "shift", rule = "15.1.2a", turns = "4" }, function(n, fight, side)
  if side == "axis" and winter_bites() then n:add(value "shift".winter) end
end)

modify("column", "shock-armies", { stage = "shift", rule = "15.1.2d", turns = "4" }, function(n, fight, side)
  if side == "soviet" and attacking(fight, side) and #alive(fight, side):filter{ has = "shock" } > 0 then
    n:add(value "shift".shock)
  end
end)

-- A German army and a panzer corps in the defending hex (20.1.1).
function mobile_defence(fight)
  if fight.defender ~= "axis" or not the_turn "mobile-defence" then return false end
  local there = alive(fight, "axis"):filter{ nation = "ge" }
  return #there:filter{ size = "lcu" } > 0 and #there:filter{ has = "panzer" } > 0
end

modify("column", "mobile-defence", { stage = "shift", rule = { "20.1.1a", "20.1.1b", "24.0b" } }, function(n, fight, side)
  if not mobile_defence(fight) then return end
  n:add(attacking(fight, side) and value "shift".mobile_attacker or value "shift".mobile_defender)
end)

-- 11.4 Retreats: hard limits first, then the ranked wishes, then the defender's choice.

-- Festung defenders, and those whose last level a Kampfgruppe saved, stay where they are.
local function must_retreat(fight)
  if fight.winner ~= fight.attacker or fight.stands then return false end
  return not (fight.target.festung and not fight.clear_hex)
end

retreat_length = number("retreat-length", { rule = "11.4.2", stages = { "difference" } }, function(n, fight)
  local lead = fight.hits_attacker - fight.hits_defender
  n:add(lead >= value "retreat".long_from and value "retreat".long or value "retreat".short)
end)

procedure("combat.retreat", { rule = { "11.4.1a", "11.4.1b", "11.4.7", "11.2.1t" } }, function(fight)
  if #losers(fight) == 0 or not must_retreat(fight) then return end
  if stand_fast(fight) then return end
  retreat(fight.defender, losers(fight), fight.target, evaluate("retreat-length", fight))
end)

-- Defenders still on the map, those who had already retreated included.
function losers(fight)
  return alive(fight, fight.defender):plus(fight.stragglers:filter{ on_map = true })
end

-- Ground that lets the defender stand for one more loss.
may_stand = query("may-stand", { rule = { "11.4.3a", "15.1.2b" } }, function(fight)
  local hex = fight.target
  if fight.clear_hex then return false end
  if hex.trench == fight.defender then return true end
  if frozen_ground(fight) then return false end
  if hex.terrain == "rough" and not option "rough-no-retreat" then return hex.fortress ~= nil end
  return lookup("terrain", hex.terrain, "stand") or hex.fortress == fight.defender
end)

-- No Retreat: one extra loss on any defender, if a level is left after it (11.4.3).
stand_fast = procedure("stand-fast", { rule = { "11.4.3a", "11.4.3b", "11.4.3c" } }, function(fight)
  local units = losers(fight)
  if levels_left(units) <= 1 or not may_stand(fight) then return false end
  if ask(fight.defender, "retreat.stand", { among = { "stand", "retreat" }, fight = fight, hex = fight.target }) == "retreat" then return false end
  fight.stands = true
  lose_level(ask(fight.defender, "retreat.loss", { among = units, fight = fight, hex = fight.target }), fight)
  return true
end)

-- Hexes a retreat may not enter (11.4.4c).
local function no_way(unit)
  local side = unit.side
  local foe = enemy(side)
  local barred = closed_to(unit):plus(barred_zoc(side)):plus(fortresses(foe))
  if foe == "axis" then barred = barred:plus(festungen()) end
  return barred
end

-- The hexes that a way enters: a path begins where the unit stands.
local function steps(unit, way)
  return way.path:minus{ unit.space }
end

local function first_of(hexes, test)
  for _, hex in ipairs(hexes) do
    if test(hex) then return hex end
  end
end

local function is_raided(hex)
  return #sleeping():filter{ at = hex } > 0
end

-- Whether a retreat ends in supply: those who go no longer lift the enemy ZOC of the hex they leave, those who stay do.
local function is_fed_after(unit, hex)
  local side, left = unit.side, unit.space
  if not supply_area(side, unit.nation):has(hex) then return false end
  local lifted = not zoc(enemy(side)):has(left) or #units_of(side):filter{ at = left }:filter(stays_behind) > 0
  return lifted or traces_without(side, unit.nation, hex, left)
end

-- Stalin and partisans do not go with the others (16.4.3, 16.1.6c).
function stays_behind(unit)
  return unit.id == "su-stalin" or unit.arrives == "partisan-cup"
end

-- Wishes in order: avoid enemy cities, end in supply, avoid inactive partisans (11.4.4f, h, i).
local wishes = {
  function(unit, way)
    return not first_of(steps(unit, way), function(hex) return hex.place == "city" and hex.control == enemy(unit.side) end)
  end,
  function(unit, way) return shelter(unit.side):has(way.space) or is_fed_after(unit, way.space) end,
  function(unit, way) return unit.side == "soviet" or not first_of(steps(unit, way), is_raided) end,
}

-- The ways that fulfil a wish, if there are any.
local function preferred(ways, unit, wish)
  local good = {}
  for _, way in ipairs(ways) do
    if wish(unit, way) then good[#good + 1] = way end
  end
  return #good > 0 and good or ways
end

-- A way goes its whole length, and two hexes end away from the old one; but Axis units stop where partisans lurk,
-- and nobody leaves a Festung again.
local function is_whole(unit, way, origin, length)
  local raid = unit.side == "axis" and first_of(steps(unit, way), is_raided)
  if raid then return raid == way.space end
  if #traps(unit.side):both(steps(unit, way):minus{ way.space }) > 0 then return false end
  return #steps(unit, way) == length and (length == 1 or distance(way.space, origin) >= length)
end

-- Ways of a retreat that the hard limits allow.
local function open_ways(unit, origin, length)
  local packed, open = crowded_for(unit), {}
  for _, way in ipairs(paths{ from = unit.space, length = length, least = 1, blocked = no_way(unit), barrier = water }) do
    if is_whole(unit, way, origin, length) and not packed:has(way.space) then open[#open + 1] = way end
  end
  return open
end

-- The best ends of a retreat.
retreat_ends = query("retreat-ends", { rule = { "11.4.4b", "11.4.4c", "11.4.4d", "11.4.4e", "11.4.4f", "11.4.4h", "11.4.4i" } }, function(unit, origin, length)
  local ways, ends = open_ways(unit, origin, length), nowhere()
  for _, wish in ipairs(wishes) do ways = preferred(ways, unit, wish) end
  for _, way in ipairs(ways) do ends = ends:plus{ way.space } end
  return ends
end)

-- Units go one by one, to hexes of the defender's choice; who cannot go is lost as if out of supply.
retreat = procedure("retreat", { rule = { "11.4.1a", "11.4.4a", "11.4.4e", "11.4.6" } }, function(side, units, origin, length)
  local waiting = units:filter{ not_id = "su-stalin" }
  while #waiting > 0 do
    local unit = ask(side, "retreat.unit", { among = waiting, hex = origin })
    waiting = waiting:minus{ unit }
    retreat_unit(unit, origin, length)
  end
end)

retreat_unit = procedure("retreat-unit", { rule = { "11.4.4a", "11.4.4g", "11.4.5a", "11.4.6" } }, function(unit, origin, length)
  local ends = unit.ma ~= 0 and retreat_ends(unit, origin, length) or nowhere()
  if #ends == 0 then
    log("cannot-retreat", unit)
    eliminate(unit, true)
    return
  end
  local to = ask(unit.side, "retreat.to", { among = ends, unit = unit })
  move(unit, to)
  enter(unit, to)
  unit.retreated = true
end)

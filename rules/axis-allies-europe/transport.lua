-- Transports: loading, landing on enemy land (part 2) and unloading on friendly land (part 4).

function room(ship) return ship.capacity - ship.cargo:sum "load" end

-- Transports that the power may use: its own, and in part 4 those of its allies too.
local transports = query("transports", { rule = { "unit-tr.1", "multi.8" } }, function(side, peaceful)
  local list = transports_of(side)
  if peaceful then
    for _, ally in ipairs(friends(side)) do list = list:plus(transports_of(ally)) end
  end
  return list
end)

-- What can go aboard: troops and guns.
local cargo_of = query("cargo-of", { rule = { "unit-tr.2", "unit-aa.6" } }, function(side) return troops_of(side):plus(guns_of(side)) end)

-- Transports with troops of this power aboard.
local sea_zones = query("sea-zones", { rule = "board.5" }, function() return spaces { ground = "sea" } end)
local laden = query("laden", { rule = { "unit-tr.7", "amphib.12", "multi.11", "unit-tr.15", "unit-tr.17" } }, function(side)
  return cargo_of(side):filter { at = sea_zones() }:map("place"):unique()
end)

local function in_clear_water(side, ship) return not enemy_waters(side):has(ship.space) end

-- Transports carrying anybody of the team.
local taken_transports = query("taken-transports", { rule = { "unit-tr.2", "multi.8" } }, function(side)
  local list = nowhere()
  for _, ally in ipairs(friends(side)) do list = list:plus(laden(ally)) end
  return list
end)

-- Those of a list that may load or unload in these waters: no enemy is there; one that was in a battle does one of the two, one that
-- has unloaded is done.
local function free_transports(side, list, waters)
  local free = list:filter { target = none, at = waters, not_at = enemy_waters(side) }
  return free:minus(free:filter { fought = true, worked = true })
end

-- Land units on the coast that fit aboard. Guns embark in part 4 only.
local function passengers(side, ship, peaceful)
  local shore = coast(ship.space):both(friendly_land(team(side)))
  local list = fresh_troops(side):filter { at = shore, max_load = room(ship) }
  return peaceful and list:plus(movable_guns(side):filter { at = shore, max_load = room(ship) }) or list
end

-- Zones on whose coast somebody waits for an empty transport, or for one with so much room left.
local piers = query("piers", { rule = { "unit-tr.3", "unit-tr.2" } }, function(side, peaceful, left)
  local quays = left and troops_of(side):filter { used = false, max_load = left }:spaces() or camps(side)
  if peaceful and #gun_posts(side) > 0 then quays = quays:plus(left and movable_guns(side):filter { max_load = left }:spaces() or gun_posts(side)) end
  return beside(quays:both(friendly_land(team(side))))
end)

-- Transports that could take somebody aboard.
local function loaders(side, peaceful)
  local ships = transports(side, peaceful)
  if #ships == 0 then return ships end
  ships = free_transports(side, ships, piers(side, peaceful))
  return ships:minus(ships:both(taken_transports(side)):filter(function(ship)
    local left = room(ship)
    return left == 0 or not piers(side, peaceful, left):has(ship.space)
  end))
end

offer("combat-move", "load", { rule = { "unit-tr.3", "unit-tr.6", "cmove.6", "cmove.10", "cmove.9" }, option = "load-in-combat-move",
  among = function(side) return loaders(side, false):filter { used = false } end,
  run = "load" })

offer("non-combat-move", "load", { rule = { "noncombat.10", "unit-tr.3", "multi.8", "unit-tr.19", "unit-tr.17", "unit-aa.7" },
  among = function(side) return loaders(side, true) end,
  run = "load.among-friends" })

-- Going aboard is a land unit's whole move.
local function load(side, ship, peaceful)
  local units = pick_some(side, "load.units", passengers(side, ship, peaceful),
    { cost = function(item) return printed(item).load end, at_most = room(ship), ship = ship })
  for _, unit in ipairs(units) do
    unit.used = true
    unit.boarded = true
    if unit:is "follows-territory" then call("gun.moved", unit, side) end
    move(unit, ship)
  end
  ship.worked = true
end

procedure("load", { rule = { "unit-tr.2", "unit-tr.8", "unit-tr.16", "cmove.9", "cmove.6", "cmove.10" } }, function(ship, side) load(side, ship, false) end)
procedure("load.among-friends", { rule = { "unit-tr.2", "unit-tr.8", "unit-tr.16", "unit-aa.6", "multi.8", "unit-tr.3", "unit-tr.6", "unit-sub.10" } }, function(ship, side) load(side, ship, true) end)

-- Troops loaded this turn go ashore again only from their own power's transport, and only if it was in no battle.
local function may_leave(ship, unit, fights)
  if not unit.boarded then return true end
  return ship.side == unit.side and not fights
end

-- A landing may be announced from clear water, or after sailing into a fight for the zone.
local function landing_water(side, ship)
  if in_clear_water(side, ship) then return not ship.fled or option "cleared-transport-may-land" end
  return ship.side == side and ship.spent > 0 and not ship.fled
end

local function assault_troops(side, ship)
  local fights = not in_clear_water(side, ship)
  return ship.cargo:filter { side = side, min_hits = 1 }
    :filter(function(unit) return may_leave(ship, unit, fights) end)
end

local assault_waters = query("assault-waters", { rule = "amphib.1" }, function(team) return beside(hostile_land(team):minus(tolled_land())) end)
local function assault_targets(side, ship) return coast(ship.space):both(hostile_land(team(side))):minus(tolled_land()) end

offer("combat-move", "assault", { rule = { "amphib.1", "amphib.2", "unit-tr.4", "multi.10", "cmove.6" },
  among = function(side)
    if #laden(side) == 0 then return {} end
    return laden(side):filter { target = none, at = assault_waters(team(side)) }
      :filter(function(ship) return landing_water(side, ship) and #assault_troops(side, ship) > 0 end)
  end,
  run = "assault" })

procedure("assault", { rule = { "amphib.2", "amphib.3", "amphib.4", "amphib.5", "unit-tr.13", "unit-tr.20", "cmove.6", "amphib.1", "amphib.11" } }, function(ship, side)
  local to = ask(side, "assault.to", { among = assault_targets(side, ship), ship = ship })
  local units = pick_some(side, "assault.units", assault_troops(side, ship), { ship = ship, to = to })
  ship.target = to
  ship.used = true
  for _, unit in ipairs(units) do
    unit.target = to
    unit.used = true
  end
end)

local function unload_troops(side, ship)
  return ship.cargo:filter { side = side }:filter(function(unit) return may_leave(ship, unit, ship.fought) end)
end

local unload_waters = query("unload-waters", { rule = "noncombat.10" }, function(team) return beside(friendly_land(team)) end)
local function unload_ports(side, ship) return coast(ship.space):both(friendly_land(team(side))) end

offer("non-combat-move", "unload", { rule = { "noncombat.10", "unit-tr.5", "unit-tr.14", "unit-tr.15", "unit-tr.19", "multi.9", "multi.10", "multi.11", "amphib.12", "unit-tr.17" },
  among = function(side)
    if #laden(side) == 0 then return {} end
    return free_transports(side, laden(side), unload_waters(team(side)))
      :filter(function(ship) return #unload_troops(side, ship) > 0 end)
  end,
  run = "unload" })

procedure("unload", { rule = { "unit-tr.11", "unit-tr.12", "unit-tr.13", "unit-tr.20", "amphib.11", "unit-tr.9", "multi.10", "unit-tr.14", "unit-tr.15" } }, function(ship, side)
  local to = ask(side, "unload.to", { among = unload_ports(side, ship), ship = ship })
  local units = pick_some(side, "unload.units", unload_troops(side, ship), { ship = ship, to = to })
  ship.target = to
  ship.used = true
  ship.worked = true
  for _, unit in ipairs(units) do
    unit.used = true
    unit.ashore = true
    if unit:is "follows-territory" then call("gun.moved", unit, controller(to) or side) end
    move(unit, to)
  end
end)

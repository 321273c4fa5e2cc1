-- Aircraft in the combat move: where to, raid or battle, which way, how many. A landing must remain possible.

-- Aircraft that may take off: not those that came with a carrier that has moved.
local function ready(side, list)
  local moved = own_carriers(side):filter { not_spent = 0 }
  return #moved == 0 and list:filter { used = false } or list:filter { used = false, not_place = moved }
end

ready_aircraft = query("ready-aircraft", { rule = { "unit-cv.4", "unit-cv.5", "cmove.1", "unit-cv.6" } }, function(side)
  return ready(side, aircraft_of(side))
end)

-- Enemy troops on enemy land, and enemy ships.
local targets = query("targets", { rule = { "cmove.1", "sea.1", "land.1" } }, function(side)
  return enemy_garrisons(side):both(hostile_land(team(side))):plus(enemy_waters(side))
end)

-- What a type may attack: also complexes, for bombers to raid and for fighters to go along with them.
local raided = query("raided", { rule = "sbr.4" }, function(side) return aircraft_of(side):filter { raiding = true }:spaces() end)

air_targets = query("air-targets", { rule = { "sbr.1", "sbr.2", "sbr.4" } }, function(side, kind)
  return targets(side):plus(row(kind).bombs and raid_targets(side) or raided(side))
end)

raid_targets = query("raid-targets", { rule = { "sbr.1", "sbr.19" } }, function(side)
  return all_spaces(foes(side), "complexes"):both(hostile_land(team(side)))
end)

-- Goes through the targets by how far they are from land to come down on: `each(targets, rest)`, where `rest` is what that leaves
-- of the movement for the way out.
local function by_way_home(team, targets, speed, each)
  for home = 1, speed do
    local these = targets:both(home_range(team, home))
    if #these > 0 then each(these, speed - home) end
    targets = targets:minus(these)
    if #targets == 0 then return end
  end
end

-- Targets from which land can be reached with what is left.
local round_trips = query("round-trips", { rule = { "cmove.12", "unit-bmb.5" } }, function(side, from, kind)
  local safe = nowhere()
  by_way_home(team(side), air_targets(side, kind), speed_of(kind), function(targets, rest)
    safe = safe:plus(targets:both(air_range(from, rest)))
  end)
  return safe
end)

-- The carrier from which a fighter at `from` would take off.
local function launch_deck(side, from)
  local place = ready_aircraft(side):filter { at = from, type = "fighter" }:map("place")[1]
  return place and is_carrier(place) and place or nil
end

fly_targets = query("fly-targets", { rule = { "cmove.12", "unit-bmb.5", "unit-ftr.5", "unit-ftr.6" } }, function(side, from, kind)
  local speed, wanted = speed_of(kind), air_targets(side, kind)
  local safe = round_trips(side, from, kind)
  if kind ~= "fighter" or #carriers(side) == 0 then return safe end
  local home = launch_deck(side, from)
  local risky = wanted:minus(safe):both(air_range(from, speed)):filter(function(to)
    return carrier_landings(side, to, speed - air_steps(from, to, speed), 1, home) > 0
  end)
  return safe:plus(risky)
end)

-- Every space from which such an aircraft has something to attack and a way home: as far from the target as the way home leaves it.
-- Changes with the enemy, hardly with own moves.
local strike_zone = query("strike-zone", { rule = { "cmove.1", "cmove.12" } }, function(side, kind)
  local wanted = row(kind).bombs and targets(side):plus(raid_targets(side)) or targets(side)
  local zone = nowhere()
  by_way_home(team(side), wanted, speed_of(kind), function(targets, rest) zone = zone:plus(air_around(targets, rest)) end)
  return zone
end)

local airfields = query("airfields", { rule = { "cmove.1", "unit-cv.4", "unit-cv.5", "unit-cv.6" } }, function(side, kind) return ready(side, wing_of(side, kind)):spaces() end)

-- Where fighters have a target at all, with or without a way home.
local fighter_range = query("fighter-range", { rule = "unit-ftr.6" }, function(side)
  return air_around(air_targets(side, "fighter"), speed_of("fighter"))
end)

fly_types = query("fly-types", { rule = "cmove.1" }, function(side, space)
  return ready_aircraft(side):filter { at = space }:distinct("type")
    :filter(function(unit) return #fly_targets(side, space, unit.type) > 0 end):map "type"
end)

local function fields_in_reach(side, kind)
  local fields = airfields(side, kind)
  return #fields > 0 and fields:both(strike_zone(side, kind)) or fields
end

-- Fields with something to attack in reach. Fighters that would have to land on a carrier, or go with a raid, need a closer look.
fly_origins = query("fly-origins", { rule = "cmove.1" }, function(side)
  local all = fields_in_reach(side, "bomber"):plus(fields_in_reach(side, "fighter"))
  if #carriers(side) == 0 and #raided(side) == 0 then return all end
  local far = airfields(side, "fighter"):minus(all):both(fighter_range(side))
  return all:plus(far:filter(function(from) return #fly_targets(side, from, "fighter") > 0 end):spaces())
end)

offer("combat-move", "fly", { rule = { "cmove.1", "cmove.5", "unit-ftr.2", "unit-bmb.2" }, among = fly_origins, run = "fly" })

-- Raid or battle? Only bombers raid; fighters may go with them.
local function missions(side, kind, to)
  local list = {}
  if #garrison(side, to) > 0 or enemy_waters(side):has(to) then list[1] = "battle" end
  local bombers = #pieces { at = to, side = side, raiding = true, type = "bomber" } > 0
  if raid_targets(side):has(to) and (kind == "bomber" or bombers) then list[#list + 1] = "raid" end
  return list
end

forbid_all("fly.to", "no-way-home", { rule = { "cmove.12", "unit-bmb.5", "unit-ftr.5" } }, function(ask)
  return air_range(ask.from, row(ask.kind).speed):minus(ask.targets), no("no-way-home", ask.kind)
end)

procedure("fly", { rule = { "cmove.1", "cmove.3", "cmove.12", "sbr.2", "sbr.3", "sbr.4", "sbr.5", "amphib.7", "amphib.21", "unit-bmb.3", "unit-ftr.3", "unit-ftr.11", "cmove.5" } },
function(from, side)
  local kind = ask(side, "fly.type", { among = fly_types(side, from), from = from })
  local able = fly_targets(side, from, kind)
  local to = ask(side, "fly.to", { among = function() return air_targets(side, kind):both(air_range(from, speed_of(kind))):plus(able) end,
    from = from, kind = kind, targets = able })
  local mission = ask(side, "fly.mission", { among = missions(side, kind, to), to = to, kind = kind })
  local ready = ready_aircraft(side):filter { at = from, type = kind }
  local path = choose_route(side, ready[1], to)
  local rest, most = speed_of(kind) - #path, #ready
  if not home_range(team(side), rest):has(to) then most = carrier_landings(side, to, rest, most, launch_deck(side, from)) end
  local n = ask(side, "fly.count", { from = 1, to = most, kind = kind })
  local wing = ready:take(n)
  local last = path[#path - 1] or from
  for _, unit in ipairs(wing) do
    unit.used = true
    unit.airborne = true
    unit.raiding = mission == "raid"
    unit.spent = #path
    unit.origin = last
    move(unit, to)
  end
  overflight(side, wing, path)
end)

-- Aircraft in the combat move: where to, raid or battle, who flies, which way. A landing must remain possible.

-- Aircraft that may take off: not those that came with a carrier that has moved.
local function ready(side, list)
  local moved = carriers_of(side):filter { not_spent = 0 }
  return #moved == 0 and list:filter { used = false } or list:filter { used = false, not_place = moved }
end

ready_aircraft = query("ready-aircraft", { rule = { "unit-cv.4", "unit-cv.5", "unit-cv.6" } }, function(side)
  return ready(side, aircraft_of(side))
end)

-- Enemy troops on enemy land, and enemy ships.
local targets = query("targets", { rule = { "cmove.1", "sea.1", "land.1" } }, function(side)
  return enemy_garrisons(side):both(hostile_land(team(side))):plus(enemy_waters(side))
end)

raid_targets = query("raid-targets", { rule = { "sbr.1", "sbr.19" } }, function(side)
  return all_spaces(foes(side), "complexes"):both(hostile_land(team(side)))
end)

-- Complexes that bombers are on their way to: fighters may go along.
local raided = query("raided", { rule = "sbr.4" }, function(side) return aircraft_of(side):filter { raiding = true, min_bombs = 1 }:spaces() end)

-- What a type may attack.
air_targets = query("air-targets", { rule = { "sbr.2", "sbr.4" } }, function(side, kind)
  local printed = row(kind)
  if printed.bombs then return targets(side):plus(raid_targets(side)) end
  return printed.escort and targets(side):plus(raided(side)) or targets(side)
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

-- How many of a wing at one place could land after flying to `to` the shortest way.
local function able_to_return(side, wing, to)
  local speed = fuel(wing[1])
  local steps = air_steps(wing[1].space, to, speed)
  if not steps then return 0 end
  if home_range(team(side), speed - steps):has(to) then return #wing end
  return deck_kinds[wing[1].type] and carrier_landings(side, to, speed - steps, wing) or 0
end

-- Every space that an aircraft at `from` could fly to and then on to a place where a carrier may be.
local function in_reach_of_decks(side, from, speed)
  local found, decks = nowhere(), deck_waters(side)
  for steps = 1, speed do found = found:plus(air_range(from, steps):both(air_around(decks, speed - steps))) end
  return found
end

-- With those that could meet a carrier.
fly_targets = query("fly-targets", { rule = { "cmove.12", "unit-ftr.5", "unit-ftr.6" } }, function(side, from, kind)
  local safe = round_trips(side, from, kind)
  if not deck_kinds[kind] or #carriers(side) == 0 then return safe end
  local risky = air_targets(side, kind):minus(safe):both(in_reach_of_decks(side, from, speed_of(kind)))
  if #risky == 0 then return safe end
  local first = ready_aircraft(side):filter { at = from, type = kind }:take(1)
  return safe:plus(risky:filter(function(to) return able_to_return(side, first, to) > 0 end))
end)

-- Every space from which such an aircraft has something to attack and a way home: as far from the target as the way home leaves it.
-- Changes with the enemy, hardly with own moves.
local strike_zone = query("strike-zone", { rule = { "cmove.1", "cmove.12" } }, function(side, kind)
  local wanted = row(kind).bombs and targets(side):plus(raid_targets(side)) or targets(side)
  local zone = nowhere()
  by_way_home(team(side), wanted, speed_of(kind), function(targets, rest) zone = zone:plus(air_around(targets, rest)) end)
  return zone
end)

local airfields = query("airfields", { rule = { "unit-cv.4", "unit-cv.5", "unit-cv.6" } }, function(side, kind) return ready(side, wing_of(side, kind)):spaces() end)

-- Where such aircraft have a target at all, with or without a way home.
local widest_range = query("widest-range", { rule = "unit-ftr.6" }, function(side, kind)
  return air_around(air_targets(side, kind), speed_of(kind))
end)

-- Fields with something to attack in reach. Fighters that would have to land on a carrier, or go with a raid, need a closer look.
fly_origins = query("fly-origins", { rule = "cmove.1" }, function(side)
  local all, plain = nowhere(), #carriers(side) == 0 and #raided(side) == 0
  for _, kind in ipairs(air_kinds) do
    local fields = airfields(side, kind)
    if #fields > 0 then
      local near_home = fields:both(strike_zone(side, kind))
      all = all:plus(near_home)
      if not plain and (deck_kinds[kind] or row(kind).escort) then
        local far = fields:minus(near_home):both(widest_range(side, kind))
        all = all:plus(far:filter(function(from) return #fly_targets(side, from, kind) > 0 end):spaces())
      end
    end
  end
  return all
end)

offer("combat-move", "fly", { rule = { "cmove.1", "cmove.5", "unit-ftr.2", "unit-bmb.2" }, among = fly_origins, run = "fly" })

forbid_all("fly.to", "no-way-home", { rule = { "cmove.12", "unit-bmb.5", "unit-ftr.5" } }, function(ask)
  return ask.wide:minus(ask.targets), no("no-way-home", ask.from)
end)

-- Where the aircraft at a field may go, all types together, and what a player may think of.
local function plan_flight(side, from, able)
  local open, wide = nowhere(), nowhere()
  for _, kind in ipairs(types_in(able)) do
    open = open:plus(fly_targets(side, from, kind))
    wide = wide:plus(air_targets(side, kind):both(air_range(from, speed_of(kind))))
  end
  return ask(side, "fly.to", { among = wide:plus(open), from = from, targets = open, wide = wide })
end

local function led(side, to) return #pieces { at = to, side = side, raiding = true, min_bombs = 1 } > 0 end

-- Raid or battle?
local function missions(side, able, to)
  local list = {}
  if #garrison(side, to) > 0 or enemy_waters(side):has(to) then list[1] = "battle" end
  local raiders = able:any(function(unit) return unit.bombs ~= nil and able_to_return(side, able:both { unit }, to) > 0 end)
  if raid_targets(side):has(to) and (raiders or led(side, to)) then list[#list + 1] = "raid" end
  return list
end

-- Who of a field can take part: of each type as many as could land again. In a raid bombers, and fighters to go with them.
local function crews(side, able, to, mission)
  local fit, decks_taken = nowhere(), nowhere()
  for _, kind in ipairs(types_in(able)) do
    local wing, printed = able:filter { type = kind }, row(kind)
    if mission == "battle" or printed.bombs or printed.escort then
      local queue = deck_kinds[kind] and decks_taken:plus(wing) or wing
      local most = able_to_return(side, queue, to) - (#queue - #wing)
      local crew = wing:take(math.max(most, 0))
      fit = fit:plus(crew)
      if deck_kinds[kind] and not home_range(team(side), fuel(wing[1]) - (air_steps(wing[1].space, to, fuel(wing[1])) or 0)):has(to) then
        decks_taken = decks_taken:plus(crew)
      end
    end
  end
  return fit
end

-- Fighters alone do not raid.
local function with_bombers(side, to, mission)
  if mission == "battle" or led(side, to) then return nil end
  return function(wing) return wing:any { min_bombs = 1 }, no("no-bombers") end
end

-- The way has no steps where the enemy came to the carrier's own zone.
local function take_off(side, wing, path, to, mission)
  for _, unit in ipairs(wing) do
    unit.used = true
    unit.airborne = true
    unit.raiding = mission == "raid"
    unit.spent = unit.spent + #path
    move(unit, to)
  end
  overflight(side, wing, path)
end

procedure("fly", { rule = { "cmove.1", "cmove.3", "cmove.12", "sbr.2", "sbr.3", "sbr.4", "sbr.5", "amphib.7", "amphib.21", "unit-bmb.3", "unit-ftr.3", "unit-ftr.11", "cmove.5" } },
function(from, side)
  local able = ready_aircraft(side):filter { at = from }
  local to = plan_flight(side, from, able)
  local mission = ask(side, "fly.mission", { among = missions(side, able, to), to = to })
  local wing = pick_some(side, "fly.units", crews(side, able, to, mission), { from = from, to = to, mission = mission, test = with_bombers(side, to, mission) })
  for _, kind in ipairs(types_in(wing)) do
    local crew = wing:filter { type = kind }
    take_off(side, crew, choose_route(side, crew, to), to, mission)
  end
end)

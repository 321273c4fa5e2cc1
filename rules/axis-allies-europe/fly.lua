-- Aircraft in the combat move: where to, raid or battle, which way, how many. A landing must remain possible.

-- Aircraft that may take off: not those that came with a carrier that has moved.
local function ready_aircraft(side)
  local list = pieces { side = side, domain = "air", used = false, airborne = false, on_map = true }
  local stowed = pieces { side = side, type = "carrier", min_spent = 1, on_map = true }
  for _, carrier in ipairs(stowed) do list = list:minus(carrier.cargo) end
  return list
end

-- Spaces worth an air attack: enemy troops, enemy ships, or a complex to raid.
air_targets = query("air-targets", { rule = { "cmove.1", "sbr.1", "sea.1" } }, function(side)
  local troops = pieces { side = foes(side), domain = { "land", "air" }, min_hits = 1, on_map = true }:spaces()
  return troops:both(hostile_land(team(side))):plus(enemy_waters(side)):plus(raid_targets(side))
end)

raid_targets = query("raid-targets", { rule = { "sbr.1", "sbr.19" } }, function(side)
  return pieces { type = "complex", on_map = true }:spaces():both(hostile_land(team(side)))
end)

-- Targets from which land can be reached with what is left: out n steps, home within the rest.
local function round_trips(team, from, speed)
  local out
  for home = 1, speed do
    local reach = air_range(from, speed - home):both(home_range(team, home))
    out = out and out:plus(reach) or reach
  end
  return out
end

fly_targets = query("fly-targets", { rule = { "cmove.12", "unit-bmb.5", "unit-ftr.5", "unit-ftr.6" } }, function(side, from, kind)
  local speed = row(kind).speed
  local wanted = air_targets(side)
  if kind == "fighter" then wanted = wanted:minus(raid_targets(side):minus(escortable(side))) end
  local safe = wanted:both(round_trips(team(side), from, speed))
  if kind == "bomber" or #decks(side) == 0 then return safe end
  local risky = wanted:minus(safe):both(air_range(from, speed)):filter(function(to)
    return carrier_landings(side, to, speed - air_steps(from, to, speed), 1) > 0
  end)
  return safe:plus(risky)
end)

-- A complex that fighters may go to: with defenders to fight, or with our bombers to escort.
function escortable(side)
  return raid_targets(side):filter(function(space)
    return #garrison(side, space) > 0 or #pieces { at = space, side = side, raiding = true } > 0
  end)
end

fly_origins = query("fly-origins", { rule = "cmove.1" }, function(side)
  return ready_aircraft(side):spaces():filter(function(space) return #fly_types(side, space) > 0 end)
end)

fly_types = query("fly-types", { rule = "cmove.1" }, function(side, space)
  local types = {}
  for _, kind in ipairs(types_in(ready_aircraft(side):filter { at = space })) do
    if #fly_targets(side, space, kind) > 0 then types[#types + 1] = kind end
  end
  return types
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

procedure("fly", { rule = { "cmove.1", "cmove.3", "cmove.12", "sbr.2", "sbr.3", "sbr.4", "sbr.5", "amphib.7", "amphib.21", "unit-bmb.3", "unit-ftr.3", "unit-ftr.11" } },
function(from, side)
  local kind = ask(side, "fly.type", { among = fly_types(side, from), from = from })
  local to = ask(side, "fly.to", { among = fly_targets(side, from, kind), from = from, kind = kind })
  local mission = ask(side, "fly.mission", { among = missions(side, kind, to), to = to, kind = kind })
  local ready = ready_aircraft(side):filter { at = from, type = kind }
  local path = choose_route(side, ready[1], to)
  local rest, most = row(kind).speed - #path, #ready
  if not home_range(team(side), rest):has(to) then most = carrier_landings(side, to, rest, most) end
  local n = ask(side, "fly.count", { from = 1, to = most, kind = kind })
  local wing = ready:take(n)
  for _, unit in ipairs(wing) do
    unit.used = true
    unit.airborne = true
    unit.raiding = mission == "raid"
    unit.spent = #path
    unit.origin = path[#path - 1] or from
    move(unit, to)
  end
  overflight(side, wing, path)
end)

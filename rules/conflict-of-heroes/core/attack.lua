-- An attack on a hex: one roll for every unit and work in it (7.0 to 7.2, 7.7, 18.6).

-- Who is rolled against. Close combat spares one's own; fire from outside does not (7.6.3e, 7.6.3m, 7.7b).
-- Snipers never roll against their own side (10.3d).
function targets_of(a)
  if a.only then return nobody():plus { a.only } end
  if a.objects_only then return nobody() end
  if from_within(a) or a.kind == "fire" and a.leader.sniper then return enemies_in(a.target, a.side) end
  return units_in(a.target)
end

function from_within(a) return a.kind == "close" or a.kind == "weapon" and a.from == a.target end

function is_shelling(a)
  if a.kind == "barrage" or a.kind == "indirect" then return true end
  return a.kind == "fire" and a.leader ~= nil and a.leader.mortar
end

-- Works that can be destroyed: those that are occupied, wire, and mines under shells or in close combat by infantry. Whoever aims at
-- one unit only, an aircraft or a vehicle, rolls against nothing else.
function objects_of(a)
  if not in_force "works" or a.only then return nobody() end
  if a.leader and not a.red and not may_use_colour(a.leader, "red") then return nobody() end
  local objects = pieces { kind = "marker", at = a.target, not_dr = none }
  if a.kind == "close" then
    objects = objects:filter { side = foes(a.side) }
    if not is_infantry(a.leader) then objects = objects:filter { mines = none } end
    return objects
  end
  if not is_shelling(a) then objects = objects:filter { mines = none } end
  return objects
end

-- What protects the targets is settled before the first roll, for all are attacked at once (7.7b, 18.6b).
function brace(a, targets)
  a.group = a.group or { a.leader }
  a.forts, a.carriers, a.cargo = {}, {}, {}
  a.hulls = #hulls_of(a)
  a.smoke = a.from and smoke_on(a.from, a.target) or a.target.haze
  for _, unit in ipairs(targets) do
    a.forts[unit] = unit.shelter
    a.cargo[unit] = unit.carried
    a.carriers[unit] = unit.carried and unit.place.apc
  end
end

-- Vehicles that cover squads in the target hex (15.6a). Whoever fights inside the hex is not behind the enemy's vehicles (figure 29).
function hulls_of(a)
  local hulls = pieces { kind = "unit", at = a.target, vehicle = true }
  return from_within(a) and hulls:filter { side = foes(a.side) } or hulls
end

procedure("attack", { rule = { "meet.fire", "7.7b", "7.7d", "18.6b", "7.6.3m", "10.0h", "7.4f" } }, function(a)
  if a.leader then call("show-hit", a.leader, "fire_change", "red_change", "blue_change", "range_becomes") end
  if not a.boosted then call("add-firepower", a) end
  local targets, objects = targets_of(a), objects_of(a)
  brace(a, targets)
  for _, object in ipairs(objects) do call("attack-object", a, object) end
  for _, unit in ipairs(targets) do
    if unit.space == a.target then call("attack-unit", a, unit) end
  end
  if not targets:any() and may_conceal(a, objects) then call("attack-hidden", a) end
end)

-- A hex without a unit in it may hold hidden ones; where works are fired at, in scenarios that hide any (10.0h).
function may_conceal(a, objects)
  if objects:any() then return somebody_hides() and not a.objects_only end
  return true
end

-- The rating that is attacked: frontal if the fire comes through the target's own arc (7.2b and its exceptions).
function is_frontal(a, unit)
  if unit.lair then return not is_shelling(a) and not (a.leader and a.leader.sniper) end
  if a.kind == "close" or a.from == a.target or is_shelling(a) or a.cargo[unit] then return false end
  if a.leader and a.leader.sniper or a.card and a.card.flank_only then return false end
  return unit.facing ~= nil and in_cone(a.target, unit.facing, a.from)
end

function rating_colour(a, unit, frontal)
  if frontal then return unit.front_colour end
  local infantry_close = (a.kind == "close" or from_within(a) and option "weapon-open-top") and a.leader and is_infantry(a.leader)
  if unit.open_topped and (is_shelling(a) or infantry_close) then return "red" end
  return unit.flank_colour
end

-- Of a unit in hiding, shot at or shooting, no number is told: inside a query nothing is.
local function told(a, name, unit, how) return evaluate(name, a, unit, how) end
untold = query("untold", { rule = "10.0h" }, told)

procedure("attack-unit", { rule = { "7.0b", "7.0c", "7.0d", "7.1c", "7.2a", "7.7c", "15.1a", "overview.5", "15.4a", "16.2a" } }, function(a, unit)
  local frontal = is_frontal(a, unit)
  local colour = rating_colour(a, unit, frontal)
  if a.leader and not a.red and not may_use_colour(a.leader, colour) then return end
  call("show-hit", unit, frontal and "front_change" or "flank_change")
  local secret = unit.lair or a.leader and a.leader.lair
  local worth = secret and untold or told
  local dv = worth(a, "attack.dv", unit, frontal)
  local fp = worth(a, "attack.fp", unit, colour)
  local known = not unit.lair
  local av = fp + call("throw", a.side, "attack", value "dice", a.leader, known and dv - fp or nil, known and { target = unit, hex = a.target, fp = fp, dv = dv } or nil)
  if not secret then log(av < dv and "missed" or "struck", unit, av, dv) end
  if av < dv then return end
  a.struck = true
  if unit.lair then call("expose", unit.lair, unit.side) end
  call("suffer", unit, av >= dv + value "two-hits", a)
end)

procedure("attack-object", { rule = { "18.4f", "18.5g", "18.6a", "18.6b" } }, function(a, object)
  local worth = a.leader and a.leader.lair and untold or told
  local dv = worth(a, "object.dv", object)
  local fp = worth(a, "attack.fp", object, "red")
  if fp + call("throw", a.side, "attack", value "dice", a.leader) >= dv then call("raze", object) end
end)

procedure("raze", { rule = { "18.6a", "18.6b", "meet.works" } }, function(object)
  log("razed", object, object.space)
  for _, unit in ipairs(pieces { kind = "unit", shelter = object }) do unit.shelter = nil end
  remove(object)
end)

-- Fire at a hex that looks empty: rolled for in any case; only the weakest hidden unit counts (10.0f to 10.0h).
procedure("attack-hidden", { rule = { "10.0f", "10.0g", "10.0h" } }, function(a)
  local prey = weakest_hidden(a)
  if prey then return call("attack-unit", a, prey) end
  a.rolled = call("throw", a.side, "attack", value "dice", a.leader)
end)

-- Shells do not ask whose they fall on (12.1a).
function weakest_hidden(a)
  local field = is_shelling(a) and "flank" or "front"
  local prey
  for _, side in ipairs(is_shelling(a) and value "forces" or foes(a.side)) do
    for _, unit in ipairs(hidden_of(side)) do
      if unit.lair == a.target and (not prey or unit[field] < prey[field]) then prey = unit end
    end
  end
  return prey
end

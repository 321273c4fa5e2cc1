-- Fire actions (7.0, 7.6, 9.1.2, 15.5): at which hexes, by whom, at what cost.

function shots(act)
  local unit = act.unit
  return { unit = unit, act = act, from = unit.space, wide = all_round(unit, act), among = function() return enemy_hexes(act.side) end }
end

-- What keeps a weapon from a hex, each rule once: its field, and then, of a list of hexes, those that a rule leaves. The question
-- refuses the others by the name of the rule; the zone of fire is what all of them leave.

-- The field: the arc, or all round for turrets and trenches (`wide`), as far as the weapon shoots but not too near.
local function field_of(unit, from, wide)
  local reach = reach_of(unit)
  local field = wide and near(from, reach) or field_of_fire(from, unit.facing, reach)
  return unit.least_range and field:minus(too_near(unit, from)) or field
end

local function in_range(unit, from, target)
  local far = distance(from, target)
  return far <= reach_of(unit) and far >= (unit.least_range or 1)
end

-- What lies outside the field lies out of range or else outside the arc.
local function beyond(ask)
  local unit, from = ask.unit, ask.from
  return enemy_hexes(unit.side):minus(field_of(unit, from, ask.wide)):plus { from }:both(enemy_hexes(unit.side))
end

forbid_all("fire.at", "out-of-range", { rule = { "7.6.1b", "12.0e", "12.0f", "16.0b", "7.4-h.cowering" } }, function(ask)
  return beyond(ask):filter(function(target) return not in_range(ask.unit, ask.from, target) end), no("out-of-range", ask.unit)
end)

forbid_all("fire.at", "out-of-arc", { rule = { "6.1b", "7.0a", "15.5c" } }, function(ask)
  return beyond(ask):filter(function(target) return in_range(ask.unit, ask.from, target) end), no("outside-the-arc", ask.unit)
end)

---@type function[]
local bounds = {}

local function bound(id, rule, text, leaves)
  bounds[#bounds + 1] = leaves
  forbid_all("fire.at", id, { rule = rule }, function(ask)
    local unit = ask.unit
    local hexes = enemy_hexes(unit.side)
    return hexes:minus(leaves(unit, ask.from, hexes)), no(text, unit)
  end)
end

bound("barrel", { "11.5f", "11.5g" }, "barrel-too-high", function(unit, from, hexes)
  local low = too_low(unit, from)
  return low and hexes:minus(low) or hexes
end)

bound("unseen", { "6.0a", "7.0a", "7.6.3j", "18.2h" }, "no-line-of-sight", function(unit, _, hexes) return of_these(unit, hexes) end)

bound("gun-out", { "15.2-h.symbols", "15.2-h.gun" }, "no-gun-for-that", function(unit, from, hexes)
  local hit = burden(unit)
  if not (hit and (hit.no_red or hit.no_blue)) then return hexes end
  return hexes:filter(function(target) return #colours_met(unit, from, target) > 0 end)
end)

-- Enemy hexes in sight, range and arc.
fire_zone = query("fire-zone", { rule = { "7.6.3j", "6.0a", "6.1b", "7.0a", "7.6.1b", "11.5f", "11.5g", "12.0e", "12.0f", "15.5c", "16.0b", "7.4-h.cowering" } }, function(unit, wide)
  local from = unit.space
  local zone = enemy_hexes(unit.side):both(field_of(unit, from, wide))
  for _, leaves in ipairs(bounds) do
    if #zone == 0 then return zone end
    zone = leaves(unit, from, zone)
  end
  return zone
end)

-- Tanks and guns, on wheels or tracks, cannot lower their barrels into a gully beside them.
local LONG_BARREL = { tank = true, spg = true, gun = true }

function too_low(unit, hex) return LONG_BARREL[unit.class] and below(hex) or nil end

-- The hexes that a weapon covers, whoever sees them: its arc, or all round, as far as it shoots but not too near. A hidden unit
-- looks to all sides (10.0b).
function covered(act, range)
  local unit, hex = act.unit, hex_of(act.unit)
  local hexes = (not unit.facing or all_round(unit, act)) and near(hex, range) or field_of_fire(hex, unit.facing, range)
  return hexes:minus(too_near(unit, hex)):minus(too_low(unit, hex) or {})
end

-- Turrets fire outside the arc for 1 more, which opportunity actions and cards do not pay (15.5). By option men in a trench fire all round (18.2d).
function all_round(unit, act)
  if unit.shelter and unit.shelter.type == "trench" and option "trench-fire" then return true end
  return unit.turret and affords(act, fire_cost(unit) + value "turret") or false
end

function shot_cost(act, hex)
  local unit = act.unit
  local cost = fire_cost(unit)
  if unit.turret and unit.facing and hex ~= unit.space and not in_cone(unit.space, unit.facing, hex) then cost = cost + value "turret" end
  return cost
end

-- The gullies beside a hex, into which tanks and guns cannot lower their barrels (11.5f, 11.5g).
below = query("below", { rule = { "11.5f", "11.5g" } }, function(hex)
  if hex.height < 0 then return nowhere() end
  return neighbours(hex):filter { max_height = -1 }
end)

function fire_hexes(act)
  local unit = act.unit
  if not may_fire(unit) or unit.space.kind ~= "hex" or not affords(act, fire_cost(unit)) then return nowhere() end
  return fire_zone(unit, all_round(unit, act))
end

function deeds.fire(act) return fire_hexes(act):any() end

offer("action", "fire", { rule = { "7.0a", "7.7b" },
  when = function(side, act) return deeds.fire(act) end,
  run = "action.fire" })

procedure("action.fire", { rule = { "7.0a", "9.1.2b", "15.5a", "15.5b", "7.0e" } }, function(_, side, act)
  local unit = act.unit
  local hex = ask(side, "fire.at", shots(act))
  local cost = shot_cost(act, hex)
  call("fire-group", act, hex, supporters(act, hex, colours_met(unit, unit.space, hex)))
  call("pay", act, cost)
  log("fires", unit, unit.space, hex)
  call("attack", { side = side, kind = "fire", leader = unit, group = act.group, from = unit.space, target = hex })
end)

-- The colours of the ratings that fire at a hex meets, and for which the leader has a gun (7.1b, 15.1a).
function colours_met(leader, from, hex, kind)
  local a = { kind = kind or "fire", leader = leader, from = from, target = hex, cargo = {} }
  local met = {}
  for _, target in ipairs(enemies_in(hex, leader.side)) do
    a.cargo[target] = target.carried
    local colour = rating_colour(a, target, is_frontal(a, target))
    if may_use_colour(leader, colour) then met[#met + 1] = colour end
  end
  return met
end

-- Of some colours, those in which the leader may lead: with printed firepower above nothing (9.1.2c).
local function led(leader, colours)
  local list = {}
  for _, colour in ipairs(colours) do
    if leader[colour] > 0 then list[#list + 1] = colour end
  end
  return list
end

-- Supporters (9.1.2): beside the leader, with the target in arc, sight and normal range, and able to add to fire in one of the colours.
function supporters(act, hex, colours)
  local leader = act.unit
  local fit = led(leader, colours)
  if #fit == 0 or is_hidden(leader) then return nobody() end
  local beside = companions(act, units_of(act.side)):filter { at = near(leader.space, 1) }
  return beside:filter(function(unit) return supports(unit, fit) and aims_at(unit, hex) end)
end

-- Mortars have the sight of their spotting hexes as well (12.0b).
function aims_at(unit, hex)
  if distance(unit.space, hex) > range_of(unit) or too_near(unit, unit.space):has(hex) or not in_cone(unit.space, unit.facing, hex) then return false end
  return sees_into(unit, hex) or unit.indirect ~= nil and in_force "mortars" and not enemy_in(unit.space, unit.side) and spots_on(unit, hex):any()
end

function supports(unit, colours)
  if not may_fire(unit) then return false end
  local hit = burden(unit)
  if hit and (hit.red_change or hit.blue_change) then return false end
  for _, colour in ipairs(colours) do
    if unit[colour] > 0 and may_use_colour(unit, colour) then return true end
  end
end

procedure("fire-group", { rule = { "9.1.2a", "9.1.2c", "7.6.3i" } }, function(act, hex, beside)
  for _, unit in ipairs(choose(act.side, "fire.support", { act = act, unit = act.unit, hex = hex, among = beside, min = 0, max = #beside })) do enlist(act, unit) end
end)

-- Close combat (7.6.3): against every enemy in the hex, whatever the facing.
function deeds.assault(act)
  local unit = act.unit
  return enemy_in(unit.space, act.side) and may_fire(unit) and affords(act, fire_cost(unit)) and #colours_met(unit, unit.space, unit.space, "close") > 0
end

offer("action", "assault", { rule = { "7.6.3a", "7.6.3b", "7.6.3d" },
  when = function(side, act) return deeds.assault(act) end,
  run = "action.assault" })

-- Supporters in close combat: in the same hex only (7.6.3i).
function comrades(act, colours)
  local unit = act.unit
  local fit = led(unit, colours)
  if #fit == 0 or is_hidden(unit) then return nobody() end
  return companions(act, units_of(act.side)):filter { at = unit.space }:filter(function(other) return supports(other, fit) end)
end

procedure("action.assault", { rule = { "7.6.3b", "7.6.3e", "7.6.3f", "7.6.3i", "10.3d", "meet.close" } }, function(_, side, act)
  local unit = act.unit
  call("fire-group", act, unit.space, comrades(act, colours_met(unit, unit.space, unit.space, "close")))
  call("pay", act, fire_cost(unit))
  log("storms", unit, unit.space)
  call("attack", { side = side, kind = "close", leader = unit, group = act.group, from = unit.space, target = unit.space })
end)

-- Fire at what only stands in the way: wire, empty works, roadblocks, mines for mortars (18.4f, 18.5g, 18.6d).
object_hexes = query("object-hexes", { rule = { "18.4f", "18.6a", "18.6d" } }, function(side)
  return pieces { kind = "marker", side = foes(side), not_dr = none, on_map = true, mines = none }:spaces()
end)

minefields = query("minefields", { rule = { "18.5g", "18.6d" } }, function(side)
  return pieces { kind = "marker", side = foes(side), not_mines = none, on_map = true }:spaces()
end)

-- Mines are for mortars from afar and for infantry in the hex (18.5g).
function demolition_hexes(act)
  local unit, hex = act.unit, hex_of(act.unit)
  local objects, mines = object_hexes(act.side), minefields(act.side)
  if not objects:any() and not mines:any() or not may_fire(unit) or not may_use_colour(unit, "red") or not affords(act, fire_cost(unit)) then return nowhere() end
  local far = unit.mortar and objects:plus(mines) or objects
  far = far:minus(enemy_hexes(act.side)):minus(own_hexes(act.side)):both(covered(act, reach_of(unit)))
  local here = is_infantry(unit) and objects:plus(mines) or objects
  return of_these(unit, far):plus(here:both { hex })
end

function deeds.demolish(act) return in_force "works" and demolition_hexes(act):any() end

offer("action", "demolish", { rule = { "18.4f", "18.6d" },
  when = function(side, act) return deeds.demolish(act) end,
  run = "action.demolish" })

procedure("action.demolish", { rule = { "18.4f", "18.6d", "9.1.4a" } }, function(_, side, act)
  local unit = act.unit
  local hex = ask(side, "demolish.at", { among = demolition_hexes(act), unit = unit })
  local from = hex_of(unit)
  local kind = hex == from and "close" or "fire"
  call("fire-group", act, hex, kind == "close" and comrades(act, { "red" }) or supporters(act, hex, { "red" }))
  call("pay", act, kind == "close" and fire_cost(unit) or shot_cost(act, hex))
  call("attack", { side = side, kind = kind, leader = unit, group = act.group, from = from, target = hex, objects_only = kind == "close" })
end)

-- The flame tank: at one hex or in its own, and nothing but works gives cover.
function flame_hexes(act)
  local unit = act.unit
  if not may_fire(unit) or not affords(act, fire_cost(unit)) then return nowhere() end
  local hexes = enemy_hexes(act.side):both(near(unit.space, value "flame-tank".range))
  if enemy_in(unit.space, act.side) then return hexes:both { unit.space } end
  return hexes:both(cone(unit.space, unit.facing)):both(view_of(unit))
end

function deeds.flame(act) return act.unit.flame and flame_hexes(act):any() end

offer("action", "flame", { rule = "unit.de-pz3-flamm",
  when = function(side, act) return deeds.flame(act) end,
  run = "action.flame" })

procedure("action.flame", { rule = "unit.de-pz3-flamm" }, function(_, side, act)
  local unit = act.unit
  local hex = ask(side, "flame.at", { among = flame_hexes(act), unit = unit })
  call("pay", act, fire_cost(unit))
  local jet = value "flame-tank"
  call("attack", { side = side, kind = "weapon", leader = unit, from = unit.space, target = hex, red = jet.red, blue = jet.blue, burning = true })
end)

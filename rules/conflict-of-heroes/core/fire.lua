-- Fire actions (7.0, 7.6, 9.1.2, 15.5): at which hexes, by whom, at what cost.

function shots(act)
  local unit = act.unit
  return { unit = unit, act = act, from = unit.space, among = function() return enemy_hexes(act.side) end }
end

forbid_all("fire.at", "unseen", { rule = { "6.0a", "7.0a", "7.6.3j", "18.2h" } }, function(ask)
  local near_by = enemy_hexes(ask.unit.side):both(near(ask.from, reach_of(ask.unit)))
  return near_by:minus(of_these(ask.unit, near_by)), no("no-line-of-sight", ask.unit)
end)

forbid_all("fire.at", "out-of-arc", { rule = { "6.1b", "7.0a", "15.5c" } }, function(ask)
  if all_round(ask.unit, ask.act) then return {} end
  return enemy_hexes(ask.unit.side):minus(cone(ask.from, ask.unit.facing)), no("outside-the-arc", ask.unit)
end)

forbid_all("fire.at", "out-of-range", { rule = { "7.6.1b", "12.0f", "7.4-h.cowering" } }, function(ask)
  local unit = ask.unit
  local hexes = enemy_hexes(unit.side)
  return hexes:minus(near(ask.from, reach_of(unit))):plus(hexes:both(too_near(unit, ask.from)):minus { ask.from }), no("out-of-range", unit)
end)

-- Tanks and guns, on wheels or tracks, cannot lower their barrels into a gully beside them.
local LONG_BARREL = { tank = true, spg = true, gun = true }

forbid_all("fire.at", "barrel", { rule = { "11.5f", "11.5g" } }, function(ask)
  if not LONG_BARREL[ask.unit.class] then return {} end
  return below(ask.from), no("barrel-too-high")
end)

function level_shots(unit, hex, hexes)
  return LONG_BARREL[unit.class] and hexes:minus(below(hex)) or hexes
end

-- The hexes that a weapon covers, whoever sees them: its arc, or all round, as far as it shoots but not too near.
function covered(act, range)
  local unit, hex = act.unit, act.unit.space
  local hexes = all_round(unit, act) and near(hex, range) or field_of_fire(hex, unit.facing, range)
  return level_shots(unit, hex, hexes:minus(too_near(unit, hex)))
end

-- Turrets fire outside the arc for 1 more, which opportunity actions and cards do not pay (15.5). By option men in a trench fire all round (18.2d).
function all_round(unit, act)
  if unit.shelter and unit.shelter.type == "trench" and option "trench-fire" then return true end
  return unit.turret and affords(act, fire_cost(unit) + value "turret") or false
end

function shot_cost(act, hex)
  local unit = act.unit
  local cost = fire_cost(unit)
  if unit.turret and not in_cone(unit.space, unit.facing, hex) then cost = cost + value "turret" end
  return cost
end

-- Enemy hexes in sight, range and arc; `wide` for turrets and trenches.
fire_zone = query("fire-zone", { rule = { "7.6.3j", "6.0a", "6.1b", "7.0a", "7.6.1b", "11.5f", "11.5g", "12.0e", "12.0f", "15.5c", "16.0b", "7.4-h.cowering" } }, function(unit, wide)
  local hex, reach = unit.space, reach_of(unit)
  local list = enemy_hexes(unit.side):both(wide and near(hex, reach) or field_of_fire(hex, unit.facing, reach))
  if not list:any() then return list end
  if unit.least_range then list = list:minus(too_near(unit, hex)) end
  return looked_at(unit, hex, level_shots(unit, hex, list))
end)

-- The gullies beside a hex, into which tanks and guns cannot lower their barrels (11.5f, 11.5g).
below = query("below", { rule = { "11.5f", "11.5g" } }, function(hex)
  if hex.height < 0 then return nowhere() end
  return neighbours(hex):filter { max_height = -1 }
end)

function fire_hexes(act)
  local unit = act.unit
  local hex = unit.space
  if not may_fire(unit) or hex.kind ~= "hex" or not affords(act, fire_cost(unit)) or enemy_in(hex, act.side) then return nowhere() end
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
  call("fire-group", act, hex, supporters(act, hex))
  call("pay", act, cost)
  log("fires", unit, unit.space, hex)
  call("attack", { side = side, kind = "fire", leader = unit, group = act.group, from = unit.space, target = hex })
end)

-- Supporters (9.1.2): beside the leader, with the target in arc, sight and normal range, and able to add to it.
function supporters(act, hex)
  local leader = act.unit
  local beside = companions(act, units_of(act.side)):filter { at = near(leader.space, 1) }
  return beside:filter(function(unit)
    return supports(unit, hex) and sees_into(unit, hex) and distance(unit.space, hex) <= range_of(unit)
      and not too_near(unit, unit.space):has(hex) and in_cone(unit.space, unit.facing, hex)
  end)
end

function supports(unit, hex)
  if not may_fire(unit) then return false end
  local hit = burden(unit)
  if hit and (hit.red_change or hit.blue_change) then return false end
  for _, target in ipairs(units_in(hex)) do
    if hostile(target.side, unit.side) and unit[target.flank_colour] > 0 then return true end
  end
end

procedure("fire-group", { rule = { "9.1.2a", "9.1.2c", "7.6.3i" } }, function(act, hex, beside)
  local chosen = choose(act.side, "fire.support", { act = act, among = beside, min = 0, max = #beside })
  for _, unit in ipairs(chosen) do
    act.group[#act.group + 1] = unit
    if act.how == "ap" and unit.status == "ready" then unit.status = "active" end
  end
end)

-- Close combat (7.6.3): against every enemy in the hex, whatever the facing.
function deeds.assault(act)
  local unit = act.unit
  return enemy_in(unit.space, act.side) and may_fire(unit) and affords(act, fire_cost(unit))
end

offer("action", "assault", { rule = { "7.6.3a", "7.6.3b", "7.6.3d" },
  when = function(side, act) return deeds.assault(act) end,
  run = "action.assault" })

procedure("action.assault", { rule = { "7.6.3b", "7.6.3e", "7.6.3f", "7.6.3i", "10.3d" } }, function(_, side, act)
  local unit = act.unit
  local beside = companions(act, units_of(side)):filter { at = unit.space }:filter(function(other) return supports(other, unit.space) end)
  call("fire-group", act, unit.space, beside)
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
  local unit, hex = act.unit, act.unit.space
  local objects, mines = object_hexes(act.side), minefields(act.side)
  if not objects:any() and not mines:any() or not may_fire(unit) or not affords(act, fire_cost(unit)) then return nowhere() end
  local far = unit.mortar and objects:plus(mines) or objects
  far = far:minus(enemy_hexes(act.side)):minus(own_hexes(act.side)):both(covered(act, reach_of(unit)))
  local here = is_infantry(unit) and objects:plus(mines) or objects
  return of_these(unit, far):plus(here:both { hex })
end

function deeds.demolish(act) return in_force "works" and demolition_hexes(act):any() end

offer("action", "demolish", { rule = { "18.4f", "18.6d" },
  when = function(side, act) return deeds.demolish(act) end,
  run = "action.demolish" })

procedure("action.demolish", { rule = { "18.4f", "18.6d" } }, function(_, side, act)
  local unit = act.unit
  local hex = ask(side, "demolish.at", { among = demolition_hexes(act), unit = unit })
  local kind = hex == unit.space and "close" or "fire"
  call("pay", act, kind == "close" and fire_cost(unit) or shot_cost(act, hex))
  call("attack", { side = side, kind = kind, leader = unit, group = act.group, from = unit.space, target = hex, objects_only = kind == "close" })
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

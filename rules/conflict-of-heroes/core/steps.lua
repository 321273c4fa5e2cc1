-- What one step from hex to hex costs, by way of moving (5.0, 11.0, 14.0). Nil where the step is not allowed.

-- The part that never changes in play: terrain, roads, slopes, gullies.
ground_cost = query("ground-cost", { rule = { "5.0b", "5.0c", "5.0d", "11.0c", "11.1a", "11.1b", "11.5b", "11.5d", "11.5i", "14.0a", "14.0g", "14.0h", "4.0e", "5.0a", "5.0e", "11.0a", "11.5a", "11.5c" } },
function(mode, from, to)
  local by_road = linked("road", from, to)
  local cost = by_road and 0 or value(mode)[to.terrain]
  if not cost then return end
  local vehicle = mode == "tracked" or mode == "wheeled"
  local sides = border(from, to)
  if #sides > 0 then
    if sides:has "gully-bank" then
      if mode ~= "foot" then return end
      return cost + value "bank"
    end
    if sides:has "gully-slope" then return cost end
    if sides:has "small-gully" and vehicle and not by_road then return end
  end
  local rise = to.height - from.height
  if rise >= value "steep-levels" and vehicle then return end
  return cost + math.max(0, rise) * value "climb"
end)

-- Hexes that wheels never enter (18.2c, 18.4d, 14.0-t.roadblock).
wheel_traps = query("wheel-traps", { rule = { "18.2c", "18.4d", "14.0-t.roadblock", "14.0-t.wire" } }, function()
  return marked("wire"):plus(marked("trench")):plus(marked("roadblock"))
end)

-- The table gives tracks no bonus where wire or a roadblock lies (14.0-t.wire, 14.0-t.roadblock).
obstructed = query("obstructed", { rule = { "14.0-t.wire", "14.0-t.roadblock" } }, function()
  return in_force "works" and marked("wire"):plus(marked("roadblock")) or nowhere()
end)

-- The whole cost for a unit, as a function of the hex it steps into; `bonus` hexes of a vehicle's move cost only what the ground adds (14.0b, 14.0c).
function cost_from(unit, from, bonus)
  local mode, facing, vehicle = unit.mode, unit.facing, unit.vehicle
  local base = bonus and 0 or move_cost(unit)
  return function(to)
    local cost = ground_cost(mode, from, to)
    if not cost then return end
    cost = cost + base
    if not bonus and not in_cone(from, facing, to) and not withdraws(unit) then cost = cost + value "backward" end
    if not vehicle then return cost end
    if mode == "wheeled" then
      if wheel_traps():has(to) then return end
      if to.road then cost = cost + value "congestion" * #pieces { kind = "unit", at = to, vehicle = true, carried = false } end
    elseif in_force "works" and marked("wire"):has(to) then
      cost = cost + option "wire-tracked-ap"
    end
    return cost
  end
end

function step_cost(unit, from, to, bonus) return cost_from(unit, from, bonus)(to) end

function backward(unit, from, to)
  return not in_cone(from, unit.facing, to)
end

-- Strategic Withdrawal frees a unit from the cost of backing and from the limits of a retreat.
withdraws = query("withdraws", { rule = "card.v09" }, function(unit) return veteran(unit.side, "v09", unit) ~= nil end)

-- Hexes whose cost is rolled for: wire on foot, roadblocks for tracks (18.4a, 14.0-t.roadblock).
function rolls_for(unit, hex)
  if not in_force "works" then return false end
  if unit.mode == "tracked" then return marked("roadblock"):has(hex) end
  return not unit.vehicle and marked("wire"):has(hex)
end

-- The hexes that a retreating defender may not use in his first action (7.6.3l): where an enemy who is still there came from,
-- and beside it. `barred` has a bit for each side of the hex.
function barred_hexes(unit)
  if unit.barred == 0 then return nowhere() end
  local hex, barred = unit.space, nowhere()
  if withdraws(unit) or not enemy_in(hex, unit.side) then return barred end
  for way = 0, value "facings" - 1 do
    if unit.barred & 1 << way ~= 0 then barred = barred:plus(neighbours(hex):both(cone(hex, way))) end
  end
  return barred
end

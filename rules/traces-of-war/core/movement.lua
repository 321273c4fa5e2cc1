-- 9. Movement: who moves, how far, and the two kinds of movement.

procedure("movement", { rule = { "9.0a", "9.0b", "9.0d", "4.3e" } }, function()
  return menu(game.active, "movement", { none = "done" })
end)

-- Active units that have not moved yet.
movable = query("movable", { rule = { "9.0a", "9.0b" } }, function(side)
  return pieces { side = side, active = true, moved = false, kind = "unit", on_map = true }
end)

-- An Isolated unit has half its allowance, rounded down to whole points.
allowance = number("allowance", { rule = { "2.2g", "8.2c" }, stages = { "printed", "supply" } }, function(n, unit)
  n:add(unit.mp)
end)
modify("allowance", "isolated-movement", { rule = { "8.2e", "1.3a" }, stage = "supply" }, function(n, unit)
  n:divide_down(lookup("supply", unit.supply, "mp"))
end)

-- Searches count in half points, because roads can cost half a point (9.2a).
local function half_points(mp) return mp * value "half-points".per_mp end

forbid_all("move.to", "full-hex", { rule = { "5.0a", "5.0c", "5.0d", "5.0g", "9.0c", "2.3b" } }, function(ask)
  return crowded_for(ask.unit), no("stacking")
end)

local function ask_where(unit, hexes, mp)
  local to = ask(unit.side, "move.to", { among = hexes, unit = unit, mp = mp, none = "stay" })
  unit.moved = true
  return to
end

-- Along the chosen way to the hex before the last, or to the last.
local function go(unit, route, points)
  for _, path in ipairs(choose_way(unit, route, points)) do walk(unit, path) end
end

-- 9.1 Normal Movement: a march over firm ground, a march that ends in a swamp, or the crossing of a great river.

-- Swamp that only a railway enters is not firm ground (9.3h); swamp without either is closed by its terrain.
local railway_swamps = query("railway-swamps", { rule = { "9.3e", "9.3h" } }, function()
  return spaces { terrain = "swamp", railway = true }:minus(road_hexes())
end)

local no_march = query("no-march", { rule = { "5.0f", "9.3e" } }, function(side) return standing(enemy(side)):plus(railway_swamps()) end)

local function over_ground(side)
  return function(from, points, shut)
    local foes, zone = no_march(side), ezoc(side)
    return reach {
      profile = ground_profile(), from = from, points = points, blocked = shut and foes:plus(shut) or foes,
      enter = { { zone, value "zoc-cost".enter } }, leave = { { zone, value "zoc-cost".leave } }, barrier = closed_bridges(side),
    }
  end
end

offer("movement", "march", { rule = { "9.0d", "9.1a" }, among = movable, run = "normal-movement" })

procedure("normal-movement", { rule = {
  "2.3c", "5.0b", "9.0e", "9.1a", "9.1b", "9.1c", "9.1d", "9.1f", "9.1g", "9.3a", "9.3b", "9.3c", "9.3d",
} }, function(unit)
  local mp = evaluate("allowance", unit)
  local points, search = half_points(mp), over_ground(unit.side)
  local range = search(unit.space, points)
  local reached, swamps, banks = range.spaces, wading_places(unit, range, points), fords(unit)
  local open = swamps and reached:plus(swamps.hexes) or reached
  if #banks > 0 then open = open:plus(banks) end
  local to = ask_where(unit, open, mp)
  if not to then return end
  local route = { search = search, step = value "half-points".per_mp, to = to, range = range, reached = reached }
  if reached:has(to) then
    march(unit, route, points)
  elseif swamps and swamps.hexes:has(to) then
    wade(unit, route, points, swamps.from[to.id])
  else
    ford(unit, to)
  end
end)

march = procedure("march-to", { rule = { "9.1a", "9.1b" } }, function(unit, route, points)
  route.ends = { { hex = route.to, cost = 0 } }
  go(unit, route, points)
end)

-- Unbridged major rivers: the first step and the whole move, never from EZOC to EZOC.
function fords(unit)
  local side, here = unit.side, unit.space
  local beyond = far_banks(here)
  if #beyond > 0 then beyond = beyond:minus(standing(enemy(side))) end
  return ezoc(side):has(here) and beyond:minus(ezoc(side)) or beyond
end

ford = procedure("ford-river", { rule = "9.1e" }, function(unit, to) arrive(unit, to) end)

wade = procedure("wade-into-swamp", { rule = { "9.3e", "9.3f", "9.3g" } }, function(unit, route, points, from)
  route.ends = from
  go(unit, route, points)
  arrive(unit, route.to)
end)

-- 9.2 Strategic Movement: along roads only, clear of the enemy from start to end.
free_roads = query("free-roads", { rule = { "9.2b", "9.2c" } }, function(side)
  return road_hexes():minus(ezoc(side))
end)

offer("movement", "drive", { rule = { "9.2a", "9.2b", "9.2c" }, run = "strategic-movement", among = function(side)
  return movable(side):filter { at = free_roads(side) }
end })

procedure("strategic-movement", { rule = { "9.2a", "9.2b", "9.2c" } }, function(unit)
  local mp, barred = evaluate("allowance", unit), standing(enemy(unit.side)):plus(ezoc(unit.side))
  local function search(from, points, shut)
    return reach { profile = "strategic", from = from, points = points, blocked = shut and barred:plus(shut) or barred }
  end
  local points = half_points(mp)
  local range = search(unit.space, points)
  local reached = range.spaces
  local to = ask_where(unit, reached, mp)
  if not to then return end
  local route = { search = search, step = value "half-points".per_road, to = to, range = range, reached = reached }
  march(unit, route, points)
end)

-- 9. Movement. A unit moves in one or more legs; each leg is a choice of hex within its remaining points.

procedure("movement", { rule = { "9.0a", "9.0b", "9.0d", "4.3e" } }, function()
  return menu(game.active, "movement", { none = "done" })
end)

-- Active units that have not moved yet.
movable = query("movable", { rule = { "9.0a", "9.0b" } }, function(side)
  return pieces { side = side, active = true, moved = false, kind = "unit", on_map = true }
end)

offer("movement", "march", { rule = { "9.0d", "9.1a" }, among = movable, run = "normal-movement" })

-- Half MP. An Isolated unit has half its allowance, rounded down to whole points.
allowance = number("allowance", { rule = { "2.2g", "8.2c" }, stages = { "printed", "supply", "halves" } }, function(n, unit)
  n:add(unit.mp)
end)
modify("allowance", "isolated-movement", { rule = { "8.2e", "1.3a" }, stage = "supply" }, function(n, unit)
  n:divide_down(lookup("supply", unit.supply, "mp"))
end)
modify("allowance", "half-points", { rule = "9.2a", stage = "halves" }, function(n)
  n:times(value "half-points".per_mp, 1)
end)

-- Normal Movement over firm ground.
local function firm_ground(unit, points)
  local zone = ezoc(unit.side)
  return reach {
    profile = ground_profile(), from = unit.space, points = points, blocked = standing(enemy(unit.side)),
    enter = { { zone, value "zoc-cost".enter } }, leave = { { zone, value "zoc-cost".leave } },
    barrier = closed_bridges(unit.side),
  }
end

forbid_all("move.to", "full-hex", { rule = { "5.0a", "5.0c", "5.0d", "5.0g", "9.0c", "2.3b" } }, function(ask)
  return crowded_for(ask.unit), no("stacking")
end)

-- Unbridged major rivers: the first step and the whole move, never from EZOC to EZOC.
local function fords(unit)
  local side, here = unit.side, unit.space
  local beyond = far_banks(here)
  if #beyond == 0 then return beyond end
  beyond = beyond:minus(standing(enemy(side)))
  return ezoc(side):has(here) and beyond:minus(ezoc(side)) or beyond
end

procedure("normal-movement", { rule = {
  "2.3c", "5.0b", "9.0e", "9.1a", "9.1b", "9.1c", "9.1d", "9.1e", "9.1f", "9.1g",
  "9.3a", "9.3b", "9.3c", "9.3d", "9.3f", "9.3g", "9.3h",
} }, function(unit)
  local start, points = unit.space, evaluate("allowance", unit)
  local ford = fords(unit)
  while points > 0 do
    local range = firm_ground(unit, points)
    local firm, marsh = range.spaces, #swamps_near(start) > 0 and marsh_entries(unit, start, range, points)
    local open = marsh and firm:plus(marsh.spaces) or firm
    if #ford > 0 then open = open:plus(ford) end
    local to = ask(unit.side, "move.to", { among = open, unit = unit, none = unit.moved and "halt" or "stay" })
    unit.moved = true
    if not to then return end
    if not firm:has(to) then
      if marsh and marsh.spaces:has(to) then walk(unit, range:path(marsh.via[to.id])) end
      return arrive(unit, to)
    end
    points, ford = points - range:cost(to), nowhere()
    walk(unit, range:path(to))
  end
end)

-- 9.2 Strategic Movement: along roads only, clear of the enemy from start to end.
free_roads = query("free-roads", { rule = { "9.2b", "9.2c" } }, function(side)
  return road_hexes():minus(ezoc(side))
end)

offer("movement", "drive", { rule = { "9.2a", "9.2b", "9.2c" }, run = "strategic-movement", among = function(side)
  return movable(side):filter { at = free_roads(side) }
end })

procedure("strategic-movement", { rule = { "9.2a", "9.2b", "9.2c" } }, function(unit)
  local points = evaluate("allowance", unit)
  local shut = standing(enemy(unit.side)):plus(ezoc(unit.side))
  while points > 0 do
    local range = reach { profile = "strategic", from = unit.space, points = points, blocked = shut }
    local to = ask(unit.side, "move.to", { among = range.spaces, unit = unit, none = unit.moved and "halt" or "stay" })
    unit.moved = true
    if not to then return end
    points = points - range:cost(to)
    walk(unit, range:path(to))
  end
end)

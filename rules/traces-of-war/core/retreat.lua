-- 10.4 Retreat: fewest EZOC hexes; then towards supply; then within stacking; then the owner's choice.

procedure("fight.retreat", { rule = { "10.4a", "10.4b", "10.4c" } }, function(fight)
  local length = fight.retreat
  if length == 0 then return end
  local units = defenders(fight)
  while #units > 0 do
    local unit = ask(fight.defender, "retreat.unit", { among = units, target = fight.target, hexes = length })
    retreat(unit, length)
    units = units:minus { unit }:filter { on_map = true, at = fight.target }
  end
end)

retreat = procedure("retreat", { rule = { "10.4a", "10.4i", "10.4m", "10.4n-x", "10.4b" } }, function(unit, length)
  local began = unit.space
  local visited = nowhere():plus { began }
  repeat
    local path = choose_path(unit, length, visited, began)
    if not path then return eliminate(unit) end
    fall_back(unit, path)
    visited = visited:plus { unit.space }
    length = 1
  until not overstacked(unit)
  if unit.hq then part_headquarters(unit) end
end)

-- HQs that end beside another HQ are relocated instead (5.0e).
function overstacked(unit)
  return not unit.hq and overfull("units", unit.side):has(unit.space)
end

-- One extra step for each EZOC hex on the way, as long as the unit survives.
fall_back = procedure("fall-back", { rule = { "10.4e", "8.1h" } }, function(unit, path)
  for i, hex in ipairs(path) do
    if i > 1 then
      arrive(unit, hex)
      if ezoc(unit.side):has(hex) then lose_step(unit) end
      if unit.space ~= hex then return end
    end
  end
end)

-- Distance to the nearest friendly source.
to_source = query("to-source", { rule = "10.4f" }, function(side, hex)
  local least
  for _, source in ipairs(supply_sources(side)) do
    local far = distance(hex, source)
    if not least or far < least then least = far end
  end
  return least or 0
end)

-- Unbridged major rivers only from the hex where the retreat began, and not from EZOC to EZOC. Bridges are closed by `barriers`.
local function drowns(zone, path, began)
  for i = 2, #path do
    local from, to = path[i - 1], path[i]
    if far_banks(from):has(to) and (from ~= began or zone:has(from) and zone:has(to)) then return true end
  end
end

local function enemy_zones(zone, path)
  local count = 0
  for i = 2, #path do
    if zone:has(path[i]) then count = count + 1 end
  end
  return count
end

local function strays(side, path)
  for i = 2, #path do
    if to_source(side, path[i]) >= to_source(side, path[i - 1]) then return true end
  end
end

local function flag(yes) return yes and 1 or 0 end

-- The best paths of this length; none if the unit cannot retreat at all.
function retreat_paths(unit, length, visited, began)
  local side = unit.side
  local zone, packed = ezoc(side), crowded_for(unit)
  local found = paths {
    from = unit.space, length = length, blocked = standing(enemy(side)):plus(visited), barrier = barriers(side, "blocked"),
    rank = function(path)
      return { flag(drowns(zone, path, began)), enemy_zones(zone, path), flag(strays(side, path)), flag(packed:has(path[#path])) }
    end,
  }
  if #found == 0 or drowns(zone, found[1].path, began) then return {} end
  return found
end

-- The owner names the last hex and, if several ways lead there, the first one.
choose_path = procedure("choose-path", {
  rule = { "10.4d", "10.4f", "10.4g", "10.4h", "10.4j", "10.4k", "10.4l" },
}, function(unit, length, visited, began)
  local found = retreat_paths(unit, length, visited, began)
  if #found == 0 then return nil end
  local ends, ways = nowhere(), nowhere()
  for _, way in ipairs(found) do ends = ends:plus { way.space } end
  local to = ask(unit.side, "retreat.to", { among = ends, unit = unit })
  for _, way in ipairs(found) do
    if way.space == to then ways = ways:plus { way.path[2] } end
  end
  local via = ask(unit.side, "retreat.via", { among = ways, unit = unit })
  for _, way in ipairs(found) do
    if way.space == to and way.path[2] == via then return way.path end
  end
end)

-- 9.3 Swamp off the road: only for a unit that began its move next to it, which must stop there; never from EZOC to EZOC.
-- Swamp entered along a road is firm ground and needs none of this.

swamps_near = query("swamps-near", { rule = "9.3e" }, function(hex)
  return neighbours(hex):filter { terrain = "swamp" }
end)

-- The half MP of a step into a swamp, or nil if it is forbidden.
local function wading_cost(side, from, to)
  local features = border(from, to)
  if features:has "blocked" or features:has "major-river" or linked("road", from, to) then return nil end
  local zone, cost = ezoc(side), value "marsh-cost".enter
  local leaving, entering = zone:has(from), zone:has(to)
  if leaving and entering then return nil end
  if features:has "minor-river" then cost = cost + value "marsh-cost".river end
  if leaving then cost = cost + value "zoc-cost".leave end
  if entering then cost = cost + value "zoc-cost".enter end
  return cost
end

-- The cheapest hex from which the swamp can be entered with these points.
local function best_way_in(unit, hex, range, points)
  local best, least
  for _, from in ipairs(neighbours(hex)) do
    local walked, step = range:cost(from), wading_cost(unit.side, from, hex)
    if walked and step and walked + step <= (least or points) and not (least and walked + step == least) then
      best, least = from, walked + step
    end
  end
  return best
end

-- Swamps that can be entered now: their hexes, and for each the hex before it.
function marsh_entries(unit, start, range, points)
  local entries = { spaces = nowhere(), via = {} }
  for _, hex in ipairs(swamps_near(start)) do
    local free = hex ~= unit.space and not standing(enemy(unit.side)):has(hex)
    local from = free and best_way_in(unit, hex, range, points)
    if from then
      entries.spaces = entries.spaces:plus { hex }
      entries.via[hex.id] = from
    end
  end
  return entries
end

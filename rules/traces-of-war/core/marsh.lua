-- 9.3 Swamp off the road: only for a unit that began its move next to it, which must stop there; never from EZOC to EZOC.
-- Swamp entered along a road is firm ground and needs none of this.

swamps_near = query("swamps-near", { rule = "9.3e" }, function(hex)
  return neighbours(hex):filter { terrain = "swamp" }
end)

-- The half MP of a step into a swamp, or nil if it is forbidden or costs more than there are.
local function wading_cost(side, from, to, points)
  local zone = ezoc(side)
  if linked("road", from, to) or zone:has(from) and zone:has(to) then return nil end
  local step = reach {
    profile = "wading", from = from, points = points, blocked = standing(enemy(side)), steps = 1,
    enter = { { zone, value "zoc-cost".enter } }, leave = { { zone, value "zoc-cost".leave } },
  }
  return step:cost(to)
end

-- The hexes from which a swamp can be entered with these points, and what that last step costs.
local function ways_in(unit, hex, range, points)
  local ways = {}
  for _, from in ipairs(neighbours(hex)) do
    local walked = range:cost(from)
    local step = walked and wading_cost(unit.side, from, hex, points - walked)
    if step then ways[#ways + 1] = { hex = from, cost = step } end
  end
  return ways
end

-- Swamps that this unit can enter now: their hexes, and for each the ways in. Nil if there are none near.
function wading_places(unit, range, points)
  local near = swamps_near(unit.space)
  if #near == 0 then return nil end
  local places = { hexes = nowhere(), from = {} }
  for _, hex in ipairs(near) do
    local ways = ways_in(unit, hex, range, points)
    if #ways > 0 then
      places.hexes = places.hexes:plus { hex }
      places.from[hex.id] = ways
    end
  end
  return places
end

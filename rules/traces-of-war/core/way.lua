-- The way of a march: the hex where it ends is named first; then, if ways differ in what they take, what is taken on the way. Nothing has
-- moved by then. A `route` says how one searches: `search(from, points, shut)` gives a reach, `step` is the least that a hex costs,
-- `range` is the reach of the whole march and `reached` its hexes, `to` the one where the march ends, `ends` the hexes from which it is entered with what that last step costs.

-- A prize is what a side can take in passing: an enemy city, the Bridgehead, a Crossing Point that nobody guards. `prize_hexes` are all
-- hexes by which one is taken, `prizes_at` those that are taken in a hex, `ways_to_take` the hexes by which one prize is taken.
local free_crossings = query("free-crossings", { rule = { "12.3e", "12.3f", "12.3g" } }, function() return open_crossings():minus(standing "axis") end)

local prize_hexes = query("prize-hexes", { rule = { "8.1h", "11.1i", "12.3e", "12.3f", "12.3g" } }, function(side)
  local hexes = cities_of(enemy(side))
  if side == "axis" then return hexes:plus(bridgehead_hex()) end
  for _, crossing in ipairs(free_crossings()) do hexes = hexes:plus(approaches(crossing)) end
  return hexes
end)

local function prizes_at(side, hex)
  local prizes = nowhere()
  if hex.city and hex.control ~= side or side == "axis" and bridgehead_hex():has(hex) then prizes = prizes:plus { hex } end
  if side == "soviet" then prizes = prizes:plus(free_crossings():filter(function(crossing) return approaches(crossing):has(hex) end)) end
  return prizes
end

local function ways_to_take(side, prize)
  if side == "soviet" and prize.crossing then return approaches(prize) end
  return within(prize, 0)
end

-- The cheapest last leg.
local function last_leg(route, range, points)
  local best, least
  for _, finish in ipairs(route.ends) do
    local walked = range:cost(finish.hex)
    local cost = walked and walked + finish.cost
    if cost and cost <= points and (not least or cost < least) then best, least = finish.hex, cost end
  end
  if best then return { range:path(best) }, least end
end

local function without(stops, i)
  local others = {}
  for k, stop in ipairs(stops) do
    if k ~= i then others[#others + 1] = stop end
  end
  return others
end

-- The cheapest way by one hex of each of these stops, in any order, as a list of paths; nil if the points do not suffice. What can be
-- reached from a hex is searched for once, whatever comes before it.
local function way_by(route, start, points, stops, shut)
  local ranges = {}
  if #shut == 0 then ranges[start.id] = route.range end
  local function range_from(hex)
    ranges[hex.id] = ranges[hex.id] or route.search(hex, points, shut)
    return ranges[hex.id]
  end
  local function onward(from, left, open)
    local range = range_from(from)
    if #open == 0 then return last_leg(route, range, left) end
    local best, least
    for i, stop in ipairs(open) do
      local others = without(open, i)
      for _, hex in ipairs(stop) do
        local walked = range:cost(hex)
        local rest, cost
        if walked and walked <= left then rest, cost = onward(hex, left - walked, others) end
        if rest and (not least or walked + cost < least) then
          table.insert(rest, 1, range:path(hex))
          best, least = rest, walked + cost
        end
      end
    end
    return best, least
  end
  return onward(start, points, stops)
end

-- Prizes near enough to be taken on the way.
local function candidates(route, side, points)
  local near = nowhere()
  for _, hex in ipairs(prize_hexes(side):both(route.reached)) do
    if route.range:cost(hex) + route.step * distance(hex, route.to) <= points then near = near:plus(prizes_at(side, hex)) end
  end
  return near
end

-- The hexes by which each of these prizes is taken.
local function stops(side, prizes)
  local list = {}
  for _, prize in ipairs(prizes) do list[#list + 1] = ways_to_take(side, prize) end
  return list
end

local function all_of(lists)
  local hexes = nowhere()
  for _, list in ipairs(lists) do hexes = hexes:plus(list) end
  return hexes
end

-- The way that takes what is wanted and, if it can be helped, nothing else of what lies near.
local function way_taking(route, unit, points, near, wanted)
  local by = stops(unit.side, wanted)
  local shut = all_of(stops(unit.side, near:minus(wanted))):minus(all_of(by))
  return way_by(route, unit.space, points, by, shut) or way_by(route, unit.space, points, by, nowhere())
end

-- What is taken where the march begins or ends is no question of the way.
choose_way = procedure("choose-way", { rule = { "8.1h", "9.1a", "12.3f" } }, function(unit, route, points)
  local side, start = unit.side, unit.space
  local near = candidates(route, side, points):filter(function(prize)
    local by = ways_to_take(side, prize)
    return not by:has(route.to) and not by:has(start) and way_by(route, start, points, { by }, nowhere()) ~= nil
  end)
  if #near == 0 then return last_leg(route, route.range, points) end
  local function can_avoid(prize) return way_by(route, start, points, {}, ways_to_take(side, prize)) ~= nil end
  local wanted = choose(side, "move.way", {
    among = near:filter(can_avoid), unit = unit, to = route.to,
    test = function(list) return way_taking(route, unit, points, near, list) ~= nil, no("too-far", route.to) end,
  })
  return way_taking(route, unit, points, near, wanted)
end)

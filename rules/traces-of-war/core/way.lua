-- The way of a march: the hex where it ends is named first; then, if ways differ in what they take, what is taken on the way. Nothing has
-- moved by then. A `route` says how one searches: `search(from, points, shut)` gives a reach, `step` is the least that a hex costs,
-- `to` the hex where the march ends, `ends` the hexes from which it is entered with what that last step costs.

-- What a side can take in passing: `hexes` are all hexes by which something is taken, `by` gives for each prize the hexes by which
-- it is taken, `at` for each such hex the prizes. A prize is a city, the Bridgehead or a Crossing Point.
prizes = query("prizes", { rule = { "8.1h", "11.1i", "12.3e", "12.3f", "12.3g" } }, function(side)
  local found = { hexes = nowhere(), by = {}, at = {} }
  local function add(prize, hexes)
    found.hexes, found.by[prize.id] = found.hexes:plus(hexes), hexes
    for _, hex in ipairs(hexes) do
      local here = found.at[hex.id] or nowhere()
      found.at[hex.id] = here:plus { prize }
    end
  end
  for _, city in ipairs(cities_of(enemy(side))) do add(city, within(city, 0)) end
  if side == "axis" then
    for _, hex in ipairs(bridgehead_hex()) do add(hex, within(hex, 0)) end
  else
    for _, hex in ipairs(open_crossings():minus(standing "axis")) do add(hex, approaches(hex)) end
  end
  return found
end)

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

-- The cheapest way by one hex of each of these stops, in any order, as a list of paths; nil if the points do not suffice.
local function way_by(route, from, points, stops, shut)
  local range = route.search(from, points, shut)
  if #stops == 0 then return last_leg(route, range, points) end
  local best, least
  for i, stop in ipairs(stops) do
    local others = table.pack(table.unpack(stops))
    table.remove(others, i)
    for _, hex in ipairs(stop) do
      local walked = range:cost(hex)
      local rest, cost
      if walked then rest, cost = way_by(route, hex, points - walked, others, shut) end
      if rest and (not least or walked + cost < least) then
        table.insert(rest, 1, range:path(hex))
        best, least = rest, walked + cost
      end
    end
  end
  return best, least
end

-- Prizes near enough to be taken on the way, apart from those that are taken where it begins or ends.
local function candidates(route, unit, range, points)
  local prizes, near = prizes(unit.side), nowhere()
  for _, hex in ipairs(range.spaces:both(prizes.hexes)) do
    if range:cost(hex) + route.step * distance(hex, route.to) <= points then near = near:plus(prizes.at[hex.id]) end
  end
  return near:filter(function(prize) return not prizes.by[prize.id]:has(route.to) and not prizes.by[prize.id]:has(unit.space) end)
end

-- The hexes by which each of these prizes is taken.
local function stops(prizes, wanted)
  local list = {}
  for _, prize in ipairs(wanted) do list[#list + 1] = prizes.by[prize.id] end
  return list
end

local function all_of(lists)
  local hexes = nowhere()
  for _, list in ipairs(lists) do hexes = hexes:plus(list) end
  return hexes
end

-- The way that takes what is wanted and, if it can be helped, nothing else of what lies near.
local function way_taking(route, unit, points, near, wanted)
  local prizes = prizes(unit.side)
  local by = stops(prizes, wanted)
  local shut = all_of(stops(prizes, near:minus(wanted))):minus(all_of(by))
  return way_by(route, unit.space, points, by, shut) or way_by(route, unit.space, points, by, nowhere())
end

choose_way = procedure("choose-way", { rule = { "8.1h", "9.1a", "12.3f" } }, function(unit, route, range, points)
  local near = candidates(route, unit, range, points)
  if #near > 0 then
    local by = prizes(unit.side).by
    near = near:filter(function(prize) return way_by(route, unit.space, points, { by[prize.id] }, nowhere()) ~= nil end)
  end
  if #near == 0 then return last_leg(route, range, points) end
  local avoidable = near:filter(function(prize)
    return way_by(route, unit.space, points, {}, prizes(unit.side).by[prize.id]) ~= nil
  end)
  local wanted = choose(unit.side, "move.way", {
    among = avoidable, unit = unit, to = route.to,
    test = function(list) return way_taking(route, unit, points, near, list) ~= nil, no("too-far", route.to) end,
  })
  return way_taking(route, unit, points, near, wanted)
end)

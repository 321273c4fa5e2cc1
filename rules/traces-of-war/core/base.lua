-- Words that all the rules use: who stands where, zones of control, stacking.

-- Combat units and HQs on the map.
units_of = query("units-of", { rule = "2.3a" }, function(side)
  return pieces { kind = "unit", side = side, on_map = true }
end)

combat_units = query("combat-units", { rule = "2.2a" }, function(side)
  return units_of(side):filter { hq = false }
end)

headquarters = query("headquarters", { rule = { "2.3q", "2.3r" } }, function(side)
  return units_of(side):filter { hq = true }
end)

standing = query("standing", { rule = "5.0f" }, function(side)
  return units_of(side):spaces()
end)

-- An empty list of hexes to add to.
nowhere = query("nowhere", {}, function() return spaces { id = {} } end)

function units_in(hex, side) return pieces { at = hex, kind = "unit", side = side } end

-- Every unit reaches into the six hexes around it, over rivers, but not over blocked hexsides. Several zones are as one.
zoc = query("zoc", { rule = { "6.0a", "6.0b", "6.0c", "6.0d" } }, function(side)
  return around(standing(side), { "blocked" })
end)

function ezoc(side) return zoc(enemy(side)) end

-- Hexes where this unit would break its stacking limit (data/limits.toml).
function crowded_for(unit) return full(unit.hq and "hqs" or "units", unit.side) end

-- Hexes with something printed in them never change, so these lists are made once.
city_hexes = query("city-hexes", { rule = "8.1h" }, function() return spaces { city = { "city", "major" } } end)
crossing_points = query("crossing-points", { rule = "12.3b" }, function() return spaces { crossing = true } end)
road_hexes = query("road-hexes", { rule = "9.2b" }, function() return spaces { road = true } end)
railway_hexes = query("railway-hexes", { rule = "11.0b" }, function() return spaces { railway = true } end)
breakthrough_hexes = query("breakthrough-hexes", { rule = "2.1g" }, function() return spaces { breakthrough = true } end)

-- Cities that a side controls.
cities_of = query("cities-of", { rule = { "8.1g", "8.1h" } }, function(side) return city_hexes():filter { control = side }:spaces() end)

-- The name of the bridge between two hexes, by which it alone can be closed.
local function bridge_between(hex, far)
  for _, feature in ipairs(border(hex, far)) do
    if feature ~= "major-bridge" then return feature end
  end
end

-- The bridges over major rivers, read from the map once: `ends` are the ids of all hexes at one, `from` gives for each the far ends of its
-- bridges. Only roads and railways make bridges (2.1i), so no other hexes need be looked at.
local function find_bridges()
  local bridges = { ends = {}, from = {} }
  for _, hex in ipairs(spaces { road = true }:plus(spaces { railway = true })) do
    local beyond = neighbours(hex):minus(around({ hex }, { "major-bridge" }))
    if #beyond > 0 then
      bridges.ends[#bridges.ends + 1], bridges.from[hex.id] = hex.id, {}
    end
    for _, far in ipairs(beyond) do bridges.from[hex.id][bridge_between(hex, far)] = far end
  end
  return bridges
end

local bridges = find_bridges()

bridge_ends = query("bridge-ends", { rule = "2.1i" }, function() return spaces { id = bridges.ends } end)

-- Bridges over major rivers whose both ends lie in an enemy ZOC are closed, friendly units or not. Nil if there are none.
closed_bridges = query("closed-bridges", { rule = { "9.3d", "10.4l" } }, function(side)
  local zone, closed = ezoc(side):both(bridge_ends()), {}
  for _, hex in ipairs(zone) do
    for bridge, far in pairs(bridges.from[hex.id]) do
      if zone:has(far) then closed[#closed + 1] = bridge end
    end
  end
  if closed[1] then return closed end
end)

-- The same with what else no mover may cross.
function barriers(side, ...)
  local list = { ... }
  for _, feature in ipairs(closed_bridges(side) or {}) do list[#list + 1] = feature end
  return list
end

-- What stops a supply line and the second hex of an advance.
water_barriers = query("water-barriers", { rule = { "8.1d", "8.1e", "10.5h", "10.5k" } }, function()
  return { "major-river", "blocked" }
end)

-- The profile of Normal Movement.
ground_profile = query("ground-profile", { rule = "9.1b" }, function() return "ground" end)

-- Neighbours of a hex on the far side of an unbridged major river.
far_banks = query("far-banks", { rule = "2.1i" }, function(hex)
  return neighbours(hex):minus(around({ hex }, { "major-river" }))
end)

-- How many CPs the Soviets control: six on the map, and the Airborne Bridgehead once placed.
crossings_held = query("crossings-held", { rule = { "2.1k", "12.3b", "12.3c", "11.1k" } }, function()
  local held = #crossing_points():filter { crossed = true }
  if game.bridgehead then held = held + 1 end
  return held
end)

-- What the tables indexed by that number give: luftwaffe, negotiation, okh.
function by_crossings(column)
  return lookup("crossings", crossings_held(), column)
end

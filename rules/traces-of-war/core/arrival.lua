-- What happens when a unit comes into a hex, by whatever way: cities, Crossing Points, Breakthrough hexes and the Airborne Bridgehead.

-- A Soviet unit in a Breakthrough hex is worth its VP for as long as it stays there.
local function watch_breakthrough(unit, from, to)
  if unit.side == "soviet" and (breakthrough_hexes():has(from) or breakthrough_hexes():has(to)) then mark_score() end
end

-- Every change of a unit's place that could mean something. Both ends of a step may decide about a Crossing Point.
put = procedure("put-unit", { rule = { "12.3f", "13.2j", "2.1g" } }, function(unit, place)
  local from = unit.space
  move(unit, place)
  if from then watch_breakthrough(unit, from, place) end
  watch_crossings(place)
  if from then watch_crossings(from) end
end)

-- However a unit comes, on foot, by rail or from the air: where it stands it has entered.
arrive = procedure("arrive", { rule = { "8.1h", "12.3e", "11.1i" } }, function(unit, hex)
  put(unit, hex)
  if hex.city and hex.control ~= unit.side then take_city(hex, unit.side) end
  if unit.side == "axis" and bridgehead_hex():has(hex) then overrun_bridgehead(unit) end
end)

-- Hexes where coming or going means something. A layer that gives meaning to other hexes adds them here.
eventful = query("eventful-hexes", { rule = { "8.1h", "12.3e", "11.1i", "13.2j" } }, function()
  return city_hexes():plus(watched()):plus(bridgehead_hex()):plus(breakthrough_hexes())
end)

-- Hex by hex along a path, whose first hex is where the unit stands.
walk = procedure("walk", { rule = "8.1h" }, function(unit, path)
  local eventful = eventful():both(path)
  if #eventful == 0 then return move(unit, path:minus { path[1] }) end
  for i = 2, #path do
    if eventful:has(path[i]) or eventful:has(path[i - 1]) then
      arrive(unit, path[i])
    else
      move(unit, path[i])
    end
  end
end)

-- A city belongs to the side that was last in it. A city lost under a Supreme Command Order loses the war.
take_city = procedure("take-city", { rule = { "8.1h", "2.5b", "12.2d", "13.1a", "13.2d" } }, function(hex, side)
  hex.control = side
  log("city-taken", hex, side)
  if hex.city == "major" then mark_score() end
  if side == "soviet" and hex.order then
    end_game { winner = "soviet", reason = "order-disobeyed", rule = "12.2d" }
  end
end)

function bridgehead() return piece(value "bridgehead".chit) end

bridgehead_hex = query("bridgehead-hex", { rule = { "11.1h", "11.1j" } }, function()
  if not pieces { kind = "chit", side = "soviet", on_map = true }:has(bridgehead()) then return nowhere() end
  return within(bridgehead().place, 0)
end)

overrun_bridgehead = procedure("overrun-bridgehead", { rule = "11.1i" }, function(unit)
  if unit.hq and not option "hq-destroys-bridgehead" then return end
  log("bridgehead-destroyed", bridgehead().place, unit.full)
  move(bridgehead(), space "eliminated")
end)

-- Crossing Points the Soviets do not control yet, and the hexes around them where something could change that.
open_crossings = query("open-crossings", { rule = "12.3d" }, function()
  return crossing_points():filter { crossed = false }
end)

-- The hexes around a Crossing Point, which never change.
crossing_zone = query("crossing-zone", { rule = "12.3f" }, function(hex) return within(hex, value "crossing".hexes) end)

watched = query("watched-hexes", { rule = { "12.3e", "12.3f", "12.3g", "2.1j" } }, function()
  local near = nowhere()
  for _, hex in ipairs(open_crossings()) do
    near = near:plus(crossing_zone(hex))
  end
  return near
end)

-- Where a Soviet unit takes a Crossing Point that no Axis unit holds: near it; at Kremenchuk only in the town or the hex itself.
approaches = query("approaches", { rule = { "12.3e", "12.3f", "12.3g" } }, function(hex)
  if hex.gate then return within(hex, 0):plus { hex.gate } end
  return crossing_zone(hex)
end)

-- Free of the Axis with a Soviet unit in it or on its approaches; from turn 7 simply empty.
local function falls(hex)
  if standing "axis":has(hex) then return false end
  if game.turn >= value "open-crossings".turn then return true end
  return #approaches(hex):both(standing "soviet") > 0
end

fallen_crossings = query("fallen-crossings", { rule = { "12.3e", "12.3f", "12.3g", "12.3i" } }, function()
  return open_crossings():filter(falls)
end)

function watch_crossings(hex)
  if watched():has(hex) then count_crossings() end
end

-- For good: nothing ever gives a CP back.
count_crossings = procedure("count-crossings", { rule = { "12.3e", "12.3f", "12.3g", "12.3h", "12.3i" } }, function()
  for _, hex in ipairs(fallen_crossings()) do
    hex.crossed = true
    mark_crossings()
    log("crossing-lost", hex, game.cp)
  end
end)

-- Moves the marker on the CP Track.
mark_crossings = procedure("mark-crossings", { rule = { "2.1d", "2.5b" } }, function() game.cp = crossings_held() end)

-- What happens when a unit comes into a hex, by whatever way: cities, Crossing Points and the Airborne Bridgehead.

-- Both ends of a step may decide about a Crossing Point.
local function put(unit, hex)
  local from = unit.space
  move(unit, hex)
  watch_crossings(hex)
  if from then watch_crossings(from) end
end

arrive = procedure("arrive", { rule = { "8.1h", "12.3e", "11.1i" } }, function(unit, hex)
  put(unit, hex)
  if hex.city and hex.control ~= unit.side then take_city(hex, unit.side) end
  if unit.side == "axis" and bridgehead_hex():has(hex) then overrun_bridgehead(unit) end
end)

-- Landed from the air or set up again, which is not entering: cities do not change hands.
settle = procedure("settle", { rule = { "8.1h", "12.3f" } }, put)

-- Hexes where coming or going means something. A layer that gives meaning to other hexes adds them here.
eventful = query("eventful-hexes", { rule = { "8.1h", "12.3e", "11.1i" } }, function()
  return city_hexes():plus(watched()):plus(bridgehead_hex())
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
take_city = procedure("take-city", { rule = { "8.1h", "2.5b", "12.2d", "13.1a" } }, function(hex, side)
  hex.control = side
  log("city-taken", hex, side)
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
  move(bridgehead(), space "eliminated")
end)

-- Crossing Points the Soviets do not control yet, and the hexes around them where something could change that.
local function open_crossings()
  return crossing_points():filter { crossed = false }
end

-- The hexes around a Crossing Point, which never change.
crossing_zone = query("crossing-zone", { rule = "12.3f" }, function(hex) return within(hex, value "crossing".hexes) end)

watched = query("watched-hexes", { rule = { "12.3e", "12.3f", "12.3g", "2.1j" } }, function()
  local near = nowhere()
  for _, hex in ipairs(open_crossings()) do
    near = near:plus(crossing_zone(hex))
  end
  return near
end)

-- Entered; or empty with a Soviet unit near; at Kremenchuk only if the town itself is held; from turn 7 simply empty.
local function falls(hex)
  local here = standing "soviet"
  if here:has(hex) then return true end
  if standing "axis":has(hex) then return false end
  if game.turn >= value "open-crossings".turn then return true end
  if hex.gate then return here:has(hex.gate) end
  return #crossing_zone(hex):both(here) > 0
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
    log("crossing-lost", hex)
  end
end)

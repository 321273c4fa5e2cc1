-- Words that all the rules use: who stands where, who is in play, what a side may enter.

-- Borders that lead off the hexes: Vistula bridges and the edges of the map at entry points.
off_hexes = { "bridge", "entry" }

warsaw = query("warsaw", { rule = "6.warsaw.a" }, function()
  return space "warsaw"
end)

-- Empty lists of spaces and of pieces.
nowhere = query("nowhere", { rule = "2.map.a" }, function() return spaces{ id = {} } end)
nobody = query("nobody", { rule = "2.map.a" }, function() return pieces{ id = {} } end)

praga = query("praga", { rule = "6.warsaw.c" }, function() return spaces{ praga = true } end)

-- Units on hexes. Warsaw and the off-map boxes are no hexes.
units_of = query("units-of", { rule = "2.map.a" }, function(side)
  return pieces{ kind = "unit", side = side, on_map = true }
end)

off_map = query("off-map", { rule = { "2.map.b", "6.offmap.a" } }, function()
  return spaces{ off_map = true }
end)

waiting = query("waiting", { rule = "6.offmap.f" }, function(side)
  return pieces{ kind = "unit", side = side, at = off_map() }
end)

in_play = query("in-play", { rule = "3.victory.i" }, function(side)
  return units_of(side):plus(waiting(side))
end)

function in_warsaw()
  return pieces{ kind = "unit", side = "german", at = warsaw() }
end

standing = query("standing", { rule = "6.move.f" }, function(side)
  return units_of(side):spaces()
end)

-- Hexes next to any unit of a side, with or without a ZOC.
beside = query("beside", { rule = "6.break.g" }, function(side)
  return around(standing(side), off_hexes)
end)

function is_hex(place)
  return place ~= nil and place.kind == "hex"
end

function is_mobile(unit)
  return unit.train or unit.mf >= value "mobile".movement
end

-- Units that belong to no corps and no division.
function is_independent(unit)
  return unit.formation == "independent" or unit.formation == value "army-troops".formation or unit.formation == value "army-47".formation
end

-- Steps that units have left.
function steps_of(units)
  return units:sum "levels" - units:sum "level" + #units
end

-- Hexes with a road of any kind.
on_roads = query("on-roads", { rule = "6.roads.a" }, function()
  return spaces{ kind = "hex" }:filter(function(hex) return on_network("way", hex) end)
end)

-- Ground that a unit may never be pushed into: swamp without a road bars mobile units.
bog = query("bog", { rule = { "9.retreat.h", "6.move.h" } }, function()
  return spaces{ terrain = "swamp" }:filter(function(hex) return not on_network("way", hex) end)
end)

function prohibited(unit)
  return is_mobile(unit) and bog() or nowhere()
end

-- A unit comes to another place: its works and the events tied to its hex stay behind.
relocate = procedure("relocate", { rule = { "8.prep.d", "20.events.d" } }, function(unit, to)
  move(unit, to)
  if unit.prepared then unit.prepared = false end
  if #unit.cargo > 0 then drop_events(unit, "hex") end
end)

drop_events = procedure("drop-events", { rule = { "20.events.d", "20.events.e" } }, function(unit, why)
  for _, card in ipairs(unit.cargo:filter{ ends = why }) do move(card, space "removed") end
end)

score = procedure("score", { rule = { "3.victory.c", "3.victory.d", "3.victory.h" } }, function(points)
  sides.soviet.vp = sides.soviet.vp + points
end)

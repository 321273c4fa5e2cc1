-- Line of sight (6.0, 11.3 to 11.5, 13.0, 20.3) and firing arcs (6.1). What blocks is data: see sight.toml.

-- All hexes in sight of a hex, whoever looks.
sees = query("sees", { rule = { "6.0b", "6.0c", "6.0d", "6.0e", "6.0f", "11.3a", "11.3b", "11.3c", "11.3d", "11.3e", "11.4a", "11.4b", "11.4c", "11.5e", "13.0b", "13.0g", "18.0e", "4.0f", "4.0g", "5.0-t.corn", "5.0-t.wheat" } },
function(hex) return sight_all { from = hex, rules = "ground" }.spaces end)

sees_from_air = query("sees-from-air", { rule = { "20.3a", "20.3b" } }, function(hex)
  return sight_all { from = hex, rules = "air" }.spaces
end)

-- Hexes at most n away; static.
near = query("near", { rule = "7.6a" }, function(hex, n) return within(hex, n) end)

-- Hexes nearer than a weapon's least range; at least the own hex.
function too_near(unit, hex) return near(hex, (unit.least_range or 1) - 1) end

-- The cone of the three front hexes and their extension.
cone = query("cone", { rule = { "6.1a", "5.2c" } }, function(hex, facing)
  return arc(hex, facing, value "firing-arc".half, value "firing-arc".reach)
end)

-- That cone as far as a weapon reaches.
field_of_fire = query("field-of-fire", { rule = { "6.1a", "7.6a", "7.6.1b" } }, function(hex, facing, reach)
  return arc(hex, facing, value "firing-arc".half, reach)
end)

function in_cone(hex, facing, other) return in_arc(hex, facing, value "firing-arc".half, other) end

-- Darkness of a scenario: how far one sees this round, and how far the flash of a shot.
function sight_limit()
  local nights = value "night"
  for i = 1, #nights do
    local dark = nights[i]
    if game.round >= dark.from and game.round <= dark.to then return dark.range, dark.flash or dark.range end
  end
end

-- What is left by night of the hexes in sight of one.
function by_night(hex, seen)
  local limit, flash = sight_limit()
  if not limit then return seen end
  return seen:both(near(hex, limit)):plus(seen:both(near(hex, flash)):filter { flash = true })
end

-- What a unit sees: nothing outside while enemies share its hex; a bunker's crew only within its arc.
view_of = query("view-of", { rule = { "7.6.3j", "18.2h", "6.0a", "s04.1", "s05.1" } }, function(unit)
  local hex = hex_of(unit)
  if enemy_in(hex, unit.side) then return nowhere() end
  return looked_at(unit, hex, sees(hex))
end)

-- The hexes of a short list that a unit sees.
function of_these(unit, hexes)
  local hex = hex_of(unit)
  if enemy_in(hex, unit.side) then return nowhere() end
  return looked_at(unit, hex, hexes:both(sees(hex)))
end

-- What is left of hexes in line of sight by night, and to the crew of a bunker.
function looked_at(unit, hex, seen)
  local shelter = unit.shelter
  if shelter and shelter.type == "bunker" then seen = seen:both(cone(hex, shelter.facing)) end
  return by_night(hex, seen)
end

function sees_into(unit, hex) return of_these(unit, nowhere():plus { hex }):any() end

-- Whether an enemy of a side sees a hex. Sight is mutual (6.0d), so the hex may as well look for enemies who might; bunkers and
-- close combat blind some of them.
function watched(hex, side)
  local watchers = enemies_of(side):filter { at = enemy_hexes(side):both(sees(hex)) }
  return watchers:any(function(unit) return unit.space == hex or sees_into(unit, hex) end)
end

-- Hexes that some unit of a side sees.
seen_by = query("seen-by", { rule = "10.2a" }, function(side)
  local seen = nowhere()
  for _, unit in ipairs(ground_of(side)) do seen = seen:plus(view_of(unit)) end
  return seen
end)

-- Thin smoke crossed between two hexes (13.0e).
function smoke_crossed(from, to) return sight { from = from, to = to, rules = "ground" }.haze end

-- Whether a line enters the target's hex over a small gully (11.5j).
crosses_small_gully = query("crosses-small-gully", { rule = { "10.0k", "11.5j" } }, function(from, to)
  if not to.small_gully then return false end
  for _, side in ipairs(crossed(from, to)) do
    if (side.to == to or side.from == to) and not side.along and side.features:has "small-gully" then return true end
  end
end)

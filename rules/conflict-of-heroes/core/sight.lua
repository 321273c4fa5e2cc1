-- Line of sight (6.0, 11.3 to 11.5, 13.0, 20.3) and firing arcs (6.1).

local GROUND = { ground = "height", obstacle = "obstacle", haze = "haze", haze_limit = 2, sunken = { "adjacent", -1 } }

-- All hexes in sight of a hex, whoever looks.
sees = query("sees", { rule = { "6.0b", "6.0c", "6.0e", "11.3b", "11.4a", "11.5e", "13.0b" } }, function(hex)
  return within(hex, 12)
end)

-- Darkness of a scenario: how far one sees this round.
function sight_limit()
  for _, dark in ipairs(value "night") do
    if game.round >= dark.from and game.round <= dark.to then return dark.range end
  end
end

-- The cone of the three front hexes.
cone = query("cone", { rule = { "6.1a", "5.2c" } }, function(hex, facing)
  return within(hex, 30)
end)

function in_cone(hex, facing, other) return cone(hex, facing):has(other) end

-- What a unit sees: nothing outside while enemies share its hex; a bunker's crew only within its arc.
function view_of(unit)
  local hex = hex_of(unit)
  if enemy_in(hex, unit.side) then return spaces { id = {} } end
  local seen = sees(hex)
  local limit = sight_limit()
  if limit then seen = seen:both(within(hex, limit)) end
  local shelter = unit.shelter
  if shelter and shelter.type == "bunker" then seen = seen:both(cone(hex, shelter.facing)) end
  return seen
end

-- Hexes that some unit of a side sees.
seen_by = query("seen-by", { rule = "10.2a" }, function(side)
  local seen = spaces { id = {} }
  for _, unit in ipairs(ground_of(side)) do seen = seen:plus(view_of(unit)) end
  return seen
end)

-- Smoke crossed on the way (13.0e).
function smoke_crossed(from, to)
  return 0
end

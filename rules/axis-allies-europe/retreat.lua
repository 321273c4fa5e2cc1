-- Leaving a sea battle, and aircraft that leave any battle.

-- One adjacent zone that some ship of the battle came from, free of enemies on the surface.
local function retreat_zones(zone, origins)
  return near("sea", zone):both(origins):minus(enemy_waters(game.active)):filter { closed = false }
end

-- Troops of transports that retreat stay aboard this turn, as if they had just come aboard.
local function call_back(ship)
  ship.target = nil
  for _, unit in ipairs(ship.cargo) do
    unit.target = nil
    unit.boarded = true
    unit.used = true
  end
end

-- All ships go together, submarines may dive where they are instead; aircraft fly off. Returns true if the battle is broken off.
procedure("sea.retreat", { rule = { "sea.F2", "sea.F3", "sea.F4", "sea.F5", "sea.F6", "amphib.13", "unit-ftr.8" } }, function(zone, origins)
  local side = game.active
  local units = sea_attackers(zone)
  local ships, aircraft = units:filter { domain = "sea" }, units:filter { domain = "air" }
  local options = #ships > 0 and retreat_zones(zone, origins) or { "aircraft" }
  if #options == 0 then return false end
  local to = ask(side, "sea.retreat", { among = options, none = "fight-on", zone = zone,
    ours = words_for(units), theirs = words_for(sea_defenders(zone)), odds = sea_odds(units, sea_defenders(zone)) })
  if not to then return false end
  if #ships > 0 then
    call("dive", side, ships:filter { has = "dives" })
    for _, ship in ipairs(ships:filter { submerged = false }) do
      call_back(ship)
      move(ship, to)
    end
    log("retreats", side, zone, to)
  end
  call("air.retreat", side, aircraft)
  return true
end)

landing_land = query("landing-land", { rule = { "noncombat.1", "noncombat.14", "noncombat.13" } }, function(team, from, rest)
  return air_range(from, rest):both(secure_land(team))
end)

-- Where an aircraft can come down now: land held since the start of the turn, or a deck with room for a fighter, unless another fighter
-- has no other place than that deck.
function landing_places(side, unit)
  local land = landing_land(team(side), unit.space, fuel(unit))
  if not deck_kinds[unit.type] then return land end
  local decks = open_decks(side):filter { at = air_range(unit.space, fuel(unit)) }
  if #decks == 0 then return land end
  return land:plus(decks:filter(function(carrier) return not takes_last_deck(side, unit, carrier) end))
end

-- A carrier that has taken a fighter aboard does not move again this turn.
procedure("touch-down", { rule = { "noncombat.1", "noncombat.12", "unit-cv.7", "unit-ftr.9", "unit-ftr.10" } }, function(unit, place)
  unit.spent = unit.spent + air_steps(unit.space, space_of(place), fuel(unit))
  unit.airborne = false
  unit.used = true
  if is_carrier(place) then place.used = true end
  move(unit, place)
end)

-- Aircraft that break off fly home at once, over whatever guns are on their way. Where nothing is in reach they stay up and
-- hope for a carrier in part 4.
procedure("air.retreat", { rule = { "land.F5", "land.F6", "amphib.10" } }, function(side, aircraft)
  for _, unit in ipairs(aircraft) do unit.fought = true end
  if option "aircraft-retreat" == "in-part-4" then return end
  for _, unit in ipairs(aircraft) do
    local places = landing_places(side, unit)
    if #places > 0 then
      local place = ask(side, "air.retreat", { among = places, unit = unit })
      local wing = aircraft_of(side):both { unit }
      local path = choose_route(side, wing, space_of(place))
      if #overflight(side, wing, path) > 0 then call("touch-down", unit, place) end
    end
  end
end)

-- Fighters whose carrier was sunk under them, not in their own power's attack, look for another place nearby, or are lost.
procedure("carrier.refuge", { rule = "unit-cv.10" }, function(zone)
  for _, fighter in ipairs(pieces { at = zone, place = zone, not_side = game.active, domain = "air" }) do
    local range = air_range(zone, value "carrier-refuge")
    local places = range:both(friendly_land(team(fighter.side))):plus(open_decks(fighter.side):filter { at = range })
    if #places == 0 then
      log("no-landing", fighter.side, fighter)
      destroy(fighter)
    else
      move(fighter, ask(fighter.side, "carrier.refuge", { among = places, unit = fighter }))
    end
  end
end)

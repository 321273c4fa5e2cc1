-- The landing itself: what happens to an amphibious assault when its battle comes up.

-- Enemy ships left in the zone stop the landing; submerged ones do not, in our reading.
local function shut(side, zone)
  if enemy_waters(side):has(zone) then return true end
  return not option "landing-beside-submerged" and #pieces { at = zone, side = foes(side), submerged = true } > 0
end

local function stay_aboard(units)
  for _, unit in ipairs(units) do unit.target = nil end
end

local function go_ashore(units, space)
  for _, unit in ipairs(units) do
    unit.origin = unit.space
    unit.target = nil
    unit.ashore = true
    unit.place.worked = true
    move(unit, space)
  end
end

-- After a sea battle the attacker may still give the landing up, but not send it elsewhere.
procedure("assault.land", { rule = { "amphib.3", "amphib.20", "amphib.22", "amphib.26", "unit-tr.12", "amphib.1" } }, function(side, zone, space)
  local units = landing_force(side, space):filter(function(unit) return unit.space == zone end)
  if shut(side, zone) then return stay_aboard(units) end
  if zone.fought and ask(side, "assault.go", { among = { "land", "call-off" }, space = space, zone = zone }) == "call-off" then
    return stay_aboard(units)
  end
  go_ashore(units, space)
end)

procedure("land-battle.line-up", { rule = { "land.A1", "amphib.6", "amphib.7", "amphib.25" } }, function(space)
  local side = game.active
  for _, zone in ipairs(landing_force(side, space):spaces()) do call("assault.land", side, zone, space) end
  space.fought = true
end)

-- Battleships and destroyers beside the landing fire once, unless there was a battle in their zone.
local function support_ships(side, space)
  local zones = land_attackers(space):filter { ashore = true }:map("origin"):unique()
  local ships = pieces { side = side, at = zones, min_support = 1, shelled = false, submerged = false }
  return ships:filter(function(ship)
    return not ship.space.fought or (option "support-after-all-submerged" and not ship.space.blooded)
  end)
end

local function support_value(kind)
  ---@type any
  local instead = row(kind).support_option
  return instead and option(instead) or row(kind).support
end

procedure("land-battle.support", { rule = { "amphib.8", "amphib.14", "amphib.15", "amphib.16", "amphib.27", "unit-bb.4", "unit-dd.2" } }, function(space)
  local side = game.active
  local ships = support_ships(side, space)
  if #land_defenders(space) == 0 then return end
  local more = landing_force_elsewhere(side, ships)
  local chosen = more and pick_some(side, "support.ships", ships, { space = space }, 0) or ships
  local hits, count = 0, census(chosen)
  for _, kind in ipairs(kinds) do
    if count[kind] then hits = hits + fire_group("support", side, kind, count[kind], support_value(kind)) end
  end
  for _, ship in ipairs(chosen) do ship.shelled = true end
  call("losses", land_defenders(space), hits, "free", side)
end)

-- Is another landing from the same waters still to come? Then the player shares out the ships.
function landing_force_elsewhere(side, ships)
  return pieces { at = ships:spaces(), side = side, domain = "land", not_target = none }:any()
end

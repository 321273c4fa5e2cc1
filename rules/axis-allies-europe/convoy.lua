-- Convoy centres: Germany shuts them, the Allies open them again. Nobody else ever gains by it.

-- Would `side` change the state of this zone by holding it?
function prize_for(side, zone)
  if not zone.convoy then return false end
  if team(side) == "axis" then return zone.marker == nil end
  return zone.marker ~= nil
end

procedure("convoy.take", { rule = { "convoy.2", "convoy.6", "convoy.19" } }, function(zone, side)
  if team(side) == "axis" then
    zone.marker = side
    log("convoy-taken", side, zone)
  else
    zone.marker = nil
    log("convoy-freed", side, zone)
  end
end)

-- Only ships with an attack value count; transports and aircraft do not.
function can_take_convoy(ship) return ship.domain == "sea" and ship.attack > 0 and not ship.submerged end

-- A fleet enters or passes a centre without enemies in it.
procedure("convoy.pass", { rule = { "convoy.5", "convoy.10", "convoy.11", "convoy.7", "convoy.9" } }, function(zone, side, fleet)
  if not prize_for(side, zone) or enemy_waters(side):has(zone) then return end
  for _, ship in ipairs(fleet) do
    if can_take_convoy(ship) then return call("convoy.take", zone, side) end
  end
end)

-- After a sea battle: all enemies sunk or submerged, and a warship left.
procedure("convoy.won", { rule = { "convoy.7", "convoy.8", "convoy.9", "convoy.12", "result.6" } }, function(zone, side)
  if not prize_for(side, zone) or enemy_waters(side):has(zone) then return end
  if pieces { at = zone, side = side, domain = "sea" }:any(can_take_convoy) then call("convoy.take", zone, side) end
end)

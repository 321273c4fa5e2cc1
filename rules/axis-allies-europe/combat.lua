-- Part 3: which battle is next. Raids come first; the attacker orders the rest; a landing waits for its sea battle.

local function raids(side)
  local wings = aircraft_of(side):filter { raiding = true, fought = false }
  return #wings > 0 and wings:spaces():both(raid_targets(side)) or wings
end

sea_battles = query("sea-battles", { rule = { "sea.1", "cmove.16" } }, function(side)
  return warships_of(side):plus(aircraft_of(side):filter { airborne = true }):spaces():both(enemy_waters(side)):filter { fought = false }
end)

-- Units aboard transports that are to land in `space`.
function landing_force(side, space)
  return pieces { side = side, target = space, domain = "land" }
end

local function land_battles(side)
  local ashore = troops_of(side):spaces():plus(aircraft_of(side):filter { raiding = false }:spaces())
  local targets = troops_of(side):filter { not_target = none }:map("target"):unique()
  return ashore:both(hostile_land(team(side))):plus(targets):filter { fought = false }
end

battles = query("battles", { rule = { "combat.3", "cmove.4", "sbr.5" } }, function(side) return sea_battles(side):plus(land_battles(side)) end)

forbid_all("battle.next", "sea-battle-before-landing", { rule = { "amphib.20", "combat.3" } }, function(ask)
  return troops_of(ask.side):filter { not_target = none, at = sea_battles(ask.side) }:map "target", no "sea-battle-first"
end)

procedure("combat", { rule = { "combat.2", "combat.3", "combat.4", "cmove.14", "multi.7", "place.6" } }, function()
  local side = game.active
  local list = raids(side)
  if #list > 0 then
    call("raid", ask(side, "raid.next", { among = list }))
    return
  end
  list = battles(side)
  if #list == 0 then return "done" end
  local space = ask(side, "battle.next", { among = list, side = side })
  if space.ground == "sea" then call("sea-battle", space) else call("land-battle", space) end
end)

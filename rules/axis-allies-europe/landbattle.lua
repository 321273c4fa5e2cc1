-- Land battles: AA fire once, then rounds of attack and defence until one side is gone or the attacker leaves.

function land_attackers(space)
  return pieces { at = space, side = game.active, raiding = false, fought = false, min_hits = 1 }
end

function land_defenders(space)
  return pieces { at = space, side = foes(game.active), scrambled = false, min_hits = 1 }
end

procedure("land-battle", { rule = { "land.1", "land.A1", "amphib.18" }, stages = { "line-up", "support", "flak", "rounds", "outcome" } })

-- The defender's guns fire first, once in the battle.
procedure("land-battle.flak", { rule = { "land.B1", "land.B6", "amphib.17" } }, function(space)
  if not flak_land(team(game.active)):has(space) then return end
  call("flak.fire", game.active, space, land_attackers(space):filter { domain = "air" })
end)

-- Each artillery lifts one infantry, counted anew every round.
procedure("land.attack", { rule = { "setup.17", "land.C1", "land.C5", "unit-art.2", "unit-art.4", "cmove.3", "sbr.5" } }, function(space, attackers, defenders)
  local side, count = game.active, census(attackers)
  local infantry, guns = count.infantry or 0, count.artillery or 0
  local helped = math.min(infantry, guns)
  local hits = volley("attack", helped, attack_of("infantry", side, true))
  count.infantry = infantry - helped
  for _, kind in ipairs(kinds) do
    if count[kind] then hits = hits + volley("attack", count[kind], attack_of(kind, side)) end
  end
  call("losses", defenders, hits, "free", side)
end)

-- All defenders fire, those just hit too; each power rolls for its own.
procedure("land.defence", { rule = { "land.D1", "land.F9", "multi.1", "multi.4", "amphib.15", "sbr.7", "intro.1" } }, function(space, attackers, defenders)
  local hits = 0
  for _, side in ipairs(foes(game.active)) do
    local count = census(defenders:filter { side = side })
    for _, kind in ipairs(kinds) do
      if count[kind] then hits = hits + volley("defence", count[kind], defence_of(kind, side)) end
    end
  end
  call("losses", attackers, hits, "free", defenders[1].side)
end)

procedure("land.remove", { rule = "land.E1" }, function(space)
  for _, unit in ipairs(pieces { at = space, hit = true }) do destroy(unit) end
end)

-- One adjacent territory, friendly since the start of the turn, that some unit of the battle came from. Landed troops have nowhere to
-- go, and those that came overland stay with them.
local function retreat_targets(space, origins)
  local list = near("land", space):both(secure_land(team(game.active))):both(origins)
  if option "land-retreat-to" == "own-at-start" then
    list = list:filter(function(to) return controller(to) == game.active end)
  end
  return list
end

forbid("retreat", "retreat-where-you-came-from", { rule = { "land.F3", "land.F4" } }, function(to, ask)
  if to ~= "aircraft" and not ask.targets:has(to) then return no("retreat-there", to) end
end)

-- After a full round the attacker goes on, pulls back to one territory, or withdraws aircraft.
procedure("land.retreat", { rule = { "land.F2", "land.F3", "land.F4", "land.F5", "land.F7", "amphib.9", "amphib.10", "result.1" } }, function(space, attackers, origins)
  local side = game.active
  local troops, aircraft = attackers:filter { domain = "land" }, attackers:filter { domain = "air" }
  local landed = troops:any { ashore = true }
  local targets = #troops > 0 and not landed and retreat_targets(space, origins) or nowhere()
  local wings_only = #aircraft > 0 and (landed or #troops == 0)
  local options = wings_only and { "aircraft" } or near("land", space):both(friendly_land(team(side)))
  local to = ask(side, "retreat", { among = options, none = "fight-on", space = space, targets = targets })
  if not to then return end
  if to ~= "aircraft" then
    for _, unit in ipairs(troops) do move(unit, to) end
    log("retreats", side, space, to)
  end
  call("air.retreat", side, aircraft)
end)

procedure("land-battle.rounds", { rule = { "land.F1", "land.F8", "land.F9", "land.F10", "amphib.19" } }, function(space)
  local attackers, defenders = land_attackers(space), land_defenders(space)
  local origins = attackers:map "origin"
  while #attackers > 0 and #defenders > 0 do
    call("land.attack", space, attackers, defenders)
    call("land.defence", space, attackers, defenders)
    call("land.remove", space)
    attackers, defenders = land_attackers(space), land_defenders(space)
    if #attackers > 0 and #defenders > 0 then
      call("land.retreat", space, attackers, origins)
      attackers = land_attackers(space)
    end
  end
end)

-- A land unit must be left to occupy the territory.
procedure("land-battle.outcome", { rule = { "result.1", "result.2", "result.3", "result.4", "result.5", "capture.3", "npc.8", "unit-ic.1" } }, function(space)
  local troops = land_attackers(space):filter { domain = "land" }
  if #troops > 0 and hostile(game.active, space) then call("capture", space, game.active) end
end)

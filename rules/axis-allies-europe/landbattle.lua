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

local supports, supported = {}, {}
for _, kind in ipairs(kinds) do
  supports[kind], supported[kind] = row(kind).tags:has "supports", row(kind).tags:has "supported"
end

-- How many units there are whose type has a mark.
local function marked(count, marks)
  local n = 0
  for kind, number in pairs(count) do
    if marks[kind] then n = n + number end
  end
  return n
end

-- Each artillery lifts one infantry, counted anew every round.
procedure("land.attack", { rule = { "land.C1", "land.C5", "unit-art.2", "unit-art.4", "setup.17" } }, function(space, attackers, defenders)
  local side, count, hits = game.active, census(attackers), 0
  local guns = marked(count, supports)
  for _, kind in ipairs(kinds) do
    local n = count[kind] or 0
    local helped = supported[kind] and math.min(n, guns) or 0
    guns = guns - helped
    if helped > 0 then hits = hits + fire_group("attack", side, kind, helped, attack_of(kind, side, true)) end
    if n > helped then hits = hits + fire_group("attack", side, kind, n - helped, attack_of(kind, side)) end
  end
  call("losses", defenders, hits, "free", side)
end)

-- All defenders fire, those just hit too; each power rolls for its own.
procedure("land.defence", { rule = { "land.D1", "multi.1", "multi.4", "intro.1" } }, function(space, attackers, defenders)
  local hits = 0
  for _, side in ipairs(owners_of(defenders)) do
    local count = census(defenders:filter { side = side })
    for _, kind in ipairs(kinds) do
      if count[kind] then hits = hits + fire_group("defence", side, kind, count[kind], defence_of(kind, side)) end
    end
  end
  call("losses", attackers, hits, "free", defenders[1].side)
end)

procedure("land.remove", { rule = "land.E1" }, function(space)
  for _, unit in ipairs(pieces { at = space, hit = true }) do destroy(unit) end
end)

-- One adjacent territory, friendly since the start of the turn, that some land unit of the battle came from.
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

-- After a full round the attacker goes on, pulls back to one territory, or withdraws aircraft. In an assault no land unit goes back,
-- not even when all that landed are lost.
procedure("land.retreat", { rule = { "land.F2", "land.F3", "land.F4", "land.F5", "land.F7", "amphib.9", "amphib.10", "result.1" } }, function(space, attackers, origins, assault)
  local side = game.active
  local troops, aircraft = attackers:filter { domain = "land" }, attackers:filter { domain = "air" }
  local free = #troops > 0 and not assault
  local targets = free and retreat_targets(space, origins) or nowhere()
  local options = #aircraft > 0 and not free and { "aircraft" } or near("land", space):both(friendly_land(team(side)))
  if free and #targets == 0 or not free and #aircraft == 0 then return end
  local to = ask(side, "retreat", { among = options, none = "fight-on", space = space, targets = targets,
    ours = words_for(attackers), theirs = words_for(land_defenders(space)), odds = land_odds(attackers, land_defenders(space)) })
  if not to then return end
  if to ~= "aircraft" then
    for _, unit in ipairs(troops) do move(unit, to) end
    log("retreats", side, space, to)
  end
  call("air.retreat", side, aircraft)
end)

procedure("land-battle.rounds", { rule = { "land.F1", "land.F8", "land.F9", "land.F10", "amphib.19", "amphib.9", "cmove.3" } }, function(space)
  local attackers, defenders = land_attackers(space), land_defenders(space)
  local troops = attackers:filter { domain = "land" }
  local origins, assault = troops:map "origin", troops:any { ashore = true }
  if #attackers > 0 and #defenders > 0 then log("battle", game.active, space, words_for(attackers), words_for(defenders)) end
  while #attackers > 0 and #defenders > 0 do
    call("land.attack", space, attackers, defenders)
    call("land.defence", space, attackers, defenders)
    call("land.remove", space)
    attackers, defenders = land_attackers(space), land_defenders(space)
    if #attackers > 0 and #defenders > 0 then
      call("land.retreat", space, attackers, origins, assault)
      attackers = land_attackers(space)
    end
  end
end)

-- A land unit must be left to occupy the territory.
procedure("land-battle.outcome", { rule = { "result.1", "result.2", "result.3", "result.4", "result.5", "capture.3", "npc.8", "unit-ic.1" } }, function(space)
  local troops = land_attackers(space):filter { domain = "land" }
  if #troops > 0 and hostile(game.active, space) then call("capture", space, game.active) end
end)

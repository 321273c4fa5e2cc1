-- Sea battles: submarines first, then the rest, the defenders' reply, removal; until one side is gone or the attacker leaves.

function sea_attackers(zone)
  return pieces { at = zone, place = zone, side = game.active, submerged = false, domain = { "sea", "air" } }
end

-- Ships on the surface, and every fighter aboard: on the enemy's turn they all defend.
function sea_defenders(zone)
  return pieces { at = zone, side = foes(game.active), submerged = false, domain = { "sea", "air" } }
end

local function divers(units) return units:filter { has = "dives" } end
local function has_hunter(units) return units:any { has = "hunts-submarines" } end
local function hunted(units) return option "destroyer-stops-first-strike" and has_hunter(units) end

-- Can aircraft of a force with these units hit submarines?
local function spotted(units)
  local when = option "aircraft-hit-submarines"
  if when == "with-destroyer" then return has_hunter(units) end
  return when == "always"
end

local ships_only, flies = {}, {}
for _, kind in ipairs(kinds) do ships_only[kind], flies[kind] = row(kind).tags:has "hits-ships-only", row(kind).domain == "air" end

-- What hits of a type can be put on: submarines hit ships only, aircraft that cannot see submarines hit none.
local function hit_kind(kind, spotting)
  if ships_only[kind] then return "ships-only" end
  return flies[kind] and not spotting and "unspotted" or "free"
end

-- Fires `units`, each power its own, and returns the hits by kind.
local function fire(units, label, worth, spotting)
  local hits = { ["ships-only"] = 0, unspotted = 0, free = 0 }
  for _, side in ipairs(owners_of(units)) do
    local count = census(units:filter { side = side })
    for _, kind in ipairs(kinds) do
      if count[kind] then
        local sort = hit_kind(kind, spotting)
        hits[sort] = hits[sort] + fire_group(label, side, kind, count[kind], worth(kind, side))
      end
    end
  end
  return hits
end

-- Hits that only some units can take come first, so that none is wasted by choice.
local function allot(units, hits, shooter, guests)
  local order = option "constrained-hits-first" and { "ships-only", "unspotted", "free" } or { "free", "unspotted", "ships-only" }
  for _, kind in ipairs(order) do
    local targets = units
    if guests and (kind == "ships-only" or option "allied-ships-share-hits" == "all-fire") then targets = units:plus(guests) end
    call("losses", targets, hits[kind], kind, shooter)
  end
end

-- A ship goes down with everything aboard; only a defender's fighters get off their carrier, by option also those of a guest's.
procedure("sink", { rule = { "sea.C2", "amphib.24", "unit-tr.23", "unit-cv.10", "unit-cv.6" } }, function(unit)
  local lifeline = not allied(unit.side, game.active) or (unit.side ~= game.active and option "guest-fighters" == "refuge")
  if lifeline then
    for _, fighter in ipairs(unit.cargo:filter { domain = "air" }) do move(fighter, unit.space) end
  end
  destroy(unit)
end)

procedure("sea.remove", { rule = { "sea.E1", "land.E1" } }, function(zone)
  local lost = pieces { at = zone, hit = true }
  if #lost > 0 then zone.blooded = true end
  for _, unit in ipairs(lost:filter { domain = "air" }) do destroy(unit) end
  for _, unit in ipairs(lost:filter { domain = "sea" }) do call("sink", unit) end
end)

procedure("dive", { rule = { "sea.B7", "unit-sub.8", "unit-sub.11" } }, function(side, boats)
  if #boats == 0 then return end
  for _, boat in ipairs(pick_some(side, "dive", boats, { zone = boats[1].space }, 0)) do
    boat.submerged = true
    boat.hit = false
    log("dived", side, boat)
  end
end)

-- Step B: attacking submarines dive or stay; without an enemy destroyer they fire before anybody else and what they hit is gone at once.
procedure("sea.first-strike", { rule = { "sea.B1", "sea.B2", "sea.B3", "sea.B4", "sea.B5", "sea.B6", "multi.5", "unit-bb.5", "unit-bb.6", "unit-sub.2", "unit-dd.3", "outside.9", "unit-cv.9", "unit-sub.6" } },
function(zone, round)
  call("dive", game.active, divers(sea_attackers(zone)))
  if hunted(sea_defenders(zone)) or (round > 1 and option "sea-round-from" == "C") then return end
  local boats = sea_attackers(zone):filter { has = "strikes-first" }
  allot(sea_defenders(zone), fire(boats, "first-strike", attack_of, false), game.active)
  call("sea.remove", zone)
  return "fired"
end)

-- Step C: everything else of the attacker.
procedure("sea.attack", { rule = { "sea.C1", "unit-sub.3", "unit-dd.4", "unit-dd.5", "unit-bb.7", "unit-tr.21" } }, function(zone, fired)
  local units = sea_attackers(zone)
  local shooters = fired and units:minus(units:filter { has = "strikes-first" }) or units
  allot(sea_defenders(zone), fire(shooters, "attack", attack_of, spotted(units)), game.active)
end)

-- Ships of the attacker's allies beside him may be given up to a submarine's reply.
local function allied_guests(zone)
  if option "allied-ships-share-hits" == "never" then return nil end
  local list = pieces { at = zone, side = friends(game.active), not_side = game.active, domain = "sea", submerged = false }
  return #list > 0 and list or nil
end

-- Step D: defending submarines that were not hit may dive; all others fire, those just hit too.
procedure("sea.defence", { rule = { "sea.D1", "sea.D2", "sea.D3", "unit-sub.4", "unit-sub.5", "unit-sub.7", "unit-cv.8", "unit-cv.9", "multi.6", "unit-tr.22" } },
function(zone)
  local boats = divers(sea_defenders(zone))
  if not option "hit-submarine-may-submerge" then boats = boats:filter { hit = false } end
  for _, side in ipairs(owners_of(boats)) do
    call("dive", side, boats:filter { side = side })
  end
  local all = sea_defenders(zone)
  if #all == 0 then return end
  allot(sea_attackers(zone), fire(all, "defence", defence_of, spotted(all)), all[1].side, allied_guests(zone))
end)

local function all_fly(units) return units:all { domain = "air" } end

-- Nobody of `a` can hit anybody of `d`: shots at ships only against aircraft, aircraft against what hides from them.
local function harmless(a, d)
  if all_fly(d) then return a:all { has = "hits-ships-only" } end
  return option "aircraft-hit-submarines" ~= "always" and all_fly(a) and d:all { has = "hidden-from-aircraft" }
end

-- Over when a side is sunk or submerged, or when only submarines face only aircraft.
local function over(zone)
  local a, d = sea_attackers(zone), sea_defenders(zone)
  return #a == 0 or #d == 0 or harmless(a, d) and harmless(d, a)
end

procedure("sea-battle", { rule = { "sea.1", "sea.A1" }, stages = { "line-up", "rounds", "outcome" } })

-- Everything the attacker has here fights; his own fighters leave a carrier that has not moved, others aboard are cargo.
procedure("sea-battle.line-up", { rule = { "cmove.16", "amphib.23", "unit-cv.4", "unit-cv.5", "unit-cv.6", "unit-ftr.4", "amphib.21" } }, function(zone)
  zone.fought = true
  for _, carrier in ipairs(pieces { at = zone, side = game.active, min_deck = 1, spent = 0 }) do
    for _, fighter in ipairs(carrier.cargo:filter { side = game.active, used = false }) do
      fighter.airborne = true
      fighter.used = true
      move(fighter, zone)
    end
  end
  for _, unit in ipairs(sea_attackers(zone)) do unit.fought = true end
end)

procedure("sea-battle.rounds", { rule = { "sea.F1", "sea.F7", "sea.F8", "sea.F9", "sea.F10" } }, function(zone)
  local origins = sea_attackers(zone):filter { domain = "sea" }:map "origin"
  local round = 0
  if not over(zone) then log("sea-battle", game.active, zone, words_for(sea_attackers(zone)), words_for(sea_defenders(zone))) end
  while not over(zone) do
    round = round + 1
    if round > 1 then zone.blooded = true end
    local fired = call("sea.first-strike", zone, round)
    if over(zone) then break end
    call("sea.attack", zone, fired)
    call("sea.defence", zone)
    call("sea.remove", zone)
    if not over(zone) and call("sea.retreat", zone, origins) then break end
  end
end)

procedure("sea-battle.outcome", { rule = { "convoy.8", "sea.F5" } }, function(zone)
  call("carrier.refuge", zone)
  call("convoy.won", zone, game.active)
end)

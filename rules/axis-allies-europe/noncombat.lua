-- Part 4: land units and guns among friends, aircraft to their bases, and the Soviet exchange.

-- Friendly land within reach; never enemy or neutral ground, not even empty.
walk_targets = query("walk-targets", { rule = { "noncombat.4", "noncombat.5", "board.17", "board.16" } }, function(team, from, speed)
  local friends = friendly_land(team)
  local reach = near("land", from):both(friends)
  if speed == 1 then return reach end
  for _ = 1, speed - 1 do reach = around_land(reach):both(friends) end
  return reach:minus { from }:spaces()
end)

local mideast = query("mideast", { rule = "outside.6" }, function() return spaces { mideast = true } end)

-- The guns of a power's allies.
local team_guns = query("team-guns", { rule = "unit-aa.8" }, function(side)
  local list = nowhere()
  for _, ally in ipairs(friends(side)) do list = list:plus(guns_of(ally)) end
  return list:minus(guns_of(side))
end)

-- A gun in the Middle East belongs to all Allies, who may move it once a round.
local shared_guns = query("shared-guns", { rule = "unit-aa.8" }, function(side)
  return team_guns(side):filter { used = false, shifted = false, at = mideast() }
end)

-- Guns taken this turn stay.
local function movable_guns(side)
  return guns_of(side):filter { used = false, shifted = false }:plus(shared_guns(side)):filter { not_at = fresh_land() }
end

local gun_posts = query("gun-posts", { rule = { "noncombat.6", "noncombat.7", "unit-aa.8" } }, function(side) return movable_guns(side):spaces() end)

-- Who can still walk from here.
local function walkers(side, space)
  local troops = troops_of(side):filter { used = false, at = space }
  if not gun_posts(side):has(space) then return troops end
  return troops:plus(movable_guns(side):filter { at = space })
end

-- Territories that have neighbours by land.
local joined_land = query("joined-land", { rule = { "noncombat.4", "board.17" } }, function()
  return spaces { ground = "land" }:filter(function(space) return #near("land", space) > 0 end):spaces()
end)

-- Friendly territories with a friendly one beside them. Only next to others it needs a closer look.
local walkable = query("walkable", { rule = "noncombat.4" }, function(team)
  local friends = friendly_land(team):both(joined_land())
  local doubtful = friends:both(around_land(joined_land():minus(friends)))
  return friends:minus(doubtful:filter(function(space) return #near("land", space):both(friends) == 0 end):spaces())
end)

walk_origins = query("walk-origins", { rule = "noncombat.3" }, function(side)
  return camps(side):plus(gun_posts(side)):both(walkable(team(side)))
end)

forbid_all("walk.to", "never-neutral-land", { rule = { "noncombat.5", "board.12" } }, function()
  return neutral_land(), no "neutral"
end)

forbid_all("walk.to", "never-enemy-land", { rule = "noncombat.5" }, function(ask)
  return hostile_land(team(ask.side)), no "enemy-land"
end)

forbid_all("walk.to", "too-far", { rule = { "noncombat.4", "board.16", "board.15" } }, function(ask)
  return friendly_land(team(ask.side)):minus(ask.targets), no("no-open-way", ask.kind)
end)

offer("non-combat-move", "walk", { rule = { "noncombat.3", "noncombat.4", "noncombat.6" }, among = walk_origins, run = "walk" })

procedure("walk", { rule = { "noncombat.4", "noncombat.6", "noncombat.7", "unit-aa.5", "unit-aa.6", "unit-aa.7", "unit-aa.8", "capital.3" } }, function(from, side)
  local able = walkers(side, from)
  local kind = ask(side, "walk.type", { among = types_in(able), from = from })
  local to = ask_territory(side, "walk.to", from, kind, walk_targets(team(side), from, speed_of(kind)))
  local ready = able:filter { type = kind }
  local n = ask(side, "walk.count", { from = 1, to = #ready, kind = kind })
  for _, unit in ipairs(ready:take(n)) do
    unit.used = true
    if kind == "aa-gun" then
      if from.mideast then unit.shifted = true end
      unit.side = controller(to) or side
    end
    move(unit, to)
  end
end)

-- Aircraft: those in the air must land, the others may change base. No guns fire at them now.
local flyers = query("flyers", { rule = { "noncombat.1", "noncombat.11", "unit-cv.5" } }, function(side)
  return ready_aircraft(side):plus(aircraft_of(side):filter { airborne = true })
end)

local function bases(side, unit) return landing_places(side, unit):minus { unit.place } end

-- Where a power's aircraft stand that have not flown this turn.
local hangars = query("hangars", { rule = "noncombat.11" }, function(side) return flyers(side):filter { spent = 0 }:spaces() end)

-- Those of these territories with another base that any aircraft can reach; most have one next door.
local transfers = query("transfers", { rule = { "noncombat.11", "noncombat.14" } }, function(side)
  local mine, speed = team(side), math.min(speed_of("fighter"), speed_of("bomber"))
  local safe = secure_land(mine)
  return hangars(side):both(friendly_land(mine)):filter(function(from)
    return #near("air", from):both(safe) > 0 or #landing_land(mine, from, speed):minus { from } > 0
  end):spaces()
end)

-- All others: in the air, on carriers, far from home.
local outlying = query("outlying", { rule = { "noncombat.1", "noncombat.11" } }, function(side)
  return flyers(side):filter { not_at = transfers(side) }
end)

-- Where an aircraft stands that has somewhere to land.
base_origins = query("base-origins", { rule = { "noncombat.1", "noncombat.11" } }, function(side)
  return transfers(side):plus(outlying(side):filter(function(unit) return #bases(side, unit) > 0 end):spaces())
end)

offer("non-combat-move", "base", { rule = { "noncombat.1", "noncombat.11", "noncombat.12", "noncombat.16", "unit-aa.11" }, among = base_origins, run = "base" })

procedure("base", { rule = { "noncombat.1", "noncombat.2", "noncombat.11", "noncombat.13", "noncombat.14", "noncombat.16", "unit-cv.3", "capture.3" } }, function(from, side)
  local able = sorts(flyers(side):filter { at = from }):filter(function(unit) return #bases(side, unit) > 0 end)
  local unit = ask(side, "base.unit", { among = able, from = from })
  local to = ask(side, "base.to", { among = bases(side, unit), unit = unit })
  local same = flyers(side):filter { at = from, type = unit.type, spent = unit.spent, place = unit.place }
  local most = #same
  if is_carrier(to) and deck_room(to) < most then most = deck_room(to) end
  local n = ask(side, "base.count", { from = 1, to = most, unit = unit })
  for i = 1, n do call("touch-down", same[i], to) end
end)

-- The Soviet Union takes over British and American units in its factory cities, asking nobody.
local exchangeable = query("exchangeable", { rule = { "soviet.1", "soviet.6" } }, function()
  local where = spaces { owner = "soviet", marker = none, closed = false }
  if option "soviet-exchange-where" == "complex" then where = where:both(all_spaces({ "soviet" }, "complexes")) end
  return pieces { at = where, side = { "british", "american" }, min_hits = 1 }
end)

offer("non-combat-move", "exchange", { rule = { "soviet.1", "soviet.4", "soviet.6", "diff.11" }, side = "soviet",
  when = function(side) return side == "soviet" and #exchangeable() > 0 end,
  run = "exchange" })

procedure("exchange", { rule = { "soviet.1", "soviet.2", "soviet.3", "soviet.5", "soviet.7", "diff.11", "soviet.4", "soviet.6" } }, function()
  local side = game.active
  for _, unit in ipairs(pick_some(side, "exchange", exchangeable(), {})) do
    unit.side = side
    unit.used = true
  end
end)

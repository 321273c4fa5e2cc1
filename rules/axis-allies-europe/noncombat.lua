-- Part 4: land units and guns among friends, aircraft to their bases, and the Soviet exchange.

-- Friendly land within reach; never enemy or neutral ground, not even empty.
walk_targets = query("walk-targets", { rule = { "noncombat.4", "noncombat.5", "board.17", "board.16" } }, function(team, from, speed)
  local friends = friendly_land(team)
  local reach = near("land", from):both(friends)
  for _ = 1, speed - 1 do reach = around_land(reach):both(friends) end
  return reach:minus { from }
end)

local mideast = query("mideast", { rule = "outside.6" }, function() return spaces { mideast = true } end)

local fresh_land = query("fresh-land", { rule = "noncombat.7" }, function() return spaces { fresh = true } end)

-- Guns taken this turn stay; a gun in the Middle East belongs to all Allies, who may move it once a round.
local movable_guns = query("movable-guns", { rule = { "noncombat.6", "noncombat.7", "unit-aa.8" } }, function(side)
  local own = pieces { side = side, type = "aa-gun", used = false, shifted = false, on_map = true }
  local shared = pieces { side = friends(side), type = "aa-gun", used = false, shifted = false, at = mideast() }
  return own:plus(shared):filter { not_at = fresh_land() }
end)

local walkers = query("walkers", { rule = { "noncombat.3", "noncombat.6", "amphib.11", "unit-tr.16" } }, function(side)
  return troops_of(side):filter { used = false }:plus(movable_guns(side))
end)

walk_types = query("walk-types", { rule = "noncombat.3" }, function(side, space)
  return types_in(walkers(side):filter { at = space })
end)

-- Territories with a friendly one beside them.
local walkable = query("walkable", { rule = "noncombat.4" }, function(team)
  return friendly_land(team):filter(function(space) return #walk_targets(team, space, 1) > 0 end)
end)

local walker_spaces = query("walker-spaces", { rule = "noncombat.3" }, function(side) return camps(side):plus(movable_guns(side):spaces()) end)

walk_origins = query("walk-origins", { rule = "noncombat.3" }, function(side)
  return walker_spaces(side):both(walkable(team(side)))
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
  local kind = ask(side, "walk.type", { among = walk_types(side, from), from = from })
  local to = ask_territory(side, "walk.to", from, kind, walk_targets(team(side), from, row(kind).speed))
  local ready = walkers(side):filter { at = from, type = kind }
  local n = ask(side, "walk.count", { from = 1, to = #ready, kind = kind })
  for i = 1, n do
    ready[i].used = true
    if kind == "aa-gun" and from.mideast then ready[i].shifted = true end
    if kind == "aa-gun" then ready[i].side = controller(to) or side end
    move(ready[i], to)
  end
end)

-- Aircraft: those in the air must land, the others may change base. No guns fire at them now.
local flyers = query("flyers", { rule = { "noncombat.1", "noncombat.11", "unit-cv.5" } }, function(side)
  return ready_aircraft(side):plus(aircraft_of(side):filter { airborne = true })
end)

local function bases(side, unit) return landing_places(side, unit):minus { unit.place } end

-- Friendly territories with another one within so many steps.
local base_zone = query("base-zone", { rule = { "noncombat.11", "noncombat.14" } }, function(team, steps)
  return friendly_land(team):filter(function(from) return #air_range(from, steps):both(secure_land(team)):minus { from } > 0 end)
end)

-- Where a power's aircraft of a type stand that have not flown this turn.
local hangars = query("hangars", { rule = "noncombat.11" }, function(side, kind) return flyers(side):filter { type = kind, spent = 0 }:spaces() end)

-- Bases, and spaces with aircraft in the air or on carriers, from which one of them has somewhere to land.
base_origins = query("base-origins", { rule = { "noncombat.1", "noncombat.11" } }, function(side)
  local mine, all = team(side), nowhere()
  for _, kind in ipairs { "fighter", "bomber" } do all = all:plus(hangars(side, kind):both(base_zone(mine, row(kind).speed))) end
  local others = flyers(side):filter { not_at = all }
  return all:plus(others:filter(function(unit) return #bases(side, unit) > 0 end):spaces())
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
local function exchangeable()
  local where = spaces { owner = "soviet", marker = none, closed = false }
  if option "soviet-exchange-where" == "complex" then where = where:both(complexes_of("soviet"):spaces()) end
  return pieces { at = where, side = friends "soviet", not_side = "soviet", min_hits = 1 }
end

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

-- Part 4: aircraft to their bases, and the Soviet exchange.

-- Aircraft: those in the air must land, the others may change base. No guns fire at them now.
local flyers = query("flyers", { rule = { "noncombat.1", "noncombat.11", "unit-cv.5" } }, function(side)
  return ready_aircraft(side):plus(aircraft_of(side):filter { airborne = true })
end)

local function bases(side, unit) return landing_places(side, unit):minus { unit.place } end

-- Where a power's aircraft stand that have not flown this turn.
local hangars = query("hangars", { rule = "noncombat.11" }, function(side) return flyers(side):filter { spent = 0 }:spaces() end)

-- How far the slowest aircraft flies.
local slowest
for _, kind in ipairs(air_kinds) do slowest = slowest and math.min(slowest, speed_of(kind)) or speed_of(kind) end

-- Those of these territories with another base that any aircraft can reach; most have one next door.
local transfers = query("transfers", { rule = { "noncombat.11", "noncombat.14" } }, function(side)
  local mine = team(side)
  local safe = secure_land(mine)
  return hangars(side):both(friendly_land(mine)):filter(function(from)
    return #near("air", from):both(safe) > 0 or #landing_land(mine, from, slowest):minus { from } > 0
  end):spaces()
end)

-- All others: in the air, on carriers, far from home.
local outlying = query("outlying", { rule = { "noncombat.1", "noncombat.11" } }, function(side)
  return flyers(side):filter { not_at = transfers(side) }
end)

-- Where an aircraft stands that has somewhere to land.
home_origins = query("home-origins", { rule = { "noncombat.1", "noncombat.11" } }, function(side)
  return transfers(side):plus(outlying(side):filter(function(unit) return #bases(side, unit) > 0 end):spaces())
end)

offer("non-combat-move", "fly", { rule = { "noncombat.1", "noncombat.11", "noncombat.12", "noncombat.16", "unit-aa.11" }, among = home_origins, run = "fly.home" })

-- Of aircraft that are alike at one place, how many of them fit into the new one.
procedure("fly.home", { rule = { "noncombat.1", "noncombat.2", "noncombat.11", "noncombat.13", "noncombat.14", "unit-cv.3" } }, function(from, side)
  local here = flyers(side):filter { at = from }
  local able = sorts(here):filter(function(unit) return #bases(side, unit) > 0 end)
  local unit = ask(side, "fly.home.unit", { among = able, from = from })
  local to = ask(side, "fly.home.to", { among = bases(side, unit), unit = unit, from = from })
  local same = same_sort(here, unit)
  local most = is_carrier(to) and math.min(deck_room(to), #same) or #same
  local n = ask(side, "fly.home.count", { from = 1, to = most, unit = unit, base = to })
  for i = 1, n do call("touch-down", same[i], to) end
end)

-- The Soviet Union takes over British and American units in its factory cities, asking nobody.
local exchangeable = query("exchangeable", { rule = { "soviet.1", "soviet.6" } }, function()
  local where = spaces { owner = "soviet", marker = none, closed = false }
  if option "soviet-exchange-where" == "complex" then where = where:both(all_spaces({ "soviet" }, "complexes")) end
  return pieces { at = where, side = { "british", "american" }, min_hits = 1 }
end)

offer("non-combat-move", "exchange", { rule = { "soviet.1", "soviet.4" }, side = "soviet",
  when = function(side) return side == "soviet" and #exchangeable() > 0 end,
  run = "exchange" })

procedure("exchange", { rule = { "soviet.1", "soviet.2", "soviet.3", "soviet.5", "soviet.7", "diff.11", "soviet.4" } }, function()
  local side = game.active
  local units = pick_some(side, "exchange", exchangeable(), {})
  log("exchanged", words_for(units))
  for _, unit in ipairs(units) do
    unit.side = side
    unit.used = true
  end
end)

-- Land units in the combat move: attacks, walk-ins and the tanks' blitz.

-- Enemy territories with nothing at all in them, which a tank may run through: a lone AA gun already counts as a garrison.
blitz_land = query("blitz-land", { rule = { "cmove.11", "unit-arm.2" } }, function(side)
  return hostile_land(team(side)):minus(all_spaces(foes(side), "garrisons")):minus(tolled_land())
end)

-- Where units with this speed may attack from here: next door, or two steps away through friendly or empty land.
march_targets = query("march-targets", { rule = { "cmove.1", "board.17", "board.20" } }, function(side, from, speed)
  local doors, enemy, own = near("land", from), open_to_attack(side), friendly_land(team(side))
  local targets = doors:both(enemy)
  if speed == 1 then return targets end
  local open = doors:both(blitz_land(side))
  local beyond = around_land(open):plus(around_land(doors:both(own)))
  targets = targets:plus(beyond:both(enemy))
  if option "blitz-may-return" then targets = targets:plus(around_land(open):both(own)) end
  return targets:minus { from }:spaces()
end)

function around_land(list) return flood { from = list, over = "land", steps = 1 } end

-- The territories between `from` and `to` that are worth naming: empty enemy ones, or one friendly one if there is no other way.
local function stages(side, from, to)
  local between = near("land", from):both(near("land", to))
  local empty = between:both(blitz_land(side)):minus { to }
  if near("land", from):has(to) or #empty > 0 then return empty end
  return { between:both(friendly_land(team(side)))[1] }
end

-- Land units of a power that could still set out; guns wait for part 4.
local function fresh_troops(side) return troops_of(side):filter { used = false } end

-- Where a unit of this speed must stand to attack: beside the enemy, or with one friendly territory between.
local march_front = query("march-front", { rule = "cmove.1" }, function(side, speed)
  local front = around_land(open_to_attack(side))
  if speed == 1 then return front end
  return front:plus(around_land(front:both(friendly_land(team(side)))))
end)

-- Where units that could set out stand: all, or tanks only.
camps = query("camps", { rule = { "cmove.1", "amphib.11", "unit-tr.16" } }, function(side, tanks)
  return (tanks and tanks_of(side) or troops_of(side)):filter { used = false }:spaces()
end)

march_origins = query("march-origins", { rule = { "cmove.1", "board.15" } }, function(side)
  return camps(side):both(march_front(side, 1)):plus(camps(side, true):both(march_front(side, speed_of("tank"))))
end)

-- The unit types at `space` that have somewhere to attack.
march_types = query("march-types", { rule = "cmove.1" }, function(side, space)
  return fresh_troops(side):filter { at = space }:distinct("type")
    :filter(function(unit) return #march_targets(side, space, unit.speed) > 0 end):map "type"
end)

forbid_all("march.to", "neutral-states-are-closed", { rule = { "board.12", "diff.3" } }, function()
  return neutral_land(), no "neutral"
end)

forbid_all("march.to", "combat-moves-enter-enemy-land", { rule = "cmove.1" }, function(ask)
  return friendly_land(team(ask.side)):minus(ask.targets), no "friendly-land"
end)

forbid_all("march.to", "no-open-way", { rule = { "board.17", "cmove.11", "unit-arm.2" } }, function(ask)
  return hostile_land(team(ask.side)):minus(ask.targets), no("no-open-way", ask.kind)
end)

offer("combat-move", "march", { rule = { "cmove.1", "cmove.2", "board.15" }, among = march_origins, run = "march" })

procedure("march", { rule = { "cmove.1", "cmove.3", "cmove.7", "cmove.11", "unit-arm.3" } }, function(from, side)
  local kind = ask(side, "march.type", { among = march_types(side, from), from = from })
  local to = ask_territory(side, "march.to", from, kind, march_targets(side, from, speed_of(kind)))
  local via
  if speed_of(kind) > 1 then
    local direct = near("land", from):has(to)
    via = ask(side, "march.via", { among = stages(side, from, to), none = direct and "direct" or nil, from = from, to = to })
  end
  local path = via and { via, to } or { to }
  local ready = fresh_troops(side):filter { at = from, type = kind }
  local n = ask(side, "march.count", { from = 1, to = #ready, kind = kind })
  for i = 1, n do
    local unit = ready[i]
    unit.used = true
    unit.spent = #path
    unit.origin = via or from
    move(unit, to)
  end
  if via and hostile(side, via) then call("capture", via, side) end
  if hostile(side, to) and #garrison(side, to) == 0 then call("capture", to, side) end
end)

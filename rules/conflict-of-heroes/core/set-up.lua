-- Setting up a scenario (1.0) and bringing on reinforcements (5.1).

procedure("lay-out", { rule = { "1.0a", "1.0b", "1.0h", "3.2a", "21.3a", "5.0-t.corn" } }, function()
  for _, side in ipairs(value "forces") do
    local more = option "handicap-for" == side and option "handicap" or 0
    sides[side].caps_start = value "caps"[side] + more
    sides[side].caps = sides[side].caps_start
  end
  for _, hex in ipairs(spaces { terrain = option "high-corn" and "corn" or {} }) do hex.obstacle = value "corn-height" end
  for _, goal in ipairs(value "objectives") do
    for _, id in ipairs(goal.hexes) do
      local hex = space(id)
      hex.objective = goal.vp
      if goal.control then hex.control = goal.control end
    end
  end
  for _, work in ipairs(value "fortify") do call("fortify", work) end
end)

-- A fortification or obstacle of the scenario, in a given hex (18.2a, 18.4e, 18.0b).
procedure("fortify", { rule = { "18.0b", "18.2a", "18.4e" } }, function(work)
  for _, id in ipairs(work.hexes) do
    local marker = create(work.type, work.side, id)
    if work.facing then marker.facing = work.facing end
    for _, unit in ipairs(pieces { kind = "unit", at = space(id), side = work.side }) do
      if marker.fort and may_use(unit, marker) and work.occupied then unit.shelter = marker end
    end
  end
end)

-- Free deployment: one unit or marker at a time, in a zone of the scenario (1.0d, 1.0f, 1.0k).
procedure("deploy", { rule = { "1.0d", "1.0f", "1.0k", "10.0a" } }, function()
  local list = value "deploy"
  local at = game.deployed + 1
  if at > #list then return "done" end
  local item = list[at]
  game.deployed = at
  for _ = 1, item.n do call("deploy-one", item) end
end)

function room_for(item)
  local zone = hexes_named(value "zones"[item.zone])
  ---@type any
  local mode = row(item.type).mode
  if row(item.type).kind == "marker" then
    return zone:minus(pieces { kind = "marker", type = item.type, on_map = true }:spaces()):minus(hidden_markers(item.side))
  end
  zone = zone:minus(enemy_hexes(item.side))
  if item.hidden then zone = zone:minus(own_hexes(item.side)) end
  return zone:filter(function(hex) return value(mode)[hex.terrain] ~= nil or hex.road end)
end

function hidden_markers(side)
  local taken = {}
  for _, field in ipairs(pieces { kind = "marker", place = notes(side) }) do table.insert(taken, field.lair) end
  return nowhere():plus(taken)
end

function place_openly(item)
  if item.may_ride and call("start-aboard", item) then return end
  local side = item.side
  local hex = ask(side, "deploy.where", { among = room_for(item), type = item.type })
  if item.hidden then return call("hide-away", item, hex) end
  local unit = create(item.type, side, hex)
  if unit.kind ~= "unit" then return end
  if item.prize then unit.prize = item.prize end
  call("turn-round", unit)
  call("start-in-works", unit)
end
procedure("deploy-one", { rule = { "1.0d", "10.0a", "18.5a" } }, place_openly)

-- Whoever starts where there are works may start inside them (1.0d, 18.0c).
procedure("start-in-works", { rule = { "1.0d", "18.0c" } }, function(unit)
  local works = forts_in(unit.space):filter(function(fort) return may_use(unit, fort) end)
  if works:any() then unit.shelter = ask(unit.side, "deploy.works", { among = works, none = "outside", unit = unit }) end
end)

-- Units that may start on board a vehicle that is already there (17.0a).
procedure("start-aboard", { rule = { "17.0a", "s07.1" } }, function(item)
  local side = item.side
  local free = pieces { type = item.may_ride, side = side, on_map = true }:filter(function(carrier) return not carries(carrier) end)
  local carrier = free:any() and ask(side, "deploy.aboard", { among = free, none = "on-foot", type = item.type })
  if not carrier then return false end
  local unit = create(item.type, side, carrier)
  unit.carried, unit.facing = true, carrier.facing
  return true
end)

-- Secretly noted; in solitaire play two coins a unit, and the unit with a dummy in the cup (10.0a, 21.2a).
procedure("hide-away", { rule = { "10.0a", "1.0k", "21.2a" } }, function(item, hex)
  local side = item.side
  if option "solitaire-hidden" and row(item.type).kind == "unit" then
    local other = ask(side, "deploy.second-coin", { among = room_for(item):minus { hex }, type = item.type })
    create("coin", side, notes(side)).lair = hex
    create("coin", side, notes(side)).lair = other
    create(item.type, side, space "cup")
    create("decoy", side, space "cup")
    return
  end
  create(item.type, side, notes(side)).lair = hex
end)

-- Reinforcements (5.1): they wait off the map and enter by an action.
procedure("muster", { rule = { "5.1a", "5.1d", "20.0a" } }, function(wave)
  for _, batch in ipairs(wave.units) do
    for _ = 1, batch.n do
      if wave.aircraft then
        local plane = create(batch.type, wave.side, "hangar")
        plane.entry = edge_hexes(wave.edges)
        for _, load in ipairs(value "bombs") do
          if load.on == batch.type then create(load.type, wave.side, plane, load.n) end
        end
      else
        local unit = create(batch.type, wave.side, "reserve")
        unit.entry = hexes_named(wave.entry)
        call("board", unit, batch)
      end
    end
  end
end)

-- Riders and towed guns of the same wave come on with their carrier.
procedure("board", { rule = { "5.1d", "17.0a" } }, function(unit, batch)
  local ride = batch.loaded or batch.may_ride
  if not ride then return end
  for _, carrier in ipairs(pieces { type = ride, side = unit.side, place = space "reserve" }) do
    if not carries(carrier) then
      if batch.may_ride and ask(unit.side, "board.ride", { among = { "ride", "walk" }, unit = unit }) == "walk" then return end
      move(unit, carrier)
      unit.carried = true
      return
    end
  end
end)

waiting = query("waiting", { rule = "5.1a" }, function(side)
  if space("reserve").count == 0 then return nobody() end
  return pieces { kind = "unit", side = side, place = space "reserve", carried = false }
end)

-- The entry hexes that are open: not held by the enemy and passable, or else the nearest that are (5.1b, 5.1c).
open_entries = query("open-entries", { rule = { "5.1b", "5.1c" } }, function(unit)
  local listed = nowhere():plus(unit.entry)
  local free = listed:minus(enemy_hexes(unit.side)):filter(function(hex) return entry_cost(unit, hex) ~= nil end)
  if not free:any() then free = nearest_entries(unit, listed) end
  return free
end)

function entries(unit, budget)
  local free = open_entries(unit)
  return free:filter(function(hex) return entry_cost(unit, hex) <= budget end)
end

function nearest_entries(unit, listed)
  local far, found = 0, nowhere()
  repeat
    far = far + 1
    for _, hex in ipairs(listed) do found = found:plus(ring(hex, far)) end
    found = found:minus(enemy_hexes(unit.side)):filter(function(hex) return entry_cost(unit, hex) ~= nil end)
  until found:any()
  return found
end

function entry_cost(unit, hex)
  local cost = hex.road and 0 or value(unit.mode)[hex.terrain]
  return cost and cost + unit.move
end

local function entering(side, budget)
  return waiting(side):filter(function(unit) return entries(unit, budget):any() end)
end

offer("turn", "enter", { rule = { "5.1b", "3.0a" },
  when = function(side) return waiting(side):any() end,
  among = function(side) return entering(side, value "activation-ap"):filter { status = "ready" } end,
  run = "turn.enter" })

-- A roll for AP may be too low to enter (3.0.1a): then the unit is spent, and the turn goes on.
procedure("turn.enter", { rule = { "5.1b", "3.0b", "3.0.1a" } }, function(unit, side)
  call("begin-activation", unit)
  if not entries(unit, budget_for(side, "ap")):any() then
    call("end-activation", side)
    return "free"
  end
  return call("come-on", unit, side, "ap")
end)

offer("turn", "enter-joining", { rule = { "5.1b", "5.1d", "9.0b" },
  when = function(side) return in_force "groups" and waiting(side):any() and sides[side].ap > 0 and active_of(side):filter { not_mode = "air" }:any() end,
  among = function(side) return entering(side, sides[side].ap + sides[side].caps):filter { status = "ready" } end,
  run = "turn.enter-joining" })

procedure("turn.enter-joining", { rule = { "5.1d", "9.0b" } }, function(unit, side)
  unit.status = "active"
  return call("come-on", unit, side, "ap")
end)

offer("turn", "enter-opportunity", { rule = { "5.1b", "3.1a" },
  when = function(side) return waiting(side):any() end,
  among = function(side) return entering(side, value "no-limit"):filter { status = "ready" } end,
  run = "turn.enter-opportunity" })

procedure("turn.enter-opportunity", { rule = { "5.1b", "3.1a" } }, function(unit, side) return call("come-on", unit, side, "opportunity") end)

offer("turn", "enter-command", { rule = { "5.1b", "3.2.2a" },
  when = function(side) return waiting(side):any() and sides[side].caps > 0 end,
  among = function(side) return entering(side, sides[side].caps) end,
  run = "turn.enter-command" })

procedure("turn.enter-command", { rule = { "5.1b", "3.2.2a" } }, function(unit, side) return call("come-on", unit, side, "command") end)

-- Others who may come on with a unit: each by an entry hex of its own, the same as the leader's or beside it (5.1d, 9.1.1a).
local function entrants(act, hex)
  if not in_force "groups" or under_orders(act.side) then return nobody() end
  local others = waiting(act.side):minus { act.unit }
  if act.how ~= "command" then others = others:filter { status = "ready" } end
  return others:filter(function(unit) return entries(unit, act.budget):both(near(hex, 1)):any() end)
end

procedure("come-on", { rule = { "5.1b", "5.1c", "5.1d", "9.1.1a" } }, function(unit, side, how)
  local act = new_action(unit, side, how)
  act.mined = true -- mines strike hex by hex
  local first = ask(side, "enter.at", { among = entries(unit, act.budget), unit = unit })
  local hexes, others = { first }, entrants(act, first)
  for i, other in ipairs(choose(side, "enter.with", { among = others, min = 0, max = #others, unit = unit })) do
    hexes[i + 1] = ask(side, "enter.at", { among = entries(other, act.budget):both(near(first, 1)), unit = other })
    enlist(act, other)
  end
  for i, hex in ipairs(hexes) do call("set-foot", act, act.group[i], hex) end
  return call("finish-action", act)
end)

-- The first hex, and the bonus hexes of a vehicle that comes on by road or over open ground (14.0b, 14.0c).
procedure("set-foot", { rule = { "5.1b", "17.0g", "5.1d", "14.0b", "14.0c", "5.0.1a" } }, function(act, unit, hex)
  act.walked, act.bonus, act.backward = entry_cost(unit, hex), nil, false
  act.walked = act.walked + call("caution", act, unit, hex, 0)
  call("pay-up-to", act, act.walked)
  call("enter-hex", unit, nil, hex)
  for _, load in ipairs(unit.cargo) do
    if load.kind == "unit" then enlist(act, load) end
  end
  call("roll-on", act, unit, under_orders(act.side) and 0 or bonus_hexes(act, unit))
end)

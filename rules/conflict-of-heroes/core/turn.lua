-- A turn: exactly one action, or a pass (2.2). Two passes in a row by opponents end the round.

procedure("turns", { rule = { "2.2a", "2.2j", "2.2l", "2.2m", "21.0d" } }, function()
  local side = game.on_turn
  local result = call("choose-action", side)
  if result == "free" then return end
  if result == "done" then
    call("pass", side)
    if game.passed and hostile(game.passed, side) then return "done" end
    game.passed = side
  else
    game.passed = nil
    if call("another-action", side) then return end
  end
  call("hand-over", side)
end)

function open_choice(side) return menu(side, "turn", { none = "pass" }) end
procedure("choose-action", { rule = "2.2a" }, open_choice)

-- Double Action gives two actions in a row (card.10).
procedure("another-action", { rule = "card.10" }, function(side)
  local left = math.max(0, sides[side].extra - 1)
  sides[side].extra = left
  return left > 0
end)

-- Units with a mark that ends with somebody's turn.
exposed_units = query("exposed-units", { rule = "5.0.1b" }, function() return pieces { kind = "unit", exposed = true } end)
alert_units = query("alert-units", { rule = "card.v07" }, function() return pieces { kind = "unit", alert = true } end)
steeled_units = query("steeled-units", { rule = "card.v11" }, function(side) return pieces { kind = "unit", side = side, steeled = true, not_status = "active" } end)
barred_units = query("barred-units", { rule = "7.6.3l" }, function(side) return pieces { kind = "unit", side = side, min_barred = 1 } end)

procedure("hand-over", { rule = { "2.2a", "9.0d", "5.0.1b" } }, function(side)
  for _, unit in ipairs(exposed_units()) do
    if hostile(unit.side, side) then unit.exposed = false end
  end
  for _, unit in ipairs(alert_units()) do
    if hostile(unit.side, side) then unit.alert = false end
  end
  for _, unit in ipairs(steeled_units(side)) do unit.steeled = false end
  for _, unit in ipairs(barred_units(side)) do unit.barred = 0 end
  sides[side].extra, sides[side].pledged = 0, 0
  game.on_turn = seat_after(side)
end)

procedure("pass", { rule = { "2.2j", "2.2k" } }, function(side)
  log("passes", side)
  call("end-activation", side)
end)

-- Activations (3.0, 9.0): at most one a force; all who shared it are spent together.

active_of = query("active-of", { rule = { "2.2h", "9.0f" } }, function(side)
  return pieces { kind = "unit", side = side, status = "active" }
end)

-- The counter of a hidden unit that is spent lies beside the map, face up (10.1d).
procedure("mark-spent", { rule = { "2.2i", "10.1d" } }, function(unit)
  unit.status = "spent"
  if is_hidden(unit) then reveal(unit) end
end)

procedure("end-activation", { rule = { "2.2i", "2.2k", "3.0d", "9.0e", "card.v04" } }, function(side)
  sides[side].ap = 0
  if sides[side].veteran_ap > 0 then sides[side].veteran_ap = 0 end
  for _, unit in ipairs(active_of(side)) do
    call("mark-spent", unit)
    if unit.marching then unit.marching = false end
    if unit.steeled then unit.steeled = false end
  end
end)

procedure("settle", { rule = { "2.2i", "9.0e" } }, function(side)
  if sides[side].ap == 0 and active_of(side):any() then call("end-activation", side) end
end)

function experienced(unit) return veteran(unit.side, "v04", unit) ~= nil end

-- The points that somebody who joins an activation finds: without Experience not those beyond an ordinary activation (card.v04).
function shared_ap(side, unit)
  local purse = sides[side]
  if purse.veteran_ap == 0 or experienced(unit) then return purse.ap end
  return math.max(0, purse.ap - purse.veteran_ap)
end

procedure("begin-activation", { rule = { "3.0a", "3.0b", "3.0f", "3.0.1a", "card.v04" } }, function(unit)
  local side = unit.side
  call("end-activation", side)
  local ap = value "activation-ap"
  if experienced(unit) then
    ap = row("v04").activation
    sides[side].veteran_ap = ap - value "activation-ap"
  elseif option "variable-ap" then
    ap = math.max(0, call("throw", side, "activation", value "variable-dice", unit))
  end
  unit.status = "active"
  sides[side].ap = ap
  emit("activated", unit)
end)

-- Units that have something to do with so many points.
sound = query("sound", { rule = { "2.2b", "17.0e" } }, function(side)
  return units_of(side):filter { hurt = false, stuck = false, bogged = false, broken_down = false, carried = false }
end)

-- Those who ride can at most rally on board (17.0e).
unsound = query("unsound", { rule = { "7.4d", "17.0e" } }, function(side)
  local riders = units_of(side):filter { carried = true }
  return units_of(side):minus(sound(side)):minus(riders:filter { hurt = false })
end)

-- Most units are sound or hidden: they can always do something, and need no closer look.
willing = query("willing", { rule = { "2.2b", "10.0c" } }, function(side) return sound(side):plus(hidden_of(side)) end)

fresh = query("fresh", { rule = { "2.2c", "3.1b" } }, function(side) return willing(side):filter { status = "ready" } end)

fresh_unsound = query("fresh-unsound", { rule = { "2.2c", "7.4d" } }, function(side) return unsound(side):filter { status = "ready" } end)

function able(unit, how, budget)
  if may_pivot(unit) then return budget >= value "pivot" end
  if how == "ap" and unit.status == "active" and marching(unit.side) then return false end
  local act = { unit = unit, how = how, budget = budget, side = unit.side, walked = 0 }
  for _, can in pairs(deeds) do
    if can(act) then return true end
  end
end

-- Some willing units, and of some others those that can do something for so many points.
local function with_able(ready, others, how, budget)
  if #others == 0 then return ready end
  return ready:plus(others:filter(function(unit) return able(unit, how, budget) end))
end

function able_units(side, how, budget) return with_able(willing(side), unsound(side), how, budget) end
function able_fresh(side, how, budget) return with_able(fresh(side), fresh_unsound(side), how, budget) end

may_activate = query("may-activate", { rule = "2.2o" }, function(side)
  if not option "one-activation" then return true end
  for _, foe in ipairs(foes(side)) do
    if active_of(foe):any() then return false end
  end
  return true
end)

offer("turn", "activate", { rule = { "2.2d", "3.0a", "3.0f", "2.2h" },
  when = function(side) return may_activate(side) end,
  among = function(side) return able_fresh(side, "ap", value "activation-ap"):minus(stayed(side)) end,
  run = "turn.activate" })

-- A roll for AP may be too low for anything (3.0.1a): then the unit is spent, and the turn goes on. Activation is no action: what
-- takes an active unit is possible in the same turn (3.0b).
procedure("turn.activate", { rule = { "3.0b", "3.0f", "3.0g", "3.0.1a" } }, function(unit, side, _, order)
  call("begin-activation", unit)
  if not able(unit, "ap", sides[side].ap + sides[side].caps) then
    call("end-activation", side)
    return "free"
  end
  return call("take-action", unit, side, "ap", nil, order, true)
end)

offer("action", "stall", { rule = { "2.2n", "3.0b" },
  when = function(side, act) return act.fresh and stall_ways(side)[1] == "ap" end,
  run = "action.stall" })

procedure("action.stall", { rule = { "2.2n", "3.0b" } }, function(_, side, act)
  act.mined = true -- whoever only waits sets off nothing
  sides[side].ap = sides[side].ap - value "stall"
end)

offer("turn", "act", { rule = { "2.2d", "3.0c", "3.2.1a" },
  when = function(side) return sides[side].ap > 0 end,
  among = function(side)
    local active = active_of(side)
    return with_able(willing(side):both(active), unsound(side):both(active), "ap", sides[side].ap + sides[side].caps)
  end,
  run = "turn.act" })

procedure("turn.act", { rule = "3.0c" }, function(unit, side) return call("take-action", unit, side, "ap") end)

offer("turn", "join", { rule = { "9.0a", "9.0b", "9.0c" },
  when = function(side) return in_force "groups" and sides[side].ap > 0 and active_of(side):any { not_mode = "air" } end,
  among = function(side)
    local fit = able_fresh(side, "ap", sides[side].ap + sides[side].caps):minus(stayed(side))
    if sides[side].veteran_ap == 0 then return fit end
    return fit:filter(function(unit) return shared_ap(side, unit) > 0 and able(unit, "ap", shared_ap(side, unit) + sides[side].caps) end)
  end,
  run = "turn.join" })

procedure("turn.join", { rule = { "9.0b" } }, function(unit, side)
  call("join-in", unit)
  return call("take-action", unit, side, "ap")
end)

offer("turn", "opportunity", { rule = { "2.2e", "3.1a", "3.1b" },
  among = function(side) return able_fresh(side, "opportunity", value "no-limit") end,
  run = "turn.opportunity" })

procedure("turn.opportunity", { rule = { "3.1a", "2.2p", "3.0e" } }, function(unit, side) return call("take-action", unit, side, "opportunity") end)

offer("turn", "command", { rule = { "2.2f", "3.2.2a", "3.2.2b" },
  when = function(side) return sides[side].caps > 0 end,
  among = function(side) return able_units(side, "command", sides[side].caps) end,
  run = "turn.command" })

procedure("turn.command", { rule = { "3.2.2a", "3.0e" } }, function(unit, side) return call("take-action", unit, side, "command") end)

-- AP of a forced march are for movement only (card.v01).
function stall_ways(side)
  local ways = {}
  if sides[side].ap >= value "stall" and active_of(side):any { not_mode = "air" } and not marching(side) then ways[1] = "ap" end
  if sides[side].caps >= value "stall" then table.insert(ways, "caps") end
  return ways
end

offer("turn", "stall", { rule = { "2.2n", "card.v01" }, among = stall_ways, run = "turn.stall" })

procedure("turn.stall", { rule = "2.2n" }, function(way, side)
  sides[side][way] = sides[side][way] - value "stall"
  call("settle", side)
end)

-- CAPs instead of AP in the next action that AP pay for (3.2.1a). Nobody is asked who does not want to.
offer("turn", "use-caps", { rule = "3.2.1a",
  when = function(side) return sides[side].caps > 0 and sides[side].pledged == 0 and (sides[side].ap > 1 or fresh(side):any()) end,
  run = "turn.use-caps" })

procedure("turn.use-caps", { rule = "3.2.1a" }, function(_, side)
  sides[side].pledged = ask(side, "pay.caps", { from = 1, to = sides[side].caps, side = side })
  return "free"
end)

offer("turn", "retire", { rule = { "3.0d", "3.0g" },
  when = function(side) return active_of(side):any() end,
  run = "turn.retire" })

procedure("turn.retire", { rule = "3.0d" }, function(_, side)
  call("end-activation", side)
  return "free"
end)

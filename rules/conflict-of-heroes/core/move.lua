-- Movement (5.0 to 5.3, 14.0): choosing a hex, entering it, turning round.

-- Which hexes a unit may step into, for so many points.
function moves(act, unit)
  return { unit = unit, act = act, from = unit.space, budget = act.budget - act.walked, bonus = act.bonus,
    cost_of = cost_from(unit, unit.space, act.bonus), among = function() return neighbours(unit.space) end }
end

-- What keeps a unit from a step, each rule once: the id of the refusal, or nil.
local function trouble(ask, hex)
  local unit, from = ask.unit, ask.from
  local cost = ask.cost_of(hex)
  if not cost then return "impassable" end
  if cost > ask.budget then return "too-dear" end
  if unit.barred > 0 and barred_hexes(unit):has(hex) then return "retreat" end
  -- Turning is free after each hex (5.2e), so bonus hexes may lie in any direction.
  if not ask.bonus then return end
  if obstructed():has(hex) then return "bonus-ground" end
  if not linked("road", from, hex) and (unit.mode == "wheeled" or not value "bonus-terrain"[hex.terrain]) then return "bonus-ground" end
end

-- The hexes of each refusal, worked out once for each question.
local function troubled(ask, id)
  if not ask.troubles then
    ask.troubles = {}
    for _, hex in ipairs(neighbours(ask.from)) do ask.troubles[#ask.troubles + 1] = { hex = hex, why = trouble(ask, hex) } end
  end
  local hexes = {}
  for _, each in ipairs(ask.troubles) do
    if each.why == id then hexes[#hexes + 1] = each.hex end
  end
  return hexes
end

forbid_all("move.to", "impassable", { rule = { "5.0b", "11.1b", "11.5b", "14.0-t.water", "18.3a", "18.2c", "18.4d", "4.0e" } }, function(ask)
  return troubled(ask, "impassable"), no("impassable", ask.unit)
end)

forbid_all("move.to", "too-dear", { rule = { "5.0b", "3.0c", "5.2c" } }, function(ask)
  return troubled(ask, "too-dear"), no("too-dear", ask.unit, ask.budget)
end)

forbid_all("move.to", "retreat", { rule = "7.6.3l" }, function(ask)
  return troubled(ask, "retreat"), no("attacker-came-from-there", ask.unit)
end)

forbid_all("move.to", "bonus-ground", { rule = { "14.0b", "14.0c", "14.0d", "5.2e" } }, function(ask)
  return troubled(ask, "bonus-ground"), no("no-bonus-there", ask.unit)
end)

function destinations(act, unit) return narrow(act.side, "move.to", moves(act, unit)) end

-- Whether a first step is possible at all: the first hex without trouble will do.
function can_step(act, unit)
  local ask = moves(as_if(act, unit), unit)
  for _, hex in ipairs(neighbours(unit.space)) do
    if not trouble(ask, hex) then return true end
  end
  return false
end

offer("action", "move", { rule = { "5.0g", "5.2d", "5.2f", "14.0a" },
  when = function(side, act) return may_move(act.unit) and can_step(act, act.unit) end,
  run = "action.move" })

procedure("action.move", { rule = { "5.0g", "9.1.1a", "9.1.1b", "9.1b", "17.0d" } }, function(_, side, act)
  act.mined = true -- mines strike hex by hex
  call("gather", act, at_hand(side), function(unit) return may_move(unit) and can_step(act, unit) end)
  for _, unit in ipairs(act.group) do call("walk", act, unit) end
end)

-- One unit's move: a hex, and for vehicles the bonus hexes of the same action (14.0e).
procedure("walk", { rule = { "5.0b", "14.0b", "14.0c", "14.0e", "14.0f", "16.0a", "14.0-t.open", "14.0-t.road", "14.0-t.corn", "14.0-t.wheat" } }, function(act, unit)
  act.walked, act.bonus, act.stopped = 0, nil, nil
  local from = unit.space
  call("step", act, unit)
  if act.stopped then return end
  call("roll-on", act, unit, bonus_hexes(act, unit, from))
end)

-- The bonus hexes, as long as the vehicle can move (18.5 with 15.2), and the facing at the end.
procedure("roll-on", { rule = { "14.0b", "14.0c", "14.0e", "18.5b" } }, function(act, unit, bonus)
  act.bonus = true
  while bonus > 0 and unit.space.kind == "hex" and may_move(unit) do
    if not call("step", act, unit) then break end
    bonus = bonus - 1
  end
  call("look-about", unit)
end)

-- How many bonus hexes follow a first step: tracks on open ground or road, wheels only along roads.
-- Whoever comes onto the map in a road hex comes along that road.
function bonus_hexes(act, unit, from)
  local to = unit.space
  if to.kind ~= "hex" or act.backward or act.broke_through or towing(unit) or not unit.vehicle then return 0 end
  local by_road = not from and to.road or from and linked("road", from, to)
  if unit.mode == "wheeled" then return by_road and value "wheel-bonus" + unit.wheels or 0 end
  return (by_road or value "bonus-terrain"[to.terrain]) and unit.tracks or 0
end

-- A step is paid before the hex is entered: whoever dies there has paid (3.0c).
procedure("step", { rule = { "5.0g", "5.0h", "18.4a", "18.4b", "14.0-t.roadblock" } }, function(act, unit)
  local from = unit.space
  local spec = moves(act, unit)
  if act.bonus then spec.none = "stop" end
  local to = ask(act.side, "move.to", spec)
  if not to then return false end
  local cost = step_cost(unit, from, to, act.bonus)
  call("show-hit", unit, "move_change")
  act.backward = not act.bonus and backward(unit, from, to)
  if rolls_for(unit, to) then
    cost = cost + math.max(0, call("throw", act.side, "obstacle", value "one-die", unit))
    if call("balks", act, cost) then return false end
  end
  cost = cost + call("caution", act, unit, to, cost)
  act.walked = act.walked + cost
  act.broke_through = obstructed():has(to)
  call("pay-up-to", act, act.walked)
  call("enter-hex", unit, from, to)
  return true
end)

-- The price of an obstacle is known when it has been rolled: pay it or stay, and lose the AP (18.4b).
procedure("balks", { rule = "18.4b" }, function(act, cost)
  if act.how == "opportunity" or act.how == "card" then return false end
  local dear = cost > act.budget - act.walked
  if not dear and ask(act.side, "wire.pay", { among = { "pay", "stay" }, price = cost }) == "pay" then return false end
  act.stopped = true
  if act.how == "ap" then sides[act.side].ap = 0 end
  return true
end)

-- Optional: a move into a hex without cover exposes the unit unless it pays one AP more (5.0.1). Returns what it pays.
procedure("caution", { rule = { "5.0.1a", "5.0.1d", "5.0.1c", "15.6b", "5.0-t.opt-cautious", "5.0-t.opt-normal" } }, function(act, unit, to, cost)
  if not option "cautious-move" or unit.vehicle or ground_cover(to) > 0 then return 0 end
  if pieces { kind = "unit", at = to, vehicle = true }:any() then return 0 end
  local room = act.budget - act.walked - cost
  if room >= value "cautious" and ask(act.side, "move.care", { among = { "careful", "hasty" } }) == "careful" then return value "cautious" end
  unit.exposed = true
  return 0
end)

-- Everything that happens when a unit arrives.
procedure("enter-hex", { rule = { "5.0h", "2.4g", "7.6.3k", "7.7a", "14.1d" } }, function(unit, from, to)
  unit.shelter, unit.hasty, unit.barred = nil, false, 0
  local foes_there = enemies_in(to, unit.side)
  move(unit, to)
  if from then
    call("claim", from)
    for _, load in ipairs(unit.cargo) do
      if load.kind == "unit" and load.stuck then load.stuck = false end
    end
    for _, foe in ipairs(foes_there) do foe.barred = foe.barred | 1 << direction(to, from) end
  end
  if unit.mode == "tracked" then call("crush-wire", to) end
  call("check-bog", unit, from, to)
  call("watch", unit)
  call("mines-strike", unit, "enter")
  if unit.place == to then call("claim", to) end
end)

-- Facing is free after a move (5.2e), but mines and bogs come first: what can no longer turn keeps its facing (14.1b, 18.5b).
procedure("look-about", { rule = { "5.2e", "14.1b", "18.5b" } }, function(unit)
  if unit.space.kind == "hex" and may_pivot(unit) then call("turn-round", unit) end
end)

procedure("turn-round", { rule = { "5.2a", "5.2b", "5.2e" } }, function(unit)
  call("face", unit, ask(unit.side, "facing", { from = 0, to = value "facings" - 1, unit = unit }))
end)

-- What a vehicle carries faces as it does (17.0d).
procedure("face", { rule = { "5.2b", "17.0d" } }, function(unit, facing)
  unit.facing = facing
  for _, load in ipairs(unit.cargo) do
    if load.kind == "unit" then load.facing = facing end
  end
end)

-- Pivot: an action of its own (5.3).
offer("action", "pivot", { rule = "5.3a",
  when = function(side, act) return may_pivot(act.unit) and affords(act, value "pivot") end,
  run = "action.pivot" })

procedure("action.pivot", { rule = { "5.3a", "9.1.4a", "18.1c" } }, function(_, side, act)
  call("gather", act, at_hand(side), may_pivot)
  for _, unit in ipairs(act.group) do
    call("face", unit, ask(side, "pivot.to", { among = other_facings(unit.facing), unit = unit, act = act }))
    unit.hasty = false
  end
  call("pay", act, value "pivot")
end)

function other_facings(old)
  local list = {}
  for facing = 0, value "facings" - 1 do
    if facing ~= old then table.insert(list, facing) end
  end
  return list
end

-- Stone buildings and marsh may immobilise vehicles (14.1).
procedure("check-bog", { rule = { "14.1a", "14.1b", "s12.2" } }, function(unit, from, to)
  if not unit.vehicle then return end
  local risky = value "risky-terrain"[to.terrain] and not (from and linked("road", from, to))
  if special "marshy-ravine" and unit.mode == "tracked" and to.gully then risky = true end
  if not risky then return end
  if call("throw", unit.side, "bog", value "dice", unit) >= value "safe-roll" then return end
  unit.stuck = true
  log("gets-stuck", unit, to)
end)

-- Solitaire (21.1, 21.2): one side follows the orders of its scenario. Where they leave a choice, the player makes it.

under_orders = query("under-orders", { rule = { "solo.1", "21.1a" } }, function(side)
  return option "solitaire" and #value "orders" > 0 and team(side) == value "orders-for"
end)

-- Ranks hexes and units: the nearest enemy, or enemy vehicle, first, then row letter and column.
local function nearest(hex, hexes)
  local best
  for _, other in ipairs(hexes) do
    local far = best and distance(hex, other) - distance(hex, best)
    if not best or far < 0 or far == 0 and other.id < best.id then best = other end
  end
  return best
end

-- The hexes of the enemies that an order means: all, vehicles, or those without armour.
local function prey_hexes(prey, side)
  if prey == "vehicles" then return pieces { kind = "unit", side = foes(side), vehicle = true, on_map = true }:spaces() end
  if prey == "soft" then return pieces { kind = "unit", side = foes(side), flank_colour = "red", on_map = true }:spaces() end
  return enemy_hexes(side)
end

-- The dice that the easiest enemy in a hex asks for.
function needed(unit, hex)
  local a = { side = unit.side, kind = "fire", leader = unit, from = unit.space, target = hex }
  local targets, least = enemies_in(hex, unit.side), nil
  brace(a, targets)
  for _, target in ipairs(targets) do
    local frontal = is_frontal(a, target)
    local need = evaluate("attack.dv", a, target, frontal) - evaluate("attack.fp", a, target, rating_colour(a, target, frontal))
    if not least or need < least then least = need end
  end
  return least
end

-- The target of an order to fire: the easiest, then the nearest.
local function easiest(order, act)
  local unit = act.unit
  local reach = order.within or order.need and order.normal and range_of(unit) or reach_of(unit)
  local best, least
  for _, hex in ipairs(fire_hexes(act):both(prey_hexes(order.prey, act.side)):both(near(unit.space, reach))) do
    local need = needed(unit, hex)
    local better = not best or need < least or need == least and nearest(unit.space, { best, hex }) == hex
    if (not order.need or need <= order.need) and better then best, least = hex, need end
  end
  return best
end

-- The nearest enemy that an order to pivot means: in reach or in sight, but outside the arc.
local function behind(order, act)
  local unit = act.unit
  local hexes = prey_hexes(order.prey, act.side):both(near(unit.space, order.within or range_of(unit)))
  if order.in_sight then hexes = hexes:both(view_of(unit)) end
  return nearest(unit.space, hexes:minus(cone(unit.space, unit.facing)):minus { unit.space })
end

-- Where an order to move leads: lost objectives, or the enemy's vehicles until they are near enough.
local function goal(order, act)
  local unit = act.unit
  local hexes = prey_hexes(order.prey, act.side)
  if order.prey == "objectives" then hexes = spaces { min_objective = 1, control = foes(act.side) }:minus(own_hexes(act.side)) end
  local hex = nearest(unit.space, hexes)
  if hex and distance(unit.space, hex) > (order.stop or 0) then return hex end
end

local function way_to(order, act)
  local unit, hex = act.unit, goal(order, act)
  if not hex or not may_move(unit) then return end
  local from, left = unit.space, act.budget - act.walked
  local to = nearest(hex, neighbours(from):minus(barred_hexes(unit)):filter(function(other)
    local cost = step_cost(unit, from, other, act.bonus)
    return cost ~= nil and cost <= left
  end))
  if to and distance(to, hex) < distance(from, hex) then return to end
end

local CAN = {
  assault = function(_, act) return enemy_in(act.unit.space, act.side) and may_fire(act.unit) and affords(act, fire_cost(act.unit)) end,
  fire = easiest,
  rally = function(_, act) return may_rally(act.unit) and affords(act, value "rally") end,
  pivot = function(order, act) return may_pivot(act.unit) and affords(act, value "pivot") and behind(order, act) end,
  move = way_to,
}

-- The ways of paying, as an action of the unit would see them; nil where the unit has not got that way.
---@type table<string, function>
local WAYS = {
  ap = function(unit, side) return unit.status == "active" and sides[side].ap or nil end,
  activate = function(unit) return unit.status == "ready" and value "activation-ap" or nil end,
  opportunity = function(unit) return unit.status == "ready" and value "no-limit" or nil end,
  command = function(_, side) return sides[side].caps end,
}

local function ranked(side)
  local list = {}
  for _, unit in ipairs(units_of(side):filter { carried = false }) do table.insert(list, unit) end
  local foe = prey_hexes(value "orders-near", side)
  table.sort(list, function(a, b)
    ---@type any, any
    local near_a, near_b = nearest(a.space, foe), nearest(b.space, foe)
    local far = near_a and distance(a.space, near_a) - distance(b.space, near_b) or 0
    if far ~= 0 then return far < 0 end
    return a.space.id < b.space.id
  end)
  return list
end

-- The first line of the orders that some unit can carry out.
local function first_order(side)
  local list = ranked(side)
  for _, order in ipairs(value "orders") do
    for _, way in ipairs(order.ways) do
      for _, unit in ipairs(list) do
        local budget = (not order.class or order.class == unit.class) and unit.type ~= order.except and WAYS[way](unit, side)
        local act = budget and { unit = unit, side = side, how = way, budget = budget, walked = 0 }
        if act and CAN[order.what](order, act) then return order, unit, way end
      end
    end
  end
end

instead("choose-action", "follow-orders", { option = "solitaire", rule = { "21.1a", "solo.1" } }, function(side)
  if not under_orders(side) then return open_choice(side) end
  local newcomer = waiting(side):filter { status = "ready" }[1]
  if newcomer and entries(newcomer, value "activation-ap"):any() then return call("turn.enter", newcomer, side) end
  local order, unit, way = first_order(side)
  if not order then return "done" end
  if way == "activate" then return call("turn.activate", unit, side, nil, order) end
  return call("take-action", unit, side, way, nil, order)
end)

-- What the orders leave of each choice.
local function obey(prompt, test)
  prefer(prompt, "ordered-" .. prompt, { option = "solitaire", rule = "solo.2" }, test)
end

local function facing_foe(unit, hex)
  return hex and heading(unit.space, hex)[1]
end

obey("action", function(_, ask) return ask.order ~= nil and ask.offer == ask.order.what end)
obey("fire.at", function(hex, ask) return ask.act.order ~= nil and hex == easiest(ask.act.order, ask.act) end)
obey("move.to", function(hex, ask) return ask.act.order ~= nil and hex == way_to(ask.act.order, ask.act) end)
obey("pivot.to", function(way, ask) return ask.act.order ~= nil and way == facing_foe(ask.unit, behind(ask.act.order, ask.act)) end)
obey("facing", function(way, ask)
  local unit = ask.unit
  return under_orders(unit.side) and way == facing_foe(unit, nearest(unit.space, enemy_hexes(unit.side):minus { unit.space }))
end)
obey("enter.at", function(hex, ask) return under_orders(ask.unit.side) and hex == ask.among[1] end)
obey("pay.caps", function(n, ask) return under_orders(ask.side) and n == ask.from end)
obey("attack.caps", function(n, ask)
  if not under_orders(ask.side) then return false end
  return n == (ask.need >= value "orders-caps".need and ask.to or 0)
end)
for _, prompt in ipairs { "rally.caps", "roll.caps" } do
  obey(prompt, function(n, ask) return under_orders(ask.side) and n == 0 end)
end
obey("initiative.caps", function(n, ask) return under_orders(ask.side) and n == 0 end)

for _, prompt in ipairs { "group.members", "fire.support" } do
  forbid(prompt, "ordered-" .. prompt, { option = "solitaire", rule = "solo.2" }, function(_, ask)
    if ask.act and ask.act.order then return no("one-unit-a-time") end
  end)
end

-- One action of one unit or a group, and the ways to pay for it (2.2, 3.1, 3.2, 9.1).

-- What a unit can do in an action, by the name of the offer: a test of the action. Movement and turning are told apart.
---@type table<string, function>
deeds = {}

-- The points that a way of paying has to offer.
function budget_for(side, how)
  if how == "ap" then return sides[side].ap + sides[side].caps end
  if how == "command" then return sides[side].caps end
  return value "no-limit"
end

-- The action of a unit that is beginning: who, for whom, how it is paid and how many points there are for it.
function new_action(unit, side, how)
  return { unit = unit, side = side, how = how, budget = budget_for(side, how), group = { unit }, walked = 0, paid = 0 }
end

-- The same action, seen from another member of the group.
function as_if(act, unit) return { unit = unit, side = act.side, budget = act.budget, how = act.how, walked = 0 } end

-- Takes a unit into an action. Whoever takes part in one that AP pay for shares the activation (9.0b, 17.0g).
function enlist(act, unit)
  act.group[#act.group + 1] = unit
  share(act, unit)
end

function share(act, unit)
  if act.how ~= "ap" or unit.status ~= "ready" then return end
  call("join-in", unit)
  act.budget = budget_for(act.side, act.how)
end

-- A unit shares the activation of its side. Seven points are for all; what Experience gives beyond them is lost unless all have it (card.v04).
procedure("join-in", { rule = { "9.0b", "card.v04" } }, function(unit)
  local purse = sides[unit.side]
  unit.status = "active"
  if purse.veteran_ap == 0 or experienced(unit) then return end
  purse.ap, purse.veteran_ap = shared_ap(unit.side, unit), 0
end)

procedure("take-action", { rule = { "meet.turns", "2.2a", "2.2b", "3.0e" } }, function(unit, side, how, card, order, fresh)
  local act = new_action(unit, side, how)
  act.card, act.order, act.fresh, act.marched = card, order, fresh, how == "ap" and marching(side)
  if is_hidden(unit) then
    if menu(side, "hidden-action", act) == "sneaked" then return call("finish-action", act) end
  end
  if hex_of(unit) and not is_hidden(unit) and unit.space.kind == "hex" then menu(side, "action", act) end
  return call("finish-action", act)
end)

-- Statuses follow from the way of paying, not from the action (3.1a, 3.2.2b, 8.1g, 9.2c to 9.2e).
procedure("finish-action", { rule = { "3.1a", "3.2.2b", "8.1g", "9.0e", "9.2c", "17.0g", "9.2d" } }, function(act)
  for _, unit in ipairs(act.group) do
    if unit.steeled and unit.status ~= "active" then unit.steeled = false end
    if act.how == "opportunity" and unit.status == "ready" then call("mark-spent", unit) end
    local hex = not act.mined and hex_of(unit)
    if hex and hex.kind == "hex" and (hex.count > 1 or unit.lair or buried():any()) then call("mines-strike", unit, "act") end
  end
  if act.how == "ap" then call("settle", act.side) end
end)

-- Pays an action: AP first, then CAPs. Whoever wants to save AP has said before how many CAPs to use (3.2.1a); one AP at least is
-- paid, or it would be a command action.
procedure("pay", { rule = { "3.0c", "3.2.1a", "3.2.2a", "9.1.1a", "9.2b", "3.2c" } }, function(act, cost)
  local purse = sides[act.side]
  if cost <= 0 or act.how == "opportunity" or act.how == "card" then return end
  if act.how == "command" then
    purse.caps = purse.caps - math.min(cost, purse.caps)
    return
  end
  cost = math.min(cost, purse.ap + purse.caps)
  local least = math.max(0, cost - purse.ap)
  local caps = math.max(least, math.min(cost - 1, purse.caps, purse.pledged))
  if purse.pledged > 0 then purse.pledged = 0 end
  if caps > 0 then purse.caps = purse.caps - caps end
  if cost > caps then purse.ap = purse.ap - (cost - caps) end
end)

-- Pays what an action costs by now beyond what was paid for it before: a group pays for its dearest member (9.1.1a).
procedure("pay-up-to", { rule = { "9.1.1a", "3.0c" } }, function(act, cost)
  if cost <= act.paid then return end
  call("pay", act, cost - act.paid)
  act.paid = cost
end)

function affords(act, cost) return cost <= act.budget end

-- CAPs declared before a roll of one's own (3.2.3): up to two points up or down.
-- `about` says what the roll is about, where that is known to the side that rolls.
procedure("declare", { rule = { "3.2.3a", "3.2.3b", "3.2.3c", "3.2.3d" } }, function(side, label, need, about)
  local most = math.min(value "most-caps", sides[side].caps)
  local what = about or {}
  local n = ask(side, what.target and "attack.caps" or about and "rally.caps" or "roll.caps", { from = -most, to = most, roll = label, side = side, need = need,
    target = what.target, hex = what.hex, fp = what.fp, dv = what.dv, unit = what.unit })
  sides[side].caps = sides[side].caps - math.abs(n)
  return n
end)

-- A roll with all that may be done around it; returns the modified total.
procedure("throw", { rule = { "3.2.3a", "3.2.3b", "7.1c", "card.12", "card.v14", "card.v30" } }, function(side, label, count, unit, need, about)
  local added = call("declare", side, label, need, about)
  local extra = call("extra-die", side, unit)
  local dice = {}
  for i, die in ipairs(rolls(label, count + extra)) do dice[i] = die end
  if extra > 0 then dice = best_of(dice, count) end
  call("reroll-one", side, unit, dice, label)
  return total(dice) + added + call("try-luck", side, unit)
end)

function best_of(dice, count)
  table.sort(dice, function(a, b) return a > b end)
  local best = {}
  for i = 1, count do best[i] = dice[i] end
  return best
end

-- Units that may act along with the leader, by the way of paying (9.1, 9.2).
function companions(act, pool)
  if not in_force "groups" then return nobody() end
  local list = pool:minus { act.unit }
  if act.how == "opportunity" then
    list = list:filter { status = "ready" }
  elseif act.how == "ap" then
    list = list:filter { status = { "ready", "active" } }:minus(stayed(act.side))
    -- Whoever would cost the group the points of its veterans joins only while an activation's worth is left without them.
    local left = act.budget - sides[act.side].veteran_ap
    if left < value "activation-ap" and left < act.budget then
      list = list:filter(function(unit) return unit.status == "active" or experienced(unit) end)
    end
  end
  return list
end

-- Those that a chain of them in the same or adjacent hexes links to a hex.
local function linked_to(hex, list)
  if not list:any { at = near(hex, 1) } then return nobody() end
  return list:filter { at = flood { from = { hex }, blocked = in_play():minus(list:spaces()):minus { hex } } }
end

-- Companions of a group action that pass a test; whoever fails it links nobody either.
local function mates(act, pool, test)
  local list = companions(act, pool)
  if not list:any() then return list end
  local near_by = linked_to(act.unit.space, list)
  local fit = test and near_by:filter(test) or near_by
  return #fit < #near_by and linked_to(act.unit.space, fit) or fit
end

procedure("gather", { rule = { "meet.groups", "9.1a", "9.1.1a", "9.1.3a", "9.1.4a", "9.2a", "9.2f", "10.2b" } }, function(act, pool, test, fits)
  local linked_up = mates(act, pool, test)
  local leader = act.unit
  local chosen = choose(act.side, "group.members", { act = act, unit = leader, among = linked_up, min = 0, max = #linked_up,
    test = function(list)
      if fits and not fits(list:plus { leader }) then return false, no("somebody-stays") end
      return connected(list:spaces():plus { leader.space }), no("scattered")
    end })
  for _, unit in ipairs(chosen) do enlist(act, unit) end
end)

-- On a forced march all AP go into movement (card.v01).
marching = query("marching", { rule = "card.v01" }, function(side)
  return active_of(side):any { marching = true }
end)

forbid("action", "march-only", { rule = "card.v01" }, function(_, ask)
  if ask.marched and ask.offer ~= "move" and ask.offer ~= "pivot" then return no("on-the-march", ask.unit) end
end)

-- 10.1 Movement. A unit moves in one or more legs; each leg is a choice of hex within its remaining points.

procedure("movement", { rule = { "7.3.3a", "7.2.5" } }, function()
  return menu(game.active, "movement", { none = "done", ops = purse(game.active) })
end)

-- Units that have not moved yet and can.
unmoved = query("unmoved", { rule = { "10.1.3", "10.1.4a" } }, function(side)
  return units_of(side):filter{ moved = "no", not_ma = 0 }
end)

offer("movement", "move", { rule = { "10.1.3", "10.1.4a" }, among = unmoved, run = "move" })

forbid_all("movement", "frozen-in-june", { rule = "4.4.2", turns = "1", side = "axis", offer = { "move", "rail", "sea" } }, function()
  return units_of "axis", no("frozen")
end)

forbid_all("movement", "garrison", { rule = "16.3.4", side = "axis", offer = { "move", "rail", "sea" } }, function()
  return garrison(), no("garrison")
end)

garrison = query("garrison", { rule = "16.3.4" }, function()
  return #festungen() > 0 and units_of "axis":filter{ at = festungen() } or nobody()
end)

-- Hexes that a side's units can enter but never leave.
traps = query("traps", { rule = "16.3.4" }, function(side)
  return side == "axis" and festungen() or nowhere()
end)

-- Units that would leave their hex in enemy ZOC without anyone who began the round there: units that moved in do not count.
last_in_zoc = query("last-in-zoc", { rule = { "7.3.3b", "7.3.3c" } }, function(side)
  local pinned = units_of(side):filter{ moved = { "no", "stay", "dig" }, at = zoc(enemy(side)) }
  return pinned:filter{ not_at = pinned:spaces(2) } -- allow figure-in-rule: a unit and another one
end)

function is_last_in_zoc(unit)
  return zoc(enemy(unit.side)):has(unit.space) and last_in_zoc(unit.side):has(unit)
end

forbid_all("movement", "leave-zoc", { rule = { "8.3b", "7.3.3b" }, offer = "move" }, function()
  return held_in_zoc(game.active, 0), no("zoc-unpaid")
end)

-- By rail and sea the fare comes on top.
forbid_all("movement", "leave-zoc-shipped", { rule = { "8.3b", "7.3.3b", "7.3.3e" }, offer = { "rail", "sea" } }, function()
  return held_in_zoc(game.active, value "ops-cost".strategic), no("zoc-unpaid")
end)

function can_pay_to_leave(side, fare)
  return purse(side) >= value "ops-cost".leave_zoc + fare
end

-- Those for whom no OPS is left once the fare is paid.
held_in_zoc = query("held-in-zoc", { rule = { "8.3b", "7.3.3b" } }, function(side, fare)
  if can_pay_to_leave(side, fare) or leaves_free(side) then return nobody() end
  return last_in_zoc(side)
end)

-- After Strategic Withdrawal leaving costs nothing, if the unit keeps out of enemy ZOCs for the rest of the round (card.su.11).
function leaves_free(side)
  return side == "soviet" and effect "strategic-withdrawal" ~= nil
end

-- Whether a unit that leaves free might pay instead, and so enter another ZOC: with OPS to spare, unless Stalin forbids it (card.ax.18).
function may_pay_instead(side, fare)
  return can_pay_to_leave(side, fare) and not effect "motherland"
end

allowance = number("allowance", { rule = "10.1.4a", stages = { "printed", "supply", "line" } }, function(n, unit)
  n:add(unit.ma)
end)
modify("allowance", "oos-movement", { rule = "13.3.1", stage = "supply" }, function(n, unit)
  if unit.supply ~= "full" and n.value >= value "oos-movement".from then n:add(-value "oos-movement".loss) end
end)
modify("allowance", "paulus-movement", { rule = "10.1.5", stage = "line", turns = "1-4", side = "axis" }, function(n, unit)
  if unit.space.paulus and unit.supply == "full" then n:add(-value "paulus-movement".loss) end
end)

-- Where a unit can go with these points. It must stop in an enemy ZOC and cannot pass from one to another (8.3).
local function leg(unit, points, zone, first, shy)
  local shut = closed_to(unit)
  if shy then shut = shut:plus(zone) end
  return reach{
    profile = unit:is "mountain" and "alpine" or "foot", from = unit.space, points = points, blocked = shut,
    stop = zone:plus(traps(unit.side)), between = { zone, "never" }, one_step = first,
  }
end

forbid_all("move.to", "full-hex", { rule = { "9.1.1", "9.1.2", "9.1.4", "9.2.1", "9.2.2" } }, function(ask)
  return crowded_for(ask.unit), no("stacking")
end)

procedure("move", { rule = { "10.1.3", "10.1.4a", "10.1.4b", "8.3a", "8.3c", "10.1.1", "10.1.2", "10.1.6", "table.tec.clear", "table.tec.forest", "table.tec.desert", "table.tec.mountain", "11.1.9d", "card.su.11", "card.ax.18" } }, function(unit)
  local side = unit.side
  local foe = enemy(side)
  local points = evaluate("allowance", unit)
  local last = is_last_in_zoc(unit)
  local free = last and leaves_free(side)
  local shy = free and not may_pay_instead(side, 0)
  local first = true
  repeat
    local zone = zoc(foe)
    local range = leg(unit, points, zone, first, shy)
    local to = ask(side, "move.to", { among = range.spaces, unit = unit, none = "stay" })
    if not to then break end
    if first and last then
      shy = free and not zone:has(to)
      if not shy then pay_to_leave(unit) end
    end
    walk(unit, range:path(to))
    points = points - range:cost(to)
    first = false
  until points <= 0 or zoc(foe):has(to) or traps(side):has(to)
  unit.moved = first and "stay" or "march"
end)

pay_to_leave = procedure("pay-to-leave", { rule = { "7.3.3b", "7.3.4" } }, function(unit)
  unit.space.move_marker = true
  pay(unit.side, value "ops-cost".leave_zoc)
end)

-- Control changes hex by hex, also of those only passed through. Most hexes take no notice.
walk = procedure("walk", { rule = { "3.0e", "10.1.3" } }, function(unit, path)
  local stirred = path:both(stirred_by(unit.side))
  local noticed, here = #stirred > 0, unit.space
  for _, hex in ipairs(path) do
    if noticed and stirred:has(hex) then enter(unit, hex) end
    if hex ~= here then move(unit, hex) end
  end
end)

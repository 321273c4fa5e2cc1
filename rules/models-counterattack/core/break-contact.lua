-- 6. Breaking contact: units of the other side next to the hex just entered may slip away, one hex each, as often as it happens.

-- The movement that counts for breaking contact and overruns: printed, or by option what is left of it.
function pace_class(unit)
  if unit.train then return value "mobile".movement end
  return option "current-movement" and evaluate("allowance", unit) or unit.mf
end

local function fast(unit)
  return pace_class(unit) >= value "mobile".movement
end

may_slip = query("may-slip", { rule = { "6.break.a", "6.break.b", "6.break.d", "6.break.n", "13.train.c" } }, function(unit)
  if unit.side == "german" then
    return fast(unit) or effect "rearguard" ~= nil and unit.mf <= value "slow".movement
  end
  if option "red-army-flexibility" and fast(unit) then return true end
  return unit.symbol == "recon" and (option "recon-movement" == "any" or fast(unit))
end)

-- Hexes next to a unit; for a train those that the rails lead to.
function steps_from(unit)
  local near = around({ unit.space }, off_hexes)
  return unit.train and near:filter(function(hex) return linked("rail", unit.space, hex) end) or near
end

-- One hex away, not next to any enemy unless friends are there. A German in Praga may withdraw over an open bridge; by option not.
refuges = query("refuges", { rule = { "6.break.f", "6.break.g", "6.break.i", "6.bridges.e", "7.stack.b", "13.train.c" } }, function(unit)
  local foe = enemy(unit.side)
  local near = steps_from(unit)
  near = near:minus(standing(foe)):minus(crowded_for(unit)):minus(prohibited(unit)):minus(beside(foe):minus(standing(unit.side)))
  if option "contact-broken-over-bridges" and may_cross(unit) then near = near:plus{ warsaw() } end
  return near
end)

-- Whether a unit could go from its hex straight to Warsaw, by a bridge that is open.
function may_cross(unit)
  return unit.side == "german" and not unit.train and not game.no_move and border(unit.space, warsaw()):has "bridge"
end

local function able(side, hex, barred)
  if side == "german" and effect "maskirovka" then return nobody() end
  return pieces{ kind = "unit", side = side, at = around({ hex }, off_hexes) }
    :filter(function(unit) return may_slip(unit) and #refuges(unit):minus(barred) > 0 end)
end

-- Each unit withdraws one hex for the hex that was entered: `stood` says where it was then, and who has left that place has gone.
break_contact = procedure("break-contact", { rule = { "6.break.c", "6.break.e", "6.break.h", "6.break.j" } }, function(side, hex, barred)
  local near = able(side, hex, barred)
  for _, unit in ipairs(near) do unit.stood = unit.space end
  local candidates = near
  while #candidates > 0 do
    local unit = ask(side, "break-contact", { among = candidates, hex = hex, none = "stand" })
    if not unit then break end
    local to = ask(side, "break-contact.to", { among = function() return refuges(unit):minus(barred) end, unit = unit })
    log("breaks-contact", unit, unit.space, to)
    relocate(unit, to)
    candidates = able(side, hex, barred):filter(still_in_contact)
  end
  for _, unit in ipairs(near) do unit.stood = nil end
end)

still_in_contact = query("still-in-contact", { rule = { "6.break.c", "6.break.j" } }, function(unit) return unit.stood == unit.space end)

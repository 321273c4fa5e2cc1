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

-- One hex away, not next to any enemy unless friends are there.
refuges = query("refuges", { rule = { "6.break.f", "6.break.g", "6.break.i", "7.stack.b", "13.train.c" } }, function(unit)
  local foe = enemy(unit.side)
  local near = around({ unit.space }, off_hexes)
  if unit.train then near = near:filter(function(hex) return linked("rail", unit.space, hex) end) end
  return near:minus(standing(foe)):minus(crowded_for(unit)):minus(prohibited(unit))
    :minus(beside(foe):minus(standing(unit.side)))
end)

local function able(side, hex)
  if side == "german" and effect "maskirovka" then return nobody() end
  return pieces{ kind = "unit", side = side, at = around({ hex }, off_hexes) }
    :filter(function(unit) return may_slip(unit) and #refuges(unit) > 0 end)
end

break_contact = procedure("break-contact", { rule = { "6.break.c", "6.break.e", "6.break.h", "6.break.j" } }, function(side, hex)
  local candidates = able(side, hex)
  while #candidates > 0 do
    local unit = ask(side, "break-contact", { among = candidates, hex = hex, none = "stand" })
    if not unit then return end
    local to = ask(side, "break-contact.to", { among = function() return refuges(unit) end, unit = unit })
    relocate(unit, to)
    candidates = able(side, hex)
  end
end)

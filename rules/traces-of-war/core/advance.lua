-- 10.5 Advance after combat, unit by unit, all of it optional.

procedure("fight.advance", { rule = { "10.5a", "10.5e", "10.5f" } }, function(fight)
  if #defenders(fight) > 0 then return end
  local left = function() return may_advance(fight) end
  ask_each(fight.attacker, "advance.unit", { among = left, target = fight.target, none = "stay" }, function(unit) advance(unit, fight) end)
end)

-- Attacking combat units not yet advanced that have a hex to go to. HQs only go along with them.
function may_advance(fight)
  return still_attacking(fight):filter { hq = false }:minus(fight.advanced):filter(function(unit) return #advance_ends(unit, fight) > 0 end)
end

-- The attacked hex; for mechanized units a second one, which may be their own again.
function advance_ends(unit, fight)
  local target = fight.target
  local ends = nowhere():plus { target }
  if unit.mechanized and not far_banks(unit.space):has(target) then ends = ends:plus(second_hexes(unit.side, target)) end
  return ends:minus(crowded_for(unit):minus { unit.space })
end

second_hexes = query("second-hexes", { rule = { "10.5c", "10.5h", "10.5j", "10.5k" } }, function(side, target)
  return around({ target }, water_barriers()):minus(standing(enemy(side)))
end)

local function go(unit, fight, to)
  arrive(unit, fight.target)
  if to ~= fight.target then arrive(unit, to) end
end

advance = procedure("advance", { rule = { "10.5b", "10.5c", "10.5d", "10.5g", "10.5i", "10.5l", "2.2b", "2.2c", "10.5j" } }, function(unit, fight)
  local to = ask(unit.side, "advance.to", { among = advance_ends(unit, fight), unit = unit })
  local company = units_in(unit.space, unit.side):filter { hq = true }:minus(fight.advanced)
  fight.advanced = fight.advanced:plus { unit }
  go(unit, fight, to)
  if not full("hqs", unit.side):has(to) then bring_hq(company, unit, fight, to) end
end)

-- An HQ in the hex that the unit left may go where it went, whether or not it attacked.
bring_hq = procedure("bring-hq", { rule = "10.5d" }, function(company, unit, fight, to)
  local hq = ask(unit.side, "advance.hq", { among = company, unit = unit, none = "stay" })
  if not hq then return end
  fight.advanced = fight.advanced:plus { hq }
  go(hq, fight, to)
end)

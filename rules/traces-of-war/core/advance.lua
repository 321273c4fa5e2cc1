-- 10.5 Advance after combat, unit by unit, all of it optional.

procedure("fight.advance", { rule = { "10.5a", "10.5e", "10.5f" } }, function(fight)
  if #defenders(fight) > 0 then return end
  local left = function() return may_advance(fight) end
  ask_each(fight.attacker, "advance.unit", { among = left, none = "stay" }, function(unit) advance(unit, fight) end)
end)

-- Attackers not yet advanced that have a hex to go to.
function may_advance(fight)
  return still_attacking(fight):minus(fight.advanced):filter(function(unit) return #advance_ends(unit, fight) > 0 end)
end

-- The attacked hex; for mechanized units a second one. An HQ goes only with a combat unit of its hex.
function advance_ends(unit, fight)
  local side, target = unit.side, fight.target
  local full = crowded_for(unit)
  if unit.hq and not fight.left:has(unit.space) then return nowhere() end
  local ends = nowhere():plus { target }:minus(full)
  if unit.mechanized and not far_banks(unit.space):has(target) then
    ends = ends:plus(second_hexes(side, target):minus(full):minus { unit.space })
  end
  return ends
end

second_hexes = query("second-hexes", { rule = { "10.5c", "10.5h", "10.5j", "10.5k" } }, function(side, target)
  return around({ target }, water_barriers()):minus(standing(enemy(side)))
end)

advance = procedure("advance", { rule = { "10.5b", "10.5c", "10.5d", "10.5g", "10.5i", "10.5l", "2.2b", "2.2c", "10.5j" } }, function(unit, fight)
  local to = ask(unit.side, "advance.to", { among = advance_ends(unit, fight), unit = unit })
  local from = unit.space
  fight.advanced = fight.advanced:plus { unit }
  arrive(unit, fight.target)
  if to ~= fight.target then arrive(unit, to) end
  if not unit.hq and to == fight.target then fight.left = fight.left:plus { from } end
end)

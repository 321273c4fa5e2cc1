-- 9 and 11. Advance after combat: into the hex won, and further after a heavy defeat.

-- How far: as far as the enemy fled, if the table said two steps and he fled more than one hex or was wiped out.
local function advance_length(fight)
  local terms = value "advance"
  local wiped_out = #defenders(fight) == 0
  if fight.printed_d < terms.losses then return terms.hexes end
  if wiped_out then return math.max(fight.printed_r, fight.fled, terms.hexes) end
  return fight.fled >= terms.retreat and fight.fled or terms.hexes
end

pursuit_length = query("pursuit-length", { rule = "11.advance.b" }, advance_length)

procedure("combat.pursuit", { rule = { "9.advance.a", "11.advance.a" } }, function(fight)
  fight.cleared = not standing(fight.defender):has(fight.target)
  if not fight.cleared then return end
  if fight.overrun then follow(fight) else pursue(fight, pursuit_length(fight)) end
end)

local function can_enter(unit, hex)
  if unit.train and not linked("rail", unit.space, hex) then return false end
  if unit.place == warsaw() and game.no_move then return false end
  return not prohibited(unit):has(hex)
end

-- After an overrun the attackers go in together, or not at all.
follow = procedure("follow", { rule = { "9.advance.a", "7.kg.b" } }, function(fight)
  local units = attackers(fight)
  if #units == 0 or not units:all(function(unit) return can_enter(unit, fight.target) end) then return end
  if ask(fight.attacker, "overrun.advance", { among = { "advance", "stay" }, fight = fight, target = fight.target }) == "stay" then return end
  for _, unit in ipairs(units) do relocate(unit, fight.target) end
end)

-- After a coordinated combat units go in one by one.
pursue = procedure("pursue", { rule = { "11.advance.a", "11.advance.c", "11.advance.d", "11.advance.e", "7.stack.b" } }, function(fight, length)
  ask_each(fight.attacker, "advance.unit", { among = attackers(fight), fight = fight, target = fight.target, none = "enough" }, function(unit)
    relocate(unit, fight.target)
    press_on(unit, length - 1)
  end)
end)

forbid("advance.unit", "no-room", { rule = { "11.advance.a", "7.stack.b" } }, function(unit, ask)
  if crowded_for(unit):has(ask.fight.target) then return no("stacking") end
end)

forbid("advance.unit", "no-road-in", { rule = { "13.train.c", "18.first.d" } }, function(unit, ask)
  if not can_enter(unit, ask.fight.target) then return no("no-way-in", unit) end
end)

-- Further hexes are of the attacker's choice; an enemy ZOC stops him.
press_on = procedure("press-on", { rule = { "11.advance.b", "11.advance.c", "11.advance.d", "6.break.k" } }, function(unit, hexes)
  local foe = enemy(unit.side)
  for _ = 1, hexes do
    if zoc(foe):has(unit.space) then return end
    local to = ask(unit.side, "advance.to", { among = function() return next_hexes(unit) end, unit = unit, none = "stop" })
    if not to then return end
    relocate(unit, to)
  end
end)

next_hexes = query("next-hexes", { rule = { "11.advance.c", "13.train.c" } }, function(unit)
  return steps_from(unit):minus(standing(enemy(unit.side))):minus(crowded_for(unit)):minus(prohibited(unit))
end)

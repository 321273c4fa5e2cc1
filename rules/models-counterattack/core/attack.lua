-- 11. Coordinated combat: who attacks what, from where.

procedure("begin-combat", { rule = "5.steps.a" }, function() game.step = "combat" end)

procedure("combats", { rule = { "11.combat.a", "11.combat.b", "11.combat.i" } }, function()
  return menu(game.active, "combats", { none = "done" })
end)

-- Who may attack: active Soviets, and Germans that have not been activated in an earlier phase, whether they have moved or not; no unit
-- that has attacked or dug in, and none held in reserve.
ready = query("ready", { rule = { "5.ger1.a", "5.ger2.a", "5.ger3.a", "8.prep.a", "9.overrun.b", "11.combat.a", "11.combat.k", "13.train.a", "14.use.a" } }, function(side)
  local able = side == "soviet" and pieces{ kind = "unit", side = side, active = true } or fresh(side)
  return able:filter{ attacks = 0, dug = false, reserve = 0 }
end)

-- Neighbours of a hex from which it can be attacked: Warsaw too, over a bridge.
local function approaches(side, target)
  return around({ target }, side == "german" and { "entry" } or off_hexes)
end

function attackers_of(side, target)
  return ready(side):filter{ at = approaches(side, target) }
end

targets = query("targets", { rule = { "11.combat.a", "11.combat.j", "6.bridges.c", "6.warsaw.d" } }, function(side)
  local from = ready(side):spaces()
  local near = side == "german" and around(from, { "entry" }) or around(from, off_hexes)
  return near:both(standing(enemy(side)))
end)

offer("combats", "attack", { rule = { "11.combat.a", "11.combat.b" }, among = targets, run = "attack" })

assaulted = query("assaulted", { rule = "11.combat.j" }, function() return spaces{ min_assaulted = 1 } end)

forbid_all("combats", "attacked-before", { rule = "11.combat.j" }, function(ask)
  return assaulted(), no("attacked-before")
end)

procedure("attack", { rule = { "11.combat.a", "11.combat.i" } }, function(target, side) assault(target, side, {}) end)

-- A coordinated combat; `how` holds what was announced with it: concentric, a surprise, support.
assault = procedure("assault", { rule = { "11.combat.a", "11.combat.e", "11.combat.i" } }, function(target, side, how)
  local fight = open_fight(side, target, false)
  fight.concentric = how.concentric == true
  fight.surprise = how.surprise
  fight.attacker_support = how.support
  target.assaulted = target.assaulted + 1
  muster(fight)
  combat(fight)
  close_fight(fight)
end)

-- The attacker names the units one by one; each keeps the attack legal.
muster = procedure("muster", { rule = { "5.ger2.a", "11.combat.c", "11.combat.e", "11.combat.k" } }, function(fight)
  local candidates = attackers_of(fight.attacker, fight.target)
  ask_each(fight.attacker, "attack.unit", { among = candidates, fight = fight, target = fight.target, none = "enough", least = 1 }, function(unit)
    activate(unit)
    unit.attacks = unit.attacks + 1
    fight.attackers = fight.attackers:plus{ unit }
  end)
end)

-- Whether hexes may attack together without Model: they form a chain; by option each must touch every other.
function in_line(hexes)
  if not option "pairwise-attackers" then return connected(hexes) end
  return hexes:all(function(hex) return #around({ hex }, { "entry" }):both(hexes) == #hexes - 1 end)
end

-- Attacking hexes form a line, unit by unit. Warsaw touches the hexes of Praga.
forbid("attack.unit", "broken-line", { rule = { "11.combat.e", "11.combat.f" } }, function(unit, ask)
  local hexes = ask.fight.attackers:spaces()
  if ask.fight.concentric or #hexes == 0 or hexes:has(unit.space) then return end
  local touched = around({ unit.space }, { "entry" }):both(hexes)
  local needed = option "pairwise-attackers" and #hexes or 1
  if #touched < needed then return no("broken-line", unit) end
end)

forbid("attack.unit", "two-over-a-bridge", { rule = "6.bridges.d" }, function(unit, ask)
  if unit.place ~= warsaw() then return end
  if #ask.fight.attackers:filter{ at = warsaw() } >= value "bridge-attack".units then return no("bridge-full") end
end)

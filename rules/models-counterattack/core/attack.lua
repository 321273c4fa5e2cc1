-- 11. Coordinated combat: who attacks what, from where.

procedure("begin-combat", { rule = "5.steps.a" }, function() game.step = "combat" end)

procedure("combats", { rule = { "11.combat.a", "11.combat.b", "11.combat.i" } }, function()
  return menu(game.active, "combats", { none = "done" })
end)

-- Active units that have neither attacked nor dug in, and are not held in reserve.
ready = query("ready", { rule = { "11.combat.a", "11.combat.k", "8.prep.a", "14.use.a", "9.overrun.b" } }, function(side)
  return pieces{ kind = "unit", side = side, active = true, attacked = false, dug = false, reserve = 0 }
end)

-- Neighbours of a hex from which it can be attacked: Warsaw too, over a bridge.
local function approaches(side, target)
  if side == "german" then return around({ target }, { "entry" }) end
  return around({ target }, off_hexes)
end

local function attackers_of(side, target)
  return ready(side):filter{ at = approaches(side, target) }
end

targets = query("targets", { rule = { "11.combat.a", "11.combat.j", "6.bridges.c", "6.warsaw.d" } }, function(side)
  local from = ready(side):spaces()
  local near = side == "german" and around(from, { "entry" }) or around(from, off_hexes)
  return near:both(standing(enemy(side)))
end)

offer("combats", "attack", { rule = { "11.combat.a", "11.combat.b" }, among = targets, run = "attack" })

assaulted = query("assaulted", { rule = "11.combat.j" }, function() return spaces{ assaulted = true } end)

forbid_all("combats", "attacked-before", { rule = "11.combat.j" }, function(ask)
  return assaulted(), no("attacked-before")
end)

attack = procedure("attack", { rule = { "11.combat.a", "11.combat.e", "11.combat.i" } }, function(target, side, concentric)
  local fight = open_fight(side, target, false)
  fight.concentric = concentric == true
  target.assaulted = true
  muster(fight)
  combat(fight)
  finish_record(fight)
end)

-- The attacker names his units one by one; each keeps the attack legal.
muster = procedure("muster", { rule = { "11.combat.c", "11.combat.e", "11.combat.k" } }, function(fight)
  local candidates = attackers_of(fight.attacker, fight.target)
  ask_each(fight.attacker, "attack.unit", { among = candidates, fight = fight, none = "enough", least = 1 }, function(unit)
    unit.attacked = true
    fight.attackers = fight.attackers:plus{ unit }
  end)
end)

-- Attacking hexes form a chain; by option each must touch every other. Warsaw touches the hexes of Praga.
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

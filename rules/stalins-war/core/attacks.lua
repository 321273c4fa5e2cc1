-- 7.3.5, 11.1 Combat markers, and who may attack what.

-- Units that could still attack this round: not twice, not after strategic movement, not on arrival.
ready = query("ready", { rule = { "11.1.6", "10.2.1b", "4.5.1d" } }, function(side)
  return units_of(side):filter{ min_attack = 1, attacked = false, placed = false, moved = { "no", "stay", "dig", "march" } }
end)

-- Enemy hexes that have not been attacked yet and that a rule allows to be attacked.
attackable = query("attackable", { rule = { "11.1.4a", "16.1.4", "4.4.4" } }, function(side)
  local targets = standing(enemy(side)):minus(spaces{ attacked_here = true })
  if side == "axis" then return targets:minus(restricted_hexes()) end
  if game.turn == 1 then targets = targets:minus(spaces{ country = { "romania", "hungary" } }) end
  return targets
end)

-- Leningrad, Moscow and Gorki, Stalingrad and the Caucasus wait for their cards (11.1.9).
restricted_hexes = query("restricted-hexes", { rule = { "11.1.9a", "11.1.9b", "11.1.9c" } }, function()
  local terms = value "restricted"
  local barred = nowhere()
  if not game.leningrad_open then barred = barred:plus(hexes_of(terms.leningrad)) end
  if not game.moscow_open then barred = barred:plus(hexes_of(terms.moscow)) end
  if not game.south_open then barred = barred:plus(hexes_of(terms.south)):plus(spaces{ caucasus = true }) end
  return barred
end)

-- Hexes that hold panzer corps only.
panzer_hexes = query("panzer-hexes", { rule = { "4.4.7", "4.4.8" } }, function()
  local panzers = units_of "axis":filter{ has = "panzer" }
  return panzers:spaces():minus(units_of "axis":minus(panzers):spaces())
end)

-- On turns 1 and 2 Fronts do not attack hexes that hold panzer corps only.
shy_fronts = query("shy-fronts", { rule = "4.4.7" }, function(side)
  if side == "axis" or game.turn > value "mobilization".turn then return nobody() end
  return units_of "soviet":filter{ has = "front" }
end)

-- Nobody attacks over water, nor the Axis over the lower Volga (11.1.10).
attack_barrier = query("attack-barrier", { rule = { "11.1.3a", "11.1.10", "table.tec.lake" } }, function(side)
  local keys = value "lower-volga".keys
  if side == "axis" and not holds("axis", keys[1]) and not holds("axis", keys[2]) then
    return { "sea", "lake", "lower-volga" }
  end
  return water
end)

local function attackers_from(side, target, from)
  local found = ready(side):filter{ at = around({ target }, attack_barrier(side)):both(from) }
  return panzer_hexes():has(target) and found:minus(shy_fronts(side)) or found
end

marked = query("marked", { rule = { "11.1.1", "7.3.5b" } }, function() return spaces{ combat_marker = true } end)

-- Combat markers: any number of hexes, one OPS each, all before the first combat. An enemy may retreat next to a hex that has none now.
local function markable(side)
  if purse(side) < value "ops-cost".combat then return nowhere() end
  return standing(side):minus(marked())
end

procedure("combat-markers", { rule = { "7.3.5a", "7.3.5b", "7.3.5d" } }, function()
  local side = game.active
  local hex = ask(side, "combat.marker", { among = markable(side), ops = purse(side), none = "done" })
  if not hex then return "done" end
  pay(side, value "ops-cost".combat)
  hex.combat_marker = true
end)

procedure("combats", { rule = { "11.2.1b", "7.3.5c", "11.1.2", "7.3.5b" } }, function()
  return menu(game.active, "combat", { none = "done" })
end)

-- Hexes that these units can attack.
local function targets_of(side, units)
  return around(units:spaces(), attack_barrier(side)):both(attackable(side))
end

local function with_attackers(side, from)
  local units = ready(side):filter{ at = from }
  local bold = units:minus(shy_fronts(side))
  return targets_of(side, units):minus(panzer_hexes()):plus(targets_of(side, bold))
end

offer("combat", "attack", {
  rule = { "11.1.1", "11.1.4a" }, run = "attack",
  when = function() return #marked() > 0 end,
  among = function(side) return with_attackers(side, marked()) end,
})

local function fight_out(fight, from)
  muster(fight, attackers_from(fight.attacker, fight.target, from))
  note_bait(fight)
  combat(fight)
  finish_record(fight)
end

procedure("attack", { rule = { "11.1.1", "11.1.5", "11.2.1a" } }, function(target)
  fight_out(declare(target), marked())
end)

-- Partisans never defend with other units: they stand by, and are lost if their hex is (11.1.7, 16.1.6c).
function apart_from_partisans(units)
  local troops = units:filter{ not_arrives = "partisan-cup" }
  return #troops > 0 and troops or units
end

declare = procedure("declare", { rule = { "11.1.2", "11.1.4a", "11.1.4b", "11.1.7", "11.4.5a" } }, function(target)
  local side = game.active
  local there = apart_from_partisans(units_of(enemy(side)):filter{ at = target })
  target.attacked_here = true
  return start_record("fight", {
    attacker = side, defender = enemy(side), target = target,
    defenders = there:filter{ retreated = false }, stragglers = there:filter{ retreated = true },
  })
end)

-- The attacker names his units one by one; each choice keeps the attack legal.
muster = procedure("muster", { rule = { "11.1.3a", "11.1.5", "11.1.6" } }, function(fight, candidates)
  ask_each(fight.attacker, "combat.attacker", { among = candidates, fight = fight, hex = fight.target, none = "enough", least = 1 }, function(unit)
    unit.attacked = true
    fight.attackers = fight.attackers:plus{ unit }
  end)
  fight.hexes = fight.attackers:spaces()
  log("attacks", fight.attacker, fight.target, names_of(fight.attackers), names_of(fight.defenders:plus(fight.stragglers)))
end)

forbid("combat.attacker", "one-lcu", { rule = "11.1.3c" }, function(unit, ask)
  if not ask.fight.zhukov and unit.size == "lcu" and #ask.fight.attackers:filter{ size = "lcu" } > 0 then
    return no("one-lcu", unit)
  end
end)

-- All attacking hexes but one need an attacking armoured unit.
forbid("combat.attacker", "armour-in-each-hex", { rule = "11.1.3b" }, function(unit, ask)
  local others = ask.fight.attackers
  if ask.fight.zhukov or unit.armour or #others == 0 or others:spaces():has(unit.space) then return end
  local led = others:filter{ armour = true }:spaces()
  if #others:spaces():minus(led) > 0 then return no("armour-needed", unit) end
end)

forbid("combat.attacker", "mech-corps-apart", { rule = "4.4.8", turns = "1-2", side = "soviet" }, function(unit, ask)
  local mech = ask.fight.attackers:filter{ has = "mech" }
  if #mech == 0 or not unit:is "mech" then return end
  if mech:first().space ~= unit.space and panzer_hexes():has(ask.fight.target) then return no("mech-apart", unit) end
end)

forbid("combat.attacker", "romanians-and-hungarians", { rule = "19.1.1b", side = "axis" }, function(unit, ask)
  local rival = unit.nation == "ro" and "hu" or unit.nation == "hu" and "ro"
  if rival and #ask.fight.attackers:filter{ nation = rival } > 0 then return no("ro-hu", unit) end
end)

forbid("combat.attacker", "partisans-alone", { rule = { "11.1.7", "16.1.6b" }, side = "soviet" }, function(unit, ask)
  local others = ask.fight.attackers
  if #others == 0 then return end
  if unit.arrives == "partisan-cup" or #others:filter{ arrives = "partisan-cup" } > 0 then return no("partisans-alone", unit) end
end)

-- Zhukov: any two hexes, no markers, no limits (card.su.09); now, and once in each later OPS Round.
local function zhukov_may_lead(side)
  return side == "soviet" and effect "zhukov" ~= nil and not game.zhukov_used and (not game.moving or is_ops_round())
end

offer("combat", "zhukov", {
  rule = { "card.su.09", "11.1.3d" }, run = "attack-zhukov",
  when = zhukov_may_lead,
  among = function(side) return with_attackers(side, standing(side)) end,
})

procedure("attack-zhukov", { rule = { "card.su.09", "11.1.3d" } }, function(target)
  local fight = declare(target)
  fight.zhukov = true
  game.zhukov_used = true
  fight_out(fight, standing "soviet")
end)

forbid("combat.attacker", "zhukov-two-hexes", { rule = "card.su.09", side = "soviet" }, function(unit, ask)
  local from = ask.fight.attackers:spaces()
  if ask.fight.zhukov and #from >= value "zhukov".hexes and not from:has(unit.space) then return no("zhukov-hexes", unit) end
end)

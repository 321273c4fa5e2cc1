-- 9 and 11. A combat, stage by stage, for overruns and coordinated combats alike. The record `fight` carries what the stages find out.

combat = procedure("combat", {
  rule = { "9.res.g", "11.combat.g" },
  stages = { "odds", "support", "roll", "elastic", "desperate", "losses", "retreat", "pursuit" },
})

-- Units that retreated into the hex in this phase are guests: no strength, no bonus, the same fate. Where nobody else is there, the option
-- `retreated-alone` says whether they fight with what they have.
open_fight = procedure("open-fight", { rule = { "9.retreat.k", "11.combat.a" } }, function(side, target, overrun)
  local there = units_of(enemy(side)):filter{ at = target }
  local guests = there:filter{ retreated = true }
  if #guests == #there and option "retreated-alone" == "own" then guests = nobody() end
  game.fight = start_record("fight", {
    attacker = side, defender = enemy(side), target = target, overrun = overrun,
    defenders = there:minus(guests), guests = guests,
  })
  return game.fight
end)

function close_fight(fight)
  game.fight = nil
  finish_record(fight)
end

function attackers(fight) return alive(fight.attackers) end
function defenders(fight) return alive(fight.defenders:plus(fight.guests)) end

-- Strength ------------------------------------------------------------------------------------------------------------------

strength = number("strength", { rule = { "9.res.a", "2.anatomy.a" }, stages = { "printed", "disorganized", "supply", "bridge" } }, function(n, unit)
  n:add(unit.combat)
end)

modify("strength", "disorganized-strength", { rule = "10.dis.a", stage = "disorganized" }, function(n, unit)
  if unit.dis then n:divide_up(value "half".by) end
end)

modify("strength", "unsupplied-strength", { rule = { "15.effect.b", "15.effect.c", "15.effect.e" }, stage = "supply" }, function(n, unit)
  if unit.oos and not (unit.dis and not option "halvings-add-up") then n:divide_up(value "half".by) end
end)

modify("strength", "over-the-bridge", { rule = "6.bridges.c", stage = "bridge" }, function(n, unit)
  if unit.place == warsaw() then n:divide_up(value "half".by) end
end)

local function total(units)
  return units:sum(function(unit) return evaluate("strength", unit) end)
end

-- The combat points of each side together.
number("attack", { rule = { "9.res.a", "7.kg.d" }, stages = { "units" } }, function(n, fight) n:add(total(fight.attackers)) end)
number("defence", { rule = { "9.res.a", "9.retreat.k" }, stages = { "units" } }, function(n, fight) n:add(total(fight.defenders)) end)

-- Before anybody commits support: who fights, with what, in which column.
procedure("combat.odds", { rule = { "9.res.a", "9.res.b", "11.combat.g" } }, function(fight)
  fight.hexes = fight.attackers:spaces()
  fight.attack, fight.defence = evaluate("attack", fight), evaluate("defence", fight)
  fight.column = evaluate("column", fight)
  tell_odds(fight)
end)

-- The odds as a column: down, in the defender's favour; 1:1 is the third.
function odds_column(attack, defence)
  local odds = value "odds"
  if defence == 0 then return odds.one_to_one + odds.best - 1 end
  if attack >= defence then return odds.one_to_one + math.min(attack // defence, odds.best) - 1 end
  local worse = (defence + attack - 1) // attack
  return odds.one_to_one + 1 - math.min(worse, odds.worst)
end

combat_column = number("column", { rule = { "9.res.a", "9.res.b", "9.res.c", "9.res.d", "9.res.e", "7.kg.d" }, stages = { "odds", "shift", "edge" } }, function(n, fight)
  n:add(odds_column(fight.attack, fight.defence))
end)

modify("column", "ground-shift", { rule = { "9.terrain.a", "9.terrain.c", "9.res.b" }, stage = "shift" }, function(n, fight)
  n:add(lookup("terrain", fight.target.terrain, "column"))
end)

modify("column", "prepared-shift", { rule = { "8.prep.e", "8.prep.g", "8.prep.i" }, stage = "shift" }, function(n, fight)
  if fight.defenders:any{ prepared = true } then n:add(value "prepared".column) end
end)

modify("column", "table-edge", { rule = { "9.res.c", "9.res.d" }, stage = "edge" }, function(n)
  n:at_least(1)
  n:at_most(columns "crt")
end)

-- The die ---------------------------------------------------------------------------------------------------------------------

-- Printed bonus and that of events lying on the unit.
function attack_bonus(unit) return unit.attack_bonus + unit.cargo:sum "adds_attack" end
function defence_bonus(unit) return unit.defence_bonus + unit.cargo:sum "adds_defence" end

local function best(units, bonus)
  local most = 0
  for _, unit in ipairs(units) do most = math.max(most, bonus(unit)) end
  return most
end

die_bonus = number("die-bonus", { rule = { "9.res.f", "9.bonus.d" }, stages = { "bonus", "ground", "support", "limit" } }, function() end)

-- The best bonus of each attacking hex; by option of one hex only.
modify("die-bonus", "attack-bonus", { rule = { "9.bonus.a", "9.bonus.b", "2.bonus.a", "2.bonus.b", "7.kg.e", "11.combat.d", "9.bonus.e" }, stage = "bonus" }, function(n, fight)
  if option "limited-bonus" then
    n:add(best(fight.attackers, attack_bonus))
    return
  end
  for _, hex in ipairs(fight.hexes) do n:add(best(fight.attackers:filter{ at = hex }, attack_bonus)) end
end)

modify("die-bonus", "defence-bonus", { rule = { "9.bonus.b", "9.bonus.c", "2.bonus.a", "2.bonus.b", "7.kg.f" }, stage = "bonus", without = "limited-bonus" }, function(n, fight)
  n:add(-fight.defenders:sum(defence_bonus))
end)

modify("die-bonus", "one-defence-bonus", { rule = "9.bonus.e", stage = "bonus", option = "limited-bonus" }, function(n, fight)
  n:add(-best(fight.defenders, defence_bonus))
end)

modify("die-bonus", "ground-die", { rule = { "9.terrain.a", "9.terrain.c" }, stage = "ground" }, function(n, fight)
  n:add(lookup("terrain", fight.target.terrain, "die"))
end)

-- A river helps only if every attacker comes across it.
modify("die-bonus", "river-die", { rule = { "9.terrain.a", "9.terrain.b" }, stage = "ground" }, function(n, fight)
  for _, hex in ipairs(fight.hexes) do
    if not border(hex, fight.target):has "minor-river" then return end
  end
  n:add(value "river".die)
end)

modify("die-bonus", "prepared-die", { rule = { "8.prep.f", "8.prep.g", "8.prep.i" }, stage = "ground" }, function(n, fight)
  if fight.defenders:any{ prepared = true } then n:add(value "prepared".die) end
end)

modify("die-bonus", "support-die", { rule = { "10.support.a", "10.support.b", "10.stuka.d" }, stage = "support" }, function(n, fight)
  if fight.attacker_support then n:add(value "support".die) end
  if fight.defender_support then n:add(-value "support".die) end
end)

modify("die-bonus", "limit-of-six", { rule = "9.bonus.d", stage = "limit" }, function(n)
  n:at_least(-value "bonus".limit)
  n:at_most(value "bonus".limit)
end)

-- The result is read from the table at once, and Model may have the die rolled again.
procedure("combat.roll", { rule = { "9.res.f", "9.res.h", "12.model.b" } }, function(fight)
  fight.bonus = evaluate("die-bonus", fight)
  throw(fight)
  if model_rerolls(fight) then throw(fight) end
end)

throw = procedure("throw", { rule = { "9.res.f", "9.res.h", "9.result.a" } }, function(fight)
  fight.roll = roll("combat", value "die".faces)
  read_result(fight, lookup("crt", fight.roll + fight.bonus, fight.column))
  tell_result(fight)
end)

-- A printed result in its parts.
read_result = procedure("read-result", { rule = { "9.result.a", "9.elastic.c" } }, function(fight, cell)
  fight.a, fight.d, fight.r = lookup("results", cell, "a"), lookup("results", cell, "d"), lookup("results", cell, "r")
  fight.printed_d, fight.printed_r = fight.d, fight.r
  fight.yellow = lookup("results", cell, "yellow") == 1
end)

-- The defender's choices ------------------------------------------------------------------------------------------------------

may_bend = query("may-bend", { rule = { "9.elastic.a", "9.elastic.c", "9.elastic.d" } }, function(fight)
  if fight.d == 0 or fight.yellow then return false end
  return fight.defender == "german" or option "red-army-elastic-defense"
end)

procedure("combat.elastic", { rule = { "9.elastic.a", "9.elastic.b", "9.elastic.d" } }, function(fight)
  if not may_bend(fight) then return end
  local ask_it = { among = { "bend", "stand" }, fight = fight, target = fight.target, result = result_of(fight), bent = bent_result(fight) }
  if ask(fight.defender, "combat.elastic", ask_it) == "stand" then return end
  fight.d = fight.d - value "elastic".steps
  fight.r = fight.r + value "elastic".hexes
  log("elastic-defense", fight.defender, fight.target, result_of(fight))
end)

-- Hexes of retreat may be bought with steps, as far as there are steps.
procedure("combat.desperate", { rule = { "9.desperate.a", "9.desperate.b" } }, function(fight)
  local most = math.min(fight.r, steps_of(defenders(fight)) - fight.d)
  if most <= 0 then return end
  local ignored = ask(fight.defender, "combat.desperate", { from = 0, to = most, fight = fight, target = fight.target, result = result_of(fight) })
  fight.d = fight.d + ignored
  fight.r = fight.r - ignored
  log("desperate-defense", fight.defender, fight.target, ignored, result_of(fight))
end)

procedure("combat.losses", { rule = { "9.result.a", "9.result.b", "9.res.g", "11.combat.h" } }, function(fight)
  take_losses(fight.attacker, "combat.attacker-loss", fight.attackers, fight.a)
  take_losses(fight.defender, "combat.defender-loss", fight.defenders:plus(fight.guests), fight.d)
end)

-- 11.2 A combat, stage by stage. The record `fight` carries what the stages find out.

combat = procedure("combat", { rule = "11.2.1a", stages = { "check-supply", "cards", "evade", "fire", "losses", "winner", "late-losses", "spoils", "retreat", "advance" } })

-- The inactive side's units in the combat are checked now (13.1.1b).
procedure("combat.check-supply", { rule = "13.1.1b" }, function(fight)
  check_supply(fight.defender, fight.defenders:plus(fight.stragglers))
  for _, unit in ipairs(fight.attackers:plus(fight.defenders)) do
    if unit.hits > 0 then unit.hits = 0 end
  end
end)

function force(fight, side)
  return side == fight.attacker and fight.attackers or fight.defenders
end

-- Units of a side in the fight that are still on the map.
function alive(fight, side)
  return force(fight, side):filter{ on_map = true }
end

-- Attackers must be in full supply; defenders live on a fortress too (13.2.4).
function out_of_supply(fight, side)
  if side == fight.attacker then return alive(fight, side):filter{ not_supply = "full" } end
  return alive(fight, side):filter{ supply = "oos" }
end

-- No combat card helps such a force, not even one that was played in an earlier combat (13.3.4).
function wholly_out_of_supply(fight, side)
  return #out_of_supply(fight, side) == #alive(fight, side)
end

strength = number("strength", { rule = "11.2.1c", stages = { "sum" } }, function(n, fight, side)
  n:add(alive(fight, side):sum(side == fight.attacker and "attack" or "defence"))
end)

-- A large unit, or three panzer corps together, fire on the LCU table.
fire_table = query("fire-table", { rule = { "11.2.1f", "11.2.1g" } }, function(fight, side)
  local units = alive(fight, side)
  if #units:filter{ size = "lcu" } > 0 then return "fire-lcu" end
  local panzers = units:filter{ has = "panzer" }
  local enough = value "panzers-as-lcu".corps
  local massed = option "panzers-grouped" and #panzers:spaces(enough) > 0 or not option "panzers-grouped" and #panzers >= enough
  return massed and "fire-lcu" or "fire-scu"
end)

fire_column = number("column", { rule = { "11.2.1h", "11.2.1k" }, stages = { "strength", "shift", "edge" } }, function(n, fight, side)
  n:add(column(fire_table(fight, side), evaluate("strength", fight, side)))
end)

modify("column", "table-edge", { rule = "11.2.1k", stage = "edge" }, function(n, fight, side)
  n:at_least(1)
  n:at_most(columns(fire_table(fight, side)))
end)

-- One die each, read together. A result with an asterisk hurts small units only.
local function fire(fight, side)
  if #alive(fight, side) == 0 then return 0, false end
  local result = lookup(fire_table(fight, side), roll("fire." .. side), side == fight.attacker and fight.column_attacker or fight.column_defender)
  if result == "-" then return 0, false end
  if result == "1*" then return 1, true end
  return tonumber(result), false
end

procedure("combat.fire", { rule = { "11.2.1l", "11.3.1", "3.0i", "table.lcu", "table.scu" } }, function(fight)
  fight.column_attacker = evaluate("column", fight, fight.attacker)
  fight.column_defender = evaluate("column", fight, fight.defender)
  local by_attacker, star_a = fire(fight, fight.attacker)
  local by_defender, star_d = fire(fight, fight.defender)
  fight.hits_attacker, fight.star_attacker = by_attacker, star_a
  fight.hits_defender, fight.star_defender = by_defender, star_d
  tell_fire(fight)
end)

procedure("combat.winner", { rule = { "11.2.1n", "11.2.1o", "11.2.1p", "11.2.1q", "11.3.4b", "11.2.1r" } }, function(fight)
  fight.winner = winner_of(fight)
  tell_winner(fight)
end)

-- A side that was wiped out alone has lost; else the higher Loss Number wins.
function winner_of(fight)
  local attacker_gone, defender_gone = is_wiped_out(fight, fight.attacker), is_wiped_out(fight, fight.defender)
  if attacker_gone ~= defender_gone then return attacker_gone and fight.defender or fight.attacker end
  if attacker_gone then return "none" end
  if fight.hits_attacker > fight.hits_defender then return fight.attacker end
  if fight.hits_attacker < fight.hits_defender then return fight.defender end
  return mobile_tie_break(fight) and fight.attacker or "none"
end

-- A tie goes to the attacker who alone has a swift small unit in full supply, except in bad ground.
function mobile_tie_break(fight)
  local function swift(side) return #alive(fight, side):filter{ swift = true, supply = "full" } > 0 end
  local hex = fight.target
  local bad = not fight.clear_hex and (hex.terrain == "swamp" or hex.trench or hex.festung or hex.fortress)
  return swift(fight.attacker) and not swift(fight.defender) and not bad
end

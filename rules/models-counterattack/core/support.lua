-- 10. Artillery and Stukas: barrage after movement, support in coordinated combat.

procedure("begin-barrage", { rule = "5.steps.a" }, function() game.step = "barrage" end)

procedure("barrage", { rule = { "10.art.d", "10.barrage.a" } }, function()
  return menu(game.active, "barrage", { none = "done" })
end)

-- Markers that have arrived and have not been used this turn.
ready_guns = query("ready-guns", { rule = { "10.art.g", "10.support.d", "10.stuka.e" } }, function(side)
  return pieces{ kind = "marker", side = side, at = space(side .. "-support"), weapon = { "artillery", "stuka" }, used = false }
end)

shelled = query("shelled", { rule = "10.art.f" }, function() return spaces{ min_shelled = 1 } end)
bombed = query("bombed", { rule = "10.stuka.c" }, function() return spaces{ min_bombed = 1 } end)

-- Units that could direct guns: in supply, on the hexes.
spotters = query("spotters", { rule = { "10.art.e", "15.effect.d" } }, function(side)
  return units_of(side):filter{ oos = false }
end)

-- Units that are active, or can be activated by what they do now: the Germans that have not been.
acting = query("acting", { rule = { "10.art.d", "5.ger2.a", "5.turn.b" } }, function(side)
  local active = in_play(side):filter{ active = true }
  if side == "soviet" then return active end
  local able = fresh(side):filter{ active = false, reserve = 0 }
  return active:plus(is_limited() and able:minus(beyond_limit()) or able)
end)

-- Independents that direct any guns of their side.
free_spotters = query("free-spotters", { rule = { "10.art.h", "10.art.i" } }, function(side)
  return acting(side):both(spotters(side)):filter{ formation = value "independents".list }
end)

-- Units that the guns of a formation serve in a barrage: if the formation is activated, any of its own (by option those active); and
-- independents that are active. Soviet independents have the guns of the corps which activated them.
observers = query("observers", { rule = { "10.art.d", "10.art.e", "10.art.h", "10.art.i" } }, function(guns)
  local side = guns.side
  local able = acting(side):filter{ formation = guns.formation }
  local own = able:both(spotters(side))
  if #able > 0 and option "spotters" == "formation" then own = spotters(side):filter{ formation = guns.formation } end
  if side == "soviet" and guns.formation ~= game.corps then return own end
  return own:plus(free_spotters(side))
end)

disc = query("disc", { rule = "10.art.c" }, function(hex, range)
  return within(hex, range)
end)

function within_range(units, range)
  return #units > 0 and flood{ from = units:spaces(), steps = range, barrier = off_hexes } or nowhere()
end

-- Hexes that the guns can reach now.
covered = query("covered", { rule = { "10.art.c", "10.art.e", "15.effect.d" } }, function(guns)
  return within_range(observers(guns), guns.range)
end)

-- Enemy hexes that a marker may shell: once by artillery and once by a Stuka in a phase.
barrage_targets = query("barrage-targets", { rule = { "10.art.c", "10.art.e", "10.art.f", "10.art.h", "10.art.i", "10.stuka.b", "10.stuka.c", "15.effect.d", "6.warsaw.e" } }, function(guns)
  local foes = standing(enemy(guns.side))
  if guns.weapon == "stuka" then return foes:minus(bombed()) end
  return covered(guns):both(foes):minus(shelled())
end)

offer("barrage", "fire", {
  rule = { "10.art.d", "10.art.e", "10.stuka.b" }, run = "fire",
  among = function(side)
    return ready_guns(side):filter(function(guns) return #barrage_targets(guns) > 0 end)
  end,
})

procedure("fire", { rule = { "10.barrage.a", "10.art.f", "10.art.g", "10.stuka.c", "10.art.a" } }, function(guns, side)
  local target = ask(side, "barrage.target", { among = function() return barrage_targets(guns) end, guns = guns })
  guns.used = true
  log("barrage", guns, target)
  if guns.weapon == "stuka" then
    target.bombed = target.bombed + 1
  else
    direct_fire(guns, target)
    target.shelled = target.shelled + 1
  end
  shell(side, target, 0)
end)

-- Guns fire for an activated formation: where none of those they serve is active yet, firing activates one of them.
direct_fire = procedure("direct-fire", { rule = { "10.art.d", "10.art.e", "10.art.i" } }, function(guns, target)
  local able = acting(guns.side)
  local near = observers(guns):filter{ at = disc(target, guns.range) }
  local own = near:any{ formation = guns.formation } and able:filter{ formation = guns.formation } or nobody()
  local fit = own:plus(near:both(able))
  if fit:any{ active = true } then return end
  activate(ask(guns.side, "barrage.unit", { among = fit, guns = guns }))
end)

barrage_die = number("barrage-die", { rule = { "10.barrage.a", "10.barrage.c" }, stages = { "roll", "ground" } }, function(n, target, rolled, bonus)
  n:add(rolled + bonus)
end)

modify("barrage-die", "cover", { rule = { "10.barrage.c", "advice.a" }, stage = "ground" }, function(n, target)
  n:add(lookup("terrain", target.terrain, "barrage"))
end)

-- One unit suffers, and its owner says which. Returns the result.
shell = procedure("shell", { rule = { "2.tables.a", "10.barrage.b", "10.barrage.d", "10.barrage.e", "7.kg.g" } }, function(side, target, bonus)
  local result = lookup("barrage", evaluate("barrage-die", target, roll("barrage", value "die".faces), bonus), "result")
  log("barrage-" .. result, target)
  if result == "none" then return result end
  local unit = ask(enemy(side), "barrage.victim", { among = units_of(enemy(side)):filter{ at = target }, result = result, target = target })
  if result == "loss" then lose_step(unit) else disorganize(unit) end
  return result
end)

disorganize = procedure("disorganize", { rule = { "10.barrage.e", "10.dis.a" } }, function(unit)
  if not unit.dis then unit.dis = true end
end)

-- Support -------------------------------------------------------------------------------------------------------------------

-- Whether guns may help these units against, or in, a hex next to them or their own: units of their formation, and independents. Soviet
-- independents that attack have the guns of the corps which activated them; in the enemy's phase no corps is active, and any guns will do.
-- By option the formation must have a unit with the hex in range; one that takes part has.
local function serves(guns, units, target)
  if guns.weapon == "stuka" or units:any{ formation = guns.formation } then return true end
  local bound = guns.side == "soviet" and game.active == "soviet" and guns.formation ~= game.corps
  if bound or not units:any(is_independent) then return false end
  return not option "support-in-range"
    or within_range(units_of(guns.side):filter{ formation = guns.formation, oos = false }, guns.range):has(target)
end

-- Markers that may help these units, if one of them is in supply.
local function supporters(side, units, target)
  local fed = units:filter{ oos = false }
  if #fed == 0 then return nobody() end
  return ready_guns(side):filter(function(guns) return serves(guns, fed, target) end)
end

local function commit(fight, side, units)
  local helpers = supporters(side, units, fight.target)
  local helper = ask(side, "combat.support", {
    among = helpers,
    fight = fight, target = fight.target, odds = odds_text(fight), helped = side, none = "no-support",
  })
  if not helper then return end
  helper.used = true
  log("supports", helper, side, fight.target)
  return helper
end

-- The attacker first, then the defender, one marker each (10.support.e).
procedure("combat.support", { rule = { "10.support.a", "10.support.b", "10.support.c", "10.support.d", "10.support.e", "10.art.h", "10.art.i", "9.overrun.e" } }, function(fight)
  if fight.overrun then return end
  if not fight.attacker_support then fight.attacker_support = commit(fight, fight.attacker, fight.attackers) end
  fight.defender_support = commit(fight, fight.defender, fight.defenders)
end)

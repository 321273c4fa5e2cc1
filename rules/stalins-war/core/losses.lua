-- 11.3 Losses, and where eliminated units go.

-- The fire losses: the defender assigns his first.
procedure("combat.losses", { rule = { "11.2.1m", "11.3.1", "11.4.5b" } }, function(fight)
  local toll = math.max(0, evaluate("fire-losses", fight, fight.defender))
  fight.spared_defender = fight.hits_attacker - toll
  take_losses(fight, fight.defender, toll, fight.star_attacker)
  if fight.hits_attacker > 0 then
    for _, unit in ipairs(fight.stragglers:filter{ on_map = true }) do eliminate(unit) end
  end
  take_losses(fight, fight.attacker, evaluate("fire-losses", fight, fight.attacker), fight.star_defender)
end)

function levels_left(units)
  return units:sum "levels" - units:sum "level" + #units
end

-- How many levels a side must lose to fire: the enemy's Loss Number, less what cards absorb.
fire_losses = number("fire-losses", { rule = "11.3.1", stages = { "fire", "card" } }, function(n, fight, side)
  n:add(side == fight.attacker and fight.hits_defender or fight.hits_attacker)
end)

-- Levels that cards and Zhukov add once the winner is known (11.3.5): any losses, and losses of the kind that was inflicted.
late_losses = number("late-losses", { rule = "11.3.5", stages = { "card" } }, function() end)
like_losses = number("like-losses", { rule = "11.3.5", stages = { "card" } }, function() end)
modify("late-losses", "zhukov-price", { rule = { "card.su.09", "11.2.1p" }, stage = "card" }, function(n, fight, side)
  if fight.zhukov and side == "soviet" then n:add(value "zhukov".extra_loss) end
end)

procedure("combat.late-losses", { rule = { "11.3.5", "11.2.1p" } }, function(fight)
  for _, side in ipairs{ fight.defender, fight.attacker } do
    local star = side == fight.attacker and fight.star_defender or side == fight.defender and fight.star_attacker
    take_losses(fight, side, evaluate("like-losses", fight, side), star)
    take_losses(fight, side, evaluate("late-losses", fight, side), false)
  end
end)

-- Small units; but none a second time while a large one is unhurt (11.3.2b), for that one cannot take the loss either.
function small_victims(units)
  local small = units:filter{ size = "scu" }
  local fresh = small:filter{ hits = 0 }
  local spared = #units:filter{ size = "lcu", hits = 0 } > 0
  return spared and fresh or small
end

take_losses = procedure("take-losses", { rule = { "11.3.2a", "11.3.4a", "11.3.4c" } }, function(fight, side, levels, star)
  for _ = 1, levels do
    local victims = alive(fight, side)
    if star then victims = small_victims(victims) end
    if #victims == 0 then return end
    local unit = ask(side, "combat.loss", {
      among = victims, fight = fight, star = star, first = #force(fight, side):filter{ min_hits = 1 } == 0,
    })
    lose_level(unit, fight)
  end
end)

prefer("combat.loss", "stalin-last", { rule = { "11.3.2c", "16.4.2" } }, function(unit)
  return unit.id ~= "su-stalin"
end)

prefer("retreat.loss", "stalin-last-to-stand", { rule = { "11.4.3b", "16.4.2" } }, function(unit)
  return unit.id ~= "su-stalin"
end)

prefer("combat.loss", "first-loss-armour", { rule = "11.3.3" }, function(unit, ask)
  return not ask.first or unit.side ~= ask.fight.attacker or unit.armour == true
end)

prefer("combat.loss", "spread-losses", { rule = "11.3.2b" }, function(unit)
  return unit.hits == 0
end)

lose_level = procedure("lose-level", { rule = { "11.3.2a", "2.2.1e" } }, function(unit, fight)
  unit.hits = unit.hits + 1
  if unit.nation == "ge" and game.active == "soviet" then game.german_loss = true end
  if unit.level < unit.levels then
    step_down(unit)
  elseif not saved_by_kampfgruppe(unit, fight) then
    eliminate(unit)
  end
end)

-- Asterisked units leave the game; Axis armies lost out of supply wait three turns; the rest go to the box.
eliminate = procedure("eliminate", { rule = { "11.3.6a", "11.3.6b", "2.2.1f", "11.4.4a" } }, function(unit, stranded)
  local lost_oos = stranded or unit.supply == "oos"
  note_lost_army(unit)
  if unit.arrives == "partisan-cup" and unit.dormant then
    recall_partisan(unit)
  elseif not unit.best then
    leave_game(unit)
  else
    step_down(unit, unit.levels - unit.level)
    unit.supply = "full"
    if lost_oos and unit.side == "axis" and unit.size == "lcu" then
      unit.returns = game.turn + value "turn-track".turns
      move(unit, space "turn-track")
    else
      move(unit, space("eliminated-" .. unit.side))
    end
  end
end)

leave_game = procedure("leave-game", { rule = { "2.2.1f", "11.3.6c", "14.2.1" } }, function(unit)
  move(unit, space "out-of-game")
  if unit.id == "su-f-southwest" then
    local weaker = piece "su-f-southwest2"
    step_down(weaker, weaker.levels - weaker.level)
    move(weaker, space "eliminated-soviet")
  end
end)

-- Some German reinforcements come only after a whole German army was lost (card.ax.26).
note_lost_army = procedure("note-lost-army", { rule = "card.ax.26" }, function(unit)
  if unit.nation == "ge" and unit.size == "lcu" and unit.levels == value "full-army".levels and not game.army_lost then
    game.army_lost = true
  end
end)

-- 11.3 Losses, and where eliminated units go.

-- The fire losses: the defender assigns his first.
procedure("combat.losses", { rule = { "11.2.1m", "11.3.1", "11.4.5b" } }, function(fight)
  fight.doomed_attacker, fight.doomed_defender = is_doomed(fight, fight.attacker), is_doomed(fight, fight.defender)
  if fight.hits_attacker > 0 then
    for _, unit in ipairs(fight.stragglers:filter{ on_map = true }) do eliminate(unit) end
  end
  take_losses(fight, fight.defender, evaluate("fire-losses", fight, fight.defender), fight.star_attacker)
  take_losses(fight, fight.attacker, evaluate("fire-losses", fight, fight.attacker), fight.star_defender)
end)

-- What a side suffers by fire: the enemy's Loss Number, and whether it has an asterisk.
function loss_number(fight, side)
  if side == fight.attacker then return fight.hits_defender, fight.star_defender end
  return fight.hits_attacker, fight.star_attacker
end

-- Whether fire alone would take the last level of a side. What combat cards add before it (their hits) or spare is left out:
-- cards do not decide who wins (11.2.1p). An asterisk does not hurt armies.
function is_doomed(fight, side)
  local hits, star = loss_number(fight, side)
  local units = alive(fight, side)
  if hits == 0 or star and #units:filter{ size = "lcu" } > 0 then return false end
  return hits >= levels_left(units) + force(fight, side):sum "hits"
end

-- Judged by the fire alone, or by option by who is still on the map.
function is_wiped_out(fight, side)
  if option "winner-by-fire-alone" then
    return side == fight.attacker and fight.doomed_attacker or side == fight.defender and fight.doomed_defender
  end
  return #(side == fight.attacker and alive(fight, side) or losers(fight)) == 0
end

function levels_left(units)
  return units:sum "levels" - units:sum "level" + #units
end

-- How many levels a side must lose to fire: the enemy's Loss Number, less what cards absorb.
fire_losses = number("fire-losses", { rule = "11.3.1", stages = { "fire", "card" } }, function(n, fight, side)
  n:add((loss_number(fight, side)))
end)

-- Levels that cards and Zhukov add once the winner is known (11.3.5): any losses, and losses of the kind that was inflicted.
late_losses = number("late-losses", { rule = "11.3.5", stages = { "card" } }, function() end)
like_losses = number("like-losses", { rule = "11.3.5", stages = { "card" } }, function() end)
modify("late-losses", "zhukov-price", { rule = { "card.su.09", "11.2.1p" }, stage = "card" }, function(n, fight, side)
  if fight.zhukov and side == "soviet" then n:add(value "zhukov".extra_loss) end
end)

procedure("combat.late-losses", { rule = { "11.3.5", "11.2.1p" } }, function(fight)
  for _, side in ipairs{ fight.defender, fight.attacker } do
    local _, star = loss_number(fight, side)
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

-- Who can take a loss: Stalin only when nobody else is left in the hex, also if nobody else is small enough for an asterisk.
local function victims_of(fight, side, star)
  local units = alive(fight, side)
  local others = (side == fight.defender and losers(fight) or units):filter{ not_id = "su-stalin" }
  if #others > 0 then units = units:both(others) end
  return star and small_victims(units) or units
end

take_losses = procedure("take-losses", { rule = { "11.3.2a", "11.3.2c", "11.3.4a", "11.3.4c", "16.4.2" } }, function(fight, side, levels, star)
  for _ = 1, levels do
    local victims = victims_of(fight, side, star)
    if #victims == 0 then return end
    local unit = ask(side, "combat.loss", {
      among = victims, fight = fight, hex = fight.target, star = star, first = #force(fight, side):filter{ min_hits = 1 } == 0,
    })
    lose_level(unit, fight)
  end
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
  if unit.level < unit.levels then
    step_down(unit)
    note_german_loss(unit)
  elseif not saved_by_kampfgruppe(unit, fight) then
    eliminate(unit)
  end
end)

-- Any German level that is lost in a Soviet round, by fire or by a retreat that cannot be made (card.ax.17).
note_german_loss = procedure("note-german-loss", { rule = "card.ax.17" }, function(unit)
  if unit.nation == "ge" and game.active == "soviet" and not game.german_loss then game.german_loss = true end
end)

-- Asterisked units leave the game; Axis armies lost out of supply wait three turns; the rest go to the box.
eliminate = procedure("eliminate", { rule = { "11.3.6a", "11.3.6b", "2.2.1f", "11.4.4a" } }, function(unit, stranded)
  local lost_oos = stranded or unit.supply == "oos"
  note_lost_army(unit)
  note_german_loss(unit)
  if unit.landed then unit.landed = false end
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

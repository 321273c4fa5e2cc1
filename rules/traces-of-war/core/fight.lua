-- 7, 10.3 The odds as they are declared, air support, the die, and losses.

-- Both strengths, and the column before the Luftwaffe comes.
procedure("fight.odds", { rule = { "10.1e-x", "10.2e", "10.2i", "10.2l", "10.2m" } }, function(fight)
  fight.attack, fight.defence = total_attack(fight.attackers, fight.target), total_defence(fight.target, fight.defender)
  fight.shift = evaluate("shift", fight.target)
  fight.column = shifted_column(fight.attack, fight.defence, fight.shift)
  game.column = column_name(fight.column)
  local told = { fight.target, fight.attacker, fight.attack, fight.defence, declared_ratio(fight), game.column }
  log(fight.defence == 0 and "no-defence" or fight.shift == 0 and "odds" or "shifted-odds", table.unpack(told))
end)

-- The ratio as one says it, before any shift.
function declared_ratio(fight) return column_name(shifted_column(fight.attack, fight.defence, 0)) end

-- Offensive markers for an Axis attack, defensive ones against a Soviet one.
forbid("air-support", "right-marker", { rule = { "7.0f", "7.0g" } }, function(marker, ask)
  local kind = ask.fight.attacker == "axis" and "offensive" or "defensive"
  if marker.air ~= kind then return no("no-use", marker) end
end)

-- The window opens whenever the Axis holds a marker, so that it tells nothing about which.
procedure("fight.air", { rule = { "7.0a", "2.5d", "7.0d", "7.0e" } }, function(fight)
  local hand = space "luftwaffe-hand"
  if hand.count == 0 then return end
  local most = option "several-luftwaffe-markers" and hand.count or 1
  fight.markers = choose("axis", "air-support", {
    among = hand.pieces, max = most, always = true, fight = fight,
    attacker = fight.attacker, target = fight.target, ratio = declared_ratio(fight), column = game.column,
  })
  for _, marker in ipairs(fight.markers) do
    reveal(marker) -- both sides see what was spent; in the box it is one of the hidden ones again
    log("support-flown", marker.name, fight.target)
    move(marker, space "luftwaffe-box")
  end
end)

number("die", { rule = "10.3a", stages = { "roll", "air", "floor" } }, function(n, fight, rolled) n:add(rolled) end)
modify("die", "defensive-support", { rule = { "7.0g", "10.3b" }, stage = "air" }, function(n, fight)
  for _ = 1, #fight.markers:filter { air = "defensive" } do n:add(value "defensive-support".die) end
end)
modify("die", "lowest-roll", { rule = { "7.0g", "10.3b" }, stage = "floor" }, function(n) n:at_least(value "defensive-support".lowest) end)

procedure("fight.roll", { rule = { "10.3a", "10.3e", "10.3c", "10.3d", "10.2h" } }, function(fight)
  if #fight.markers > 0 then
    fight.shift = evaluate("shift", fight.target, fight.markers)
    fight.column = shifted_column(fight.attack, fight.defence, fight.shift)
    game.column = column_name(fight.column)
  end
  local die = evaluate("die", fight, roll "combat")
  fight.result = lookup("crt", die, fight.column)
  log("combat-result", fight.target, game.column, die, fight.result)
  fight.steps = evaluate("steps", fight)
  fight.retreat = evaluate("retreat-length", fight)
end)

-- Axis units in a city to be held at all costs. Paratroops who landed in one are under no such order.
local function must_hold(fight) return fight.target.order and fight.defender == "axis" end

-- What a result means for the defender; an order to hold turns retreat into steps.
number("steps", { rule = "10.3e", stages = { "result", "order" } }, function(n, fight)
  n:add(lookup("results", fight.result, "steps"))
end)
modify("steps", "hold-at-all-costs", { rule = { "12.2a", "2.5e", "12.2b" }, stage = "order" }, function(n, fight)
  if must_hold(fight) then n:add(lookup("results", fight.result, "retreat")) end
end)

number("retreat-length", { rule = { "10.3e", "10.4a" }, stages = { "result", "order" } }, function(n, fight)
  n:add(lookup("results", fight.result, "retreat"))
end)
modify("retreat-length", "no-step-back", { rule = { "12.2a", "12.2b" }, stage = "order" }, function(n, fight)
  if must_hold(fight) then n:set(0) end
end)

function defenders(fight)
  return units_in(fight.target, fight.defender)
end

-- Attackers that still stand where they attacked from.
function still_attacking(fight)
  return fight.attackers:filter { at = around({ fight.target }) }
end

-- The owner decides who takes each step.
local function take_steps(fight, side, number, units_left)
  for _ = 1, number do
    local units = units_left()
    if #units == 0 then return end
    lose_step(ask(side, "combat.loss", { among = units, target = fight.target, result = fight.result }))
  end
end

procedure("fight.losses", { rule = { "10.3e", "10.3f" } }, function(fight)
  take_steps(fight, fight.defender, fight.steps, function() return defenders(fight) end)
  take_steps(fight, fight.attacker, lookup("results", fight.result, "attacker"), function() return still_attacking(fight) end)
end)

lose_step = procedure("lose-step", { rule = { "2.2i", "2.3d", "10.3g", "10.3h", "2.2h" } }, function(unit)
  if unit.hq then
    relocate(unit)
  elseif not step_down(unit) then
    eliminate(unit)
  end
end)

eliminate = procedure("eliminate", { rule = { "10.3g", "10.3h", "2.3d" } }, function(unit)
  if unit.hq then return relocate(unit) end
  score_loss(unit)
  unit.supply = "in"
  put(unit, space "eliminated")
end)

score_loss = procedure("score-loss", { rule = { "13.2b", "13.2e", "13.2f", "13.2g", "2.2a" } }, function(unit)
  local points = unit.side == "axis" and worth(unit) or 0
  if points == 0 then return log("eliminated", unit.full) end
  log("eliminated-for-vp", unit.full, points)
  score(points)
end)

function worth(unit)
  local vp = value "vp"
  if unit.nation ~= "german" then return vp.minor end
  if unit.panzer or option "panzergrenadiers-are-panzer" and unit.mechanized then return vp.panzer end
  return vp.german
end

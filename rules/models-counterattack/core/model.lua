-- 12. Field Marshal Model: four abilities, one of them a turn.

function model_ready()
  local model = piece "model"
  return not model.used and model.place == space "german-support"
end

use_model = procedure("use-model", { rule = { "12.model.e", "12.model.f" } }, function()
  piece "model".used = true
end)

-- A second roll of a combat die, in attack or defence; the second roll stands.
model_rerolls = procedure("model-rerolls", { rule = "12.model.b" }, function(fight)
  if not model_ready() then return false end
  if ask("german", "model.reroll", { among = { "keep", "reroll" }, fight = fight, target = fight.target, rolled = fight.roll, result = result_of(fight) }) == "keep" then return false end
  use_model()
  log("model-rerolls", fight.target)
  return true
end)

-- An attack by units that form no line.
concentric_targets = query("concentric-targets", { rule = { "12.model.a", "11.combat.f" } }, function()
  local from = ready "german":spaces()
  return targets "german":filter(function(target)
    return not in_line(around({ target }, { "entry" }):both(from))
  end)
end)

offer("combats", "concentric", {
  rule = "12.model.a", side = "german", run = "attack-concentric",
  when = model_ready,
  among = function() return concentric_targets() end,
})

procedure("attack-concentric", { rule = { "12.model.a", "12.model.e" } }, function(target, side)
  use_model()
  assault(target, side, { concentric = true })
end)

-- Units with a Moved marker.
worn = query("worn", { rule = { "12.model.c", "5.limits.c" } }, function(side)
  return pieces{ kind = "unit", side = side, spent = true }
end)

-- Stacks activated in an earlier phase: on the hexes, in Warsaw and off the map; by option on the hexes only.
tired = query("tired", { rule = "12.model.c" }, function()
  if #worn "german" == 0 then return nowhere() end
  local spent = worn "german":both(in_play "german"):filter{ active = false, reserve = 0 }
  return (option "model-reactivates" == "any" and spent or spent:filter{ on_map = true }):spaces()
end)

-- One of them acts again, be it to move or only to fight.
offer("movement", "reactivate", {
  rule = { "12.model.c", "5.limits.b" }, side = "german", run = "reactivate",
  when = model_ready, among = function() return tired() end,
})
offer("combats", "reactivate", {
  rule = { "12.model.c", "5.limits.b" }, side = "german", run = "reactivate",
  when = model_ready, among = function()
    local stacks = tired()
    return #stacks > 0 and stacks:both(around(standing "soviet", { "entry" })) or stacks
  end,
})

procedure("reactivate", { rule = { "12.model.c", "12.model.e" } }, function(place)
  use_model()
  log("model-reactivates", place)
  for _, unit in ipairs(in_play "german":filter{ at = place, spent = true, active = false, reserve = 0 }) do unit.spent = false end
end)

-- With Limited German Activation: one more division in this phase.
offer("movement", "third-division", {
  rule = { "12.model.d", "5.limited.e" }, option = "limited-german-activation", side = "german", run = "third-division",
  when = function() return model_ready() and game.turn >= value "limited".from_turn end,
})

offer("combats", "third-division", {
  rule = { "12.model.d", "5.limited.e" }, option = "limited-german-activation", side = "german", run = "third-division",
  when = function() return model_ready() and game.turn >= value "limited".from_turn and #beyond_limit() > 0 end,
})

procedure("third-division", { rule = { "12.model.d", "5.limited.e" } }, function()
  use_model()
  game.divisions = game.divisions + value "model".divisions
end)

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
  if ask("german", "model.reroll", { among = { "keep", "reroll" }, fight = fight, rolled = fight.roll }) == "keep" then return false end
  use_model()
  return true
end)

-- An attack by units that form no line.
concentric_targets = query("concentric-targets", { rule = "12.model.a" }, function()
  local from = ready "german":spaces()
  return targets "german":filter(function(target)
    return not connected(around({ target }, { "entry" }):both(from))
  end)
end)

offer("combats", "concentric", {
  rule = "12.model.a", side = "german", run = "attack-concentric",
  when = model_ready,
  among = function() return concentric_targets() end,
})

procedure("attack-concentric", { rule = { "12.model.a", "12.model.e" } }, function(target, side)
  use_model()
  attack(target, side, true)
end)

tired = query("tired", { rule = "12.model.c" }, function() return units_of "german":filter{ spent = true } end)

-- A stack activated in an earlier phase acts again.
offer("movement", "reactivate", {
  rule = { "12.model.c", "5.limits.b" }, side = "german", run = "reactivate",
  among = function()
    local spent = tired()
    return #spent > 0 and model_ready() and spent:filter{ active = false, reserve = 0 }:spaces() or nowhere()
  end,
})

procedure("reactivate", { rule = { "12.model.c", "12.model.e" } }, function(hex)
  use_model()
  for _, unit in ipairs(units_of "german":filter{ at = hex, spent = true, active = false }) do unit.spent = false end
end)

-- With Limited German Activation: one more division in this phase.
offer("movement", "third-division", {
  rule = { "12.model.d", "5.limited.e" }, option = "limited-german-activation", side = "german", run = "third-division",
  when = function() return model_ready() and game.turn >= value "limited".from_turn end,
})

procedure("third-division", { rule = { "12.model.d", "5.limited.e" } }, function()
  use_model()
  game.divisions = game.divisions + value "model".divisions
end)

-- 10.1 Who may attack what. The page is lost: these are the readings of the ledger.

procedure("combat", { rule = { "10.1a-x", "4.3f", "10.1d-x" } }, function()
  return menu(game.active, "combat", { none = "done" })
end)

-- Active units that may still attack.
local ready = query("ready-to-attack", { rule = { "10.1a-x", "10.1b-x" } }, function(side)
  if option "one-attack-per-unit" then return units_of(side):filter { active = true, attacked = false } end
  return units_of(side):filter { active = true }
end)

-- The hexes from which one can be attacked: not across a blocked hexside.
local attack_hexes = query("attack-hexes", { rule = "10.1d-x" }, function(target) return around({ target }, { "blocked" }) end)

-- Those of them next to a hex.
assailants = query("assailants", { rule = { "10.1c-x", "10.1d-x" } }, function(side, target)
  return ready(side):filter { at = attack_hexes(target) }
end)

offer("combat", "attack", { rule = { "10.1a-x", "10.1c-x" }, run = "attack-hex", among = function(side)
  return around(ready(side):spaces(), { "blocked" }):both(standing(enemy(side)))
end })

assaulted = query("assaulted", { rule = "10.1b-x" }, function() return spaces { assaulted = true } end)

forbid_all("combat", "attacked-before", { rule = "10.1b-x", option = "one-attack-per-hex" }, function()
  return assaulted(), no("attacked-before")
end)

-- Even with everybody joining in, and before any air support.
local beatable = query("beatable", { rule = "10.2k" }, function(side, target)
  return strong_enough(assailants(side, target), target, enemy(side))
end)

forbid("combat", "below-one-to-one", { rule = "10.2k" }, function(target)
  if not beatable(game.active, target) then return no("too-weak", target) end
end)

procedure("attack-hex", { rule = { "10.1c-x", "10.1e-x" } }, function(target)
  local side = game.active
  local column, attack, defence = expected_odds(assailants(side, target), target, enemy(side))
  local units = choose(side, "combat.attackers", {
    among = assailants(side, target), min = 1, target = target,
    attack = attack, defence = defence, column = column_name(column),
    test = function(list) return strong_enough(list, target, enemy(side)), no("too-weak", target) end,
  })
  for _, unit in ipairs(units) do unit.attacked = true end
  target.assaulted = true
  local fight = start_record("fight", { attacker = side, defender = enemy(side), target = target, attackers = units })
  call("fight", fight)
  finish_record(fight)
end)

procedure("fight", { rule = "10.1e-x", stages = { "odds", "air", "roll", "losses", "retreat", "advance" } })

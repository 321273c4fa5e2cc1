-- Chapter 6: combat. One attack is a record in play that its stages fill in, so that cards and layers can attach to each stage.

procedure("combat", { rule = "6.1" }, function() return menu(game.active, "combat", { none = "done" }) end)

local function rested(side) return units_of(side):filter{ fought = false } end

targets = query("targets", { rule = "6.1" }, function(side)
  return standing(enemy(side)):both(around(rested(side):spaces()))
end)

offer("combat", "attack", { rule = "6.1", among = function(side) return targets(side) end })

procedure("attack", { rule = "6.1" }, function(hex, side)
  local foe = enemy(side)
  local fight = start_record("fight", { attacker = side, defender = foe, hex = hex, defenders = units_of(foe):filter{ at = hex } })
  call("fight", fight)
  finish_record(fight)
end)

procedure("fight", { rule = "6.1", stages = { "join", "cards", "fire", "losses", "retreat", "advance" } })

procedure("fight.join", { rule = "6.1" }, function(fight)
  local near = rested(fight.attacker):filter{ at = neighbours(fight.hex) }
  fight.attackers = choose(fight.attacker, "combat.with", { among = near, min = 1 })
  for _, unit in ipairs(fight.attackers) do unit.fought = true end
end)

-- The two strengths: what the units bring, then what the ground, supply and cards make of it.

local stages = { "ground", "supply", "card" }

number("attack", { rule = "6.2", stages = stages }, function(n, fight) n:add(fight.attackers:sum "strength") end)

number("defence", { rule = "6.2", stages = stages }, function(n, fight) n:add(fight.defenders:sum "strength") end)

modify("attack", "over-river", { rule = "6.3", stage = "ground" }, function(n, fight)
  for _, unit in ipairs(fight.attackers) do
    if border(unit.space, fight.hex):has "river" then n:add(value "ground".river) end
  end
end)

modify("defence", "cover", { rule = "6.3", stage = "ground" }, function(n, fight)
  n:add(value "ground"[fight.hex.terrain])
end)

modify("defence", "dug-in", { rule = "6.3", stage = "ground" }, function(n, fight)
  if fight.defenders:any{ dug_in = true } then n:add(value "ground".dug_in) end
end)

procedure("fight.fire", { rule = "6.5" }, function(fight)
  local margin = evaluate("attack", fight) - evaluate("defence", fight)
  fight.result = lookup("combat", roll "combat", column("combat", margin))
end)

procedure("fight.losses", { rule = "6.6" }, function(fight)
  local result = value "results"[fight.result]
  take_losses(fight.defender, fight.defenders, result.defender)
  take_losses(fight.attacker, fight.attackers, result.attacker)
end)

function take_losses(side, units, steps)
  for _ = 1, steps do
    local alive = units:filter{ on_map = true }
    if #alive > 0 then lose_step(ask(side, "combat.loss", { among = alive })) end
  end
end

prefer("combat.loss", "full-strength-first", { rule = "6.6" }, function(unit) return unit.level == 1 end)

-- 6.7 Retreat. `narrow` tells whether any way is left before the question is put: a question without an answer is an error.

procedure("fight.retreat", { rule = "6.7" }, function(fight)
  if not value "results"[fight.result].retreat then return end
  for _, unit in ipairs(fight.defenders:filter{ on_map = true }) do
    local ways = narrow(unit.side, "combat.retreat", { among = neighbours(fight.hex), unit = unit })
    if #ways == 0 then
      lose_unit(unit)
    else
      go(unit, ask(unit.side, "combat.retreat", { among = neighbours(fight.hex), unit = unit }), "retreat")
    end
  end
end)

forbid_all("combat.retreat", "under-fire", { rule = "6.7" }, function(ask)
  local foe = enemy(ask.unit.side)
  return zone(foe):plus(standing(foe)), no("under-fire")
end)

forbid_all("combat.retreat", "no-room", { rule = "6.7" }, function(ask)
  return full("units", ask.unit.side), no("crowded")
end)

forbid("combat.retreat", "no-swimming", { rule = "6.7" }, function(hex, ask)
  if border(ask.unit.space, hex):has "river" then return no("no-swimming", hex) end
end)

prefer("combat.retreat", "towards-supply", { rule = "6.7" }, function(hex, ask)
  return supplied(ask.unit.side):has(hex)
end)

procedure("fight.advance", { rule = "6.8" }, function(fight)
  if standing(fight.defender):has(fight.hex) then return end
  local unit = ask(fight.attacker, "combat.advance", { among = fight.attackers:filter{ on_map = true }, none = "stay" })
  if unit then go(unit, fight.hex, "advance") end
end)

-- What `sandtable odds` observes of a battle: `space` is where it is fought, the first argument of the call.

local function fighting(sides, space) return pieces { at = space, side = sides, min_hits = 1 } end

query("outcome.attackers", { rule = "odds.1" }, function(space) return #fighting(game.active, space) end)
query("outcome.defenders", { rule = "odds.1" }, function(space) return #fighting(foes(game.active), space) end)
query("outcome.control", { rule = "odds.2" }, function(space) return controller(space) or "nobody" end)

-- What the attacker's units are worth beyond the defender's: its change is the swing of the battle.
query("outcome.swing", { rule = "odds.3" }, function(space)
  return fighting(game.active, space):sum "cost" - fighting(foes(game.active), space):sum "cost"
end)

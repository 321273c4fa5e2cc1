-- What `sandtable odds` observes of an attack: `hex` is what is attacked, the first argument of the call.

local function steps(side) return pieces{ kind = "unit", side = side, on_map = true }:sum "steps_left" end

query("outcome.attackers", { rule = "odds.1" }, function(hex) return steps(game.active) end)
query("outcome.defenders", { rule = "odds.1" }, function(hex) return steps(enemy(game.active)) end)

query("outcome.holder", { rule = "odds.2" }, function(hex)
  local unit = pieces{ kind = "unit", at = hex }:first()
  return unit and unit.side or "nobody"
end)

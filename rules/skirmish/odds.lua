-- What `sandtable odds` observes of an attack: `hex` is what is attacked, the first argument of the call, `side` who attacks.

local function steps(side) return pieces{ kind = "unit", side = side, on_map = true }:sum "steps_left" end

query("outcome.attackers", { rule = "odds.1" }, function(hex, side) return steps(side) end)
query("outcome.defenders", { rule = "odds.1" }, function(hex, side) return steps(enemy(side)) end)

query("outcome.holder", { rule = "odds.2" }, function(hex)
  local unit = pieces{ kind = "unit", at = hex }:first()
  return unit and unit.side or "nobody"
end)

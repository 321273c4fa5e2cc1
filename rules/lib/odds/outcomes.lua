-- What `sandtable odds` observes of an attack: `hex` is what is attacked, the first argument of the call, `side` who attacks, else the
-- side whose turn it is. A game gives the paragraphs of its own rulebook that say so: what is left of either side, and who holds the hex.

local function steps(side) return pieces{ kind = "unit", side = side, on_map = true }:sum "steps_left" end

return function(rules)
  query("outcome.attackers", { rule = rules.steps }, function(hex, side) return steps(side or game.active) end)
  query("outcome.defenders", { rule = rules.steps }, function(hex, side) return steps(enemy(side or game.active)) end)
  query("outcome.holder", { rule = rules.holder }, function(hex)
    local unit = pieces{ kind = "unit", at = hex }:first()
    return unit and unit.side or "nobody"
  end)
end

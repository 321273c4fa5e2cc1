-- What `sandtable odds` observes. `actor` is who acts, the first argument of the call: the unit of an action, the card of a barrage.

local function in_the_field(sides) return pieces { kind = "unit", side = sides, not_place = space "lost" } end
local function under_counters(sides) return pieces { kind = "unit", side = sides, hurt = true } end

query("outcome.attackers", { rule = "odds.1" }, function(actor) return #in_the_field(allies(actor.side)) end)
query("outcome.defenders", { rule = "odds.1" }, function(actor) return #in_the_field(foes(actor.side)) end)

query("outcome.attackers-hit", { rule = "odds.2" }, function(actor) return #under_counters(allies(actor.side)) end)
query("outcome.defenders-hit", { rule = "odds.2" }, function(actor) return #under_counters(foes(actor.side)) end)

-- VPs of the acting side beyond those of the enemy: the change is what the action is worth.
query("outcome.swing", { rule = "odds.3" }, function(actor)
  local own = team(actor.side)
  return team_vp(own) - team_vp(team(foes(own)[1]))
end)

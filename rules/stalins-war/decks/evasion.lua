-- Backhand Blow and Sleighride: Axis defenders slip away instead of fighting.

-- By which cards the force may slip away. Units in a Festung stay, and a force wholly out of supply has nothing of a combat card.
local function ways_out(fight)
  if fight.defender ~= "axis" or not effect "backhand" and not effect "sleighride" then return {} end
  if fight.target.festung or #alive(fight, "axis") == 0 or wholly_out_of_supply(fight, "axis") then return {} end
  local ways = {}
  if effect "backhand" and #alive(fight, "axis"):filter{ nation = "ge" } > 0 then ways[1] = "backhand" end
  if effect "sleighride" then ways[#ways + 1] = "sleighride" end
  return ways
end

-- After Backhand Blow the spearheads may follow; after Sleighride nobody does.
procedure("combat.evade", { rule = { "card.ax.33", "card.ax.50", "13.3.4" } }, function(fight)
  local ways = ways_out(fight)
  if #ways == 0 then return end
  ways[#ways + 1] = "fight"
  local way = ask("axis", "combat.evade", { among = ways, fight = fight, hex = fight.target })
  if way == "fight" then return end
  local units = losers(fight)
  retreat("axis", units, fight.target, value(way).hexes)
  if way == "backhand" then pursue(fight, units:filter{ on_map = true }) end
  call("combat.spoils", fight) -- nobody has won: no card is kept
  return "stop"
end)

-- Tank and guards attackers may follow two hexes along the way of the retreat; no exploitation comes of it.
pursue = procedure("pursue", { rule = "card.ax.33" }, function(fight, fled)
  local way = around({ fight.target }, water):both(around(fled:spaces(), water))
  for _, unit in ipairs(alive(fight, "soviet"):filter{ exploits = true }) do
    if step_after(unit, { fight.target }) then
      step_after(unit, way)
      unit.bait = true
    end
  end
end)

function step_after(unit, ahead)
  local open = nowhere():plus(ahead):minus(closed_to(unit)):minus(crowded_for(unit))
  local to = ask("soviet", "combat.pursue", { among = open, unit = unit, none = "halt" })
  if not to then return false end
  enter(unit, to)
  move(unit, to)
  unit.exploited = true
  return true
end

-- The Germans must attack the pursuers in their next round, or lose a VP.
note_bait = procedure("note-bait", { rule = "card.ax.33" }, function(fight)
  local bait = fight.defenders:plus(fight.stragglers):filter{ bait = true }
  if #bait > 0 and #fight.attackers:filter{ nation = "ge" } > 0 then game.bait_taken = true end
end)

before("round-end.cards", "backhand-debt", { rule = "card.ax.33", side = "axis" }, function()
  local bait = pieces{ kind = "unit", bait = true }
  if #bait == 0 then return end
  if not game.bait_taken and #bait:filter{ on_map = true } > 0 then score(value "backhand".vp) end
  for _, unit in ipairs(bait) do unit.bait = false end
  game.bait_taken = false
end)

-- Backhand Blow and Sleighride: Axis defenders slip away instead of fighting.

local function may_evade(fight)
  if fight.defender ~= "axis" or fight.target.festung or #alive(fight, "axis") == 0 then return false end
  if effect "sleighride" then return true end
  return effect "backhand" ~= nil and #alive(fight, "axis"):filter{ nation = "ge" } > 0
end

procedure("combat.evade", { rule = { "card.ax.33", "card.ax.50" } }, function(fight)
  if not may_evade(fight) or ask("axis", "combat.evade", { among = { "evade", "fight" }, fight = fight }) == "fight" then return end
  local lured = effect "backhand" ~= nil
  local units = losers(fight)
  retreat("axis", units, fight.target, lured and value "backhand".hexes or value "sleighride".hexes)
  if lured then
    pursue(fight, units:filter{ on_map = true })
  end
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

function step_after(unit, hexes)
  local open = spaces{ id = {} }:plus(hexes):minus(closed_to(unit)):minus(crowded_for(unit))
  local to = ask("soviet", "combat.pursue", { among = open, unit = unit, none = "halt" })
  if not to then return false end
  enter(unit, to)
  move(unit, to)
  unit.exploited = true
  return true
end

-- The Germans must attack the pursuers in their next round, or lose a VP.
note_bait = procedure("note-bait", { rule = "card.ax.33" }, function(defenders)
  if #defenders:filter{ bait = true } > 0 then game.bait_taken = true end
end)

before("round-end.cards", "backhand-debt", { rule = "card.ax.33", side = "axis" }, function()
  local bait = pieces{ kind = "unit", bait = true }
  if #bait == 0 then return end
  if not game.bait_taken then score(value "backhand".vp) end
  for _, unit in ipairs(bait) do unit.bait = false end
  game.bait_taken = false
end)

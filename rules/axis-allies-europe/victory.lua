-- Winning: an enemy capital held from one turn of its captor to the next, with one's own capitals safe.

-- Capitals that must be safe: Germany's own; for the Allies all three, or only the captor's.
local function homes_safe(side)
  if team(side) == "axis" or option "victory-keep" == "own-capital" then return not capital_lost(side) end
  for _, ally in ipairs(friends(side)) do
    if sides[ally].playing and capital_lost(ally) then return false end
  end
  return true
end

-- Capitals this power took and its side still holds, long enough.
local function prizes(side)
  return spaces { taken = side, min_held = option "victory-hold-turns" }
end

local function needed(side)
  return team(side) == "axis" and option "victory-capitals" or 1
end

-- With the option, the Ally with the highest production wins alone.
local function winner(side)
  if team(side) == "axis" or not option "individual-allied-winner" then return side end
  local best, most = side, 0
  for _, ally in ipairs(playing "allies") do
    local level = evaluate("production", ally)
    if level > most then best, most = ally, level end
  end
  return best
end

procedure("victory.check", { rule = { "objective.1", "objective.2", "objective.3", "objective.4", "objective.5", "objective.6", "diff.9" } }, function()
  local side = game.active
  for _, space in ipairs(spaces { taken = side, fresh = false }) do space.held = space.held + 1 end
  if #prizes(side) < needed(side) or not homes_safe(side) then return end
  local team_won = team(side)
  end_game { winner = winner(side), reason = team_won == "axis" and "axis-victory" or "allied-victory", rule = team_won == "axis" and "objective.5" or "objective.1" }
end)

procedure("turn-start", { rule = { "turn.1", "objective.1", "objective.5" } }, function()
  if option "victory-check-at" == "turn-start" then call("victory.check") end
end)

procedure("turn-end", { rule = "turn.1" }, function()
  if option "victory-check-at" == "turn-end" then call("victory.check") end
end)

query("printed-order", { rule = { "turn.2", "diff.9" } }, function() return option "turn-order" == "printed" end)
query("soviet-first", { rule = "turn.2" }, function() return option "turn-order" == "soviet-first" end)

query("plays", { rule = { "turn.2", "learning.2" } }, function() return sides[game.active].playing end)

-- No last round is printed; a scenario or a simulation may set one.
procedure("round-end", { rule = "objective.7" }, function()
  local last = option "last-round"
  if last > 0 and game.round >= last then call("last-round") end
end)

procedure("last-round", { rule = "objective.7" }, function()
  if game.cities then return call("last-round.cities") end
  if game.middlesea then return call("last-round.middle-sea") end
  end_game { reason = "round-limit", rule = "objective.7" }
end)

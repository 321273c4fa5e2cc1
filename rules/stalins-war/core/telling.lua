-- What the log tells in the words of the game: seasons, rounds, actions, combats, attrition. Nothing here changes the game.

on("turn-start.start", "tell-turn", { rule = "6.0a" }, function()
  log("turn-begins", the_turn "season", game.turn)
end)

on("round-start.end", "tell-round", { rule = { "7.2.1", "15.1.1a" } }, function()
  log("round-begins", the_turn "season", game.round, game.active)
  if rasputitsa() then log("rasputitsa") end
end)

on("replacement.start", "tell-replacement", { rule = "6.C" }, function() log("replacement-phase", the_turn "season") end)
on("draw.start", "tell-draw", { rule = "6.D2" }, function() log("draw-phase", the_turn "season") end)
on("end-of-turn.start", "tell-end-of-turn", { rule = "6.E2" }, function() log("end-of-turn-phase", the_turn "season") end)
on("attrition.start", "tell-attrition", { rule = "6.B1" }, function() log("attrition-segment", game.active) end)

function names_of(units)
  local names = {}
  for i, unit in ipairs(units) do names[i] = unit.name end
  return table.concat(names, ", ")
end

-- RP as they are printed: whole and half points by kind.
function rp_text(card)
  if card.side == "soviet" then return tostring(card.rp) end
  if card.lone_rp and option "low-card-rp" == "ge" then return card.ge .. " GE" end
  return rp_of(card, "ge") .. " GE, " .. rp_of(card, "pz") .. " PZ, " .. rp_of(card, "ax") .. " AX"
end

local function points_text(side, kind)
  return sides[side][kind] .. (sides[side]["half_" .. kind] and "½" or "")
end

function rp_left_text(side)
  if side == "soviet" then return points_text(side, "rp") end
  return points_text(side, "ge") .. " GE, " .. points_text(side, "pz") .. " PZ, " .. points_text(side, "ax") .. " AX"
end

-- A side's fire as the tables print it: strength, table and column.
function fire_text(fight, side, index)
  local fire = fire_table(fight, side)
  return evaluate("strength", fight, side) .. " (" .. string.upper(string.sub(fire, -3)) .. ", column " .. value "columns"[fire][index] .. ")" -- allow figure-in-rule: the last three letters name the table
end

-- A result as printed: none, 1 with an asterisk, or a number.
function result_text(hits, star)
  if hits == 0 then return "-" end
  return star and hits .. "*" or tostring(hits)
end

function tell_fire(fight)
  log("combat-fire", fight.target,
    fight.attacker, fire_text(fight, fight.attacker, fight.column_attacker),
    fight.defender, fire_text(fight, fight.defender, fight.column_defender))
  log("combat-result", fight.target, result_text(fight.hits_attacker, fight.star_attacker) .. "/" .. result_text(fight.hits_defender, fight.star_defender))
end

function tell_winner(fight)
  if fight.winner == "none" then log("combat-drawn", fight.target) else log("combat-won", fight.winner, fight.target) end
end

-- The fire as it stands before any card: what both players see before they commit one.
function odds_text(fight)
  local function fire(side) return fire_text(fight, side, evaluate("column", fight, side)) end
  return fire(fight.attacker) .. " against " .. fire(fight.defender)
end

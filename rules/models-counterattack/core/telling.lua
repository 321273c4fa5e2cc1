-- What the log and the questions tell in the words of the game: phases, odds, results, points. Nothing here changes the game.

on("turn.start", "tell-turn", { rule = "5.turn.a" }, function() log("turn-begins", game.turn) end)

-- Phases are called as the rulebook calls them: First Soviet Activation Phase …
on("activation.start", "tell-phase", { rule = { "5.turn.a", "5.steps.a" } }, function()
  log("phase-" .. game.active .. "-" .. game.pair)
end)

-- Halves as points: 9 is 4½.
function points_text(halves)
  local per = value "point".halves
  return halves // per .. (halves % per > 0 and "½" or "")
end

local function signed(n)
  return string.format("%+d", n)
end

-- A column as the table prints it.
function column_text(index) return value "columns".list[index] end

-- A result as the table prints it: A1D1r1.
local function result_text(a, d, r)
  local text = (a > 0 and "A" .. a or "") .. (d > 0 and "D" .. d or "") .. (r > 0 and "r" .. r or "")
  return text == "" and "no loss" or text
end

function result_of(fight) return result_text(fight.a, fight.d, fight.r) end

function bent_result(fight)
  return result_text(fight.a, fight.d - value "elastic".steps, fight.r + value "elastic".hexes)
end

-- Strengths and column, before support is committed and the die is thrown.
function tell_odds(fight)
  for _, unit in ipairs(fight.attackers) do log(fight.overrun and "overruns" or "attacks", unit, fight.target) end
  log("odds", odds_text(fight))
end

function tell_result(fight)
  log("result", fight.roll, signed(fight.bonus), column_text(fight.column), result_of(fight) .. (fight.yellow and ", yellow" or ""))
end

-- The strengths, and the column with all shifts: 12 against 4 points, column 3:1.
function odds_text(fight)
  return fight.attack .. " against " .. fight.defence .. " points, column " .. column_text(fight.column)
end

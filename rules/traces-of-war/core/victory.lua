-- 13. Victory.

-- VP of events so far and of what is held now.
number("victory-points", { rule = { "2.5a", "2.1d", "13.2b", "13.3d" }, stages = { "events", "cities", "breakthrough" } }, function(n) n:add(game.vp) end)
modify("victory-points", "cities-held", { rule = "13.2d", stage = "cities" }, function(n)
  n:add(value "vp".city * #major_cities_of "soviet")
end)
modify("victory-points", "breakthroughs", { rule = { "13.2j", "2.1g" }, stage = "breakthrough" }, function(n)
  n:add(value "vp".breakthrough * #units_of "soviet":filter { at = breakthrough_hexes() })
end)

-- Moves the marker on the VP Track.
mark_score = procedure("mark-score", { rule = { "2.1d", "2.5a" } }, function() game.score = evaluate "victory-points" end)

-- VP for something that has happened.
function score(points)
  game.vp = game.vp + points
  mark_score()
end

-- The higher bid takes the place of the scenario's threshold, be it ever so low.
function threshold()
  return option "vp-bidding" and game.bid or value "scenario".threshold
end

local function last_turn() return game.turn >= value "last-turn" end

-- When the game is over, units that cannot trace supply count as destroyed; an HQ so lost costs what its relocation would.
procedure("cut-off-losses", { rule = { "13.2k", "13.3e" } }, function()
  if not last_turn() then return end
  local lost = {}
  for _, side in ipairs(sides) do lost[side] = units_of(side):filter { not_at = supply_net(side) } end
  for _, side in ipairs(sides) do
    for _, unit in ipairs(lost[side]) do
      if unit.hq then lose_hq(unit) else eliminate(unit) end
    end
  end
end)

-- There is no tomorrow for it to be set up again.
lose_hq = procedure("lose-hq", { rule = { "13.2k", "13.3e", "2.3d" } }, function(hq)
  score_relocation(hq)
  put(hq, space "eliminated")
end)

procedure("victory", { rule = { "4.4.1a", "13.2a", "13.2c", "13.3b", "13.3c", "13.3a" } }, function()
  if not last_turn() and value "scenario".early == 0 then return end
  local points = evaluate "victory-points"
  log("score", points, threshold())
  if points >= threshold() then
    end_game { winner = "soviet", reason = "threshold-reached", rule = "13.3b" }
  elseif last_turn() then
    end_game { winner = "axis", reason = "threshold-missed", rule = "13.3c" }
  end
end)

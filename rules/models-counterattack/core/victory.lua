-- 3. Victory: places held at the end, and what the Soviet scored on the way.

-- Points of the places that the Soviet occupies, in supply or not, and of those he does not.
place_points = query("place-points", { rule = { "3.victory.b", "3.victory.e", "3.victory.f", "3.victory.g", "3.victory.j" } }, function(side)
  local held = spaces{ min_vp = 1 }:both(standing "soviet")
  if side == "soviet" then return held:sum "vp" end
  return spaces{ min_vp = 1 }:minus(held):sum "vp"
end)

total_points = number("points", { rule = { "3.victory.a", "3.victory.h" }, stages = { "places", "track" } }, function(n, side)
  n:add(place_points(side))
end)

modify("points", "track-points", { rule = { "3.victory.c", "3.victory.d", "3.victory.h" }, stage = "track" }, function(n, side)
  n:add(sides[side].vp)
end)

procedure("final-count", { rule = { "1.intro.c", "3.victory.a", "3.victory.k", "5.end.b", "1.intro.a", "5.turn.d" } }, function()
  local soviet, german = evaluate("points", "soviet"), evaluate("points", "german")
  if soviet == german then
    local winner = option "tie"
    end_game{ winner = winner ~= "draw" and winner or nil, reason = "equal-points", rule = "3.victory.k" }
  end
  end_game{ winner = soviet > german and "soviet" or "german", reason = "more-points", rule = "3.victory.a" }
end)

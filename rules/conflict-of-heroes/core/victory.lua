-- Victory points and the end of the game (2.3, 2.4).

function team_vp(name) return sides[name].vp + sides[name .. "-2"].vp end

function score(side, vp)
  sides[side].vp = sides[side].vp + vp
end

-- Objectives are paid at the end, each round, or each round to one side only (2.3a, 2.4c).
procedure("award-objectives", { rule = { "2.3a", "2.4c", "21.0g" } }, function(when)
  for _, goal in ipairs(value "objectives") do
    if goal.when == when and (goal.from or 1) <= game.round then
      for _, id in ipairs(goal.hexes) do
        local owner = scorer_of(space(id))
        if owner and (not goal.only or team(owner) == goal.only) then
          score(owner, goal.vp)
          log("scores", owner, goal.vp, space(id))
        end
      end
    end
  end
end)

-- Who scores for a hex: whoever holds it, but nobody while both sides are in it (2.4h, 7.6.3j), unless the option says otherwise.
function scorer_of(hex)
  local owner = hex.control
  if owner and option "contested" == "nobody" and enemy_in(hex, owner) and own_hexes(owner):has(hex) then return end
  return owner
end

procedure("final-count", { rule = { "2.3b", "2.4a", "2.4b", "overview.6" } }, function()
  call("award-objectives", "end")
  call("count-secrets")
  call("declare-winner")
end)

procedure("declare-winner", { rule = { "2.4a", "2.4b", "21.0g" } }, function()
  local german, soviet = team_vp "german", team_vp "soviet"
  if german == soviet then
    if option "tie" == "defender-wins" then
      return end_game { winner = foes(value "attacker")[1], reason = "defender-holds", rule = "2.4b" }
    end
    return end_game { reason = "both-lose", rule = "2.4b" }
  end
  local winner = german > soviet and "german" or "soviet"
  if option "individual-victory" and sides[winner .. "-2"].vp > sides[winner].vp then winner = winner .. "-2" end
  end_game { winner = winner, reason = "more-vps", rule = "2.4a" }
end)

-- Scenario 1 ends at once when a side has nothing left.
procedure("check-wiped-out", { rule = { "2.3b", "s01.1" } }, function(side)
  if not special "wipe-out" then return end
  if ground_of(side):any() then return end
  for _, each in ipairs(allies(side)) do
    if hidden_of(each):any() or waiting(each):any() then return end
  end
  call("final-count")
end)

-- Secret objectives (card.objective): shown and counted at the end.
procedure("count-secrets", { rule = "card.objective" }, function()
  for _, side in ipairs { "german", "soviet" } do
    local card = space(side .. "-objective").pieces[1]
    if card then
      reveal(card)
      if fulfilled(card.type, side) then score(side, value "secret-vp") end
    end
  end
end)

-- What each secret objective asks for is data: hexes to hold, vehicles and guns destroyed, or a place with no enemy near (card.objective).
function fulfilled(card, side)
  local goal = value "secrets"[card]
  for _, id in ipairs(goal.hold or {}) do
    if not holds(side, id) then return false end
  end
  if goal.kills and sides[side].kills < goal.kills then return false end
  if not goal.around then return true end
  local round_it = near(space(goal.around), goal.within)
  return round_it:both(own_hexes(side)):any() and not round_it:both(enemy_hexes(side)):any()
end

function holds(side, id)
  local owner = space(id).control
  return owner ~= nil and team(owner) == team(side)
end

-- The two learning starts: other money, an entry area for Great Britain, and a last round decided by what is held. All our own.

-- Besides, or instead of, the level: a sum that stands for what lies outside the areas in play.
modify("production", "learning-income", { rule = { "learning.3", "learning.5" }, stage = "convoys" }, function(n, side)
  n:add(sides[side].bonus)
  if game.middlesea then n:set(sides[side].fixed + won_and_lost(side)) end
end)

-- Values of territories taken less those lost, against the start.
function won_and_lost(side)
  local sum = 0
  for _, space in ipairs(land_in_play():filter { mideast = false, not_marker = none }) do
    if space.marker == side then sum = sum + space.ipc end
    if space.owner == side and not allied(space.marker, side) then sum = sum - space.ipc end
  end
  return sum
end

-- Middle Sea: no British complex is in play; new units come in here.
function entry_area(side)
  if game.middlesea and side == "british" then return space(value "middle-entry") end
end

-- Eastern front: Germany needs so many of the Soviet cities after the last round.
procedure("last-round.cities", { rule = "learning.4" }, function()
  local held = 0
  for _, id in ipairs(value "eastern-cities") do
    if space(id).marker == "german" then held = held + 1 end
  end
  local won = held >= value "eastern-target"
  end_game { winner = won and "german" or "soviet", reason = "city-victory" }
end)

-- Middle Sea: Germany needs Egypt or enough oil; Great Britain needs some of its targets, or Sicily.
procedure("last-round.middle-sea", { rule = "learning.7" }, function()
  local held = 0
  for _, id in ipairs(value "middle-targets") do
    if controller(space(id)) == "british" then held = held + 1 end
  end
  local axis = space(value "middle-axis").marker == "german" or oil "german" >= value "middle-oil"
  local allies = held >= value "middle-target" or controller(space(value "middle-alone")) == "british"
  local winner
  if axis and not allies then winner = "german" end
  if allies and not axis then winner = "british" end
  end_game { winner = winner, reason = "target-victory" }
end)

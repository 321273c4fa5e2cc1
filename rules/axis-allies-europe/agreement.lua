-- Decisions of several powers together. Each says what it wants, unseen by the others; equal answers pass.

-- The powers in the game, of one team or of both, in order of play.
function playing(of)
  local list = {}
  for _, side in ipairs(sides) do
    if sides[side].playing and (not of or team(side) == of) then list[#list + 1] = side end
  end
  return list
end

-- A basket as a table { item = number }.
function shares_of(basket)
  local shares = {}
  for _, line in ipairs(basket) do shares[line[1]] = line[2] end
  return shares
end

-- The sums are equal, so one look is enough.
local function same_shares(a, b)
  for item, n in pairs(a) do if b[item] ~= n then return false end end
  return true
end

-- Asks every player among `powers` the same thing at once; returns the answers by power.
local function ballot(powers, answer)
  local branches = {}
  for _, side in ipairs(powers) do branches[side] = function() return answer(side) end end
  return together(branches)
end

-- A sum split over powers: the shares, or nil if the players do not agree.
function agree(powers, prompt, ask)
  local players = voters(powers)
  local votes = ballot(players, function(side) return choose(side, prompt, ask) end)
  local shares = shares_of(votes[players[1]])
  for _, side in ipairs(players) do
    if not same_shares(shares, shares_of(votes[side])) then return nil end
  end
  return shares
end

-- One option that all players among `powers` choose, else the choice of `decider`. A player alone is simply asked.
function agree_on(powers, prompt, decider, ask_of)
  local players = voters(powers)
  if #players == 1 then return ask(players[1], prompt, ask_of) end
  local votes = ballot(players, function(side) return ask(side, prompt, ask_of) end)
  for _, side in ipairs(players) do
    if votes[side] ~= votes[players[1]] then
      log("no-agreement", decider)
      return ask(decider, prompt, ask_of)
    end
  end
  return votes[players[1]]
end

-- Decisions of several powers together. One proposes, the others see the proposal and agree or refuse; then the next one proposes.

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

-- The powers that must agree: one for each player among them, or by option the one that speaks for the Allies.
local function council(powers)
  local speaker = option "allied-speaker"
  if speaker ~= "none" and sides[speaker].playing and allied(speaker, powers[1]) then return { speaker } end
  return voters(powers)
end

-- Does everybody else accept the proposal?
local function accepted(players, proposer, basket)
  local words = words_for_basket(basket)
  for _, side in ipairs(players) do
    if side ~= proposer and ask(side, "agreement", { among = { "agree", "refuse" }, proposer = proposer, proposal = words }) == "refuse" then return false end
  end
  return true
end

-- The basket that the players among `powers` agree on; if they do not, that of `decider`, or nil if nobody decides for them.
function decide_together(powers, decider, prompt, ask)
  local players = council(powers)
  if #players == 1 then return choose(players[1], prompt, ask) end
  for _, proposer in ipairs(players) do
    local basket = choose(proposer, prompt, ask)
    if accepted(players, proposer, basket) then return basket end
  end
  log("no-agreement", decider or "nobody")
  return decider and choose(decider, prompt, ask)
end

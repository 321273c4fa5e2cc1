-- In its half a house moves something, or sends its envoy; all vote at once, in secret; who is outvoted may object, and be objected to.

procedure("draw", { rule = "1.1" }, function()
  for _, side in ipairs(sides) do sides[side].coins = sides[side].coins + 1 end
end)

procedure("sitting", { rule = "1.2" }, function() menu(game.active, "sitting", { none = "adjourn" }) end)

offer("sitting", "move", { rule = "1.2", among = function() return value "motions".list end })

-- A house that has ever broken its word cares for no truce.
forbid("sitting", "truce-holds", { rule = "1.2", during = "truce", offer = "move" }, function(subject)
  if subject == "war" then return no("truce-holds") end
end)

waive("truce-holds", "faithless", { rule = "1.2", offer = "move" }, function() return has_ever("broke-word", game.active) end)

procedure("move", { rule = "1.2" }, function(subject, side)
  local motion = start_record("motion", { mover = side, subject = subject })
  start_effect("moved", { lasts = "motion", side = side })
  call("motion", motion)
  finish_record(motion)
end)

procedure("motion", { rule = "1.3", stages = { "vote", "count" } })

-- Always asked, or the others would learn who has no coins left.
function ballot(side)
  return function()
    local vote = ask(side, "vote", { among = { "aye", "no" }, always = true })
    return { vote = vote, stake = ask(side, "stake", { from = 0, to = sides[side].coins, vote = vote, always = true }) }
  end
end

procedure("motion.vote", { rule = "1.3" }, function(motion)
  local ballots, ayes = together{ oak = ballot "oak", elm = ballot "elm", ash = ballot "ash" }, {}
  for _, side in ipairs(sides) do
    local stake = ballots[side].stake
    sides[side].coins = sides[side].coins - stake
    if ballots[side].vote == "aye" then ayes[#ayes + 1] = side end
    if stake > 0 then start_effect("staked", { lasts = "motion", side = side, coins = stake }) end
  end
  motion.ayes = ayes
end)

procedure("motion.count", { rule = "1.3" }, function(motion)
  local sum = 0
  for _, side in ipairs(motion.ayes) do sum = sum + weight(side) end
  if sum >= value "quorum" then call("passed", motion) end
end)

function is_of(effect, side) return effect and effect.side == side end

-- Stakes are added, then all is halved in a storm, rounded up, held at the most, and last the whip's coins go on top.
weight = number("weight", { rule = "1.4", stages = { "sum", "halve", "round", "cap", "shift" } }, function(n) n:add(value "weight".house) end)

modify("weight", "the-mover", { rule = "1.4", stage = "sum" }, function(n, side)
  if is_of(effect "moved", side) then n:add(value "weight".moved) end
end)

modify("weight", "stakes", { rule = "1.4", stage = "sum" }, function(n, side)
  for _, staked in ipairs(effects "staked") do
    if staked.side == side then n:add(staked.coins) end
  end
end)

modify("weight", "storm", { rule = "1.4", stage = "halve", during = "storm" }, function(n) n:times(1, value "weight".halves) end)
modify("weight", "in-full", { rule = "1.4", stage = "round" }, function(n) n:round_up() end)
modify("weight", "the-most", { rule = "1.4", stage = "cap" }, function(n) n:at_most(value "weight".most) end)

modify("weight", "whipped", { rule = "1.4", stage = "shift", during = "whip" }, function(n, side)
  if is_of(effect "whip", side) then n:add(value "weight".whip) end
end)

procedure("passed", { rule = "1.5" }, function(motion)
  if call("objections", motion) == "fallen" then return end
  remember("carried", motion.subject)
  call("carry." .. motion.subject, motion.mover)
end)

-- A feast ends mourning, and honours who gives it.
procedure("carry.feast", { rule = "1.5" }, function(mover)
  emit "feast"
  call("honour", mover)
end)

procedure("carry.truce", { rule = "1.5" }, function() start_effect("truce", { lasts = "round" }) end)
procedure("carry.whip", { rule = "1.5" }, function(mover) start_effect("whip", { lasts = "half", side = mover }) end)

procedure("carry.war", { rule = "1.5" }, function(mover)
  if effect "truce" then remember("broke-word", mover) end
  start_effect("mourning", { lasts = "feast" })
  start_effect "storm"
end)

procedure("carry.gifts", { rule = "1.5" }, function(mover)
  schedule("gift", { on = "draw.start", times = value "gift".rounds, side = mover })
end)

procedure("gift", { rule = "1.5" }, function(gift) sides[gift.side].coins = sides[gift.side].coins + value "gift".coins end)

procedure("honour", { rule = "1.7" }, function(side)
  if effect "mourning" then return end
  sides[side].honour = sides[side].honour + 1
  if sides[side].honour >= value "honour".goal then end_game{ winner = side, reason = "crowned", rule = "1.7" } end
end)

offer("sitting", "send-envoy", { rule = "1.5", when = function(side)
  return not effects "envoy-returns":any(function(away) return away.side == side end)
end })

procedure("send-envoy", { rule = "1.5" }, function(_, side)
  schedule("envoy-returns", { on = "round.start", after = value "envoy".skips, side = side })
end)

procedure("envoy-returns", { rule = "1.5" }, function(envoy) sides[envoy.side].coins = sides[envoy.side].coins + value "envoy".coins end)

-- Each house but the one that speaks may object, for a coin; to an objection the others may object in turn. An objection that stands
-- fells what it is about. Whoever has objected to nothing yet in this game gains honour by it.
procedure("objections", { rule = "1.6" }, function(motion, speaker)
  speaker = speaker or motion.mover
  for _, side in ipairs(sides) do
    if side ~= speaker and not has_objected(side) and sides[side].coins > 0 and ask(side, "objection", { among = { "object", "abide" } }) == "object" then
      sides[side].coins = sides[side].coins - 1
      start_effect("objected", { lasts = "motion", side = side })
      if not has_ever("objected-once", side) then
        remember("objected-once", side)
        call("honour", side)
      end
      if call("objections", motion, side) ~= "fallen" then return "fallen" end
    end
  end
end)

has_objected = query("has-objected", { rule = "1.6" }, function(side)
  return effects "objected":any(function(objection) return objection.side == side end)
end)

procedure("verdict", { rule = "1.1" }, function() end_game{ reason = "dissolved", rule = "1.1" } end)

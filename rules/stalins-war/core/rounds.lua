-- 6. The turn and its action rounds: what starts and ends them.

query("round-is-played", { rule = { "4.4.1a", "6.A" } }, function()
  return game.turn > 1 or game.round == value "rounds"
end)

query("round-moves", { rule = { "7.2.5", "7.3.3a" } }, function() return game.moving end)
query("round-fights", { rule = "11.1.1" }, function() return game.fighting end)
query("round-exploits", { rule = "12.1.4a" }, function() return #blitz_hexes() > 0 end)
query("extra-card-due", { rule = "4.4.1b" }, function() return game.extra_card end)
query("attrition-due", { rule = { "6.B1", "4.4.5a" } }, function() return game.round == value "rounds" end)
query("replacements-due", { rule = "4.4.5b" }, function() return game.turn > 1 end)

procedure("turn-start", { rule = { "18.3.3a", "4.5.2a", "11.3.6b" }, stages = { "lend-lease", "free-rp", "turn-track" } })

-- Lend Lease comes while Stalin is in Moscow.
procedure("turn-start.lend-lease", { rule = { "18.3.1", "18.3.2", "18.3.3a", "18.3.3b", "16.4.7" } }, function()
  local ops = lend_lease_ops()
  game.lend_lease = ops > 0
  if ops > 0 then sides.soviet.banked = sides.soviet.banked + ops end
end)

function stalin_in_moscow()
  return piece "su-stalin".space == space(value "stalin".home)
end

function lend_lease_ops()
  local terms = value "lend-lease"
  if not has_been_played "soviet-16" or not stalin_in_moscow() then return 0 end
  local ops = 0
  if holds("soviet", terms.archangel) then
    ops = ops + terms.archangel_ops
    if game.turn <= game.pq17 then ops = ops + value "pq-17".ops end
  end
  if holds("soviet", terms.astrakhan) then ops = ops + terms.astrakhan_ops end
  return ops
end

-- Three Soviet RP on turn 2, changed by a bid (21.0).
procedure("turn-start.free-rp", { rule = { "4.5.2a", "4.5.2b", "21.0a", "21.0b" } }, function()
  local soviet, axis = granted_rp(game.turn)
  sides.soviet.rp = sides.soviet.rp + soviet
  for _ = 1, axis do
    local kind = ask("axis", "bid.kind", { among = { "ge", "pz", "ax" } })
    sides.axis[kind] = sides.axis[kind] + 1
  end
end)

-- The part of a grant that falls on a turn, at most three RP a turn, from its first turn on.
local function slice(total, first, at)
  local most = value "bid".per_turn
  if at < first then return 0 end
  return math.max(0, math.min(most, total - most * (at - first)))
end

function granted_rp(at)
  local bid, first = option "bid", value "bid".from
  local standard = game.turn == first and value "bid".standard or 0
  if option "bid-for" == "axis" then return standard + slice(bid, first + 1, at), 0 end
  if option "bid-for" == "soviet" then
    return math.max(0, standard - bid), slice(bid - value "bid".standard, first, at)
  end
  return standard, 0
end

-- Axis armies that were lost out of supply become available again.
procedure("turn-start.turn-track", { rule = { "11.3.6b", "13.3.8b" } }, function()
  for _, unit in ipairs(pieces{ at = space "turn-track", max_returns = game.turn }) do
    move(unit, space "eliminated-axis")
  end
end)

procedure("round-start", { rule = { "13.1.1a", "18.2.1", "18.1.3", "18.1.4" } }, function()
  local side = game.active
  game.half_number = game.half_number + 1
  game.action = "none"
  game.moving = false
  game.fighting = false
  sides[side].ops = 0
  if side == "axis" then axis_banked_ops() end
  check_supply(side, units_of(side))
end)

-- One Banked OPS for the Axis at his first round, until Hitler Takes Command.
axis_banked_ops = procedure("axis-banked-ops", { rule = { "18.2.1", "18.2.2" } }, function()
  if game.round > 1 or has_been_played "axis-24" then return end
  sides.axis.banked = sides.axis.banked + value "axis-banked".ops
end)

procedure("round-end", { rule = "7.5.1c", stages = { "recheck", "cards", "capitals" } })

procedure("round-end.recheck", { rule = "23.1.4" }, function()
  if option "second-supply-check" then check_supply(game.active, units_of(game.active):filter{ supply = "oos" }) end
end)

-- Events and round-long combat cards leave the table.
procedure("round-end.cards", { rule = { "3.0a", "7.5.1c", "7.5.5h" } }, function()
  for _, side in ipairs{ "axis", "soviet" } do
    for _, card in ipairs(pieces{ at = pile(side, "table"), fate = { "discard", "remove" } }) do
      put_away(card, card.fate == "remove")
    end
  end
end)

-- Out of the game, or to the discards.
put_away = procedure("put-away", { rule = { "2.3.3", "7.6.4d", "3.0c" } }, function(card, for_good)
  card.fate = "none"
  if not for_good then
    move(card, pile(card.side, "discard"))
    return
  end
  move(card, pile(card.side, "removed"))
  if card.asterisk and (not card.cc or option "combat-cards-count") then sides[card.side].removed = sides[card.side].removed + 1 end
end)

function leaves_for_good(card)
  if card.id == "axis-22" then return option "panzer-refit-asterisk" end
  return card.asterisk == true
end

procedure("round-end.capitals", { rule = "5.1.3b" }, function()
  if game.active == "soviet" and holds_all("soviet", value "victory-capitals".all) then
    end_game{ winner = "soviet", reason = "won-capitals", rule = "5.1.3b" }
  end
end)

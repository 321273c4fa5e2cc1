-- 7.2 to 7.5. The action of a round: a card for OPS, RP or its event, or a round of 0 OPS.

procedure("action", { rule = { "7.2.6a", "2.3.2", "7.1.4a", "3.0l" } }, function()
  game.extra_card = false
  local next_count = sides[game.active].count + (rasputitsa() and 0 or 1)
  menu(game.active, "action", { season = the_turn "season", round = game.round, penalty = math.max(0, next_count - value "penalty".free) })
end)

local function hand(side) return pile(side, "hand").pieces end

-- Combat cards are played inside combats only; Luftwaffe Support by option.
local function with_event(side)
  local cards = hand(side):filter{ cc = false }
  if not option "luftwaffe-support-cc" then cards = cards:plus(hand(side):filter{ id = "axis-10" }) end
  return cards
end

offer("action", "ops", { rule = "7.3.1", among = hand, run = "play-ops" })
offer("action", "rp", { rule = "7.4.1a", among = hand, run = "play-rp" })
offer("action", "event", { rule = "7.5.1a", among = with_event, run = "play-event" })
offer("action", "zero", { rule = { "7.2.6b", "7.2.6c" }, run = "play-zero" })
offer("action", "pass", { rule = "7.2.6d", run = "play-pass" })

-- What an action does to the consecutive OPS count: raise, hold or reset. Never a reset in the mud (15.1.1e).
count_action = procedure("count-action", { rule = { "7.2.4b", "7.3.2d", "15.1.1e" } }, function(side, what)
  local own = sides[side]
  if rasputitsa() then return end
  if what == "raise" then own.count = own.count + 1 end
  if what == "reset" and own.count > 0 then own.count = 0 end
end)

begin_action = procedure("begin-action", { rule = "7.2.4a" }, function(side, kind)
  game.action = kind
  sides[side].last_action = kind
end)

-- OPS of a card, less one for each consecutive OPS round before.
ops_of = number("ops", { rule = { "7.3.1", "7.3.2b" }, stages = { "card", "penalty", "floor" } }, function(n, card, count)
  n:add(card.ops)
end)
modify("ops", "katukov-ops", { rule = "card.su.24", stage = "card" }, function(n, card)
  if card.id == "soviet-24" then n:set(option "katukov-ops") end
end)
modify("ops", "consecutive", { rule = { "7.3.2a", "7.3.2b", "7.3.2c" }, stage = "penalty" }, function(n, card, count)
  if count > value "penalty".free then n:add(value "penalty".free - count) end
end)
modify("ops", "no-debt", { rule = "7.3.2b", stage = "floor" }, function(n) n:at_least(0) end)

receive_ops = procedure("receive-ops", { rule = { "7.2.5", "7.3.1", "3.0k" } }, function(side, card, count)
  sides[side].ops = evaluate("ops", card, count)
  game.moving = true
  game.fighting = true
end)

procedure("play-ops", { rule = { "7.3.1", "7.3.2a" } }, function(card)
  local side = card.side
  begin_action(side, "ops")
  count_action(side, "raise")
  move(card, pile(side, "discard"))
  receive_ops(side, card, sides[side].count)
  log("plays-ops", side, card, sides[side].ops)
end)

procedure("play-rp", { rule = { "7.4.1a", "7.4.5", "7.1.4a" } }, function(card)
  local side = card.side
  begin_action(side, "rp")
  count_action(side, "reset")
  sides[side].rp_plays = sides[side].rp_plays + 1
  record_rp(card)
  move(card, pile(side, "discard"))
  log("plays-rp", side, card, rp_text(card))
end)

-- RP by kind for the Axis (14.1.7).
record_rp = procedure("record-rp", { rule = { "7.4.1a", "14.1.7", "2.3a" } }, function(card)
  if card.side == "soviet" then
    sides.soviet.rp = sides.soviet.rp + card.rp
    return
  end
  for _, kind in ipairs{ "ge", "pz", "ax" } do
    local points = rp_of(card, kind)
    if points > 0 then sides.axis[kind] = sides.axis[kind] + points end
  end
end)

function rp_of(card, kind)
  return card.lone_rp and option "low-card-rp" == "all" and 1 or card[kind]
end

function mobilizes(card)
  return card.reinforcement and card.side == "soviet" and game.turn == value "mobilization".turn
end

procedure("play-event", { rule = { "7.5.1a", "7.5.1b", "7.1.4b", "4.5.1c", "4.5.1e" } }, function(card)
  local side = card.side
  begin_action(side, mobilizes(card) and "mobilize" or "event")
  log("plays-event", side, card)
  move(card, pile(side, "table"))
  card.played = true
  card.fate = leaves_for_good(card) and "remove" or "discard"
  count_action(side, mobilizes(card) and "hold" or card.count_rule or "reset")
  if card.reinforcement then
    sides[side].last_action = "reinforcement"
    sides[side].reinforcement_plays = sides[side].reinforcement_plays + 1
  end
  call("event." .. card.id, card)
  if mobilizes(card) then receive_ops(side, card, sides[side].count) end
end)

-- All units may move; combat only with Banked OPS; no Blitz.
procedure("play-zero", { rule = { "7.2.6b", "7.2.6c", "18.1.1", "7.2.5" } }, function()
  begin_action(game.active, "zero")
  log("takes-zero", game.active)
  game.moving = true
  game.fighting = true
end)

procedure("play-pass", { rule = { "7.2.6d", "15.1.1d" } }, function()
  local side = game.active
  begin_action(side, "pass")
  log("passes", side)
  count_action(side, "reset")
  local card = ask(side, "pass.exchange", { among = hand(side), none = "keep" })
  if card then
    move(card, pile(side, "discard"))
    draw_cards(side, 1)
  end
end)

-- 7.5.5 Combat cards: attacker first, then defender; kept by the winner, lost by the loser.

procedure("combat.cards", { rule = { "7.5.5a", "7.5.5b", "11.2.1d" } }, function(fight)
  local odds = odds_text(fight)
  for _, side in ipairs{ fight.attacker, fight.defender } do
    local cards = function() return combat_cards(side) end
    ask_each(side, "combat.card", { among = cards, fight = fight, hex = fight.target, odds = odds, none = "no-more", always = true }, function(card)
      use_card(fight, card)
    end)
  end
end)

-- From the hand, and kept ones from the table.
function combat_cards(side)
  local kept = pile(side, "table").pieces:filter{ cc = true, lasts = none, fate = "keep" }
  local cards = pile(side, "hand").pieces:filter{ cc = true }:plus(kept)
  if not option "luftwaffe-support-cc" then cards = cards:filter{ not_id = "axis-10" } end
  return cards
end

use_card = procedure("use-card", { rule = { "7.5.5a", "3.0c" } }, function(fight, card)
  card.used = game.half_number
  card.played = true
  card.fate = lasting_fate(card)
  if card.place ~= pile(card.side, "table") then move(card, pile(card.side, "table")) end
  fight.cards = fight.cards:plus{ card }
  if card.acts then call("combat-card." .. card.id, fight, card) end
end)

-- Cards for the whole round leave at its end, whatever happens in the combat (7.5.5h).
function lasting_fate(card)
  if card.lasts ~= "round" then return "keep" end
  return leaves_for_good(card) and "remove" or "discard"
end

function uses(fight, id)
  return fight.cards:has(piece(id))
end

-- Once a round: in each player's half, or once in both together by option.
local function same_round(stamp)
  if option "kept-cards-each-half" then return stamp == game.half_number end
  return stamp > 0 and stamp // #sides == game.half_number // #sides
end

-- Players may ask of whatever they see why it cannot be played: only cards have terms.
local function forbid_card(id, meta, test)
  forbid("combat.card", id, meta, function(card, ask)
    if card.kind == "card" then return test(card, ask) end
  end)
end

forbid_card("used-this-round", { rule = { "7.5.5d", "7.5.5g" } }, function(card)
  if same_round(card.used) then return no("card-used", card) end
end)

forbid_card("wrong-role", { rule = "11.2.1d" }, function(card, ask)
  if card.role == "either" then return end
  local role = card.side == ask.fight.attacker and "attack" or "defence"
  if card.role ~= role then return no("card-role", card) end
end)

forbid_card("nation-missing", { rule = { "11.2.1d", "3.0b" } }, function(card, ask)
  if card.needs_nation and #alive(ask.fight, card.side):filter{ nation = card.needs_nation } == 0 then
    return no("card-nation", card)
  end
end)

forbid_card("wholly-out-of-supply", { rule = { "11.2.1e", "13.3.4" } }, function(card, ask)
  if wholly_out_of_supply(ask.fight, card.side) then return no("card-oos", card) end
end)

forbid_card("combat-card-turns", { rule = "11.2.1d" }, function(card) return wrong_turn(card) end)
forbid_card("combat-card-terms", { rule = { "11.2.1d", "3.0h" } }, function(card) return unmet_terms(card) end)

-- After the combat: asterisked cards leave the game, losers' and once-only cards are discarded, the winner keeps the rest.
procedure("combat.spoils", { rule = { "7.5.5c", "7.5.5e", "7.5.5h", "11.2.1s" } }, function(fight)
  for _, card in ipairs(fight.cards) do
    if not card.lasts then settle_card(card, fight) end
  end
end)

function settle_card(card, fight)
  if leaves_for_good(card) then
    put_away(card, true)
  elseif card.once or fight.winner ~= card.side then
    put_away(card, false)
  end
end

-- A card that shifts its owner's column in the combat in which it is used.
function shift_card(id, rule)
  modify("column", id, { rule = rule, stage = "shift" }, function(n, fight, side)
    local card = piece(id)
    if side == card.side and uses(fight, id) then n:add(card.shift) end
  end)
end

-- A term of one combat card: `broken` returns the refusal.
function combat_term(card_id, id, rule, broken)
  forbid("combat.card", id, { rule = rule }, function(card, ask)
    if card.id == card_id then return broken(card, ask.fight) end
  end)
end

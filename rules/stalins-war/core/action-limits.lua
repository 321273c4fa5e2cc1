-- What may not be chosen as an action, and why. `forbid_all` looks at the cards of one offer at once.

local function hand()
  return pile(game.active, "hand").pieces
end

forbid("action", "mud", { rule = { "15.1.1a", "15.1.1b", "7.2.6e" }, offer = { "ops", "zero" } }, function()
  if rasputitsa() then return no("mud") end
end)

-- The cards of an offer that would be an RP play: those that give OPS and RP together count as such (card.ax.32, card.ax.55).
local function rp_plays(ask)
  return ask.offer == "rp" and hand() or hand():filter{ count_rule = "hold" }
end

forbid_all("action", "rp-limit", { rule = { "7.4.2", "7.4.3a", "7.4.3b", "4.4.1c" }, offer = { "rp", "event" } }, function(ask)
  local side = game.active
  if sides[side].rp_plays >= the_turn(side .. "-rp") then return rp_plays(ask), no("rp-limit") end
end)

forbid_all("action", "rp-twice-running", { rule = "7.4.4", offer = { "rp", "event" } }, function(ask)
  if sides[game.active].last_action == "rp" then return rp_plays(ask), no("rp-running") end
end)

forbid_all("action", "reinforcement-limit", { rule = { "7.5.2a", "7.5.2b", "4.5.1a", "4.4.1c" }, offer = "event" }, function()
  local side = game.active
  if sides[side].reinforcement_plays >= the_turn(side .. "-reinforcements") then
    return hand():filter{ reinforcement = true }, no("reinforcement-limit")
  end
end)

forbid_all("action", "mobilization-running", { rule = "4.5.1b", turns = "2", offer = "event" }, function()
  if sides[game.active].last_action == "reinforcement" then
    return hand():filter{ reinforcement = true }, no("reinforcement-running")
  end
end)

function wrong_turn(card)
  local turns = card.turns
  if not turns or #turns == 0 or turns:has(game.turn) then return end
  return no("event-not-this-turn", card)
end

function unmet_terms(card)
  for _, id in ipairs(card.after or {}) do
    if not has_been_played(id) then return no("event-not-before", card, piece(id)) end
  end
  for _, id in ipairs(card.unless or {}) do
    if has_been_played(id) then return no("event-not-after", card, piece(id)) end
  end
  for _, id in ipairs(card.held or {}) do
    if not holds(card.side, id) then return no("hex-not-held", card, space(id)) end
  end
  for _, id in ipairs(card.lost or {}) do
    if holds(card.side, id) then return no("hex-still-held", card, space(id)) end
  end
end

-- What a card asks for before its event may be played, refused under the paragraph of that card.
local function term(owner, card_id, id, rule, broken)
  forbid_all("action", id, { rule = rule, side = owner, offer = "event" }, function()
    local card = piece(card_id)
    local reason = card.place == pile(owner, "hand") and broken(card)
    if reason then return { card }, reason end
  end)
end

-- Terms that the cards state as data: turns, events before, hexes held. The refusal names the card.
forbid("action", "event-turns", { rule = "7.5.1a", offer = "event" }, function(card) return wrong_turn(card) end)
forbid("action", "event-terms", { rule = { "7.5.1a", "3.0h" }, offer = "event" }, function(card) return unmet_terms(card) end)

-- Terms of single cards.
term("soviet", "soviet-08", "moscow-has-fallen", "card.su.08", function(card)
  local fallen = not option "evacuation-after-recapture" and has_ever "moscow-fell"
  if fallen or not holds("soviet", value "stalin".home) then return no("moscow-fallen", card) end
end)

term("soviet", "soviet-32", "two-fronts-in-romania", "card.su.32", function(card)
  local fronts = units_of "soviet":filter{ has = "front", at = spaces{ country = "romania" } }
  if #fronts < value "balkans".fronts then return no("fronts-in-romania", card) end
end)

term("soviet", "soviet-46", "all-home-vp", "card.su.46", function(card)
  if not soviets_hold_home() then return no("home-vp", card) end
end)

local function stalin_is_out(card)
  if not piece "su-stalin".space or piece "su-stalin".space.kind ~= "hex" then return no("no-stalin", card) end
end
term("soviet", "soviet-49", "teheran-needs-stalin", "card.su.49", stalin_is_out)
term("soviet", "soviet-50", "yalta-needs-stalin", "card.su.50", stalin_is_out)

term("axis", "axis-26", "army-never-lost", "card.ax.26", function(card)
  if not game.army_lost then return no("army-never-lost", card) end
end)

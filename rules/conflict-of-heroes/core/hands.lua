-- Cards: the deck, the hands, what is drawn, and costs (8.0, 8.1).

procedure("deal", { rule = { "1.0j", "8.1c", "8.1e", "8.0a", "card.objective", "card.count" } }, function()
  if not option "cards" then return end
  for _, id in ipairs(value "deck-cards") do
    for _, card in ipairs(pieces { type = id, kind = "card" }) do move(card, "deck") end
  end
  shuffle(space "deck")
  for _, item in ipairs(value "table-cards") do call("lay-card", item) end
  for _, id in ipairs(value "secret-objectives") do move(piece(id), "objectives") end
  shuffle(space "objectives")
  draw(space "objectives", space "german-objective")
  draw(space "objectives", space "soviet-objective")
  for _, side in ipairs(value "forces") do
    for _ = 1, under_orders(side) and 0 or value "hands"[side] do call("draw-card", side, true) end
  end
end)

-- Weapon, veteran and artillery cards lie open; veterans go to a unit of their owner's choice (8.3a).
procedure("lay-card", { rule = { "8.2a", "8.3a", "12.3a" } }, function(item)
  local card = piece(item.card)
  card.side = item.side
  move(card, "table-cards")
  card.missions = item.missions or 0
  call("name-veteran", item, card)
end)

-- A card for a unit that comes later waits for it. The scenario may give a card to a group (8.3a).
procedure("name-veteran", { rule = "8.3a" }, function(item, card)
  if not item.unit or #card.holders > 0 then return end
  local fit = pieces { kind = "unit", type = item.unit, side = item.side }
  if not fit:any() then return end
  local most = math.min(#fit, item.holders or 1)
  card.holders = choose(item.side, "veteran.who", { among = fit, min = 1, max = most, card = card })
end)

procedure("draw-cards", { rule = { "2.0e", "8.1f" } }, function()
  if not option "cards" then return end
  for _, side in ipairs(value "forces") do
    for _ = 1, under_orders(side) and 0 or value "draws"[side] do call("draw-card", side, false) end
  end
end)

-- Yellow cards happen as they are drawn and are replaced (8.1d).
procedure("draw-card", { rule = { "8.1d", "card.score", "card.event", "card.game-end" } }, function(side, dealing)
  while true do
    if space("deck").count == 0 then call("reshuffle") end
    local card = draw(space "deck", hand(side))[1]
    if not card or card.family == "action" then return end
    if dealing then
      move(card, "deck", "bottom")
      shuffle(space "deck")
    else
      call("drawn", card, side)
    end
  end
end)

procedure("reshuffle", { rule = "8.1e" }, function()
  for _, card in ipairs(space("discards").pieces) do move(card, "deck") end
  shuffle(space "deck")
end)

procedure("drawn", { rule = { "8.1d", "card.score", "card.event", "card.game-end" } }, function(card, side)
  reveal(card)
  if card.type == "game-end" then
    if game.round >= value "game-end-from" then return call("final-count") end
    conceal(card)
    move(card, "deck")
    shuffle(space "deck")
    return
  end
  move(card, "discards")
  if card.type == "score" then
    for _, goal in ipairs(value "objectives") do
      for _, id in ipairs(goal.hexes) do
        local owner = scorer_of(space(id))
        if owner then score(owner, 1) end
      end
    end
  elseif value "event" ~= "none" then
    call("event." .. value "event", side)
  end
end)

-- Scenario 6: a smoke marker in sight of one's own units.
procedure("event.smoke", { rule = "card.event" }, function(side)
  local hexes = seen_by(side):both(in_play())
  local hex = ask(side, "event.smoke", { among = hexes, none = "no-smoke" })
  if hex then call("lay-smoke", hex) end
end)

-- Scenario 11: one more sortie this round, once the first has been flown.
procedure("event.sortie", { rule = "card.event" }, function(side)
  if call("throw", side, "event", value "one-die") < value "sortie-roll" then return end
  for _, plane in ipairs(planes_of(side)) do plane.sorties = plane.sorties + 1 end
end)

-- What a card costs, and with what it can be paid (8.1a, card.general-b).
function card_ways(side, card)
  local cap, ap, either = card.cap, card.ap, card.either or 0
  if not cap and not ap and either == 0 then return { "free" } end
  local purse, ways = sides[side], {}
  if cap then
    if purse.caps >= cap then ways[1] = "caps" end
  elseif ap then
    if purse.ap >= ap and not marching(side) then ways[1] = "ap" end
  else
    if purse.ap >= either and active_of(side):any() and not marching(side) then ways[1] = "ap" end
    if purse.caps >= either then table.insert(ways, "caps") end
  end
  return ways
end

procedure("pay-card", { rule = { "8.1a", "card.general-b" } }, function(side, card, way)
  if way == "free" then return end
  sides[side][way] = sides[side][way] - (card.either or card.cap or card.ap)
end)

procedure("discard", { rule = "8.1b" }, function(card) move(card, "discards") end)

-- A veteran's card is used for the round, or for good.
procedure("use-up", { rule = "8.3b" }, function(card)
  if card.uses == "game" then card.used_up = true end
  card.used = true
end)

function in_hand(side, type)
  if not option "cards" then return end
  return hand_cards(side):filter { type = type }[1]
end

-- 7.6, 6.D The Draw phase: Total War, discards, automatic cards, hand size.

procedure("total-war", { rule = { "7.6.4a", "7.6.4b", "7.6.4c", "7.1.2" } }, function()
  if game.total_war or game.turn < value "total-war".from or not total_war_due() then return end
  game.total_war = true
  for _, side in ipairs{ "axis", "soviet" } do
    for _, card in ipairs(pile(side, "stock").pieces:plus(pile(side, "discard").pieces)) do move(card, pile(side, "deck")) end
    shuffle(pile(side, "deck"))
  end
end)

function total_war_due()
  local one, two = sides.axis.removed, sides.soviet.removed
  return math.max(one, two) >= value "total-war".one or one + two >= value "total-war".both
end

-- The Soviet player decides first; discards lie open.
procedure("discards", { rule = { "6.D1", "7.6.2" } }, function()
  for _, side in ipairs{ "soviet", "axis" } do
    local cards = pile(side, "hand").pieces
    local thrown = #cards > 0 and choose(side, "draw.discard", { among = cards, min = 0, max = #cards }) or {}
    for _, card in ipairs(thrown) do move(card, pile(side, "discard")) end
  end
end)

procedure("draw-cards", { rule = { "6.D2", "7.1.3a", "17.1.1" } }, function()
  if game.evacuation > 0 or has_been_played "soviet-08" then game.evacuation = game.evacuation + 1 end
  automatic_cards()
  for _, side in ipairs{ "soviet", "axis" } do
    draw_cards(side, evaluate("hand-size", side) - pile(side, "hand").count)
  end
  game.bombed = 0
end)

automatic_cards = procedure("automatic-cards", { rule = { "7.1.3a", "7.1.3b", "7.1.3c", "7.1.3d", "7.1.3e", "7.1.3f" } }, function()
  for _, card in ipairs(space "soviet-aside".pieces:filter{ automatic = game.turn }) do move(card, pile("soviet", "hand")) end
end)

-- An empty deck takes the discards back (7.6.3).
draw_cards = procedure("draw-up", { rule = { "6.D2", "7.6.3" } }, function(side, n)
  local deck = pile(side, "deck")
  for _ = 1, n do
    if deck.count == 0 then reshuffle(side) end
    if deck.count == 0 then return end
    draw(deck, pile(side, "hand"))
  end
end)

reshuffle = procedure("reshuffle", { rule = "7.6.3" }, function(side)
  for _, card in ipairs(pile(side, "discard").pieces) do move(card, pile(side, "deck")) end
  shuffle(pile(side, "deck"))
end)

hand_size = number("hand-size", { rule = { "7.6.1c", "6.D2" }, stages = { "base", "oil", "event", "limit" } }, function(n, side)
  n:add(sides[side].hand)
end)

-- Oil hexes that a side holds and can supply (17.1.3).
function oil_hexes(side)
  return #traceable_by_any(side, spaces{ oil = true, control = side })
end

modify("hand-size", "axis-oil", { rule = { "17.1.3", "17.1.4", "17.1.5", "table.oilhand" }, stage = "oil" }, function(n, side)
  if side ~= "axis" then return end
  local wells, terms = oil_hexes "axis", value "oil-hand"
  if wells == 0 then n:add(terms.axis_none) end
  if wells >= terms.axis_many_from then n:add(terms.axis_many) end
end)

modify("hand-size", "soviet-oil", { rule = { "17.1.3", "17.1.6", "17.1.7", "table.oilhand" }, stage = "oil" }, function(n, side)
  if side ~= "soviet" then return end
  local wells, terms = oil_hexes "soviet", value "oil-hand"
  if wells == 0 then n:add(terms.soviet_none) end
  if wells == 1 then n:add(terms.soviet_one) end
end)

modify("hand-size", "industrial-evacuation", { rule = "card.su.08", stage = "event" }, function(n, side)
  local terms = value "industrial-evacuation"
  if side ~= "soviet" or game.evacuation == 0 then return end
  if game.evacuation <= terms.shorter then n:add(terms.smaller) end
  if game.evacuation > terms.normal then n:add(terms.larger) end
end)

modify("hand-size", "bomber-offensive", { rule = "card.su.55", stage = "event" }, function(n, side)
  if side == "axis" and game.bombed ~= 0 then n:add(game.bombed) end
end)

modify("hand-size", "hand-limits", { rule = { "7.6.1a", "7.6.1b" }, stage = "limit" }, function(n, side)
  n:at_most(value "hand".maximum)
  if side == "soviet" or game.turn < value "hand".axis_free then n:at_least(value "hand".minimum) end
end)

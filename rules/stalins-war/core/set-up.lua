-- 4. Setting up: a scenario places the units; this deals the cards that lie nowhere yet.

procedure("set-up", { rule = { "4.3.1", "4.3.2", "4.3.3", "2.3.1b" }, stages = { "cards", "purchase", "hands", "partisans" } })

procedure("set-up.cards", { rule = { "4.3.1", "4.3.2", "4.3.3", "7.1.2", "23.1.2", "2.3.1a" } }, function()
  for _, card in ipairs(pieces{ kind = "card" }) do
    if not card.place then move(card, pile(card.side, opening_pile(card))) end
  end
  for _, side in ipairs{ "axis", "soviet" } do shuffle(pile(side, "deck")) end
end)

function opening_pile(card)
  if card.deck == "total-war" and not game.total_war then return "stock" end
  if card.automatic and card.automatic >= game_start() and not option "random-reinforcements" then return "aside" end
  return "deck"
end

function game_start()
  return value "first-turn"
end

-- Optional: a chosen opening card for one VP, the Axis first.
procedure("set-up.purchase", { rule = "23.1.1" }, function()
  if not option "chosen-card" then return end
  for _, side in ipairs{ "axis", "soviet" } do
    local card = ask(side, "set-up.purchase", { among = pile(side, "deck").pieces, none = "no-purchase" })
    if card then
      move(card, pile(side, "hand"))
      score(side == "axis" and -value "opening-hand".price or value "opening-hand".price)
      shuffle(pile(side, "deck"))
    end
  end
end)

procedure("set-up.hands", { rule = { "4.3.1", "4.3.2" } }, function()
  for _, side in ipairs{ "axis", "soviet" } do
    draw_cards(side, value "opening-hand".cards - pile(side, "hand").count)
  end
end)

procedure("set-up.partisans", { rule = "16.1.3b" }, function()
  for _, band in ipairs(pieces{ kind = "unit", arrives = "partisan-cup" }) do
    if not band.place then
      move(band, space "partisan-cup")
      conceal(band)
    end
  end
  shuffle(space "partisan-cup")
end)

-- 4. Setting up: a scenario places the units; this deals the cards that lie nowhere yet.

procedure("set-up", { rule = { "4.3.1", "4.3.2", "4.3.3", "2.3.1b" }, stages = { "cards", "purchase", "hands", "partisans" } })

procedure("set-up.cards", { rule = { "4.3.1", "4.3.2", "4.3.3", "7.1.2", "23.1.2", "2.3.1a" } }, function()
  for _, side in ipairs{ "axis", "soviet" } do
    local cards = pieces{ kind = "card", side = side, place = none }
    local later, aside = kept_for_total_war(cards), kept_for_their_turn(cards)
    lay(later, side, "stock")
    lay(aside:minus(later), side, "aside")
    lay(cards:minus(later):minus(aside), side, "deck")
    shuffle(pile(side, "deck"))
  end
end)

function kept_for_total_war(cards)
  return game.total_war and nobody() or cards:filter{ deck = "total-war" }
end

-- Cards that come into the hand at the end of a turn that is still ahead.
function kept_for_their_turn(cards)
  return option "random-reinforcements" and nobody() or cards:filter{ min_automatic = value "first-turn" }
end

function lay(cards, side, name)
  if #cards == 0 then return end
  local place = pile(side, name)
  for _, card in ipairs(cards) do move(card, place) end
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
      band.dormant = true
      move(band, space "partisan-cup")
      conceal(band)
    end
  end
  shuffle(space "partisan-cup")
end)

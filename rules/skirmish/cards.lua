-- Chapter 4: cards. Hands are secret, so a side that holds cards is always asked, even if it can play none of them.

local function hand(side, sort) return store(side, "hand").pieces:filter{ sort = sort } end

local function holds_cards(side) return store(side, "hand").count > 0 end

procedure("set-up", { rule = "1.3" }, function()
  for _, side in ipairs(sides) do
    shuffle(store(side, "cup"))
    shuffle(store(side, "deck"))
    draw(store(side, "deck"), store(side, "hand"), value "hand".opening)
  end
end)

draw_card = procedure("draw-card", { rule = "4.1" }, function(side)
  local deck, discards = store(side, "deck"), store(side, "discard")
  if store(side, "hand").count >= value "hand".limit then return end
  if deck.count == 0 then
    draw(discards, deck, discards.count)
    shuffle(deck)
  end
  draw(deck, store(side, "hand"))
end)

procedure("draw", { rule = "4.1" }, function()
  for _, side in ipairs(sides) do draw_card(side) end
end)

procedure("card", { rule = "4.2" }, function()
  local side = game.active
  menu(side, "card", { none = "pass", always = holds_cards(side) })
end)

offer("card", "event", { rule = "4.3", among = function(side) return hand(side, "event") end })

procedure("event", { rule = "4.3" }, function(card, side)
  move(card, card.once and space "spent" or store(side, "discard"))
  if card.starts then start_effect(card.starts, { lasts = "half" }) else call("card." .. card.type, side) end
end)

-- A combat card lies in the discards from the moment it is played; the fight only remembers it. `pairs` goes in sorted order.
procedure("fight.cards", { rule = "6.4" }, function(fight)
  for role, side in pairs{ attack = fight.attacker, defence = fight.defender } do
    local cards = { among = hand(side, "combat"), role = role, none = "no-card", always = holds_cards(side) }
    local card = ask(side, "combat.card", cards)
    if card then
      move(card, store(side, "discard"))
      fight.cards = fight.cards:plus{ card }
    end
  end
end)

forbid("combat.card", "wrong-role", { rule = "4.4" }, function(card, ask)
  if card.role ~= "either" and card.role ~= ask.role then return no("wrong-role", card) end
end)

modify("attack", "attack-card", { rule = "4.4", stage = "card" }, function(n, fight)
  n:add(fight.cards:filter{ side = fight.attacker }:sum "bonus")
end)

modify("defence", "defence-card", { rule = "4.4", stage = "card" }, function(n, fight)
  n:add(fight.cards:filter{ side = fight.defender }:sum "bonus")
end)

-- 4.5 Reinforcements.

entries = query("entries", { rule = "4.5" }, function(side)
  local foe = enemy(side)
  return spaces{ base = side }:minus(standing(foe)):minus(zone(foe)):minus(full("units", side))
end)

offer("card", "reinforce", { rule = "4.5", among = function(side) return hand(side, "reinforcement") end })

forbid_all("card", "no-road", { rule = "4.5" }, function()
  local cards = hand(game.active, "reinforcement")
  if #cards > 0 and #entries(game.active) == 0 then return cards, no("no-road") end
end)

procedure("reinforce", { rule = "4.5" }, function(card, side)
  local unit = piece(card.brings)
  move(card, "spent")
  move(unit, ask(side, "card.hex", { among = entries(side), unit = unit }))
end)

-- 4.6 to 4.9: the events. Forced March and Barrage start an effect, which is data; what it does hangs on `during`.

modify("allowance", "forced-march", { rule = "4.6", stage = "card", during = "forced-march" }, function(n)
  n:add(value "march".forced)
end)

waive("limbering", "limbered-in-time", { rule = "4.6", during = "forced-march" }, function() return true end)

before("fight.fire", "barrage", { rule = "4.7", during = "barrage" }, function(fight)
  for _, unit in ipairs(fight.defenders) do unit.dug_in = false end
end)

-- The Vale plays second, so rain that fell at once would wet nobody but the Vale.
procedure("card.v-rain", { rule = "4.8" }, function() schedule("rain-falls", { on = "turn.start" }) end)

procedure("rain-falls", { rule = "4.8" }, function() start_effect("rain", { lasts = "turn" }) end)

modify("allowance", "rain", { rule = "4.8", stage = "weather", during = "rain" }, function(n) n:add(value "march".rain) end)

procedure("card.v-barges", { rule = "4.9" }, function(side)
  schedule("barges-arrive", { on = "turn.end", after = value "barges".after, side = side })
end)

procedure("barges-arrive", { rule = "4.9" }, function(barges)
  local own = sides[barges.side]
  if space(value "barges".town).holder == barges.side then own.stores = own.stores + value "barges".points end
end)

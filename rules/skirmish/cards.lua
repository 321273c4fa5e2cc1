-- Chapter 4: cards. Hands are secret, so a side with cards is always asked, even if it can play none of them.

local function hand(side, sort)
  return store(side, "hand").pieces:filter{ sort = sort }
end

procedure("set-up", { rule = "1.3" }, function()
  for _, side in ipairs(sides) do
    shuffle(store(side, "cup"))
    shuffle(store(side, "deck"))
    draw(store(side, "deck"), store(side, "hand"), value "opening".cards)
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
  menu(side, "card", { none = "pass", always = store(side, "hand").count > 0 })
end)

offer("card", "event", { rule = "4.3", run = "event", among = function(side) return hand(side, "event") end })

procedure("event", { rule = "4.3" }, function(card, side)
  move(card, store(side, "discard"))
  call("card." .. card.type, side)
end)

-- Combat cards lie in the discards from the moment they are played; the fight only remembers them.
procedure("fight.cards", { rule = "6.4" }, function(fight)
  for _, side in ipairs { fight.attacker, fight.defender } do
    local card = ask(side, "combat.card", {
      among = hand(side, "combat"), role = side == fight.attacker and "attack" or "defence",
      none = "no-card", always = store(side, "hand").count > 0,
    })
    if card then
      move(card, store(side, "discard"))
      fight.cards = fight.cards:plus{ card }
    end
  end
end)

forbid("combat.card", "wrong-role", { rule = "4.4" }, function(card, ask)
  if card.role ~= "either" and card.role ~= ask.role then return no("wrong-role", card) end
end)

-- Reinforcements.

entries = query("entries", { rule = "4.5" }, function(side)
  local foe = enemy(side)
  return spaces{ base = side }:minus(standing(foe)):minus(zone(foe)):minus(crowded(side))
end)

offer("card", "reinforce", { rule = "4.5", run = "reinforce", among = function(side) return hand(side, "reinforcement") end })

forbid_all("card", "no-road", { rule = "4.5" }, function()
  local side = game.active
  if #entries(side) == 0 then return hand(side, "reinforcement"), no("no-road") end
end)

procedure("reinforce", { rule = "4.5" }, function(card, side)
  local unit = piece(card.brings)
  move(card, "spent")
  move(unit, ask(side, "card.hex", { among = entries(side), unit = unit }))
end)

-- Events.

procedure("card.h-march", { rule = "4.6" }, function()
  start_effect("forced-march", { lasts = "half" })
end)

modify("allowance", "forced-march", { rule = "4.6", stage = "card", during = "forced-march" }, function(n)
  n:add(value "march".forced)
end)

waive("limbering", "limbered-in-time", { rule = "4.6", during = "forced-march" }, function() return true end)

procedure("card.h-barrage", { rule = "4.7" }, function()
  start_effect("barrage", { lasts = "half" })
end)

before("fight.fire", "barrage", { rule = "4.7", during = "barrage" }, function(fight)
  for _, unit in ipairs(fight.defenders:filter{ dug_in = true }) do unit.dug_in = false end
end)

-- The Vale plays second, so rain that fell at once would wet nobody but the Vale.
procedure("card.v-rain", { rule = "4.8" }, function()
  schedule("rain-falls", { on = "turn.start" })
end)

procedure("rain-falls", { rule = "4.8" }, function()
  start_effect("rain", { lasts = "turn" })
end)

modify("allowance", "rain", { rule = "4.8", stage = "weather", during = "rain" }, function(n)
  n:add(value "march".rain)
end)

procedure("card.v-barges", { rule = "4.9" }, function(side)
  schedule("barges-arrive", { on = "turn.end", after = value "barges".turns, side = side })
end)

procedure("barges-arrive", { rule = "4.9" }, function(barges)
  local own = sides[barges.side]
  if space(value "barges".town).holder == barges.side then own.stores = own.stores + value "barges".points end
end)

-- 4. Game preparation: a scenario places the units; this mixes the cups and draws the opening events.

procedure("set-up", { rule = { "4.setup.b", "4.setup.e", "scenario.a", "scenario.b", "scenario.c" }, stages = { "cups", "hands", "support" } })

procedure("set-up.cups", { rule = { "4.setup.f", "20.events.a" } }, function()
  for _, card in ipairs(pieces{ kind = "card" }) do
    if not card.place then move(card, space(card.side .. "-cup")) end
  end
  for _, side in ipairs(sides) do shuffle(space(side .. "-cup")) end
end)

procedure("set-up.hands", { rule = { "4.setup.g", "20.events.b" } }, function()
  for _, side in ipairs(sides) do
    draw(space(side .. "-cup"), space(side .. "-hand"), value "opening-hand".events)
  end
end)

-- Markers that came before the first turn of a later start.
procedure("set-up.support", { rule = "10.art.b" }, function()
  arrive_markers(value "first-turn" - 1)
end)

function arrive_markers(turn)
  for _, marker in ipairs(pieces{ kind = "marker", max_enters = turn, place = none }) do
    move(marker, space(marker.side .. "-support"))
  end
end

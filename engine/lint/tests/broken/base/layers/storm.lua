--- layer: storm
--- version: 1.0
--- game: g

wrap("card.rain", function(inner, card)
  inner(card)
  game.weather = "foul"
end)

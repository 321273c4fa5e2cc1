-- Everything that asks for an unbridged major river finds none while the frost lasts.

frost = query("frost", { rule = "frozen-rivers.1" }, function() return game.turn >= value "frost".turn end)

wrap("ground-profile", function(inner) return frost() and "ice" or inner() end)
wrap("far-banks", function(inner, hex) return frost() and nowhere() or inner(hex) end)
wrap("water-barriers", function(inner) return frost() and { "blocked" } or inner() end)
wrap("river-divisor", function(inner, from, target)
  if frost() and border(from, target):has "major-river" then return value "frost".divisor end
  return inner(from, target)
end)

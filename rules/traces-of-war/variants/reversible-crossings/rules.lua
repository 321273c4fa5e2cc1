-- Marches pass quietly through most hexes; these must be noticed.
wrap("eventful-hexes", function(inner) return inner():plus(spaces { crossing = true }) end)

after("arrive", "crossing-retaken", { rule = "reversible-crossings.1" }, function(unit, hex)
  if unit.side == "axis" and hex.crossed then
    hex.crossed = false
    mark_crossings()
  end
end)

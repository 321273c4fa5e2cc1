-- Markers may be in neither place now.
disable "markers-in-box-or-hand"

after("fight.air", "aircraft-lost", { rule = "lost-aircraft.1" }, function(fight)
  for _, marker in ipairs(fight.markers) do move(marker, space "eliminated") end
end)

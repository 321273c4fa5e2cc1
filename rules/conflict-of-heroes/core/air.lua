-- Aircraft (20.0 to 20.4): they come and go within one activation.

procedure("fly-off", { rule = { "20.0a", "20.0j", "20.0k" } }, function(plane)
  plane.altitude = 0
  move(plane, plane.doomed and "lost" or "away")
end)

function edge_hexes(edges) return spaces { id = {} } end
function air_view(plane) return sees(plane.space) end

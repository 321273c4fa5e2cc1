-- Each day the party marches as far as its points go, and draws what it sees.

function on_ground(ground) return spaces{ ground = ground } end

-- The neighbours in the order of their directions: 0 first, then clockwise.
procedure("fan", { rule = "1.1" }, function(hex)
  local around_it = {}
  for _, other in ipairs(neighbours(hex)) do around_it[#around_it + 1] = other end
  table.sort(around_it, function(a, b) return direction(hex, a) < direction(hex, b) end)
  game.sketch = around_it
end)

-- All hexes of a line in order; where it runs along a hexside both of its hexes. The sum of each step tells how many there are.
procedure("sight-line", { rule = "1.2" }, function(a, b)
  local hexes, counts = {}, {}
  for i, step in ipairs(line(a, b)) do
    counts[i] = #step
    for _, hex in ipairs(step) do hexes[#hexes + 1] = hex end
  end
  game.sketch, game.angles = hexes, counts
end)

procedure("take-bearing", { rule = "1.2" }, function(a, b)
  local angles = { bearing(a, b) }
  for _, way in ipairs(heading(a, b)) do angles[#angles + 1] = way end
  game.angles = angles
end)

procedure("look-out", { rule = "1.2" }, function(hex, facing, half, radius) game.sketch = arc(hex, facing, half, radius) end)

range = query("range", { rule = "1.3" }, function(hex)
  local day = value "day"
  return reach{
    profile = "foot", from = hex, points = day.halves, one_step = true,
    stop = on_ground "camp", no_end = on_ground "cliff", first_step_only = on_ground "bog", between = { on_ground "snow", day.snow },
  }
end)

procedure("march", { rule = "1.3" }, function()
  local guide = piece "guide"
  local there = range(guide.space)
  local hex = ask("party", "march", { among = there.spaces, none = "rest" })
  if not hex then return end
  game.spent = there:cost(hex)
  call("evening", guide.space, hex)
  move(guide, hex)
end)

-- In the evening the party draws its own hex, the way it came, and what lies before it.
procedure("evening", { rule = "1.2" }, function(from, hex)
  local view = value "view"
  call("fan", hex)
  call("sight-line", from, hex)
  call("take-bearing", from, hex)
  call("look-out", hex, heading(from, hex)[1], view.half, view.range)
end)

procedure("home", { rule = "1.4" }, function() end_game{ winner = "party", reason = "home", rule = "1.4" } end)

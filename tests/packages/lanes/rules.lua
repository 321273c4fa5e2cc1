-- In its half a side looks at its supply, marches, and pushes one enemy back. Whoever enters the enemy's depot wins.

units_of = query("units-of", { rule = "1.1" }, function(side) return pieces{ kind = "unit", side = side, on_map = true } end)
standing = query("standing", { rule = "1.1" }, function(side) return units_of(side):spaces() end)
zone = query("zone", { rule = "1.2" }, function(side) return around(standing(side), { "gorge" }) end)

-- Three segments, as a unit looks for its depot: a few hexes of open country, one hop over the lake, any way along the railway. The slide
-- is a railway that carries supply down only, away from the depot.
supply_way = query("supply-way", { rule = "1.2" }, function(side)
  local foe = enemy(side)
  local barred = standing(foe):plus(zone(foe):minus(standing(side)))
  return {
    to = spaces{ depot = side },
    by = {
      { steps = value "supply".hexes, blocked = barred, barrier = { "gorge" } },
      { over = "slide", outward = true, blocked = barred },
      { hop = "port", blocked = barred },
      { over = "rail", blocked = barred },
    },
  }
end)

supplied = query("supplied", { rule = "1.2" }, function(side) return trace(supply_way(side)) end)

procedure("supply", { rule = "1.2" }, function()
  for _, unit in ipairs(units_of(game.active)) do
    unit.hungry = not supplied(game.active):has(unit.space)
    local way = trace_way(supply_way(game.active), unit.space)
    unit.line = way and #way or 0
  end
end)

-- Points are counted in halves.
range_of = query("range-of", { rule = "1.3" }, function(unit)
  local costs, danger = value "march", zone(enemy(unit.side))
  return reach{
    profile = "foot", from = unit.space, points = unit.hungry and costs.hungry or unit.moves * costs.halves, one_step = true,
    blocked = standing(enemy(unit.side)), enter = { { danger, costs.enter } }, leave = { { danger, costs.leave } },
  }
end)

procedure("march", { rule = "1.3" }, function()
  local side = game.active
  local unit = ask(side, "march.unit", { among = units_of(side):filter{ marched = false }, none = "done" })
  if not unit then return "done" end
  unit.marched = true
  local range = range_of(unit)
  local hex = ask(side, "march.to", { among = range.spaces, unit = unit, none = "stay" })
  if not hex then return end
  unit.spent = range:cost(hex)
  move(unit, hex)
  if hex.depot == enemy(side) then end_game{ winner = side, reason = "depot", rule = "1.5" } end
end)

forbid_all("march.to", "one-a-hex", { rule = "1.3" }, function(ask) return standing(ask.unit.side), no("crowded") end)

procedure("push", { rule = "1.4" }, function()
  local side = game.active
  local near = units_of(enemy(side)):filter{ at = zone(side) }
  local unit = ask(side, "push", { among = near, none = "hold" })
  if unit and roll "push" >= value "push".least then call("retreat", unit) end
end)

reroll("push", "second-try", { rule = "1.4" }, function(value_rolled) return value_rolled == value "push".again end)

-- The enemy's hexes and the gorge are hard limits. Of what is left, the fewest enemy zones; of those, the nearest to the depot.
procedure("retreat", { rule = "1.4" }, function(unit)
  local foe = enemy(unit.side)
  local danger, depot = zone(foe), spaces{ depot = unit.side }:first()
  local best = paths{
    from = unit.space, length = value "retreat".hexes, blocked = standing(foe):plus(standing(unit.side)), barrier = { "gorge" },
    rank = function(path)
      return { #danger:both(path:minus{ path[1] }), distance(path:last(), depot) }
    end,
  }
  if #best == 0 then return remove(unit) end
  local ends = {}
  for i, way in ipairs(best) do ends[i] = way.space end
  move(unit, ask(unit.side, "retreat", { among = spaces{ kind = "hex" }:both(ends), unit = unit }))
end)

procedure("truce", { rule = "1.5" }, function() end_game{ reason = "truce", rule = "1.5" } end)

invariant("one-a-hex", { rule = "1.3" }, function()
  local hex = pieces{ kind = "unit", on_map = true }:filter(function(unit) return unit.space.count > 1 end):spaces():first()
  if hex then return no("stacked", hex) end
end)

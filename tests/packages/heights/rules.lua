-- In its half each unit of a side turns, marches or fires. Fire goes where a unit faces, as far as it sees.

units_of = query("units-of", { rule = "1.2" }, function(side) return pieces{ kind = "unit", side = side, on_map = true } end)

procedure("act", { rule = "1.2" }, function()
  local side = game.active
  local unit = ask(side, "act", { among = units_of(side):filter{ acted = false }, none = "done" })
  if not unit then return "done" end
  unit.acted = true
  menu(side, "orders", { unit = unit, none = "stay" })
end)

offer("orders", "turn", { rule = "1.2", among = function(_, order)
  local ways = {}
  for way = 0, value "facings".last do
    if way ~= order.unit.facing then ways[#ways + 1] = way end
  end
  return ways
end })

procedure("turn", { rule = "1.2" }, function(way, _, order) order.unit.facing = way end)

offer("orders", "march", { rule = "1.1", among = function(_, order) return neighbours(order.unit.space) end })

procedure("march", { rule = "1.1" }, function(hex, _, order)
  order.unit.facing = direction(order.unit.space, hex)
  move(order.unit, hex)
end)

forbid_all("orders", "taken", { rule = "1.1", offer = "march" }, function() return pieces{ on_map = true }:spaces(), no("taken") end)

offer("orders", "fire", { rule = "1.3", among = function(side, order)
  local unit, cone = order.unit, value "arc"
  return units_of(enemy(side)):filter{ at = arc(unit.space, unit.facing, cone.half, cone.range) }
end })

in_sight = query("in-sight", { rule = "1.4" }, function(hex) return sight_all{ from = hex, rules = "ground" }.spaces end)

forbid("orders", "unseen", { rule = "1.4", offer = "fire" }, function(target, order)
  if not in_sight(order.unit.space):has(target.space) then return no("unseen") end
end)

procedure("fire", { rule = "1.5" }, function(target, side, order)
  local flank = value "flank"
  local from = aspect(target, target.facing, flank.front, flank.rear, order.unit)
  if not step_down(target, value "hits"[from]) then remove(target) end
  if #units_of(enemy(side)) == 0 then end_game{ winner = side, reason = "alone", rule = "1.6" } end
end)

procedure("dusk", { rule = "1.6" }, function() end_game{ reason = "dusk", rule = "1.6" } end)

invariant("facing", { rule = "1.2" }, function()
  local unit = pieces{ kind = "unit", on_map = true }:filter(function(unit) return unit.facing == nil end):first()
  if unit then return no("blind", unit) end
end)

-- Sight is the same both ways, and looking around agrees with looking at one hex.
invariant("both-ways", { rule = "1.4" }, function()
  local held = pieces{ kind = "unit", on_map = true }:spaces()
  for _, from in ipairs(held) do
    for _, to in ipairs(held) do
      local there = in_sight(from):has(to)
      if there ~= in_sight(to):has(from) or there ~= sight{ from = from, to = to, rules = "ground" }.clear then return no("unseen") end
    end
  end
end)

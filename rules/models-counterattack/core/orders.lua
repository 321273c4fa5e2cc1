-- 8. Prepared defense and 14. reserves: what a unit may do instead of moving.

offer("movement", "prepare", {
  rule = { "8.prep.a", "8.prep.h" }, run = "prepare",
  among = function(side) return movable(side):filter{ on_map = true, prepared = false, train = false } end,
})

procedure("prepare", { rule = { "8.prep.a", "8.prep.b" } }, function(unit)
  activate(unit)
  unit.prepared = true
  unit.dug = true
  unit.done = true
end)

-- Units with a marker.
entrenched = query("entrenched", { rule = "8.prep.c" }, function(side)
  return pieces{ kind = "unit", side = side, prepared = true }
end)

-- The owner may take a marker off at will, also of a unit that is not active or has moved.
offer("movement", "abandon", { rule = "8.prep.c", run = "abandon", among = entrenched })

procedure("abandon", { rule = "8.prep.c" }, function(unit) unit.prepared = false end)

-- Reserves ------------------------------------------------------------------------------------------------------------------

-- The lowest reserve marker that lies nowhere.
free_marker = query("free-marker", { rule = { "14.reserve.b", "14.reserve.c" } }, function(side)
  local laid = markers_of(side)
  for marker = 1, value "reserve".markers do
    if #laid == 0 or not laid:any{ reserve = marker } then return marker end
  end
end)

offer("movement", "reserve", {
  rule = { "14.place.a", "14.place.b", "14.place.c", "14.place.d", "14.place.e", "17.reinf.f", "17.army47.c", "13.train.a" }, run = "hold",
  among = function(side)
    return free_marker(side) and movable(side):filter{ released = false } or nobody()
  end,
})

-- A marker holds a whole stack, or two units off the map or in Warsaw.
procedure("hold", { rule = { "14.reserve.a", "14.place.a", "14.place.c", "14.place.e", "14.place.b" } }, function(unit, side)
  local marker = free_marker(side)
  local beside_it = movable(side):filter{ at = unit.space, released = false, not_id = unit.id }
  local most = is_hex(unit.space) and #beside_it or value "reserve".off_map - 1
  local company = choose(side, "reserve.with", {
    among = beside_it, max = most, unit = unit,
    test = function(others) return not too_many_divisions(side, others:plus{ unit }), no("two-divisions") end,
  })
  set_aside(unit, marker)
  for _, other in ipairs(company) do set_aside(other, marker) end
end)

set_aside = procedure("set-aside", { rule = { "14.place.a", "14.use.a" } }, function(unit, marker)
  activate(unit)
  unit.reserve = marker
  unit.done = true
end)

-- One unit of each marker stands for it.
markers_of = query("markers-of", { rule = "14.reserve.b" }, function(side)
  return pieces{ kind = "unit", side = side, min_reserve = 1 }:distinct "reserve"
end)

-- A marker may be taken back, and laid on other units.
offer("movement", "release", {
  rule = "14.use.f", run = "release",
  among = function(side)
    local laid = markers_of(side)
    return #laid > 0 and laid:filter{ done = false } or laid
  end,
})

procedure("release", { rule = "14.use.f" }, function(unit, side)
  for _, held in ipairs(pieces{ kind = "unit", side = side, reserve = unit.reserve }) do
    held.reserve = 0
    held.released = true
  end
end)

procedure("begin-reserves", { rule = "5.steps.a" }, function() game.step = "reserves" end)

procedure("reserves", { rule = { "14.use.a", "14.use.d", "14.use.e" } }, function()
  return menu(game.active, "reserves", { none = "done" })
end)

offer("reserves", "call", { rule = { "14.use.a", "14.use.c", "14.use.e" }, among = markers_of, run = "call-up" })
offer("reserves", "move", { rule = "14.use.a", among = movable, run = "move-unit" })
offer("reserves", "group", { rule = { "14.use.a", "7.kg.b" }, side = "german", among = groups, run = "move-group" })

procedure("call-up", { rule = { "14.use.a", "14.use.c", "14.reserve.c" } }, function(unit, side)
  for _, held in ipairs(pieces{ kind = "unit", side = side, reserve = unit.reserve }) do
    held.reserve = 0
    activate(held)
    held.called = true
    held.done = false
  end
end)

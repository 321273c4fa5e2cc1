-- Words that all the rules use: who stands where, what lies in front of whom, and how a unit suffers.

units_of = query("units-of", { rule = "1.1" }, function(side)
  return pieces{ kind = "unit", side = side, on_map = true }
end)

standing = query("standing", { rule = "5.1" }, function(side) return units_of(side):spaces() end)

-- The river shields: a zone reaches over a bridge or a ford, but not over open water.
zone = query("zone", { rule = "5.4" }, function(side)
  return around(standing(side), { "river" })
end)

-- Piles and boxes are named after their side: harrow-hand, vale-lost.
function store(side, name) return space(side .. "-" .. name) end

lose_unit = procedure("lose-unit", { rule = "6.6" }, function(unit)
  move(unit, store(unit.side, "lost"))
  emit("unit.lost", unit)
end)

lose_step = procedure("lose-step", { rule = "6.6" }, function(unit)
  if not step_down(unit) then lose_unit(unit) end
end)

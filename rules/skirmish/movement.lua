-- Chapter 5: movement. In its half a side gives each unit one order: march, dig in, scout or stay.

idle = query("idle", { rule = "5.1" }, function(side)
  return pieces{ kind = "unit", side = side, on_map = true, acted = false }
end)

procedure("movement", { rule = "5.1" }, function()
  local side = game.active
  local unit = ask(side, "movement", { among = idle(side), none = "done" })
  if not unit then return "done" end
  menu(side, "orders", { unit = unit, points = allowance(unit), none = "stay" })
  unit.acted = true
end)

allowance = number("allowance", { rule = "5.1", stages = { "card", "weather", "supply" } }, function(n, unit)
  n:add(unit.moves)
end)

-- A unit halts where it meets an enemy zone or marker, so a march springs at most one trap and draws fire once.
front = query("front", { rule = { "2.2", "5.4" } }, function(side)
  return zone(side):plus(marked(side))
end)

offer("orders", "march", { rule = { "5.1", "5.2", "5.3", "5.4" }, among = function(side, order)
  local foe, unit = enemy(side), order.unit
  return reach{
    profile = unit.arm, from = unit.space, points = order.points, one_step = true,
    blocked = standing(foe), stop = front(foe), between = { zone(foe), "never" },
  }.spaces
end })

forbid_all("orders", "full-hex", { rule = "5.5" }, function(order)
  return full("units", order.unit.side), no("crowded")
end)

forbid_all("orders", "limbering", { rule = "5.6" }, function(order)
  local unit = order.unit
  if unit.arm ~= "guns" or not zone(enemy(unit.side)):has(unit.space) then return end
  return spaces{ kind = "hex" }, no("limbering", unit)
end)

procedure("march", { rule = "5.1" }, function(hex, _, order) go(order.unit, hex, "march") end)

-- However a unit comes to a new hex, by march, advance or retreat, it leaves its trench behind and the same stages follow.
function go(unit, hex, how)
  unit.dug_in = false
  move(unit, hex)
  call("arrival", unit, how)
end

-- A unit that is lost on the way lies in a box, where the later stages find nothing to do.
procedure("arrival", { rule = "5.1", stages = { "spring", "react", "claim" } })

offer("orders", "dig-in", { rule = "5.7", when = function(_, order)
  return order.unit.arm ~= "horse" and not order.unit.dug_in
end })

procedure("dig-in", { rule = "5.7" }, function(_, _, order) order.unit.dug_in = true end)

-- 5.8 Reaction fire.

procedure("arrival.react", { rule = "5.8" }, function(unit, how)
  local foe = enemy(unit.side)
  if how ~= "march" or not zone(foe):has(unit.space) then return end
  local ready = units_of(foe):filter{ reacted = false, at = around({ unit.space }, { "river" }) }
  local shooter = ask(foe, "reaction", { among = ready, unit = unit, none = "hold-fire" })
  if not shooter then return end
  shooter.reacted = true
  local aim = evaluate("aim", shooter, unit)
  if roll "reaction" <= aim then lose_step(unit) end
end)

number("aim", { rule = "5.8", stages = { "ground" } }, function(n, shooter) n:add(shooter.aim) end)

modify("aim", "behind-trees", { rule = "5.8", stage = "ground" }, function(n, _, unit)
  if unit.space.terrain == "wood" then n:add(value "reaction".wood) end
end)

forbid("reaction", "mist", { rule = "8.1", option = "mist" }, function()
  if game.turn <= value "mist".turns then return no("mist") end
end)

-- Control of hexes, and what happens when a unit enters one (3.0e, 3.0f, 16.2, 16.3, 11.1.9).

take_control = procedure("take-control", { rule = { "3.0e", "3.0f", "10.3.2a", "card.su.08" } }, function(hex, side)
  hex.control = side
  if side == "axis" and hex.id == value "stalin".home then remember "moscow-fell" end
  if hex.trench == enemy(side) then hex.trench = nil end
  if hex.vp then score(side == "axis" and 1 or -1) end
  if side == "axis" then lift_restriction(hex) end
end)

-- Hexes where something happens when a unit of this side enters: all others may be walked through without a look.
stirred_by = query("stirred-by", { rule = { "3.0e", "10.3.2a", "16.2.2", "16.3.3", "16.1.5b", "5.1.3c" } }, function(side)
  local foe = enemy(side)
  local stirred = tracked():filter{ not_control = side }:plus(trenches(foe)):plus(fortresses(foe))
  if side == "soviet" then return stirred:plus(festungen()):plus(sleeping_places()) end
  return stirred:plus(game.paulus_crossed and gates() or beyond_paulus())
end)

tracked = query("tracked", { rule = "3.0e" }, function() return spaces{ tracked = true } end)
beyond_paulus = query("beyond-paulus", { rule = "5.1.3c" }, function() return spaces{ paulus = true } end)

-- Hexes whose fall opens a closed group.
gates = query("gates", { rule = "11.1.9e" }, function()
  local terms = value "restricted"
  return hexes_of(terms.leningrad):plus(hexes_of(terms.moscow)):plus(hexes_of(terms.south)):plus(spaces{ caucasus = true })
end)

enter = procedure("enter", { rule = { "3.0e", "16.3.3", "10.3.2a" } }, function(unit, hex)
  local side = unit.side
  if hex.tracked and hex.control ~= side then take_control(hex, side) end
  if hex.trench == enemy(side) then hex.trench = nil end
  if hex.fortress == enemy(side) then destroy_fortress(hex) end
  if side == "soviet" then
    if hex.festung then hex.festung = false end
    dissolve_partisans(unit, hex)
  elseif hex.paulus then
    note_crossing(unit)
    lift_restriction(hex)
  end
end)

destroy_fortress = procedure("destroy-fortress", { rule = "16.2.2" }, function(hex)
  hex.fortress = nil
  hex.destroyed = true
end)

-- A supplied Soviet unit sends inactive partisans home.
dissolve_partisans = procedure("dissolve-partisans", { rule = "16.1.5b" }, function(unit, hex)
  if unit.dormant or unit.supply == "oos" then return end
  for _, band in ipairs(sleeping():filter{ at = hex }) do recall_partisan(band) end
end)

note_crossing = procedure("note-crossing", { rule = "5.1.3c" }, function(unit)
  if unit.supply ~= "oos" and not game.paulus_crossed then game.paulus_crossed = true end
end)

-- Once one hex of a group is taken or entered, its whole group may be attacked for good.
lift_restriction = procedure("lift-restriction", { rule = { "11.1.9e", "11.1.9d" } }, function(hex)
  if hex.id == value "restricted".leningrad[1] then game.leningrad_open = true end
  for _, id in ipairs(value "restricted".moscow) do
    if hex.id == id then game.moscow_open = true end
  end
  if hex.caucasus or hex.id == value "restricted".south[1] then game.south_open = true end
end)

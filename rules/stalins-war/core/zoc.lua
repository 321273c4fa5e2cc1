-- 8. Zones of control, 9. stacking, and the hexes a unit may not enter.

-- Hexes into which no enemy ZOC reaches: intact Fortresses and Festungen.
strongholds = query("strongholds", { rule = "8.2b" }, function()
  return spaces{ fortress = { "axis", "soviet" } }:plus(spaces{ festung = true })
end)

-- Hexes of the units that have a ZOC: armies, Fronts, panzers, tanks, guards, mech corps, in full supply.
exerting = query("exerting", { rule = { "8.1a", "8.1b", "8.1c" } }, function(side)
  return units_of(side):filter{ zoc = true, supply = "full" }:spaces()
end)

zoc = query("zoc", { rule = { "8.1a", "8.2a" } }, function(side)
  local zone = around(exerting(side), water):minus(strongholds())
  if side == "axis" then zone = zone:minus(fortified_zone()) end
  return zone
end)

fortified_zone = query("fortified-zone", { rule = "8.2c" }, function()
  return pieces{ id = "su-fz", on_map = true }:spaces()
end)

-- For retreat and supply a side's own units lift the enemy ZOC in their hex.
barred_zoc = query("barred-zoc", { rule = { "8.3d", "8.3e" } }, function(side)
  return zoc(enemy(side)):minus(standing(side))
end)

-- Hexes that a unit of this nation may not enter at all.
closed = query("closed", { rule = { "10.1.6", "4.4.3", "4.4.4", "19.1.1a", "19.2.1" } }, function(side, nation)
  local shut = standing(enemy(side))
  if nation == "ro" or game.turn == 1 then shut = shut:plus(spaces{ country = "hungary" }) end
  if nation == "hu" or (nation == "su" and game.turn == 1) then shut = shut:plus(spaces{ country = "romania" }) end
  return shut
end)

function closed_to(unit)
  return closed(unit.side, unit.nation)
end

-- Hexes in which one more unit of this kind would break the stacking limits (9.1, 9.2).
crowded = query("crowded", { rule = { "9.1.1", "9.1.2", "9.1.3", "9.2.1", "9.2.2" } }, function(side, size, kind)
  local here = units_of(side)
  if kind == "free" then return nowhere() end
  if kind == "partisan" then return here:spaces() end
  local full = here:filter{ free = false }:spaces(value "stack".units)
  if size == "lcu" then full = full:plus(here:filter{ size = "lcu" }:spaces(value "stack".lcu)) end
  if kind == "hu" then full = full:plus(here:filter{ nation = "ro" }:spaces()) end
  if kind == "ro" then full = full:plus(here:filter{ nation = "hu" }:spaces()) end
  if kind == "su" then full = full:plus(here:filter{ has = "partisan" }:spaces()) end
  return full
end)

function crowded_for(unit)
  local kind = unit.nation
  if unit.free then kind = unit.arrives == "partisan-cup" and "partisan" or "free" end
  return crowded(unit.side, unit.size, kind)
end

-- 8. Zones of control, 9. stacking, and the hexes a unit may not enter.

-- Hexes into which no enemy ZOC reaches: intact Fortresses and Festungen.
strongholds = query("strongholds", { rule = "8.2b" }, function()
  return fortresses "axis":plus(fortresses "soviet"):plus(festungen())
end)

-- Leaves of the searches: each reads one thing that seldom changes, and is kept until it does.
fortresses = query("fortresses", { rule = "16.2.1" }, function(side) return spaces{ fortress = side } end)
festungen = query("festungen", { rule = "16.3.1" }, function() return spaces{ festung = true } end)
trenches = query("trenches", { rule = "10.3.2a" }, function(side) return spaces{ trench = side } end)
blitz_hexes = query("blitz-hexes", { rule = "11.5.2a" }, function() return spaces{ blitz = true } end)
supply_barriers = query("supply-barriers", { rule = "13.1.3" }, function() return spaces{ bars_supply = true } end)
rail_barriers = query("rail-barriers", { rule = "10.2.3a" }, function() return spaces{ bars_rail = true } end)

bands = query("bands", { rule = "16.1.2b" }, function() return roster "soviet":filter{ arrives = "partisan-cup" } end)
sleeping = query("sleeping", { rule = "16.1.4" }, function() return bands():filter{ dormant = true, on_map = true } end)
sleeping_places = query("sleeping-places", { rule = "16.1.4" }, function() return sleeping():spaces() end)

-- What an enemy holds and so closes to supply, or to trains.
barriers_of = query("barriers-of", { rule = { "13.1.3", "10.2.3a" } }, function(side, kind)
  return (kind == "rail" and rail_barriers() or supply_barriers()):filter{ control = side }
end)

-- Hexes of the units that have a ZOC: armies, Fronts, panzers, tanks, guards, mech corps, in full supply.
exerters = query("exerters", { rule = { "8.1a", "8.1b", "8.1c", "13.3.6" } }, function(side)
  return units_of(side):filter{ zoc = true, supply = "full" }
end)

exerting = query("exerting", { rule = "8.1a" }, function(side)
  return exerters(side):spaces()
end)

zoc = query("zoc", { rule = { "8.1a", "8.2a" } }, function(side)
  local zone = around(exerting(side), water):minus(strongholds())
  return side == "axis" and zone:minus(fortified_zone()) or zone
end)

fortified_zone = query("fortified-zone", { rule = "8.2c" }, function()
  return roster "soviet":filter{ has = "fortified-zone", on_map = true }:spaces()
end)

-- For retreat and supply a side's own units lift the enemy ZOC in their hex.
barred_zoc = query("barred-zoc", { rule = { "8.3d", "8.3e" } }, function(side)
  return zoc(enemy(side)):minus(standing(side))
end)

-- Hexes that a unit of this nation may not enter at all.
closed = query("closed", { rule = "10.1.6" }, function(side, nation)
  return standing(enemy(side)):plus(foreign_soil(nation))
end)

-- Countries closed to a nation, for good or in June 1941.
foreign_soil = query("foreign-soil", { rule = { "4.4.3", "4.4.4", "19.1.1a", "19.2.1" } }, function(nation)
  local june = game.turn == 1
  local soil = nowhere()
  if nation == "ro" or june then soil = soil:plus(spaces{ country = "hungary" }) end
  if nation == "hu" or nation == "su" and june then soil = soil:plus(spaces{ country = "romania" }) end
  return soil
end)

function closed_to(unit)
  return closed(unit.side, unit.nation)
end

active_bands = query("active-bands", { rule = "9.2.2" }, function()
  return bands():filter{ dormant = false, on_map = true }:spaces()
end)

nationals = query("nationals", { rule = "9.2.1" }, function(nation)
  return units_of "axis":filter{ nation = nation }
end)

-- Hexes in which one more unit of this kind would break the stacking limits (9.1, 9.2).
crowded = query("crowded", { rule = { "9.1.1", "9.1.2", "9.1.3", "9.2.1", "9.2.2", "16.4.4" } }, function(side, size, kind)
  if kind == "free" then return nowhere() end
  if kind == "partisan" then return standing(side) end
  local packed = full("units", side)
  if size == "lcu" then packed = packed:plus(full("lcu", side)) end
  if kind == "hu" then packed = packed:plus(nationals "ro":spaces()) end
  if kind == "ro" then packed = packed:plus(nationals "hu":spaces()) end
  if kind == "su" then packed = packed:plus(active_bands()) end
  return packed
end)

function crowded_for(unit)
  local kind = unit.nation
  if unit.free then kind = unit.arrives == "partisan-cup" and "partisan" or "free" end
  return crowded(unit.side, unit.size, kind)
end

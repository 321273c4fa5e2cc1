-- The defence value: rating, ground, works, smoke and the rest (7.2, 11.2, 13.0, 15.6, 16.1, 18).

number("attack.dv", { rule = { "7.2a", "7.2b", "7.2c" }, stages = { "sum" } }, function(n, a, unit, frontal)
  n:add(frontal and unit.front or unit.flank)
end)

modify("attack.dv", "hit-on-target", { rule = { "7.4c", "7.4-h.panicked", "7.4-h.cowering", "15.2-h.panicked", "15.2-h.immobilized" }, stage = "sum" }, function(n, a, unit, frontal)
  local hit = burden(unit)
  if hit then n:add(hit[frontal and "front_change" or "flank_change"] or 0) end
end)

modify("attack.dv", "ground", { rule = { "5.0-t.cumulative", "7.6.3g", "12.1a", "12.2a", "17.1a", "18.0c", "4.0c", "5.0f", "5.0e", "11.0b", "18.3b" }, stage = "sum" }, function(n, a, unit, frontal)
  if unit.mode == "air" or a.card and not a.card.terrain_counts then return end
  if a.burning or air_burst(a, unit) then return end
  n:add(ground_cover(a.target))
end)

-- Shells burst in the tree tops: unarmoured flanks get nothing from woods (12.2a).
function air_burst(a, unit)
  return is_shelling(a) and a.target.terrain == "woods" and rating_colour(a, unit, false) == "red"
end

modify("attack.dv", "works", { rule = { "18.0c", "18.0d", "18.2b", "18.2d", "18.2f", "18.2i", "18.6b", "18.6c", "7.6.3h" }, stage = "sum" }, function(n, a, unit, frontal)
  local fort = a.forts[unit]
  if not fort or a.card and not a.card.fort_counts then return end
  if fort.dm_colour ~= "black" and fort.dm_colour ~= rating_colour(a, unit, frontal) then return end
  n:add(fort_cover(a, fort))
end)

function fort_cover(a, fort)
  if is_shelling(a) then return fort.dm_artillery end
  if not fort.facing or in_cone(a.target, fort.facing, a.from) then return fort.dm_front end
  return fort.dm_flank
end

modify("attack.dv", "hasty-defence", { rule = { "18.1b", "12.2a" }, stage = "sum" }, function(n, a, unit)
  if unit.hasty then n:add(value "hasty") end
end)

modify("attack.dv", "from-below", { rule = { "11.2a", "11.5h", "12.0g", "12.3f" }, stage = "sum" }, function(n, a, unit)
  if unit.mode == "air" or a.leader and a.leader.mode == "air" then return end
  local from = a.spotter or a.from
  if from.height < a.target.height then n:add(value "higher-target") end
end)

modify("attack.dv", "small-gully", { rule = "11.5j", stage = "sum" }, function(n, a, unit)
  if unit.mode == "air" then return end
  if crosses_small_gully(a.spotter or a.from, a.target) then n:add(value "small-gully") end
end)

modify("attack.dv", "smoke", { rule = { "13.0c", "13.0e", "13.0f", "20.3b" }, stage = "sum" }, function(n, a)
  if a.burning or a.card and not a.card.smoke_counts then return end
  n:add(a.smoke)
end)

modify("attack.dv", "behind-vehicles", { rule = { "15.6a", "7.7b" }, stage = "sum" }, function(n, a, unit)
  if not is_squad(unit) or a.cargo[unit] or unit.lair then return end
  n:add(value "vehicle-cover" * a.hulls)
end)

modify("attack.dv", "armoured-carrier", { rule = { "16.1a", "16.1b" }, stage = "sum" }, function(n, a, unit)
  if a.carriers[unit] then n:add(value "apc-cover") end
end)

modify("attack.dv", "incautious", { rule = { "5.0.1a", "5.0.1b", "5.0-t.opt-normal" }, stage = "sum" }, function(n, a, unit)
  if unit.exposed then n:add(value "incautious") end
end)

modify("attack.dv", "sixth-sense", { rule = "card.v07", stage = "sum" }, function(n, a, unit)
  if unit.alert then n:add(value "sixth-sense") end
end)

modify("attack.dv", "use-of-terrain", { rule = "card.v15", stage = "sum" }, function(n, a, unit)
  if ground_cover(a.target) == 0 and not a.forts[unit] and not unit.hasty and veteran(unit.side, "v15", unit) then n:add(value "use-of-terrain") end
end)

modify("attack.dv", "altitude-cover", { rule = { "20.1a", "20.2b" }, stage = "sum" }, function(n, a, unit)
  n:add(unit.altitude * value "air-altitude".dr)
  if a.leader and a.leader.mode == "air" and unit.altitude > a.leader.altitude then n:add(value "higher-target") end
end)

-- Works themselves: 15 and the ground or smoke (18.4f, 18.6a).
number("object.dv", { rule = { "18.4f", "18.5g", "18.6a" }, stages = { "sum" } }, function(n, a, object)
  n:add(object.dr)
  if not (a.card and not a.card.terrain_counts) then n:add(ground_cover(a.target)) end
  n:add(a.smoke)
end)

-- Smoke where the fire starts and ends, and thin smoke crossed on the way.
function smoke_on(from, to)
  if from == to then return to.haze end
  return from.haze + smoke_crossed(from, to) + to.haze
end

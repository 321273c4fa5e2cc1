-- Mortars firing over obstacles (12.0) and smoke (13.1, 19.0b).

function spotting_hexes(unit)
  local spots = near(unit.space, value "spotting"):minus(enemy_hexes(unit.side))
  if special "telephones" and unit.type == "su-mortar-82" then
    spots = spots:plus(own_hexes(unit.side):both(spaces { min_height = 1 }))
  end
  return spots
end

-- The spotting hexes from which a hex is seen. Sight is mutual (6.0d), so the hex may as well look at them.
function spots_on(unit, hex)
  local limit, flash = sight_limit()
  local spots = spotting_hexes(unit):both(sees(hex))
  if limit then spots = spots:both(near(hex, hex.flash and flash or limit)) end
  return spots
end

-- Everything that the spotting hexes see, for artillery (12.3d).
spotted_by = query("spotted-by", { rule = { "12.0b", "12.3d" } }, function(unit)
  local seen = nowhere()
  for _, hex in ipairs(spotting_hexes(unit)) do seen = seen:plus(by_night(hex, sees(hex))) end
  return seen
end)

-- Of some hexes, those in arc and range that a spotting hex sees.
function lob_hexes(act, hexes)
  local unit = act.unit
  if not may_fire(unit) or enemy_in(unit.space, act.side) or not affords(act, lob_cost(unit)) then return nowhere() end
  local hex = unit.space
  local list = hexes:both(field_of_fire(hex, unit.facing, reach_of(unit))):minus(too_near(unit, hex))
  return list:filter(function(target) return spots_on(unit, target):any() end)
end

function lob_cost(unit)
  return unit.indirect + (fire_cost(unit) - unit.fire)
end

function lobs(act)
  if not act.unit.indirect or not in_force "mortars" then return nowhere() end
  local list = lob_hexes(act, enemy_hexes(act.side))
  return list:minus(of_these(act.unit, list))
end

offer("action", "lob", { rule = { "12.0a", "12.0b", "12.0c", "12.0d", "12.0e", "12.0f", "s06.2" },
  when = function(side, act) return lobs(act):any() end,
  run = "action.lob" })

procedure("action.lob", { rule = { "12.0a", "12.0b", "12.0g", "12.0c", "12.0d" } }, function(_, side, act)
  local unit = act.unit
  local hex = ask(side, "lob.at", { among = lobs(act), unit = unit })
  local spot = ask(side, "lob.spotter", { among = spots_on(unit, hex), unit = unit })
  call("pay", act, lob_cost(unit))
  call("show-hit", unit, "fire_change", "red_change", "range_becomes")
  log("lobs", unit, unit.space, hex)
  call("attack", { side = side, kind = "indirect", leader = unit, from = unit.space, spotter = spot, target = hex })
end)

-- Smoke (13.1): mortars where they could fire, engineers beside them. It lands where it is aimed.
function smoke_hexes(act)
  local unit = act.unit
  if not in_force "smoke" or not unit.smoke or not may_do_anything(unit) or unit.carried then return nowhere() end
  if #spaces { min_thick = 1 } >= value "smoke-most" then return nowhere() end
  if unit.engineer then
    if not affords(act, value "engineer-smoke") then return nowhere() end
    return near(unit.space, 1)
  end
  if not may_fire(unit) or enemy_in(unit.space, act.side) then return nowhere() end
  if not affords(act, fire_cost(unit)) then return nowhere() end
  return view_of(unit):both(near(unit.space, reach_of(unit))):minus(too_near(unit, unit.space)):both(cone(unit.space, unit.facing))
end

offer("action", "smoke", { rule = { "13.1a", "13.1b", "13.1c", "19.0b" },
  when = function(side, act) return act.unit.smoke and smoke_hexes(act):any() end,
  run = "action.smoke" })

procedure("action.smoke", { rule = { "13.0a", "13.1d", "19.0b", "13.1a", "13.1c" } }, function(_, side, act)
  local unit = act.unit
  local hex = ask(side, "smoke.at", { among = smoke_hexes(act), unit = unit })
  call("pay", act, unit.engineer and value "engineer-smoke" or fire_cost(unit))
  call("lay-smoke", hex)
end)

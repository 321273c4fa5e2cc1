-- Mortars firing over obstacles (12.0) and smoke (13.1, 19.0b).

function spotting_hexes(unit)
  local spots = near(hex_of(unit), value "spotting"):minus(enemy_hexes(unit.side))
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

-- The hexes that a mortar reaches, out of some that are seen; in hiding it looks to all sides.
local function shelled(unit, seen)
  local hex = hex_of(unit)
  local field = unit.facing and field_of_fire(hex, unit.facing, reach_of(unit)) or near(hex, reach_of(unit))
  return seen:both(field):minus(too_near(unit, hex))
end

-- Of some hexes, those in arc and range that a spotting hex sees.
function lob_hexes(act, hexes)
  local unit = act.unit
  if not may_fire(unit) or enemy_in(hex_of(unit), act.side) or not affords(act, lob_cost(unit)) then return nowhere() end
  local list = shelled(unit, hexes)
  return list:filter(function(target) return spots_on(unit, target):any() end)
end

function lob_cost(unit)
  return unit.indirect + (fire_cost(unit) - unit.fire)
end

function lobs(act)
  if not act.unit.indirect or not in_force "mortars" then return nowhere() end
  local list = lob_hexes(act, enemy_hexes(act.side))
  return list:minus(view_of(act.unit))
end

function deeds.lob(act) return lobs(act):any() end

offer("action", "lob", { rule = { "12.0a", "12.0b", "12.0c", "12.0d", "12.0e", "12.0f", "s06.2" },
  when = function(side, act) return deeds.lob(act) end,
  run = "action.lob" })

procedure("action.lob", { rule = { "12.0a", "12.0b", "12.0c", "12.0d" } }, function(_, side, act)
  call("lob-at", act, ask(side, "lob.at", { among = lobs(act), unit = act.unit }))
end)

procedure("lob-at", { rule = { "12.0a", "12.0b", "12.0g", "9.1.4a" } }, function(act, hex)
  local unit, side = act.unit, act.side
  local spot = ask(side, "lob.spotter", { among = spots_on(unit, hex), unit = unit, hex = hex })
  local colours = enemy_in(hex, side) and colours_met(unit, hex_of(unit), hex, "indirect") or { "red", "blue" }
  call("fire-group", act, hex, supporters(act, hex, colours))
  call("pay", act, lob_cost(unit))
  if not is_hidden(unit) then log("lobs", unit, unit.space, hex) end
  call("attack", { side = side, kind = "indirect", leader = unit, group = act.group, from = hex_of(unit), spotter = spot, target = hex })
end)

-- Smoke (13.1): mortars where they could fire, directly or over obstacles; engineers beside them. It lands where it is aimed.
local function may_smoke(act)
  local unit = act.unit
  if not in_force "smoke" or not unit.smoke or not may_do_anything(unit) or unit.carried then return false end
  return #spaces { min_thick = 1 } < value "smoke-most"
end

local function smoke_seen(act)
  local unit = act.unit
  if unit.engineer then return affords(act, value "engineer-smoke") and near(hex_of(unit), 1) or nowhere() end
  if not may_fire(unit) or not affords(act, fire_cost(unit)) then return nowhere() end
  return shelled(unit, view_of(unit))
end

local function smoke_hexes(act)
  local unit, hexes = act.unit, smoke_seen(act)
  if not unit.indirect or not may_fire(unit) or enemy_in(hex_of(unit), act.side) or not affords(act, lob_cost(unit)) then return hexes end
  return hexes:plus(shelled(unit, spotted_by(unit)))
end

local function smoke_cost(act, hex)
  local unit = act.unit
  if unit.engineer then return value "engineer-smoke" end
  return smoke_seen(act):has(hex) and fire_cost(unit) or lob_cost(unit)
end

function deeds.smoke(act) return act.unit.smoke and may_smoke(act) and (smoke_seen(act):any() or smoke_hexes(act):any()) end

offer("action", "smoke", { rule = { "13.1a", "13.1b", "13.1c", "19.0b" },
  when = function(side, act) return deeds.smoke(act) end,
  run = "action.smoke" })

procedure("action.smoke", { rule = { "13.0a", "13.1d", "19.0b", "13.1a", "13.1c", "9.1.4a" } }, function(_, side, act)
  call("gather", act, at_hand(side), function(unit) return deeds.smoke(as_if(act, unit)) end)
  for _, unit in ipairs(act.group) do
    if may_smoke(as_if(act, unit)) then call("smoke-from", act, unit) end
  end
end)

procedure("smoke-from", { rule = { "13.1d", "19.0b" } }, function(act, unit)
  local own = as_if(act, unit)
  local hex = ask(act.side, "smoke.at", { among = smoke_hexes(own), unit = unit })
  call("pay-up-to", act, smoke_cost(own, hex))
  if not unit.engineer then call("show-hit", unit, "fire_change", "range_becomes") end
  call("lay-smoke", hex)
end)

-- 10.2 Strategic movement by rail and sea: small units, one OPS each.

may_ship = query("may-ship", { rule = { "10.2.1a", "7.3.3a", "7.3.3e" } }, function(side)
  local allowed = game.action == "ops" or game.action == "mobilize" or game.action == "zero" and option "banked-ops-round"
  return allowed and purse(side) >= value "ops-cost".strategic
end)

-- Hexes that stop a train. A friendly unit does not lift a ZOC here (8.3e).
rail_barred = query("rail.barred", { rule = { "10.2.3a", "10.2.3b", "10.2.4a", "10.2.4b" } }, function(side)
  local foe = enemy(side)
  local barred = standing(foe):plus(zoc(foe)):plus(barriers_of(foe, "rail"))
  if side == "soviet" then return barred:plus(spaces{ germany = true }) end
  barred = barred:plus(spaces{ caucasus = true })
  if game.turn < value "axis-rail".ussr then barred = barred:plus(spaces{ ussr = true }) end
  if game.turn < value "axis-rail".baltic then barred = barred:plus(spaces{ baltic = true }) end
  return barred
end)

rail_net = query("rail.net", { rule = "10.2.3a" }, function(side, nation)
  local sources = sources_of(source_of(nation)):filter{ control = side }
  if nation == "su" and baku_is_full() then sources = sources:plus{ space(value "baku".hex) } end
  local barred = rail_barred(side)
  return flood{ from = sources:minus(barred), over = "rail", blocked = barred }
end)

-- The net, and stations in an enemy ZOC one link from it.
rail_stations = query("rail.stations", { rule = { "10.2.2a", "10.2.3a" } }, function(side, nation)
  local net = rail_net(side, nation)
  return net:plus(flood{ from = net, over = "rail", steps = 1 }:both(zoc(enemy(side))))
end)

-- Small units in full supply that have neither moved nor stayed at home.
shippable = query("shippable", { rule = { "10.2.1a", "13.3.2" } }, function(side)
  return unmoved(side):filter{ size = "scu", supply = "full", declined = false }
end)

corps_of = query("corps-of", { rule = "10.2.1a" }, function(side, nation)
  return units_of(side):filter{ nation = nation, size = "scu", not_ma = 0 }
end)

-- Units at a usable station. In an enemy ZOC another unit must share the hex.
passengers = query("passengers", { rule = { "10.2.1a", "10.2.2a", "13.3.2", "16.4.6" } }, function(side)
  local found = nobody()
  for _, nation in ipairs(nations(side)) do
    local corps = corps_of(side, nation)
    if #corps > 0 then
      found = found:plus(corps:filter{ moved = "no", supply = "full", declined = false, at = rail_stations(side, nation) })
    end
  end
  if side == "soviet" then found = found:plus(stalin_ready():filter{ at = rail_stations(side, "su") }) end
  local watched = found:filter{ at = zoc(enemy(side)) }
  local shared = #watched > 0 and units_of(side):spaces(2) or nowhere() -- allow figure-in-rule: a unit and another one
  return found:minus(watched:filter{ not_at = shared })
end)

-- Stalin leaves Moscow once and comes back once, by rail.
stalin_ready = query("stalin-ready", { rule = { "16.4.5", "16.4.6" } }, function()
  local stalin = piece "su-stalin"
  if game.stalin_moves >= value "stalin".moves or stalin.moved ~= "no" or stalin.declined or stalin.supply ~= "full" then return nobody() end
  return units_of "soviet":both{ stalin }
end)

offer("movement", "rail", {
  rule = { "10.2.1a", "7.3.3e", "10.2.2a", "13.3.2", "16.4.5", "16.4.6" }, run = "rail",
  when = may_ship, among = passengers,
})

forbid("movement", "no-trains", { rule = "card.su.51", during = "thunderclap", side = "axis" }, function(unit, ask)
  if ask.offer == "rail" then return no("thunderclap") end
end)

-- The hexes a train can reach. Axis trains pass one hex of inactive partisans and stop at the second (10.2.2b).
local function train_range(unit)
  local side = unit.side
  local barred = rail_barred(side):minus{ unit.space }
  local raided = side == "axis" and sleeping_places() or nowhere()
  local tracks = rail_net(side, unit.nation):plus{ unit.space }
  local ends = traps(side)
  local range = flood{ from = { unit.space }, over = "rail", blocked = barred:plus(raided), no_leave = ends }
  if #raided > 0 then
    range = flood{ from = range, over = "rail", steps = 1, blocked = barred, no_leave = ends }
    range = flood{ from = range, over = "rail", blocked = barred:plus(raided:minus(range)), no_leave = ends }
    range = flood{ from = range, over = "rail", steps = 1, blocked = barred, no_leave = ends }
  end
  return range:both(tracks):minus{ unit.space }
end

local function stations_for(unit)
  local range = train_range(unit)
  if unit.id == "su-stalin" and unit.space ~= space(value "stalin".home) then
    return range:both{ space(value "stalin".home) }
  end
  return range
end

procedure("rail", { rule = { "10.2.2a", "10.2.2b", "16.4.5", "16.4.6" } }, function(unit)
  if ship(unit, "rail", stations_for(unit)) and unit.id == "su-stalin" then game.stalin_moves = game.stalin_moves + 1 end
end)

-- 10.2.1 A journey by rail or sea: a fare, and another OPS for the last unit that leaves a hex in an enemy ZOC. Whoever stays
-- after all is not asked again, but may still march.
ship = procedure("ship", { rule = { "10.2.1a", "10.2.1b", "7.3.3b", "7.3.3e", "13.3.2", "card.su.11", "card.ax.18" } }, function(unit, by, ends)
  local side = unit.side
  local zone, fare = zoc(enemy(side)), value "ops-cost".strategic
  local last = is_last_in_zoc(unit)
  local free = last and leaves_free(side)
  if free and not may_pay_instead(side, fare) then ends = ends:minus(zone) end
  local to = ask(side, by .. ".to", { among = ends, unit = unit, none = "stay" })
  if not to then
    unit.declined = true
    return false
  end
  pay(side, fare)
  if last and (not free or zone:has(to)) then pay_to_leave(unit) end
  enter(unit, to)
  move(unit, to)
  unit.moved = by
  return true
end)

for _, by in ipairs{ "rail", "sea" } do
  forbid_all(by .. ".to", by .. "-full-hex", { rule = "9.1.4" }, function(ask)
    return crowded_for(ask.unit):plus(closed_to(ask.unit)), no("stacking")
  end)
end

-- 10.2.5, 10.2.6 By sea. Longitudes (`east`) decide who is east of whom.

local function shore(side, sea)
  local foe = enemy(side)
  local limit
  for _, port in ipairs(spaces{ port = sea, control = foe }) do
    if not limit or (side == "axis") == (port.east < limit) then limit = port.east end
  end
  local ends = side == "axis" and spaces{ port = sea, control = side }
    or spaces{ has = sea }:minus(standing(foe)):minus(spaces{ control = foe, tracked = true })
  if side == "axis" then return ends:filter{ max_east = limit } end
  return ends:filter{ min_east = limit }
end

local function sea_is_free(side, sea)
  if side == "soviet" then return not game.soviet_sea end
  return sides.axis["sea_" .. sea] < value "sea".axis_per_turn
end

-- Ports where a ship lies ready: the Soviets sail on the Black Sea only.
harbours = query("harbours", { rule = { "10.2.5", "10.2.6" } }, function(side)
  if side == "soviet" then return sea_is_free(side, "black") and own_ports(side, "black") or nowhere() end
  local ports = nowhere()
  for _, sea in ipairs(value "supply".seas) do
    if sea_is_free(side, sea) then ports = ports:plus(own_ports(side, sea)) end
  end
  return ports
end)

local function sailors(side)
  return shippable(side):filter{ at = harbours(side) }
end

offer("movement", "sea", { rule = { "10.2.5", "10.2.6" }, when = may_ship, among = sailors, run = "sail" })

procedure("sail", { rule = { "10.2.5", "10.2.6", "10.2.1b" } }, function(unit)
  local side, sea = unit.side, unit.space.port
  if not ship(unit, "sea", shore(side, sea):minus{ unit.space }) then return end
  if side == "soviet" then game.soviet_sea = true else sides.axis["sea_" .. sea] = sides.axis["sea_" .. sea] + 1 end
end)

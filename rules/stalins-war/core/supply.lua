-- 13. Supply. A net is the set of hexes that are as good as a source: sources, rail joined to them, ports that can hop.
-- An area is everything within four hexes of a net. Verdicts are written on the units only when a rule checks them.

supply_barred = query("supply.barred", { rule = "13.1.3" }, function(side)
  local foe = enemy(side)
  local barred = standing(foe):plus(barred_zoc(side))
    :plus(barriers_of(foe, "supply")):plus(trenches(foe))
  if foe == "axis" then barred = barred:plus(festungen()) end
  return barred
end)

-- How lines run between hexes that are barred to them.
local function by_rail(barred, from)
  return flood{ from = from, over = "rail", blocked = barred }
end

local function nearby(barred, from)
  return flood{ from = from, steps = value "supply".hexes, blocked = barred, barrier = water }
end

-- A hex in an enemy ZOC is no road, but a unit there could still trace out of it.
local function traces_out(barred, hex, net)
  return #nearby(barred:minus{ hex }, hex):both(net) > 0
end

-- The hexes of a list that a net could feed.
local function fed_by(barred, hexes, area, net)
  local awkward, fed = hexes:both(barred), hexes:both(area)
  return #awkward == 0 and fed or fed:plus(awkward:filter(function(hex) return traces_out(barred, hex, net) end))
end

sources_of = query("sources", { rule = "13.2.1a" }, function(source) return spaces{ source_for = source } end)
ports_of = query("ports", { rule = "13.1.2b" }, function(sea) return spaces{ port = sea } end)
own_ports = query("own-ports", { rule = "13.1.2b" }, function(side, sea) return ports_of(sea):filter{ control = side } end)

-- Sources that a side still holds (13.2). Nations that live on the same source share its net.
supply_sources = query("supply.sources", { rule = { "13.2.1a", "13.2.1b", "13.2.1c", "13.2.2" } }, function(side, source)
  return sources_of(source):filter{ control = side }:minus(supply_barred(side))
end)

-- Rail joined to a source.
trunk_net = query("supply.trunk", { rule = "13.1.2a" }, function(side, source)
  return by_rail(supply_barred(side), supply_sources(side, source))
end)

-- The same, and for the Soviets Baku while another Caspian port is fed (13.2.3).
land_net = query("supply.land", { rule = { "13.1.2a", "13.2.3a" } }, function(side, source)
  return with_baku(supply_barred(side), source, trunk_net(side, source))
end)

function with_baku(barred, source, net)
  local baku = space(value "baku".hex)
  return source == "su" and not net:has(baku) and baku_is_full() and net:plus(by_rail(barred, { baku })) or net
end

-- Baku is a full source while the Urals feed another Caspian port. Most often that port lies on the rail net itself.
baku_is_full = query("supply.baku-is-full", { rule = "13.2.3a" }, function()
  local net = trunk_net("soviet", "su")
  local ports = own_ports("soviet", value "baku".sea):filter{ not_id = value "baku".hex }
  local fed = ports:both(net):first() or fed_by(supply_barred "soviet", ports, nearby(supply_barred "soviet", net), net):first()
  return fed ~= nil and holds("soviet", value "baku".hex)
end)

land_area = query("supply.land-area", { rule = "13.1.2a" }, function(side, source)
  return nearby(supply_barred(side), land_net(side, source))
end)

-- One hop by sea: from a port, to another port of that sea that is fed by land (13.1.2b, c).
local function with_ports(side, barred, land, area)
  local net = land
  for _, sea in ipairs(value "supply".seas) do
    local ports = own_ports(side, sea)
    local joined = ports:minus(net):minus(barred)
    if #joined > 0 then
      local fed = fed_by(barred, ports, area, land)
      if #fed == 1 then joined = joined:minus(fed) end
      if #fed > 0 then net = net:plus(by_rail(barred, joined)) end
    end
  end
  return net
end

supply_net = query("supply.net", { rule = { "13.1.2b", "13.1.2c" } }, function(side, source)
  return with_ports(side, supply_barred(side), land_net(side, source), land_area(side, source))
end)

area_of = query("supply.area", { rule = "13.1.2a" }, function(side, source)
  local net = supply_net(side, source)
  return #net == #land_net(side, source) and land_area(side, source) or nearby(supply_barred(side), net)
end)

function source_of(nation)
  return value "sources"[nation]
end

function supply_area(side, nation)
  return area_of(side, source_of(nation))
end

-- Could a unit of this nation trace supply if it stood there?
would_trace = query("supply.would-trace", { rule = "11.5.1b" }, function(side, nation, hex)
  local source = source_of(nation)
  return area_of(side, source):has(hex) or supply_barred(side):has(hex) and traces_out(supply_barred(side), hex, supply_net(side, source))
end)

-- The net once nobody stands in a hex any more: the enemy ZOC that the units there lifted is back (8.3e).
net_without = query("supply.net-without", { rule = { "8.3e", "11.5.1b", "11.4.4h" } }, function(side, source, left)
  local barred = supply_barred(side):plus{ left }
  local land = with_baku(barred, source, by_rail(barred, supply_sources(side, source)))
  return with_ports(side, barred, land, nearby(barred, land))
end)

-- Could a unit of this nation trace supply from a hex if nobody stood any more where it is now?
function traces_without(side, nation, hex, left)
  return traces_out(supply_barred(side):plus{ left }, hex, net_without(side, source_of(nation), left))
end

-- The hexes of a list in which a unit of this nation could trace, or a unit of any.
function traceable(side, nation, hexes)
  local source = source_of(nation)
  return fed_by(supply_barred(side), hexes, area_of(side, source), supply_net(side, source))
end

function traceable_by_any(side, hexes)
  local left = hexes
  for _, source in ipairs(source_names[side]) do left = left:minus(area_of(side, source)) end
  for _, source in ipairs(source_names[side]) do
    left = left:minus(fed_by(supply_barred(side), left, area_of(side, source), supply_net(side, source)))
  end
  return hexes:minus(left)
end

-- Hungarians and Italians share one source (13.2.1c).
source_names = { axis = { "ge", "ro", "hu" }, soviet = { "su" } }

-- Cut off, Baku still feeds defence and attrition (13.2.3b).
baku_area = query("supply.baku", { rule = "13.2.3b" }, function()
  local barred = supply_barred "soviet"
  return nearby(barred, by_rail(barred, { space(value "baku".hex) }))
end)

-- Where a unit that cannot trace is still supplied for defence and attrition (13.2.4, 16.3.5).
shelter = query("supply.shelter", { rule = { "13.2.4", "16.2.1", "16.3.5" } }, function(side)
  local safe = fortresses(side)
  if side == "axis" then return safe:plus(festungen()) end
  return safe:plus(baku_area())
end)

local function mark(units, status)
  for _, unit in ipairs(units:filter{ not_supply = status }) do unit.supply = status end
end

check_supply = procedure("supply.check", { rule = { "13.1.1a", "13.1.1b", "3.0j" } }, function(side, units)
  local fed = nobody()
  for _, nation in ipairs(nations(side)) do
    local own = units:filter{ nation = nation }
    if #own > 0 then fed = fed:plus(own:filter{ at = supply_area(side, nation) }) end
  end
  mark(fed, "full")
  if #fed < #units then check_the_cut_off(side, units:minus(fed)) end
  if side == "soviet" and #sleeping() > 0 then relieve_partisans(units) end
end)

-- Inactive partisans go home when the troops in their hex are supplied again.
relieve_partisans = procedure("relieve-partisans", { rule = "16.1.5b" }, function(units)
  for _, unit in ipairs(units:filter{ at = sleeping_places() }) do dissolve_partisans(unit, unit.space) end
end)

check_the_cut_off = procedure("supply.check-cut-off", { rule = { "13.2.4", "16.1.6b", "3.0j" } }, function(side, units)
  local exempt = units:filter(always_supplied)
  local cut = units:minus(exempt)
  local sheltered = cut:filter{ at = shelter(side) }
  mark(exempt, "full")
  mark(sheltered, "fortress")
  mark(cut:minus(sheltered), "oos")
end)

-- Active partisans (16.1.6b), and the Maritime Army on a coast while the Soviets hold a Black Sea port (7.5.4b, 13.1.4).
always_supplied = query("always-supplied", { rule = { "16.1.6b", "7.5.4b", "13.1.4" } }, function(unit)
  return needs_no_line(unit, unit.space)
end)

function needs_no_line(unit, hex)
  if unit.arrives == "partisan-cup" then return true end
  return unit.landed and on_black_sea(hex) and #own_ports("soviet", "black") > 0
end

function on_black_sea(hex)
  return spaces{ has = "black" }:has(hex)
end

-- Ships. A ship may sail in several goes as long as it has movement left, so that a transport can load on its way.

local function is_warship(ship) return ship.type ~= "transport" end

-- Ships of a list that may still move. In the combat move a ship that met the enemy stays and fights.
local function ready_ships(side, ships)
  local idle = ships:filter { used = false }
  local moved = idle:filter { not_spent = 0 }
  if #moved == 0 then return idle end
  local tired = moved:filter(function(ship) return ship.spent >= ship.speed end)
  return idle:minus(tired):minus(moved:filter { at = enemy_waters(side) })
end

-- Sea zones next to this one that are in play.
local sea_steps = query("sea-steps", { rule = { "board.13", "board.18" } }, function(zone)
  return near("sea", zone):filter { closed = false }:spaces()
end)

local function sea_around(zones) return flood { from = zones, over = "sea", steps = 1 } end

-- Zones beside `from` and, with two movement left, beyond those that are not `shut`.
local function sea_reach(from, left, shut)
  local all = sea_steps(from)
  if left == 1 then return all end
  return all:plus(sea_around(all:minus(shut)):filter { closed = false }):minus { from }
end

-- In the combat move enemy ships stop a ship where it meets them. The Turkish Straits are no link.
war_reach = query("war-reach", { rule = { "board.18", "board.13", "cmove.8", "cmove.15" } }, function(side, from, left)
  return sea_reach(from, left, option "ships-pass-enemy-ships" and nowhere() or enemy_waters(side))
end)

peace_reach = query("peace-reach", { rule = { "board.18", "noncombat.8", "noncombat.9" } }, function(side, from, left)
  return sea_reach(from, left, closed_waters(side)):minus(closed_waters(side))
end)

-- Enemy waters without own warships or aircraft.
local unescorted = query("unescorted", { rule = "unit-tr.21" }, function(side)
  local escorts = ships_of(side):filter { not_type = "transport" }:spaces():plus(aircraft_of(side):filter { airborne = true }:spaces())
  return enemy_waters(side):minus(escorts)
end)

-- Transports cannot fight: they follow escorts into enemy waters, and not at all after running from a fight.
local function shut_to(side, ship, zone)
  local beset = enemy_waters(side)
  return (ship.fled or beset:has(zone)) and beset or unescorted(side)
end

local function reach_of(side, ship, from, peaceful)
  local left = ship.speed - ship.spent
  if peaceful then return peace_reach(side, from, left) end
  local reach = war_reach(side, from, left)
  return is_warship(ship) and reach or reach:minus(shut_to(side, ship, from))
end

local function sail_targets(side, ready, from, peaceful)
  local all = nowhere()
  for _, ship in ipairs(ready:distinct("type", "spent", "fled")) do all = all:plus(reach_of(side, ship, from, peaceful)) end
  return all
end

local open_sea = query("open-sea", { rule = { "board.13", "board.18" } }, function()
  return spaces { ground = "sea", closed = false }:filter(function(zone) return #sea_steps(zone) > 0 end):spaces()
end)

local ready_zones = query("ready-zones", { rule = { "cmove.8", "cmove.15", "noncombat.3", "noncombat.8" } }, function(side)
  return ready_ships(side, ships_of(side)):spaces()
end)

-- Zones beside one that is not shut: one step is enough to sail. Only near shut ones it needs a closer look.
local function beside_open(shut)
  local doubtful = sea_around(shut):both(open_sea())
  return open_sea():minus(doubtful:filter(function(zone) return #sea_steps(zone):minus(shut) == 0 end):spaces())
end

local war_exits = query("war-exits", { rule = "cmove.8" }, function(side) return beside_open(enemy_waters(side)) end)
local peace_exits = query("peace-exits", { rule = "noncombat.8" }, function(side) return beside_open(closed_waters(side)) end)

-- Zones with a ship that has somewhere to go. Warships go anywhere; transports among enemies need a closer look.
war_ports = query("war-ports", { rule = "cmove.8" }, function(side)
  local ports = ready_zones(side):both(war_exits(side))
  local beset = ready_zones(side):minus(ports)
  if #beset == 0 then return ports end
  local others = ready_ships(side, ships_of(side):filter { at = beset })
  local bold = others:filter { not_type = "transport" }:spaces():both(open_sea())
  local led = others:filter { type = "transport" }:filter(function(ship) return #sea_steps(ship.space):minus(shut_to(side, ship, ship.space)) > 0 end)
  return ports:plus(bold):plus(led:spaces())
end)

peace_ports = query("peace-ports", { rule = "noncombat.8" }, function(side) return ready_zones(side):both(peace_exits(side)) end)

offer("combat-move", "sail", { rule = { "cmove.1", "cmove.8" }, among = war_ports, run = "sail" })
offer("non-combat-move", "sail-on", { rule = "noncombat.8", among = peace_ports, run = "sail.peacefully" })

-- Neighbours of a zone that no ship reaches from there.
local across_straits = query("across-straits", { rule = { "board.13", "outside.2" } }, function(zone)
  return neighbours(zone):minus(near("sea", zone)):spaces()
end)

forbid_all("sail.to", "turkish-straits", { rule = { "board.13", "outside.2" } }, function(ask)
  return across_straits(ask.from), no "straits"
end)

forbid_all("sail.to", "no-enemy-waters", { rule = { "noncombat.9", "unit-tr.18", "unit-tr.21" } }, function(ask)
  local shut = ask.peaceful and closed_waters(ask.side) or enemy_waters(ask.side)
  return shut:minus(ask.targets), no "enemy-waters"
end)

forbid_all("sail.ships", "fleeing-transports-do-not-fight", { rule = "unit-tr.18" }, function(ask)
  local beset = enemy_waters(ask.side)
  if not beset:has(ask.to) then return {} end
  local transports = ask.among:filter { type = "transport" }
  return beset:has(ask.from) and transports or transports:filter { fled = true }, no "fled-transport"
end)

-- Into enemy waters transports go only with an escort, or where one is.
local function has_escort(fleet) return fleet:any { not_type = "transport" }, no("no-escort") end

-- The zone between two that are not neighbours. No convoy centre lies on such a way; to take one, sail in two goes.
local function passage(side, from, to, peaceful)
  local shut = peaceful and closed_waters(side) or enemy_waters(side)
  local between = sea_steps(from):both(sea_steps(to))
  return between:minus(shut)[1] or between[1]
end

local function sail(side, from, peaceful)
  local ready = ready_ships(side, ships_of(side):filter { at = from })
  local targets = sail_targets(side, ready, from, peaceful)
  local to = ask(side, "sail.to", { among = function() return neighbours(from):filter { ground = "sea", closed = false }:plus(targets) end,
    side = side, from = from, targets = targets, peaceful = peaceful })
  local direct = near("sea", from):has(to)
  local able = direct and ready or ready:filter(function(ship) return ship.speed - ship.spent > 1 end)
  local fleet = pick_some(side, "sail.ships", able, { from = from, to = to, side = side,
    test = not peaceful and unescorted(side):has(to) and has_escort or nil })
  local via = not direct and passage(side, from, to, peaceful) or nil
  local path = via and { via, to } or { to }
  local contested = enemy_waters(side):has(from)
  for _, ship in ipairs(fleet) do
    ship.spent = ship.spent + #path
    ship.origin = via or from
    if contested and not is_warship(ship) then ship.fled = true end
    move(ship, to)
  end
  for _, zone in ipairs(path) do
    if zone.convoy then call("convoy.pass", zone, side, fleet) end
  end
end

procedure("sail", { rule = { "cmove.1", "cmove.8", "cmove.15", "board.18", "unit-tr.5" } }, function(from, side) sail(side, from, false) end)
procedure("sail.peacefully", { rule = { "noncombat.8", "noncombat.9", "multi.9", "unit-cv.3", "unit-tr.7", "unit-tr.10" } }, function(from, side) sail(side, from, true) end)

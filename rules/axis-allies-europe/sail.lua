-- Ships. A ship may sail in several goes as long as it has movement left, so that a transport can load on its way.

local function armed(ship) return ship.attack > 0 end

-- Ships of a list that may still move. In the combat move a ship that met the enemy stays and fights.
local function ready_ships(side, ships)
  local idle = ships:filter { used = false }
  local moved = idle:filter { not_spent = 0 }
  if #moved == 0 then return idle end
  local tired = moved:filter(function(ship) return ship.spent >= ship.speed end)
  return idle:minus(tired):minus(moved:filter { at = enemy_waters(side) })
end

local closed_sea = query("closed-sea", { rule = "learning.1" }, function() return spaces { ground = "sea", closed = true } end)

-- Sea zones next to this one that are in play.
local sea_steps = query("sea-steps", { rule = { "board.13", "board.18", "outside.2" } }, function(zone)
  return near("sea", zone):filter { closed = false }:spaces()
end)

local function sea_around(zones) return flood { from = zones, over = "sea", steps = 1 } end

-- In the combat move enemy ships stop a ship where it meets them. The Turkish Straits are no link.
local function war_course(side, from, left)
  return reach { profile = "sail", from = from, points = left, blocked = closed_sea(), stop = option "ships-pass-enemy-ships" and nowhere() or enemy_waters(side) }
end

-- In part 4 ships keep out of enemy waters; only ships that could take a convoy centre keep out of one in enemy hands.
local function peace_course(side, from, left, is_armed)
  local shut = is_armed and closed_waters(side) or enemy_waters(side)
  return reach { profile = "sail", from = from, points = left, blocked = closed_sea():plus(shut):minus { from } }
end

war_waters = query("war-waters", { rule = { "board.18", "cmove.8", "cmove.15" } }, function(side, from, left)
  return war_course(side, from, left).spaces:minus { from }
end)

peace_waters = query("peace-waters", { rule = { "noncombat.8", "noncombat.9" } }, function(side, from, left)
  return peace_course(side, from, left, true).spaces:minus { from }
end)

unarmed_waters = query("unarmed-waters", { rule = { "noncombat.8", "convoy.11" } }, function(side, from, left)
  return peace_course(side, from, left, false).spaces:minus { from }
end)

-- Zones with own warships or aircraft, and enemy waters without.
local escorted = query("escorted", { rule = "unit-tr.21" }, function(side)
  return warships_of(side):spaces():plus(aircraft_of(side):filter { airborne = true }:spaces())
end)
local unescorted = query("unescorted", { rule = "unit-tr.21" }, function(side) return enemy_waters(side):minus(escorted(side)) end)

-- Where a ship could go on its own; `escorts` are zones to which a warship could go with it. A ship without attack enters enemy waters only
-- behind an escort, and none at all after running from the enemy.
local function reach_of(side, ship, from, peaceful, escorts)
  local left = ship.speed - ship.spent
  if peaceful then return armed(ship) and peace_waters(side, from, left) or unarmed_waters(side, from, left) end
  local waters, beset = war_waters(side, from, left), enemy_waters(side)
  if armed(ship) then return waters end
  return waters:minus((ship.fled or beset:has(from)) and beset or unescorted(side):minus(escorts))
end

-- Zones from which ships can sail at all.
local open_sea = query("open-sea", { rule = { "board.13", "board.18" } }, function()
  return spaces { ground = "sea", closed = false }:filter(function(zone) return #sea_steps(zone) > 0 end):spaces()
end)

-- Those of some zones that have a neighbour which is not shut. Only beside shut ones it needs a closer look.
local function with_exit(zones, shut)
  local afloat = zones:both(open_sea())
  local doubtful = afloat:both(sea_around(shut))
  return afloat:minus(doubtful:filter(function(zone) return #sea_steps(zone):minus(shut) == 0 end):spaces())
end

-- Where ships stand that may still move.
local ready_zones = query("ready-zones", { rule = { "cmove.8", "noncombat.8" } }, function(side) return ready_ships(side, ships_of(side)):spaces() end)

local war_exits = query("war-exits", { rule = "cmove.8" }, function(side) return with_exit(open_sea(), enemy_waters(side)) end)
local peace_exits = query("peace-exits", { rule = "noncombat.8" }, function(side) return with_exit(open_sea(), closed_waters(side)) end)

-- Zones with a ship that has somewhere to go. Warships go anywhere; others among enemies need a closer look.
war_ports = query("war-ports", { rule = "cmove.8" }, function(side)
  local ports = ready_zones(side):both(war_exits(side))
  local beset = ready_zones(side):minus(ports)
  if #beset == 0 then return ports end
  local led = ready_ships(side, unarmed_of(side):filter { at = beset, fled = false, not_at = enemy_waters(side) })
  return ports:plus(ready_ships(side, warships_of(side):filter { at = beset }):spaces():both(open_sea())):plus(with_exit(led:spaces(), unescorted(side)))
end)

-- Ships that could take no convoy centre have a way out through one.
peace_ports = query("peace-ports", { rule = { "noncombat.8", "convoy.11" } }, function(side)
  local ports = ready_zones(side):both(peace_exits(side))
  local beset = ready_zones(side):minus(ports)
  if #beset == 0 then return ports end
  return ports:plus(with_exit(ready_ships(side, unarmed_of(side):filter { at = beset }):spaces(), enemy_waters(side)))
end)

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

forbid_all("sail.to", "the-deck-that-was-promised", { rule = { "unit-ftr.6", "cmove.12" } }, function(ask)
  return ask.awaited:minus(ask.targets), no "promised-deck"
end)

-- Where each sort of ready ships in a zone can go, by ship, and where any of them can. A carrier goes nowhere that strands a fighter which
-- counts on it: `awaited` has those zones.
local sail_plan = query("sail-plan", { rule = { "cmove.8", "noncombat.8", "unit-ftr.6" } }, function(side, from, peaceful)
  local ready = ready_ships(side, ships_of(side):filter { at = from })
  local plan = { ready = ready, by_ship = {}, all = nowhere(), awaited = nowhere() }
  for _, group in ipairs { ready:both(warships_of(side)), ready:both(unarmed_of(side)) } do
    for _, ship in ipairs(sorts(group)) do
      local open = reach_of(side, ship, from, peaceful, plan.all)
      local broken = ship.deck > 0 and broken_promises(side, ship, open, peaceful) or nowhere()
      plan.by_ship[ship] = open:minus(broken)
      plan.all, plan.awaited = plan.all:plus(plan.by_ship[ship]), plan.awaited:plus(broken)
    end
  end
  return plan
end)

-- While a fighter counts on a deck, only ports from which somebody may sail: those with carriers need a closer look.
local function free_ports(side, ports, peaceful)
  local doubtful = ports:both(carrier_waters(side))
  if #doubtful == 0 or #awaiting(side) == 0 then return ports end
  return ports:minus(doubtful:filter(function(from) return #sail_plan(side, from, peaceful).all == 0 end):spaces())
end

offer("combat-move", "sail", { rule = { "cmove.1", "cmove.8" }, among = function(side) return free_ports(side, war_ports(side), false) end, run = "sail" })
offer("non-combat-move", "sail", { rule = "noncombat.8", among = function(side) return free_ports(side, peace_ports(side), true) end, run = "sail.among-friends" })

-- Ships of a plan that can go to a zone.
local function bound_for(plan, to)
  local able = nowhere()
  for ship, targets in pairs(plan.by_ship) do
    if targets:has(to) then able = able:plus(same_sort(plan.ready, ship)) end
  end
  return able
end

-- Into enemy waters ships without attack go only with an escort, or where one is; and the carriers of a fleet, all together, strand nobody.
local function fits(side, to, peaceful)
  local alone = not peaceful and unescorted(side):has(to)
  return function(fleet)
    if alone and #fleet:both(warships_of(side)) == 0 then return false, no("no-escort") end
    return keeps_promises(side, fleet:both(carriers_of(side)), to, peaceful), no("promised-deck")
  end
end

-- The way of a ship from here: without the start, with the target.
local function course(side, ship, from, to, peaceful)
  local left = ship.speed - ship.spent
  local way = peaceful and peace_course(side, from, left, armed(ship)) or war_course(side, from, left)
  local path = {}
  for _, zone in ipairs(way:path(to)) do
    if zone ~= from then path[#path + 1] = zone end
  end
  return path
end

local function put_to_sea(side, ships, path, from)
  local contested = enemy_waters(side):has(from)
  for _, ship in ipairs(ships) do
    ship.spent = ship.spent + #path
    ship.origin = path[#path - 1] or from
    if contested and not armed(ship) then ship.fled = true end
    move(ship, path[#path])
  end
  for _, zone in ipairs(path) do
    if zone.convoy then call("convoy.pass", zone, side, ships) end
  end
end

local function sail(side, from, peaceful)
  local plan = sail_plan(side, from, peaceful)
  local to = ask(side, "sail.to", { among = function() return neighbours(from):filter { ground = "sea", closed = false }:plus(plan.all):plus(plan.awaited) end,
    side = side, from = from, targets = plan.all, awaited = plan.awaited, peaceful = peaceful })
  local fleet = pick_some(side, "sail.ships", bound_for(plan, to), { from = from, to = to, side = side, test = fits(side, to, peaceful) })
  for _, group in ipairs { fleet:both(warships_of(side)), fleet:both(unarmed_of(side)) } do
    if #group > 0 then put_to_sea(side, group, course(side, group[1], from, to, peaceful), from) end
  end
end

procedure("sail", { rule = { "cmove.8", "cmove.15", "board.18", "unit-tr.5" } }, function(from, side) sail(side, from, false) end)
procedure("sail.among-friends", { rule = { "noncombat.8", "noncombat.9", "multi.9", "unit-cv.3", "unit-tr.7", "unit-tr.10" } }, function(from, side) sail(side, from, true) end)

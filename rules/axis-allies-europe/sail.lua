-- Ships. A ship may sail in several goes as long as it has movement left, so that a transport can load on its way.

-- Ships that may still move. In the combat move a ship that met the enemy stays and fights.
ready_ships = query("ready-ships", { rule = { "cmove.15", "noncombat.3" } }, function(side)
  local list = ships_of(side):filter { used = false }
  local moved = list:filter { min_spent = 1 }
  if #moved == 0 then return list end
  local foes_here = enemy_waters(side)
  return list:minus(moved:filter(function(ship) return ship.spent >= ship.speed or foes_here:has(ship.space) end))
end)

-- Sea zones next to this one that are in play.
local sea_steps = query("sea-steps", { rule = { "board.13", "board.18" } }, function(zone)
  return near("sea", zone):filter { closed = false }
end)

-- Zones beside `from` and, with two movement left, beyond: `shut` zones end a move, or cannot be entered at all.
local function sea_reach(from, left, shut, enter)
  local step = sea_steps(from)
  local free = step:minus(shut)
  if not enter then step = free end
  if left == 1 then return step end
  local all = step
  for _, zone in ipairs(free) do all = all:plus(sea_steps(zone)) end
  if not enter then all = all:minus(shut) end
  return all:minus { from }
end

-- In the combat move enemy ships stop a ship where it meets them. The Turkish Straits are no link.
war_reach = query("war-reach", { rule = { "board.18", "board.13", "cmove.8", "cmove.15" } }, function(side, from, left)
  local shut = option "ships-pass-enemy-ships" and {} or enemy_waters(side)
  return sea_reach(from, left, shut, true)
end)

peace_reach = query("peace-reach", { rule = { "board.18", "noncombat.8", "noncombat.9" } }, function(side, from, left)
  return sea_reach(from, left, closed_waters(side), false)
end)

-- Transports cannot fight: they follow warships or aircraft into enemy waters, and not at all after running from a fight.
local unescorted = query("unescorted", { rule = "unit-tr.21" }, function(side)
  local escorts = ships_of(side):filter { min_attack = 1 }:spaces():plus(aircraft_of(side):filter { airborne = true }:spaces())
  return enemy_waters(side):minus(escorts)
end)

-- Zones that this transport may not enter in the combat move.
local function shut_to(side, ship)
  local beset = enemy_waters(side)
  return (ship.fled or beset:has(ship.space)) and beset or unescorted(side)
end

local function reach_of(side, ship, peaceful)
  local left = ship.speed - ship.spent
  if peaceful then return peace_reach(side, ship.space, left) end
  local reach = war_reach(side, ship.space, left)
  return ship.attack > 0 and reach or reach:minus(shut_to(side, ship))
end

sail_targets = query("sail-targets", { rule = { "board.18", "noncombat.8" } }, function(side, zone, peaceful)
  local all = nowhere()
  for _, ship in ipairs(sorts(ready_ships(side):filter { at = zone })) do all = all:plus(reach_of(side, ship, peaceful)) end
  return all
end)

-- Zones from which there is a way at all.
local open_sea = query("open-sea", { rule = { "board.13", "board.18" } }, function()
  return spaces { ground = "sea", closed = false }:filter(function(zone) return #sea_steps(zone) > 0 end)
end)

-- Zones with a ship that has somewhere to go: one step is enough.
war_ports = query("war-ports", { rule = "cmove.8" }, function(side)
  local ships = ready_ships(side)
  local zones = ships:filter { min_attack = 1 }:spaces():both(open_sea())
  local escorts_needed = ships:filter { attack = 0 }:filter(function(ship)
    return #sea_steps(ship.space):minus(shut_to(side, ship)) > 0
  end)
  return zones:plus(escorts_needed:spaces())
end)

peace_ports = query("peace-ports", { rule = "noncombat.8" }, function(side)
  local shut = closed_waters(side)
  return ready_ships(side):spaces():filter(function(zone) return #sea_steps(zone):minus(shut) > 0 end)
end)

offer("combat-move", "sail", { rule = { "cmove.1", "cmove.8" }, among = war_ports, run = "sail" })
offer("non-combat-move", "sail-on", { rule = "noncombat.8", among = peace_ports, run = "sail.peacefully" })

forbid("sail.to", "turkish-straits", { rule = { "board.13", "outside.2" } }, function(zone, ask)
  if adjacent(ask.from, zone) and not near("sea", ask.from):has(zone) then return no("straits", zone) end
end)

forbid_all("sail.to", "no-enemy-waters", { rule = { "noncombat.9", "unit-tr.18", "unit-tr.21" } }, function(ask)
  local shut = ask.peaceful and closed_waters(ask.side) or enemy_waters(ask.side)
  return shut:minus(ask.targets), no "enemy-waters"
end)

forbid("sail.ships", "fleeing-transports-do-not-fight", { rule = "unit-tr.18" }, function(ship, ask)
  if ship.attack > 0 or not enemy_waters(ask.side):has(ask.to) then return end
  if ship.fled or enemy_waters(ask.side):has(ask.from) then return no("fled-transport", ship) end
end)

local function escorted(side, to, fleet)
  if not enemy_waters(side):has(to) or fleet:any { min_attack = 1 } then return true end
  return #pieces { at = to, side = side, submerged = false, min_attack = 1 } > 0
end

-- The zone in between: rather one with a convoy centre to be won than any other.
local function passage(side, from, to, peaceful)
  if near("sea", from):has(to) then return nil end
  local block = peaceful and closed_waters(side) or enemy_waters(side)
  local between = near("sea", from):both(near("sea", to)):filter { closed = false }
  if peaceful or not option "ships-pass-enemy-ships" then between = between:minus(block) end
  local prize = between:filter(function(zone) return prize_for(side, zone) end)
  return prize[1] or between[1]
end

local function sail(side, from, peaceful)
  local targets = sail_targets(side, from, peaceful)
  local to = ask(side, "sail.to", { among = function() return neighbours(from):filter { ground = "sea", closed = false }:plus(targets) end,
    side = side, from = from, targets = targets, peaceful = peaceful })
  local able = ready_ships(side):filter { at = from }:filter(function(ship) return (peaceful and peace_reach or war_reach)(side, from, ship.speed - ship.spent):has(to) end)
  local fleet = pick_some(side, "sail.ships", able, { from = from, to = to, side = side,
    test = function(list) return escorted(side, to, list) end })
  local via = passage(side, from, to, peaceful)
  local path = via and { via, to } or { to }
  local contested = enemy_waters(side):has(from)
  for _, ship in ipairs(fleet) do
    ship.spent = ship.spent + #path
    ship.origin = via or from
    if contested and ship.capacity > 0 then ship.fled = true end
    move(ship, to)
  end
  if peaceful then return end
  for _, zone in ipairs(path) do call("convoy.pass", zone, side, fleet) end
end

procedure("sail", { rule = { "cmove.1", "cmove.8", "cmove.15", "board.18", "unit-tr.5" } }, function(from, side) sail(side, from, false) end)
procedure("sail.peacefully", { rule = { "noncombat.8", "noncombat.9", "multi.9", "unit-cv.3", "unit-tr.7", "unit-tr.10" } }, function(from, side) sail(side, from, true) end)

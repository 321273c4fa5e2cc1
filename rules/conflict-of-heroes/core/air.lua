-- Aircraft (20.0 to 20.4): they enter when activated, fly by impulses, and leave the map when spent.

planes_of = query("planes-of", { rule = "20.0a" }, function(side)
  return pieces { kind = "unit", mode = "air", side = side }
end)

local function in_hangar(side) return planes_of(side):filter { place = space "hangar", status = "ready", doomed = false } end
local function flying(side, status) return planes_of(side):filter { on_map = true, status = status, flying_off = false } end

offer("turn", "sortie", { rule = { "20.0a", "20.0b" },
  when = function(side) return planes_of(side):any() end,
  among = in_hangar,
  run = "turn.sortie" })

procedure("turn.sortie", { rule = { "20.0a", "20.0b", "20.0c" } }, function(plane, side)
  call("begin-activation", plane)
  local hex = ask(side, "air.enter", { among = plane.entry, unit = plane })
  plane.altitude = ask(side, "air.altitude", { from = 0, to = value "air-ceiling" })
  move(plane, hex)
  call("watch", plane)
  plane.facing = ask(side, "facing", { among = inward(hex), unit = plane })
  local act = new_action(plane, side, "ap")
  act.entered = true
  return call("flight", act)
end)

-- Facings that lead onto the map.
function inward(hex)
  local ways = {}
  for _, other in ipairs(neighbours(hex)) do table.insert(ways, direction(hex, other)) end
  return ways
end

offer("turn", "fly", { rule = { "20.0c", "20.0h" },
  when = function(side) return planes_of(side):any() and sides[side].ap > 0 end,
  among = function(side) return flying(side, "active") end,
  run = "turn.fly" })

procedure("turn.fly", { rule = { "20.0c", "20.0h" } }, function(plane, side)
  return call("flight", new_action(plane, side, "ap"))
end)

offer("turn", "air-command", { rule = { "20.0i", "20.0j" },
  when = function(side) return planes_of(side):any() and sides[side].caps >= value "air-action" end,
  among = function(side) return flying(side, { "active", "spent" }) end,
  run = "turn.air-command" })

procedure("turn.air-command", { rule = { "20.0i", "20.0j" } }, function(plane, side)
  return call("flight", new_action(plane, side, "command"))
end)

-- One action: a forward move first, then any impulses up to the plane's number (20.0c to 20.0g). Each is paid as it is flown, for the
-- plane may leave the map or be lost on the way (3.0c).
procedure("flight", { rule = { "meet.air", "20.0c", "20.0d", "20.0e", "20.0f", "20.0g", "20.1b" } }, function(act)
  local plane, side = act.unit, act.side
  local cost, left = value "air-action", plane.impulses
  plane.used = true
  if act.entered then left = left - 1 end
  call("pay-up-to", act, cost)
  while left > 0 and plane.space.kind == "hex" do
    local first = left == plane.impulses
    local what = first and "forward" or ask(side, "air.impulse", { among = impulses(act, cost), none = "enough", unit = plane })
    if not what then break end
    cost = cost + impulse_cost(what)
    call("pay-up-to", act, cost)
    call("impulse", act, what)
    left = left - 1
  end
  return call("finish-action", act)
end)

function impulses(act, cost)
  local plane = act.unit
  local list = { "forward" }
  if not act.turned then
    table.insert(list, "left")
    table.insert(list, "right")
    local rich = cost + value "air-attack" <= act.budget
    if rich and not plane.doomed then
      if air_targets(plane):any() then
        table.insert(list, "strafe")
        if bombs_on(plane):any() then table.insert(list, "bomb") end
      end
      if rivals(plane):any() then table.insert(list, "engage") end
    end
  end
  if not act.shifted then
    if plane.altitude < value "air-ceiling" and cost + value "air-climb" <= act.budget then table.insert(list, "climb") end
    if plane.altitude > 0 then table.insert(list, "dive") end
  end
  return list
end

-- The AP that an impulse costs besides the action itself.
function impulse_cost(what)
  if what == "climb" then return value "air-climb" end
  if what == "strafe" or what == "bomb" or what == "engage" then return value "air-attack" end
  return 0
end

procedure("impulse", { rule = { "20.0c", "20.0d", "20.0e", "20.0f", "20.1b", "20.4b" } }, function(act, what)
  local plane, side = act.unit, act.side
  if what == "forward" then return call("forward", act) end
  if what == "climb" or what == "dive" then
    act.shifted, plane.altitude = true, plane.altitude + (what == "climb" and 1 or -1)
    return
  end
  act.turned = true
  if what == "left" or what == "right" then
    plane.facing = turned(plane.facing, what == "left" and -1 or 1)
  elseif what == "engage" then
    call("engage", plane, ask(side, "air.rival", { among = rivals(plane), unit = plane }))
  else
    call(what == "bomb" and "drop-bombs" or "strafe", plane, ask(side, "air.target", { among = air_targets(plane), unit = plane }))
  end
end)

procedure("forward", { rule = { "20.0e", "20.0k" } }, function(act)
  local plane = act.unit
  local ahead = neighbours(plane.space):both(cone(plane.space, plane.facing))
  act.turned, act.shifted = false, false
  if not ahead:any() then return call("fly-off", plane) end
  move(plane, ask(act.side, "air.forward", { among = ahead, unit = plane }))
  call("watch", plane)
end)

-- Range 2 to 3, weaker to twice that; in the arc, and in sight from above (20.2a, 20.3a). Works are targets with nobody in them, too (18.6d).
function air_targets(plane)
  local hex = plane.space
  local targets = enemy_hexes(plane.side)
  if in_force "works" then targets = targets:plus(object_hexes(plane.side):minus(own_hexes(plane.side))) end
  local hexes = targets:both(near(hex, plane.range * value "air-range".times)):minus(near(hex, plane.least_range - 1))
  return hexes:both(cone(hex, plane.facing)):both(sees_from_air(hex))
end

procedure("strafe", { rule = { "20.0d", "20.1a", "20.2a" } }, function(plane, hex)
  call("attack", { side = plane.side, kind = "fire", leader = plane, from = plane.space, target = hex })
end)

-- Aircraft fight each other, in the same arc and range (20.2b), unless an option says no.
function rivals(plane)
  if not option "air-combat" then return nobody() end
  local hex = plane.space
  local reached = cone(hex, plane.facing):both(near(hex, plane.range * value "air-range".times)):minus(near(hex, plane.least_range - 1))
  return pieces { kind = "unit", mode = "air", side = foes(plane.side), at = reached }
end

procedure("engage", { rule = "20.2b" }, function(plane, rival)
  call("attack", { side = plane.side, kind = "fire", leader = plane, from = plane.space, target = rival.space, only = rival })
end)

function bombs_on(plane) return plane.cargo:filter { bomb = true } end

procedure("drop-bombs", { rule = { "20.4a", "20.4b", "20.4c" } }, function(plane, hex)
  local bombs = bombs_on(plane)
  local chosen = choose(plane.side, "air.bombs", { among = bombs, min = 1, max = #bombs })
  for _, bomb in ipairs(chosen) do
    local a = { side = plane.side, kind = "bomb", leader = plane, from = plane.space, target = hex, red = bomb.red, blue = bomb.blue }
    call("attack", a)
    if bomb.lays and a.struck then create(bomb.lays, plane.side, hex) end
    destroy(bomb)
  end
end)

-- A spent plane flies straight on at the end of its owner's turns, and is gone at the end of the round (20.0j, 20.0k).
local function gliders(side) return planes_of(side):filter { on_map = true, status = "spent" } end

before("hand-over", "planes-fly-on", { rule = { "20.0j", "20.0k" }, option = "glide=by-itself" }, function(side)
  for _, plane in ipairs(gliders(side)) do
    if plane.used then plane.used = false else call("glide", plane) end
  end
end)

-- By the other reading that is an action of its owner, free of charge; nobody passes with a plane that has still to go.
offer("turn", "glide", { rule = "20.0j", option = "glide=action", among = gliders, run = "turn.glide" })

procedure("turn.glide", { rule = "20.0j" }, function(plane) call("glide", plane) end)

before("pass", "planes-fly-on-first", { rule = "20.0j", option = "glide=action" }, function(side)
  for _, plane in ipairs(gliders(side)) do call("glide", plane) end
end)

procedure("glide", { rule = { "20.0j", "20.3c" } }, function(plane)
  plane.flying_off = true
  for _ = 1, plane.impulses do
    local ahead = straight_on(plane.space, plane.facing)
    if not ahead then return call("fly-off", plane) end
    move(plane, ahead)
    call("watch", plane)
  end
end)

function straight_on(hex, facing)
  for _, other in ipairs(neighbours(hex)) do
    if direction(hex, other) == facing then return other end
  end
end

procedure("fly-off", { rule = { "20.0a", "20.0k", "20.0m" } }, function(plane)
  plane.altitude, plane.flying_off = 0, false
  if plane.status == "active" then
    plane.status = "spent"
    if not active_of(plane.side):any() then sides[plane.side].ap = 0 end
  end
  call("leave-sky", plane)
end)

-- A plane that is promised one more sortie is ready again at once (card.event); one that was hit never returns (20.0m).
procedure("leave-sky", { rule = { "20.0a", "20.0m", "card.event" } }, function(plane)
  if plane.sorties == 0 or plane.doomed then return move(plane, "away") end
  plane.sorties = plane.sorties - 1
  plane.status = "ready"
  move(plane, "hangar")
end)

after("round-end", "skies-clear", { rule = "20.0a" }, function()
  for _, plane in ipairs(pieces { mode = "air", on_map = true }) do call("fly-off", plane) end
end)

-- Anti-aircraft fire (20.0l, 20.0m): only units with the symbol. Straight up it goes from any close combat and in any facing.
function flak_targets(act)
  local unit = act.unit
  if not may_fire(unit) or not affords(act, fire_cost(unit)) then return nobody() end
  local locked = enemy_in(unit.space, act.side)
  return pieces { mode = "air", side = foes(act.side), on_map = true }:filter(function(plane)
    local hex = plane.space
    if hex == unit.space then return true end
    return not locked and distance(unit.space, hex) <= reach_of(unit) and sees_from_air(hex):has(unit.space)
      and (all_round(unit, act) or in_cone(unit.space, unit.facing, hex))
  end)
end

function deeds.flak(act) return act.unit.aa and flak_targets(act):any() end

offer("action", "flak", { rule = "20.0l",
  when = function(side, act) return deeds.flak(act) end,
  run = "action.flak" })

procedure("action.flak", { rule = { "20.0l", "20.0m" } }, function(_, side, act)
  local unit = act.unit
  local plane = ask(side, "flak.at", { among = flak_targets(act), unit = unit })
  call("pay", act, shot_cost(act, plane.space))
  call("attack", { side = side, kind = "fire", leader = unit, from = unit.space, target = plane.space, only = plane })
end)

-- The hexes of an edge of the map as laid.
function edge_hexes(edges)
  local missing = value "edges"
  return in_play():filter(function(hex)
    for i = 1, #edges do
      local open = true
      for _, way in ipairs(missing[edges[i]]) do
        if straight_on(hex, way) then open = false end
      end
      if open then return true end
    end
  end)
end

-- Carrying and towing (17.0, 17.1, 14.1c, 16.1).

carries = query("carries", { rule = "17.0a" }, function(unit)
  for _, load in ipairs(unit.cargo) do
    if load.kind == "unit" then return load end
  end
end)

-- A towing vehicle has no bonus movement when it tows another vehicle (14.1c).
function towing(unit)
  return unit.cargo:filter { kind = "unit", vehicle = true }:any()
end

-- Vehicles are towed when they cannot move, whether stuck or hit.
local function immobile(vehicle)
  local hit = vehicle.hurt and vehicle.hit
  return vehicle.stuck or hit and hit.no_move
end

may_carry = query("may-carry", { rule = { "17.0a", "14.1c", "14.1d", "7.4e" } }, function(carrier, load)
  if load.vehicle then return immobile(load) and (load.mode == "wheeled" or carrier.mode == "tracked") end
  local hit = load.hurt and load.hit
  return load.mode ~= "air" and not (hit and (hit.no_move or hit.only_rally))
end)

function loads(act)
  local unit = act.unit
  if not in_force "transport" or not unit.vehicle or unit.carried or carries(unit) or not may_do_anything(unit) then return nobody() end
  local pool = pieces { kind = "unit", at = unit.space, side = act.side, carried = false }:minus { unit }
  if act.how == "opportunity" then pool = pool:filter { status = "ready" } end
  return pool:filter(function(load) return may_carry(unit, load) and move_cost(load) <= act.budget and (act.how ~= "ap" or load.status ~= "spent") end)
end

function deeds.load(act) return act.unit.vehicle and act.unit.space.count > 1 and loads(act):any() end

offer("action", "load", { rule = { "17.0a", "17.0b", "17.0c" },
  when = function(side, act) return deeds.load(act) end,
  run = "action.load" })

procedure("action.load", { rule = { "17.0c", "17.0g", "7.4e" } }, function(_, side, act)
  local load = ask(side, "load.what", { among = loads(act), unit = act.unit })
  enlist(act, load)
  call("pay", act, move_cost(load))
  call("show-hit", load, "move_change")
  load.shelter, load.hasty = nil, false
  move(load, act.unit)
  load.carried = true
  load.facing = act.unit.facing
end)

function deeds.unload(act)
  local load = act.unit.vehicle and carries(act.unit)
  if not load or not may_do_anything(act.unit) then return false end
  local hit = load.hurt and load.hit
  if hit and not load.vehicle and (hit.no_move or hit.only_rally) then return false end
  if act.how == "ap" and load.status == "spent" then return false end
  if act.how == "opportunity" and load.status ~= "ready" then return false end
  return affords(act, move_cost(load))
end

offer("action", "unload", { rule = { "17.0f", "17.0g" }, when = function(side, act) return deeds.unload(act) end, run = "action.unload" })

procedure("action.unload", { rule = { "17.0f", "17.0g", "14.1d" } }, function(_, side, act)
  local load = carries(act.unit)
  enlist(act, load)
  call("pay", act, move_cost(load))
  call("show-hit", load, "move_change")
  move(load, act.unit.space, "bottom")
  load.carried = false
  call("turn-round", load)
end)

-- A destroyed carrier leaves its cargo in the hex (17.1b).
procedure("drop", { rule = "17.1b" }, function(load, carrier)
  move(load, carrier.space)
  load.carried = false
  load.facing = carrier.facing
end)

after("action.move", "cargo-shares", { rule = "17.0g" }, function(_, side, act)
  for _, unit in ipairs(pieces { kind = "unit", side = side, carried = true }) do
    for _, carrier in ipairs(act.group) do
      if unit.place == carrier then
        share(act, unit)
        if act.how == "opportunity" and unit.status == "ready" then unit.status = "spent" end
      end
    end
  end
end)

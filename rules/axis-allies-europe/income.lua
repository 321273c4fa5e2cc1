-- Parts 6 and 7, and what a power's spaces are worth. Levels are never stored: they are always worked out from the map.

-- Does a convoy centre pay? Not with a German marker on it, nor while Archangel is German.
local function pays(zone)
  if zone.marker then return false end
  local port = zone.needs
  return not port or not port.marker or allied(port.marker, zone.convoy)
end

-- The level on the Production Chart.
number("production", { rule = { "setup.10", "setup.11", "ipc.7", "board.8", "setup.7", "setup.8", "board.4", "convoy.17", "mideast.7", "outside.3" }, stages = { "land", "convoys" } }, function(n, side)
  n:add(controlled(land_in_play():filter { mideast = false }, side):sum "ipc")
end)

modify("production", "convoys", { rule = { "convoy.1", "convoy.3", "convoy.13", "convoy.14", "convoy.15", "convoy.16", "convoy.18", "diff.2", "board.7" }, stage = "convoys" }, function(n, side)
  for _, zone in ipairs(spaces { convoy = side, closed = false }) do
    if pays(zone) then n:add(zone.ipc) end
  end
end)

modify("production", "plunder", { rule = "convoy.17", stage = "convoys", option = "convoy-plunder" }, function(n, side)
  for _, zone in ipairs(spaces { ground = "sea", marker = side }) do n:add(zone.ipc) end
end)

-- The Middle East column: what the Allies owe Germany.
oil = query("oil", { rule = { "mideast.2", "mideast.3", "mideast.7" } }, function(side)
  return spaces { mideast = true, marker = side }:sum "ipc"
end)

procedure("repair", { rule = { "repair.1", "repair.2", "sea.B8", "sea.D5", "unit-bb.3", "unit-sub.9", "turn.4" } }, function()
  for _, unit in ipairs(pieces { submerged = true }) do unit.submerged = false end
  for _, unit in ipairs(pieces { damaged = true }) do unit.damaged = false end
  if option "income-part" == "part-6" then call("collect") end
end)

procedure("income", { rule = { "income.1", "income.2", "income.3", "income.4", "capital.5" } }, function()
  if option "income-part" == "part-7" then call("collect") end
end)

procedure("collect", { rule = { "income.1", "capital.5", "capital.6" }, stages = { "level", "oil" } })

procedure("collect.level", { rule = { "income.1", "income.3" } }, function()
  local side = game.active
  if capital_lost(side) then return "stop" end
  local level = evaluate("production", side)
  sides[side].ipc = sides[side].ipc + level
  log("collected", side, level)
end)

-- The bill goes to the Allies, who share it as they agree; if they do not, Germany does.
procedure("collect.oil", { rule = { "mideast.4", "mideast.5", "mideast.6", "diff.8" } }, function()
  local side = game.active
  local bill = oil(side)
  if option "middle-east-paid-by" == "bank" then
    sides[side].ipc = sides[side].ipc + bill
    return
  end
  local payers, purse = {}, 0
  for _, ally in ipairs(playing "allies") do
    if sides[ally].ipc > 0 then payers[#payers + 1] = ally end
    purse = purse + sides[ally].ipc
  end
  local due = bill < purse and bill or purse
  if option "middle-east-shortfall" == "bank-pays" then sides[side].ipc = sides[side].ipc + bill - due end
  if due == 0 then return end
  local ask_of = { among = payers, many = true, at_least = due, at_most = due, cost = function() return 1 end,
    limit = function(ally) return sides[ally].ipc end, bill = due }
  local shares = #payers == 1 and { [payers[1]] = due } or shares_of(decide_together(payers, side, "oil.split", ask_of))
  for _, ally in ipairs(payers) do
    sides[ally].ipc = sides[ally].ipc - (shares[ally] or 0)
  end
  sides[side].ipc = sides[side].ipc + due
  log("oil", side, due)
end)

-- Before play: the set-up, the cash advance and the starting money.

procedure("setup", { rule = { "setup.14", "setup.16" } }, function() end)

-- Land units and aircraft go ashore, ships to sea; each where the power already has something.
local function advance_spaces(side, id)
  local ground = row(id).domain == "sea" and "sea" or "land"
  local owners = option "advance-where" == "own-unit" and side or friends(side)
  return pieces { on_map = true, side = owners }:spaces():filter { ground = ground }
end

forbid_all("advance.where", "advance-beside-own-units", { rule = "ipc.3" }, function(ask)
  return spaces { kind = "area" }:minus(advance_spaces(ask.side, ask.unit)), no("advance-needs-a-unit", ask.unit)
end)

local function place_advance(side)
  while #pools(side).pieces > 0 do
    local unit = pools(side).pieces[1]
    local all = pieces { at = pools(side), type = unit.type }
    local space = ask(side, "advance.where", { among = function() return spaces { neutral = false, closed = false, kind = "area" } end, unit = unit.type, side = side })
    local n = ask(side, "advance.count", { from = 1, to = #all, unit = unit.type })
    for i = 1, n do move(all[i], space) end
  end
end

local function spend(side, money)
  sides[side].ipc = sides[side].ipc + money
  shop(side, "advance.buy", money)
  place_advance(side)
end

-- The Allies share one sum as they like; if they disagree it is split evenly (our reading).
procedure("advance.allies", { rule = { "ipc.2", "ipc.4" } }, function(money)
  local powers = playing "allies"
  local basket = decide_together(powers, nil, "advance.split", {
    among = powers, many = true, at_least = money, at_most = money, cost = function() return 1 end })
  local shares = basket and shares_of(basket)
  if not shares then
    shares = {}
    local each, left = money // #powers, money % #powers
    for i, side in ipairs(powers) do shares[side] = each + (i <= left and 1 or 0) end
  end
  for _, side in ipairs(powers) do spend(side, shares[side] or 0) end
end)

procedure("advance", { rule = { "ipc.1", "ipc.4", "ipc.5", "ipc.6", "diff.10", "learning.3" } }, function()
  if not game.opening then return end
  local money = option "advance-ipc"
  if option "advance-mode" == "per-power" then
    for _, side in ipairs(playing()) do spend(side, money) end
  elseif option "advance-mode" == "per-side" then
    spend("german", money)
    call("advance.allies", money)
  end
  for _, side in ipairs(playing()) do
    sides[side].ipc = sides[side].ipc + sides[side].start
  end
end)

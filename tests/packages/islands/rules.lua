-- Each half a side buys, sails its boats with the ferry and raids from the air; at the end troops are counted.

function fleet(side, type) return pieces{ side = side, type = type } end

procedure("buy", { rule = "1.2" }, function()
  local side = game.active
  local purse = sides[side]
  purse.coins = purse.coins + value "income".coins
  local basket = choose(side, "buy", { among = rows "unit", many = true, cost = price, at_most = purse.coins })
  for _, line in ipairs(basket) do
    create(line[1], side, purse.home, line[2])
    purse.coins = purse.coins - price(line[1]) * line[2]
  end
end)

price = query("price", { rule = "1.2" }, function(type) return row(type).cost end)

-- Aircraft are bought for the strips at home only.
forbid("buy", "no-strip-at-home", { rule = "1.2" }, function(type)
  if row(type).range then return no("no-landing") end
end)

procedure("sail", { rule = "1.3" }, function()
  local side = game.active
  local boat = ask(side, "sail.boat", { among = fleet(side, "boat"):filter{ sailed = false }, none = "done" })
  if not boat then return "done" end
  load_up(boat)
  boat.sailed = true
  move(boat, next_port(boat.space))
  for _, troop in ipairs(boat.cargo) do
    move(troop, boat.space)
    troop.tired = true
  end
end)

next_port = query("next-port", { rule = "1.3" }, function(port)
  return flood{ from = { port }, over = "ferry", steps = 1 }:minus{ port }:first()
end)

-- Of equal troops only one is named: which of them boards makes no difference.
load_up = procedure("load-up", { rule = "1.4" }, function(boat)
  while #boat.cargo < boat.room do
    local waiting = fleet(boat.side, "troop"):filter{ at = boat.space, not_place = boat }
    local troop = ask(boat.side, "sail.load", { among = waiting:distinct("type", "tired"), boat = boat, none = "sail" })
    if not troop then return end
    move(troop, boat)
  end
end)

aircraft = query("aircraft", { rule = "1.5" }, function(side) return pieces{ side = side, type = { "plane", "glider" } } end)

-- Where everyone lands after a raid: a table of strips by aircraft, or nothing if not all can land.
landings = query("landings", { rule = "1.5" }, function(side, target)
  return match(aircraft(side), function(craft)
    local left = craft.range - distance(craft.space, target)
    return left < 0 and {} or within(target, left):filter(function(area) return area.strips > 0 end)
  end, function(area) return area.strips - #aircraft(enemy(side)):filter{ at = area } end)
end)

procedure("raid", { rule = "1.5" }, function()
  local side = game.active
  if #aircraft(side) == 0 then return end
  local targets = fleet(enemy(side), "troop"):spaces()
  local target = ask(side, "raid", { among = targets, none = "stay", side = side })
  if not target then return end
  local strips = landings(side, target)
  destroy(fleet(enemy(side), "troop"):filter{ at = target }:first())
  for _, craft in ipairs(aircraft(side)) do move(craft, strips[craft]) end
end)

forbid("raid", "all-must-land", { rule = "1.5" }, function(target, ask)
  if not landings(ask.side, target) then return no("no-landing") end
end)

procedure("disband", { rule = "1.7" }, function(area, side)
  destroy(ask(side, "disband", { among = fleet_at(area, side), space = area }))
end)

-- Of what can be carried no more is named than lies about.
function fleet_at(area, side) return pieces{ side = side, at = area }:filter(function(unit) return #unit.cargo == 0 end) end

procedure("verdict", { rule = "1.6" }, function()
  local gulls, terns = #fleet("gulls", "troop"), #fleet("terns", "troop")
  if gulls == terns then end_game{ reason = "draw", rule = "1.6" } end
  end_game{ winner = gulls > terns and "gulls" or "terns", reason = "more-troops", rule = "1.6" }
end)

invariant("boats-hold", { rule = "1.4" }, function()
  local boat = pieces{ type = "boat" }:filter(function(boat) return #boat.cargo > boat.room end):first()
  if boat then return no("overloaded", boat) end
end)

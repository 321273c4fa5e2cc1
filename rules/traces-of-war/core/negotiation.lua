-- 4.2.2, 11.2, 12.2 Supreme Command Negotiation: points for this moment only.

-- Points are kept in halves and told as they are printed.
local function printed(halves) return value "np-printed".half[halves + 1] end

local function leave_points(talks, halves)
  talks.points = halves
  game.np = printed(halves)
end

-- NP to lift an order.
number("order-price", { rule = "11.2b", stages = { "table", "variant" } }, function(n) n:add(value "order-price".np) end)

local function order_price() return evaluate "order-price" * value "half-points".per_np end

-- The same for questions, which tell no number.
local quoted_price = query("quoted-order-price", { rule = "11.2b" }, order_price)

procedure("okh.negotiation", { rule = { "4.2.2i", "4.2.2i-x", "2.6d", "11.2a" } }, function()
  local talks = start_record("negotiation", {})
  leave_points(talks, by_crossings "negotiation")
  log("negotiation-opens", game.np, crossings_held())
  negotiate(talks)
  if talks.points > 0 then log("points-lost", game.np) end
  leave_points(talks, 0)
  finish_record(talks)
end)

negotiate = procedure("negotiate", { rule = { "4.2.2i", "11.2a" } }, function(talks)
  local cost = value "np-cost"
  repeat
    local answer = menu("axis", "negotiation", {
      none = "done", talks = talks, np = game.np, order = printed(quoted_price()),
      panzer = printed(cost.pr), infantry = printed(cost.ir), minor = printed(cost.ar),
    })
  until answer == "done"
end)

offer("negotiation", "lift-order", { rule = { "11.2b", "12.2c" }, run = "lift-an-order",
  when = function(_, ask) return ask.talks.points >= quoted_price() end,
  among = function() return city_hexes():filter { order = true } end })

procedure("lift-an-order", { rule = { "11.2b", "12.2c" } }, function(city, _, ask)
  local price = order_price()
  leave_points(ask.talks, ask.talks.points - price)
  city.order = false
  log("order-lifted", city, printed(price), game.np)
end)

offer("negotiation", "reinforce", { rule = { "11.2a", "11.2c", "11.2d", "11.2e", "2.2n" }, run = "buy-reinforcement", among = function(_, ask)
  if not has_railhead("axis", false) then return nowhere() end
  local price, classes = value "np-cost", {}
  for _, class in ipairs { "pr", "ir", "ar" } do
    if price[class] <= ask.talks.points then classes[#classes + 1] = class end
  end
  return space "axis-reinforcements".pieces:filter { class = classes }
end })

procedure("buy-reinforcement", { rule = { "11.2a", "11.2c", "11.2d", "11.2e", "2.2n", "11.0a" } }, function(unit, _, ask)
  local price = value "np-cost"[unit.class]
  leave_points(ask.talks, ask.talks.points - price)
  log("reinforcement-bought", unit.full, printed(price), game.np)
  place_reinforcement(unit)
end)

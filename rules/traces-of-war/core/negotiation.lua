-- 4.2.2, 11.2, 12.2 Supreme Command Negotiation: points for this moment only.

procedure("okh.negotiation", { rule = { "4.2.2i", "4.2.2i-x", "2.6d", "11.2a" } }, function()
  game.np = by_crossings "negotiation"
  call "negotiate"
  game.np = 0
end)

procedure("negotiate", { rule = { "4.2.2i", "11.2a" } }, function()
  while menu("axis", "negotiation", { none = "done" }) ~= "done" do end
end)

-- Half NP to lift an order.
number("order-price", { rule = "11.2b", stages = { "table", "variant" } }, function(n) n:add(value "np-cost".order) end)

offer("negotiation", "lift-order", { rule = { "11.2b", "12.2c" }, run = "lift-an-order",
  when = function() return game.np >= evaluate "order-price" end,
  among = function() return city_hexes():filter { order = true } end })

procedure("lift-an-order", { rule = { "11.2b", "12.2c" } }, function(city)
  game.np = game.np - evaluate "order-price"
  city.order = false
end)

offer("negotiation", "reinforce", { rule = { "11.2a", "11.2c", "11.2d", "11.2e", "2.2n" }, run = "buy-reinforcement", among = function()
  if not has_railhead("axis", false) then return nowhere() end
  local price, classes = value "np-cost", {}
  for _, class in ipairs { "pr", "ir", "ar" } do
    if price[class] <= game.np then classes[#classes + 1] = class end
  end
  return space "axis-reinforcements".pieces:filter { class = classes }
end })

procedure("buy-reinforcement", { rule = { "11.2a", "11.2c", "11.2d", "11.2e", "2.2n", "11.0a" } }, function(unit)
  game.np = game.np - value "np-cost"[unit.class]
  place_reinforcement(unit)
end)

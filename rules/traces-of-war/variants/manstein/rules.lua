modify("order-price", "manstein-insists", { rule = "manstein.1", stage = "variant", turns = "5-8" }, function(n)
  n:set(value "manstein".order)
end)

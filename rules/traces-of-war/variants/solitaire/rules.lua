modify("least-into-cup", "no-hand", { rule = "solitaire.1", stage = "variant" }, function(n, selected) n:set(selected) end)

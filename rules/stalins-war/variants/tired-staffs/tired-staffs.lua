-- The penalty of a long row of OPS rounds is held at its cap: the count is shown to the old rule no higher than that.

wrap("consecutive", function(inner, n, card, count)
  local cap = value "penalty".free + value "most-tired".penalty
  inner(n, card, math.min(count, cap))
end)

-- A squad in a hasty defence may go on digging: a trench takes the place of the marker.

local function may_trench(act)
  local unit = act.unit
  return unit.class == "squad" and unit.hasty and affords(act, value "dig-trench") and marker_in(unit.space, "trench") == nil
end

offer("action", "dig-trench", { rule = "spades.1", when = function(side, act) return may_trench(act) end, run = "action.dig-trench" })

procedure("action.dig-trench", { rule = "spades.1" }, function(_, side, act)
  local unit = act.unit
  call("pay", act, value "dig-trench")
  unit.hasty = false
  unit.shelter = create("trench", side, unit.space)
end)

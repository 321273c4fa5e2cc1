-- Chapter 3: supply. Wagons come from a side's base, by bridge or ford, around enemy units and their zones.

supplied = query("supplied", { rule = "3.1" }, function(side)
  local foe = enemy(side)
  local barred = standing(foe):plus(zone(foe):minus(standing(side)))
  local bases = spaces{ base = side }:minus(barred)
  return flood{ from = bases, over = "wagon", cost = value "supply".reach, blocked = barred }
end)

-- Supply is judged once in a half and written on the units: the rules look at it often, and the front moves all the time.
procedure("supply", { rule = { "3.1", "3.3" } }, function()
  local units, fed = units_of(game.active), supplied(game.active)
  for _, unit in ipairs(units:filter{ at = fed, hungry = true }) do unit.hungry = false end
  for _, unit in ipairs(units:filter{ not_at = fed }) do
    unit.hungry = true
    if roll "attrition" <= value "supply".hunger then lose_step(unit) end
  end
end)

modify("allowance", "short-rations", { rule = "3.2", stage = "supply" }, function(n, unit)
  if unit.hungry then n:divide_up(value "supply".divisor) end
end)

modify("attack", "short-of-powder", { rule = "3.2", stage = "supply" }, function(n, fight)
  n:add(#fight.attackers:filter{ hungry = true } * value "supply".shortage)
end)

-- 15. Supply, looked at in step 5 of a phase and kept until the unit's next check.

-- Hexes that supply cannot pass: enemies, and their ZOC where no friend stands.
supply_barred = query("supply-barred", { rule = { "15.supply.c", "15.supply.d" } }, function(side)
  return standing(enemy(side)):plus(danger(side)):plus(ambushed(side))
end)

supply_sources = query("supply-sources", { rule = { "15.supply.e", "15.supply.f", "15.supply.g", "15.supply.h", "18.first.c", "18.roll.c" } }, function(side)
  local sources = spaces{ supply = side }
  if side == "german" and not game.no_move then sources = sources:plus(praga()) end
  return sources:minus(supply_barred(side))
end)

-- Roads joined to a source. Where the roads between two hexes are cut, neither is reached from the other directly.
local function road_net(from, barred)
  local cut = cut_roads()
  if #cut == 0 then return flood{ from = from, over = "way", blocked = barred } end
  local net = from
  for _ = 1, #cut do
    for _, hex in ipairs(cut) do
      net = net:plus(flood{ from = net:minus{ hex }, over = "way", blocked = barred:plus{ hex } })
    end
  end
  return net
end

-- Everything within five hexes of those roads.
supply_area = query("supply-area", { rule = { "15.supply.a", "15.supply.b", "15.supply.c", "15.supply.d", "6.roads.a" } }, function(side)
  local barred = supply_barred(side)
  local roads = road_net(supply_sources(side), barred)
  return flood{ from = roads, steps = value "supply".hexes, blocked = barred, barrier = off_hexes }
end)

-- Units off the hexes and the train never lack supply (13.train.g, 15.supply.h).
check_supply = procedure("check-supply", { rule = { "15.supply.a", "15.effect.a", "5.steps.b", "13.train.g" } }, function(side, units)
  local here = units:filter{ on_map = true, train = false }
  local fed = here:filter{ at = supply_area(side) }
  for _, unit in ipairs(here:minus(fed):filter{ oos = false }) do unit.oos = true end
  for _, unit in ipairs(fed:plus(units:minus(here)):filter{ oos = true }) do unit.oos = false end
end)

-- What was activated in this phase; in the third also what never was this turn.
procedure("supply-check", { rule = { "5.steps.b", "5.sov3.b", "5.ger3.a", "15.supply.a" } }, function()
  local side = game.active
  local checked = in_play(side):filter{ active = true }
  if game.pair == value "pairs" then checked = checked:plus(in_play(side):filter{ spent = false }) end
  check_supply(side, checked)
end)

-- 10.3 Trenches, 16.3 Festungen, 16.1 partisans: what OPS can build during movement.

-- Armies and Fronts that may still dig: not moved, in full supply.
function diggers(side)
  return units_of(side):filter{ size = "lcu", moved = "no", supply = "full" }
end

local trench_card = { axis = "axis-16", soviet = "soviet-23" }

-- Hexes where a trench may be tried.
dig_sites = query("dig-sites", { rule = { "10.3.1d", "10.3.2b", "13.3.3" } }, function(side)
  if purse(side) < value "ops-cost".trench or not has_been_played(trench_card[side]) then return nowhere() end
  local pending = #units_of(side):filter{ moved = "dig" }
  if #trenches(side) + pending >= value "trench-markers"[side] then return nowhere() end
  return diggers(side):spaces():minus(trenches(side))
end)

offer("movement", "dig", { rule = { "10.3.1a", "10.3.1d", "13.3.3", "10.3.2b" }, among = dig_sites, run = "dig" })

procedure("dig", { rule = { "10.3.1a", "10.3.1c", "10.3.1d" } }, function(hex)
  local side = game.active
  local unit = diggers(side):filter{ at = hex }:first()
  pay(side, value "ops-cost".trench)
  unit.moved = "dig"
  local extra = value "ops-cost".sure_trench - value "ops-cost".trench
  if option "sure-trenches" and purse(side) >= extra and ask(side, "dig.sure", { among = { "sure", "roll" } }) == "sure" then
    pay(side, extra)
    hex.sure_trench = true
  end
end)

trench_success = number("trench-success", { rule = "10.3.1b", stages = { "base", "card" } }, function(n, side)
  n:add(value "trench".success)
end)
modify("trench-success", "hitler-opposes", { rule = "card.su.33", stage = "card" }, function(n, side)
  if side == "axis" and has_been_played "soviet-33" then n:set(value "trench".opposed) end
end)

procedure("trench-rolls", { rule = { "10.3.1b", "23.1.3" } }, function()
  local side = game.active
  for _, unit in ipairs(units_of(side):filter{ moved = "dig" }) do
    local hex = unit.space
    if hex.sure_trench or roll("trench") <= evaluate("trench-success", side) then hex.trench = side end
  end
end)

-- Festungen: any supplied Axis town or city (16.3.1, 16.3.2).
festung_sites = query("festung-sites", { rule = { "16.3.1", "16.3.2" } }, function(side)
  if not has_been_played "axis-48" then return nowhere() end
  if purse(side) < value "ops-cost".festung or #festungen() >= value "festungen".markers then return nowhere() end
  return traceable("axis", "ge", spaces{ place = { "town", "city" }, control = "axis", festung = false }:minus(standing "soviet"))
end)

offer("movement", "festung", { rule = { "16.3.1", "16.3.2" }, side = "axis", among = festung_sites, run = "build-festung" })

procedure("build-festung", { rule = "16.3.2" }, function(hex)
  pay("axis", value "ops-cost".festung)
  hex.festung = true
end)

-- Partisans: one OPS a turn places two (16.1.2).
partisans_possible = query("partisans-possible", { rule = { "16.1.1", "16.1.2a", "16.1.2b" } }, function(side)
  return has_been_played "soviet-21" and not game.partisans_placed
    and purse(side) >= value "ops-cost".partisans and partisans_left() > 0
end)

function partisans_left()
  local on_map = #bands():filter{ on_map = true }
  return math.min(value "partisans".on_map - on_map, space "partisan-cup".count)
end

-- Forest or swamp of the Soviet Union that is cut off, or nearer to the Axis than to the Red Army (16.1.1, 16.1.3a).
partisan_sites = query("partisan-sites", { rule = { "16.1.1", "16.1.3a" } }, function()
  local wild = spaces{ ussr = true, terrain = { "forest", "swamp" } }
    :minus(standing "axis"):minus(standing "soviet"):minus(sleeping_places())
  local cut_off = wild:minus(traceable("soviet", "su", wild))
  return cut_off:plus(wild:both(nearer_to_axis()))
end)

nearer_to_axis = query("nearer-to-axis", { rule = "16.1.3a" }, function()
  local theirs, ours = standing "axis", standing "soviet"
  local nearer = nowhere()
  repeat
    local reached = #theirs
    nearer = nearer:plus(theirs:minus(ours))
    theirs = flood{ from = theirs, steps = 1, barrier = water }
    ours = flood{ from = ours, steps = 1, barrier = water }
  until #theirs == reached
  return nearer
end)

offer("movement", "partisans", { rule = { "16.1.1", "16.1.2a" }, side = "soviet", when = partisans_possible, run = "place-partisans" })

procedure("place-partisans", { rule = { "16.1.2a", "16.1.2b" } }, function()
  pay("soviet", value "ops-cost".partisans)
  game.partisans_placed = true
  for _ = 1, math.min(value "partisans".markers, partisans_left()) do
    local hex = ask("soviet", "partisans.hex", { among = partisan_sites, none = "enough" })
    if not hex then return end
    hide_partisan(hex)
  end
end)

-- Drawn at random, laid face down: nobody knows the strength (16.1.3b). In the cup they sleep too, so that all hidden bands are alike.
hide_partisan = procedure("hide-partisan", { rule = { "16.1.3b", "2.2.1d" } }, function(hex)
  local band = draw(space "partisan-cup", hex):first()
  band.dormant = true
  conceal(band)
  return band
end)

recall_partisan = procedure("recall-partisan", { rule = { "16.1.5a", "16.1.6d" } }, function(band)
  band.dormant = true
  move(band, space "partisan-cup")
  conceal(band)
  shuffle(space "partisan-cup")
end)

rouse_partisan = procedure("rouse-partisan", { rule = { "16.1.6a", "16.1.6b", "2.2.1d" } }, function(band)
  band.dormant = false
  band.supply = "full"
  reveal(band)
end)

-- Bands that may be roused: none in a hex with an Axis unit.
function sleepers()
  return sleeping():filter{ not_at = standing "axis" }
end

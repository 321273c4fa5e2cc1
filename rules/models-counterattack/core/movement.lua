-- 6. Movement. Units move one at a time, each in one or more legs: a leg ends where the unit wants to, or in an enemy ZOC. There the enemy may
-- break contact, and the move goes on with the points left; or the unit overruns (9).

procedure("begin-movement", { rule = "5.steps.a" }, function() game.step = "movement" end)

procedure("movement", { rule = { "6.move.a", "6.move.b", "1.intro.b", "5.turn.a", "advice.c", "17.reinf.e" } }, function()
  return menu(game.active, "movement", { none = "done" })
end)

-- Who may still act: the active Soviets; all Germans without a Moved marker; in the reserve step those called.
movable = query("movable", { rule = { "5.turn.b", "5.turn.c", "14.use.a", "2.counters.g", "5.limits.a" } }, function(side)
  if game.step == "reserves" then
    return pieces{ kind = "unit", side = side, called = true, done = false }
  elseif side == "soviet" then
    return pieces{ kind = "unit", side = side, active = true, done = false, reserve = 0 }
  end
  return in_play(side):filter{ spent = false, done = false, reserve = 0 }
end)

-- Panzer divisions of which three units that may move stand in a place.
group_divisions = query("group-divisions", { rule = { "7.kg.a", "7.kg.h" } }, function(place)
  local fit, found = movable "german":filter{ at = place }, {}
  for _, division in ipairs(value "armored-divisions".list) do
    if #fit:filter{ formation = division } >= value "stack".kampfgruppe then found[#found + 1] = division end
  end
  return found
end)

-- Places from which three units of one panzer division may move as one: hexes, and Warsaw if groups cross the bridges.
groups = query("groups", { rule = { "7.kg.a", "7.kg.b", "7.kg.h", "6.warsaw.c" } }, function(side)
  local places = units_of(side):spaces(value "stack".kampfgruppe)
  if option "groups-over-bridges" and warsaw().count >= value "stack".kampfgruppe then places = places:plus{ warsaw() } end
  return #places > 0 and places:filter(function(place) return #group_divisions(place) > 0 end) or places
end)

offer("movement", "move", { rule = { "6.move.a", "6.move.b" }, among = movable, run = "move-unit" })
offer("movement", "group", { rule = "7.kg.b", side = "german", among = groups, run = "move-group" })

procedure("move-unit", { rule = { "6.move.b", "5.limits.b" } }, function(unit)
  activate(unit)
  march(nobody():plus{ unit })
end)

-- On a hex the three are given; of those massed in Warsaw the German picks a division and three units.
procedure("move-group", { rule = { "7.kg.b", "7.kg.c", "6.warsaw.b" } }, function(place)
  local division = ask("german", "group.division", { among = group_divisions(place), place = place })
  local fit, size = movable "german":filter{ at = place, formation = division }, value "stack".kampfgruppe
  local units = nobody():plus(choose("german", "group.units", { among = fit, min = size, max = size, place = place }))
  activate_all(units)
  march(units)
end)

-- Allowances, in halves -----------------------------------------------------------------------------------------------------

allowance = number("allowance", { rule = { "6.move.e", "2.anatomy.a" }, stages = { "printed", "disorganized", "supply", "events" } }, function(n, unit)
  n:add(unit.train and value "train".points or unit.mf)
end)

modify("allowance", "disorganized-movement", { rule = { "10.dis.a", "14.use.b" }, stage = "disorganized" }, function(n, unit)
  if unit.dis and not unit.train then n:divide_up(value "half".by) end
end)

modify("allowance", "unsupplied-movement", { rule = { "15.effect.b", "15.effect.c" }, stage = "supply" }, function(n, unit)
  if unit.oos and is_mobile(unit) and not (unit.dis and not option "halvings-add-up") then n:divide_up(value "half".by) end
end)

modify("allowance", "event-movement", { rule = "20.events.c", stage = "events" }, function(n, unit)
  n:add(unit.extra_mp)
end)

-- A Kampfgruppe goes at the pace of its slowest unit.
local function pace(units)
  local slowest
  for _, unit in ipairs(units) do
    local own = evaluate("allowance", unit)
    if not slowest or own < slowest then slowest = own end
  end
  return slowest * value "point".halves
end

-- The march -----------------------------------------------------------------------------------------------------------------

march = procedure("march", { rule = { "6.move.b", "6.move.d", "6.move.g", "7.kg.c" } }, function(units)
  local side = units:first().side
  local record = start_record("march", { units = units, points = pace(units) })
  repeat
    local marching = record.units
    local lead = marching:first()
    local result = menu(side, "march", {
      none = "halt", march = record, lead = lead, place = lead.space, grouped = #marching > 1, points = points_text(record.points),
    })
  until result == "done" or record.over
  for _, unit in ipairs(units) do
    if unit.active then unit.done = true end
  end
  finish_record(record)
end)

-- What it costs to go where: the ground, roads, bridges and off-map moves by side and kind of unit.
local profile_by = query("profile-of", {
  rule = { "6.move.e", "6.roads.a", "6.roads.b", "6.roads.c", "6.rivers.b", "6.bridges.a", "6.warsaw.a", "6.warsaw.c", "6.offmap.b", "6.offmap.c", "18.roll.c" },
}, function(side, mobile)
  local name = side .. (mobile and "-mobile" or "-foot")
  if side == "soviet" then return effect "guides" and name .. "-guided" or name end
  return game.bridge_cost > 0 and name .. "-" .. game.bridge_cost or name
end)

local function profile_of(unit)
  return unit.train and "train" or profile_by(unit.side, is_mobile(unit))
end

-- The same without roads.
ground_of = query("ground-of", { rule = "20.events.c" }, function(unit)
  local name = is_mobile(unit) and "mobile-ground" or "foot-ground"
  return unit.side == "soviet" and effect "guides" and name .. "-guided" or name
end)

-- Places that a unit cannot enter: enemies, and for reserves called up off the map every other entry point (17.reinf.f).
local function closed_to(unit)
  local foes = standing(enemy(unit.side))
  return unit.called and unit.space.owner and foes:plus(off_map():minus{ unit.space }) or foes
end

-- What an enemy ZOC costs to enter; the train pays nothing.
zoc_toll = query("zoc-toll", { rule = { "6.zoc.b", "6.zoc.e", "6.zoc.f", "13.train.b" } }, function(unit)
  return unit.train and 0 or value "zoc".cost
end)

-- What the kernel must know of a leg. The minimum move of one hex is for those that have not moved (`fresh`), not out of Warsaw.
local function rules_of_leg(unit, points, fresh, full, between)
  local danger_zone = zoc(enemy(unit.side))
  return {
    profile = profile_of(unit), from = unit.space, points = points,
    blocked = closed_to(unit), stop = danger_zone, enter = { { danger_zone, zoc_toll(unit) } },
    no_end = full,
    one_step = fresh and not unit.space.city and not unit.train,
    barrier = game.no_move and { "bridge" } or nil,
    between = between,
  }
end

-- Where these rules let a unit get to, where Demolition has cut a road as well.
local function range_of(unit, points, fresh, full)
  local cut = cut_roads()
  if #cut == 0 then return reach(rules_of_leg(unit, points, fresh, full)) end
  local around_it = reach(rules_of_leg(unit, points, fresh, full, { cut, "never" }))
  return reach(rules_of_leg(unit, points, fresh, full, { cut, detour(unit, around_it) }))
end

-- Where a unit can go with these halves; where a full hex is passed, not entered to stay.
leg = query("leg", {
  rule = { "6.move.c", "6.move.e", "6.move.f", "6.move.h", "6.zoc.c", "6.warsaw.b", "6.offmap.f", "6.offmap.g", "7.stack.b", "7.stack.c", "7.stack.d", "13.train.b", "13.train.h", "17.reinf.f" },
}, function(unit, points, fresh)
  return range_of(unit, points, fresh, crowded_for(unit))
end)

-- The same for a Kampfgruppe: three units find room in an empty hex only.
group_leg = query("group-leg", { rule = { "7.kg.b", "7.stack.b", "6.move.e" } }, function(lead, points, fresh)
  return range_of(lead, points, fresh, standing(lead.side))
end)

-- What a step from one hex to the next costs by these rules, or nil.
local function step_cost(profile, from, to)
  return reach{ profile = profile, from = from, points = value "demolition".most, steps = 1 }:cost(to)
end

-- What the crossing costs more where Demolition has cut the roads: ground and river instead of the road. One crosses from the end that is
-- reached first without it.
function detour(unit, around_it)
  local from, to = game.cut_from, game.cut_to
  local near, far = around_it:cost(from), around_it:cost(to)
  if far and (not near or far < near) then from, to = to, from end
  local ground = not unit.train and step_cost(ground_of(unit), from, to)
  return ground and ground - step_cost(profile_of(unit), from, to) or "never"
end

local function leg_of(ask, fresh)
  local find = ask.grouped and group_leg or leg
  return find(ask.lead, ask.march.points, fresh)
end

-- Groups go over the bridges, or by option do not.
local function shut_for(ask)
  return ask.grouped and not option "groups-over-bridges" and nowhere():plus{ warsaw() } or nowhere()
end

offer("march", "go", {
  rule = { "6.move.d", "6.zoc.c", "6.zoc.g", "6.offmap.e", "17.reinf.b", "17.reinf.d" }, run = "march.go",
  among = function(side, ask)
    if ask.march.stopped then return nowhere() end
    return leg_of(ask, not ask.march.moved).spaces:minus(shut_for(ask))
  end,
})

-- Whether a step to a box would take all points: then it may be a minimum move, which costs what there is.
local function spends_all(ask)
  local range, points = leg_of(ask, true), ask.march.points
  return off_map():both(range.spaces):any(function(box) return range:cost(box) == points end)
end

-- The minimum move is for hexes: bridges and off-map moves need their whole cost.
forbid_all("march", "full-cost", { rule = { "6.move.h", "6.offmap.d" }, offer = "go" }, function(ask)
  if ask.march.moved or not (ask.place.off_map or ask.place.praga) or not spends_all(ask) then return nowhere() end
  return off_map():minus(leg_of(ask, false).spaces), no("full-cost")
end)

-- What a leg takes from the points of the march, for all to see on the unit that leads it.
pay = procedure("pay", { rule = { "6.move.e", "6.move.h", "6.offmap.e", "6.roads.d" } }, function(record, cost, to)
  local lead = record.units:first()
  record.points = record.points - cost
  lead.left = record.points
  log("marches", lead, to, points_text(cost), points_text(record.points))
end)

procedure("march.go", { rule = { "6.move.e", "6.zoc.b", "6.zoc.c", "6.zoc.g", "6.break.l" } }, function(to, side, ask)
  local record = ask.march
  local range = leg_of(ask, not record.moved)
  local barred = #beside_trains(enemy(side)) > 0 and pass_trains(record, range:path(to))
  pay(record, range:cost(barred or to), barred or to)
  if barred then
    record.moved = true
    return
  end
  for _, unit in ipairs(record.units) do relocate(unit, to) end
  arrive_at(record, to)
end)

-- A train has no ZOC and stops nobody, but may slip away from whoever comes along beside it. Where it slips into the way ahead, the move is
-- interrupted there, and can go on elsewhere; not into that of a mover that is passing a full hex and cannot stay (our reading).
-- Returns the hex of the interruption.
pass_trains = procedure("pass-trains", { rule = { "13.train.c", "13.train.d" } }, function(record, way)
  local lead = record.units:first()
  local foe = enemy(lead.side)
  for i = 2, #way - 1 do
    local hex = way[i]
    if beside_trains(foe):has(hex) then
      local ahead = nowhere():plus(way):minus(nowhere():plus(way):take(i))
      for _, unit in ipairs(record.units) do relocate(unit, hex) end
      break_contact(foe, hex, crowded_for(lead):has(hex) and ahead or nowhere())
      if #ahead:both(standing(foe)) > 0 then return hex end
    end
  end
end)

beside_trains = query("beside-trains", { rule = "13.train.c" }, function(side)
  return around(units_of(side):filter{ train = true }:spaces(), off_hexes)
end)

-- A unit that stops of its own will is done, except to enter from a box or to cross at Józefów; one that stops beside the enemy may go on
-- if no ZOC holds it.
arrive_at = procedure("arrive-at", { rule = { "6.zoc.c", "6.zoc.g", "6.break.c", "6.break.e", "6.break.l" } }, function(record, to)
  local unit = record.units:first()
  local foe = enemy(unit.side)
  record.moved = true
  record.stopped = true
  if not beside(foe):has(to) then return end
  break_contact(foe, to, nowhere())
  if not zoc(foe):has(to) then
    record.stopped = false
  elseif unit.slips then
    unit.slips = false
    record.stopped = false
  end
end)

-- The bridge near Józefów: one way to Warsaw, at its full cost, until the end of the turn of first use.
offer("march", "cross", {
  rule = { "6.bridges.f", "6.bridges.g", "6.bridges.h" }, side = "german", run = "march.cross",
  when = function(side, ask)
    return ask.place.jozefow and not ask.lead.train and not game.bridge_blown
      and ask.march.points >= value "jozefow".cost and not (ask.march.stopped and zoc "soviet":has(ask.place))
  end,
})

procedure("march.cross", { rule = { "6.bridges.f", "6.bridges.h", "6.rivers.c", "6.bridges.g" } }, function(_, side, ask)
  local record = ask.march
  pay(record, value "jozefow".cost, warsaw())
  for _, unit in ipairs(record.units) do relocate(unit, warsaw()) end
  record.moved = true
  record.stopped = false
  game.bridge_used = true
end)

procedure("blow-bridge", { rule = { "6.bridges.h", "5.end.a" } }, function()
  if game.bridge_used and not game.bridge_blown then game.bridge_blown = true end
end)

-- Where all entry hexes are in enemy hands, the nearest free hex serves (17.reinf.c).
nearest_free = query("nearest-free", { rule = "17.reinf.c" }, function(box, side)
  local door = around{ box }:filter{ kind = "hex" }
  local foes = standing(enemy(side))
  if #door == 0 or #door:minus(foes) > 0 then return nowhere() end
  local found = door
  repeat
    found = around(found, off_hexes):plus(found)
    local free = found:minus(foes)
  until #free > 0
  return found:minus(foes)
end)

-- What it costs to enter there: the ground, and an enemy ZOC.
local function entry_price(side, hex)
  return lookup("terrain", hex.terrain, "cost") + (zoc(enemy(side)):has(hex) and value "zoc".cost or 0)
end

offer("march", "enter", {
  rule = "17.reinf.c", run = "march.enter",
  when = function(side, ask) return ask.place.owner ~= nil end,
  among = function(side, ask)
    local free = nearest_free(ask.place, side):minus(crowded_for(ask.lead)):minus(prohibited(ask.lead))
    local march = ask.march
    return march.moved and free:filter(function(hex) return entry_price(side, hex) <= march.points end) or free
  end,
})

procedure("march.enter", { rule = { "17.reinf.c", "17.reinf.d" } }, function(to, side, ask)
  local record = ask.march
  pay(record, math.min(entry_price(side, to), record.points), to)
  for _, unit in ipairs(record.units) do relocate(unit, to) end
  arrive_at(record, to)
end)

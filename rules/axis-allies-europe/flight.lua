-- How far aircraft fly, where land is for them to come down on, and where carriers could be for them.

-- Where nobody flies: areas that are not in play, and neutral states unless an army has opened them.
closed_skies = query("closed-skies", { rule = { "learning.1", "board.12", "noncombat.15" } }, function()
  local outside = spaces { closed = true }
  return option "neutrals" == "enemy" and outside or outside:plus(untaken_neutrals())
end)

-- Every space within so many steps by air of some spaces.
function air_around(list, steps) return flood { from = list, over = "air", steps = steps, blocked = closed_skies() } end

air_range = query("air-range", { rule = { "board.12", "board.14", "board.19", "board.20", "noncombat.15", "board.6" } }, function(from, steps)
  return air_around({ from }, steps)
end)

-- Every space from which a friendly landing ground can be reached in so many steps.
home_range = query("home-range", { rule = { "cmove.12", "noncombat.1", "noncombat.13", "noncombat.14" } }, function(team, steps)
  return air_around(secure_land(team), steps)
end)

-- Fewest steps by air, or nil beyond `most`.
function air_steps(from, to, most)
  for n = 0, most do
    if air_range(from, n):has(to) then return n end
  end
end

-- Enemy territories whose AA guns fire at what passes over them.
flak_land = query("flak-land", { rule = { "cmove.13", "unit-aa.3" } }, function(team)
  return all_spaces(sides, "guns"):both(hostile_land(team))
end)

-- What an aircraft can still fly this turn.
function fuel(unit) return unit.speed - unit.spent end

-- Aircraft types, and those of them that come down on decks.
air_kinds, deck_kinds = {}, {}
for _, kind in ipairs(rows "unit") do
  if row(kind).domain == "air" then
    air_kinds[#air_kinds + 1] = kind
    deck_kinds[kind] = row(kind).tags:has "lands-on-carrier"
  end
end

-- Carriers of a power and its allies.
carriers = query("carriers", { rule = "unit-cv.2" }, function(side)
  local list = nowhere()
  for _, ally in ipairs(friends(side)) do list = list:plus(carriers_of(ally)) end
  return list
end)

-- Room on a carrier's deck, not counting fighters that took off and are still in the air.
function deck_room(carrier) return carrier.deck - #carrier.cargo end
function open_decks(side) return carriers(side):filter(function(carrier) return deck_room(carrier) > 0 end) end

-- Enemy waters where nobody of this power will fight: what lies behind stays closed.
local closed_to_carriers = query("closed-to-carriers", { rule = "unit-ftr.6" }, function(side)
  return enemy_waters(side):minus(force_of(side):spaces())
end)

-- The zones in which a carrier could be when the fighters come home, in the combat move: it may still sail into a battle, or follow in
-- part 4 through zones that are free or will be fought over.
berths = query("berths", { rule = { "unit-cv.3", "unit-ftr.6", "unit-cv.7" } }, function(side, carrier)
  local here = carrier.space
  if carrier.side ~= side or carrier.used then return spaces { kind = "area" }:both { here } end
  local zones = war_waters(side, here, carrier.speed - carrier.spent):plus { here }
  if carrier.spent > 0 then return enemy_waters(side):has(here) and zones:both { here } or zones end
  return zones:plus(flood { from = { here }, over = "sea", steps = carrier.speed, blocked = closed_to_carriers(side) })
end)

-- All zones in which some carrier of the team could be.
deck_waters = query("deck-waters", { rule = "unit-ftr.6" }, function(side)
  local zones = nowhere()
  for _, carrier in ipairs(carriers(side)) do zones = zones:plus(berths(side, carrier)) end
  return zones
end)

-- Where a carrier could still be in part 4.
late_berths = query("late-berths", { rule = { "unit-cv.3", "unit-cv.7" } }, function(side, carrier)
  local here = carrier.space
  if carrier.side ~= side or carrier.used then return spaces { kind = "area" }:both { here } end
  return peace_waters(side, here, carrier.speed - carrier.spent):plus { here }
end)

-- Fighters in the air that have no land in reach: they count on a deck.
awaiting = query("awaiting", { rule = { "unit-ftr.6", "unit-ftr.7" } }, function(side)
  return aircraft_of(side):filter { airborne = true, has = "lands-on-carrier" }:filter(function(unit)
    return not home_range(team(side), fuel(unit)):has(unit.space)
  end)
end)

-- How far aircraft fly, where they can land, and whether all that are in the air still can.

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
local late_berths = query("late-berths", { rule = { "unit-cv.3", "unit-cv.7" } }, function(side, carrier)
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

-- The different things that a deck can do: each entry has the flights, by number, that reach it in one of its zones; one has none.
local function services(flights, deck)
  local found = { [""] = {} }
  for _, zone in ipairs(deck.zones) do
    local served, key = {}, ""
    for f, flight in ipairs(flights) do
      if air_range(flight.from, flight.rest):has(zone) then
        served[f] = true
        key = key .. f .. " "
      end
    end
    found[key] = served
  end
  return found
end

-- How many flights find a deck if each deck serves those of `plan`. They are matched, so that none takes a deck that only another reaches.
local function landings(flights, decks, plan)
  local lucky = {}
  local function choices(f)
    local list = {}
    for d = 1, #decks do
      if plan[d][f] then list[#list + 1] = d end
    end
    return list
  end
  for f = 1, #flights do
    lucky[#lucky + 1] = f
    if not match(lucky, choices, function(d) return decks[d].room end) then lucky[#lucky] = nil end
  end
  return #lucky
end

-- How many of some flights { from = space, rest = movement left } find a deck at best. `decks` are { zones = where it can be, room = for how
-- many }; each will be in one zone only, so all plans are tried.
local function most_landings(flights, decks)
  local options, best = {}, 0
  for d, deck in ipairs(decks) do options[d] = services(flights, deck) end
  local function try(d, plan)
    if d > #decks then
      best = math.max(best, landings(flights, decks, plan))
      return
    end
    for _, served in pairs(options[d]) do
      plan[d] = served
      try(d + 1, plan)
    end
  end
  try(1, {})
  return best
end

-- The decks of a team as they could be. `changed[carrier]` says where one would be instead, `more[carrier]` how much more room it would have.
local function decks_of(side, peaceful, changed, more)
  local list = {}
  for _, carrier in ipairs(carriers(side)) do
    local zones = changed[carrier] or (peaceful and late_berths or berths)(side, carrier)
    list[#list + 1] = { zones = zones, room = deck_room(carrier) + (more[carrier] or 0) }
  end
  return list
end

local function flights_of(units)
  local list = {}
  for i, unit in ipairs(units) do list[i] = { from = unit.space, rest = fuel(unit) } end
  return list
end

-- How many of `wing`, in its order, could land on carriers after flying to `to` with `rest` movement left, besides those in the air
-- already that count on a deck. Those that take off from a deck leave room behind.
function carrier_landings(side, to, rest, wing)
  local flights, more = flights_of(awaiting(side)), {}
  local before = #flights
  for i, unit in ipairs(wing) do
    flights[before + i] = { from = to, rest = rest }
    if is_carrier(unit.place) then more[unit.place] = (more[unit.place] or 0) + 1 end
    if most_landings(flights, decks_of(side, false, {}, more)) < before + i then return i - 1 end
  end
  return #wing
end

-- Where a carrier could still be after sailing to a zone.
local function berths_after(side, carrier, to, peaceful)
  local zone = spaces { kind = "area" }:both { to }
  local left = carrier.speed - carrier.spent - air_steps(carrier.space, to, carrier.speed)
  if not peaceful and enemy_waters(side):has(to) then return zone end
  return zone:plus(peaceful and peace_waters(side, to, left) or war_waters(side, to, left))
end

-- Do as many fighters in the air find a deck after these carriers have sailed to a zone as before?
function keeps_promises(side, fleet, to, peaceful)
  local waiting, changed = awaiting(side), {}
  for _, carrier in ipairs(fleet) do changed[carrier] = berths_after(side, carrier, to, peaceful) end
  return most_landings(flights_of(waiting), decks_of(side, peaceful, changed, {})) == most_landings(flights_of(waiting), decks_of(side, peaceful, {}, {}))
end

-- The zones of a list to which a carrier cannot sail without stranding a fighter.
function broken_promises(side, carrier, zones, peaceful)
  if #awaiting(side) == 0 then return nowhere() end
  return zones:filter(function(to) return not keeps_promises(side, carriers(side):both { carrier }, to, peaceful) end):spaces()
end

-- Would a fighter that comes down on this deck take it from another that has no other place? The carrier does not sail any more either.
function takes_last_deck(side, unit, carrier)
  local waiting = awaiting(side)
  local others = waiting:minus { unit }
  if #others == 0 then return false end
  local here = { [carrier] = spaces { kind = "area" }:both { carrier.space } }
  local after = most_landings(flights_of(others), decks_of(side, true, here, { [carrier] = -1 })) + #waiting - #others
  return after < most_landings(flights_of(waiting), decks_of(side, true, {}, {}))
end

-- Is there a fighter that only a carrier which has yet to sail can save?
function carrier_must_sail(side)
  local waiting, still = awaiting(side), {}
  if #waiting == 0 then return false end
  for _, carrier in ipairs(carriers(side)) do still[carrier] = spaces { kind = "area" }:both { carrier.space } end
  return most_landings(flights_of(waiting), decks_of(side, true, still, {})) < most_landings(flights_of(waiting), decks_of(side, true, {}, {}))
end

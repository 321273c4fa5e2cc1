-- Fighters that count on a deck: how many of them find one, wherever the carriers still may go.

-- Flights of aircraft that have the same way to go: { from, rest = movement left, n = how many }.
local function flights_of(units)
  local list, known = {}, {}
  for _, unit in ipairs(units) do
    local from, rest = unit.space, fuel(unit)
    local key = from.id .. " " .. rest
    if known[key] then
      known[key].n = known[key].n + 1
    else
      known[key] = { from = from, rest = rest, n = 1 }
      list[#list + 1] = known[key]
    end
  end
  return list
end

-- The sets of flights that a deck could serve, each from one of its zones: as bits, and none that is part of another.
local function services(ranges, zones)
  local near_by, found = {}, {}
  for f, range in ipairs(ranges) do
    local here = zones:both(range)
    if #here > 0 then near_by[#near_by + 1] = { bit = 1 << (f - 1), zones = here } end
  end
  if #near_by == 0 then return found end
  if #near_by == 1 then return { near_by[1].bit } end
  local known = {}
  for _, zone in ipairs(zones) do
    local served = 0
    for _, flight in ipairs(near_by) do
      if flight.zones:has(zone) then served = served | flight.bit end
    end
    if served > 0 and not known[served] then
      known[served] = true
      found[#found + 1] = served
    end
  end
  local widest = {}
  for _, set in ipairs(found) do
    local part = false
    for _, other in ipairs(found) do part = part or other ~= set and set & other == set end
    if not part then widest[#widest + 1] = set end
  end
  return widest
end

-- Decks as { sets, room }, only those of use; and how many flights, at most, all of them together could take.
local function useful(flights, decks)
  local ranges, list, space, wanted, all = {}, {}, 0, 0, 0
  for f, flight in ipairs(flights) do ranges[f] = air_range(flight.from, flight.rest) end
  for _, deck in ipairs(decks) do
    local sets = deck.room > 0 and services(ranges, deck.zones) or {}
    if #sets > 0 then
      list[#list + 1] = { sets = sets, room = deck.room }
      space = space + deck.room
      for _, set in ipairs(sets) do all = all | set end
    end
  end
  for f, flight in ipairs(flights) do
    if all & 1 << (f - 1) ~= 0 then wanted = wanted + flight.n end
  end
  return list, math.min(space, wanted)
end

-- How many of some flights find a deck at best. `decks` are { zones = where it can be, room = for how many }; each will be in one zone
-- only. Deck after deck, every way to fill it is tried; what is left to the decks after it is worked out once for each rest of flights.
local function most_landings(flights, decks)
  local list, most = useful(flights, decks)
  local left, memo = {}, {}
  for f, flight in ipairs(flights) do left[f] = flight.n end

  ---@type fun(d: integer): integer
  local from_deck
  -- Fills the rest of deck `d` from the flights of `set` that come after number `f`.
  ---@return integer
  local function fill(d, set, f, room)
    local best = 0
    if room > 0 then
      for g = f, #left do
        if left[g] > 0 and set & 1 << (g - 1) ~= 0 then
          left[g] = left[g] - 1
          best = math.max(best, 1 + fill(d, set, g, room - 1))
          left[g] = left[g] + 1
          if best >= most then return best end
        end
      end
    end
    return best > 0 and best or from_deck(d + 1)
  end

  function from_deck(d)
    if d > #list then return 0 end
    local key = d .. ":" .. table.concat(left, " ")
    if not memo[key] then
      local best = 0
      for _, set in ipairs(list[d].sets) do
        if best < most then best = math.max(best, fill(d, set, 1, list[d].room)) end
      end
      memo[key] = best
    end
    return memo[key]
  end
  return most == 0 and 0 or from_deck(1)
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

-- How many of `wing`, in its order, could land on carriers after flying to `to` with `rest` movement left, besides those in the air
-- already that count on a deck. Those that take off from a deck leave room behind.
function carrier_landings(side, to, rest, wing)
  local flights = flights_of(awaiting(side))
  local before = #awaiting(side)
  local new = { from = to, rest = rest, n = 0 }
  flights[#flights + 1] = new
  local function all_land(n)
    local more = {}
    for _, unit in ipairs(wing:take(n)) do
      if is_carrier(unit.place) then more[unit.place] = (more[unit.place] or 0) + 1 end
    end
    new.n = n
    return most_landings(flights, decks_of(side, false, {}, more)) == before + n
  end
  if all_land(#wing) then return #wing end
  for n = 1, #wing - 1 do
    if not all_land(n) then return n - 1 end
  end
  return #wing - 1
end

-- How many of those in the air that count on a deck find one.
local promised = query("promised", { rule = "unit-ftr.6" }, function(side, peaceful)
  return most_landings(flights_of(awaiting(side)), decks_of(side, peaceful, {}, {}))
end)

-- Would they all the same if this carrier were gone?
local spared = query("spared", { rule = "unit-ftr.6" }, function(side, carrier, peaceful)
  return most_landings(flights_of(awaiting(side)), decks_of(side, peaceful, { [carrier] = nowhere() }, {})) == promised(side, peaceful)
end)

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
  if #waiting == 0 or #fleet == 0 then return true end
  for _, carrier in ipairs(fleet) do changed[carrier] = berths_after(side, carrier, to, peaceful) end
  return most_landings(flights_of(waiting), decks_of(side, peaceful, changed, {})) == promised(side, peaceful)
end

-- The zones of a list to which a carrier cannot sail without stranding a fighter.
function broken_promises(side, carrier, zones, peaceful)
  if #awaiting(side) == 0 or spared(side, carrier, peaceful) then return nowhere() end
  return zones:filter(function(to) return not keeps_promises(side, carriers(side):both { carrier }, to, peaceful) end):spaces()
end

-- Would a fighter that comes down on this deck take it from another that has no other place? The carrier does not sail any more either.
function takes_last_deck(side, unit, carrier)
  local waiting = awaiting(side)
  local others = waiting:minus { unit }
  if #others == 0 then return false end
  local here = { [carrier] = spaces { kind = "area" }:both { carrier.space } }
  local after = most_landings(flights_of(others), decks_of(side, true, here, { [carrier] = -1 })) + #waiting - #others
  return after < promised(side, true)
end

-- Is there a fighter that only a carrier which has yet to sail can save?
function carrier_must_sail(side)
  local waiting, still = awaiting(side), {}
  if #waiting == 0 then return false end
  for _, carrier in ipairs(carriers(side)) do still[carrier] = spaces { kind = "area" }:both { carrier.space } end
  return most_landings(flights_of(waiting), decks_of(side, true, still, {})) < promised(side, true)
end

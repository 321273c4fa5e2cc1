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

-- Room on a carrier's deck, not counting fighters that took off and are still in the air.
function deck_room(carrier) return carrier.deck - #carrier.cargo end

-- The zones a carrier could be in when the fighters come home. The power's own may still sail in the non-combat move unless they
-- have moved, through zones that are free or will be fought over.
berths = query("berths", { rule = { "unit-cv.3", "unit-ftr.6" } }, function(side, carrier)
  if carrier.side ~= side or carrier.used or carrier.spent > 0 then return flood { from = { carrier.space }, over = "sea", steps = 0 } end
  local foe_held = enemy_waters(side):minus(pieces { side = side, on_map = true }:spaces())
  return flood { from = { carrier.space }, over = "sea", steps = carrier.speed, blocked = foe_held }
end)

-- Carriers of the power and of its team, and those with room on deck.
own_carriers = query("own-carriers", { rule = "unit-cv.2" }, function(side) return ships_of(side):filter { type = "carrier" } end)
carriers = query("carriers", { rule = "unit-cv.2" }, function(side)
  local list = nowhere()
  for _, ally in ipairs(friends(side)) do list = list:plus(own_carriers(ally)) end
  return list
end)

function open_decks(side) return carriers(side):filter(function(carrier) return deck_room(carrier) > 0 end) end

-- Carriers that a fighter at `space` could meet with `rest` movement left.
local function meeting(side, space, rest)
  local range = air_range(space, rest)
  return carriers(side):filter(function(carrier) return #berths(side, carrier):both(range) > 0 end)
end

-- How many of `n` fighters could land on carriers after flying to `to` with `rest` movement left, besides those in the air already
-- that have no land in reach. Carriers are matched to fighters, two to each; those that take off from `home` leave room behind.
function carrier_landings(side, to, rest, n, home)
  local function berth(carrier) return deck_room(carrier) + (carrier == home and n or 0) end
  local choices = {}
  for _, unit in ipairs(pieces { side = side, airborne = true, type = "fighter" }) do
    if not home_range(team(side), fuel(unit)):has(unit.space) then choices[#choices + 1] = meeting(side, unit.space, fuel(unit)) end
  end
  local new = meeting(side, to, rest)
  local fighters = {}
  for i = 1, #choices do fighters[i] = i end
  for i = 1, n do
    fighters[#fighters + 1] = #fighters + 1
    choices[#fighters] = new
    if not match(fighters, function(f) return choices[f] end, berth) then return i - 1 end
  end
  return n
end

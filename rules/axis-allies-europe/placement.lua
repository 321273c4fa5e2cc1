-- Part 5: bought units enter play at complexes held since the start of the turn.

-- Complexes the power may use now.
plants = query("plants", { rule = { "outside.5", "place.1", "place.2", "place.9", "npc.7", "unit-ic.3", "unit-ic.4", "learning.6" } }, function(side)
  local held = secure_land(team(side))
  local list = controlled(complexes_of(side):spaces():both(held), side)
  local entry = entry_area(side)
  if entry and held:has(entry) then list = list:plus { entry } end
  return list
end)

-- How many units a complex can still take; nil = any number.
local function capacity_left(side, space)
  if space == entry_area(side) then return value "middle-entry-limit" - space.placed end
  local home = space.owner == side
  if option "original-complex" == "held-without-break" then home = home and not space.lost end
  if home and option "placement-limit" == "captured-only" then return nil end
  return space.ipc - space.placed
end

local function usable(side, space)
  local left = capacity_left(side, space)
  return not left or left > 0
end

-- A complex serves its own territory, or for ships the sea zones beside it.
local function serves(plant, space, domain)
  if domain == "sea" then return coast(plant):has(space) end
  return plant == space
end

-- The complex that brings a unit to `space`: rather one without limit.
local function source(side, space, kind)
  local best
  for _, plant in ipairs(plants(side)) do
    if usable(side, plant) and serves(plant, space, row(kind).domain) and (not best or capacity_left(side, best)) then best = plant end
  end
  return best
end

local sites = query("sites", { rule = { "place.1", "place.3", "place.4", "place.5", "place.8" } }, function(side, domain)
  local list = plants(side):filter(function(plant) return usable(side, plant) end):spaces()
  return domain == "sea" and beside(list):filter { ground = "sea", closed = false } or list
end)

-- A complex, if the variant lets one be bought, may stand in any own territory without one.
local function building_sites(side)
  return controlled(secure_land(team(side)), side):minus(complexes_of(side):spaces())
end

local function place_sites(side, kind)
  return row(kind).tags:has "industry" and building_sites(side) or sites(side, row(kind).domain)
end

local function placeable(side)
  local types = {}
  for _, kind in ipairs(types_in(pieces { at = pools(side) })) do
    if #place_sites(side, kind) > 0 then types[#types + 1] = kind end
  end
  return types
end

-- Everything that finds a place is placed.
procedure("place", { rule = { "place.1", "place.4", "place.7", "place.8", "place.10", "buy.5" } }, function()
  local side = game.active
  local types = placeable(side)
  local kind = #types > 0 and ask(side, "place.type", { among = types }) or nil
  if not kind then
    call("place.rest", side)
    return "done"
  end
  local to = ask(side, "place.where", { among = place_sites(side, kind), kind = kind })
  local plant = not row(kind).tags:has "industry" and source(side, to, kind) or nil
  local units = pieces { at = pools(side), type = kind }
  local left = plant and capacity_left(side, plant) or #units
  local n = ask(side, "place.count", { from = 1, to = left < #units and left or #units, kind = kind })
  for i = 1, n do move(units[i], to) end
  log("placed", side, number_of(n, kind), to)
  if plant then plant.placed = plant.placed + n end
end)

-- Units that found no place are kept for a later turn, in our reading.
procedure("place.rest", { rule = "place.10" }, function(side)
  local rest = option "unplaceable-units"
  if rest == "keep" then return end
  for _, unit in ipairs(pieces { at = pools(side) }) do
    if rest == "refund" then sides[side].ipc = sides[side].ipc + price(unit.type) end
    destroy(unit)
  end
end)

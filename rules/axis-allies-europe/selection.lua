-- Choosing some of several pieces by type and number: `infantry*2 tank`. Pieces that are alike are one item.

-- In what pieces may differ so that it matters which one is meant: when they move, and when they are lost.
local MOVING = { land = { "side", "type", "place" }, air = { "side", "type", "spent", "place" }, sea = { "side", "type", "spent", "fled" } }
local FIGHTING = { land = { "side", "type" }, air = { "side", "type", "spent", "place" }, sea = { "side", "type", "damaged" } }

local function laden(ship) return #ship.cargo > 0 end

-- One of each sort of a list. Ships with somebody aboard are each of a sort of their own.
local function one_of_each(list, marks)
  local domains = list:distinct("domain"):map "domain"
  local found = nowhere()
  for _, domain in ipairs(domains) do
    local these = #domains == 1 and list or list:filter { domain = domain }
    if domain == "sea" then
      local full = these:filter(laden)
      found, these = found:plus(full), these:minus(full)
    end
    found = found:plus(these:distinct(table.unpack(marks[domain])))
  end
  return found
end

function sorts(list) return one_of_each(list, MOVING) end

-- Those of a list that are of the same sort as one of it.
local function alike(list, unit, marks)
  if unit.domain == "sea" and laden(unit) then return list:both { unit } end
  local same = {}
  for _, mark in ipairs(marks[unit.domain]) do same[mark] = unit[mark] end
  local found = list:filter(same)
  return unit.domain == "sea" and found:minus(found:filter(laden)) or found
end

function same_sort(list, unit) return alike(list, unit, MOVING) end

-- The items of a choice. A sort goes by its type, unless the list has several sorts of that type: then by one of its pieces.
local function items_of(list, marks)
  local sample = one_of_each(list, marks)
  local number, items = {}, {}
  for _, unit in ipairs(sample) do number[unit.type] = (number[unit.type] or 0) + 1 end
  for i, unit in ipairs(sample) do items[i] = number[unit.type] == 1 and unit.type or unit end
  return items
end

-- The pieces that an item stands for.
local function members(list, marks, item)
  return type(item) == "string" and list:filter { type = item } or alike(list, item, marks)
end

-- The printed value of an item.
function printed(item) return type(item) == "string" and row(item) or item end

-- The pieces that a basket means.
local function first_of(list, marks, basket)
  local found = nowhere()
  for _, line in ipairs(basket) do found = found:plus(members(list, marks, line[1]):take(line[2])) end
  return found
end

-- Asks `side` for a basket over a list, by `how` (choose, or an agreement). What can be chosen is worked out only when it is really asked.
local function fill(side, prompt, list, ask, marks, weight, how)
  if ask.min == ask.max and #types_in(list) == 1 and #one_of_each(list, marks) == 1 then return { { list[1].type, ask.min } } end
  ask.among, ask.many = function() return items_of(list, marks) end, true
  ask.limit = function(item)
    local those = members(list, marks, item)
    return weight and those:sum(weight) or #those
  end
  local test = ask.test
  if test then ask.test = function(basket) return test(first_of(list, marks, basket)) end end
  return how(side, prompt, ask)
end

-- Some pieces of the list that are to move, at least one unless `least` says otherwise.
function pick_some(side, prompt, list, ask, least)
  ask.min = least or 1
  return first_of(list, MOVING, fill(side, prompt, list, ask, MOVING, nil, choose))
end

-- `n` pieces of the list that are lost, or all if there are not so many.
function pick_units(side, prompt, list, n, ask)
  if n >= #list then return list end
  if n == 0 then return nowhere() end
  ask.min, ask.max = n, n
  return first_of(list, FIGHTING, fill(side, prompt, list, ask, FIGHTING, nil, choose))
end

-- Where `n` hits go: lines { units, n }; `weight` says how many a piece can take, `how` asks.
function place_hits(side, prompt, list, n, ask, weight, how)
  ask.min, ask.max = n, n
  local lines = {}
  for i, line in ipairs(fill(side, prompt, list, ask, FIGHTING, weight, how)) do
    lines[i] = { units = members(list, FIGHTING, line[1]), n = line[2] }
  end
  return lines
end

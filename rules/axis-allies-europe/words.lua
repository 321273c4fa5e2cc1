-- Forces, dice and losses in the words of the game, for the log and for questions.

local one, several = {}, {}
for _, kind in ipairs(rows "unit") do one[kind], several[kind] = row(kind).words[1], row(kind).words[2] end

-- "3 infantry", "1 tank".
function number_of(n, kind) return n .. " " .. (n == 1 and one[kind] or several[kind]) end

-- How many there are of each type.
function census(units)
  local count = {}
  for _, unit in ipairs(units) do count[unit.type] = (count[unit.type] or 0) + 1 end
  return count
end

local function list_of(units)
  local count, words = census(units), ""
  for _, kind in ipairs(kinds) do
    if count[kind] then words = words .. (words == "" and "" or ", ") .. number_of(count[kind], kind) end
  end
  return words
end

-- "3 infantry, 1 tank"; of several powers each with its name.
function words_for(units)
  if #units == 0 then return "nothing" end
  local owners = owners_of(units)
  if #owners == 1 then return list_of(units) end
  local words = ""
  for i, side in ipairs(owners) do words = words .. (i > 1 and "; " or "") .. sides[side].name .. ": " .. list_of(units:filter { side = side }) end
  return words
end

-- A basket as words: "2 infantry, 1 tank (Great Britain)".
function words_for_basket(basket)
  local words = ""
  for i, line in ipairs(basket) do
    local item, n = line[1], line[2]
    local thing = sides[item] and sides[item].name .. " " .. n or type(item) == "string" and number_of(n, item)
      or number_of(n, item.type) .. " (" .. sides[item.side].name .. ")"
    words = words .. (i > 1 and ", " or "") .. thing
  end
  return words
end

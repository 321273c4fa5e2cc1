-- 10.2 Strengths, ratio and column. Supply first, unit by unit; then each hex is added up and divided; then the ratio.

attack_strength = number("attack-strength", { rule = { "2.2e", "2.2f", "8.2a" }, stages = { "printed", "supply", "floor" } }, function(n, unit)
  n:add(unit.attack)
end)
modify("attack-strength", "unsupplied-attack", { rule = { "8.2b", "8.2d", "10.2b", "10.2c" }, stage = "supply" }, function(n, unit)
  n:add(lookup("supply", unit.supply, "attack"))
end)
modify("attack-strength", "attack-floor", { rule = { "8.2b", "8.2d" }, stage = "floor" }, function(n) n:at_least(0) end)

defence_strength = number("defence-strength", { rule = { "2.2e", "2.2f" }, stages = { "printed", "supply", "floor" } }, function(n, unit)
  n:add(unit.defence)
end)
modify("defence-strength", "isolated-defence", { rule = { "8.2b", "8.2d", "10.2c" }, stage = "supply" }, function(n, unit)
  n:add(lookup("supply", unit.supply, "defence"))
end)
modify("defence-strength", "defence-floor", { rule = "8.2d", stage = "floor" }, function(n) n:at_least(0) end)

-- By how much attacks over a hexside are divided.
river_divisor = query("river-divisor", { rule = "10.2a" }, function(from, target)
  for _, river in ipairs { "minor-river", "minor-bridge", "major-river", "major-bridge" } do
    if border(from, target):has(river) then return lookup("rivers", river, "divisor") end
  end
  return 1
end)

-- The attackers of one hex together: `sum` is what their strengths make.
number("hex-attack", { rule = { "1.3b", "10.2d" }, stages = { "sum", "river" } }, function(n, sum) n:add(sum) end)
modify("hex-attack", "across-a-river", { rule = { "10.2a", "1.3a" }, stage = "river" }, function(n, sum, from, target)
  n:divide_down(river_divisor(from, target))
end)

local function attack_of(unit) return evaluate("attack-strength", unit) end
local function defence_of(unit) return evaluate("defence-strength", unit) end
local function share_of(sum, from, target) return evaluate("hex-attack", sum, from, target) end

-- The attackers hex by hex; how strong one is and what a hex brings to bear, is for the caller to say.
local function add_up(units, target, strength, share)
  local sums, total = {}, 0
  for _, unit in ipairs(units) do
    local from = unit.space.id
    sums[from] = (sums[from] or 0) + strength(unit)
  end
  for from, sum in pairs(sums) do total = total + share(sum, space(from), target) end
  return total
end

function total_attack(units, target) return add_up(units, target, attack_of, share_of) end

-- Everything in the hex defends together.
function total_defence(target, side)
  local sum = 0
  for _, unit in ipairs(units_in(target, side)) do sum = sum + defence_of(unit) end
  return sum
end

-- The highest column that attack:defence reaches; 0 is less than one to one.
function ratio_column(attack, defence)
  local ratio, column = value "ratio", 0
  for i = 1, #ratio.numerator do
    if attack * ratio.denominator[i] >= ratio.numerator[i] * defence then column = i end
  end
  return column
end

-- A column by the name that the table prints over it.
function column_name(column) return value "ratio".names[column] or value "ratio".below end

-- For players who want to know a ratio before they declare.
-- allow rule-never-used: it answers a question and changes nothing; the cases of 10.2 put it
procedure("quote-odds", { rule = "10.2e" }, function(attack, defence) evaluate("ratio", attack, defence) end)

number("ratio", { rule = { "10.2e", "10.2f" }, stages = { "columns" } }, function(n, attack, defence) n:add(ratio_column(attack, defence)) end)

-- By how many columns a ratio is shifted, to the right if it is more than nothing.
number("shift", { rule = { "10.2g", "10.2j", "2.6b" }, stages = { "terrain", "air" } }, function(n) end)
modify("shift", "terrain-shift", { rule = { "10.2g", "10.2j", "2.6a" }, stage = "terrain" }, function(n, target)
  n:add(-lookup("terrain", target.terrain, "shift"))
end)
modify("shift", "city-shift", { rule = { "10.2g", "10.2j", "2.6a" }, stage = "terrain" }, function(n, target)
  if target.city then n:add(-lookup("terrain", target.city, "shift")) end
end)
modify("shift", "offensive-support", { rule = { "7.0f", "10.2h", "10.2j" }, stage = "air" }, function(n, target, markers)
  for _ = 1, markers and #markers:filter { air = "offensive" } or 0 do n:add(value "offensive-support".shift) end
end)

-- Ratios are capped before they are shifted, and again afterwards; against no defence nothing is shifted.
function shifted_column(attack, defence, shift)
  local last = columns "crt"
  if defence == 0 then return last end
  return math.min(ratio_column(attack, defence) + shift, last)
end

-- The same figures, remembered while nothing changes: for the many questions whether an attack would be allowed.
local known_attack = query("known-attack", { rule = "10.2k" }, attack_of)
local known_defence = query("known-defence", { rule = "10.2k" }, total_defence)
local known_share = query("known-share", { rule = "10.2k" }, share_of)
local known_shift = query("known-shift", { rule = "10.2k" }, function(target) return evaluate("shift", target) end)

-- What an attack would be before any air support: both strengths and the column.
function expected_odds(units, target, side)
  local attack, defence = add_up(units, target, known_attack, known_share), known_defence(target, side)
  return shifted_column(attack, defence, known_shift(target)), attack, defence
end

function strong_enough(units, target, side)
  return expected_odds(units, target, side) >= value "lowest-column".column
end

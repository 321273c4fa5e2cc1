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

local function sum_of(units, strength)
  local sum = 0
  for _, unit in ipairs(units) do sum = sum + strength(unit) end
  return sum
end

local function attack_of(unit) return evaluate("attack-strength", unit) end
local function defence_of(unit) return evaluate("defence-strength", unit) end

function total_attack(units, target)
  local total = 0
  for _, hex in ipairs(units:spaces()) do
    total = total + evaluate("hex-attack", sum_of(units:filter { at = hex }, attack_of), hex, target)
  end
  return total
end

-- Everything in the hex defends together.
function total_defence(target, side) return sum_of(units_in(target, side), defence_of) end

-- The same, remembered while nothing changes: for the many questions whether an attack would be allowed.
local known_attack = query("known-attack", { rule = "10.2k" }, attack_of)
local known_defence = query("known-defence", { rule = "10.2k" }, total_defence)
local known_share = query("known-share", { rule = "10.2k" }, function(sum, from, target) return evaluate("hex-attack", sum, from, target) end)
local known_column = query("known-column", { rule = "10.2k" }, function(attack, defence, target) return evaluate("column", attack, defence, target) end)

-- The highest column that attack:defence reaches; 0 is less than one to one.
function ratio_column(attack, defence)
  local ratio, column = value "ratio", 0
  for i = 1, #ratio.numerator do
    if attack * ratio.denominator[i] >= ratio.numerator[i] * defence then column = i end
  end
  return column
end

-- For players who want to know a ratio before they declare.
-- allow rule-never-used: it answers a question and changes nothing; the cases of 10.2 put it
procedure("quote-odds", { rule = "10.2e" }, function(attack, defence) evaluate("ratio", attack, defence) end)

number("ratio", { rule = { "10.2e", "10.2f" }, stages = { "columns" } }, function(n, attack, defence) n:add(ratio_column(attack, defence)) end)

number("column", { rule = { "10.2e", "10.2f", "10.2i", "2.6b" }, stages = { "ratio", "terrain", "zero", "air", "cap" } }, function(n, attack, defence)
  n:add(ratio_column(attack, defence))
end)
modify("column", "terrain-shift", { rule = { "10.2g", "10.2j", "2.6a" }, stage = "terrain" }, function(n, attack, defence, target)
  n:add(-lookup("terrain", target.terrain, "shift"))
  if target.city then n:add(-lookup("terrain", target.city, "shift")) end
end)
modify("column", "no-defence", { rule = "10.2m", stage = "zero" }, function(n, attack, defence)
  if defence == 0 then n:set(columns "crt") end
end)
modify("column", "offensive-support", { rule = { "7.0f", "10.2h", "10.2j" }, stage = "air" }, function(n, attack, defence, target, markers)
  for _ = 1, markers and #markers:filter { air = "offensive" } or 0 do n:add(value "offensive-support".shift) end
end)
modify("column", "last-column", { rule = "10.2l", stage = "cap" }, function(n) n:at_most(columns "crt") end)

local function expected_attack(units, target)
  local sums, total = {}, 0
  for _, unit in ipairs(units) do
    local from = unit.space.id
    sums[from] = (sums[from] or 0) + known_attack(unit)
  end
  for from, sum in pairs(sums) do total = total + known_share(sum, space(from), target) end
  return total
end

function strong_enough(units, target, side)
  return known_column(expected_attack(units, target), known_defence(target, side), target) >= value "lowest-column".column
end

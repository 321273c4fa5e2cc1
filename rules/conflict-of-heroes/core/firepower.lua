-- The attack value before the dice: firepower and its modifiers (7.1, 7.6, 9.1.2, 11.2, 20.1, 20.2).

number("attack.fp", { rule = { "7.1a", "7.1b", "7.1d", "15.0a" }, stages = { "sum" } }, function(n, a, target, colour)
  n:add(base_fp(a, colour))
end)

function base_fp(a, colour)
  if a.red then return a[colour] end
  return a.leader[colour]
end

local function direct(a) return a.leader and not a.red and a.kind ~= "barrage" end

modify("attack.fp", "hit-on-firer", { rule = { "7.4c", "8.2b", "7.4-h.suppressed", "15.2-h.suppressed" }, stage = "sum" }, function(n, a, target, colour)
  local hit = a.leader and a.kind ~= "barrage" and burden(a.leader)
  if hit then n:add(hit[colour == "red" and "red_change" or "blue_change"] or 0) end
end)

modify("attack.fp", "long-range", { rule = { "7.6.1a", "15.3a" }, stage = "sum" }, function(n, a)
  if direct(a) and a.leader.mode ~= "air" and distance(a.from, a.target) > range_of(a.leader) then n:add(value "long-range".fp) end
end)

modify("attack.fp", "short-range", { rule = { "7.6.2a", "8.2c", "15.3a", "20.0l" }, stage = "sum" }, function(n, a, target)
  if not direct(a) or a.kind == "indirect" or a.leader.mode == "air" then return end
  local far = distance(a.from, a.target)
  if far > value "short-range".distance or far == 0 and target.mode ~= "air" then return end
  n:add(value "short-range".fp)
end)

modify("attack.fp", "close-combat", { rule = { "7.6.3c", "15.3.3a", "8.2c" }, stage = "sum" }, function(n, a, target, colour)
  if a.kind ~= "close" or a.red then return end
  local boxed = a.leader[colour == "red" and "red_boxed" or "blue_boxed"]
  n:add(boxed and value "close-combat".boxed or value "close-combat".fp)
end)

modify("attack.fp", "from-above", { rule = { "11.2b", "11.5h", "12.0g", "12.3f", "20.2b" }, stage = "sum" }, function(n, a, target)
  if not a.leader or a.kind == "barrage" or a.kind == "close" then return end
  if a.leader.mode == "air" then
    if target.mode == "air" and a.leader.altitude > target.altitude then n:add(value "higher-shooter") end
    return
  end
  if target.mode == "air" then return end
  local from = a.spotter or a.from
  if from.height > a.target.height then n:add(value "higher-shooter") end
end)

modify("attack.fp", "supporters", { rule = { "9.1.2c", "9.1.2d" }, stage = "sum" }, function(n, a, target, colour)
  for _, unit in ipairs(a.group) do
    if unit ~= a.leader and (a.card or unit[colour] > 0 and a.leader[colour] > 0) then n:add(value "support") end
  end
end)

modify("attack.fp", "card-firepower", { rule = "card.09", stage = "sum" }, function(n, a)
  if a.boost then n:add(a.boost) end
end)

modify("attack.fp", "better-equipment", { rule = "card.v02", stage = "sum" }, function(n, a, target, colour)
  if direct(a) and a.leader[colour] > 0 and veteran(a.leader.side, "v02", a.leader) then n:add(row("v02").fp) end
end)

modify("attack.fp", "weapon-far", { rule = { "card.w-molotov", "8.2c" }, stage = "sum" }, function(n, a)
  if a.card and a.card.far_fp and a.from ~= a.target then n:add(a.card.far_fp) end
end)

modify("attack.fp", "altitude", { rule = { "20.1a", "20.4b" }, stage = "sum" }, function(n, a, target)
  if a.leader and a.leader.mode == "air" and target.mode ~= "air" then n:add(a.leader.altitude * value "air-altitude".fp) end
end)

modify("attack.fp", "air-range", { rule = { "20.2a", "20.4b" }, stage = "sum" }, function(n, a)
  if not (a.leader and a.leader.mode == "air") then return end
  local far = distance(a.from, a.target) - value "air-range".free
  if far > 0 then n:add(far * value "air-range".fp) end
end)

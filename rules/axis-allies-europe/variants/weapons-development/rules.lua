-- A part before the purchase: dice bought with money, a six develops something for good.

procedure("research", { rule = "weapons.1" }, function()
  local side = game.active
  local open = fields(side)
  local most = math.min(sides[side].ipc // value "research-price", value "research-dice")
  if capital_lost(side) or #open == 0 or most == 0 then return end
  local n = ask(side, "research.dice", { from = 0, to = most })
  sides[side].ipc = sides[side].ipc - n * value "research-price"
  for _, die in ipairs(rolls("research", n)) do
    if die >= value "research-success" then return call("research.done", side) end
  end
end)

-- What a power has not developed yet.
function fields(side)
  local list = {}
  for _, field in ipairs { "jets", "snorkels", "heavy" } do
    if not sides[side][field] then list[#list + 1] = field end
  end
  return list
end

procedure("research.done", { rule = "weapons.2" }, function(side)
  local field = ask(side, "research.field", { among = fields(side) })
  sides[side][field] = true
  log("developed", side, field)
end)

modify("defence", "jet-fighters", { rule = "weapons.3", stage = "support" }, function(n, kind, side)
  if kind == "fighter" and sides[side].jets then n:add(value "jet-bonus") end
end)

modify("attack", "snorkels", { rule = "weapons.4", stage = "support" }, function(n, kind, side)
  if kind == "submarine" and sides[side].snorkels then n:add(value "snorkel-bonus") end
end)

modify("attack", "heavy-bombers", { rule = "weapons.5", stage = "support" }, function(n, kind, side)
  if kind == "bomber" and sides[side].heavy then n:add(value "heavy-bonus") end
end)

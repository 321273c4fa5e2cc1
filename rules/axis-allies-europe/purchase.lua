-- Part 1: buying. Bought units wait in an open pool until part 5.

pools = query("pools", { rule = "buy.4" }, function(side) return spaces { pool = side }:first() end)

local not_sold = {}
for _, id in ipairs(rows "unit") do
  if row(id).unsold then not_sold[#not_sold + 1] = id end
end
local function unsold() return not_sold, no "not-for-sale" end

forbid_all("buy", "no-complexes-for-sale", { rule = { "diff.5", "unit-ic.2" }, without = "complex-for-sale" }, unsold)
forbid_all("advance.buy", "no-complexes-in-advance", { rule = "diff.5" }, unsold)

price = query("price", { rule = { "buy.2", "outside.1", "diff.1", "unit-inf.1", "unit-art.1", "unit-arm.1", "unit-ftr.1", "unit-bmb.1", "unit-bb.1", "unit-cv.1", "unit-dd.1", "unit-sub.1", "unit-tr.1" } },
function(id)
  ---@type any
  local instead = row(id).cost_option
  return instead and option(instead) or row(id).cost
end)

-- A list of units, paid at once; nothing may be owed.
function shop(side, prompt, money)
  local order = choose(side, prompt, { among = kinds, many = true, cost = price, at_most = money })
  for _, line in ipairs(order) do
    create(line[1], side, pools(side), line[2])
    sides[side].ipc = sides[side].ipc - price(line[1]) * line[2]
    log("bought", side, number_of(line[2], line[1]))
  end
end

procedure("buy", { rule = { "buy.1", "buy.2", "buy.3", "buy.5", "buy.6", "buy.7", "turn.4", "setup.4", "ipc.9", "setup.19", "turn.2", "diff.9", "learning.2" } }, function()
  local side = game.active
  if capital_lost(side) then return log("no-capital", side) end
  shop(side, "buy", sides[side].ipc)
end)

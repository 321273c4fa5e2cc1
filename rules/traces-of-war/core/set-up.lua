-- 3. Set-up: what is not in the scenario's lists, and the optional bids.

local function bid_of(side)
  return function() return ask(side, "bid", { from = value "bids".least, to = value "bids".most }) end
end

-- Sealed bids; the player with the higher one plays the Soviets and must reach it. On a tie both bid again.
procedure("bidding", { rule = { "14.1a", "14.1b-x" } }, function()
  if not option "vp-bidding" then return end
  local bids
  repeat
    bids = together { axis = bid_of "axis", soviet = bid_of "soviet" }
  until bids.axis ~= bids.soviet
  game.bid = math.max(bids.axis, bids.soviet)
  game.bidder = bids.axis > bids.soviet and "axis" or "soviet"
  log(game.bidder == "soviet" and "bid-kept" or "bid-changes-seats", game.bid, math.min(bids.axis, bids.soviet))
end)

local function axis_cities()
  return spaces { city = "major", control = "axis" }
end

procedure("garrisons", { rule = "3.0i" }, function()
  for _, unit in ipairs(space "garrisons".pieces) do
    arrive(unit, ask("axis", "garrison", { among = axis_cities, unit = unit }))
  end
end)

forbid_all("garrison", "one-division-a-city", { rule = "3.0i" }, function()
  return pieces { arm = "security", on_map = true }:spaces(value "garrison".per_city), no("garrison-there")
end)

forbid_all("garrison", "garrison-stacking", { rule = "5.0a" }, function(ask)
  return crowded_for(ask.unit), no("stacking")
end)

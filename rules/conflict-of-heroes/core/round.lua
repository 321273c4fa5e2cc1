-- The pre-round sequence (2.0) and the end of a round (2.3).

procedure("ready-all", { rule = { "2.0b", "2.0a" } }, function()
  for _, unit in ipairs(pieces { kind = "unit", not_status = "ready" }) do unit.status = "ready" end
  for _, side in ipairs(value "forces") do sides[side].ap = 0 end
  game.passed = nil
end)

procedure("smoke-thins", { rule = { "2.0c", "13.0d" } }, function()
  for _, hex in ipairs(spaces { min_haze = 1 }) do
    hex.thin = hex.thick
    hex.thick = 0
    set_haze(hex)
  end
end)

-- CAPs come back to the starting number less one for each unit lost, and never below none.
function cap_limit(side)
  return math.max(0, sides[side].caps_start - sides[side].losses * value "loss-caps")
end

procedure("reset-caps", { rule = { "2.0d", "7.3c", "7.3d", "3.2b" } }, function()
  for _, side in ipairs(value "forces") do sides[side].caps = cap_limit(side) end
end)

procedure("call-reinforcements", { rule = { "2.0h", "5.1a" } }, function()
  for _, wave in ipairs(value "reinforcements") do
    if wave.round == game.round then call("muster", wave) end
  end
  for _, item in ipairs(option "cards" and value "table-cards" or {}) do call("name-veteran", item, piece(item.card)) end
  for _, plane in ipairs(pieces { mode = "air", place = space "away", doomed = false }) do move(plane, "hangar") end
end)

-- Initiative (2.1, 3.2.4): the richer side declares first, with equal CAPs the Soviets. Ties are rolled again.
procedure("initiative", { rule = { "2.0i", "2.1a", "2.1b", "3.2.4c" } }, function()
  local fixed = value "first-initiative"
  if game.round == 1 and fixed ~= "roll" then return call("take-initiative", fixed) end
  local seats = contenders()
  local winner = call("claim-initiative", seats)
  while not winner do
    winner = call("roll-initiative", seats)
    if option "tie-order" == "anew" then seats = contenders() end
  end
  call("take-initiative", call("claim-initiative", seats, winner) or winner)
end)

procedure("roll-initiative", { rule = { "2.1a", "3.2.4a", "3.2.4b", "21.0c" } }, function(seats)
  local declared = {}
  for _, side in ipairs(seats) do declared[side] = call("declare-caps", side) end
  local best, winner
  for _, side in ipairs(seats) do
    local sum = total(rolls("initiative." .. side, value "dice")) + declared[side]
    if not best or sum > best then
      best, winner = sum, side
    elseif sum == best then
      winner = nil
    end
  end
  return winner
end)

-- Bad Reputation may be played before the roll or held until after it (card.v10).
procedure("claim-initiative", { rule = "card.v10" }, function(seats, winner)
  for _, side in ipairs(seats) do
    local card = side ~= winner and veteran(side, "v10")
    if card and ask(side, "initiative.claim", { among = { "claim", winner and "accept" or "roll" } }) == "claim" then
      call("use-up", card)
      return side
    end
  end
end)

-- Who rolls: one force a side, or every force when seats alternate.
function contenders()
  local list = {}
  for _, side in ipairs(value "forces") do
    if option "alternate-seats" or side == "german" or side == "soviet" then table.insert(list, side) end
  end
  table.sort(list, function(a, b)
    if sides[a].caps ~= sides[b].caps then return sides[a].caps > sides[b].caps end
    return team(a) == "soviet" and team(b) ~= "soviet"
  end)
  return list
end

procedure("declare-caps", { rule = { "3.2.4a", "3.2.4b" } }, function(side)
  local most = math.min(value "most-caps", sides[side].caps)
  local n = ask(side, "initiative.caps", { from = 0, to = most, side = side })
  sides[side].caps = sides[side].caps - n
  return n
end)

procedure("take-initiative", { rule = "2.1a" }, function(side)
  game.first = side
  game.on_turn = side
  log("takes-initiative", side, game.round)
end)

-- Order of the seats (21.0b, 21.0c): side by side, or turn about.
seat_after = query("seat-after", { rule = { "21.0a", "21.0b", "21.0c" } }, function(side)
  local order, own, other = {}, {}, {}
  for _, seat in ipairs(value "forces") do
    local list = team(seat) == team(game.first) and own or other
    table.insert(list, seat)
  end
  if option "alternate-seats" then
    for i = 1, math.max(#own, #other) do
      if own[i] then table.insert(order, own[i]) end
      if other[i] then table.insert(order, other[i]) end
    end
  else
    for _, seat in ipairs(own) do table.insert(order, seat) end
    for _, seat in ipairs(other) do table.insert(order, seat) end
  end
  for i, seat in ipairs(order) do
    if seat == side then return order[i % #order + 1] end
  end
end)

procedure("round-end", { rule = { "2.3a", "2.3b" } }, function()
  for _, side in ipairs(value "forces") do
    call("end-activation", side)
    sides[side].extra = 0
  end
  for _, unit in ipairs(exposed_units()) do unit.exposed = false end
  for _, unit in ipairs(alert_units()) do unit.alert = false end
  for _, unit in ipairs(pieces { kind = "unit", min_barred = 1 }) do unit.barred = 0 end
  call("award-objectives", "round")
end)

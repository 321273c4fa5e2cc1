-- Each turn both sides pledge in secret; the weaker pledge is a defeat. Then each side mends what it can.

function store(side, name) return space(side .. "-" .. name) end
function town(side) return store(side, "town") end

-- The marker is covered while it still lies in the cup, so nobody has ever seen it.
procedure("set-up", { rule = "1.3" }, function()
  for _, side in ipairs(sides) do
    local cup = store(side, "cup")
    shuffle(cup)
    for _, marker in ipairs(cup.pieces) do conceal(marker) end
    draw(cup, town(side))
  end
end)

-- Always asked, or the other side would learn who has no choice.
function pledge_of(side)
  local envoy = ask(side, "pledge.envoy", { among = store(side, "hand").pieces, always = true })
  local coins = ask(side, "pledge.coins", { from = 0, to = sides[side].coins, envoy = envoy, always = true })
  return { envoy = envoy, coins = coins }
end

procedure("pledge", { rule = "1.2" }, function()
  local pledges = together{ north = function() return pledge_of "north" end, south = function() return pledge_of "south" end }
  for side, pledge in pairs(pledges) do
    sides[side].coins = sides[side].coins - pledge.coins
    move(pledge.envoy, "chest")
  end
  local function weight(side) return pledges[side].envoy.weight + pledges[side].coins end
  if weight "north" ~= weight "south" then call("clash", weight "north" > weight "south" and "north" or "south") end
  for _, side in ipairs(sides) do
    if store(side, "hand").count == 0 then
      for _, envoy in ipairs(pieces{ kind = "card", side = side }) do move(envoy, store(side, "hand")) end
    end
  end
end)

procedure("clash", { rule = "1.4", stages = { "defeat", "spoils", "count" } })

procedure("clash.defeat", { rule = "1.4" }, function(winner)
  local loser = enemy(winner)
  local unit = ask(loser, "loss", { among = pieces{ kind = "unit", side = loser, at = town(loser), not_type = sides[loser].herald } })
  if not step_down(unit) then call("fall", unit) end
  create("recruit", loser, town(loser))
end)

procedure("fall", { rule = "1.4" }, function(unit)
  if unit.type == sides[unit.side].guard then end_game{ winner = enemy(unit.side), reason = "fallen", rule = "1.4" } end
  destroy(unit)
end)

procedure("clash.spoils", { rule = "1.3" }, function(winner)
  local marker = pieces{ kind = "marker", at = town(winner) }:first()
  if not marker or ask(winner, "marker", { among = { "open", "leave" } }) == "leave" then return end
  reveal(marker)
  move(marker, "spent")
  sides[winner].coins = sides[winner].coins + marker.boon
end)

procedure("clash.count", { rule = "1.4" }, function() game.clashes = game.clashes + 1 end)

procedure("relief", { rule = "1.5" }, function() menu(game.active, "relief", { none = "pass" }) end)

offer("relief", "rebuild", { rule = "1.5", among = function(side) return pieces{ kind = "unit", side = side, at = town(side), not_level = 1 } end })

procedure("rebuild", { rule = "1.5" }, function(unit) step_up(unit) end)

forbid("relief", "broken-for-good", { rule = "1.5", offer = "rebuild" }, function(unit)
  if unit.lasting then return no("broken", unit) end
end)

function recruits(side) return pieces{ type = "recruit", side = side } end

offer("relief", "exchange", { rule = "1.5", when = function(side) return #recruits(side) >= value "exchange".recruits end })

procedure("exchange", { rule = "1.5" }, function(_, side)
  for _, recruit in ipairs(recruits(side):take(value "exchange".recruits)) do destroy(recruit) end
  create("veteran", side, town(side))
end)

offer("relief", "send-herald", { rule = "1.6", when = function(side) return piece(sides[side].herald).place == town(side) end })

procedure("send-herald", { rule = "1.6" }, function(_, side)
  move(piece(sides[side].herald), "road")
  schedule("herald-returns", { on = "turn.start", after = value "herald".skips, side = side })
end)

procedure("herald-returns", { rule = "1.6" }, function(errand)
  move(piece(sides[errand.side].herald), town(errand.side))
  sides[errand.side].coins = sides[errand.side].coins + value "herald".coins
end)

procedure("verdict", { rule = "1.1" }, function() end_game{ reason = "truce", rule = "1.1" } end)

invariant("solvent", { rule = "1.2" }, function()
  for _, side in ipairs(sides) do
    if sides[side].coins < 0 then return no("poor", side) end
  end
end)

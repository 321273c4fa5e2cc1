-- Off-board artillery (12.3): plotted in one pre-round sequence, fired in the next.

-- A side's artillery cards with a mission left that is not on its way already.
function batteries(side)
  local cards = pieces { family = "oba", place = space "table-cards", side = side, min_missions = 1 }
  return cards:filter(function(card) return not card.target or card.missions > 1 end)
end

-- Hexes that a spotter sees: own units on the map or hidden, and the spotting hexes of mortars (12.3d, 12.3e).
function observed(side)
  local seen = nowhere()
  for _, unit in ipairs(ground_of(side)) do
    seen = seen:plus(view_of(unit))
    if unit.indirect then seen = seen:plus(spotted_by(unit)) end
  end
  for _, unit in ipairs(hidden_of(side)) do seen = seen:plus(view_of(unit)) end
  return seen
end

procedure("plot-barrage", { rule = { "2.0f", "12.3a", "12.3b", "12.3d", "12.3e" } }, function()
  for _, side in ipairs(value "forces") do
    for _, card in ipairs(batteries(side)) do call("plot", side, card, observed(side)) end
  end
end)

procedure("plot", { rule = { "12.3b", "13.1e" } }, function(side, card, hexes)
  local hex = call("choose-target", side, card, hexes)
  if not hex then return end
  card.next_target = hex
  card.next_smoke = in_force "smoke" and ask(side, "barrage.shells", { among = { "high-explosive", "smoke" }, side = side }) == "smoke"
end)

function open_target(side, card, hexes)
  return ask(side, "barrage.target", { among = hexes, none = "hold-fire", card = card })
end
procedure("choose-target", { rule = "12.3b" }, open_target)

-- Scenario 6: a mission plotted during set-up falls in the first round.
procedure("first-plots", { rule = { "1.0k", "s06.1" } }, function()
  if not special "preparation" then return end
  local card = batteries("german")[1]
  if not card then return end
  call("plot", "german", card, sees(space(value "preparation-spotter")):both(in_play()))
  call("load-guns", card)
end)

-- What was plotted for the next pre-round sequence becomes due.
procedure("load-guns", { rule = { "12.3b", "s06.1" } }, function(card)
  card.target, card.plot_smoke = card.next_target, card.next_smoke
  card.next_target, card.next_smoke = nil, false
end)

procedure("resolve-barrage", { rule = { "2.0g", "12.3b", "12.3c" } }, function()
  for _, card in ipairs(pieces { family = "oba", place = space "table-cards", min_missions = 1 }) do
    local target, smoke = card.target, card.plot_smoke
    call("load-guns", card)
    if target then
      log("shells-fall", card, target)
      card.missions = card.missions - 1
      call("fire-mission", card, target, smoke)
    end
  end
end)

-- Patterns printed on the cards: seven hexes, and for rockets more of them two hexes off.
function pattern(card, target)
  local hexes = within(target, 1)
  for _, way in ipairs(value "patterns"[card.pattern]) do
    local beside = straight_on(target, way)
    local beyond = beside and straight_on(beside, way)
    if beyond then hexes = hexes:plus { beyond } end
  end
  return hexes
end

procedure("fire-mission", { rule = { "12.1a", "12.3c", "12.3f", "13.1e", "18.5b", "10.0h", "card.oba-general", "card.oba-de", "card.oba-su" } }, function(card, target, smoke)
  local hexes, hiders = pattern(card, target), somebody_hides()
  if not smoke then call("close-call", hexes, target) end
  for _, hex in ipairs(hexes) do
    if smoke then
      call("lay-smoke", hex)
    else
      local a = { side = card.side, kind = "barrage", from = hex, target = hex, red = card.red, blue = card.blue, boosted = true }
      if units_in(hex):any() or objects_of(a):any() or hiders then call("attack", a) end
      if option "mines-on-barrage" and mine_hexes():has(hex) then
        for _, unit in ipairs(units_in(hex)) do call("mines-strike", unit, "act") end
      end
    end
  end
end)

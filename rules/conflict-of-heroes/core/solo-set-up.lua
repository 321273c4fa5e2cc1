-- Solitaire set-up and verdict: marked hexes, mines found by chance, artillery by the book (21.2).

-- Marks lie where the scenario says; the units wait in the cup among as many dummies.
after("lay-out", "solo-marks", { option = "solitaire", rule = { "21.2a", "solo.3" } }, function()
  for _, id in ipairs(value "solo-marks") do create("coin", value "orders-for", notes(value "orders-for")).lair = space(id) end
end)

instead("deploy-one", "solo-deploy", { option = "solitaire", rule = { "21.2a", "solo.3" } }, function(item)
  if not item.hidden or not under_orders(item.side) then return place_openly(item) end
  if row(item.type).kind ~= "unit" then return end
  create(item.type, item.side, space "cup")
  create("decoy", item.side, space "cup")
end)

-- A mark is drawn for as soon as an enemy comes near enough in sight.
function marks_in_view(unit)
  if #value "solo-marks" == 0 then return nobody() end
  local seen = view_of(unit):both(near(unit.space, value "solo-spot"))
  return pieces { type = "coin", side = foes(unit.side) }:filter(function(coin) return seen:has(coin.lair) end)
end

after("watch", "solo-spot", { option = "solitaire", rule = "solo.3" }, function(unit)
  for _, coin in ipairs(marks_in_view(unit)) do call("expose", coin.lair, coin.side) end
end)

-- Fire at a mark that would have hit an average squad uncovers it.
after("attack-hidden", "solo-probe", { option = "solitaire", rule = "solo.3" }, function(a)
  local coin = pieces { type = "coin", side = foes(a.side) }:filter { lair = a.target }[1]
  if coin and a.rolled and evaluate("attack.fp", a, coin, "red") + a.rolled >= value "solo-dv" then call("expose", a.target, coin.side) end
end)

-- Mines are found by a roll when a hex of their zone is first entered.
before("mines-strike", "solo-mines", { option = "solitaire", rule = "solo.4" }, function(unit, why)
  local rule, hex = value "solo-mines", unit.space
  if why ~= "enter" or under_orders(unit.side) or hex.probed or not hexes_named(rule.hexes):has(hex) then return end
  hex.probed = true
  local type = rule.found[roll("solo-mines")]
  if type ~= "none" and #pieces { type = type } < rule.most[type] then create(type, value "orders-for", hex) end
end)

-- The one mission is plotted where most enemies stand in sight.
instead("choose-target", "solo-target", { option = "solitaire", rule = "solo.5" }, function(side, card, hexes)
  if not under_orders(side) then return open_target(side, card, hexes) end
  if game.round ~= value "orders-barrage" then return end
  local best, most = nil, 0
  for _, hex in ipairs(hexes:both(enemy_hexes(side))) do
    local count = #enemies_in(hex, side)
    if count > most then best, most = hex, count end
  end
  return best
end)

prefer("barrage.shells", "ordered-barrage.shells", { option = "solitaire", rule = "solo.5" }, function(shells, ask)
  return under_orders(ask.side) and shells == "high-explosive"
end)

-- A player alone must do better than level.
instead("declare-winner", "solo-verdict", { option = "solitaire", rule = "solo.6" }, function()
  local rule = value "solo-win"
  local own, other = foes(value "orders-for")[1], value "orders-for"
  local won = team_vp(own) >= rule.least and team_vp(own) - team_vp(other) >= rule.margin
  for _, id in ipairs(rule.hold) do won = won and holds(own, id) end
  end_game { winner = won and own or other, reason = won and "solo-won" or "solo-lost", rule = "2.4a" }
end)

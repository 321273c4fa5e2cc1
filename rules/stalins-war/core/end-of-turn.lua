-- 6.E, 5.1, 19.3, 22 The End of Turn phase and all ends of the game.

procedure("clear-table", { rule = { "7.5.5f", "7.5.5i" } }, function()
  for _, side in ipairs{ "axis", "soviet" } do
    for _, card in ipairs(pile(side, "table").pieces) do put_away(card, card.fate == "remove" or card.fate == "keep" and leaves_for_good(card)) end
  end
end)

procedure("remove-trenches", { rule = { "6.E1", "10.3.2a" } }, function()
  local side = game.chooser
  local dug = trenches(side)
  for _, hex in ipairs(choose(side, "end.trenches", { among = dug, min = 0, max = #dug })) do hex.trench = nil end
end)

procedure("partisan-removal", { rule = "16.1.5c" }, function()
  local asleep = sleeping()
  for _, band in ipairs(choose("soviet", "end.partisans", { among = asleep, min = 0, max = #asleep })) do recall_partisan(band) end
end)

procedure("lapse", { rule = { "6.E2", "18.1.2" } }, function()
  for _, side in ipairs{ "axis", "soviet" } do
    if sides[side].banked > 0 then sides[side].banked = 0 end
  end
end)

procedure("surrenders", { rule = "19.3.1" }, function()
  for _, nation in ipairs{ "ro", "hu" } do
    local capital = space(value "surrender"[nation])
    if #units_of "soviet":filter{ at = capital } > 0 then surrender(nation) end
  end
end)

surrender = procedure("surrender", { rule = "19.3.1" }, function(nation)
  log("leaves-the-war", value "nation-names"[nation])
  for _, unit in ipairs(pieces{ kind = "unit", side = "axis", nation = nation }) do
    if unit.place ~= space "out-of-game" then move(unit, space "out-of-game") end
  end
end)

-- Hitler not in command (24.0a), U-boats in Libau (card.ax.47).
procedure("end-of-turn-vp", { rule = { "24.0a", "card.ax.24", "card.ax.47" } }, function()
  if the_turn "hitler-drain" and not has_been_played "axis-24" then score(value "hitler".vp) end
  if has_been_played "axis-47" and holds("axis", value "u-boats".hex) then score(value "u-boats".vp) end
end)

function home_vp(side)
  return spaces{ ussr = true, vp = true, control = side }
end

function soviets_hold_home()
  return #home_vp "axis" == 0
end

function axis_holds_oil()
  return #spaces{ oil = true, control = "soviet" } == 0
end

local function won(side, reason, rule)
  end_game{ winner = side, reason = reason, rule = rule }
end

procedure("victory-checks", { rule = { "5.1.2a", "5.1.3a" }, stages = { "vp", "oil", "cities", "timid", "home", "tournament" } })

procedure("victory-checks.vp", { rule = { "5.1.2a", "5.1.3a" } }, function()
  if game.vp >= value "victory".axis_vp then won("axis", "won-vp", "5.1.2a") end
  if game.vp <= value "victory".soviet_vp then won("soviet", "won-vp", "5.1.3a") end
end)

procedure("victory-checks.oil", { rule = "5.1.2b" }, function()
  if axis_holds_oil() and game.oil_held then won("axis", "won-oil", "5.1.2b") end
  game.oil_held = axis_holds_oil()
end)

procedure("victory-checks.cities", { rule = { "5.1.2c", "5.1.2d" } }, function()
  local early, late = value "victory-1942", value "victory-1943"
  if game.turn <= early.turn and holds_all("axis", early.all) and (holds("axis", early.any[1]) or holds("axis", early.any[2])) then
    won("axis", "won-1942", "5.1.2c")
  end
  if game.turn == late.turn and holds_all("axis", late.all) and not baku_is_full() then won("axis", "won-1943", "5.1.2d") end
end)

procedure("victory-checks.timid", { rule = "5.1.3c" }, function()
  if game.turn == value "victory-timid".turn and not game.paulus_crossed then won("soviet", "won-timid", "5.1.3c") end
end)

procedure("victory-checks.home", { rule = "5.1.3d" }, function()
  local terms = value "victory-home"
  if game.turn >= terms.from and game.turn <= terms.to and soviets_hold_home() then won("soviet", "won-home", "5.1.3d") end
end)

-- Short scenarios count the VP hexes that the Axis holds in the Soviet Union.
procedure("victory-checks.tournament", { rule = { "5.1.5", "22.0a" } }, function()
  if game.turn < value "last-turn" or value "scenario-end".verdict == "campaign" then return end
  won(evaluate("tournament-count") >= value "tournament".hexes and "axis" or "soviet", "won-tournament", "22.0a")
end)

tournament_count = number("tournament-count", { rule = "22.0a", stages = { "hexes", "events" } }, function(n)
  n:add(#home_vp "axis")
end)
modify("tournament-count", "no-evacuation", { rule = "22.0b", stage = "events" }, function(n)
  if not has_been_played "soviet-08" then n:add(value "tournament".adjustment) end
end)
modify("tournament-count", "no-hitler", { rule = "22.0c", stage = "events" }, function(n)
  if not has_been_played "axis-24" then n:add(-value "tournament".adjustment) end
end)

-- Nobody won by the end of the last Action phase of the campaign: the Axis has outlasted the war.
procedure("last-action-phase", { rule = { "5.1.4a", "5.1.4b" } }, function()
  if game.turn == value "last-turn" and value "scenario-end".verdict == "campaign" then won("axis", "won-survival", "5.1.4b") end
end)

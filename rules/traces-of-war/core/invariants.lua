-- What must hold after every decision of a test or simulation: each "never", "always" and "only" of the book that the position shows.
-- Positions that are set up by hand outside a turn may be anything, so nothing is looked at before turn 1.

-- Who stands where -----------------------------------------------------------------------------------------------------------

invariant("no-mixed-hexes", { rule = "5.0f" }, function()
  local shared = units_of "axis":spaces():both(units_of "soviet":spaces())
  if #shared > 0 then return no("mixed-hex", shared:first()) end
end)

-- Between activations; within one a retreat may pass through more.
invariant("stacks-within-limits", { rule = { "5.0c", "2.3b" } }, function()
  if game.turn == 0 then return end
  if game.mode ~= "none" then return end
  for _, side in ipairs(sides) do
    local units, hqs = units_of(side):filter { hq = false }, units_of(side):filter { hq = true }
    local full = units:spaces(value "stack".units + 1):plus(hqs:spaces(value "stack".hqs + 1)):first()
    if full then return no("overstacked", full) end
  end
end)

invariant("cities-follow-feet", { rule = "8.1h" }, function()
  if game.turn == 0 then return end
  local hex = pieces { kind = "unit", on_map = true }:spaces():filter { city = { "city", "major" } }:filter(function(hex)
    return pieces { at = hex, kind = "unit" }:first().side ~= hex.control
  end):first()
  if hex then return no("city-of-another", hex) end
end)

invariant("bridgehead-unharmed", { rule = "11.1i" }, function()
  if game.turn == 0 then return end
  local hex = bridgehead().place
  if hex and hex.kind == "hex" and pieces { at = hex, kind = "unit", side = "axis", hq = false }:any() then
    return no("bridgehead-trampled", hex)
  end
end)

invariant("bridgehead-stays", { rule = "11.1j" }, function()
  if game.turn == 0 then return end
  local place = bridgehead().place
  if game.bridgehead and place and place.kind == "pile" then return no("bridgehead-moved", place) end
end)

invariant("paratroops-land-once", { rule = { "11.1f", "4.2.1f" } }, function()
  if game.turn == 0 then return end
  if piece(value "bridgehead".unit).place ~= space "soviet-reinforcements" and not game.bridgehead then return no("landed-unmarked") end
end)

-- What never dies, never comes back, never comes too early -------------------------------------------------------------------

-- Before the last reckoning, in which those that are cut off count as lost (13.2k).
invariant("headquarters-never-die", { rule = { "2.3d", "10.3h" } }, function()
  if game.turn == 0 or game.turn >= value "last-turn" then return end
  local hq = pieces { at = space "eliminated", hq = true }:first()
  if hq then return no("hq-died", hq) end
end)

invariant("headquarters-are-never-marked", { rule = "8.1n" }, function()
  if game.turn == 0 then return end
  local hq = pieces { kind = "unit", hq = true, not_supply = "in" }:first()
  if hq then return no("hq-marked", hq) end
end)

invariant("headquarters-keep-their-face", { rule = { "3.0b", "14.2a" } }, function()
  if game.turn == 0 then return end
  local raised = option "ukrainian-fronts" and game.turn >= value "ukrainian-fronts".turn
  local hq = pieces { kind = "unit", hq = true }:filter(function(hq)
    return hq.level ~= (raised and hq.levels or 1)
  end):first()
  if hq then return no("wrong-face", hq) end
end)

invariant("reserves-are-fresh", { rule = { "2.2j", "11.0b" } }, function()
  if game.turn == 0 then return end
  local unit = space "axis-reinforcements".pieces:plus(space "soviet-reinforcements".pieces):filter(function(unit)
    return unit.level ~= 1 or unit.supply ~= "in"
  end):first()
  if unit then return no("worn-reserve", unit) end
end)

invariant("groups-in-order", { rule = { "11.1a", "2.2m" } }, function()
  if game.turn == 0 then return end
  local unit = units_of "soviet":filter { min_group = game.draws + 1 }:first()
  if unit then return no("too-early", unit) end
end)

invariant("replaced-units-were-soviet", { rule = { "11.1b", "11.1d" } }, function()
  if game.turn == 0 then return end
  local came = pieces { kind = "unit", side = "soviet", replacement = true }:minus(space "soviet-reinforcements".pieces)
  if #space "replaced".pieces ~= #came:filter(function(unit) return unit.place ~= nil end) then return no("replaced-unevenly") end
end)

-- Cities, crossings, points ---------------------------------------------------------------------------------------------------

invariant("orders-only-on-the-six", { rule = { "3.0h", "12.2c" } }, function()
  if game.turn == 0 then return end
  local city = spaces { order = true }:filter { not_ordered = true }:first()
  if city then return no("order-astray", city) end
end)

-- The game ends with the unit that took the city standing in it; who looks later finds more cities, or none there.
invariant("orders-are-kept-or-lost", { rule = { "12.2d", "13.1a" } }, function()
  if game.turn == 0 then return end
  local lost = spaces { order = true, control = "soviet" }
  if #lost > 1 or #lost:minus(units_of "soviet":spaces()) > 0 then return no("order-survived", lost:first()) end
end)

invariant("crossings-in-range", { rule = "12.3c" }, function()
  if game.turn == 0 then return end
  if game.cp < 0 or game.cp > #spaces { crossing = true } + 1 then return no("too-many-crossings") end
end)

-- The marker goes forward only when one falls, so one that is given back shows here.
invariant("crossings-on-the-track", { rule = { "2.1d", "2.5b", "12.3h" } }, function()
  if game.turn == 0 then return end
  local held = #spaces { crossing = true, crossed = true } + (game.bridgehead and 1 or 0)
  if game.cp ~= held then return no("cp-track", game.cp, held) end
end)

-- Worked out another way than the rules do: by distance, hex by hex.
invariant("unguarded-crossings-fall", { rule = { "12.3e", "12.3f", "12.3g", "12.3i" } }, function()
  if game.turn == 0 then return end
  local hex = spaces { crossing = true, crossed = false }:filter(function(hex)
    if pieces { at = hex, kind = "unit", side = "axis" }:any() then return false end
    if game.turn >= value "open-crossings".turn then return true end
    return units_of "soviet":any(function(unit)
      if hex.gate then return unit.space == hex.gate or unit.space == hex end
      return distance(unit.space, hex) <= value "crossing".hexes
    end)
  end):first()
  if hex then return no("crossing-overlooked", hex) end
end)

-- Events from what lies off the map, holdings from what lies on it.
invariant("points-on-the-track", { rule = { "2.1d", "2.5a", "13.2b", "13.2d", "13.2j", "13.3d" } }, function()
  if game.turn == 0 then return end
  local vp = value "vp"
  local held = vp.city * #spaces { city = "major", control = "soviet" }
  for _, unit in ipairs(units_of "soviet") do
    if unit.space.breakthrough then held = held + vp.breakthrough end
  end
  if game.score ~= game.vp + held then return no("vp-track", game.score, game.vp + held) end
end)

invariant("points-of-events", { rule = { "13.2e", "13.2f", "13.2g", "13.2h", "13.2i" } }, function()
  if game.turn == 0 then return end
  local events = 0
  for _, unit in ipairs(pieces { at = space "eliminated", kind = "unit", side = "axis", hq = false }) do events = events + worth(unit) end
  for _, side in ipairs(sides) do events = events + value "relocation"[side] * sides[side].relocations end
  if events ~= game.vp then return no("vp-of-events", game.vp, events) end
end)

-- Chits and markers -------------------------------------------------------------------------------------------------------------

invariant("chit-places", { rule = "2.1f" }, function()
  for _, chit in ipairs(pieces { kind = "chit" }) do
    if game.turn > 0 and not chit.place then return no("chit-astray", chit) end
  end
end)

invariant("chits-wait-for-their-turn", { rule = { "3.0d", "4.2.1f", "4.2.2c" } }, function()
  if game.turn == 0 then return end
  local chit = pieces { kind = "chit", min_opens = game.turn + 1 }:filter(function(chit) return chit.place.kind ~= "box" end):first()
  if chit then return no("chit-too-early", chit) end
end)

invariant("six-soviet-chits", { rule = { "4.2.1b", "4.2e" } }, function()
  if game.turn == 0 then return end
  if pieces { at = space "axis-hand", side = "soviet" }:any() then return no("soviet-hand") end
  local number = #pieces { at = space "cup", side = "soviet" }
  if number > value "soviet-chits".chits then return no("too-many-chits", number) end
end)

invariant("axis-chits-of-the-turn", { rule = { "4.2.2b", "2.1c" } }, function()
  if game.turn == 0 then return end
  local number = #pieces { at = space "cup", side = "axis" } + space "axis-hand".count
  if number > lookup("turns", game.turn, "axis-chits") then return no("too-many-chits", number) end
end)

invariant("supply-in-the-cup", { rule = "4.2g" }, function()
  if game.turn == 0 then return end
  local place = pieces { effect = "supply" }:first().place
  if place ~= space "cup" and place ~= space "table" then return no("supply-astray", place) end
end)

invariant("markers-in-box-or-hand", { rule = { "2.1e", "7.0b", "7.0e" } }, function()
  if game.turn == 0 then return end
  local marker = pieces { kind = "marker" }:filter(function(marker)
    return marker.place ~= space "luftwaffe-box" and marker.place ~= space "luftwaffe-hand"
  end):first()
  if marker then return no("marker-astray", marker) end
end)

-- Activations ---------------------------------------------------------------------------------------------------------------------

invariant("one-side-is-active", { rule = { "4.3b", "9.0a" } }, function()
  if game.turn == 0 then return end
  local unit = pieces { kind = "unit", active = true }:filter { not_side = game.active }:first()
  if unit then return no("wrong-side-active", unit) end
end)

invariant("one-soviet-headquarters-acts", { rule = "4.3d" }, function()
  if game.turn == 0 then return end
  if #pieces { kind = "unit", side = "soviet", hq = true, active = true } > 1 then return no("two-fronts-active") end
end)

invariant("activations-end", { rule = "4.3f" }, function()
  if game.turn == 0 then return end
  local unit = game.mode == "none" and pieces { kind = "unit", active = true }:first()
  if unit then return no("still-active", unit) end
end)

invariant("only-active-units-act", { rule = { "9.0a", "9.0b", "10.1a-x" } }, function()
  if game.turn == 0 then return end
  local unit = pieces { kind = "unit", hq = false, active = false, moved = true }:first()
    or pieces { kind = "unit", active = false, attacked = true }:first()
  if unit then return no("acted-inactive", unit) end
end)

invariant("nobody-moves-in-the-opening", { rule = "12.1b" }, function()
  if game.turn == 0 then return end
  local unit = game.mode == "fight" and pieces { kind = "unit", hq = false, moved = true }:first()
  if unit then return no("moved-in-the-opening", unit) end
end)

-- What must hold after every decision of a test or simulation: each "never", "always" and "only" of the book that the position shows.
-- Positions that are set up by hand outside a turn may be anything, so nothing is looked at before turn 1.

local function always(id, rule, test)
  invariant(id, { rule = rule }, function()
    if game.turn > 0 then return test() end
  end)
end

-- The first thing for which a test does not hold.
local function first(list, wrong)
  for _, thing in ipairs(list) do
    if wrong(thing) then return thing end
  end
end

local function on_map(side) return pieces { kind = "unit", side = side, on_map = true } end

-- Who stands where -----------------------------------------------------------------------------------------------------------

invariant("no-mixed-hexes", { rule = "5.0f" }, function()
  local shared = on_map "axis":spaces():both(on_map "soviet":spaces())
  if #shared > 0 then return no("mixed-hex", shared:first()) end
end)

-- Between activations; within one a retreat may pass through more.
always("stacks-within-limits", { "5.0c", "2.3b" }, function()
  if game.mode ~= "none" then return end
  for _, side in ipairs(sides) do
    local units, hqs = on_map(side):filter { hq = false }, on_map(side):filter { hq = true }
    local full = units:spaces(value "stack".units + 1):plus(hqs:spaces(value "stack".hqs + 1)):first()
    if full then return no("overstacked", full) end
  end
end)

always("cities-follow-feet", "8.1h", function()
  local hex = first(on_map():spaces():filter { city = { "city", "major" } }, function(hex)
    return pieces { at = hex, kind = "unit" }:first().side ~= hex.control
  end)
  if hex then return no("city-of-another", hex) end
end)

always("bridgehead-unharmed", "11.1i", function()
  local hex = bridgehead().place
  if hex and hex.kind == "hex" and pieces { at = hex, kind = "unit", side = "axis", hq = false }:any() then
    return no("bridgehead-trampled", hex)
  end
end)

always("bridgehead-stays", "11.1j", function()
  local place = bridgehead().place
  if game.bridgehead and place and place.kind == "pile" then return no("bridgehead-moved", place) end
end)

always("paratroops-land-once", { "11.1f", "4.2.1f" }, function()
  if piece(value "bridgehead".unit).place ~= space "soviet-reinforcements" and not game.bridgehead then return no("landed-unmarked") end
end)

-- What never dies, never comes back, never comes too early -------------------------------------------------------------------

always("headquarters-never-die", { "2.3d", "10.3h" }, function()
  local hq = pieces { at = space "eliminated", hq = true }:first()
  if hq then return no("hq-died", hq) end
end)

always("headquarters-are-never-marked", "8.1n", function()
  local hq = pieces { kind = "unit", hq = true, not_supply = "in" }:first()
  if hq then return no("hq-marked", hq) end
end)

always("headquarters-keep-their-face", { "3.0b", "14.2a" }, function()
  local raised = option "ukrainian-fronts" and game.turn >= value "ukrainian-fronts".turn
  local hq = first(pieces { kind = "unit", hq = true }, function(hq)
    return hq.level ~= (raised and hq.levels or 1)
  end)
  if hq then return no("wrong-face", hq) end
end)

always("reserves-are-fresh", { "2.2j", "11.0b" }, function()
  local unit = first(space "axis-reinforcements".pieces:plus(space "soviet-reinforcements".pieces), function(unit)
    return unit.level ~= 1 or unit.supply ~= "in"
  end)
  if unit then return no("worn-reserve", unit) end
end)

always("groups-in-order", { "11.1a", "2.2m" }, function()
  local unit = on_map "soviet":filter { min_group = game.draws + 1 }:first()
  if unit then return no("too-early", unit) end
end)

always("replaced-units-were-soviet", { "11.1b", "11.1d" }, function()
  local came = pieces { kind = "unit", side = "soviet", replacement = true }:minus(space "soviet-reinforcements".pieces)
  if #space "replaced".pieces ~= #came:filter(function(unit) return unit.place ~= nil end) then return no("replaced-unevenly") end
end)

-- Cities, crossings, points ---------------------------------------------------------------------------------------------------

always("orders-only-on-the-six", { "3.0h", "12.2c" }, function()
  local city = spaces { order = true }:filter { not_ordered = true }:first()
  if city then return no("order-astray", city) end
end)

-- The game ends with the unit that took the city standing in it; who looks later finds more cities, or none there.
always("orders-are-kept-or-lost", { "12.2d", "13.1a" }, function()
  local lost = spaces { order = true, control = "soviet" }
  if #lost > 1 or #lost:minus(on_map "soviet":spaces()) > 0 then return no("order-survived", lost:first()) end
end)

always("crossings-in-range", "12.3c", function()
  if game.cp < 0 or game.cp > #spaces { crossing = true } + 1 then return no("too-many-crossings") end
end)

-- The marker goes forward only when one falls, so one that is given back shows here.
always("crossings-on-the-track", { "2.1d", "2.5b", "12.3h" }, function()
  local held = #spaces { crossing = true, crossed = true } + (game.bridgehead and 1 or 0)
  if game.cp ~= held then return no("cp-track", game.cp, held) end
end)

-- Worked out another way than the rules do: by distance, hex by hex.
always("unguarded-crossings-fall", { "12.3e", "12.3f", "12.3g", "12.3i" }, function()
  local hex = first(spaces { crossing = true, crossed = false }, function(hex)
    if pieces { at = hex, kind = "unit", side = "axis" }:any() then return false end
    if game.turn >= value "open-crossings".turn then return true end
    return on_map "soviet":any(function(unit)
      local near = hex.gate and (unit.space == hex.gate or unit.space == hex) or not hex.gate and distance(unit.space, hex) <= value "crossing".hexes
      return near
    end)
  end)
  if hex then return no("crossing-overlooked", hex) end
end)

-- Events from what lies off the map, holdings from what lies on it.
always("points-on-the-track", { "2.1d", "2.5a", "13.2b", "13.2d", "13.2j", "13.3d" }, function()
  local vp = value "vp"
  local held = vp.city * #spaces { city = "major", control = "soviet" }
  for _, unit in ipairs(on_map "soviet") do
    if unit.space.breakthrough then held = held + vp.breakthrough end
  end
  if game.score ~= game.vp + held then return no("vp-track", game.score, game.vp + held) end
end)

always("points-of-events", { "13.2e", "13.2f", "13.2g", "13.2h", "13.2i" }, function()
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

always("chits-wait-for-their-turn", { "3.0d", "4.2.1f", "4.2.2c" }, function()
  local chit = first(pieces { kind = "chit", min_opens = game.turn + 1 }, function(chit) return chit.place.kind ~= "box" end)
  if chit then return no("chit-too-early", chit) end
end)

always("six-soviet-chits", { "4.2.1b", "4.2e" }, function()
  if pieces { at = space "axis-hand", side = "soviet" }:any() then return no("soviet-hand") end
  local number = #pieces { at = space "cup", side = "soviet" }
  if number > value "soviet-chits".chits then return no("too-many-chits", number) end
end)

always("axis-chits-of-the-turn", { "4.2.2b", "2.1c" }, function()
  local number = #pieces { at = space "cup", side = "axis" } + space "axis-hand".count
  if number > lookup("turns", game.turn, "axis-chits") then return no("too-many-chits", number) end
end)

always("supply-in-the-cup", "4.2g", function()
  local place = pieces { effect = "supply" }:first().place
  if place ~= space "cup" and place ~= space "table" then return no("supply-astray", place) end
end)

always("markers-in-box-or-hand", { "2.1e", "7.0b", "7.0e" }, function()
  local marker = first(pieces { kind = "marker" }, function(marker)
    return marker.place ~= space "luftwaffe-box" and marker.place ~= space "luftwaffe-hand"
  end)
  if marker then return no("marker-astray", marker) end
end)

-- Activations ---------------------------------------------------------------------------------------------------------------------

always("one-side-is-active", { "4.3b", "9.0a" }, function()
  local unit = pieces { kind = "unit", active = true }:filter { not_side = game.active }:first()
  if unit then return no("wrong-side-active", unit) end
end)

always("one-soviet-headquarters-acts", "4.3d", function()
  if #pieces { kind = "unit", side = "soviet", hq = true, active = true } > 1 then return no("two-fronts-active") end
end)

always("activations-end", "4.3f", function()
  local unit = game.mode == "none" and pieces { kind = "unit", active = true }:first()
  if unit then return no("still-active", unit) end
end)

always("only-active-units-act", { "9.0a", "9.0b", "10.1a-x" }, function()
  local unit = pieces { kind = "unit", hq = false, active = false, moved = true }:first()
    or pieces { kind = "unit", active = false, attacked = true }:first()
  if unit then return no("acted-inactive", unit) end
end)

always("nobody-moves-in-the-opening", "12.1b", function()
  local unit = game.mode == "fight" and pieces { kind = "unit", hq = false, moved = true }:first()
  if unit then return no("moved-in-the-opening", unit) end
end)

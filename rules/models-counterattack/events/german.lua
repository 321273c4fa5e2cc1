-- German events. All effects are stand-ins for counters that were not seen.

local function fallen()
  return pieces{ kind = "unit", at = space "german-losses", train = false }
end

-- Road hexes without an enemy, out of his ZOC, with room for the unit.
ghost_places = query("ghost-places", { rule = "20.events.g" }, function(unit)
  return on_roads():minus(standing "soviet"):minus(zoc "soviet"):minus(crowded_for(unit))
end)

event("ger-ghost-unit", "20.events.g", {
  targets = fallen,
  play = function(card, unit)
    move(unit, ask("german", "event.place", { among = function() return ghost_places(unit) end, unit = unit }))
    if not too_many_divisions("german", nobody():plus{ unit }) then activate(unit) end
  end,
})

event("ger-auftragstaktik", { "20.events.i", "5.limits.b" }, {
  targets = function() return units_of "german":filter{ spent = true, reserve = 0 }:distinct("formation", "place") end,
  play = function(card, unit)
    for _, other in ipairs(units_of "german":filter{ at = unit.space, formation = unit.formation, spent = true }) do
      other.spent = false
    end
  end,
})

attach_event("ger-panzer-ace", "20.events.d", function() return in_play "german":filter{ symbol = "armored" } end)
attach_event("ger-88", "20.events.d", function() return units_of "german":filter{ arm = "infantry" } end)

event("ger-nebelwerfer", "20.events.c", {
  targets = function() return reachable_foes("german", units_of "german":filter{ oos = false }, value "nebelwerfer".range) end,
  play = function(card, hex) shell("german", hex, value "nebelwerfer".die) end,
})

event("ger-luftwaffe", "20.events.c", {
  targets = function() return pieces{ kind = "marker", weapon = "stuka", used = true, at = space "german-support" } end,
  play = function(card, stuka) stuka.used = false end,
})

event("ger-workshop", "20.events.c", {
  targets = function() return in_play "german":filter{ arm = "armored", min_level = value "recovery".reduced, oos = false } end,
  play = function(card, unit) step_up(unit) end,
})

recovery_event("ger-alarm-units", "20.events.c", "german", "infantry")

event("ger-fuel", "20.events.c", {
  targets = function() return in_play "german":filter{ min_mf = value "mobile".movement, not_formation = value "independents".list }:distinct "formation" end,
  play = function(card, unit)
    for _, other in ipairs(in_play "german":filter{ formation = unit.formation, min_mf = value "mobile".movement }) do
      other.extra_mp = value "fuel".points
    end
  end,
})

event("ger-rearguard", "20.events.c", { play = function() start_effect("rearguard", { lasts = "phase" }) end })

event("ger-pioneers", "20.events.c", {
  when = function() return #safe_units() > 0 end,
  play = function(card)
    local units = choose("german", "event.units", { among = safe_units(), min = 1, max = value "pioneers".units, card = card })
    for _, unit in ipairs(units) do unit.prepared = true end
  end,
})

function safe_units()
  return units_of "german":filter{ prepared = false, train = false, not_at = beside "soviet" }
end

event("ger-suppression", "20.events.c", {
  when = function() return game.uprising or game.triggered end,
  play = function() game.suppression = game.suppression + value "suppression-forces".die end,
})

event("ger-radio", "20.events.c", {
  when = function() return #hand "soviet" > 0 end,
  play = function()
    for _, card in ipairs(hand "soviet") do reveal(card, "german") end
    move(pick("radio", hand "soviet"), space "removed")
  end,
})

-- Demolition: the roads across one river side are gone until the end of the next turn.
local function far_bank(hex)
  return around({ hex }, off_hexes):filter{ ford = true }:filter(function(other)
    return linked("way", hex, other) and border(hex, other):has "minor-river"
  end)
end

event("ger-demolition", "20.events.c", {
  targets = function() return spaces{ ford = true }:both(standing "german":plus(beside "german")) end,
  play = function(card, hex)
    game.cut_to = ask("german", "event.bank", { among = function() return far_bank(hex) end, hex = hex })
    game.cut_from = hex
    game.cut_until = game.turn + value "demolition".turns
  end,
})

-- The two hexes between which the roads are cut, if any.
cut_roads = query("cut-roads", { rule = "20.events.c" }, function()
  if game.cut_until < game.turn then return nowhere() end
  return nowhere():plus{ game.cut_from, game.cut_to }
end)

-- 11. Reinforcements.

major_cities_of = query("major-cities-of", { rule = { "11.0c", "13.2d" } }, function(side) return cities_of(side):filter { city = "major" }:spaces() end)

-- Railway hexes joined by open railway to a printed source. Friends do not help against EZOC here.
railheads = query("railheads", { rule = { "11.0b", "11.0c", "11.0e", "11.0f" } }, function(side)
  local foe = enemy(side)
  local shut = standing(foe):plus(ezoc(side)):plus(major_cities_of(foe))
  return flood { from = printed_sources(side), over = "rail", blocked = shut }:both(railway_hexes())
end)

forbid_all("reinforcement.hex", "full-railhead", { rule = { "11.0d", "5.0a" } }, function(ask)
  return crowded_for(ask.unit), no("stacking")
end)

function has_railhead(side, hq)
  return railheads(side):minus(full(hq and "hqs" or "units", side)):any()
end

place_reinforcement = procedure("place-reinforcement", { rule = { "11.0b", "11.0d", "2.2j", "8.1h" } }, function(unit)
  arrive(unit, ask(unit.side, "reinforcement.hex", { among = railheads(unit.side), unit = unit }))
end)

-- Any unit of the same arm that is in supply.
replaceable = query("replaceable", { rule = { "11.1b", "11.1c", "2.2o" } }, function(arm)
  return combat_units "soviet":filter { arm = arm, supply = "in" }
end)

local function can_come(unit)
  if unit.replacement then return #replaceable(unit.arm) > 0 end
  return has_railhead("soviet", false)
end

-- The n-th draw brings everything numbered n, and whatever has not come before, in the order that the owner likes. Replacements may be
-- declined; they wait for the next draw, as does whatever finds no place.
procedure("chit.reinforcements", { rule = { "4.3h", "11.0a", "11.1a", "11.1b", "2.2m" } }, function()
  game.draws = game.draws + 1
  log("group-due", game.draws)
  local due = space "soviet-reinforcements".pieces:filter { max_group = game.draws }
  repeat
    local ready = due:filter(can_come)
    local unit = #ready > 0 and ask("soviet", "reinforcement.unit", { among = ready, none = ready:all { replacement = true } and "enough" or nil })
    if not unit then return end
    due = due:minus { unit }
    bring_up(unit)
  until #due == 0
end)

bring_up = procedure("bring-up", { rule = { "11.1a", "11.1b" } }, function(unit)
  if unit.replacement then replace_unit(unit) else place_reinforcement(unit) end
end)

replace_unit = procedure("replace-unit", { rule = { "11.1b", "11.1c", "11.1d" } }, function(unit)
  local old = ask("soviet", "replace", { among = replaceable(unit.arm), unit = unit })
  local hex = old.space
  log("unit-replaced", unit.full, old.full, hex)
  put(old, space "replaced")
  arrive(unit, hex)
end)

procedure("chit.airborne", { rule = { "4.3i", "11.1e", "11.1f", "11.1k" } }, function(chit)
  call("chit.reinforcements", chit)
  if #narrow("soviet", "airborne", { among = map_hexes() }) == 0 then
    log "landing-fails"
    return move(chit, space "eliminated")
  end
  local hex = ask("soviet", "airborne", { among = map_hexes })
  move(chit, hex)
  game.bridgehead = true
  log("bridgehead-won", hex)
  mark_crossings()
  arrive(piece(value "bridgehead".unit), hex)
end)

-- Within eight hexes of a Soviet unit in supply.
drop_range = query("drop-range", { rule = "11.1f" }, function(hex) return within(hex, value "bridgehead".hexes) end)

forbid_all("airborne", "beyond-reach", { rule = "11.1f" }, function()
  local zone = nowhere()
  for _, hex in ipairs(units_of "soviet":filter { supply = "in" }:spaces()) do
    zone = zone:plus(drop_range(hex))
  end
  return map_hexes():minus(zone), no("beyond-reach")
end)

forbid_all("airborne", "on-the-enemy", { rule = "11.1f-x" }, function()
  return standing "axis", no("enemy-there")
end)

forbid_all("airborne", "drop-in-ezoc", { rule = "11.1f-x", without = "bridgehead-in-ezoc" }, function()
  return ezoc "soviet", no("enemy-near")
end)

-- The marker itself does not count, but the corps that lands with it does.
forbid_all("airborne", "full-drop-zone", { rule = { "11.1g", "5.0c" } }, function()
  return full("units", "soviet"), no("stacking")
end)

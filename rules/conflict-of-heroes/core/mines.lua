-- Mines (18.5, 19.0a): against whoever enters or acts in the hex, friend or enemy.

local STRIKES = {
  blue = { tracked = true, wheeled = true },
  red = { foot = true, gun = true },
  black = { tracked = true, wheeled = true, foot = true, gun = true },
}

-- Engineers find hidden mines without setting them off (19.0a); mines that are known they set off like anybody.
procedure("mines-strike", { rule = { "18.5b", "18.5c", "18.5d", "18.5e", "19.0a" } }, function(unit)
  if unit.carried then return end
  local hex = hex_of(unit)
  local known = mines_in(hex)
  call("find-mines", hex)
  call("set-off", unit, unit.engineer and known or mines_in(hex))
end)

procedure("set-off", { rule = { "18.5b", "18.5e", "meet.mines" } }, function(unit, fields)
  local hex = hex_of(unit)
  for _, field in ipairs(fields) do
    if STRIKES[field.mines][unit.mode] and hex_of(unit) == hex then call("mine-roll", field, unit) end
  end
end)

-- Hidden mines show themselves when a unit moves onto them.
buried = query("buried", { rule = "18.5a" }, function() return pieces { kind = "marker", not_lair = none } end)

procedure("find-mines", { rule = { "18.5a", "19.0a" } }, function(hex)
  if not buried():any() then return end
  for _, owner in ipairs(value "forces") do
    for _, field in ipairs(pieces { kind = "marker", place = notes(owner), lair = hex }) do call("place-hidden", field) end
  end
end)

function mines_in(hex) return pieces { at = hex, kind = "marker", not_mines = none } end

procedure("mine-roll", { rule = { "18.5f", "10.0e" } }, function(field, unit)
  local roll = call("throw", field.side, "mines", value "dice")
  if roll < field.number then return end
  if is_hidden(unit) then call("expose", unit.lair, unit.side) end
  log("mines-hit", unit, roll, field.number)
  call("suffer", unit, roll >= field.number + value "mine-kill", { side = field.side })
end)

-- Fortifications (18.0 to 18.2) and hasty defences (18.1).

may_use = query("may-use", { rule = { "1.1a", "18.2c", "18.2e", "18.2g" } }, function(unit, fort)
  if fort.users == "guns" then return unit.class == "gun" end
  return is_squad(unit)
end)

function open_forts(act)
  local unit = act.unit
  if not in_force "works" or unit.shelter or unit.carried or not may_do_anything(unit) or not affords(act, value "occupy") then return nobody() end
  return forts_in(hex_of(unit)):filter(function(fort) return may_use(unit, fort) end)
end

function deeds.occupy(act) return act.unit.space.count > 1 and open_forts(act):any() end

offer("action", "occupy", { rule = { "18.2c", "18.2e", "18.2g", "18.2j" },
  when = function(side, act) return deeds.occupy(act) end,
  run = "action.occupy" })

procedure("action.occupy", { rule = { "18.0c", "18.2j", "9.1.4a" } }, function(_, side, act)
  call("gather", act, at_hand(side), function(unit) return open_forts(as_if(act, unit)):any() end)
  call("pay", act, value "occupy")
  for _, unit in ipairs(act.group) do
    unit.shelter = ask(side, "occupy.which", { among = open_forts(as_if(act, unit)), unit = unit })
  end
end)

function deeds.leave(act) return act.unit.shelter ~= nil and may_do_anything(act.unit) and affords(act, value "occupy") end

offer("action", "leave-works", { rule = "18.2k",
  when = function(side, act) return deeds.leave(act) end,
  run = "action.leave-works" })

procedure("action.leave-works", { rule = { "18.2k", "18.1c", "9.1.4a" } }, function(_, side, act)
  call("gather", act, at_hand(side), function(unit) return deeds.leave(as_if(act, unit)) end)
  call("pay", act, value "occupy")
  for _, unit in ipairs(act.group) do
    local old = unit.facing
    unit.shelter = nil
    if may_pivot(unit) then call("turn-round", unit) end
    if unit.facing ~= old then unit.hasty = false end
  end
end)

-- Digging in: foot units only, seven AP; the marker goes when the unit pivots, moves or dies (18.1).
may_dig = query("may-dig", { rule = { "18.1a", "18.1d" } }, function(unit)
  return unit.mode == "foot" and not unit.hasty and not unit.carried and may_do_anything(unit)
end)

hasty_left = query("hasty-left", { rule = "18.1d" }, function()
  return value "hasty-most" - #pieces { kind = "unit", hasty = true }
end)

function deeds.dig(act)
  return in_force "works" and may_dig(act.unit) and affords(act, value "dig-in") and hasty_left() > 0
end

offer("action", "dig-in", { rule = { "18.1a", "18.1d" },
  when = function(side, act) return deeds.dig(act) end,
  run = "action.dig-in" })

procedure("action.dig-in", { rule = { "18.1a", "18.1d", "9.1.4a" } }, function(_, side, act)
  call("gather", act, at_hand(side), may_dig)
  call("pay", act, value "dig-in")
  for _, unit in ipairs(act.group) do
    if hasty_left() > 0 then unit.hasty = true end
  end
end)

-- Wire goes down under tracks (18.4c).
procedure("crush-wire", { rule = { "18.4c", "14.0-t.wire" } }, function(hex)
  local wire = marked("wire"):has(hex) and marker_in(hex, "wire")
  if wire then call("raze", wire) end
end)

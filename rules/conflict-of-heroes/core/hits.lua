-- Hits, losses and rallies (7.3 to 7.5, 15.2, 20.0m).

function pool_of(unit) return unit.vehicle and "vehicle" or "foot" end

procedure("suffer", { rule = { "7.3a", "7.4a", "15.2a", "20.0m" } }, function(unit, twice, a)
  if twice or unit.hurt or unit.doomed then return call("kill", unit, a) end
  if unit.mode == "air" then
    unit.doomed = true
    return
  end
  call("draw-hit", unit, a)
end)

-- The owner draws at random; nobody else sees what (7.4a, 7.4b). Counters in no place are in their pool.
procedure("draw-hit", { rule = { "7.4a", "7.4b", "7.4i", "1.0i", "card.v03", "7.4-h.eliminated", "15.2-h.destroyed" } }, function(unit, a)
  local pool = pool_of(unit)
  local chit = pick("hit." .. pool, undrawn(pool))
  if not chit then return call("kill", unit, a) end
  if (chit.type == "foot-panicked" or chit.type == "vehicle-panicked") and veteran(unit.side, "v03", unit) then return end
  if chit.deadly then
    log("shows-counter", unit, chit.name)
    return call("kill", unit, a)
  end
  move(chit, "drawn-hits")
  reveal(chit, unit.side)
  unit.hit = chit
  unit.hurt = true
end)

function undrawn(pool)
  return pieces { kind = "chit", pool = pool, place = none }
end

-- Rallied: the counter goes back to its pool; a broken-down tank without one to lose runs again.
procedure("recover", { rule = { "7.5b", "s12.1" } }, function(unit)
  if unit.hurt and unit.hit.rally then return call("heal", unit) end
  unit.broken_down = false
end)

-- Everybody sees what it was (7.4h, 7.5b) before it is face down again: the line names it, for later its face is hidden.
procedure("heal", { rule = { "7.4h", "7.5b" } }, function(unit)
  if not unit.hurt then return end
  reveal(unit.hit)
  log("shows-counter", unit, unit.hit.name)
  conceal(unit.hit)
  remove(unit.hit)
  unit.hit = nil
  unit.hurt = false
  unit.hit_known = false
end)

function vp_of(unit)
  if unit.mode == "air" then return value "air-vp" end
  return value "kill-vp" == "one" and 1 or unit.vp
end

-- Destruction: VPs at once, a space of the CAP track gone for good (7.3, 2.4d, 2.4e).
procedure("kill", { rule = { "7.3a", "7.3b", "7.3c", "7.3d", "7.3e", "2.4d", "2.4e", "17.1b" } }, function(unit, a)
  local side, hex = unit.side, unit.space
  local victor = a and a.side and hostile(a.side, side) and a.side or foes(side)[1]
  sides[victor].vp = sides[victor].vp + vp_of(unit)
  log("lost", unit, victor, vp_of(unit))
  if unit.vehicle or unit.class == "gun" then sides[victor].kills = sides[victor].kills + 1 end
  if not (option "trucks-free" and unit.class == "truck") then
    sides[side].losses = sides[side].losses + 1
    call("displace-marker", side)
  end
  for _, load in ipairs(unit.cargo) do
    if load.kind == "unit" then call("drop", load, unit) else remove(load) end
  end
  call("heal", unit)
  call("clear-unit", unit)
  move(unit, "lost")
  if hex and hex.kind == "hex" then call("claim", hex) end
  emit("killed", unit, a)
  call("last-stand", unit, a)
  call("check-wiped-out", side)
end)

-- The lost unit takes the highest free space of the track. A marker that stands there or above falls below it; by another reading
-- CAPs beyond the track, which card 8 gives, are not touched (7.3e).
procedure("displace-marker", { rule = { "7.3d", "7.3e" } }, function(side)
  local limit = cap_limit(side)
  local kept = option "cap-marker" == "on-its-space" and sides[side].caps > limit + value "loss-caps"
  if not kept then sides[side].caps = math.min(sides[side].caps, limit) end
end)

procedure("clear-unit", { rule = { "7.3a", "18.1c", "9.0g" } }, function(unit)
  unit.shelter = nil
  unit.hasty = false
  unit.lair = nil
  unit.carried = false
  unit.stuck = false
  if unit.status == "active" then unit.status = "spent" end
  if not active_of(unit.side):any() then sides[unit.side].ap = 0 end
end)

-- Rally (7.5): an action; each unit of a group rolls (9.1.3).
function deeds.rally(act) return may_rally(act.unit) and affords(act, value "rally") end

offer("action", "rally", { rule = { "7.5a", "7.5d", "7.5e", "15.2b" },
  when = function(side, act) return deeds.rally(act) end,
  run = "action.rally" })

procedure("action.rally", { rule = { "7.5a", "9.1.3a" } }, function(_, side, act)
  call("gather", act, unsound(side), may_rally)
  call("pay", act, value "rally")
  for _, unit in ipairs(act.group) do call("rally-roll", unit) end
end)

number("rally.bonus", { rule = "7.5.1a", stages = { "sum" } }, function(n, unit)
  local cover = ground_cover(unit.space) + (unit.shelter and unit.shelter.dm_flank or 0) + (unit.hasty and value "hasty" or 0)
  if cover >= value "rally-cover".least then n:add(value "rally-cover".bonus) end
end)

modify("rally.bonus", "friends", { rule = "7.5.1b", stage = "sum" }, function(n, unit)
  local friends = pieces { kind = "unit", at = unit.space, side = allies(unit.side), hurt = false, not_mode = "air" }:minus { unit }
  n:add(#friends * value "rally-friend")
end)

procedure("rally-roll", { rule = { "7.5b", "7.5c", "7.5.1c", "7.4-h.unnerved", "7.4-h.stunned", "15.2-h.stunned" } }, function(unit)
  local bonus = evaluate("rally.bonus", unit)
  local need = rally_number(unit) - bonus
  local roll = call("throw", unit.side, "rally", value "dice", unit, need, { unit = unit })
  local rallied = roll + bonus >= rally_number(unit)
  log(rallied and "rallies" or "stays-shaken", unit, roll + bonus, rally_number(unit))
  if rallied then call("recover", unit) end
end)

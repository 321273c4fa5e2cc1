-- Hidden units (10.0 to 10.3, 20.3c). They lie among their owner's notes; `lair` is their hex.

-- What a hidden unit does: creep on unseen, shoot from hiding as a sniper, or come out and act like any other.
offer("hidden-action", "sneak", { rule = { "10.1a", "10.1b", "10.1c" },
  when = function(side, act) return may_move(act.unit) and lairs(act):any() end,
  run = "hidden.sneak" })

offer("hidden-action", "snipe", { rule = { "10.3a", "10.3b", "10.3d" },
  when = function(side, act) return act.unit.sniper and ambush_hexes(act):any() end,
  run = "hidden.snipe" })

offer("hidden-action", "emerge", { rule = { "10.0c", "10.0b" }, run = "hidden.emerge" })

-- Hidden movement ignores everything but cover (10.1a).
function sneak_cost(unit, hex)
  return move_cost(unit) + value "hidden-move"[hides(hex) and "cover" or "open"]
end

function lairs(act)
  local unit = act.unit
  return neighbours(unit.lair):filter(function(hex)
    return ground_cost(unit.mode, unit.lair, hex) ~= nil and sneak_cost(unit, hex) <= act.budget
  end)
end

procedure("hidden.sneak", { rule = { "10.1a", "10.1c", "10.1d" } }, function(_, side, act)
  local unit = act.unit
  local to = ask(side, "sneak.to", { among = lairs(act), unit = unit })
  call("pay", act, sneak_cost(unit, to))
  unit.lair = to
  act.moved = true
  call("watch-lair", unit)
  call("mines-strike", unit, "enter")
  return "sneaked"
end)

-- Hexes that a hidden unit can fire into without showing itself: it looks to all sides.
function ambush_hexes(act)
  local unit, hex = act.unit, act.unit.lair
  if not may_fire(unit) or not affords(act, fire_cost(unit)) then return nowhere() end
  local hexes = enemy_hexes(act.side):both(near(hex, reach_of(unit))):minus(too_near(unit, hex)):both(view_of(unit))
  return level_shots(unit, hex, hexes)
end

-- A shot out of hiding; returns the side that was shot at.
procedure("ambush", { rule = { "10.3b", "10.3c", "card.v13" } }, function(act)
  local unit = act.unit
  local hex = ask(act.side, "snipe.at", { among = ambush_hexes(act), unit = unit })
  call("pay", act, fire_cost(unit))
  local victims = enemies_in(hex, act.side)
  local seeker = victims:first().side
  if unit.sniper then call("tell-direction", unit, victims) end
  call("attack", { side = act.side, kind = "fire", leader = unit, from = unit.lair, target = hex })
  return seeker
end)

procedure("hidden.snipe", { rule = { "10.3a", "10.3b" } }, function(_, side, act)
  local seeker, unit = call("ambush", act), act.unit
  if call("throw", seeker, "detection", value "one-die") >= value "detection" then call("expose", unit.lair, side) end
  return "sneaked"
end)

procedure("tell-direction", { rule = "10.3c" }, function(sniper, victims)
  for _, victim in ipairs(victims) do
    local front = victim.facing and in_cone(victim.space, victim.facing, sniper.lair)
    victim.sniped = front and "front" or "flank" -- said aloud, so everybody may know it
    log(front and "sniper-front" or "sniper-flank", victim)
  end
end)

-- Coming out: all hidden units of the hex are placed, each facing as its owner likes.
procedure("hidden.emerge", { rule = { "10.0b", "10.0c" } }, function(_, side, act)
  if act.unit.holder == nil then call("expose", act.unit.lair, side) end
end)

procedure("expose", { rule = { "10.0b", "10.0c", "10.0e", "10.0f" } }, function(hex, side)
  for _, owner in ipairs(allies(side)) do
    for _, unit in ipairs(pieces { place = notes(owner), lair = hex }) do call("place-hidden", unit) end
  end
end)

-- Whoever comes out has eyes as well: he may find enemies who hide near him.
procedure("place-hidden", { rule = { "10.0b", "10.0i", "18.5a" } }, function(unit)
  local hex = unit.lair
  if not hex then return end
  unit.lair = nil
  if unit.type == "coin" then return call("turn-coin", unit, hex) end
  move(unit, hex)
  log("found", unit, hex)
  if unit.kind ~= "unit" then return end
  call("turn-round", unit)
  call("claim", hex)
  call("watch", unit)
end)

-- A coin is drawn for: a unit or a dummy comes out of the cup (21.2a).
procedure("turn-coin", { rule = "21.2a" }, function(coin, hex)
  local side = coin.side
  destroy(coin)
  local drawn = pick("cup", space("cup").pieces:filter { side = side })
  if drawn.kind ~= "unit" then
    log("nothing-there", hex)
    return destroy(drawn)
  end
  move(drawn, hex)
  log("found", drawn, hex)
  call("turn-round", drawn)
  call("claim", hex)
  call("watch", drawn)
end)

-- What a unit that has just arrived reveals (10.0e, 10.0i to 10.0k).
procedure("watch", { rule = { "10.0e", "10.0i", "10.0j", "20.3c" } }, function(unit)
  local hex = unit.space
  if unit.mode ~= "air" then
    for _, owner in ipairs(value "forces") do
      if lurkers(owner):any { lair = hex } then call("expose", hex, owner) end
    end
  end
  for _, foe in ipairs(foes(unit.side)) do
    for _, prey in ipairs(lurkers(foe)) do
      if prey.lair and spotted(prey, unit) then call("expose", prey.lair, foe) end
    end
  end
end)

spotted = query("spotted", { rule = { "10.0i", "10.0j", "10.0k", "20.3c" } }, function(prey, unit)
  local hex = unit.space
  if hides(prey.lair) or distance(hex, prey.lair) > value "spot-open" then return false end
  if unit.mode == "air" then return sees_from_air(hex):has(prey.lair) end
  return sees_into(unit, prey.lair) and not crosses_small_gully(hex, prey.lair)
end)

-- A hidden unit that moves itself into view.
procedure("watch-lair", { rule = { "10.0e", "10.0i", "10.1b", "20.3c" } }, function(unit)
  local hex = unit.lair
  if units_in(hex):any() then return call("expose", hex, unit.side) end
  for _, foe in ipairs(pieces { kind = "unit", side = foes(unit.side), on_map = true }) do
    if spotted(unit, foe) then return call("expose", hex, unit.side) end
  end
end)

-- Hiding in play (10.2): an un-hit squad out of sight, in its own hex or the next.
function out_of_sight(act)
  local unit = act.unit
  if not in_force "hiding" or unit.hurt or not is_squad(unit) or unit.carried or not affords(act, value "hide") then return false end
  return not watched(unit.space, act.side)
end

-- Alone in its hex a unit can always hide right there.
function may_hide(act)
  return out_of_sight(act) and (#units_in(act.unit.space) == 1 or hideouts(act):any())
end

function hideouts(act)
  local unit = act.unit
  local hex = unit.space
  return near(hex, 1):minus(own_hexes(act.side):minus { hex }):filter(function(to)
    if watched(to, act.side) then return false end
    if to == hex then return #units_in(hex) == 1 end
    return ground_cost(unit.mode, hex, to) ~= nil
  end)
end

offer("action", "hide", { rule = { "10.2a", "10.3e" },
  when = function(side, act) return may_hide(act) end,
  run = "action.hide" })

procedure("action.hide", { rule = { "10.2a", "10.2b", "10.3e" } }, function(_, side, act)
  call("gather", act, units_of(side), function(unit) return may_hide(as_if(act, unit)) end)
  call("pay", act, value "hide")
  act.moved = true
  for _, unit in ipairs(act.group) do
    local from = unit.space
    call("vanish", unit, ask(side, "hide.in", { among = hideouts(as_if(act, unit)), unit = unit }))
    call("mines-strike", unit, unit.lair == from and "act" or "enter")
  end
end)

-- The same action, seen from another member of the group.
function as_if(act, unit) return { unit = unit, side = act.side, budget = act.budget, how = act.how } end

procedure("vanish", { rule = "10.2a" }, function(unit, hex)
  unit.shelter, unit.hasty = nil, false
  unit.facing = nil
  move(unit, notes(unit.side))
  unit.lair = hex
end)

-- Speculative fire (10.0f): at a hex that looks empty.
local function may_probe(act)
  local unit = act.unit
  return may_fire(unit) and affords(act, fire_cost(unit)) and not enemy_in(unit.space, act.side)
end

-- Of some hexes, those that look empty and can be fired at.
local function looks_empty(act, hexes)
  return hexes:both(covered(act, reach_of(act.unit))):minus(enemy_hexes(act.side)):minus(own_hexes(act.side))
end

-- In sight, or for mortars in sight of a spotting hex.
function guess_hexes(act)
  local unit = act.unit
  local hexes = view_of(unit)
  if unit.indirect and in_force "mortars" and affords(act, lob_cost(unit)) then hexes = hexes:plus(spotted_by(unit)) end
  return looks_empty(act, hexes)
end

-- Outside a bunker a neighbouring hex is always in sight: most units need look no farther to know that they can.
local function can_probe(act)
  local unit = act.unit
  if not may_probe(act) then return false end
  return not unit.shelter and looks_empty(act, neighbours(unit.space)):any() or guess_hexes(act):any()
end

function deeds.probe(act) return value "hidden-units" and can_probe(act) end

offer("action", "probe", { rule = { "10.0f", "10.0h" },
  when = function(side, act) return deeds.probe(act) end,
  run = "action.probe" })

procedure("action.probe", { rule = { "10.0f", "10.0h" } }, function(_, side, act)
  local unit = act.unit
  local hex = ask(side, "probe.at", { among = guess_hexes(act), unit = unit })
  if unit.indirect and not view_of(unit):has(hex) then return call("lob-at", act, hex) end
  call("pay", act, shot_cost(act, hex))
  log("fires", unit, unit.space, hex)
  call("attack", { side = side, kind = "fire", leader = unit, from = unit.space, target = hex })
end)

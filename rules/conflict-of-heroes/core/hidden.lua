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

-- Others in hiding who may creep along: linked by a chain of lairs in the same or adjacent hexes (9.1.4a).
local function fellow_creepers(act)
  local pool = companions(act, hidden_of(act.side)):filter(function(unit) return may_move(unit) and lairs(as_if(act, unit)):any() end)
  local linked_up, hexes = nobody(), nowhere():plus { act.unit.lair }
  repeat
    local more = pool:minus(linked_up):filter(function(unit) return hexes:plus(around(hexes)):has(unit.lair) end)
    linked_up, hexes = linked_up:plus(more), hexes:plus(more:map "lair")
  until not more:any()
  return linked_up
end

procedure("hidden.sneak", { rule = { "10.1a", "10.1c", "10.1d", "9.1.4a" } }, function(_, side, act)
  local fellows, start = fellow_creepers(act), act.unit.lair
  local chosen = choose(side, "group.members", { act = act, unit = act.unit, among = fellows, min = 0, max = #fellows,
    test = function(list) return connected(nowhere():plus { start }:plus(list:map "lair")), no("scattered") end })
  for _, unit in ipairs(chosen) do enlist(act, unit) end
  act.mined = true -- mines strike hex by hex
  for _, unit in ipairs(act.group) do
    if is_hidden(unit) then call("creep", act, unit) end
  end
  return "sneaked"
end)

-- One hex in hiding. What the others do may have brought a unit to light before its turn comes.
procedure("creep", { rule = { "10.1a", "10.1b" } }, function(act, unit)
  local to = ask(act.side, "sneak.to", { among = lairs(as_if(act, unit)), unit = unit })
  call("pay-up-to", act, sneak_cost(unit, to))
  unit.lair, unit.shelter, unit.hasty = to, nil, false
  call("watch-lair", unit)
  call("mines-strike", unit, "enter")
end)

-- Hexes that a hidden unit can fire into without showing itself: it looks to all sides.
function ambush_hexes(act)
  local unit, hex = act.unit, act.unit.lair
  if not may_fire(unit) or not affords(act, fire_cost(unit)) then return nowhere() end
  local hexes = enemy_hexes(act.side):both(near(hex, reach_of(unit))):minus(too_near(unit, hex)):both(view_of(unit))
  return hexes:minus(too_low(unit, hex) or {})
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
  call("expose", act.unit.lair, side)
end)

procedure("expose", { rule = { "meet.hidden", "10.0b", "10.0c", "10.0e", "10.0f" } }, function(hex, side)
  call("bring-to-light", { { hex = hex, side = side } })
end)

-- Everybody in some hiding places is on the map before the first of them is asked for a facing, and then each has eyes as well: they
-- may find enemies who hide near them. Mines stay where they are: whoever walks on them finds them.
procedure("bring-to-light", { rule = { "10.0b", "10.0c", "10.0i" } }, function(places)
  local shown = {}
  for _, place in ipairs(places) do
    for _, owner in ipairs(allies(place.side)) do
      for _, hider in ipairs(pieces { place = notes(owner), lair = place.hex, mines = none }) do
        local unit = call("place-hidden", hider)
        if unit then shown[#shown + 1] = unit end
      end
    end
  end
  for _, unit in ipairs(shown) do call("turn-round", unit) end
  for _, unit in ipairs(shown) do
    if unit.space.kind == "hex" then call("watch", unit) end
  end
end)

-- Puts what was hidden on the map; returns the unit that must still face somewhere.
procedure("place-hidden", { rule = { "10.0b", "18.5a" } }, function(hider)
  local hex = hider.lair
  hider.lair = nil
  local unit = hider
  if hider.type == "coin" then unit = call("turn-coin", hider, hex) end
  if not unit then return end
  move(unit, hex)
  log("found", unit, hex)
  if unit.kind ~= "unit" then return end
  call("claim", hex)
  return unit
end)

-- A coin is drawn for: a unit or a dummy comes out of the cup (21.2a).
procedure("turn-coin", { rule = "21.2a" }, function(coin, hex)
  local side = coin.side
  destroy(coin)
  local drawn = pick("cup", space("cup").pieces:filter { side = side })
  if drawn.kind == "unit" then return drawn end
  log("nothing-there", hex)
  destroy(drawn)
end)

-- What a unit that has just arrived reveals (10.0e, 10.0i to 10.0k). An aircraft over a hex finds the enemies there, in cover or
-- not (20.3c), but is no company for its own.
procedure("watch", { rule = { "10.0e", "10.0i", "10.0j", "20.3c" } }, function(unit)
  local hex, places = unit.space, {}
  for _, owner in ipairs(unit.mode == "air" and foes(unit.side) or value "forces") do
    if lurkers(owner):any { lair = hex } then places[#places + 1] = { hex = hex, side = owner } end
  end
  for _, foe in ipairs(foes(unit.side)) do
    for _, prey in ipairs(lurkers(foe)) do
      if prey.lair ~= hex and spotted(prey, unit) then places[#places + 1] = { hex = prey.lair, side = foe } end
    end
  end
  if #places > 0 then call("bring-to-light", places) end
end)

spotted = query("spotted", { rule = { "10.0i", "10.0j", "10.0k", "20.3c" } }, function(prey, unit)
  local hex = unit.space
  if hides(prey.lair) or prey.hasty or distance(hex, prey.lair) > value "spot-open" then return false end
  if unit.mode == "air" then return sees_from_air(hex):has(prey.lair) end
  return sees_into(unit, prey.lair) and not crosses_small_gully(hex, prey.lair)
end)

-- A hidden unit that moves itself into view.
procedure("watch-lair", { rule = { "10.0e", "10.0i", "10.1b", "20.3c" } }, function(unit)
  local hex = unit.lair
  if units_in(hex):any() or pieces { mode = "air", side = foes(unit.side), at = hex }:any() then return call("expose", hex, unit.side) end
  for _, foe in ipairs(pieces { kind = "unit", side = foes(unit.side), on_map = true }) do
    if spotted(unit, foe) then return call("expose", hex, unit.side) end
  end
end)

-- Cover and smoke may go, and a fight that blinded an enemy may end: those who hide in the open near a free eye are seen then, too (10.0i).
in_the_open = query("in-the-open", { rule = { "10.0i", "10.0j" } }, function()
  return pieces { kind = "unit", not_lair = none, hasty = false }:filter(function(unit) return not hides(unit.lair) end)
end)

procedure("look-round", { rule = { "10.0i", "10.0j" } }, function()
  for _, prey in ipairs(in_the_open()) do
    if prey.lair then call("watch-lair", prey) end
  end
end)

before("hand-over", "look-round-after-action", { rule = { "10.0i", "10.0j", "10.0l" } }, function()
  if in_the_open():any() then call("look-round") end
end)
after("smoke-thins", "look-round-after-smoke", { rule = { "10.0i", "13.0d" } }, function() call("look-round") end)

-- Hiding in play (10.2): an un-hit squad out of sight, in its own hex or the next.
function out_of_sight(act)
  local unit = act.unit
  if not in_force "hiding" or unit.hurt or not is_squad(unit) or unit.carried or not affords(act, value "hide") then return false end
  return not watched(unit.space, act.side)
end

-- Alone in its hex a unit can always hide right there; with others if they can come along and hide as well.
function may_hide(act)
  if not out_of_sight(act) then return false end
  local others = units_in(act.unit.space):minus { act.unit }
  if not others:any() or hideouts(act, nobody()):any() then return true end
  return #companions(act, others) == #others and others:all(function(unit) return out_of_sight(as_if(act, unit)) end)
end

-- Where a unit of a group that hides together may hide: out of sight, and where nobody stays behind in the open (10.0e).
function hideouts(act, group)
  local unit = act.unit
  local hex = unit.space
  local friends = own_hexes(act.side)
  return near(hex, 1):minus(friends:minus(group:spaces()):minus { hex }):filter(function(to)
    if friends:has(to) and units_in(to):minus(group):minus { unit }:any() then return false end
    return (to == hex or ground_cost(unit.mode, hex, to) ~= nil) and not watched(to, act.side)
  end)
end

offer("action", "hide", { rule = { "10.2a", "10.3e" },
  when = function(side, act) return may_hide(act) end,
  run = "action.hide" })

procedure("action.hide", { rule = { "10.2a", "10.2b", "10.3e" } }, function(_, side, act)
  call("gather", act, at_hand(side), function(unit) return may_hide(as_if(act, unit)) end, function(group)
    return group:all(function(unit) return hideouts(as_if(act, unit), group):any() end)
  end)
  call("pay", act, value "hide")
  act.mined = true -- mines strike one by one
  local group = nobody():plus(act.group)
  -- They vanish together: nobody is left standing where another hides.
  local lairs_of, from = {}, {}
  for i, unit in ipairs(act.group) do
    from[i] = unit.space
    lairs_of[i] = ask(side, "hide.in", { among = hideouts(as_if(act, unit), group), unit = unit })
  end
  for i, unit in ipairs(act.group) do call("vanish", unit, lairs_of[i]) end
  for i, unit in ipairs(act.group) do call("mines-strike", unit, lairs_of[i] == from[i] and "act" or "enter") end
end)

procedure("vanish", { rule = "10.2a" }, function(unit, hex)
  unit.shelter, unit.hasty = nil, false
  unit.facing = nil
  move(unit, notes(unit.side))
  unit.lair = hex
end)

-- Speculative fire (10.0f): at a hex that looks empty.
local function may_probe(act)
  local unit = act.unit
  return may_fire(unit) and affords(act, fire_cost(unit)) and not enemy_in(hex_of(unit), act.side)
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
  return not unit.shelter and looks_empty(act, neighbours(hex_of(unit))):any() or guess_hexes(act):any()
end

function deeds.probe(act) return somebody_hides() and can_probe(act) end

offer("action", "probe", { rule = { "10.0f", "10.0h" },
  when = function(side, act) return deeds.probe(act) end,
  run = "action.probe" })

procedure("action.probe", { rule = { "10.0f", "10.0h", "9.1.4a" } }, function(_, side, act)
  local unit = act.unit
  local hex = ask(side, "probe.at", { among = guess_hexes(act), unit = unit })
  if unit.indirect and not view_of(unit):has(hex) then return call("lob-at", act, hex) end
  call("fire-group", act, hex, supporters(act, hex, { "red", "blue" }))
  call("pay", act, shot_cost(act, hex))
  if not is_hidden(unit) then log("fires", unit, unit.space, hex) end
  call("attack", { side = side, kind = "fire", leader = unit, group = act.group, from = hex_of(unit), target = hex })
end)

-- Soviet cards 26 to 55.

-- 26 to 31 Soviet Reinforcements
reinforcements("soviet-26", "card.su.26")
reinforcements("soviet-27", "card.su.27")
reinforcements("soviet-28", "card.su.28")
reinforcements("soviet-29", "card.su.29")
reinforcements("soviet-30", "card.su.30")
reinforcements("soviet-31", "card.su.31")

-- 32 Balkan Defections
procedure("event.soviet-32", { rule = "card.su.32" }, function(card)
  for _, unit in ipairs(pieces{ kind = "unit", arrives = card.id, place = none }) do join_a_front(unit) end
  surrender "ro"
  local towns = spaces{ country = "romania", place = { "town", "city" }, control = "axis" }:minus(standing "axis")
  for _, hex in ipairs(towns) do take_control(hex, "soviet") end
end)

function join_a_front(unit)
  place_or_lose(unit, units_of "soviet":filter{ has = "front" }:spaces():minus(crowded_for(unit)))
end

-- 33 Hitler Opposes Defensive Works: see trench-success.
procedure("event.soviet-33", { rule = "card.su.33" }, function() end)

-- 34 Red Choir
procedure("event.soviet-34", { rule = "card.su.34" }, function()
  for _, card in ipairs(space "axis-hand".pieces:filter{ cc = false }) do reveal(card, "soviet") end
end)

-- 35 Sturmovik
procedure("combat-card.soviet-35", { rule = { "card.su.35", "7.5.5h" } }, function()
  start_effect("sturmovik", { lasts = "half" })
  end_effect "luftwaffe-support"
  end_effect "luftwaffe-supply"
end)
modify("column", "sturmovik", { rule = { "card.su.35", "13.3.4" }, stage = "shift", during = "sturmovik" }, function(n, fight, side)
  if side == "soviet" and side == fight.attacker and not wholly_out_of_supply(fight, side) then n:add(value "shift".card) end
end)

-- 36 Operation Bagration: an OPS round, save in the mud
procedure("event.soviet-36", { rule = { "card.su.36", "15.1.1c" } }, function(card)
  rouse_up_to(value "bagration".partisans)
  if rasputitsa() then return end
  start_effect("bagration", { lasts = "half" })
  game.action = "ops"
  receive_ops("soviet", card, sides.soviet.count)
end)
function rouse_up_to(n)
  for _ = 1, n do
    local band = ask("soviet", "event.rouse", { among = sleepers(), none = "enough" })
    if not band then return end
    rouse_partisan(band)
  end
end
modify("exploit-range", "bagration", { rule = "card.su.36", stage = "card", during = "bagration" }, function(n, unit)
  if unit.side == "soviet" then n:at_least(value "bagration".hexes) end
end)

-- 37 The Duce Falls, 38 Overlord, 39 Second Front Now: units leave for other fronts, the Axis choosing them
procedure("event.soviet-37", { rule = "card.su.37" }, function()
  surrender "it"
  local panzers = send_away("event.send", departing{ has = "panzer" }, value "duce".panzers, "other-fronts")
  send_away("event.send", departing{ nation = "ge" }, value "duce".factors - panzers, "other-fronts")
  if has_been_played "axis-23" then score(value "duce".vp) end
end)
procedure("event.soviet-38", { rule = "card.su.38" }, function()
  send_away("event.send", departing{ has = "panzer" }, value "overlord".factors, "out-of-game")
end)
procedure("event.soviet-39", { rule = "card.su.39" }, function()
  send_away("event.send", departing{ has = "panzer" }, value "second-front".factors, "other-fronts")
end)

-- Units of this sort that have factors to send; the garrison of a Festung stays (16.3.4).
function departing(sort)
  return units_of "axis":filter(sort):filter{ min_attack = 1 }:minus(garrison())
end

-- Units whose attack factors reach the sum; returns the factors sent.
send_away = procedure("send-away", { rule = { "card.su.37", "card.su.38", "card.su.39", "3.0d" } }, function(prompt, units, factors, box)
  local sent = 0
  while sent < factors and #units > 0 do
    local unit = ask("axis", prompt, { among = units, missing = factors - sent })
    sent = sent + unit.attack
    units = units:minus{ unit }
    move(unit, space(box))
  end
  return sent
end)
prefer("event.send", "supplied-first", { rule = "card.su.37" }, function(unit) return unit.supply == "full" end)
prefer("event.send", "least-excess", { rule = "card.su.37" }, function(unit, ask) return unit.attack <= ask.missing end)

-- 40 JS-II, 47 Konev
shift_card("soviet-40", "card.su.40")
shift_card("soviet-47", "card.su.47")

-- 41 Warsaw Rising: out of a Festung nobody goes, and beside its garrison nobody rises
procedure("event.soviet-41", { rule = { "card.su.41", "16.1.1", "16.3.5" } }, function()
  local hex = space(value "warsaw".hex)
  retreat("axis", units_of "axis":filter{ at = hex }:minus(garrison()), hex, value "warsaw".retreat)
  if partisans_left() > 0 and not standing "axis":has(hex) then
    local band = hide_partisan(hex)
    rouse_partisan(band)
    enter(band, hex)
  end
  join_a_front(piece "su-polish")
end)

-- 42 Bomb Plot
procedure("event.soviet-42", { rule = "card.su.42" }, function()
  local hand = space "axis-hand".pieces
  if #hand > 0 then move(pick("bomb-plot", hand), space "axis-discard") end
end)

-- 43 Paradrop, 45 Gold
procedure("combat-card.soviet-43", { rule = "card.su.43" }, function(fight) fight.no_rivers = true end)
combat_term("soviet-45", "gold-needs-silesia", "card.su.45", function(card, fight)
  if fight.target.id ~= value "gold".hex then return no("wrong-hex", card) end
end)
procedure("combat-card.soviet-45", { rule = "card.su.45" }, function(fight)
  fight.clear_hex = true
  fight.no_rivers = true
end)

-- 44 Stavka
procedure("event.soviet-44", { rule = { "card.su.44", "18.3.4", "16.4.7" } }, function()
  if option "stavka-needs-stalin" and not stalin_in_moscow() then return end
  sides.soviet.banked = sides.soviet.banked + value "stavka".ops
end)

-- 46 Finland Withdraws, 49 Teheran, 50 Yalta
procedure("event.soviet-46", { rule = "card.su.46" }, function() score(value "soviet-diplomacy".vp) end)
procedure("event.soviet-49", { rule = "card.su.49" }, function() score(value "soviet-diplomacy".vp) end)
procedure("event.soviet-50", { rule = "card.su.50" }, function() score(value "soviet-diplomacy".vp) end)

-- 48 Maskirovka: up to three small units march to an attacking hex and may join

-- Hexes from which an attacking hex can be reached, however far: through no Axis ZOC, and from one only by way of open country.
local function approaches(hex)
  local zone = zoc "axis"
  local ways = flood{ from = hex, blocked = closed("soviet", "su"):plus(zone):minus{ hex }, barrier = water }
  return ways:plus(around(ways:minus(zone), water):both(zone)):minus{ hex }
end

-- Who can come to an attacking hex: by option also units that have marched; the last one in an Axis ZOC only if its OPS can be paid.
local function called_up(hex)
  local fresh = option "maskirovka-after-march" and { "no", "stay", "march" } or { "no", "stay" }
  return units_of "soviet":filter{
    size = "scu", supply = "full", moved = fresh, attacked = false, placed = false, min_ma = 1, min_attack = 1,
    at = approaches(hex),
  }:minus(held_in_zoc("soviet", 0)):filter(function(unit) return not crowded_for(unit):has(hex) end)
end

local function all_called_up(fight)
  local found = nobody()
  for _, hex in ipairs(fight.hexes) do found = found:plus(called_up(hex)) end
  return found
end

combat_term("soviet-48", "maskirovka-needs-units", "card.su.48", function(card, fight)
  if #all_called_up(fight) == 0 then return no("no-units", card) end
end)

procedure("combat-card.soviet-48", { rule = "card.su.48" }, function(fight)
  for _ = 1, value "maskirovka".units do
    local unit = ask("soviet", "event.call-up", { among = all_called_up(fight), none = "enough", hex = fight.target })
    if not unit then return end
    local near = fight.hexes:filter(function(hex) return called_up(hex):has(unit) end)
    local to = ask("soviet", "event.call-up-hex", { among = near, unit = unit })
    if is_last_in_zoc(unit) and not (leaves_free "soviet" and not zoc "axis":has(to)) then pay_to_leave(unit) end
    enter(unit, to)
    move(unit, to)
    unit.moved = "march"
    if ask("soviet", "event.join", { among = { "join", "hold-back" }, unit = unit, hex = fight.target }) == "join" then
      unit.attacked = true
      unit.hits = 0
      fight.attackers = fight.attackers:plus{ unit }
    end
  end
end)

-- 51 Thunderclap
procedure("event.soviet-51", { rule = "card.su.51" }, function() start_effect("thunderclap", { lasts = "turn" }) end)

-- 52 Battle of the Bulge
procedure("event.soviet-52", { rule = "card.su.52" }, function() score(value "bulge".vp) end)

-- 53 Partisan Strike
procedure("event.soviet-53", { rule = { "card.su.53", "7.5.1a" } }, function() rouse_one() end)

-- 54 Panzer Hara-Kiri: the Fortified Zone appears under attack
combat_term("soviet-54", "zone-is-built", "card.su.54", function(card)
  if piece "su-fz".place then return no("no-units", card) end
end)
procedure("combat-card.soviet-54", { rule = "card.su.54" }, function(fight)
  local zone = piece "su-fz"
  zone.supply = "full"
  move(zone, fight.target)
  fight.defenders = fight.defenders:plus{ zone }
end)

-- 55 Allied Bomber Offensive
procedure("event.soviet-55", { rule = "card.su.55" }, function() game.bombed = value "bomber-offensive".cards end)

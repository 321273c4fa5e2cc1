-- Axis cards 26 to 55. For 33 and 50 see evasion.lua.

-- 26 to 31 German Reinforcements
reinforcements("axis-26", "card.ax.26")
reinforcements("axis-27", "card.ax.27")
reinforcements("axis-28", "card.ax.28")
reinforcements("axis-29", "card.ax.29")
reinforcements("axis-30", "card.ax.30")
reinforcements("axis-31", "card.ax.31")

-- 32 Miracle on the Vistula, 55 Speer: OPS and RP together, one RP play, the count holds; no OPS in the mud
local function ops_and_rp(card)
  sides.axis.rp_plays = sides.axis.rp_plays + 1
  sides.axis.last_action = "rp"
  record_rp(card)
  if rasputitsa() then return end
  game.action = "ops"
  receive_ops("axis", card, option "dual-card-penalty" and sides.axis.count or 0)
end
procedure("event.axis-32", { rule = { "card.ax.32", "7.4.1b", "15.1.1c" } }, ops_and_rp)
procedure("event.axis-55", { rule = { "card.ax.55", "7.4.1b", "15.1.1c" } }, ops_and_rp)

-- 33 Backhand Blow, 50 Sleighride
procedure("combat-card.axis-33", { rule = "card.ax.33" }, function() start_effect("backhand", { lasts = "turn" }) end)
procedure("combat-card.axis-50", { rule = "card.ax.50" }, function() start_effect("sleighride", { lasts = "half" }) end)

-- 34 Tiger, 38 Weichs: one more Soviet loss, of the kind that was inflicted. 51 Flak Corps: of any kind
local function one_more_soviet_loss(losses, id, rule)
  modify(losses, id, { rule = rule, stage = "card" }, function(n, fight, side)
    if side == "soviet" and uses(fight, id) then n:add(1) end
  end)
end
one_more_soviet_loss("like-losses", "axis-34", "card.ax.34")
one_more_soviet_loss("like-losses", "axis-38", "card.ax.38")
one_more_soviet_loss("late-losses", "axis-51", "card.ax.51")
combat_term("axis-51", "flak-range", "card.ax.51", function(card, fight)
  if distance(fight.target, space(value "flak".hex)) > value "flak".hexes then return no("wrong-hex", card) end
end)

-- 35 Panther, 46 Panzerfaust
shift_card("axis-35", "card.ax.35")
shift_card("axis-46", "card.ax.46")

-- 36 Fuehrer's Fireman
procedure("combat-card.axis-36", { rule = "card.ax.36" }, function() start_effect("fireman", { lasts = "half" }) end)

-- 37 Vlasov
procedure("event.axis-37", { rule = { "card.ax.37", "3.0g" } }, function()
  local unit = piece "ge-vlasov"
  place_or_lose(unit, spaces{ germany = true }:minus(standing "soviet"):minus(crowded_for(unit)))
  score(value "vlasov".vp)
end)

-- 39 Heinrici, 42 Volkssturm: one loss less
local function one_loss_less(id, rule)
  modify("fire-losses", id, { rule = rule, stage = "card" }, function(n, fight, side)
    if side == "axis" and uses(fight, id) then n:add(-1) end
  end)
end
one_loss_less("axis-39", "card.ax.39")
one_loss_less("axis-42", "card.ax.42")
combat_term("axis-42", "volkssturm-in-germany", "card.ax.42", function(card, fight)
  if not fight.target.germany then return no("wrong-hex", card) end
end)

-- 40 Bulge Cancelled
procedure("event.axis-40", { rule = "card.ax.40" }, function()
  local army = piece "ge-6ss"
  place_or_lose(army, hexes_of(value "bulge-cancelled".hexes):filter{ control = "axis" }:minus(standing "soviet"):minus(crowded_for(army)))
end)

-- 41 Partisan Sweep
procedure("event.axis-41", { rule = { "card.ax.41", "16.1.5a" } }, function() sweep() end)

-- 43 The Bunker
procedure("event.axis-43", { rule = "card.ax.43" }, function()
  place_or_lose(piece "ge-bunker", hexes_of{ value "bunker".hex }:filter{ control = "axis" }:minus(standing "soviet"))
end)

-- 44 Soviet Peace Feelers, 52 Katyn Massacre
procedure("event.axis-44", { rule = "card.ax.44" }, function() score(value "axis-diplomacy".vp) end)
procedure("event.axis-52", { rule = "card.ax.52" }, function() score(value "axis-diplomacy".vp) end)

-- 45 Rudel: an attacking tank or guards unit takes a loss before the fire
local function spearheads(fight)
  return alive(fight, "soviet"):filter{ exploits = true }
end
combat_term("axis-45", "rudel-needs-target", "card.ax.45", function(card, fight)
  if #spearheads(fight) == 0 then return no("no-victim", card) end
end)
procedure("combat-card.axis-45", { rule = "card.ax.45" }, function(fight)
  lose_level(ask("axis", "event.reduce", { among = spearheads(fight) }), fight)
end)

-- 47 U-boat Training (see end-of-turn-vp) and 48 Festung (see works.lua) need no more than to have been played.
procedure("event.axis-47", { rule = "card.ax.47" }, function() end)
procedure("event.axis-48", { rule = { "card.ax.48", "16.3.1" } }, function() end)

-- 49 Foreign Armies East
procedure("event.axis-49", { rule = "card.ax.49" }, function()
  for _, card in ipairs(space "soviet-hand".pieces:filter{ cc = false }) do reveal(card, "axis") end
end)

-- 53 Manstein
procedure("event.axis-53", { rule = "card.ax.53" }, function() start_effect("manstein", { lasts = "turn" }) end)

-- 54 Naval Evacuation: an army to a port further west at its last level; in 1945 civilians instead
procedure("event.axis-54", { rule = { "card.ax.54", "10.2.7" } }, function(card)
  if game.turn >= value "evacuation".from and ask("axis", "event.evacuation", { among = { "army", "civilians" } }) == "civilians" then
    score(value "evacuation".vp)
    card.fate = "remove"
    return
  end
  local army = ask("axis", "event.evacuee", { among = evacuees(), none = "no-army" })
  if not army then return end
  move(army, ask("axis", "event.haven", { among = havens(army), unit = army }))
  step_down(army, army.levels - army.level)
end)

function havens(army)
  local port = army.space
  return spaces{ port = port.port, control = "axis", max_east = port.east - 1 }
    :minus(crowded_for(army)):minus(closed_to(army))
end

function evacuees()
  return units_of "axis":filter{ size = "lcu", at = spaces{ port = { "baltic", "black" } } }
    :minus(garrison()):filter(function(army) return #havens(army) > 0 end)
end

-- Soviet cards 1 to 25.

-- 1 to 6 Soviet Reinforcements
reinforcements("soviet-01", "card.su.01")
reinforcements("soviet-02", "card.su.02")
reinforcements("soviet-03", "card.su.03")
reinforcements("soviet-04", "card.su.04")
reinforcements("soviet-05", "card.su.05")
reinforcements("soviet-06", "card.su.06")

-- 7 Sorge, 16 Lend Lease and 21 Partisan Formation open something: that they were played is all that counts.
procedure("event.soviet-07", { rule = "card.su.07" }, function() end)
procedure("event.soviet-16", { rule = { "card.su.16", "18.3.2" } }, function() end)
procedure("event.soviet-21", { rule = "card.su.21" }, function() end)

-- 8 Industrial Evacuation
procedure("event.soviet-08", { rule = "card.su.08" }, function()
  score(value "industrial-evacuation".vp)
  for _, hex in ipairs(spaces{ late_vp = true }) do hex.vp = true end
end)

-- 9 Zhukov: one attack from two hexes now, and one in each later OPS round of the turn. No fighting in the mud.
procedure("event.soviet-09", { rule = { "card.su.09", "15.1.1c" } }, function()
  start_effect("zhukov", { lasts = "turn" })
  if not rasputitsa() then game.fighting = true end
end)

-- 10 Black Sea, Black Death
procedure("event.soviet-10", { rule = { "card.su.10", "7.5.4a" } }, function()
  local army = piece "su-maritime"
  local port = army.space
  if not port or port.port ~= "black" or port.control ~= "soviet" then return end
  local hex = ask("soviet", "event.landing", { among = landing_hexes(), none = "no-landing" })
  if not hex then return end
  army.landed = true
  army.supply = "full"
  enter(army, hex)
  move(army, hex)
end)

-- Empty Black Sea coast east of every Axis port.
function landing_hexes()
  local coast = spaces{ has = "black" }:minus(standing "axis"):minus(standing "soviet")
  for _, port in ipairs(spaces{ port = "black", control = "axis" }) do coast = coast:filter{ min_east = port.east + 1 } end
  return coast
end

-- 11 Strategic Withdrawal
procedure("event.soviet-11", { rule = "card.su.11" }, function()
  start_effect("strategic-withdrawal", { lasts = "turn" })
end)

-- 12 Penal Battalions, 14 KV-1, 19 T-34, 25 Stalin Organs
shift_card("soviet-12", "card.su.12")
shift_card("soviet-14", "card.su.14")
shift_card("soviet-19", "card.su.19")
shift_card("soviet-25", "card.su.25")

-- 13 The Volga Has Only One Bank
procedure("event.soviet-13", { rule = { "card.su.13", "16.2.3" } }, function()
  local banks = hexes_of(value "volga-fortress".hexes):filter{ control = "soviet", fortress = none, destroyed = false }
  local sites = traceable("soviet", "su", banks)
  if #sites == 0 then return end
  ask("soviet", "event.fortress", { among = sites }).fortress = "soviet"
end)

-- 15 Operation Uranus
combat_term("soviet-15", "uranus-needs-allies", "card.su.15", function(card, fight)
  if option "uranus-needs-allies" and #fight.defenders:filter{ nation = { "hu", "it", "ro" } } == 0 then return no("no-allies", card) end
end)
procedure("combat-card.soviet-15", { rule = { "card.su.15", "7.5.5h", "12.1.1b" } }, function()
  start_effect("uranus", { lasts = "half" })
end)
modify("column", "uranus", { rule = { "card.su.15", "13.3.4" }, stage = "shift", during = "uranus" }, function(n, fight, side)
  local allies = fight.defenders:filter{ nation = { "hu", "it", "ro" } }
  if side == "soviet" and side == fight.attacker and #allies > 0 and not wholly_out_of_supply(fight, side) then n:add(value "shift".card) end
end)

-- 17 Soviet Mice: the Axis chooses the victim
procedure("event.soviet-17", { rule = "card.su.17" }, function()
  local corps = units_of "axis":filter{ has = "panzer", level = 1, at = spaces{ ussr = true } }
  if #corps > 0 then step_down(ask("axis", "event.reduce", { among = corps })) end
end)

-- 18 Deep Cavalry Raid
procedure("event.soviet-18", { rule = { "card.su.18", "7.5.1a" } }, function() rouse_one() end)

-- One inactive band becomes active: the card orders it, if there is any.
function rouse_one()
  if #sleepers() > 0 then rouse_partisan(ask("soviet", "event.rouse", { among = sleepers() })) end
end

-- 20 Airborne Corps
procedure("event.soviet-20", { rule = "card.su.20" }, function()
  local fronts = units_of "soviet":filter{ has = "front", supply = "full" }
  local near = flood{ from = fronts:spaces(), steps = value "airborne".hexes }
  local sites = partisan_sites():both(near)
  if partisans_left() <= 0 or #sites == 0 then return end
  rouse_partisan(hide_partisan(ask("soviet", "partisans.hex", { among = sites })))
end)

-- 22 Where a German Soldier Stands
procedure("event.soviet-22", { rule = "card.su.22" }, function()
  start_effect("soldier-stands", { lasts = "turn" })
end)
forbid_all("movement", "soldier-stands", { rule = { "card.su.22", "card.ax.25", "card.ax.53" }, during = "soldier-stands", side = "axis" }, function()
  if effect "manstein" then return end
  local held = last_in_zoc "axis":filter{ nation = "ge" }
  if effect "kleist" then held = held:minus(held:filter{ at = spaces{ caucasus = true } }) end
  return held, no("soldier-stands")
end)
offer("movement", "defy-hitler", {
  rule = "card.su.22", run = "defy-hitler", side = "axis", during = "soldier-stands",
  when = function() return not has_been_played "soviet-42" and not effect "manstein" end,
})
procedure("defy-hitler", { rule = "card.su.22" }, function()
  end_effect "soldier-stands"
  score(value "soldier-stands".vp)
end)

-- 23 People's Militia
procedure("event.soviet-23", { rule = { "card.su.23", "10.3.1d", "10.3.2b" } }, function()
  local sites = standing "soviet":minus(spaces{ trench = "soviet" })
  if #sites == 0 or #spaces{ trench = "soviet" } >= value "trench-markers".soviet then return end
  ask("soviet", "event.trench", { among = sites }).trench = "soviet"
end)

-- 24 Katukov's Tanks: a full two-level panzer corps in the attack is reduced before the fire
local function full_panzers(fight)
  return alive(fight, "axis"):filter{ has = "panzer", level = 1, levels = value "katukov".levels }
end
combat_term("soviet-24", "katukov-needs-panzers", "card.su.24", function(card, fight)
  if #full_panzers(fight) == 0 then return no("no-victim", card) end
end)
procedure("combat-card.soviet-24", { rule = "card.su.24" }, function(fight)
  lose_level(ask("soviet", "event.reduce", { among = full_panzers(fight) }), fight)
end)

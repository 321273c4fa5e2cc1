-- Axis cards 1 to 25.

-- 1 to 5 German and Axis Reinforcements
reinforcements("axis-01", "card.ax.01")
reinforcements("axis-02", "card.ax.02")
reinforcements("axis-03", "card.ax.03")
reinforcements("axis-04", "card.ax.04")
reinforcements("axis-05", "card.ax.05")

-- 6 Nordlicht, 7 Taifun, 8 Blau: attacks that were barred are allowed
procedure("event.axis-06", { rule = { "card.ax.06", "11.1.9a" } }, function() game.leningrad_open = true end)
procedure("event.axis-07", { rule = { "card.ax.07", "11.1.9b" } }, function() game.moscow_open = true end)
procedure("event.axis-08", { rule = { "card.ax.08", "11.1.9c", "7.4.1b", "7.4.3c" } }, function(card)
  game.south_open = true
  record_rp(card)
end)

-- 9 Guderian
procedure("combat-card.axis-09", { rule = "card.ax.09" }, function(fight)
  for _, unit in ipairs(fight.attackers:filter{ has = "panzer" }) do unit.exploit_hexes = value "guderian".hexes end
end)

-- 10 Luftwaffe Support: a combat card that stays for the turn, or a plain event by option
local function support()
  start_effect("luftwaffe-support", { lasts = "turn" })
end
procedure("event.axis-10", { rule = { "card.ax.10", "7.5.5i" } }, support)
procedure("combat-card.axis-10", { rule = { "card.ax.10", "7.5.5i" } }, support)
modify("column", "luftwaffe-support", { rule = { "card.ax.10", "7.5.5i", "13.3.4" }, stage = "shift", during = "luftwaffe-support" }, function(n, fight, side)
  if side ~= "axis" or side ~= fight.attacker or #alive(fight, side):filter{ nation = "ge" } == 0 then return end
  if option "luftwaffe-support-cc" and wholly_out_of_supply(fight, side) then return end
  n:add(value "shift".card)
end)

-- 11 Kampfgruppe: the last level of the last small unit survives, and the force stands
saved_by_kampfgruppe = procedure("kampfgruppe", { rule = "card.ax.11" }, function(unit, fight)
  if unit.side ~= "axis" or unit.size ~= "scu" or not fight or not uses(fight, "axis-11") then return false end
  if #alive(fight, "axis"):filter{ size = "scu" } > 1 then return false end
  if fight.defender == "axis" then fight.stands = true end
  return true
end)

-- 12 Luftwaffe Supply: one hex, chosen in the attrition segment
procedure("event.axis-12", { rule = "card.ax.12" }, function() start_effect("luftwaffe-supply", { lasts = "turn" }) end)

axis_airlift = procedure("axis-airlift", { rule = "card.ax.12" }, function()
  if not effect "luftwaffe-supply" then return end
  local bases = units_of "axis":filter{ nation = "ge", supply = "full" }:spaces()
  local near = flood{ from = bases, steps = value "luftwaffe-supply".hexes }
  local starving = units_of "axis":filter{ supply = "oos", at = near }:spaces():plus(cut_off_hexes "axis":both(near))
  local hex = ask("axis", "event.airlift", { among = starving, none = "no-airlift" })
  if hex then start_effect("airlift", { lasts = "half", hex = hex }) end
end)

-- 13 Dora: the fortress hex is clear ground for one combat
combat_term("axis-13", "dora-needs-fortress", "card.ax.13", function(card, fight)
  if fight.target.fortress ~= "soviet" then return no("no-fortress", card) end
end)
procedure("combat-card.axis-13", { rule = "card.ax.13" }, function(fight) fight.clear_hex = true end)

-- 14 Operation Mars: only against Zhukov
combat_term("axis-14", "mars-needs-zhukov", "card.ax.14", function(card, fight)
  if not fight.zhukov then return no("no-zhukov", card) end
end)
modify("fire-losses", "mars-spares", { rule = "card.ax.14", stage = "card" }, function(n, fight, side)
  if side == "axis" and uses(fight, "axis-14") then n:add(-1) end
end)
modify("late-losses", "mars-costs", { rule = "card.ax.14", stage = "card" }, function(n, fight, side)
  if side == "soviet" and uses(fight, "axis-14") then n:add(1) end
end)

-- 15 Partisan Sweep
procedure("event.axis-15", { rule = { "card.ax.15", "16.1.5a" } }, function() sweep() end)

function sweep()
  for _ = 1, value "sweep".partisans do
    local asleep = sleeping()
    if #asleep == 0 then return end
    local band = ask("axis", "event.sweep", { among = asleep, none = "enough" })
    if not band then return end
    recall_partisan(band)
  end
end

-- 16 Hedgehogs
procedure("event.axis-16", { rule = { "card.ax.16", "10.3.1d" } }, function() start_effect("hedgehogs", { lasts = "turn" }) end)

-- 17 Destroy the Fascists!: each Soviet OPS round must hurt a German unit
procedure("event.axis-17", { rule = "card.ax.17" }, function() start_effect("destroy-fascists", { lasts = "turn" }) end)

before("round-end.cards", "fascists-unhurt", { rule = "card.ax.17", during = "destroy-fascists", side = "soviet" }, function()
  if is_ops_round() and not game.german_loss then score(value "fascists".vp) end
end)

-- 18 Defend the Motherland!: no paying to leave ZOC, unless the Soviets cancel it for a VP each OPS round
procedure("event.axis-18", { rule = "card.ax.18" }, function() start_effect("motherland", { lasts = "turn" }) end)
forbid_all("movement", "motherland", { rule = "card.ax.18", during = "motherland", side = "soviet" }, function()
  if leaves_free "soviet" then return end
  return last_in_zoc "soviet", no("motherland")
end)
offer("movement", "defy-stalin", {
  rule = "card.ax.18", run = "defy-stalin", side = "soviet", during = "motherland",
})
procedure("defy-stalin", { rule = "card.ax.18" }, function()
  end_effect "motherland"
  start_effect("motherland-cancelled", { lasts = "turn" })
end)
before("round-end.cards", "motherland-price", { rule = "card.ax.18", during = "motherland-cancelled", side = "soviet" }, function()
  if is_ops_round() then score(value "motherland".vp) end
end)

-- 19 Winter Uniforms and 24 Hitler Takes Command: that they were played is all that counts.
procedure("event.axis-19", { rule = "card.ax.19" }, function() end)
procedure("event.axis-24", { rule = "card.ax.24" }, function() end)

-- 20 Convoy PQ-17
procedure("event.axis-20", { rule = { "card.ax.20", "18.3.3b" } }, function() game.pq17 = game.turn + value "pq-17".turns end)

-- 21 Emergency Transfer
procedure("event.axis-21", { rule = { "card.ax.21", "3.0d" } }, function()
  for _ = 1, value "transfer".units do
    local waiting = space "other-fronts".pieces:filter{ size = "scu" }
    if #waiting == 0 then return end
    local unit = pick("emergency-transfer", waiting)
    local stations = hexes_of(value "transfer".hexes):filter{ control = "axis" }:minus(crowded_for(unit)):minus(standing "soviet")
    if #stations == 0 then return end
    arrive(unit, ask("axis", "arrival.hex", { among = stations, unit = unit }))
  end
end)

-- 22 Panzer Refit
procedure("event.axis-22", { rule = "card.ax.22" }, function()
  local front = around(standing "soviet")
  for _ = 1, value "refit".corps do
    local tired = units_of "axis":filter{ has = "panzer", supply = "full", level = value "refit".level, not_at = front }
    local unit = ask("axis", "event.refit", { among = tired, none = "enough" })
    if not unit then return end
    step_up(unit)
  end
end)

-- 23 Steppe Fox: one more card at once
procedure("event.axis-23", { rule = { "card.ax.23", "4.4.1b" } }, function()
  local army = piece "ge-11a"
  if army.space and army.space.kind == "hex" then
    local corps = piece "ge-skpz"
    place_or_lose(corps, army.place and spaces{ id = army.space.id }:minus(crowded_for(corps)))
  end
  game.extra_card = true
end)

-- 25 Kleist
procedure("event.axis-25", { rule = "card.ax.25" }, function() start_effect("kleist", { lasts = "turn" }) end)

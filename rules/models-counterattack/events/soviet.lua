-- Soviet events. All effects are stand-ins for counters that were not seen.

-- A corps activated earlier this turn acts again, without its disorganized and unsupplied units.
event("sov-never-sleeps", { "20.events.g", "20.events.i", "5.limits.b" }, {
  targets = function()
    local spent = {}
    for _, box in ipairs(spaces{ marked = true }) do
      if box.corps ~= game.corps and in_play "soviet":any{ formation = box.corps, dis = false, oos = false } then spent[#spent + 1] = box.corps end
    end
    return spent
  end,
  play = function(card, corps)
    local units = in_play "soviet":filter{ formation = corps, dis = false, oos = false, reserve = 0 }
    for _, unit in ipairs(units:filter{ spent = true }) do unit.spent = false end
    activate_all(units)
    start_effect("awake", { lasts = "phase", corps = corps })
  end,
})

recovery_event("sov-tank-replacements", { "20.events.h", "16.recovery.f", "16.recovery.i" }, "soviet", "armored")
recovery_event("sov-infantry-replacements", { "20.events.h", "16.recovery.f", "16.recovery.i" }, "soviet", "infantry")

event("sov-sturmovik", "20.events.c", {
  targets = function() return standing "german" end,
  play = function(card, hex) shell("soviet", hex, 0) end,
})

-- Or they are the one support of an attack.
offer("combats", "sturmoviks", {
  rule = { "20.events.c", "10.support.c" }, side = "soviet", run = "attack-with-sturmoviks",
  when = function(side) return announced_with(side, "sov-sturmovik") end,
  among = function(side) return targets(side):minus(assaulted()) end,
})

procedure("attack-with-sturmoviks", { rule = { "20.events.c", "10.support.c" } }, function(target, side)
  assault(target, side, { support = spend(side, "sov-sturmovik") })
end)

-- If it has a result, a second unit of the hex is disorganized.
event("sov-katyusha", "20.events.c", {
  targets = function() return reachable_foes("soviet", units_of "soviet":filter{ active = true, oos = false }, value "katyusha".range) end,
  play = function(card, hex)
    local several = #units_of "german":filter{ at = hex } > 1
    local result = shell("soviet", hex, value "katyusha".die)
    local left = units_of "german":filter{ at = hex, dis = false }
    if result ~= "none" and several and #left > 0 then disorganize(ask("german", "barrage.victim", { among = left, result = "dis" })) end
  end,
})

event("sov-guides", "20.events.c", { play = function() start_effect("guides", { lasts = "phase" }) end })

-- A road hex far from the Germans carries no German supply this turn.
event("sov-partisans", "20.events.c", {
  targets = function() return on_roads():minus(standing "german"):minus(beside "german") end,
  play = function(card, hex) start_effect("ambush", { lasts = "turn", hex = hex }) end,
})

function ambushed(side)
  local ambush = side == "german" and effect "ambush"
  return ambush and { ambush.hex } or {}
end

event("sov-maskirovka", "20.events.c", { play = function() start_effect("maskirovka", { lasts = "phase" }) end })

event("sov-forward-detachment", "20.events.c", {
  targets = function() return in_play "soviet":filter{ active = true, min_mf = value "mobile".movement } end,
  play = function(card, unit)
    unit.extra_mp = value "forward".points
    unit.slips = true
  end,
})

event("sov-fuel-dump", "20.events.c", {
  when = function() return pieces{ kind = "unit", side = "soviet", oos = true }:any() end,
  play = function(card)
    local dry = pieces{ kind = "unit", side = "soviet", oos = true }
    for _, unit in ipairs(choose("soviet", "event.units", { among = dry, min = 1, max = value "captured-fuel".units, card = card })) do
      unit.oos = false
    end
  end,
})

attach_event("sov-t34-85", "20.events.d", function() return in_play "soviet":filter{ symbol = "armored" } end)
attach_event("sov-pakfront", "20.events.d", function() return units_of "soviet" end)

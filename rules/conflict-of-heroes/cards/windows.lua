-- Cards that are no action: played around a roll, an event or another action: 9, 12, V06, V07, V08, V11, V13, V14, V30.

procedure("add-firepower", { rule = "card.09" }, function(a)
  local card = a.leader and a.leader.mode ~= "air" and in_hand(a.side, "action-9")
  if not card then return end
  if ask(a.side, "card.boost", { among = { "play", "keep" }, hex = a.target }) == "play" then
    reveal(card)
    call("discard", card)
    a.boost = card.fp
  end
end)

-- Not for the rolls of aircraft (20.0i).
procedure("try-luck", { rule = { "card.12", "20.0i" } }, function(side, unit)
  local card = not (unit and unit.mode == "air") and in_hand(side, "action-12")
  if not card or ask(side, "card.luck", { among = { "play", "keep" } }) == "keep" then return 0 end
  reveal(card)
  call("discard", card)
  return roll("luck") == 1 and value "luck".low or value "luck".high
end)

procedure("extra-die", { rule = "card.v30" }, function(side, unit)
  local card = unit and veteran(unit.side, "v30", unit)
  if not card or ask(side, "card.advance", { among = { "play", "keep" } }) == "keep" then return 0 end
  call("use-up", card)
  return 1
end)

procedure("reroll-one", { rule = "card.v14" }, function(side, unit, dice, label)
  local card = unit and veteran(unit.side, "v14", unit)
  if not card then return end
  local which = ask(side, "card.reroll", { from = 0, to = #dice })
  if which == 0 then return end
  call("use-up", card)
  dice[which] = roll(label)
end)

-- V11: before the unit is activated or acts its counter is set aside, except for movement, until that is over.
local function unsettled(side)
  return unsound(side):filter(function(unit) return unit.hurt and not unit.steeled and veteran(unit.side, "v11", unit) ~= nil end)
end

offer("turn", "iron-will", { rule = "card.v11",
  when = function(side) return veterans_of(side):any() end,
  among = function(side) return unsettled(side) end,
  run = "turn.iron-will" })

procedure("turn.iron-will", { rule = "card.v11" }, function(unit)
  call("use-up", veteran(unit.side, "v11", unit))
  unit.steeled = true
  return "free"
end)

-- V06: whoever eliminates the unit is lost too; of a group the opponent picks one.
procedure("last-stand", { rule = "card.v06" }, function(unit, a)
  local card = a and a.leader and veteran(unit.side, "v06", unit)
  if not card or not hostile(a.side, unit.side) then return end
  if ask(unit.side, "card.blood", { among = { "play", "keep" } }) == "keep" then return end
  call("use-up", card)
  call("kill", ask(a.side, "card.blood-price", { among = a.group }), { side = unit.side })
end)

-- V08: out of the barrage at the last moment, one hex away from its centre, before the first shell falls on any hex.
procedure("close-call", { rule = "card.v08" }, function(hexes, target)
  for _, unit in ipairs(pieces { kind = "unit", at = hexes, not_mode = "air" }) do
    local hex = unit.space
    local card = veteran(unit.side, "v08", unit)
    local outs = card and may_move(unit) and neighbours(hex):filter(function(to)
      return ground_cost(unit.mode, hex, to) ~= nil and distance(to, target) > distance(hex, target) and not enemy_in(to, unit.side)
    end)
    if outs and outs:any() then
      local to = ask(unit.side, "card.close-call", { among = outs, none = "stay", unit = unit })
      if to then
        call("use-up", card)
        call("enter-hex", unit, hex, to)
      end
    end
  end
end)

-- V13: played before a hidden unit acts; it stays hidden, and nobody may look for it. Its shot is an ambush; blind fire, fire over
-- obstacles and smoke are those of any other unit.
local function concealed(id, can, run)
  offer("hidden-action", id, { rule = "card.v13",
    when = function(side, act) return veteran(side, "v13", act.unit) ~= nil and can(act) end,
    run = "hidden." .. id })
  procedure("hidden." .. id, { rule = "card.v13" }, function(_, side, act)
    call("use-up", veteran(side, "v13", act.unit))
    call(run, nil, side, act)
    return "sneaked"
  end)
end

concealed("concealed-shot", function(act) return ambush_hexes(act):any() end, "hidden.ambush")
concealed("concealed-guess", function(act) return deeds.probe(act) end, "action.probe")
concealed("concealed-lob", function(act) return deeds.lob(act) end, "action.lob")
concealed("concealed-smoke", function(act) return deeds.smoke(act) end, "hidden.smoke")

concealed("concealed-demolition", function(act) return deeds.demolish(act) end, "action.demolish")
concealed("concealed-digging", function(act) return deeds.dig(act) end, "hidden.dig")
concealed("concealed-entry", function(act) return in_force "works" and open_forts(act):any() end, "hidden.occupy")

-- In hiding one digs and goes into works alone: the others of a group would have to show themselves.
procedure("hidden.dig", { rule = { "card.v13", "18.1a" } }, function(_, _, act)
  call("pay", act, value "dig-in")
  act.unit.hasty = true
end)
procedure("hidden.occupy", { rule = { "card.v13", "18.2j" } }, function(_, side, act)
  call("pay", act, value "occupy")
  act.unit.shelter = ask(side, "occupy.which", { among = open_forts(act), unit = act.unit })
end)

procedure("hidden.ambush", { rule = "card.v13" }, function(_, _, act) call("ambush", act) end)
procedure("hidden.smoke", { rule = { "card.v13", "13.1a" } }, function(_, _, act) call("smoke-from", act, act.unit) end)

-- V07: a careful move at no cost, and harder to hit until the enemy has had his turn.
after("action.move", "sixth-sense-move", { rule = "card.v07" }, function(_, side, act)
  local unit = act.unit
  local card = unit.space and unit.space.kind == "hex" and veteran(unit.side, "v07", unit)
  if not card or ask(side, "card.sixth-sense", { among = { "play", "keep" } }) == "keep" then return end
  call("use-up", card)
  unit.alert, unit.exposed = true, false
end)

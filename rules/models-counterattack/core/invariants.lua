-- What must hold after every answer of a simulation: the book's "never", "only" and "at most".

-- Units and hexes -----------------------------------------------------------------------------------------------------------

invariant("one-side-in-a-hex", { rule = "6.move.f" }, function()
  local shared = standing "soviet":both(standing "german")
  if #shared > 0 then return no("shared-hex", shared:first()) end
end)

invariant("no-soviets-in-warsaw", { rule = "6.warsaw.d" }, function()
  if #pieces{ kind = "unit", side = "soviet", at = warsaw() } > 0 then return no("soviets-in-warsaw") end
end)

invariant("own-entry-points", { rule = "6.offmap.a" }, function()
  for _, box in ipairs(off_map()) do
    local stranger = box.owner and pieces{ kind = "unit", at = box, not_side = box.owner }:first()
    if stranger then return no("at-enemy-entry", stranger) end
  end
end)

invariant("train-on-rails", { rule = "13.train.b" }, function()
  for _, train in ipairs(pieces{ kind = "unit", train = true, on_map = true }) do
    if not on_network("rail", train.space) then return no("off-the-rails", train) end
  end
end)

invariant("no-armour-in-the-bog", { rule = { "6.move.h", "9.retreat.h" } }, function()
  for _, side in ipairs(sides) do
    local stuck = units_of(side):filter{ at = bog() }:filter(is_mobile):first()
    if stuck then return no("in-the-bog", stuck) end
  end
end)

invariant("markers-in-play-only", { rule = { "2.anatomy.d", "19.magnuszew.h" } }, function()
  for _, box in ipairs{ "soviet-losses", "german-losses", "magnuszew" } do
    for _, unit in ipairs(pieces{ kind = "unit", at = space(box) }) do
      if unit.active or unit.dis or unit.oos or unit.prepared or unit.spent or unit.reserve > 0 then return no("marker-on-the-fallen", unit) end
    end
  end
end)

-- Activation ----------------------------------------------------------------------------------------------------------------

invariant("once-a-turn", { rule = "5.limits.a" }, function()
  local twice = pieces{ kind = "unit", active = true, spent = true }:first()
  if twice then return no("acts-twice", twice) end
end)

-- Beside the corps of the phase act units that it took along, reserves, and a corps that never sleeps.
invariant("one-corps-a-phase", { rule = { "5.turn.b", "5.limits.d" } }, function()
  local awake = effect "awake"
  for _, unit in ipairs(pieces{ kind = "unit", side = "soviet", active = true, called = false }) do
    local corps = unit.formation
    if not is_independent(unit) and corps ~= game.corps and not (awake and awake.corps == corps) then return no("other-corps", unit) end
  end
end)

invariant("army-troops-join-once", { rule = { "2.counters.c", "5.limits.e" } }, function()
  for _, unit in ipairs(pieces{ kind = "unit", formation = value "army-troops".formation, active = true, called = false }) do
    if not unit.joined then return no("not-joined", unit) end
  end
end)

invariant("army-47-together", { rule = "17.army47.b" }, function()
  local active = pieces{ kind = "unit", formation = value "army-47".formation, active = true, called = false }
  if #active > 0 and not game.army_47 then return no("army-47-alone", active:first()) end
end)

invariant("two-divisions-a-phase", { rule = { "5.limited.a", "5.limited.c" } }, function()
  if is_limited() and not option "reserves-beyond-limit" and over_the_limit(nobody()) then return no("two-divisions") end
end)

invariant("train-never-moved", { rule = "13.train.a" }, function()
  local train = pieces{ kind = "unit", train = true, spent = true }:first()
  if train then return no("train-spent", train) end
end)

invariant("one-hex-an-entry", { rule = "6.break.c" }, function()
  for _, unit in ipairs(pieces{ kind = "unit", on_map = true, not_stood = none }) do
    if unit.stood ~= unit.space and not adjacent(unit.stood, unit.space) then return no("too-far", unit) end
  end
end)

-- Works and reserves ----------------------------------------------------------------------------------------------------------

invariant("dig-or-fight", { rule = { "8.prep.a", "8.prep.b" } }, function()
  local both = pieces{ kind = "unit", dug = true, min_attacks = 1 }:first()
  if both then return no("dug-and-fought", both) end
end)

invariant("reserve-markers", { rule = "14.reserve.b" }, function()
  for _, side in ipairs(sides) do
    if #markers_of(side) > value "reserve".markers then return no("too-many-reserves") end
  end
end)

invariant("two-a-marker-off-map", { rule = { "14.place.c", "14.place.e" } }, function()
  for _, side in ipairs(sides) do
    for marker = 1, value "reserve".markers do
      if #waiting(side):filter{ reserve = marker } > value "reserve".off_map then return no("too-many-reserves") end
    end
  end
end)

invariant("reserves-do-not-attack", { rule = "14.use.a" }, function()
  local fought = pieces{ kind = "unit", min_reserve = 1, min_attacks = 1 }:first()
  if fought then return no("reserve-fought", fought) end
end)

-- Combat --------------------------------------------------------------------------------------------------------------------

invariant("a-hex-is-attacked-once", { rule = "11.combat.j" }, function()
  local again = spaces{ min_assaulted = value "once".times + 1 }:first()
  if again then return no("attacked-twice", again) end
end)

invariant("a-unit-attacks-once", { rule = "11.combat.k" }, function()
  local again = pieces{ kind = "unit", min_attacks = value "once".times + 1 }:first()
  if again then return no("attacks-twice", again) end
end)

invariant("a-hex-is-shelled-once", { rule = { "10.art.f", "10.stuka.c" } }, function()
  local again = spaces{ min_shelled = value "once".times + 1 }:plus(spaces{ min_bombed = value "once".times + 1 }):first()
  if again then return no("shelled-twice", again) end
end)

invariant("no-fire-at-warsaw", { rule = "6.warsaw.e" }, function()
  local city = warsaw()
  if city.shelled + city.bombed + city.assaulted > 0 then return no("fire-at-warsaw") end
end)

invariant("six-at-most", { rule = "9.bonus.d" }, function()
  local fight = game.fight
  if fight and math.abs(fight.bonus) > value "bonus".limit then return no("bonus-too-large", fight.target) end
end)

invariant("within-the-table", { rule = { "9.res.c", "9.res.d" } }, function()
  local fight = game.fight
  if fight and fight.column > columns "crt" then return no("off-the-table", fight.target) end
end)

invariant("attackers-in-line", { rule = { "11.combat.e", "11.combat.f" } }, function()
  local fight = game.fight
  if fight and not fight.overrun and not fight.concentric and #fight.hexes > 1 and not in_line(fight.hexes) then return no("line-broken", fight.target) end
end)

invariant("two-over-each-bridge", { rule = "6.bridges.d" }, function()
  local fight = game.fight
  if fight and #fight.attackers:filter{ at = warsaw() } > value "bridge-attack".units then return no("bridge-full") end
end)

invariant("four-hexes-at-most", { rule = "9.retreat.f" }, function()
  local fight = game.fight
  if fight and fight.fled > value "retreat".longest then return no("fled-too-far", fight.target) end
end)

invariant("no-support-in-overruns", { rule = "9.overrun.e" }, function()
  local fight = game.fight
  if fight and fight.overrun and (fight.attacker_support or fight.defender_support) then return no("overrun-supported", fight.target) end
end)

-- Events, artillery, Warsaw ------------------------------------------------------------------------------------------------------

invariant("one-event-a-phase", { rule = "20.events.f" }, function()
  for _, side in ipairs(sides) do
    if sides[side].played > 1 then return no("two-events", side) end
  end
end)

invariant("hands", { rule = { "4.setup.g", "20.events.b" } }, function()
  for _, side in ipairs(sides) do
    local turns = math.max(0, game.turn - math.max(value "first-turn", value "draw".from_turn) + 1)
    local drawn = value "opening-hand".events + turns * value "draw".events
    if #hand(side) > drawn then return no("hand-too-large", side) end
  end
end)

invariant("events-on-units-in-play", { rule = "20.events.d" }, function()
  for _, unit in ipairs(pieces{ kind = "unit", place = none }:plus(pieces{ kind = "unit", at = { space "soviet-losses", space "german-losses" } })) do
    if #unit.cargo > 0 then return no("event-on-the-fallen", unit) end
  end
end)

invariant("guns-of-the-fallen", { rule = "10.art.j" }, function()
  for _, guns in ipairs(pieces{ kind = "marker", weapon = "artillery" }) do
    if guns.place == space(guns.side .. "-support") and not still_there(guns.side):any{ formation = guns.formation } then
      return no("guns-of-the-fallen", guns)
    end
  end
end)

invariant("train-in-supply", { rule = "13.train.g" }, function()
  local dry = pieces{ kind = "unit", oos = true, train = true }:first()
  if dry then return no("train-dry", dry) end
end)

invariant("rises-when-called", { rule = { "18.trigger.a", "18.trigger.c" } }, function()
  if game.uprising and not game.triggered then return no("rises-unprovoked") end
end)

invariant("magnuszew-from-turn-6", { rule = "19.magnuszew.a" }, function()
  if game.turn < value "magnuszew".from_turn and #space "magnuszew".pieces > 0 then return no("sent-too-early") end
end)

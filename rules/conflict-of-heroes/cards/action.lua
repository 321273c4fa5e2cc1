-- Action cards (8.1 and the list of cards): the menu of a turn offers those that would do something now, one of each kind.

-- For each card: the units it may help when it is paid in a certain way, and a test that they must pass.
local helps = {}

at_hand = query("at-hand", { rule = "17.0e" }, function(side) return units_of(side):filter { carried = false } end)

-- Paid with AP a card serves the active units only (8.1a, card.general-b).
local function receivers(side, way)
  if way == "ap" then return active_of(side):filter { not_mode = "air", carried = false, on_map = true } end
  return at_hand(side)
end

hand_cards = query("hand-cards", { rule = { "8.0c", "21.0f" } }, function(side)
  return pieces { kind = "card", side = none, at = hand(side), family = "action" }:distinct("number")
end)

-- Whether a card would do anything now, paid in a certain way.
useful = query("useful", { rule = { "8.0c", "card.general-a" } }, function(side, card, way)
  local whom = helps[card.number]
  if not whom then return false end
  local pool, test = whom(side, way)
  if test then return pool:any(test) end
  return #pool > 0
end)

function useful_ways(side, card)
  local ways = {}
  for _, way in ipairs(card_ways(side, card)) do
    if useful(side, card, way) then table.insert(ways, way) end
  end
  return ways
end

local function playable(side, card)
  for _, way in ipairs(card_ways(side, card)) do
    if useful(side, card, way) then return true end
  end
end

function playable_cards(side)
  local cards = hand_cards(side)
  return cards:any() and cards:filter(function(card) return playable(side, card) end) or cards
end

offer("turn", "card", { rule = { "2.2g", "8.0c", "8.0b", "card.general-a" },
  when = function(side) return in_force "cards" and option "cards" end,
  among = function(side) return playable_cards(side) end,
  run = "turn.card" })

-- A card sees to the mines under those who act by it; the action in which it was played must not do so again.
function mines_done(act)
  if act then act.mined = true end
end

procedure("turn.card", { rule = { "2.2g", "8.1a", "8.1b", "8.0c", "8.0b" } }, function(card, side, act)
  mines_done(act)
  reveal(card)
  local way = ask(side, "card.way", { among = useful_ways(side, card), card = card })
  local name = "card-" .. card.number
  local fit, test = helps[card.number](side, way)
  if test then fit = fit:filter(test) end
  call("pay-card", side, card, way)
  call("discard", card)
  local result = call(name, side, card, fit)
  call("settle", side)
  return result
end)

-- The unit that a card is played for, and its companions if the card serves a group (9.2e).
local function chosen_unit(side, card, fit) return ask(side, "card.unit", { among = fit, card = card }) end

local function chosen_group(side, card, fit)
  local unit = chosen_unit(side, card, fit)
  local act = new_action(unit, side, "card")
  if not is_hidden(unit) then call("gather", act, fit:minus(hidden_of(side))) end
  return act
end

-- 2: one free action for a ready or spent unit or group.
helps[2] = function(side)
  return willing(side):plus(unsound(side)):filter { not_status = "active" }, function(unit) return able(unit, "card", value "no-limit") end
end
procedure("card-2", { rule = { "card.02", "8.1g", "9.2e", "15.5b", "10.0d" } }, function(side, card, fit)
  call("take-action", chosen_unit(side, card, fit), side, "card", card)
end)

-- 3: rally without a roll.
helps[3] = function(side, way)
  local shaken = unsound(side)
  return way == "ap" and shaken:filter { status = "active" } or shaken, may_rally
end
procedure("card-3", { rule = { "card.03", "9.2e" } }, function(side, card, fit)
  local act = chosen_group(side, card, fit)
  for _, unit in ipairs(act.group) do call("recover", unit) end
  call("card-acted", act)
end)

-- Whoever acts by a card in a minefield sets it off like anybody else (18.5b).
procedure("card-acted", { rule = "18.5b" }, function(act)
  for _, unit in ipairs(act.group) do call("mines-strike", unit, "act") end
end)

-- 4: a rally roll for each.
helps[4] = function(side) return unsound(side):filter { not_status = "active" }, may_rally end
procedure("card-4", { rule = "card.04" }, function(side, card, fit)
  local act = chosen_group(side, card, fit)
  for _, unit in ipairs(act.group) do call("rally-roll", unit) end
  call("card-acted", act)
end)

-- 5: two hexes, for hidden units as well.
helps[5] = function(side)
  local act = { side = side, how = "card", budget = value "no-limit", walked = 0 }
  return at_hand(side):filter { not_status = "active" }:plus(hidden_of(side)), function(unit)
    if not may_move(unit) then return false end
    if is_hidden(unit) then return lairs { unit = unit, budget = act.budget }:any() end
    return can_step(act, unit)
  end
end
procedure("card-5", { rule = "card.05" }, function(side, card, fit)
  local act = chosen_group(side, card, fit)
  for _, unit in ipairs(act.group) do
    for _ = 1, card.hexes do call("one-hex", act, unit) end
  end
end)

procedure("one-hex", { rule = { "card.05", "10.1b" } }, function(act, unit)
  if is_hidden(unit) then
    unit.lair, unit.shelter, unit.hasty = ask(act.side, "sneak.to", { among = lairs { unit = unit, budget = act.budget }, unit = unit }), nil, false
    call("watch-lair", unit)
    return call("mines-strike", unit, "enter")
  end
  if not may_move(unit) or unit.space.kind ~= "hex" or not destinations(act, unit):any() then return end
  call("step", act, unit)
  call("look-about", unit)
end)

-- 6: an enemy unit is spent.
helps[6] = function(side) return enemies_of(side):filter { not_status = "spent" } end
procedure("card-6", { rule = "card.06" }, function(side, card, fit)
  local unit = chosen_unit(side, card, fit)
  unit.status = "spent"
  if not active_of(unit.side):any() then sides[unit.side].ap = 0 end
end)

-- 7 and 8: more points for the active unit or group.
local function at_work(side) return active_of(side):filter { on_map = true, not_mode = "air" } end
helps[7] = function(side) return at_work(side) end
helps[8] = function(side) return at_work(side) end
procedure("card-7", { rule = "card.07" }, function(side)
  local gain = call("throw", side, "card-7", value "one-die")
  sides[side].ap = sides[side].ap + math.max(0, gain)
end)
procedure("card-8", { rule = "card.08" }, function(side)
  local gain = call("throw", side, "card-8", value "one-die")
  sides[side].caps = sides[side].caps + math.max(0, gain)
end)

-- 10: two actions in a row. (9 and 12 are played around a roll: see windows.lua.)
helps[10] = function(side) return sides[side].extra == 0 and { side } or {} end
procedure("card-10", { rule = "card.10" }, function(side, card)
  sides[side].extra = card.actions
  return "free"
end)

-- 11: hasty defences, vehicles too, not in close combat; hidden units show themselves (10.0d).
helps[11] = function(side)
  if hasty_left() == 0 then return nobody() end
  return at_hand(side):filter { hasty = false, not_at = enemy_hexes(side) }:plus(hidden_of(side)):filter { status = "ready" }
end
procedure("card-11", { rule = { "card.11", "9.1.4a", "10.0d" } }, function(side, card, fit)
  local unit = chosen_unit(side, card, fit)
  if is_hidden(unit) then call("expose", unit.lair, side) end
  local others = at_hand(side):filter { hasty = false, not_at = enemy_hexes(side) }
  local act = new_action(unit, side, "card")
  call("gather", act, others)
  for _, each in ipairs(act.group) do
    if hasty_left() > 0 then each.hasty = true end
  end
  call("card-acted", act)
end)

-- 13: snipers pick off commanders.
helps[13] = function(side)
  local rich = {}
  for _, foe in ipairs(foes(side)) do
    if sides[foe].caps > 0 then table.insert(rich, foe) end
  end
  return rich
end
procedure("card-13", { rule = "card.13" }, function(side, card, rich)
  local foe = ask(side, "card.victim", { among = rich })
  local losses = value "snipers"
  local die = call("throw", side, "card-13", value "one-die")
  sides[foe].caps = math.max(0, sides[foe].caps - losses[math.max(1, math.min(#losses, die))])
end)

-- 20: one unit cannot move this round.
helps[20] = function(side) return enemies_of(side):filter { bogged = false, not_status = "active" } end
procedure("card-20", { rule = "card.20" }, function(side, card, fit)
  chosen_unit(side, card, fit).bogged = true
end)

-- 30: a close look round one unit.
helps[30] = function(side) return at_hand(side) end
procedure("card-30", { rule = "card.30" }, function(side, card, fit)
  local unit = chosen_unit(side, card, fit)
  local looked_at = near(unit.space, value "reveal-range"):both(view_of(unit):plus { unit.space })
  for _, foe in ipairs(foes(side)) do
    for _, prey in ipairs(lurkers(foe)) do
      if prey.lair and looked_at:has(prey.lair) then call("expose", prey.lair, foe) end
    end
  end
end)

-- 40 and 41: mines.
local function sappers(side, way)
  return receivers(side, way):filter { mode = "foot", not_at = enemy_hexes(side) }:filter(may_do_anything)
end
-- Hidden men lay mines as well as any others.
function mine_layers(side, way)
  local hidden = hidden_of(side):filter { mode = "foot" }:filter(may_do_anything)
  if way == "ap" then hidden = hidden:filter { status = "active" } end
  return sappers(side, way):plus(hidden)
end
local function mine_room(unit)
  return near(hex_of(unit), row("action-40").range):minus(enemy_hexes(unit.side)):minus(mine_hexes()):minus(hidden_markers(unit.side))
end
local function mines_near(unit) return mine_hexes():both(near(unit.space, row("action-41").range)) end

mine_stock = query("mine-stock", { rule = "card.40" }, function()
  local stock = {}
  for _, type in ipairs { "mines-blue", "mines-red", "mines-black" } do
    if #pieces { type = type, not_place = none } < row(type).most then table.insert(stock, type) end
  end
  return stock
end)

helps[40] = function(side, way)
  if #mine_stock() == 0 then return nobody() end
  return mine_layers(side, way), function(unit) return mine_room(unit):any() end
end
procedure("card-40", { rule = "card.40" }, function(side, card, fit)
  call("lay-mines", chosen_unit(side, card, fit), ask(side, "mines.which", { among = mine_stock() }))
end)

-- Out of the enemy's sight, or by hidden men, they may be laid in secret. Mines that lay there before strike whoever works among them (18.5b).
procedure("lay-mines", { rule = { "card.40", "18.5a", "18.0b", "18.5b" } }, function(unit, type)
  local side = unit.side
  local fields = mines_in(hex_of(unit))
  local hex = ask(side, "mines.where", { among = mine_room(unit), unit = unit })
  local secret = is_hidden(unit) or not watched(hex, side)
  if secret and ask(side, "mines.hidden", { among = { "hidden", "open" }, hex = hex }) == "hidden" then
    create(type, side, notes(side)).lair = hex
  else
    create(type, side, hex)
  end
  call("set-off", unit, fields)
end)

helps[41] = function(side, way)
  return sappers(side, way), function(unit) return mines_near(unit):any() end
end
procedure("card-41", { rule = "card.41" }, function(side, card, fit)
  local unit = chosen_unit(side, card, fit)
  local hex = ask(side, "mines.clear", { among = mines_near(unit), unit = unit })
  for _, field in ipairs(pieces { at = hex, kind = "marker", not_mines = none }) do call("raze", field) end
  call("mines-strike", unit, "act")
end)

-- Action cards (8.1, pages of card texts). `turn` offers those that can be played now, one of each kind.

local playable = {}   -- by card number: function(side, card) -> can it be played?

local function friendly(side) return units_of(side):filter { carried = false } end

-- Units that a card may help: when it is paid with AP, only the active ones (8.1a, card.general-b).
local function receivers(side, way)
  if way == "ap" then return active_of(side):filter { not_mode = "air", carried = false, on_map = true } end
  return friendly(side)
end

hand_cards = query("hand-cards", { rule = { "8.0c", "21.0f" } }, function(side)
  return pieces { kind = "card", at = hand(side), family = "action" }:distinct("number")
end)

local function can_play(side, card)
  return #card_ways(side, card) > 0 and playable[card.number](side, card)
end

function playable_cards(side)
  return hand_cards(side):filter(function(card) return can_play(side, card) end)
end

offer("turn", "card", { rule = { "2.2g", "8.0c", "8.0b", "card.general-a" },
  when = function(side) return rules_to(8) and option "cards" and hand(side).count > 0 end,
  among = function(side) return playable_cards(side) end,
  run = "turn.card" })

procedure("turn.card", { rule = { "2.2g", "8.1a", "8.1b", "8.0c", "8.0b" } }, function(card, side)
  reveal(card)
  local ways = card_ways(side, card)
  local way = ask(side, "card.way", { among = ways, card = card })
  call("pay-card", side, card, way)
  call("discard", card)
  local result = call("card-" .. card.number, side, card, way)
  call("settle", side)
  return result
end)

-- 2: one free action for a ready or spent unit or group.
playable[2] = function(side)
  if #fresh(side) > 0 then return true end
  return #able_units(side, value "no-limit"):filter { not_status = "active" } > 0
end
procedure("card-2", { rule = { "card.02", "8.1g", "9.2e", "15.5b", "10.0d" } }, function(side, card)
  local unit = ask(side, "card.unit", { among = able_units(side, value "no-limit"):filter { not_status = "active" }, card = card })
  call("take-action", unit, side, "card", card)
end)

-- 3: rally without a roll.
playable[3] = function(side, card)
  if #unsound(side) == 0 then return false end
  for _, way in ipairs(card_ways(side, card)) do
    if #receivers(side, way):filter(may_rally) > 0 then return true end
  end
  return false
end
procedure("card-3", { rule = { "card.03", "9.2e" } }, function(side, card, way)
  local fit = receivers(side, way):filter(may_rally)
  if #fit == 0 then return end
  local unit = ask(side, "card.unit", { among = fit, card = card })
  local act = { unit = unit, side = side, how = "card", card = card, budget = value "no-limit", group = { unit } }
  call("gather", act, fit)
  for _, each in ipairs(act.group) do call("heal", each) end
end)

-- 4: a rally roll for each.
playable[4] = function(side) return #unsound(side) > 0 and #friendly(side):filter { hurt = true, not_status = "active" }:filter(may_rally) > 0 end
procedure("card-4", { rule = "card.04" }, function(side, card)
  local fit = friendly(side):filter { hurt = true, not_status = "active" }:filter(may_rally)
  local unit = ask(side, "card.unit", { among = fit, card = card })
  local act = { unit = unit, side = side, how = "card", card = card, budget = value "no-limit", group = { unit } }
  call("gather", act, fit)
  for _, each in ipairs(act.group) do call("rally-roll", each) end
end)

-- 5: two hexes.
local function movers(side)
  local act = { side = side, how = "card", budget = value "no-limit" }
  return friendly(side):filter { not_status = "active" }:filter(function(unit)
    return may_move(unit) and can_step(act, unit)
  end)
end
playable[5] = function(side) return #sound(side):minus(active_of(side)) > 0 and #movers(side) > 0 or #hidden_of(side):filter(may_move) > 0 end
procedure("card-5", { rule = "card.05" }, function(side, card)
  local fit = movers(side):plus(hidden_of(side):filter(function(unit) return may_move(unit) and #lairs { unit = unit, budget = value "no-limit" } > 0 end))
  if #fit == 0 then return end
  local unit = ask(side, "card.unit", { among = fit, card = card })
  local act = { unit = unit, side = side, how = "card", card = card, budget = value "no-limit", group = { unit } }
  if not is_hidden(unit) then call("gather", act, movers(side)) end
  for _, each in ipairs(act.group) do
    for _ = 1, card.hexes do call("one-hex", act, each) end
  end
end)

procedure("one-hex", { rule = { "card.05", "10.1b" } }, function(act, unit)
  if is_hidden(unit) then
    local spots = lairs { unit = unit, budget = value "no-limit" }
    if #spots == 0 then return end
    unit.lair = ask(act.side, "sneak.to", { among = spots, unit = unit })
    call("watch-lair", unit)
    return call("mines-strike", unit, "enter")
  end
  if not (unit.space and unit.space.kind == "hex") or unit.stuck or #destinations(act, unit) == 0 then return end
  act.walked, act.bonus = 0, nil
  call("step", act, unit)
  if unit.space.kind == "hex" then call("turn-round", unit) end
end)

-- 6: an enemy unit is spent.
local function tireable(side) return pieces { kind = "unit", side = foes(side), on_map = true, not_status = "spent", not_mode = "air" } end
playable[6] = function(side) return #tireable(side) > 0 end
procedure("card-6", { rule = "card.06" }, function(side, card)
  local unit = ask(side, "card.unit", { among = tireable(side), card = card })
  unit.status = "spent"
  if #active_of(unit.side) == 0 then sides[unit.side].ap = 0 end
end)

-- 7 and 8: more points for the active unit or group.
playable[7] = function(side) return #active_of(side):filter { on_map = true } > 0 end
procedure("card-7", { rule = "card.07" }, function(side)
  sides[side].ap = sides[side].ap + math.max(0, call("throw", side, "card-7", 1))
end)
playable[8] = function(side) return #active_of(side):filter { on_map = true } > 0 end
procedure("card-8", { rule = "card.08" }, function(side)
  sides[side].caps = sides[side].caps + math.max(0, call("throw", side, "card-8", 1))
end)

-- 9: played around an attack (see windows.lua). 10: two actions in a row.
playable[10] = function(side) return sides[side].extra == 0 end
procedure("card-10", { rule = "card.10" }, function(side)
  sides[side].extra = 2
  return "free"
end)

-- 11: hasty defences, vehicles too, not in close combat.
local function diggers(side)
  return friendly(side):filter { status = "ready", hasty = false, not_at = enemy_hexes(side) }
end
playable[11] = function(side) return hasty_left() > 0 and #diggers(side) > 0 end
procedure("card-11", { rule = { "card.11", "9.1.4a" } }, function(side, card)
  local unit = ask(side, "card.unit", { among = diggers(side), card = card })
  local act = { unit = unit, side = side, how = "card", card = card, budget = value "no-limit", group = { unit } }
  call("gather", act, friendly(side):filter { hasty = false, not_at = enemy_hexes(side) })
  for _, each in ipairs(act.group) do
    if hasty_left() > 0 then each.hasty = true end
  end
end)

-- 13: snipers pick off commanders.
playable[13] = function(side)
  for _, foe in ipairs(foes(side)) do
    if sides[foe].caps > 0 then return true end
  end
  return false
end
procedure("card-13", { rule = "card.13" }, function(side)
  local rich = {}
  for _, foe in ipairs(foes(side)) do
    if sides[foe].caps > 0 then rich[#rich + 1] = foe end
  end
  local foe = ask(side, "card.victim", { among = rich })
  local die = math.max(1, math.min(6, call("throw", side, "card-13", 1)))
  sides[foe].caps = math.max(0, sides[foe].caps - value "snipers"[tostring(die)])
end)

-- 20: one unit cannot move this round.
local function mobile(side) return pieces { kind = "unit", on_map = true, bogged = false, not_status = "active", not_mode = "air", side = foes(side) } end
playable[20] = function(side) return #mobile(side) > 0 end
procedure("card-20", { rule = "card.20" }, function(side, card)
  local unit = ask(side, "card.unit", { among = mobile(side), card = card })
  unit.bogged = true
end)

-- 30: a close look round one unit.
playable[30] = function(side) return #units_of(side):filter { carried = false } > 0 end
procedure("card-30", { rule = "card.30" }, function(side, card)
  local unit = ask(side, "card.unit", { among = friendly(side), card = card })
  local looked_at = near(unit.space, value "reveal-range"):both(view_of(unit):plus { unit.space })
  for _, foe in ipairs(foes(side)) do
    for _, prey in ipairs(hidden_of(foe)) do
      if prey.lair and looked_at:has(prey.lair) then call("expose", prey.lair, foe) end
    end
  end
end)

-- 40 and 41: mines.
local function sappers(side, way)
  return receivers(side, way):filter { mode = "foot", not_at = enemy_hexes(side) }
end
local function mine_room(unit)
  return near(unit.space, 1):minus(enemy_hexes(unit.side)):minus(mine_hexes())
end
local function any_way(side, card, test)
  for _, way in ipairs(card_ways(side, card)) do
    if #sappers(side, way):filter(test) > 0 then return true end
  end
  return false
end
playable[40] = function(side, card) return #mine_stock() > 0 and any_way(side, card, function(unit) return #mine_room(unit) > 0 end) end

function mine_stock()
  local stock = {}
  for _, type in ipairs { "mines-blue", "mines-red", "mines-black" } do
    local laid = #pieces { type = type, not_place = none }
    if laid < row(type).most then stock[#stock + 1] = type end
  end
  return stock
end

procedure("card-40", { rule = "card.40" }, function(side, card, way)
  local fit = sappers(side, way):filter(function(unit) return #mine_room(unit) > 0 end)
  if #fit == 0 then return end
  local unit = ask(side, "card.unit", { among = fit, card = card })
  call("lay-mines", unit, ask(side, "mines.which", { among = mine_stock() }))
end)

procedure("lay-mines", { rule = { "card.40", "18.5a" } }, function(unit, type)
  local side = unit.side
  local hex = ask(side, "mines.where", { among = mine_room(unit), unit = unit })
  if watched(hex, side) then
    create(type, side, hex)
  else
    create(type, side, notes(side)).lair = hex
  end
end)

local function mines_near(unit) return mine_hexes():both(near(unit.space, 1)) end
playable[41] = function(side, card) return any_way(side, card, function(unit) return #mines_near(unit) > 0 end) end
procedure("card-41", { rule = "card.41" }, function(side, card, way)
  local fit = sappers(side, way):filter(function(unit) return #mines_near(unit) > 0 end)
  if #fit == 0 then return end
  local unit = ask(side, "card.unit", { among = fit, card = card })
  local hex = ask(side, "mines.clear", { among = mines_near(unit), unit = unit })
  for _, field in ipairs(pieces { at = hex, kind = "marker", not_mines = none }) do call("raze", field) end
end)

-- These two are played around rolls only.
playable[9] = function() return false end
playable[12] = function() return false end

-- Weapon cards (8.2) and veteran cards that are actions (8.3): they lie open before their owner.

-- Only cards that lie on the table have an owner.
veterans_of = query("veterans-of", { rule = "8.3a" }, function(side)
  return pieces { family = "veteran", side = side }
end)

weapons_of = query("weapons-of", { rule = "8.2a" }, function(side)
  return pieces { family = "weapon", side = side, used_up = false }
end)

-- Own hexes with an enemy in them or beside them: nothing else is in reach of a weapon card.
in_contact = query("in-contact", { rule = { "8.2a", "10.0c" } }, function(side)
  local foe = enemy_hexes(side)
  local own = own_hexes(side)
  for _, unit in ipairs(hidden_of(side)) do own = own:plus { unit.lair } end
  return own:both(around(foe):plus(foe))
end)

-- In close combat a weapon serves against the enemies in the same hex only (7.6.3j).
function weapon_hexes(unit, card)
  local from = hex_of(unit)
  local hexes = enemy_hexes(unit.side):both(near(from, card.range)):both(view_of(unit):plus { from })
  if not card.metal_only then return hexes end
  return hexes:filter(function(hex) return metal_in(hex, unit.side):any() end)
end

function metal_in(hex, side)
  return enemies_in(hex, side):filter { class = { "gun", "tank", "spg", "apc", "truck", "scout" } }
end

local function weapon_users(side, way)
  local contact = in_contact(side)
  local pool = way == "ap" and active_of(side) or units_of(side):plus(hidden_of(side))
  return pool:filter { mode = "foot", carried = false }:filter(function(unit) return contact:has(hex_of(unit)) end)
end

local function wields(card)
  return function(unit) return may_fire(unit) and weapon_hexes(unit, card):any() end
end

local function weapon_ways(side, card)
  local ways = {}
  for _, way in ipairs(card_ways(side, card)) do
    if weapon_users(side, way):any(wields(card)) then table.insert(ways, way) end
  end
  return ways
end

offer("turn", "weapon", { rule = { "8.2a", "card.w-demolition", "card.w-flamethrower", "card.w-grenades", "card.w-magnetic", "card.w-molotov", "card.w-at-mines" },
  when = function(side) return weapons_of(side):any() and in_contact(side):any() end,
  among = function(side) return weapons_of(side):filter(function(card) return #weapon_ways(side, card) > 0 end) end,
  run = "turn.weapon" })

procedure("turn.weapon", { rule = { "8.2a", "8.2b", "8.2c" } }, function(card, side, act)
  mines_done(act)
  local way = ask(side, "card.way", { among = weapon_ways(side, card), card = card })
  local unit = ask(side, "card.unit", { among = weapon_users(side, way):filter(wields(card)), card = card })
  local hex = ask(side, "weapon.at", { among = weapon_hexes(unit, card), card = card })
  call("pay-card", side, card, way)
  card.used_up = true
  local use = new_action(unit, side, way == "ap" and "ap" or "card")
  if is_hidden(unit) then call("weapon-from-hiding", unit, side) end
  if card.group and not is_hidden(unit) then
    call("fire-group", use, hex, companions(use, at_hand(side)):filter { mode = "foot", at = unit.space }:filter(may_fire))
  end
  local a = { side = side, kind = "weapon", leader = unit, group = use.group, card = card, from = hex_of(unit), target = hex, red = card.red or card.blue, blue = card.blue }
  if card.metal_only then
    ---@type any
    local prey = metal_in(hex, side)
    if card.one_target then prey = { ask(side, "weapon.target", { among = prey }) } end
    for _, target in ipairs(prey) do
      a.only = target
      call("attack", a)
      a.boosted = true
    end
  else
    call("attack", a)
  end
  call("card-acted", use)
  call("settle", side)
end)

-- A weapon gives its user away like any other action, unless Concealed Action is played first (10.0c, card.v13).
procedure("weapon-from-hiding", { rule = { "10.0c", "card.v13" } }, function(unit, side)
  local cover = veteran(side, "v13", unit)
  if cover and ask(side, "card.conceal", { among = { "play", "keep" }, unit = unit }) == "play" then return call("use-up", cover) end
  call("expose", unit.lair, side)
end)

-- Anti-tank mines may be laid instead of thrown (card.w-at-mines).
offer("turn", "lay-at-mines", { rule = "card.w-at-mines",
  when = function(side) return weapons_of(side):any() end,
  among = function(side)
    local card = weapons_of(side):filter { type = "w-at-mines" }:first()
    if not card or sides[side].caps < card.either then return nobody() end
    return mine_layers(side, "caps")
  end,
  run = "turn.lay-at-mines" })

procedure("turn.lay-at-mines", { rule = "card.w-at-mines" }, function(unit, side)
  local card = weapons_of(side):filter { type = "w-at-mines" }:first()
  call("pay-card", side, card, "caps")
  card.used_up = true
  call("lay-mines", unit, "mines-blue")
end)

-- V01: a forced march. V05: a leader's word. V12: two cards at once.
local function marchers(side)
  local card = veteran(side, "v01")
  return card and card.holders:filter { status = "active", on_map = true } or nobody()
end

offer("turn", "forced-march", { rule = "card.v01",
  when = function(side) return veterans_of(side):any() and marchers(side):any() end,
  run = "turn.forced-march" })

procedure("turn.forced-march", { rule = "card.v01" }, function(_, side, act)
  mines_done(act)
  local card, unit = veteran(side, "v01"), marchers(side)[1]
  call("use-up", card)
  unit.marching = true
  sides[side].ap = sides[side].ap + card.gain
end)

-- Whom the word of their leader helps, and the ways in which it may be paid: with AP only for those who are active (card.general-b).
local function led(side, way)
  local card = veteran(side, "v05")
  if not card then return nobody() end
  local shaken = card.holders:filter { on_map = true }:filter(may_rally)
  return way == "ap" and shaken:filter { status = "active" } or shaken
end

local function leading(side)
  local card, ways = veteran(side, "v05"), {}
  for _, way in ipairs(card and card_ways(side, card) or {}) do
    if led(side, way):any() then table.insert(ways, way) end
  end
  return ways
end

offer("turn", "leadership", { rule = "card.v05",
  when = function(side) return veterans_of(side):any { type = "v05" } end,
  among = leading,
  run = "turn.leadership" })

procedure("turn.leadership", { rule = { "card.v05", "9.2e" } }, function(way, side, act)
  mines_done(act)
  local card, fit = veteran(side, "v05"), led(side, way)
  local use = new_action(ask(side, "card.unit", { among = fit, card = card }), side, "card")
  call("pay-card", side, card, way)
  call("use-up", card)
  call("gather", use, fit)
  for _, unit in ipairs(use.group) do call("recover", unit) end
  call("card-acted", use)
  call("settle", side)
end)

-- V12: two action cards from the hand as one action.
offer("turn", "extra-initiative", { rule = "card.v12",
  when = function(side) return veterans_of(side):any() and veteran(side, "v12") ~= nil end,
  among = function(side) return hand(side).count > 1 and playable_cards(side) or {} end,
  run = "turn.extra-initiative" })

procedure("turn.extra-initiative", { rule = "card.v12" }, function(first, side)
  call("use-up", veteran(side, "v12"))
  local result = call("turn.card", first, side)
  local more = playable_cards(side)
  local second = more:any() and ask(side, "card.second", { among = more, none = "enough" })
  if second then result = call("turn.card", second, side) or result end
  return result
end)

-- Activation is no action (3.0b): cards that the fresh points pay for, or that are for active units, may be the action of the same turn.
local function paid_fresh(ways)
  for _, way in ipairs(ways) do
    if way == "ap" then return true end
  end
end

offer("action", "card", { rule = { "3.0b", "8.1a" },
  when = function(side, act) return act.fresh and in_force "cards" and option "cards" end,
  among = function(side) return playable_cards(side):filter(function(card) return card.for_active or paid_fresh(useful_ways(side, card)) end) end,
  run = "turn.card" })

offer("action", "weapon", { rule = { "3.0b", "8.2a" },
  when = function(side, act) return act.fresh and weapons_of(side):any() and in_contact(side):has(act.unit.space) end,
  among = function(side) return weapons_of(side):filter(function(card) return paid_fresh(weapon_ways(side, card)) end) end,
  run = "turn.weapon" })

offer("action", "forced-march", { rule = { "3.0b", "card.v01" },
  when = function(side, act) return act.fresh and veterans_of(side):any() and marchers(side):has(act.unit) end,
  run = "turn.forced-march" })

offer("action", "leadership", { rule = { "3.0b", "card.v05" },
  when = function(side, act) return act.fresh and veterans_of(side):any { type = "v05" } and paid_fresh(leading(side)) end,
  among = function() return { "ap" } end,
  run = "turn.leadership" })

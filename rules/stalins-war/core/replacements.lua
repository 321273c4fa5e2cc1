-- 14. Replacements, and 7.5.2 where new units arrive.

procedure("soviet-replacements", { rule = { "6.C", "14.1.1" } }, function() return rebuild "soviet" end)
procedure("axis-replacements", { rule = { "6.C", "14.1.1" } }, function() return rebuild "axis" end)

function rebuild(side)
  local result = menu(side, "replacement", { none = "done", left = rp_left_text(side) })
  if result == "done" then forfeit_rp(side) end
  return result
end

forfeit_rp = procedure("forfeit-rp", { rule = "14.1.5" }, function(side)
  for _, kind in ipairs(rp_kinds) do keep_halves(side, kind, 0) end
end)

rp_kinds = { "rp", "ge", "pz", "ax" }

-- RP are kept as players count them, whole points and perhaps a half; prices are in halves (14.1.3).
function halves_left(side, kind)
  local own = sides[side]
  return own[kind] * value "rp-cost".halves + (own["half_" .. kind] and 1 or 0)
end

function keep_halves(side, kind, halves)
  local own, whole, half = sides[side], halves // value "rp-cost".halves, halves % value "rp-cost".halves == 1
  if own[kind] ~= whole then own[kind] = whole end
  if own["half_" .. kind] ~= half then own["half_" .. kind] = half end
end

-- The kind of RP that pays for a unit (14.1.7).
rp_kind = query("rp-kind", { rule = "14.1.7" }, function(unit)
  if unit.side == "soviet" then return "rp" end
  if unit.nation ~= "ge" then return "ax" end
  return unit:is "panzer" and "pz" or "ge"
end)

function level_price(unit)
  return value "rp-cost"[unit.size]
end

local function affordable(unit)
  return halves_left(unit.side, rp_kind(unit)) >= level_price(unit)
end

local function has_rp(side)
  for _, kind in ipairs(rp_kinds) do
    if halves_left(side, kind) > 0 then return true end
  end
  return false
end

-- Reduced units in full supply, up to their best level that can be restored.
local function reduced(side)
  return units_of(side):filter{ supply = "full", not_level = 1 }:filter(function(unit)
    return unit.best ~= nil and unit.level > unit.best and affordable(unit)
  end)
end

local function lost(side)
  return space("eliminated-" .. side).pieces:filter(function(unit) return affordable(unit) and #arrival_hexes(unit) > 0 end)
end

offer("replacement", "restore", { rule = { "14.1.2", "14.1.3a", "14.1.3b", "14.1.6" }, when = has_rp, among = reduced, run = "restore" })
offer("replacement", "recreate", { rule = { "14.1.2", "14.1.4" }, when = has_rp, among = lost, run = "recreate" })

panzer_corps = query("panzer-corps", { rule = "14.1.7" }, function() return roster "axis":filter{ has = "panzer" } end)

forbid_all("replacement", "usir-lost", { rule = "14.2.2", side = "axis" }, function()
  if #spaces{ usir = true, control = "soviet" } > 0 then return panzer_corps(), no("usir-lost") end
end)

forbid_all("replacement", "no-panzer-rp", { rule = "card.su.52", side = "axis" }, function()
  if has_been_played "soviet-52" then return panzer_corps(), no("bulge") end
end)

local function charge(unit)
  local kind = rp_kind(unit)
  keep_halves(unit.side, kind, halves_left(unit.side, kind) - level_price(unit))
end

procedure("restore", { rule = { "14.1.2", "14.1.6", "table.rpcost" } }, function(unit)
  charge(unit)
  step_up(unit)
end)

procedure("recreate", { rule = { "14.1.2", "14.1.4", "table.rpcost" } }, function(unit)
  charge(unit)
  arrive(unit, ask(unit.side, "arrival.hex", { among = arrival_hexes(unit), unit = unit }))
end)

-- 7.5.2d Capital, full supply sources, supplied cities and fortresses of the nation; Italians by way of Bucharest and Odessa.
arrival_hexes_of = query("arrival-hexes", { rule = { "7.5.2d", "7.5.2h", "7.5.2i", "3.0g" } }, function(side, nation)
  if nation == "it" then return hexes_of(value "italian-arrival".hexes):filter{ control = side } end
  local home = spaces{ home = nation, control = side }
  local fed = traceable(side, nation, home:filter{ place = "city" }:plus(home:filter{ fortress = side }))
  return fed:plus(supply_sources(side, source_of(nation)):both(home)):plus(home:filter{ capital = nation }):minus(standing(enemy(side)))
end)

-- A unit that `joins` a nation may come up with any of its units in full supply.
function arrival_hexes(unit)
  local found = unit.joins and units_of(unit.side):filter{ nation = unit.joins, supply = "full" }:spaces()
    or arrival_hexes_of(unit.side, unit.nation)
  return found:minus(crowded_for(unit)):minus(closed_to(unit))
end

arrive = procedure("arrive", { rule = "7.5.2d" }, function(unit, hex)
  unit.supply = "full"
  move(unit, hex)
  enter(unit, hex)
end)

-- A Reinforcement event: every unit that names the card and has not left the game with its nation (19.3.1), by placement or exchange; the rest is lost. Mobilized units do not attack yet.
reinforce = procedure("reinforce", { rule = { "7.5.2a", "7.5.2c", "7.5.2d", "4.5.1d" } }, function(card)
  for _, unit in ipairs(pieces{ kind = "unit", arrives = card.id, place = none }) do
    if mobilizes(card) then unit.placed = true end
    local barred = unit.needs and not has_been_played(unit.needs)
    if barred then
      move(unit, space "out-of-game")
    elseif unit.swaps then
      exchange(unit)
    else
      place_or_lose(unit, arrival_hexes(unit))
    end
  end
end)

-- The event of a Reinforcement card: its units name it in their `arrives`.
function reinforcements(id, rule)
  procedure("event." .. id, { rule = rule }, function(card) reinforce(card) end)
end

place_or_lose = procedure("place-or-lose", { rule = { "7.5.2c", "7.5.3" } }, function(unit, open)
  if #open == 0 then
    move(unit, space "out-of-game")
    return
  end
  if unit.enters then step_down(unit, unit.enters - unit.level) end
  arrive(unit, ask(unit.side, "arrival.hex", { among = open, unit = unit }))
end)

-- 7.5.2e to g: Total War Fronts, Guards and Guards Tank Armies take the place of an older unit in full supply.
function exchangeable(unit)
  local fed = units_of "soviet":filter{ supply = "full" }
  if unit.swaps == "rifle" then return fed:filter{ has = "rifle", size = "scu" } end
  if unit.swaps == "tank" then return fed:filter{ has = "tank" }:minus(fed:filter{ has = "guards-tank" }) end
  return fed:filter{ has = unit.swaps, size = "lcu" }
end

exchange = procedure("exchange", { rule = { "7.5.2e", "7.5.2f", "7.5.2g" } }, function(unit)
  local old = ask("soviet", "exchange.unit", { among = exchangeable(unit), unit = unit, none = #exchangeable(unit) == 0 and "lost" or nil })
  if not old then
    move(unit, space "out-of-game")
    return
  end
  local hex = old.space
  move(old, space "out-of-game")
  arrive(unit, hex)
end)

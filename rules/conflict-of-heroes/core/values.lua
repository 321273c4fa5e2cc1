-- A unit's values as they are now: printed, changed by its hit counter and by its veteran card.

-- The counter that counts; Iron Will sets it aside, except for movement (card.v11).
burden = query("burden", { rule = { "7.4c", "7.4d", "card.v11" } }, function(unit)
  if unit.hurt and not unit.steeled then return unit.hit end
end)

local function change(unit, field)
  local hit = burden(unit)
  return hit and hit[field] or 0
end

function fire_cost(unit) return unit.fire + change(unit, "fire_change") end

function move_cost(unit)
  local hit = unit.hurt and unit.hit
  return unit.move + (hit and hit.move_change or 0)
end

function range_of(unit)
  local hit = burden(unit)
  if hit and hit.range_becomes then return hit.range_becomes end
  return unit.range + (veteran(unit.side, "v02", unit) and row("v02").range or 0)
end

function reach_of(unit)
  return range_of(unit) * value "long-range".times
end

-- Abilities that a counter or a marker takes away.
may_move = query("may-move", { rule = { "7.4d", "7.4-h.pinned", "card.20", "15.2-h.immobilized" } }, function(unit)
  if unit.carried or unit.stuck or unit.bogged or unit.broken_down then return false end
  local hit = unit.hurt and unit.hit
  return not (hit and (hit.no_move or hit.only_rally))
end)

may_pivot = query("may-pivot", { rule = { "7.4d", "7.4-h.pinned", "14.1b", "card.20" } }, function(unit)
  if unit.carried or unit.stuck or unit.bogged then return false end
  local hit = unit.hurt and unit.hit
  return not (hit and (hit.no_pivot or hit.only_rally))
end)

may_fire = query("may-fire", { rule = { "7.4d", "7.4-h.panicked", "15.2-h.gun", "15.2-h.panicked", "17.0e", "7.4-h.pinned", "15.2-h.light" } }, function(unit)
  if unit.carried then return false end
  local hit = burden(unit)
  return not (hit and (hit.no_fire or hit.only_rally or hit.no_red and hit.no_blue))
end)

-- A counter's symbol for a lost ability may be for fire of one colour only (15.2-h.symbols).
function may_use_colour(unit, colour)
  local hit = burden(unit)
  return not (hit and hit[colour == "red" and "no_red" or "no_blue"])
end

function may_do_anything(unit)
  local hit = burden(unit)
  return not (hit and hit.only_rally)
end

may_rally = query("may-rally", { rule = { "7.5e", "15.2b", "15.2-h.light", "15.2-h.gun", "s12.1" } }, function(unit)
  if not (unit.hurt or unit.broken_down) or enemy_in(unit.space, unit.side) then return false end
  return rally_number(unit) ~= nil
end)

-- What a unit must roll to rally from its counter or, if that allows none, from a breakdown.
function rally_number(unit)
  local number = unit.hurt and unit.hit.rally
  if number then return number end
  if unit.broken_down then return value "teething".rally end
end

-- A veteran card of a side that can be used now: one that this unit holds, or without a unit one whose holder, if it needs any, is in
-- the field (8.3a, 8.3b). Cards that change a unit for good are never used up.
function veteran(side, type, unit)
  local cards = veterans_of(side)
  if #cards == 0 then return end
  for _, card in ipairs(cards) do
    if card.type == type and not card.used and not card.used_up then
      local holders = card.holders
      if unit and holders:has(unit) then return card end
      if not unit and (#holders == 0 or holders:any(in_the_field)) then return card end
    end
  end
end

function in_the_field(unit) return unit.space ~= nil and unit.space.kind ~= "box" end

-- Shows a hit counter when one of its effects is used (7.4f), not one that Iron Will sets aside.
procedure("show-hit", { rule = { "7.4f", "7.4g" } }, function(unit, ...)
  if not unit.hurt or unit.hit_known then return end
  local used = false
  for _, field in ipairs { ... } do
    if unit.hit[field] and (field == "move_change" or not unit.steeled) then used = true end
  end
  if not used then return end
  unit.hit_known = true
  reveal(unit.hit)
end)

-- Dice, hits and losses. A die not above the value hits; the owner of the units hit chooses what is lost.

-- All unit types, in the order in which their dice are rolled.
kinds = rows "unit"

-- How many hits a unit takes before it is lost.
function toughness(unit)
  if unit.type == "carrier" then return option "carrier-hits" end
  return unit.hits
end

-- A unit's value in attack and defence, by type and power. `helped`: an infantry paired with an artillery.
number("attack", { rule = { "combat.1", "land.C2", "land.C3", "unit-bb.7" }, stages = { "printed", "support" } }, function(n, kind) n:add(row(kind).attack) end)
number("defence", { rule = { "combat.1", "land.D2", "land.D3", "unit-art.3" }, stages = { "printed", "support" } }, function(n, kind) n:add(row(kind).defence) end)

modify("attack", "artillery-support", { rule = { "unit-art.2", "unit-art.3" }, stage = "support" }, function(n, kind, side, helped)
  if helped then n:add(value "support-bonus") end
end)

attack_of = query("attack-of", { rule = "combat.1" }, function(kind, side, helped) return evaluate("attack", kind, side, helped) end)
defence_of = query("defence-of", { rule = "combat.1" }, function(kind, side) return evaluate("defence", kind, side) end)

-- Rolls `n` dice and counts those not above `worth`.
function volley(label, n, worth)
  if n == 0 or worth == 0 then return 0 end
  local hits = 0
  for _, die in ipairs(rolls(label, n)) do
    if die <= worth then hits = hits + 1 end
  end
  return hits
end

-- How many there are of each type.
function census(units)
  local count = {}
  for _, unit in ipairs(units) do count[unit.type] = (count[unit.type] or 0) + 1 end
  return count
end

-- What hits of each kind can be put on: submarines hit ships only, aircraft without a destroyer no submarines.
local takers = {
  free = { hit = false },
  submarine = { hit = false, domain = { "land", "sea" } },
  air = { hit = false, not_type = "submarine" },
}

-- Are there ships that survive their first hit?
local tough, decked = { min_hits = row("battleship").hits }, { type = "carrier" }
local function has_tough(units) return units:any(tough) or (option "carrier-hits" > 1 and units:any(decked)) end

-- The first hit on a two-hit ship only damages it; otherwise the unit is lost.
local function mark(unit)
  if toughness(unit) > 1 and not unit.damaged then
    unit.damaged = true
    log("damaged", unit)
  else
    unit.hit = true
  end
end

-- Who puts the hits: the owners of the units, unless the option gives the attacker's losses to the shooter.
local function chooser(units, shooter)
  if shooter ~= game.active and option "loss-chooser" == "shooter" then return { shooter } end
  return owners_of(units)
end

-- Hits on units of one owner that are lost at the first hit: one decision for all of them.
local function lose_many(side, units, n)
  for _, unit in ipairs(pick_units(side, "losses", units, n, {})) do unit.hit = true end
end

-- `n` hits of one kind on `units`, fired by the power `shooter`. Hits that nothing can take are void.
procedure("losses", { rule = { "land.C4", "land.C6", "land.D4", "multi.2", "multi.3", "sea.C3", "unit-bb.2", "outside.8", "diff.7", "sea.D4", "unit-sub.6", "unit-cv.9" } },
function(units, n, kind, shooter)
  local open = units:filter(takers[kind])
  if n == 0 or #open == 0 then return end
  local deciders = chooser(open, shooter)
  if #deciders == 1 and not has_tough(open) then return lose_many(deciders[1], open, n) end
  for _ = 1, n do
    open = open:filter(takers[kind])
    if #open == 0 then return end
    mark(agree_on(deciders, "losses.one", shooter, { among = sorts(open), kind = kind }))
  end
end)

-- Dice, hits and losses. A die not above the value hits; the owner of the units hit chooses what is lost.

-- All unit types, in the order in which their dice are rolled.
kinds = rows "unit"

-- How many more hits a unit can take.
function hits_left(unit)
  local instead = unit.hits_option
  return (instead and option(instead) or unit.hits) - (unit.damaged and 1 or 0)
end

-- A unit's value in attack and defence, by type and power. `helped`: an infantry paired with an artillery.
number("attack", { rule = { "combat.1", "land.C2", "land.C3", "unit-bb.7" }, stages = { "printed", "support" } }, function(n, kind) n:add(row(kind).attack) end)
number("defence", { rule = { "combat.1", "land.D2", "land.D3", "unit-art.3" }, stages = { "printed", "support" } }, function(n, kind) n:add(row(kind).defence) end)

modify("attack", "artillery-support", { rule = { "unit-art.2", "unit-art.3" }, stage = "support" }, function(n, kind, side, helped)
  if helped then n:add(value "support-bonus") end
end)

attack_of = query("attack-of", { rule = "combat.1" }, function(kind, side, helped) return evaluate("attack", kind, side, helped) end)
defence_of = query("defence-of", { rule = "combat.1" }, function(kind, side) return evaluate("defence", kind, side) end)

-- Units of one type and power fire: a die not above `worth` hits. The log has who fires, what the dice show and how many hit.
function fire_group(label, side, kind, n, worth)
  if worth == 0 then return 0 end
  local hits, shown = 0, ""
  for _, die in ipairs(rolls(label, n)) do
    if die <= worth then hits = hits + 1 end
    shown = shown .. " " .. die
  end
  log("fires", side, number_of(n, kind), worth, shown, hits)
  return hits
end

-- What hits of each kind can be put on: submarines hit ships only, aircraft without a hunter nothing that hides from them.
local function takers(units, kind)
  local open = units:filter { hit = false }
  if kind == "ships-only" then return open:filter { domain = "sea" } end
  return kind == "unspotted" and open:minus(open:filter { has = "hidden-from-aircraft" }) or open
end

-- Who puts the hits: the owners of the units, unless the option gives the attacker's losses to the shooter.
local function deciders(units, shooter)
  if shooter ~= game.active and option "loss-chooser" == "shooter" then return { shooter } end
  return owners_of(units)
end

-- `n` hits on units that are alike: each is damaged before one is lost.
local function take_hits(units, n)
  for _, unit in ipairs(units) do
    if n > 0 and hits_left(unit) > 1 then
      unit.damaged = true
      log("damaged", unit.side, unit)
      n = n - 1
    end
  end
  for _, unit in ipairs(units:take(n)) do unit.hit = true end
end

-- `n` hits of one kind on `units`, fired by the power `shooter`. Hits that nothing can take are void. Powers that defend together agree on
-- what they lose, or the shooter chooses.
procedure("losses", { rule = { "land.C4", "land.C6", "land.D4", "multi.2", "multi.3", "sea.C3", "unit-bb.2", "outside.8", "sea.D4", "unit-sub.6", "unit-cv.9", "diff.7" } },
function(units, n, kind, shooter)
  local open = takers(units, kind)
  local most = open:sum(hits_left)
  if n == 0 or most == 0 then return end
  if n < most then
    local powers = deciders(open, shooter)
    local function how(_, prompt, ask) return decide_together(powers, shooter, prompt, ask) end
    for _, line in ipairs(place_hits(powers[1], "losses", open, n, { kind = kind, hits = n, space = open[1].space }, hits_left, how)) do
      take_hits(line.units, line.n)
    end
  else
    for _, unit in ipairs(open) do unit.hit = true end
  end
  log("loses", words_for(open:filter { hit = true }), open[1].side)
end)

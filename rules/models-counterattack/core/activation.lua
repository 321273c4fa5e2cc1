-- 5.B Activation: one corps a Soviet phase with independents and the 47th Army; any German units. What was active is marked Moved.

-- Units in play that have not been activated this turn, be it with their own formation or as reserves beside another.
fresh = query("fresh", { rule = { "5.limits.a", "5.limits.c", "14.use.e" } }, function(side)
  return in_play(side):filter{ spent = false }
end)

-- Corps not yet activated this turn that have a unit in play.
available_corps = query("available-corps", { rule = { "5.turn.b", "5.sov2.a", "5.limits.a", "2.counters.a" } }, function()
  local fit = {}
  for _, corps in ipairs(value "corps".list) do
    if not space("box-" .. corps).marked and in_play "soviet":any{ formation = corps } then fit[#fit + 1] = corps end
  end
  return fit
end)

procedure("activation", { rule = { "5.turn.b", "5.turn.c", "5.limits.f" } }, function()
  if game.active == "soviet" and #available_corps() > 0 then activate_corps() end
end)

activate_corps = procedure("activate-corps", { rule = { "5.sov1.a", "5.sov2.a", "5.sov3.a", "5.limits.d", "5.limits.g", "2.map.d" } }, function()
  local corps = ask("soviet", "activate.corps", { among = available_corps })
  game.corps = corps
  space("box-" .. corps).marked = true
  activate_all(fresh "soviet":filter{ formation = corps })
  activate_independents()
  activate_47th()
end)

function activate_all(units)
  for _, unit in ipairs(units) do activate(unit) end
end

-- A unit is activated: the Soviets by their corps, a German by the first thing that it does. Where divisions are counted, `ordered` outlives
-- the unit.
activate = procedure("activate", { rule = { "5.turn.c", "5.ger1.a", "5.ger2.a", "5.ger3.a", "5.limited.a" } }, function(unit)
  unit.active = true
  if is_limited() and unit.side == "german" then unit.ordered = true end
end)

-- Independents join a corps, each once a turn, any number of them. Who is held in reserve has no Moved marker, but has joined.
activate_independents = procedure("activate-independents", {
  rule = { "2.counters.b", "2.counters.c", "2.counters.d", "5.limits.a", "5.limits.e" },
}, function()
  local free = fresh "soviet":filter{ formation = value "army-troops".formation, joined = false }
  local chosen = choose("soviet", "activate.independents", { among = free, min = 0, corps = space("box-" .. game.corps) })
  activate_all(chosen)
  for _, unit in ipairs(chosen) do unit.joined = true end
end)

activate_47th = procedure("activate-47th", { rule = { "17.army47.a", "17.army47.b", "2.counters.e", "5.limits.a" } }, function()
  local army = fresh "soviet":filter{ formation = value "army-47".formation }
  if #army == 0 or game.army_47 then return end
  if ask("soviet", "activate.army-47", { among = { "activate", "wait" }, corps = space("box-" .. game.corps) }) == "wait" then return end
  game.army_47 = true
  activate_all(army)
end)

-- The Moved marker: for all that were active, except units held in reserve and the train (5.limits.c, 13.train.a, 14.use.e).
procedure("mark-moved", { rule = { "5.limits.a", "5.limits.c", "5.limits.e", "13.train.a" } }, function()
  for _, unit in ipairs(pieces{ kind = "unit", active = true, reserve = 0, train = false, spent = false }) do unit.spent = true end
  game.step = "none"
end)

-- Optional: Limited German Activation --------------------------------------------------------------------------------------

-- The two SS divisions share one marker.
local function division_of(unit)
  return value "shared-markers"[unit.formation] or unit.formation
end

-- Units of each division activated in this phase, the fallen among them, as if some more were.
local function tally(more)
  local count = {}
  local ordered = pieces{ kind = "unit", side = "german", ordered = true, not_formation = value "independents".list }
  for _, unit in ipairs(ordered:plus(more)) do
    local division = division_of(unit)
    count[division] = (count[division] or 0) + 1
  end
  return count
end

-- Two divisions, and one unit of a third: what is left without the largest two may be one unit.
function over_the_limit(more)
  local sizes = {}
  for _, n in pairs(tally(more)) do sizes[#sizes + 1] = n end
  table.sort(sizes, function(a, b) return a > b end)
  local rest = 0
  for i = value "limited".divisions + game.divisions + 1, #sizes do rest = rest + sizes[i] end
  return rest > value "limited".singles
end

-- Whether the rule is in force.
function is_limited()
  return option "limited-german-activation" and game.turn >= value "limited".from_turn
end

-- Whether the activation of these units would break the optional rule.
function too_many_divisions(side, units)
  return side == "german" and is_limited() and over_the_limit(units:filter{ ordered = false }:filter(function(unit) return not is_independent(unit) end))
end

-- Units whose activation would be one too many.
beyond_limit = query("beyond-limit", { rule = { "5.limited.a", "5.limited.b", "5.limited.c", "5.limited.d" } }, function()
  if not is_limited() then return nobody() end
  return in_play "german":filter{ ordered = false, not_formation = value "independents".list }
    :filter(function(unit) return over_the_limit{ unit } end)
end)

-- A refusal that holds under the optional rule only.
local function limit(menu, id, offers, rules, test)
  forbid_all(menu, id, { rule = rules, option = "limited-german-activation", side = "german", offer = offers }, test)
end

limit("movement", "two-divisions", { "move", "prepare", "reserve" },
  { "5.limited.a", "5.limited.b", "5.limited.c", "5.limited.d", "5.limited.e" },
  function() return beyond_limit(), no("two-divisions") end)

-- Whether three more units of a division that stand together would be too many.
local function group_too_large(place, division)
  local three = movable "german":filter{ at = place, formation = division, ordered = false }:take(value "stack".kampfgruppe)
  return is_limited() and over_the_limit(three)
end

limit("movement", "two-divisions-group", { "group" }, { "5.limited.a", "5.limited.c" }, function()
  return groups "german":filter(function(place)
    for _, division in ipairs(group_divisions(place)) do
      if not group_too_large(place, division) then return false end
    end
    return true
  end), no("two-divisions")
end)

forbid("group.division", "two-divisions-choice", { rule = { "5.limited.a", "5.limited.c" }, option = "limited-german-activation" }, function(division, ask)
  if group_too_large(ask.place, division) then return no("two-divisions") end
end)

-- Called up in a later phase than the one in which they were held, reserves are activated in that phase; by option they are free.
limit("reserves", "two-divisions-reserves", { "call" }, { "5.limited.a", "5.limited.c" }, function()
  if not is_limited() or option "reserves-beyond-limit" then return nobody(), no("two-divisions") end
  return markers_of "german":filter(function(unit)
    return over_the_limit(pieces{ kind = "unit", side = "german", reserve = unit.reserve, ordered = false, not_formation = value "independents".list })
  end), no("two-divisions")
end)

forbid("attack.unit", "two-divisions-attack", { rule = { "5.limited.a", "5.limited.c" }, option = "limited-german-activation", side = "german" }, function(unit)
  if beyond_limit():has(unit) then return no("two-divisions") end
end)

limit("combats", "two-divisions-target", { "attack", "surprise", "concentric" }, { "5.limited.a", "5.limited.c" }, function()
  local late = beyond_limit()
  if #late == 0 then return nowhere(), no("two-divisions") end
  return targets "german":filter(function(target)
    return #attackers_of("german", target):minus(late) == 0
  end), no("two-divisions")
end)

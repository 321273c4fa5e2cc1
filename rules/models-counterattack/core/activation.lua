-- 5.B Activation: one corps a Soviet phase with independents and the 47th Army; any German units. What was active is marked Moved.

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
  activate_all(in_play "soviet":filter{ formation = corps })
  activate_independents()
  activate_47th()
end)

function activate_all(units)
  for _, unit in ipairs(units) do unit.active = true end
end

-- Independents join a corps, each once a turn, any number of them. Who is held in reserve has no Moved marker, but has joined.
activate_independents = procedure("activate-independents", { rule = { "2.counters.c", "2.counters.d", "5.limits.e", "2.counters.b" } }, function()
  local free = in_play "soviet":filter{ formation = "2ta", joined = false }
  local chosen = choose("soviet", "activate.independents", { among = free, min = 0 })
  activate_all(chosen)
  for _, unit in ipairs(chosen) do unit.joined = true end
end)

activate_47th = procedure("activate-47th", { rule = { "17.army47.a", "17.army47.b", "2.counters.e" } }, function()
  local army = in_play "soviet":filter{ formation = "47a" }
  if #army == 0 or game.army_47 then return end
  if ask("soviet", "activate.army-47", { among = { "activate", "wait" } }) == "wait" then return end
  game.army_47 = true
  activate_all(army)
end)

-- A German unit is activated by what it does in the movement step.
activate = procedure("activate", { rule = { "5.turn.c", "5.ger1.a", "5.ger2.a", "5.ger3.a" } }, function(unit)
  if not unit.active then unit.active = true end
end)

-- The Moved marker: for all that were active, except units held in reserve and the train (5.limits.c, 13.train.a, 14.use.e).
procedure("mark-moved", { rule = { "5.limits.a", "5.limits.c", "5.limits.e", "13.train.a" } }, function()
  for _, unit in ipairs(pieces{ kind = "unit", active = true, reserve = 0, train = false, spent = false }) do unit.spent = true end
  game.step = "none"
end)

-- Optional: Limited German Activation --------------------------------------------------------------------------------------

-- The two SS divisions share one marker.
local function division_of(unit)
  if unit.formation == "3ss" or unit.formation == "5ss" then return "iv-ss" end
  return unit.formation
end

-- Units of each division active in this phase, as if some more were.
local function tally(more)
  local count = {}
  for _, unit in ipairs(in_play "german":filter{ active = true, not_formation = "independent" }:plus(more)) do
    local division = division_of(unit)
    count[division] = (count[division] or 0) + 1
  end
  return count
end

-- Two divisions, and one unit of a third: what is left without the largest two may be one unit.
local function over_the_limit(more)
  local sizes = {}
  for _, n in pairs(tally(more)) do sizes[#sizes + 1] = n end
  table.sort(sizes, function(a, b) return a > b end)
  local rest = 0
  for i = value "limited".divisions + game.divisions + 1, #sizes do rest = rest + sizes[i] end
  return rest > value "limited".singles
end

beyond_limit = query("beyond-limit", { rule = { "5.limited.a", "5.limited.b", "5.limited.c", "5.limited.d" } }, function()
  if game.turn < value "limited".from_turn then return nobody() end
  return in_play "german":filter{ active = false, not_formation = "independent" }
    :filter(function(unit) return over_the_limit{ unit } end)
end)

forbid_all("movement", "two-divisions", {
  rule = { "5.limited.a", "5.limited.b", "5.limited.c", "5.limited.d", "5.limited.e" }, option = "limited-german-activation", side = "german",
  offer = { "move", "prepare", "reserve" },
}, function(ask)
  return beyond_limit(), no("two-divisions")
end)

forbid("movement", "two-divisions-group", {
  rule = { "5.limited.a", "5.limited.c" }, option = "limited-german-activation", side = "german",
}, function(hex, ask)
  if ask.offer ~= "group" or game.turn < value "limited".from_turn then return end
  if over_the_limit(units_of "german":filter{ at = hex, active = false }) then return no("two-divisions") end
end)

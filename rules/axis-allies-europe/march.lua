-- Land units on the march: against the enemy in part 2, among friends in part 4. Several types go in one answer.

-- Enemy territories with nothing at all in them, which a tank may run through: a lone AA gun already counts as a garrison.
blitz_land = query("blitz-land", { rule = { "cmove.11", "unit-arm.2" } }, function(side)
  return hostile_land(team(side)):minus(all_spaces(foes(side), "garrisons")):minus(tolled_land())
end)

function around_land(list) return flood { from = list, over = "land", steps = 1 } end

-- Units that march alike: each type has the speed and the blitz of the first type that is like it, which stands for them all.
local gait_of, gaits, marching, blitzes = {}, {}, {}, {}
for _, kind in ipairs(rows "unit") do
  blitzes[kind] = row(kind).tags:has "blitz"
  if row(kind).domain == "land" and speed_of(kind) > 0 then
    for _, gait in ipairs(gaits) do
      if speed_of(gait) == speed_of(kind) and blitzes[gait] == blitzes[kind] then gait_of[kind] = gait_of[kind] or gait end
    end
    if not gait_of[kind] then
      gait_of[kind], marching[kind] = kind, {}
      gaits[#gaits + 1] = kind
    end
    table.insert(marching[gait_of[kind]], kind)
  end
end

-- Land that armies of this power stay out of in the combat move.
local shut_land = query("shut-land", { rule = { "board.12", "board.17" } }, function(side)
  return spaces { ground = "land" }:minus(friendly_land(team(side))):minus(open_to_attack(side))
end)

local function war_reach(side, from, gait, points)
  local enemy = open_to_attack(side)
  return reach { profile = "march", from = from, points = points, blocked = shut_land(side), no_end = friendly_land(team(side)),
    stop = blitzes[gait] and enemy:minus(blitz_land(side)) or enemy }.spaces
end

-- By option a blitz may end in friendly land: beside empty land that was run through with a step to spare.
local function returns(side, from, gait)
  if not option "blitz-may-return" or not blitzes[gait] then return nowhere() end
  local run = war_reach(side, from, gait, speed_of(gait) - 1):both(blitz_land(side))
  return around_land(run):both(friendly_land(team(side))):minus { from }
end

-- Where units of this gait may attack from here: next door, or further on through friendly land and, in a blitz, through empty land.
war_targets = query("war-targets", { rule = { "cmove.1", "board.17", "cmove.11" } }, function(side, from, gait)
  return war_reach(side, from, gait, speed_of(gait)):plus(returns(side, from, gait))
end)

-- Friendly land within reach; never enemy or neutral ground, not even empty.
friendly_targets = query("friendly-targets", { rule = { "noncombat.4", "noncombat.5", "board.16", "outside.2" } }, function(team, from, speed)
  local friends = friendly_land(team)
  return reach { profile = "march", from = from, points = speed, blocked = spaces { ground = "land" }:minus(friends) }.spaces:minus { from }
end)

-- Land units of a power that could still set out; guns wait for part 4.
fresh_troops = query("fresh-troops", { rule = { "unit-aa.5", "unit-tr.16", "amphib.11" } }, function(side) return troops_of(side):filter { used = false } end)

-- Where units that could set out stand: all, or those of one gait.
camps = query("camps", { rule = "cmove.1" }, function(side, gait)
  return troops_of(side):filter { used = false, type = gait and marching[gait] }:spaces()
end)

-- Where a unit of this gait must stand to attack: beside the enemy, or with open land between.
local front = query("front", { rule = "cmove.1" }, function(side, gait)
  local line = around_land(open_to_attack(side))
  local open = blitzes[gait] and friendly_land(team(side)):plus(blitz_land(side)) or friendly_land(team(side))
  for _ = 1, speed_of(gait) - 1 do line = line:plus(around_land(line:both(open))) end
  return line
end)

war_origins = query("war-origins", { rule = { "cmove.1", "board.15" } }, function(side)
  local all = nowhere()
  for _, gait in ipairs(gaits) do
    local here = camps(side, gait)
    if #here > 0 then all = all:plus(here:both(front(side, gait))) end
  end
  return all
end)

-- Who can still march from here in part 4, guns too.
local function walkers(side, space)
  return fresh_troops(side):plus(movable_guns(side)):filter { at = space }
end

-- Territories that have neighbours by land.
local joined_land = query("joined-land", { rule = "board.17" }, function()
  return spaces { ground = "land" }:filter(function(space) return #near("land", space) > 0 end):spaces()
end)

-- Friendly territories with a friendly one beside them. Only next to others it needs a closer look.
local walkable = query("walkable", { rule = "noncombat.4" }, function(team)
  local friends = friendly_land(team):both(joined_land())
  local doubtful = friends:both(around_land(joined_land():minus(friends)))
  return friends:minus(doubtful:filter(function(space) return #near("land", space):both(friends) == 0 end):spaces())
end)

friendly_origins = query("friendly-origins", { rule = { "noncombat.3", "board.15" } }, function(side)
  return camps(side):plus(gun_posts(side)):both(walkable(team(side)))
end)

-- Why a territory that one may think of is not open.
forbid_all("march.to", "neutral-states-are-closed", { rule = { "board.12", "diff.3" } }, function() return neutral_land(), no "neutral" end)

forbid_all("march.to", "combat-moves-enter-enemy-land", { rule = "cmove.1" }, function(ask)
  if ask.peaceful then return {} end
  return friendly_land(team(ask.side)):minus(ask.targets), no "friendly-land"
end)

forbid_all("march.to", "never-enemy-land", { rule = "noncombat.5" }, function(ask)
  if not ask.peaceful then return {} end
  return hostile_land(team(ask.side)), no "enemy-land"
end)

forbid_all("march.to", "no-open-way", { rule = { "board.17", "board.16", "cmove.11", "unit-arm.2" } }, function(ask)
  return land_in_play():minus(ask.targets), no("no-open-way", ask.from)
end)

-- Land within so many steps by the lines on the board, neutral states too: what a player may think of.
local land_around = query("land-around", { rule = "board.5" }, function(from, steps)
  return flood { from = { from }, steps = steps, barrier = { "coast", "sea", "strait" } }:filter { ground = "land", closed = false }:minus { from }:spaces()
end)

-- Where to, and who goes: some of those that get there.
local function plan_march(side, from, able, targets_of, peaceful)
  local targets, fastest, by_kind = nowhere(), 0, {}
  for _, kind in ipairs(types_in(able)) do
    by_kind[kind] = targets_of(kind)
    targets, fastest = targets:plus(by_kind[kind]), math.max(fastest, speed_of(kind))
  end
  local to = ask(side, "march.to", { among = function() return land_around(from, fastest):plus(targets) end,
    side = side, from = from, targets = targets, peaceful = peaceful })
  local fit = {}
  for kind, open in pairs(by_kind) do
    if open:has(to) then fit[#fit + 1] = kind end
  end
  return to, pick_some(side, "march.units", able:filter { type = fit }, { from = from, to = to })
end

offer("combat-move", "march", { rule = { "cmove.1", "cmove.2" }, among = war_origins, run = "march" })
offer("non-combat-move", "march", { rule = { "noncombat.3", "noncombat.4", "noncombat.6" }, among = friendly_origins, run = "march.among-friends" })

local function takes_land(side, path)
  for _, space in ipairs(path) do
    if hostile(side, space) then return true end
  end
end

-- The ways of a unit to its target: next door, through friendly land, or in a blitz through empty land, which falls to it.
local function ways(side, from, to, gait)
  local open = blitzes[gait] and friendly_land(team(side)):plus(blitz_land(side)) or friendly_land(team(side))
  local closed = spaces { ground = "land" }:minus(open):minus { to, from }
  local found = {}
  for _, way in ipairs(paths { from = from, length = speed_of(gait), least = 1, ends = { to }, over = "land", blocked = closed }) do
    local steps = {}
    for _, space in ipairs(way.path) do
      if space ~= from then steps[#steps + 1] = space end
    end
    if takes_land(side, steps) then found[#found + 1] = steps end
  end
  return found
end

-- The player says step by step which way, as long as there are several.
local function choose_way(side, from, to, gait)
  local open, at = ways(side, from, to, gait), 1
  while #open > 1 do
    local steps, direct = nowhere(), false
    for _, way in ipairs(open) do
      if way[at] == to then direct = true else steps = steps:plus { way[at] } end
    end
    local step = ask(side, "march.via", { among = steps, none = direct and "direct" or nil, from = from, to = to, units = gait }) or to
    local rest = {}
    for _, way in ipairs(open) do
      if way[at] == step then rest[#rest + 1] = way end
    end
    open, at = rest, at + 1
  end
  return open[1]
end

local function walk_in(side, path, units)
  local to = path[#path]
  for _, unit in ipairs(units) do
    unit.used = true
    unit.spent = #path
    unit.origin = path[#path - 1] or unit.space
    move(unit, to)
  end
  for _, space in ipairs(path) do
    if hostile(side, space) and #garrison(side, space) == 0 then call("capture", space, side) end
  end
end

-- Of each column the way is known before the first sets out: what one takes in passing is no longer empty land to the next.
procedure("march", { rule = { "cmove.1", "cmove.3", "cmove.7", "cmove.11", "unit-arm.3" } }, function(from, side)
  local able = fresh_troops(side):filter { at = from }
  local to, units = plan_march(side, from, able, function(kind) return war_targets(side, from, gait_of[kind]) end)
  local columns = {}
  for _, gait in ipairs(gaits) do
    local column = units:filter { type = marching[gait] }
    if #column > 0 then columns[#columns + 1] = { units = column, path = choose_way(side, from, to, gait) } end
  end
  for _, column in ipairs(columns) do walk_in(side, column.path, column.units) end
end)

-- In a new territory a gun belongs to whoever holds it.
procedure("march.among-friends", { rule = { "noncombat.4", "noncombat.6", "unit-aa.6", "capital.3" } }, function(from, side)
  local to, units = plan_march(side, from, walkers(side, from), function(kind) return friendly_targets(team(side), from, speed_of(kind)) end, true)
  for _, unit in ipairs(units) do
    unit.used = true
    if unit:is "follows-territory" then call("gun.moved", unit, controller(to) or side) end
    move(unit, to)
  end
end)

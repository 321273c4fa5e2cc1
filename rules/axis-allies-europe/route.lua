-- Which way aircraft fly, and the AA guns on that way.

-- Where a flight can be after each number of steps up to `most` if it passes over so many gun territories; `fewer` is the same for
-- one gun less.
local function spread(from, most, flak, fewer)
  local reached = { [0] = air_range(from, 0) }
  for n = 1, most do
    local open = air_around(reached[n - 1], 1):minus(flak):plus(reached[n - 1])
    reached[n] = fewer and open:plus(air_around(fewer[n - 1], 1)) or open
  end
  return reached
end

-- Of several ways, the one whose name comes first.
local function first_by_name(list)
  local first = list[1]
  for _, space in ipairs(list) do
    if space.id < first.id then first = space end
  end
  return first
end

-- From the target back to the start, each space one step nearer; without the start, with the target.
local function trace(ways, guns, steps, to, flak)
  local path = { [steps] = to }
  for n = steps - 1, 1, -1 do
    path[n] = first_by_name(near("air", path[n + 1]):both(ways[guns][n]))
    if flak:has(path[n]) then guns = guns - 1 end
  end
  return path
end

-- The path from `from` to `to` of at most `most` steps with the fewest guns on it, then the shortest; and how many guns.
local function best_path(team, from, to, most)
  local flak = flak_land(team):minus { to }
  local ways, guns = { [0] = spread(from, most, flak) }, 0
  while not ways[guns][most]:has(to) do
    guns = guns + 1
    ways[guns] = spread(from, most, flak, ways[guns - 1])
  end
  local steps = 1
  while not ways[guns][steps]:has(to) do steps = steps + 1 end
  return trace(ways, guns, steps, to, flak), guns
end

-- The way to a target with what movement is left. If going round the guns takes longer the player decides.
---@return space[]
function choose_route(side, unit, to)
  local mine, from, range = team(side), unit.space, fuel(unit)
  local steps = air_steps(from, to, range)
  if steps == 0 then return {} end
  local direct, guns = best_path(mine, from, to, steps)
  if guns == 0 then return direct end
  for most = steps + 1, range do
    local round, fewer = best_path(mine, from, to, most)
    if fewer < guns and lands_after(side, unit, to, range - most) then
      local way = ask(side, "fly.route", { among = { "around", "direct" }, to = to, unit = unit })
      return way == "around" and round or direct
    end
  end
  return direct
end

-- Could the unit still land after reaching `to` with `rest` left?
function lands_after(side, unit, to, rest)
  if home_range(team(side), rest):has(to) then return true end
  return unit.type == "fighter" and carrier_landings(side, to, rest, 1) > 0
end

-- Guns on the way fire once at each aircraft; the target's own guns wait for the battle. Returns the survivors.
function overflight(side, wing, path)
  if not option "aa-fire-in-combat-move" then return wing end
  local flak = flak_land(team(side))
  for i = 1, #path - 1 do
    if flak:has(path[i]) then wing = call("flak.fire", side, path[i], wing) end
  end
  return wing
end

-- One die for each aircraft, however many guns there are; a 1 brings one down at once. Returns the survivors.
procedure("flak.fire", { rule = { "cmove.13", "unit-aa.3", "unit-aa.9", "unit-aa.10", "land.B2", "land.B3", "land.B4", "land.B5" } },
function(side, space, wing)
  local kills = 0
  for _, die in ipairs(rolls("flak", #wing)) do
    if die <= row("aa-gun").flak then kills = kills + 1 end
  end
  local lost = pick_units(side, "flak.losses", wing, kills, { space = space })
  local alive = wing:minus(lost)
  for _, unit in ipairs(lost) do destroy(unit) end
  log("shot-down", space, kills)
  return alive
end)

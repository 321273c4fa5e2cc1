-- Which way aircraft fly, and the AA guns on that way.

-- The path from `from` to `to` of at most `most` steps with the fewest guns on it, then the shortest; and how many guns. Each gun on the
-- way weighs more than any detour.
local function best_path(team, from, to, most)
  local flak, weight = flak_land(team):minus { to }, value "longest-flight"
  local sky = reach { profile = "fly", from = from, points = weight * most, steps = most, blocked = closed_skies(), enter = { { flak, weight } } }
  local path = {}
  for _, space in ipairs(sky:path(to)) do
    if space ~= from then path[#path + 1] = space end
  end
  return path, #flak:both(path)
end

-- The way to a target with what movement is left. If going round the guns takes longer, and all could still land, the player decides.
---@return space[]
function choose_route(side, wing, to)
  local mine, from, range = team(side), wing[1].space, fuel(wing[1])
  local steps = air_steps(from, to, range)
  local direct, guns = best_path(mine, from, to, steps)
  for most = steps + 1, range do
    local round, fewer = best_path(mine, from, to, most)
    if fewer < guns and lands_after(side, wing, to, range - most) then
      local way = ask(side, "fly.route", { among = { "around", "direct" }, to = to, unit = wing[1], guns = guns, fewer = fewer })
      return way == "around" and round or direct
    end
  end
  return direct
end

-- Could all of a wing still land after reaching `to` with `rest` left?
function lands_after(side, wing, to, rest)
  if home_range(team(side), rest):has(to) then return true end
  return deck_kinds[wing[1].type] and carrier_landings(side, to, rest, wing) == #wing
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
  local worth, kills = 0, 0
  for _, gun in ipairs(pieces { at = space, min_flak = 1 }) do worth = math.max(worth, gun.flak) end
  for _, die in ipairs(rolls("flak", #wing)) do
    if die <= worth then kills = kills + 1 end
  end
  local lost = pick_units(side, "flak.losses", wing, kills, { space = space })
  local alive = wing:minus(lost)
  log("flak", space, words_for(wing), kills)
  log("shot-down", side, words_for(lost))
  for _, unit in ipairs(lost) do destroy(unit) end
  return alive
end)

-- Which way aircraft fly, and the AA guns on that way.

-- The path from `from` to `to` of at most `most` steps with the fewest guns on it, then the shortest; without `from`, with `to`.
local function best_path(team, from, to, most)
  local flak, closed = flak_land(team), closed_skies()
  local best = { [from.id] = { guns = 0, path = {} } }
  local answer
  for _ = 1, most do
    local reached = {}
    for _, at in pairs(best) do
      for _, space in ipairs(near("air", at.path[#at.path] or from)) do
        local guns = at.guns + ((space ~= to and flak:has(space)) and 1 or 0)
        local known = reached[space.id]
        if not closed:has(space) and (not known or guns < known.guns) then
          reached[space.id] = { guns = guns, path = extended(at.path, space) }
        end
      end
    end
    best = reached
    local arrival = reached[to.id]
    if arrival and (not answer or arrival.guns < answer.guns) then answer = arrival end
  end
  return answer
end

function extended(path, space)
  local longer = {}
  for i, s in ipairs(path) do longer[i] = s end
  longer[#longer + 1] = space
  return longer
end

-- The way to a target with what movement is left. If going round the guns takes longer the player decides.
function choose_route(side, unit, to)
  local mine, from, range = team(side), unit.space, fuel(unit)
  local steps = air_steps(from, to, range)
  if steps == 0 then return {} end
  local direct = best_path(mine, from, to, steps)
  if direct.guns == 0 then return direct.path end
  for most = steps + 1, range do
    local round = best_path(mine, from, to, most)
    if round.guns < direct.guns and lands_after(side, unit, to, range - most) then
      local way = ask(side, "fly.route", { among = { "around", "direct" }, to = to, unit = unit })
      return way == "around" and round.path or direct.path
    end
  end
  return direct.path
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

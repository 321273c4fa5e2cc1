-- Strategic raids: bombers against a complex, with escorts and interceptors. Each raid is one exchange of fire, then bombs.

local function raiders(space) return pieces { at = space, side = game.active, raiding = true, fought = false } end
local function interceptors(space) return pieces { at = space, side = foes(game.active), scrambled = true } end

procedure("raid", { rule = { "sbr.1", "sbr.13", "sbr.19" }, stages = { "scramble", "flak", "intercept", "escort", "bomb" } })

-- The defender names the fighters that rise; they will not defend the territory as well.
procedure("raid.scramble", { rule = { "sbr.6", "sbr.7" } }, function(space)
  for _, side in ipairs(foes(game.active)) do
    local fighters = pieces { at = space, side = side, min_intercept = 1 }
    if #fighters > 0 then
      for _, unit in ipairs(pick_some(side, "raid.scramble", fighters, { space = space, raiders = words_for(raiders(space)) }, 0)) do
        unit.scrambled = true
      end
    end
  end
end)

procedure("raid.flak", { rule = "sbr.8" }, function(space)
  if flak_land(team(game.active)):has(space) then call("flak.fire", game.active, space, raiders(space)) end
end)

-- The dice of interceptors or escorts, by the value printed for that.
local function dogfight(label, units)
  local hits = 0
  for _, side in ipairs(owners_of(units)) do
    local count = census(units:filter { side = side })
    for _, kind in ipairs(kinds) do
      if count[kind] then hits = hits + fire_group(label, side, kind, count[kind], row(kind)[label]) end
    end
  end
  return hits
end

procedure("raid.intercept", { rule = "sbr.9" }, function(space)
  local units = interceptors(space)
  if #units == 0 then return end
  local hits = dogfight("intercept", units)
  call("losses", raiders(space), hits, "free", units[1].side)
end)

-- Escorts fire, those just hit too; then the attackers hit are removed. Bombers do not fire.
procedure("raid.escort", { rule = { "sbr.10", "sbr.11", "sbr.12", "diff.6" } }, function(space)
  local escorts = raiders(space):filter { min_escort = 1 }
  if not option "hit-escorts-fire" then escorts = escorts:filter { hit = false } end
  if #interceptors(space) > 0 then
    local hits = dogfight("escort", escorts)
    call("losses", interceptors(space), hits, "free", game.active)
  end
  for _, unit in ipairs(pieces { at = space, hit = true }) do destroy(unit) end
end)

-- The owner of the complex pays the sum of the dice to the bank, as far as he has it.
procedure("raid.bomb", { rule = { "setup.17", "sbr.14", "sbr.15", "sbr.16", "sbr.17", "ipc.8", "buy.7" } }, function(space)
  local sum, dice = 0, raiders(space):sum(function(unit) return unit.bombs or 0 end)
  for _, die in ipairs(dice > 0 and rolls("bombs", dice) or {}) do sum = sum + die end
  for _, unit in ipairs(raiders(space)) do unit.fought = true end
  local owner = controller(space)
  local paid = sum < sides[owner].ipc and sum or sides[owner].ipc
  sides[owner].ipc = sides[owner].ipc - paid
  log("bombed", space, sum, paid)
end)

-- 5.A The administrative phase: reinforcements, markers, events, recovery, artillery. Uprising and Magnuszew have files of their own.

-- Units become available off the map; they enter by moving (17.reinf.b).
procedure("reinforcements", {
  rule = {
    "5.admin.a", "17.reinf.a", "10.art.b", "10.stuka.a", "4.setup.c", "dev.a",
    "oob.soviet.a", "oob.soviet.b", "oob.soviet.c", "oob.soviet.d", "oob.german.a", "oob.german.b", "oob.german.c", "oob.german.d", "oob.german.e",
  },
}, function()
  for _, unit in ipairs(pieces{ kind = "unit", enters = game.turn, place = none }) do arrive(unit) end
  arrive_markers(game.turn)
end)

-- A unit whose hex is named arrives there, if it can; else it waits a turn in Warsaw.
arrive = procedure("arrive", { rule = { "17.reinf.a", "4.setup.e" } }, function(unit)
  local to = unit.entry
  if is_hex(to) and (standing(enemy(unit.side)):has(to) or crowded_for(unit):has(to)) then to = warsaw() end
  move(unit, to)
end)

procedure("clear-markers", { rule = { "5.admin.b", "10.dis.b" } }, function()
  for _, unit in ipairs(pieces{ kind = "unit", spent = true }) do unit.spent = false end
  for _, unit in ipairs(pieces{ kind = "unit", dis = true }) do unit.dis = false end
  for _, box in ipairs(spaces{ marked = true }) do box.marked = false end
  if game.army_47 then game.army_47 = false end
end)

procedure("draw-events", { rule = { "5.admin.c", "20.events.b" } }, function()
  if game.turn < value "draw".from_turn then return end
  for _, side in ipairs(sides) do draw(space(side .. "-cup"), space(side .. "-hand"), value "draw".events) end
end)

procedure("refresh", { rule = { "5.admin.e", "10.art.g", "10.stuka.e", "12.model.f" } }, function()
  for _, marker in ipairs(pieces{ kind = "marker", used = true }) do marker.used = false end
end)

-- 16. Recovery -----------------------------------------------------------------------------------------------------------

-- Reduced units of a side that may be made whole: supplied, on the map or in Warsaw. Enemies next to them do not matter (16.recovery.d).
local function reduced(side, arms)
  return in_play(side):filter{ min_level = value "recovery".reduced, oos = false, arm = arms }
end

-- Hexes next to a supplied unit of the formation; independent Soviets next to any supplied unit. Independent Germans have no formation.
local function near_comrades(unit)
  local friends = units_of(unit.side):filter{ oos = false }
  if not is_independent(unit) then
    friends = friends:filter{ formation = unit.formation }
  elseif unit.side == "german" then
    return nowhere()
  end
  return around(friends:spaces(), off_hexes)
end

-- Where an eliminated unit may come back: Germans also in Warsaw and Praga.
return_places = query("return-places", { rule = { "16.recovery.e", "16.recovery.g", "16.recovery.h" } }, function(unit)
  local places = near_comrades(unit)
  if unit.side == "german" then places = places:plus(praga()) end
  places = places:minus(standing(enemy(unit.side))):minus(crowded_for(unit)):minus(prohibited(unit))
  if unit.side == "german" then places = places:plus{ warsaw() } end
  return places
end)

local function fallen(side, arms)
  return pieces{ kind = "unit", at = space(side .. "-losses"), arm = arms }
    :filter(function(unit) return return_places(unit):any() end)
end

-- Units that one step of recovery could help. The train belongs to neither arm and never comes back (13.train.e).
function recoverable(side, arms)
  return reduced(side, arms):plus(fallen(side, arms))
end

procedure("recovery", { rule = { "5.admin.d", "16.recovery.a", "5.admin.h", "16.recovery.c", "16.recovery.d", "13.train.e", "19.magnuszew.h", "advice.d" } }, function()
  if game.turn < value "recovery".from_turn then return end
  local unit = ask("german", "recovery", { among = function() return recoverable("german", { "armored", "infantry" }) end, none = "no-recovery" })
  if unit then recover(unit) end
end)

recover = procedure("recover", { rule = { "16.recovery.b", "16.recovery.e", "16.recovery.g" } }, function(unit)
  if unit.place ~= space(unit.side .. "-losses") then
    step_up(unit)
    return
  end
  local to = ask(unit.side, "recovery.place", { among = function() return return_places(unit) end, unit = unit })
  move(unit, to)
end)

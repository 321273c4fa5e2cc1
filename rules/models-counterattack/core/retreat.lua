-- 9. Retreat: each unit by itself, in any direction, its owner choosing where to.

-- Hexes that no retreat enters: enemies, bogs, and for the walk over hexes Warsaw and the off-map boxes.
local function no_way(unit)
  return standing(enemy(unit.side)):plus(prohibited(unit)):plus(off_map())
end

local function ways(unit, least, most, ends, blocked)
  return paths{
    from = unit.space, least = least, length = most, ends = ends, blocked = blocked,
    over = unit.train and "rail" or nil,
    rank = ends and function(path)
      local lost = 0
      for i, hex in ipairs(path) do
        if i > 1 and danger(unit.side):has(hex) then lost = lost + 1 end
      end
      return { lost, #path }
    end or nil,
  }
end

local function ends_of(found)
  local ends = {}
  for _, way in ipairs(found) do ends[#ends + 1] = way.space end
  return nowhere():plus(ends):unique()
end

-- Hexes at the end of a walk of so many steps; full hexes push it on, four hexes at most.
open_ends = query("open-ends", { rule = { "9.retreat.c", "9.retreat.e", "9.retreat.f", "9.retreat.g", "9.retreat.h", "13.train.c" } }, function(unit, length)
  return ends_of(ways(unit, length, length, nil, no_way(unit))):minus(crowded_for(unit))
end)

-- Warsaw, over an open bridge, fulfils the rest of a retreat (6.bridges.e); never by the bridge of Józefów (6.bridges.i).
local function warsaw_in_reach(unit, length)
  if unit.side ~= "german" or unit.train or game.no_move then return false end
  local near = around({ warsaw() }):filter{ kind = "hex" }
  return #flood{ from = { unit.space }, steps = length - 1, blocked = no_way(unit), barrier = off_hexes }:both(near) > 0
end

-- The longest retreat a unit can make, up to the one ordered, and how far full hexes drive it.
local function plan(unit, ordered)
  for hexes = ordered, 1, -1 do
    for length = hexes, value "retreat".longest do
      if #open_ends(unit, length) > 0 then return hexes, length end
    end
    if warsaw_in_reach(unit, hexes) then return hexes, hexes end
  end
  return 0, 0
end

procedure("combat.retreat", { rule = { "9.retreat.a", "9.retreat.b", "9.retreat.j" } }, function(fight)
  for _, unit in ipairs(defenders(fight)) do
    if is_hex(unit.place) then retreat(unit, fight) end
  end
end)

retreat = procedure("retreat", { rule = { "9.retreat.c", "9.retreat.d", "9.retreat.i", "9.retreat.j", "6.bridges.e", "6.bridges.i" } }, function(unit, fight)
  local hexes, length = plan(unit, fight.r)
  if hexes > 0 then
    local gone = withdraw(unit, length)
    fight.fled = math.max(fight.fled, gone)
  end
  take_losses(unit.side, "combat.defender-loss", pieces{ id = unit.id }, fight.r - hexes)
end)

-- The way with the fewest losses to the place of the owner's choice. Returns its length.
withdraw = procedure("withdraw", { rule = { "9.retreat.c", "9.retreat.d", "9.retreat.k" } }, function(unit, length)
  local to = ask(unit.side, "retreat.to", {
    unit = unit,
    among = function()
      local ends = open_ends(unit, length)
      return warsaw_in_reach(unit, length) and ends:plus{ warsaw() } or ends
    end,
  })
  local by_bridge = to == warsaw()
  local barred = by_bridge and no_way(unit):minus{ to } or no_way(unit)
  local way = ways(unit, by_bridge and 1 or length, length, { to }, barred)[1].path
  local zone = danger(unit.side)
  for i = 2, #way do
    relocate(unit, way[i])
    if zone:has(way[i]) then lose_step(unit) end
    if unit.place ~= way[i] then return i - 1 end
  end
  unit.retreated = true
  return #way - 1
end)

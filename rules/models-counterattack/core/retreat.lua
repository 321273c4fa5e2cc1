-- 9. Retreat: each unit by itself, in any direction, its owner choosing where to.

-- Hexes that no retreat enters: enemies, bogs, and for the walk over hexes Warsaw and the off-map boxes.
local function no_way(unit)
  return standing(enemy(unit.side)):plus(prohibited(unit)):plus(off_map())
end

-- Every walk of so many hexes, with the hex where it begins; of a train along the rails.
local function walks(unit, hexes, blocked)
  return paths{ from = unit.space, least = hexes, length = hexes, blocked = blocked, over = unit.train and "rail" or nil }
end

-- A walk with one place more.
local function longer(walk, place)
  local on = {}
  for i, hex in ipairs(walk) do on[i] = hex end
  on[#on + 1] = place
  return on
end

-- Hexes of a walk in which the unit loses a step.
local function steps_lost(unit, walk)
  local zone, lost = danger(unit.side), 0
  for i = 2, #walk do
    if zone:has(walk[i]) then lost = lost + 1 end
  end
  return lost
end

-- Whether a bridge leads on to Warsaw from a hex: it fulfils the rest of a retreat (6.bridges.e); that of Józefów never does (6.bridges.i).
local function bridge_open(unit, hex)
  return unit.side == "german" and not unit.train and not game.no_move and border(hex, warsaw()):has "bridge"
end

-- The best walk to each place where a retreat of so many hexes can end, by its id: the fewest steps lost, then the shortest. It goes in any
-- direction; a unit that would end in a full hex goes on from there, four hexes at most in all.
retreat_walks = query("retreat-walks", {
  rule = { "9.retreat.c", "9.retreat.e", "9.retreat.f", "9.retreat.g", "9.retreat.h", "6.bridges.e", "6.bridges.i", "13.train.c" },
}, function(unit, ordered)
  local blocked, full, found = no_way(unit), crowded_for(unit), {}
  local function keep(walk)
    local place, lost = walk[#walk], steps_lost(unit, walk)
    local best = found[place.id]
    if not best or lost < best.lost then found[place.id] = { place = place, walk = walk, lost = lost } end
  end
  if unit.side == "german" and #within(unit.space, ordered - 1):both(praga()) > 0 then
    for hexes = 0, ordered - 1 do
      for _, way in ipairs(walks(unit, hexes, blocked)) do
        if bridge_open(unit, way.space) then keep(longer(way.path, warsaw())) end
      end
    end
  end
  local function go_on(walk)
    local hex = walk[#walk]
    if not full:has(hex) then return keep(walk) end
    if #walk > value "retreat".longest then return end
    if bridge_open(unit, hex) then keep(longer(walk, warsaw())) end
    for _, next_hex in ipairs(next_on_way(unit, hex):minus(blocked):minus(walk)) do go_on(longer(walk, next_hex)) end
  end
  for _, way in ipairs(walks(unit, ordered, blocked)) do go_on(way.path) end
  return found
end)

next_on_way = query("next-on-way", { rule = { "9.retreat.c", "13.train.c" } }, function(unit, hex)
  local near = around({ hex }, off_hexes)
  return unit.train and near:filter(function(other) return linked("rail", hex, other) end) or near
end)

local function places_of(found)
  local places = {}
  for _, way in pairs(found) do places[#places + 1] = way.place end
  return nowhere():plus(places)
end

-- The longest retreat a unit can make, up to the one ordered.
local function longest_retreat(unit, ordered)
  for hexes = ordered, 1, -1 do
    if #places_of(retreat_walks(unit, hexes)) > 0 then return hexes end
  end
  return 0
end

procedure("combat.retreat", { rule = { "9.retreat.a", "9.retreat.b", "9.retreat.j" } }, function(fight)
  for _, unit in ipairs(defenders(fight)) do
    if is_hex(unit.place) then retreat(unit, fight) end
  end
end)

retreat = procedure("retreat", { rule = { "9.retreat.c", "9.retreat.d", "9.retreat.i", "9.retreat.j", "6.bridges.e", "6.bridges.i" } }, function(unit, fight)
  local hexes = longest_retreat(unit, fight.r)
  if hexes > 0 then fight.fled = math.max(fight.fled, withdraw(unit, hexes)) end
  take_losses(unit.side, "combat.defender-loss", pieces{ id = unit.id }, fight.r - hexes)
end)

-- By the walk with the fewest losses to the place of the owner's choice. Returns its length.
withdraw = procedure("withdraw", { rule = { "9.retreat.c", "9.retreat.d", "9.retreat.k" } }, function(unit, hexes)
  local found = retreat_walks(unit, hexes)
  local to = ask(unit.side, "retreat.to", { unit = unit, hexes = hexes, among = function() return places_of(found) end })
  local walk, zone = found[to.id].walk, danger(unit.side)
  log("retreats", unit, walk[1], to)
  for i = 2, #walk do
    relocate(unit, walk[i])
    if zone:has(walk[i]) then lose_step(unit) end
    if unit.place ~= walk[i] then return i - 1 end
  end
  unit.retreated = true
  return #walk - 1
end)

-- Control: who gets a territory that has been won, and what else changes with it.

local function capital_of(side) return spaces { capital = side }:first() end

-- Is the power's capital in enemy hands?
capital_lost = query("capital-lost", { rule = { "capital.3", "capital.4", "capital.5", "board.2" } }, function(side)
  local capital = capital_of(side)
  return capital.marker ~= nil and not allied(capital.marker, side)
end)

-- A territory won back for an ally returns to him, unless his capital is lost; Middle East states become independent again.
local function marker_for(space, side)
  if space.mideast then
    local keep = team(side) == "axis" or option "middle-east-freed" == "liberator"
    return keep and side or nil
  end
  local owner = space.owner
  if owner == side then return nil end
  if not owner or not allied(owner, side) then return side end
  if space.capital ~= owner and capital_lost(owner) then return side end
end

-- Guns and complexes belong to whoever holds their territory.
local function hand_over(space, side)
  for _, unit in ipairs(pieces { at = space, has = "follows-territory" }) do unit.side = controller(space) or side end
end

-- The captor of a capital takes all the loser's money at once.
procedure("capital.loot", { rule = { "capital.1", "capital.2" } }, function(space, side)
  local loser = sides[space.capital]
  sides[side].ipc = sides[side].ipc + loser.ipc
  loser.ipc = 0
  space.taken = side
  space.held = 0
  log("capital-taken", side, space)
end)

-- Territories that allies held for a power without capital return to it.
procedure("capital.freed", { rule = { "npc.5", "capital.6" } }, function(space)
  space.taken = nil
  space.held = 0
  for _, land in ipairs(land_in_play():filter { owner = space.capital }) do
    if land.marker and allied(land.marker, space.capital) then
      land.marker = nil
      hand_over(land, space.capital)
    end
  end
  log("capital-freed", space)
end)

procedure("capture", { rule = { "capture.1", "capture.2", "capture.4", "npc.1", "npc.2", "npc.3", "npc.4", "npc.6", "npc.7", "mideast.1", "mideast.8", "cmove.7", "land.F9", "setup.6", "setup.16", "unit-aa.2", "sbr.18" } },
function(space, side)
  local loser = controller(space)
  space.marker = marker_for(space, side)
  space.fresh = true
  space.lost = true
  hand_over(space, side)
  for _, unit in ipairs(pieces { at = space, side = foes(side), scrambled = true }) do destroy(unit) end
  log("captured", side, space)
  if space.capital then
    if controller(space) == space.capital then
      call("capital.freed", space)
    elseif loser == space.capital then
      call("capital.loot", space, side)
    end
  end
end)

-- AA guns on the move. Those in the Middle East belong to all Allies together.

local mideast = query("mideast", { rule = "outside.6" }, function() return spaces { mideast = true } end)

-- Guns of a power's allies in the Middle East.
local shared_guns = query("shared-guns", { rule = "unit-aa.8" }, function(side)
  local list = nowhere()
  for _, ally in ipairs(friends(side)) do list = list:plus(guns_of(ally)) end
  return list:minus(guns_of(side)):filter { at = mideast() }
end)

local settled_land = query("settled-land", { rule = "noncombat.7" }, function() return spaces { ground = "land", fresh = false } end)

-- Guns that a power may still move or load: not those taken this turn, and in the Middle East each only once a round.
movable_guns = query("movable-guns", { rule = { "noncombat.6", "noncombat.7", "unit-aa.7", "unit-aa.8" } }, function(side)
  return guns_of(side):plus(shared_guns(side)):filter { used = false, shifted = false, place = settled_land() }
end)

gun_posts = query("gun-posts", { rule = { "noncombat.6", "unit-aa.8" } }, function(side) return movable_guns(side):spaces() end)

-- A gun has had its move of this round, whoever moved it and wherever to.
procedure("gun.moved", { rule = { "unit-aa.8", "unit-aa.2" } }, function(gun, owner)
  gun.shifted = true
  gun.side = owner
end)

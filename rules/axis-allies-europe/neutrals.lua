-- Variants in which neutral states are not closed: armies may march in, for a price or as into empty enemy land.

-- Neutral states that nobody has taken yet.
untaken_neutrals = query("untaken-neutrals", { rule = { "board.11", "board.12" } }, function() return spaces { neutral = true, marker = none } end)

-- Those that let armies in for money. No tank runs through them and no fleet lands there: one army, one frontier, one payment.
tolled_land = query("tolled-land", { rule = "board.12" }, function()
  return option "neutrals" == "toll" and untaken_neutrals() or nowhere()
end)

-- Enemy land that armies of this power may enter over land: neutral states only with money for the toll.
open_to_attack = query("open-to-attack", { rule = { "board.12", "cmove.1" } }, function(side)
  local land = hostile_land(team(side))
  if option "neutrals" ~= "toll" or sides[side].ipc >= option "neutral-toll" then return land end
  return land:minus(tolled_land())
end)

before("capture", "neutral-toll", { rule = "board.12", option = "neutrals=toll" }, function(space, side)
  if not tolled_land():has(space) then return end
  sides[side].ipc = sides[side].ipc - option "neutral-toll"
  log("toll", side, space)
end)

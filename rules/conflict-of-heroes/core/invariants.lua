-- What must be true after every decision, whatever the players do.

invariant("points", { rule = { "3.2b", "7.3d", "7.3e" } }, function()
  for _, side in ipairs(sides) do
    if sides[side].caps < 0 or sides[side].ap < 0 then return no("debt", side) end
  end
end)

invariant("ap-needs-activation", { rule = { "2.2h", "9.0e" } }, function()
  for _, side in ipairs(sides) do
    if sides[side].ap > 0 and #active_of(side) == 0 then return no("loose-ap", side) end
  end
end)

invariant("hit-counters", { rule = { "1.0i", "7.4a", "7.4h" } }, function()
  local drawn = space("drawn-hits").count
  local hurt = #pieces { kind = "unit", hurt = true }
  if drawn ~= hurt then return no("counters-astray", drawn, hurt) end
end)

invariant("hidden-off-map", { rule = "10.0a" }, function()
  for _, side in ipairs(sides) do
    for _, unit in ipairs(hidden_of(side)) do
      if not unit.lair then return no("hidden-nowhere", unit) end
    end
  end
  local shown = pieces { kind = "unit", on_map = true, not_lair = none }
  if #shown > 0 then return no("hidden-on-map", shown[1]) end
end)

invariant("one-load", { rule = "17.0a" }, function()
  for _, unit in ipairs(pieces { kind = "unit", vehicle = true, on_map = true }) do
    if #unit.cargo > 1 then return no("two-loads", unit) end
  end
end)

invariant("carried-rides", { rule = "17.0c" }, function()
  for _, unit in ipairs(pieces { kind = "unit", carried = true }) do
    if unit.place.kind ~= "unit" then return no("rides-nothing", unit) end
  end
end)

invariant("one-work-of-a-kind", { rule = "18.0b" }, function()
  for _, type in ipairs { "trench", "bunker", "gun-pit", "wire" } do
    local all = pieces { type = type, on_map = true }
    if #all ~= #all:spaces() then return no("two-of-a-kind", type) end
  end
end)

invariant("sheltered-together", { rule = "18.0c" }, function()
  for _, unit in ipairs(pieces { kind = "unit", not_shelter = none }) do
    if unit.shelter.space ~= unit.space then return no("shelter-elsewhere", unit) end
  end
end)

invariant("losses-counted", { rule = { "7.3b", "7.3c" } }, function()
  if option "trucks-free" then return end
  local counted = 0
  for _, side in ipairs(sides) do counted = counted + sides[side].losses end
  if counted ~= space("lost").count then return no("losses-differ", counted) end
end)

-- Sight is mutual between all hexes as they lie now. Too long to look at after every decision: the cases of 6.0d call it.
-- allow rule-never-used: cases call it
procedure("prove-mutual-sight", { rule = "6.0d" }, function()
  for _, hex in ipairs(in_play()) do
    local blind = sees(hex):filter(function(other) return not sees(other):has(hex) end):minus { hex }
    if blind:any() then error(hex.id .. " sees " .. blind[1].id .. ", which does not see it") end
  end
end)

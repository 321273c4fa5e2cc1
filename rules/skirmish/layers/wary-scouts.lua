--- layer: wary-scouts
--- title: House rules: wary scouts and barricaded towns
--- version: 1.0
--- game: skirmish

-- Horse sees the fuse in time: a mine costs only foot and guns a step.
wrap("trap.mine", function(inner, unit)
  if unit.arm ~= "horse" then inner(unit) end
end)

-- The townsfolk barricade the streets for whoever holds them.
modify("defence", "barricades", { rule = "house.1", stage = "ground" }, function(n, fight)
  if fight.hex.holder == fight.defender then n:add(1) end
end)

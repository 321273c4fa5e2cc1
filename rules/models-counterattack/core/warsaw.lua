-- 18. The Warsaw Uprising and 19. the Magnuszew bridgehead.

-- At the end of a turn: is a Soviet unit within six hexes of Praga?
procedure("trigger-uprising", { rule = { "18.trigger.a", "18.trigger.b", "5.end.a" } }, function()
  if game.uprising or game.triggered then return end
  for _, hex in ipairs(praga()) do
    if #standing "soviet":both(within(hex, value "uprising".distance)) > 0 then
      game.triggered = true
      log("uprising-near")
      return
    end
  end
end)

-- Effects of the turn before end; then the uprising starts, or goes on.
procedure("uprising", { rule = { "5.admin.f", "18.trigger.c", "18.roll.a" } }, function()
  if game.no_move then game.no_move = false end
  if game.bridge_cost > 0 then game.bridge_cost = 0 end
  if game.uprising then
    quell()
  elseif game.triggered then
    game.uprising = true
    log("warsaw-rises")
    uprising_effects "initial"
  end
end)

local function garrison()
  return in_warsaw():filter{ spent = false }
end

-- Units committed to suppression count as activated; each two add one to the die. Reserves cannot (14.place.f).
quell = procedure("quell", { rule = { "18.roll.a", "18.suppress.a", "18.suppress.b", "14.place.f" } }, function()
  local committed = choose("german", "uprising.suppress", { among = garrison():filter{ reserve = 0 }, min = 0 })
  for _, unit in ipairs(committed) do unit.spent = true end
  local bonus = #committed // value "uprising".per + game.suppression
  if game.suppression > 0 then game.suppression = 0 end
  local space_of_track = roll("uprising", value "die".faces) + bonus
  log("uprising-space", space_of_track)
  uprising_effects(space_of_track)
end)

-- A space of the track may bear several results (18.roll.h).
uprising_effects = procedure("uprising-effects", { rule = { "18.first.a", "18.first.c", "18.first.d", "18.first.e", "18.roll.b", "18.roll.c", "18.roll.e", "18.roll.h" } }, function(row)
  if lookup("uprising", row, "no-move") > 0 then
    game.no_move = true
    log("uprising-no-move")
  end
  local dearer = lookup("uprising", row, "bridge")
  if dearer > 0 then
    game.bridge_cost = dearer
    log("uprising-bridges", dearer)
  end
  for _ = 1, lookup("uprising", row, "step-loss") do street_fighting() end
  local tied = lookup("uprising", row, "units-moved")
  if tied > 0 then tie_down(tied) end
end)

street_fighting = procedure("street-fighting", { rule = { "18.first.a", "18.first.b", "18.roll.d" } }, function()
  local units = in_warsaw()
  if #units == 0 then
    score(value "uprising".vp)
    return
  end
  lose_step(ask("german", "uprising.loss", { among = units }))
end)

-- Units not yet activated are marked Moved, and are in reserve no longer; too few give the Soviet one point in all.
tie_down = procedure("tie-down", { rule = { "18.roll.f", "18.roll.g", "18.suppress.c" } }, function(count)
  local units = garrison()
  local n = math.min(count, #units)
  for _, unit in ipairs(choose("german", "uprising.moved", { among = units, min = n, max = n })) do
    unit.spent = true
    if unit.reserve > 0 then unit.reserve = 0 end
  end
  if n < count then score(value "uprising".vp) end
end)

-- Magnuszew ------------------------------------------------------------------------------------------------------------------

local function wanted(class)
  if class == "artillery" or class == "planes" then
    local weapon = class == "planes" and "stuka" or class
    return pieces{ kind = "marker", at = space "german-support", weapon = weapon }
  end
  return in_warsaw():filter{ arm = class }
end

procedure("magnuszew", { rule = { "5.admin.g", "19.magnuszew.a", "19.magnuszew.c", "19.magnuszew.f", "5.admin.h", "advice.d" } }, function()
  if game.turn < value "magnuszew".from_turn then return end
  local missed = false
  for _, class in ipairs{ "armored", "infantry", "artillery", "planes" } do
    for _ = 1, lookup("magnuszew", game.turn, class) do
      if not send(class) then missed = true end
    end
  end
  if missed then score(value "magnuszew".vp) end
end)

-- What goes to the bridgehead does not come back.
send = procedure("send", { rule = { "19.magnuszew.b", "19.magnuszew.d", "19.magnuszew.e", "19.magnuszew.g", "19.magnuszew.h" } }, function(class)
  local fit = wanted(class)
  if #fit == 0 then return false end
  local sent = ask("german", "magnuszew.send", { among = fit, class = class })
  if sent.kind == "marker" then
    move(sent, space "magnuszew")
  else
    leave_map(sent, space "magnuszew")
    check_decisive "german"
  end
  return true
end)

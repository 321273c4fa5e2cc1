-- The two movement parts of a turn as menus, and what lies between them.

procedure("combat-move", { rule = { "turn.3", "cmove.1", "cmove.2", "cmove.14", "intro.1" } }, function()
  local side = game.active
  if at_peace(side) then return "done" end
  return menu(side, "combat-move", { none = "done" })
end)

-- Variant: the United States are still neutral in the first rounds.
function at_peace(side) return side == "american" and game.round <= option "us-neutral-rounds" end

-- What moved or fought in the first half of the turn stays where it is; aircraft are still in the air.
procedure("regroup", { rule = { "noncombat.3", "unit-tr.19", "combat.2" } }, function()
  local idle = force_of(game.active):filter { used = false }
  local busy = idle:filter { min_spent = 1 }:plus(idle:filter { fought = true }):plus(idle:filter { shelled = true })
  for _, unit in ipairs(busy) do unit.used = true end
end)

-- The move does not end while a fighter in the air waits for a carrier that can still come.
procedure("non-combat-move", { rule = { "noncombat.3", "turn.4", "noncombat.1", "unit-ftr.6" } }, function()
  local side = game.active
  return menu(side, "non-combat-move", { none = not carrier_must_sail(side) and "done" or nil })
end)

-- Aircraft still in the air come down where they can; where they cannot they are lost.
procedure("landing", { rule = { "noncombat.1", "noncombat.2", "unit-ftr.7", "sbr.17", "unit-bmb.4", "result.7", "noncombat.16", "unit-aa.11" } }, function()
  local side = game.active
  for _, unit in ipairs(pieces { side = side, airborne = true }) do
    local places = landing_places(side, unit)
    if #places > 0 then
      call("touch-down", unit, ask(side, "landing", { among = places, unit = unit }))
    else
      log("no-landing", side, unit)
      destroy(unit)
    end
  end
end)

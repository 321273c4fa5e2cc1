-- Chapter 9: the field hospital. It uses the words of the game it changes: units_of, zone, supplied.

local weakened = value "hospital".level

procedure("recover", { rule = { "9.1", "9.2" } }, function()
  local side = game.active
  local patients = units_of(side):filter{ level = weakened, at = supplied(side), not_at = zone(enemy(side)) }
  local unit = ask(side, "recover", { among = patients, none = "nobody" })
  if unit and roll "surgeon" >= option "surgeon" then step_up(unit) end
end)

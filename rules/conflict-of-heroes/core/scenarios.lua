-- Rules that a single scenario adds. `value.special` names those in force.

-- Scenario 4: the prisoner. A detail taken in close combat counts more, and more again when its captor gets home.
on("killed", "prisoner", { rule = "s04.2" }, function(unit, a)
  if unit.prize == 0 or not a or a.kind ~= "close" then return end
  score("soviet", unit.prize - vp_of(unit))
  if a.leader then a.leader.prize = value "prisoner-home" end
end)

-- Scenarios 4 and 12: units that leave by an edge of the map.
function exits(act)
  local unit, rule = act.unit, value "exit"
  if not rule.side or team(rule.side) ~= team(unit.side) or game.round < rule.from or not may_move(unit) then return false end
  if rule.type and unit.type ~= rule.type then return false end
  return affords(act, move_cost(unit)) and hexes_named(rule.hexes):has(unit.space)
end

offer("action", "exit", { rule = { "5.1e", "s04.3", "s12.3" }, when = function(side, act) return exits(act) end, run = "action.exit" })

procedure("action.exit", { rule = { "5.1e", "s04.2", "s04.3", "s12.3" } }, function(_, side, act)
  local unit = act.unit
  local from = unit.space
  call("pay", act, move_cost(unit))
  score(side, value "exit".vp + unit.prize)
  call("clear-unit", unit)
  move(unit, "away")
  call("claim", from)
  if unit.prize ~= 0 then call("final-count") end
end)

-- Scenario 4: by night a shot is seen farther than a man.
after("attack", "muzzle-flash", { rule = "s04.1" }, function(a)
  if sight_limit() and a.leader and a.leader.mode ~= "air" then a.from.flash = true end
end)

-- Scenarios 4 and 10: units that stay as they are until the enemy shows himself.
stayed = query("stayed", { rule = { "s04.4", "s10.1" } }, function(side)
  local held = nobody()
  if game.alarm then return held end
  if special "surprise" and game.round == 1 and team(side) == "german" then held = pieces { side = side, vehicle = true } end
  if special "sappers" then held = held:plus(pieces { side = side, not_prize = 0 }) end
  return held
end)

local function alarm(side)
  if game.alarm or team(side) ~= "soviet" or not (special "surprise" or special "sappers") then return end
  game.alarm = true
end

after("come-on", "first-tanks", { rule = "s10.1" }, function(_, side) alarm(side) end)
after("place-hidden", "first-sight", { rule = "s04.4" }, function(unit) alarm(unit.side) end)
after("attack", "first-shot", { rule = "s04.4" }, function(a) alarm(a.side) end)

-- Scenario 12: Panthers break down when they are activated.
on("activated", "teething", { rule = "s12.1" }, function(unit)
  if not special "teething" or unit.type ~= "de-panther-d" then return end
  if call("throw", unit.side, "teething", value "dice", unit) > value "teething".most then return end
  unit.broken_down = true
  log("breaks-down", unit)
end)

-- Scenario 9: two squads of the attacker break down a stretch of the anti-tank ditch.
function ditch_pairs(act)
  local unit = act.unit
  if not special "ditch-crossing" or team(unit.side) ~= value "attacker" or not is_squad(unit) or unit.carried then return nobody() end
  if unit.space.terrain ~= "ditch" or not affords(act, value "dig-in") then return nobody() end
  return companions(act, at_hand(act.side)):filter { at = unit.space, class = "squad" }
end

function deeds.ditch(act) return ditch_pairs(act):any() end

offer("action", "fill-ditch", { rule = { "18.3a", "s09.1" }, when = function(side, act) return deeds.ditch(act) end, run = "action.fill-ditch" })

procedure("action.fill-ditch", { rule = { "18.3a", "s09.1" } }, function(_, side, act)
  local mate = ask(side, "ditch.mate", { among = ditch_pairs(act) })
  enlist(act, mate)
  call("pay", act, value "dig-in")
  act.unit.space.terrain = "open"
end)

-- Scenario 11: engineers take wire away.
function wire_near(act)
  local unit = act.unit
  if not special "clear-wire" or not unit.engineer or unit.carried or not may_do_anything(unit) or not affords(act, value "clear-wire") then return nowhere() end
  return marked("wire"):both(within(unit.space, 1))
end

function deeds.wire(act) return wire_near(act):any() end

offer("action", "clear-wire", { rule = { "s11.1", "18.4e" }, when = function(side, act) return deeds.wire(act) end, run = "action.clear-wire" })

procedure("action.clear-wire", { rule = { "s11.1", "18.4e" } }, function(_, side, act)
  local hex = ask(side, "wire.clear", { among = wire_near(act), unit = act.unit })
  call("pay", act, value "clear-wire")
  call("raze", marker_in(hex, "wire"))
end)

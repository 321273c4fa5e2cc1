-- 2.3, 4.3 Activation: which units act, and in what order they move and fight.

-- All hexes in Command Range: paths round blocked hexsides, through anything else.
in_range = query("in-range", { rule = { "2.3m", "2.3n", "2.3o", "6.0e" } }, function(hex, range)
  return flood { from = { hex }, steps = range, barrier = { "blocked" } }
end)

-- Combat units in range; an Axis HQ takes other HQs in range along, which activate nobody themselves.
commanded = query("commanded", { rule = { "4.3c", "4.3d", "9.0a" } }, function(hq)
  local troops = hq.side == "axis" and units_of "axis" or combat_units "soviet"
  return troops:filter { at = in_range(hq.space, hq.range) }:plus { hq }
end)

-- The set is frozen here; what moves out of range stays active.
local function activate(units, who, mode)
  game.mode = mode
  log("activation", who, value "mode-words"[mode])
  for _, unit in ipairs(units) do unit.active = true end
end

local function choose_mode(who)
  return ask(game.active, "mode", { among = { "move-fight", "fight-move" }, who = who })
end

activate_hq = procedure("activate-hq", { rule = { "2.3p", "4.3c", "4.3d", "4.3e", "4.3f" } }, function(hq)
  game.active = hq.side
  if hq.place == space "hq-waiting" then call("return-hq", hq) end
  if hq.place == space "hq-waiting" then return end
  activate(commanded(hq), hq.full, choose_mode(hq.full))
end)

procedure("chit.hq", { rule = { "2.4a", "4.3c" } }, function(chit) activate_hq(chit.commands) end)

-- Also those that wait off the map.
local function all_hqs(side)
  return headquarters(side):plus(pieces { at = space "hq-waiting", side = side })
end

procedure("chit.stavka", { rule = { "2.4e", "4.3j" } }, function()
  activate_hq(ask("soviet", "stavka", { among = all_hqs "soviet" }))
end)

-- Drawn from the cup OKH has three options, from the hand two.
procedure("chit.okh", { rule = { "4.2.2d", "4.2.2f", "4.3k" } }, function()
  carry_out_okh { "hq-activation", "okh-command", "negotiation" }
end)

function carry_out_okh(orders)
  call("okh." .. ask("axis", "okh", { among = orders }))
end

procedure("okh.hq-activation", { rule = "4.2.2g" }, function()
  activate_hq(ask("axis", "okh.hq", { among = all_hqs "axis" }))
end)

procedure("okh.okh-command", { rule = { "4.2.2h", "2.6f" } }, function()
  local number = math.min(by_crossings "okh", #units_of "axis")
  local units = choose("axis", "okh.units", { among = units_of "axis", min = number, max = number })
  activate(units, "OKH", choose_mode "OKH")
end)

-- Turn 1: one Front opens the offensive, with attacks only.
query("special-combat-due", { rule = { "12.1a", "4.2f" } }, function()
  return game.turn == value "special-combat".turn
end)

procedure("special-activation", { rule = { "12.1a", "12.1b", "4.2f" } }, function()
  game.active = "soviet"
  local hq = ask("soviet", "special-hq", { among = headquarters "soviet" })
  activate(commanded(hq), hq.full, "fight")
end)

query("moves-first", { rule = "4.3e" }, function() return game.mode == "move-fight" end)
query("moves-last", { rule = "4.3e" }, function() return game.mode == "fight-move" end)
query("fights", { rule = "4.3f" }, function() return game.mode ~= "none" end)

procedure("stand-down", { rule = { "4.3f", "9.1a" } }, function()
  for _, unit in ipairs(pieces { kind = "unit", active = true }) do unit.active = false end
  for _, unit in ipairs(pieces { kind = "unit", moved = true }) do unit.moved = false end
  for _, unit in ipairs(pieces { kind = "unit", attacked = true }) do unit.attacked = false end
  for _, hex in ipairs(assaulted()) do hex.assaulted = false end
  game.mode = "none"
end)

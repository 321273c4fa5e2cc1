-- 4.3 The Action Phase: feed the cup, draw a chit, carry it out.

-- "At any time" can matter only before a draw. With an empty cup at least one chit must go in.
procedure("feed-cup", { rule = { "4.2c", "4.2d", "4.3n" } }, function()
  local hand = space "axis-hand"
  if hand.count == 0 then return end
  local least = space "cup".count == 0 and 1 or 0
  local chits = choose("axis", "feed-cup", { among = hand.pieces, min = least, always = true })
  for _, chit in ipairs(chits) do move(chit, space "cup") end
  shuffle(space "cup")
end)

procedure("draw-chit", { rule = { "2.4b", "4.3a", "4.3b", "2.0a", "4.0c" } }, function()
  local chit = pick("draw", space "cup".pieces)
  move(chit, space "table")
  game.chit = chit
  game.active = chit.side
  log("chit-drawn", chit.name)
end)

procedure("resolve-chit", { rule = { "4.3g", "4.3h", "4.3i", "4.3j", "4.3k", "4.3l" } }, function()
  local chit = game.chit
  local order = interrupting_order(chit)
  if order then
    call("interrupt", chit, order)
  else
    call("chit." .. chit.effect, chit)
  end
end)

-- The window opens whenever the Axis holds a chit, so that it tells nothing about which.
function interrupting_order(chit)
  local hand = space "axis-hand"
  if hand.count == 0 or chit.effect == "supply" then return nil end
  return ask("axis", "interrupt", { among = hand.pieces, chit = chit, none = "let-it-pass", always = true })
end

forbid("interrupt", "only-okh", { rule = "4.2d" }, function(chit)
  if chit.effect ~= "okh" then return no("only-okh", chit) end
end)

procedure("interrupt", { rule = { "4.2.2e", "4.3l", "4.3m", "4.2.2f" } }, function(chit, order)
  move(chit, space "cup")
  shuffle(space "cup")
  move(order, space "table")
  game.chit = order
  game.active = "axis"
  carry_out_okh { "hq-activation", "okh-command" }
end)

-- A played chit lies inactive until it is selected again. Airborne has become a marker; Supply waits on the table.
procedure("lay-chit-aside", { rule = { "4.3m-x", "2.1f", "4.3n" } }, function()
  local chit = game.chit
  if chit.side and chit.place == space "table" then move(chit, inactive_box(chit.side)) end
  game.chit = nil
  if space "cup".count == 0 and space "axis-hand".count == 0 then return "done" end
end)

-- Chapter 2: hidden markers. The other side sees where one lies, but not what it is, until somebody walks into it.

marked = query("marked", { rule = "2.1" }, function(side)
  return pieces{ kind = "marker", side = side, on_map = true }:spaces()
end)

-- The cup was shuffled at set-up, so that the order of placing tells the enemy nothing.
procedure("hide-marker", { rule = "2.1" }, function()
  local side = game.active
  local marker = store(side, "cup").pieces[1]
  if not marker then return "done" end
  reveal(marker, side)
  conceal(marker, enemy(side))
  move(marker, ask(side, "marker.hex", { among = spaces{ kind = "hex" }, side = side, marker = marker }))
end)

forbid_all("marker.hex", "own-bank", { rule = "2.1" }, function(ask)
  return spaces{ kind = "hex", not_bank = sides[ask.side].bank }, no("own-bank")
end)

forbid_all("marker.hex", "one-marker", { rule = "2.1" }, function(ask)
  return marked(ask.side), no("marked")
end)

-- Each kind of trap has a procedure of its own, so that a layer can add one with a row and a procedure.
procedure("arrival.spring", { rule = "2.2" }, function(unit)
  local hex = unit.space
  if not marked(enemy(unit.side)):has(hex) then return end
  local marker = hex.pieces:filter{ kind = "marker" }:first()
  reveal(marker)
  move(marker, "spent")
  log("sprung", unit, marker)
  call("trap." .. marker.trap, unit)
end)

procedure("trap.mine", { rule = "2.3" }, lose_step)

procedure("trap.ambush", { rule = "2.4" }, function(unit)
  if roll "ambush" <= value "ambush".aim then lose_step(unit) end
end)

procedure("trap.decoy", { rule = "2.5" }, function() end)

-- 2.6 Scouting. What a scout has seen is known to its side only; that it has looked is known to all.

unseen = query("unseen", { rule = "2.6" }, function(side)
  return pieces{ kind = "marker", side = side, on_map = true, scouted = false }
end)

offer("orders", "scout", {
  rule = "2.6",
  when = function(_, order) return order.unit.arm == "horse" end,
  among = function(side, order) return unseen(enemy(side)):spaces():both(neighbours(order.unit.space)) end,
})

procedure("scout", { rule = "2.6" }, function(hex, side)
  local marker = unseen(enemy(side)):filter{ at = hex }:first()
  reveal(marker, side)
  marker.scouted = true
end)

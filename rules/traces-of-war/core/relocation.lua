-- 2.3, 9.4 HQ relocation: one procedure for every cause, in the middle of anything.

-- Hexes where an HQ may be set up again: in supply, out of EZOC, without another HQ.
shelters = query("shelters", { rule = { "2.3b", "2.3h", "2.3i" } }, function(side)
  return supply_net(side):minus(ezoc(side)):minus(standing(enemy(side))):minus(crowded(side, true))
end)

local function far_shelters(hq)
  return shelters(hq.side):minus(within(hq.space, value "relocation".hexes - 1))
end

offer("movement", "relocate", { rule = { "2.3f", "9.4a" }, run = "relocate-freely", among = function(side)
  return headquarters(side):filter { active = true, moved = false }
end })

-- Instead of its move; the owner may think better of it.
procedure("relocate-freely", { rule = { "2.3f", "9.4a" } }, function(hq)
  hq.moved = true
  local to = ask(hq.side, "relocate.to", { among = far_shelters(hq), hq = hq, none = "stay" })
  if not to then return end
  score_relocation(hq.side)
  arrive(hq, to)
end)

relocate = procedure("relocate", { rule = { "2.3d", "2.3e", "2.3g", "2.3h", "2.3i", "10.3h" } }, function(hq)
  local places = far_shelters(hq)
  score_relocation(hq.side)
  hq.moved = true
  if #places == 0 then
    local left = hq.space
    move(hq, space "hq-waiting")
    watch_crossings(left)
  else
    arrive(hq, ask(hq.side, "relocate.to", { among = places, hq = hq }))
  end
end)

-- Without a place to go it waits off the map until its next activation.
procedure("return-hq", { rule = "8.1o-x" }, function(hq)
  local places = shelters(hq.side)
  if #places > 0 then arrive(hq, ask(hq.side, "relocate.to", { among = places, hq = hq })) end
end)

score_relocation = procedure("score-relocation", { rule = { "2.3j", "2.3k", "13.2h", "13.2i" } }, function(side)
  if option "relocation-vp" == "campaign" and value "scenario".campaign == 0 then return end
  game.vp = game.vp + value "relocation"[side]
end)

-- An HQ that ended beside another one moves on.
part_headquarters = procedure("part-headquarters", { rule = "5.0e" }, function(hq)
  if #headquarters(hq.side):filter { at = hq.space } > value "stack".hqs then relocate(hq) end
end)

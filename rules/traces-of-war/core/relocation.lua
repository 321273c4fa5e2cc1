-- 2.3, 9.4 HQ relocation: one procedure for every cause, in the middle of anything.

map_hexes = query("map-hexes", { rule = "2.1a" }, function() return spaces { kind = "hex" } end)

-- From the waiting box every hex is far.
forbid_all("relocate.to", "too-near", { rule = "2.3g" }, function(ask)
  return within(ask.hq.space, value "relocation".hexes - 1), no("too-near")
end)

forbid_all("relocate.to", "relocation-zoc", { rule = "2.3h" }, function(ask)
  return ezoc(ask.hq.side):plus(standing(enemy(ask.hq.side))), no("enemy-near")
end)

forbid_all("relocate.to", "relocation-supply", { rule = { "2.3i", "8.1a" } }, function(ask)
  return map_hexes():minus(supply_net(ask.hq.side)), no("no-supply-line")
end)

forbid_all("relocate.to", "hq-there", { rule = "2.3b" }, function(ask)
  return full("hqs", ask.hq.side), no("stacking")
end)

function shelters(hq) return narrow(hq.side, "relocate.to", { among = map_hexes(), hq = hq }) end

offer("movement", "relocate", { rule = { "2.3f", "9.4a" }, run = "relocate-freely", among = function(side)
  return headquarters(side):filter { active = true, moved = false }
end })

-- Instead of its move; the owner may think better of it.
procedure("relocate-freely", { rule = { "2.3f", "9.4a" } }, function(hq)
  hq.moved = true
  local to = ask(hq.side, "relocate.to", { among = map_hexes, hq = hq, none = "stay" })
  if not to then return end
  score_relocation(hq)
  arrive(hq, to)
end)

-- Forced. Without a place to go the HQ waits off the map.
relocate = procedure("forced-relocation", { rule = { "2.3d", "2.3e", "10.3h", "8.1o-x" } }, function(hq)
  score_relocation(hq)
  hq.moved = true
  if shelters(hq):any() then
    arrive(hq, ask(hq.side, "relocate.to", { among = map_hexes, hq = hq }))
  else
    log("hq-waits", hq.full)
    put(hq, space "hq-waiting")
  end
end)

-- Several at once go in the order that their owner likes.
relocate_all = procedure("relocate-all", { rule = { "2.3e", "8.1n" } }, function(side, hqs)
  while #hqs > 0 do
    local hq = ask(side, "relocate.hq", { among = hqs })
    hqs = hqs:minus { hq }
    relocate(hq)
  end
end)

-- At its next activation it may be set up anywhere.
procedure("return-hq", { rule = "8.1o-x" }, function(hq)
  if shelters(hq):any() then arrive(hq, ask(hq.side, "relocate.to", { among = map_hexes, hq = hq })) end
end)

score_relocation = procedure("score-relocation", { rule = { "2.3j", "2.3k", "13.2h", "13.2i" } }, function(hq)
  if option "relocation-vp" == "campaign" and value "scenario".campaign == 0 then return log("hq-relocates", hq.full) end
  local points, side = value "relocation"[hq.side], sides[hq.side]
  log("hq-relocates-for-vp", hq.full, points)
  side.relocations = side.relocations + 1
  score(points)
end)

-- An HQ that ended beside another one moves on.
part_headquarters = procedure("part-headquarters", { rule = "5.0e" }, function(hq)
  if overfull("hqs", hq.side):has(hq.space) then relocate(hq) end
end)

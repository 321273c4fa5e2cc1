-- Defending submarines fire before the attack, and what they hit is gone at once, unless the attacker has a destroyer.

before("sea.attack", "defenders-strike-first", { rule = "wolf-packs.1" }, function(zone)
  local boats = sea_defenders(zone):filter { has = "strikes-first", hit = false }
  if #boats == 0 or sea_attackers(zone):any { has = "hunts-submarines" } then return end
  local hits, side = 0, boats[1].side
  for kind, n in pairs(census(boats)) do hits = hits + fire_group("ambush", side, kind, n, defence_of(kind, side)) end
  call("losses", sea_attackers(zone), hits, "ships-only", side)
  call("sea.remove", zone)
end)

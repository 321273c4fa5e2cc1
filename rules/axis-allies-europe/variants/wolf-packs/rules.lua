-- Defending submarines fire before the attack, and what they hit is gone at once, unless the attacker has a destroyer.

before("sea.attack", "defenders-strike-first", { rule = "wolf-packs.1" }, function(zone)
  local boats = sea_defenders(zone):filter { type = "submarine", hit = false }
  if #boats == 0 or #sea_attackers(zone):filter { has = "hunts-submarines" } > 0 then return end
  local hits = volley("ambush", #boats, defence_of("submarine", boats[1].side))
  call("losses", sea_attackers(zone), hits, "submarine", boats[1].side)
  call("sea.remove", zone)
end)

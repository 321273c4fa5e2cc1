-- 9. Overruns: attacks inside a move.

-- The attack costs nothing, but one after another asks for points to go on with.
local function may_overrun(record)
  if record.fought and record.points == 0 then return false end
  return record.units:all(function(unit) return pace_class(unit) >= value "mobile".movement end)
end

-- Enemy hexes next to the mover, in Praga seen from Warsaw too: a bridge bears two units in an attack, not a group of three.
overrun_targets = query("overrun-targets", { rule = { "9.overrun.c", "9.overrun.f", "6.bridges.c", "6.bridges.d" } }, function(side, place, grouped)
  if place == warsaw() and (grouped or not option "overruns-over-bridges") then return nowhere() end
  local near = place == warsaw() and around({ place }, { "entry" }):filter{ kind = "hex" } or around({ place }, off_hexes)
  return near:both(standing(enemy(side)))
end)

function overruns_open(side, ask)
  local place = ask.place
  if place ~= warsaw() and not beside(enemy(side)):has(place) then return nowhere() end
  local near = overrun_targets(side, place, ask.grouped)
  return #near > 0 and may_overrun(ask.march) and near or nowhere()
end

-- From a hex where the mover has not moved yet this is a sudden attack: nobody can break contact.
offer("march", "overrun", {
  rule = { "9.overrun.a", "9.overrun.c", "9.overrun.d", "9.overrun.f", "9.overrun.g", "6.zoc.d", "6.break.m" }, run = "march.overrun",
  among = function(side, ask) return overruns_open(side, ask) end,
})

procedure("march.overrun", { rule = { "9.overrun.c", "9.overrun.d", "6.zoc.d" } }, function(target, side, ask)
  run_over(ask.march, target, side)
end)

-- The attack, and what is left of the move: whoever does not clear the hex goes no further.
run_over = procedure("run-over", { rule = { "9.advance.b", "9.advance.c", "13.train.h" } }, function(record, target, side, card)
  local fight = open_fight(side, target, true)
  fight.attackers = record.units
  fight.surprise = card
  combat(fight)
  record.units = attackers(fight)
  record.moved = true
  record.fought = true
  record.over = not fight.cleared or #record.units == 0
  record.stopped = false
  close_fight(fight)
end)

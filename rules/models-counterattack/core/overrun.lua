-- 9. Overruns: attacks inside a move.

-- The attack costs nothing, but one after another asks for points to go on with.
local function may_overrun(record)
  if record.fought and record.points == 0 then return false end
  return record.units:all(function(unit) return pace_class(unit) >= value "mobile".movement end)
end

-- Enemy hexes next to the mover. From a hex where it has not moved yet this is a sudden attack: nobody can break contact.
offer("march", "overrun", {
  rule = { "9.overrun.a", "9.overrun.c", "9.overrun.d", "9.overrun.f", "9.overrun.g", "6.zoc.d", "6.break.m" }, run = "march.overrun",
  when = function(side, ask) return beside(enemy(side)):has(ask.place) and may_overrun(ask.march) end,
  among = function(side, ask)
    return around({ ask.place }, off_hexes):both(standing(enemy(side)))
  end,
})

procedure("march.overrun", { rule = { "9.overrun.c", "9.overrun.d", "9.advance.b", "9.advance.c", "13.train.h", "6.zoc.d" } }, function(target, side, ask)
  local record = ask.march
  local fight = open_fight(side, target, true)
  fight.attackers = record.units
  combat(fight)
  record.units = attackers(fight)
  record.moved = true
  record.fought = true
  record.over = not fight.cleared or #record.units == 0
  record.stopped = false
  finish_record(fight)
end)

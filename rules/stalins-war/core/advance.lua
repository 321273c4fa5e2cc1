-- 11.5 Advance after combat and Blitz markers.

-- Nobody is left; or after a defeat only those who do not go with the others, Stalin and the partisans of the hex.
local function hex_is_open(fight)
  local left = units_of(fight.defender):filter{ at = fight.target }
  if fight.winner == fight.attacker and not fight.stands then left = left:filter{ not_id = "su-stalin", not_arrives = "partisan-cup" } end
  return #left == 0
end

procedure("combat.advance", { rule = { "11.2.1u", "11.5.1a", "11.1.8", "11.5.2b" } }, function(fight)
  if #alive(fight, fight.attacker) == 0 or not hex_is_open(fight) then return end
  follow(fight, false)
  if may_blitz(fight) and ask(fight.attacker, "combat.blitz", { among = { "blitz", "no-blitz" }, fight = fight, hex = fight.target }) == "blitz" then
    place_blitz(fight)
    follow(fight, true)
  end
end)

-- Survivors that have not advanced yet and may do so.
local function followers(fight, packed)
  local hex, side = fight.target, fight.attacker
  local left = alive(fight, side):filter{ not_at = hex }:minus(garrison())
  return left:filter(function(unit)
    return not foreign_soil(unit.nation):has(hex) and (packed or not crowded_for(unit):has(hex)) and could_live_in(unit, hex)
  end)
end

-- A hex is fit for an advance if supply can be traced from it once the unit is there; by option also if it needs no line there (16.1.6b, 13.1.4).
function could_live_in(unit, hex)
  return would_trace(unit.side, unit.nation, hex) and (not lifts_alone(unit) or traces_without(unit.side, unit.nation, hex, unit.space))
    or option "advance-without-line" and needs_no_line(unit, hex)
end

-- Whether nobody but this unit keeps the enemy ZOC off its hex.
function lifts_alone(unit)
  local hex = unit.space
  return zoc(enemy(unit.side)):has(hex) and #units_of(unit.side):filter{ at = hex } == 1
end

follow = procedure("follow", { rule = { "11.5.1a", "11.5.1b", "11.2.1v", "11.2.1z", "8.3f", "13.3.7" } }, function(fight, packed)
  local left = function() return followers(fight, packed) end
  ask_each(fight.attacker, "combat.advance", { among = left, fight = fight, hex = fight.target, none = "enough" }, function(unit)
    overrun(fight)
    if can_exploit(unit) and dry_crossing(fight, unit.space) then fight.spearhead = true end
    enter(unit, fight.target)
    move(unit, fight.target)
  end)
end)

-- Stalin and partisans left behind are lost (16.4.3, 16.1.6c).
overrun = procedure("overrun", { rule = { "16.4.3", "16.1.6c" } }, function(fight)
  for _, unit in ipairs(units_of(fight.defender):filter{ at = fight.target }) do leave_game(unit) end
end)

-- Units able to exploit this round: in full supply, panzer corps, Soviet tank and guards units, mech corps after Uranus.
function can_exploit(unit)
  if unit.supply ~= "full" or exploitation_barred(unit.side) then return false end
  return unit.exploits == true or unit:is "mech" and has_been_played "soviet-15"
end

-- A major river or the Kerch strait bars a Blitz to those who cross it (11.2.1za).
function dry_crossing(fight, hex)
  local feature = hurdle(fight, hex)
  return not feature or not lookup("hexside", feature, "no-blitz")
end

local function blitz_ground(fight)
  local hex = fight.target
  if fight.clear_hex then return true end
  if lookup("terrain", hex.terrain, "no-blitz") or hex.festung then return false end
  local place = place_of(hex)
  return not place or not lookup("place", place, "no-blitz")
end

may_blitz = query("may-blitz", { rule = { "11.2.1v", "11.2.1x", "11.2.1y", "11.5.2a", "7.2.6b", "11.2.1w", "11.2.1za", "15.1.2c", "11.5.2b" } }, function(fight)
  local side = fight.attacker
  if game.action == "zero" or sides[side].blitz_markers >= value "blitz".markers then return false end
  if not blitz_ground(fight) or not fight.spearhead then return false end
  if side == "soviet" then return game.lend_lease end
  return axis_may_blitz(fight.target)
end)

-- None in Winter 1942, none in the Caucasus, one a round east of the Paulus Line on turns 1 to 3.
function axis_may_blitz(hex)
  if game.turn == value "winter".turn or hex.caucasus then return false end
  if not hex.paulus or game.turn > value "winter".turn then return true end
  return #spaces{ blitz = true, paulus = true } < value "blitz-east".markers
end

place_blitz = procedure("place-blitz", { rule = { "11.5.2a", "11.5.2b", "11.5.2c" } }, function(fight)
  local side = fight.attacker
  fight.target.blitz = true
  sides[side].blitz_markers = sides[side].blitz_markers + 1
end)

-- 20. Event counters: when they may be played, and what happens then. Each event is declared with `event`; German and Soviet events follow
-- in files of their own.

---@type table<string, table>
local plays = {}

-- event(id, rule, { targets = function() -> list, play = function(card, target) }): the owner chooses a target if there is a list.
function event(id, rule, how)
  plays[id] = how
  procedure("event." .. id, { rule = rule }, function(card)
    local target
    if how.targets then target = ask(card.side, "event.target", { among = how.targets, card = card }) end
    how.play(card, target)
  end)
end

local function has_target(card)
  local how = plays[card.event]
  if how.when and not how.when() then return false end
  return not how.targets or #how.targets() > 0
end

function hand(side)
  return space(side .. "-hand").pieces
end

-- Events in hand that fit a window and would do something. One event a player and phase.
function playable(side, windows)
  if sides[side].played then return nobody() end
  local cards = hand(side):filter{ window = windows }
  return #cards > 0 and cards:filter(has_target) or cards
end

-- Whoever still may play and holds events is asked, so that the other side does not learn whether one of them fits.
function might_play(side)
  return not sides[side].played and #hand(side) > 0
end

-- At the start of a phase: first the active player, then the other.
procedure("opening", { rule = { "20.events.c", "20.events.f" } }, function()
  local side = game.active
  offer_event(side, { "own-start", "any-phase" })
  offer_event(enemy(side), { "enemy-start", "any-phase" })
end)

offer_event = procedure("offer-event", { rule = { "20.events.c", "20.events.f" } }, function(side, windows)
  local card = ask(side, "event", { among = function() return playable(side, windows) end, none = "no-event", always = might_play(side) })
  if card then play_event(card) end
end)

-- Events of one's own phase: in movement (only the German has one), or in the barrage step.
offer("movement", "event", {
  rule = { "20.events.c", "20.events.f" }, side = "german", run = "play-event",
  among = function(side) return playable(side, { "own-movement" }) end,
})
offer("barrage", "event", {
  rule = { "20.events.c", "20.events.f" }, run = "play-event",
  among = function(side) return playable(side, { "own-barrage" }) end,
})

-- A lasting event lies on its unit; the others leave the game.
play_event = procedure("play-event", { rule = { "20.events.d", "20.events.e", "20.events.f" } }, function(card)
  sides[card.side].played = true
  reveal(card)
  call("event." .. card.event, card)
  if card.place == space(card.side .. "-hand") then move(card, space "removed") end
end)

-- Surprise attacks are announced before support and die.
procedure("combat.surprise", { rule = { "20.events.g", "20.events.f" } }, function(fight)
  local card = ask(fight.attacker, "combat.surprise", {
    among = function() return playable(fight.attacker, { "own-combat" }) end, fight = fight, none = "no-event",
    always = might_play(fight.attacker),
  })
  if not card then return end
  fight.surprise = true
  play_event(card)
end)

-- Sturmoviks may serve as the one support of a Soviet attack.
function supporting_events(side, fight)
  if side ~= fight.attacker or sides[side].played then return nobody() end
  return hand(side):filter{ event = "sov-sturmovik" }
end

after("combat.support", "spend-sturmovik", { rule = { "20.events.e", "20.events.f" } }, function(fight)
  local helper = fight.attacker_support
  if helper and helper.kind == "card" then
    sides[helper.side].played = true
    move(helper, space "removed")
  end
end)

-- Effects that several events share -------------------------------------------------------------------------------------------

-- Lies on a unit and adds to its bonus.
function attach_event(id, rule, fits)
  event(id, rule, { targets = fits, play = function(card, unit) move(card, unit) end })
end

-- Recovers one step by the rules of chapter 16.
function recovery_event(id, rule, side, arm)
  event(id, rule, {
    targets = function() return recoverable(side, { arm }) end,
    play = function(card, unit) recover(unit) end,
  })
end

-- One more barrage on a hex within so many hexes of these units.
function reachable_foes(side, units, range)
  return within_range(units, range):both(standing(enemy(side)))
end

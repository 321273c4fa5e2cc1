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
  if sides[side].played > 0 then return nobody() end
  local cards = hand(side):filter{ window = windows }
  return #cards > 0 and cards:filter(has_target) or cards
end

function may_play(side)
  return sides[side].played == 0 and #hand(side) > 0
end

-- At the start of a phase: first the player whose phase it is not, then the other. The first is asked as long as there is a counter to play,
-- so that the enemy does not learn whether one of them fits; the second has the next word anyway, and is asked only if there is a choice.
procedure("opening", { rule = { "20.events.c", "20.events.f" } }, function()
  local side = game.active
  offer_event(enemy(side), { "enemy-start", "any-phase" }, may_play(enemy(side)))
  offer_event(side, { "own-start", "any-phase" }, false)
end)

offer_event = procedure("offer-event", { rule = { "20.events.c", "20.events.f" } }, function(side, windows, always)
  local card = ask(side, "event", { among = function() return playable(side, windows) end, none = "no-event", always = always })
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

-- A counter is shown, and is the one of its owner in this phase.
announce = procedure("announce", { rule = { "20.events.e", "20.events.f" } }, function(card)
  sides[card.side].played = sides[card.side].played + 1
  reveal(card)
  log("plays-event", card.side, card)
end)

-- A lasting event lies on its unit; the others leave the game.
play_event = procedure("play-event", { rule = { "20.events.d", "20.events.e", "20.events.f" } }, function(card)
  announce(card)
  call("event." .. card.event, card)
  if card.place == space(card.side .. "-hand") then move(card, space "removed") end
end)

-- Counters that are announced with an attack are entries of the attacker's own menus: nobody learns who could have played one.
function announced_with(side, id)
  return may_play(side) and hand(side):any{ event = id }
end

spend = procedure("spend", { rule = { "20.events.e", "20.events.f" } }, function(side, id)
  local card = hand(side):filter{ event = id }:first()
  announce(card)
  move(card, space "removed")
  return card
end)

-- Surprise Attack ---------------------------------------------------------------------------------------------------------------

local surprises = { german = "ger-surprise-attack", soviet = "sov-surprise-attack" }

local function can_surprise(side) return announced_with(side, surprises[side]) end

offer("combats", "surprise", {
  rule = { "20.events.f", "20.events.g" }, run = "attack-by-surprise",
  when = can_surprise, among = function(side) return targets(side):minus(assaulted()) end,
})

procedure("attack-by-surprise", { rule = "20.events.g" }, function(target, side)
  assault(target, side, { surprise = spend(side, surprises[side]) })
end)

offer("march", "surprise", {
  rule = { "20.events.f", "20.events.g" }, run = "overrun-by-surprise",
  among = function(side, ask)
    local near = overruns_open(side, ask)
    return #near > 0 and can_surprise(side) and near or nowhere()
  end,
})

procedure("overrun-by-surprise", { rule = "20.events.g" }, function(target, side, ask)
  run_over(ask.march, target, side, spend(side, surprises[side]))
end)

modify("column", "surprise-shift", { rule = "20.events.g", stage = "shift" }, function(n, fight)
  if fight.surprise then n:add(value "surprise".columns) end
end)

forbid("combat.support", "support-surprised", { rule = "20.events.g" }, function(_, ask)
  if ask.fight.surprise and ask.helped == ask.fight.defender then return no("surprised") end
end)

-- What the defender cannot do: surprised Germans do not bend, surprised Soviets do not hold at any price.
forbid("combat.elastic", "elastic-surprised", { rule = "20.events.g" }, function(choice, ask)
  if ask.fight.surprise and ask.fight.defender == "german" and choice == "bend" then return no("surprised") end
end)

forbid("combat.desperate", "desperate-surprised", { rule = "20.events.g" }, function(ignored, ask)
  if ask.fight.surprise and ask.fight.defender == "soviet" and ignored > 0 then return no("surprised") end
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

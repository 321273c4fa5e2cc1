-- What `sandtable odds` observes of a battle: `space` is where it is fought, the first argument of the call.

local function fighting(sides, space) return pieces { at = space, side = sides, min_hits = 1 } end

query("outcome.attackers", { rule = "odds.1" }, function(space) return #fighting(game.active, space) end)
query("outcome.defenders", { rule = "odds.1" }, function(space) return #fighting(foes(game.active), space) end)
query("outcome.control", { rule = "odds.2" }, function(space) return controller(space) or "nobody" end)

-- What the attacker's units are worth beyond the defender's: its change is the swing of the battle.
query("outcome.swing", { rule = "odds.3" }, function(space)
  return fighting(game.active, space):sum "cost" - fighting(foes(game.active), space):sum "cost"
end)

-- ---------------------------------------------------------------- odds in questions

-- Units in the order in which they will be given up, cheapest first, as { worth, lifts, lifted }. A ship's spare hits come before all.
local function ranks(units, worth)
  local list = {}
  for _, unit in ipairs(units) do
    for _ = 1, hits_left(unit) - 1 do list[#list + 1] = { worth = 0, cost = 0 } end
    list[#list + 1] = { worth = worth(unit.type, unit.side), cost = unit.cost, lifts = unit:is "supports", lifted = unit:is "supported" }
  end
  table.sort(list, function(a, b) return a.cost < b.cost end)
  return list
end

-- How likely each number of hits is when the first `gone` are lost, in parts of `scale`; `bonus` is what an artillery adds to an infantry.
local function chances(list, gone, bonus, scale)
  local lifts = 0
  for i = gone + 1, #list do
    if list[i].lifts then lifts = lifts + 1 end
  end
  local dist, die = { [0] = scale }, value "odds".die
  for i = gone + 1, #list do
    local worth = list[i].worth
    if list[i].lifted and lifts > 0 then worth, lifts = worth + bonus, lifts - 1 end
    if worth > 0 then
      for h = #dist + 1, 1, -1 do dist[h] = ((dist[h] or 0) * (die - worth) + dist[h - 1] * worth) // die end
      dist[0] = dist[0] * (die - worth) // die
    end
  end
  return dist
end

local function all_chances(list, bonus, scale)
  local by_losses = {}
  for gone = 0, #list - 1 do by_losses[gone] = chances(list, gone, bonus, scale) end
  return by_losses
end

-- Plays the battle out: how likely it is that so many of either side are lost when it ends.
local function play_out(a, d, scale)
  local attack, defence = all_chances(a, value "support-bonus", scale), all_chances(d, 0, scale)
  local wide, ends = #d + 1, { won = 0, lost = 0, drawn = 0, ours = 0, theirs = 0 }
  local mass = { [0] = scale }
  for i = 0, #a do
    for j = 0, #d do
      local here = mass[i * wide + j]
      if here and i < #a and j < #d then
        local fire, reply = attack[i], defence[j]
        local idle = scale - fire[0] * reply[0] // scale
        for h = 0, #fire do
          for g = 0, #reply do
            if h + g > 0 then
              local to = math.min(i + g, #a) * wide + math.min(j + h, #d)
              mass[to] = (mass[to] or 0) + here * (fire[h] * reply[g] // scale) // idle
            end
          end
        end
      elseif here then
        local how = i < #a and "won" or j < #d and "lost" or "drawn"
        ends[how], ends.ours, ends.theirs = ends[how] + here, ends.ours + here * i, ends.theirs + here * j
      end
    end
  end
  return ends
end

-- In hundredths, and in tenths of a unit.
local function reckon(a, d)
  local scale, ends = value "odds".scale, play_out(a, d, value "odds".scale)
  local function part(n, of) return (n * of + scale // 2) // scale end      -- allow figure-in-rule: half of the scale rounds to the nearest
  local hundred, ten = value "odds".hundred, value "odds".ten
  return { win = part(ends.won, hundred), draw = part(ends.drawn, hundred), loss = part(ends.lost, hundred), ours = part(ends.ours, ten), theirs = part(ends.theirs, ten) }
end

local function tenths(n) return n // value "odds".ten .. "." .. n % value "odds".ten end

-- "win 62 %, draw 3 %, loss 35 %; expected losses 2.1 against 3.4", if both sides fight to the end and lose the cheapest first.
local function in_words(a, d)
  if #a * #d > value "odds".largest then return "too large to reckon" end
  local odds = reckon(a, d)
  return "win " .. odds.win .. " %, draw " .. odds.draw .. " %, loss " .. odds.loss .. " %; expected losses " .. tenths(odds.ours) .. " against " .. tenths(odds.theirs)
end

function land_odds(attackers, defenders) return in_words(ranks(attackers, attack_of), ranks(defenders, defence_of)) end

-- At sea first strike, diving and who can hit whom are left out.
function sea_odds(attackers, defenders) return "roughly " .. in_words(ranks(attackers, attack_of), ranks(defenders, defence_of)) end

-- What the question of a battle in this space says now: both forces, and the odds.
query("outcome.forces", { rule = "odds.6" }, function(space)
  return words_for(fighting(game.active, space)) .. " against " .. words_for(fighting(foes(game.active), space))
end)
query("outcome.odds", { rule = "odds.4" }, function(space)
  local how = space.ground == "sea" and sea_odds or land_odds
  return how(fighting(game.active, space), fighting(foes(game.active), space))
end)

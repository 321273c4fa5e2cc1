-- Words that all the rules use: who stands where, who pays, what a side may enter.

water = { "sea", "lake" }

-- Every counter of a side, wherever it is.
roster = query("roster", { rule = "2.2.1a" }, function(side)
  return pieces{ kind = "unit", side = side }
end)

-- Combat units on the map. Inactive partisans lie dormant: they are markers, not units (16.1.4).
-- The list stays the same while units only move, and so does all that was made from it without asking where they are.
units_of = query("units-of", { rule = "16.1.4" }, function(side)
  return roster(side):filter{ on_map = true, dormant = false }
end)

nowhere = query("nowhere", {}, function() return spaces{ id = {} } end)
nobody = query("nobody", {}, function() return pieces{ id = {} } end)

standing = query("standing", { rule = "10.1.6" }, function(side)
  return units_of(side):spaces()
end)

-- The hexes of a list of ids in the values.
function hexes_of(ids)
  local found = {}
  for i, id in ipairs(ids) do found[i] = space(id) end
  return nowhere():plus(found)
end

function pile(side, name)
  return space(side .. "-" .. name)
end

function nations(side)
  if side == "axis" then return { "ge", "ro", "hu", "it" } end
  return { "su" }
end

function the_turn(entry)
  return lookup("turns", game.turn, entry)
end

rasputitsa = query("rasputitsa", { rule = { "15.1.1a", "6.0b" } }, function()
  return game.round <= the_turn "rasputitsa"
end)

function holds(side, id)
  return space(id).control == side
end

function holds_all(side, ids)
  for _, id in ipairs(ids) do
    if not holds(side, id) then return false end
  end
  return true
end

function has_been_played(id)
  return piece(id).played
end

-- OPS of the card first, then Banked OPS (18.1.1).
purse = query("purse", { rule = { "7.3.1", "18.1.1" } }, function(side)
  local own = sides[side]
  return own.ops + own.banked
end)

pay = procedure("pay", { rule = { "7.3.1", "18.1.1" } }, function(side, price)
  local own = sides[side]
  local from_card = math.min(price, own.ops)
  if from_card > 0 then own.ops = own.ops - from_card end
  if price > from_card then
    own.banked = own.banked - (price - from_card)
    game.banked_used = true
  end
end)

-- An OPS Round: a card or an event gave OPS; by option also a 0-OPS round in which Banked OPS were spent (3.0k).
function is_ops_round()
  return game.moving and (game.action ~= "zero" or option "banked-ops-round" and game.banked_used)
end

-- The VP level rises for the Axis and falls for the Soviets (5.1.1a).
score = procedure("score", { rule = { "5.1.1a", "5.1.1b" } }, function(points)
  game.vp = game.vp + points
end)


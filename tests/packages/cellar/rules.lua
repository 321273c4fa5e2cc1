-- Each night a noise is drawn from the cup; then each side takes food from the shelf, prowls, and eats or hoards.

function hand(side) return space(side .. "-hand") end
units_of = query("units-of", { rule = "1.6" }, function(side) return pieces{ kind = "unit", side = side, on_map = true } end)

procedure("set-up", { rule = "1.1" }, function() shuffle "shelf" end)

-- Who has rested long enough lies in the box of this night.
procedure("waking", { rule = "1.7" }, function()
  for _, unit in ipairs(spaces{ kind = "box", number = game.turn }:pieces()) do
    for _, marker in ipairs(unit.cargo) do destroy(marker) end
    move(unit, "nook")
  end
end)

-- A chit is drawn from the cup at random and laid beside it; the bell brings everything back.
procedure("noise", { rule = "1.2" }, function()
  local chit = pick("noise", space "cup".pieces)
  move(chit, "scraps")
  if chit.type == "bell" then
    for _, card in ipairs(space "scraps".pieces) do move(card, card.kind == "chit" and "cup" or "shelf") end
    shuffle "shelf"
  end
end)

procedure("deal", { rule = "1.2" }, function()
  if space "shelf".count > 0 then menu(game.active, "deal") end
end)

offer("deal", "take", { rule = "1.2" })
procedure("take", { rule = "1.2" }, function(_, side) draw("shelf", hand(side), value "deal".cards) end)

-- The side looks at the top cards and keeps one; the others go below the rest, and only this side knows which they are.
offer("deal", "peek", { rule = "1.3" })
procedure("peek", { rule = "1.3" }, function(_, side)
  local top = space "shelf".pieces:take(value "peek".cards)
  for _, card in ipairs(top) do reveal(card, side) end
  local kept = ask(side, "deal.keep", { among = top, always = true })
  move(kept, hand(side))
  for _, card in ipairs(top:minus{ kept }) do move(card, "shelf", "bottom") end
end)

offer("deal", "search", { rule = "1.4" })
procedure("search", { rule = "1.4" }, function(_, side)
  local cheeses = space "shelf".pieces:filter{ sort = "cheese" }
  for _, card in ipairs(space "shelf".pieces) do reveal(card, side) end
  if #cheeses == 0 then return log("no-cheese") end
  local found = ask(side, "deal.search", { among = cheeses, always = true })
  move(found, hand(side))
  shuffle "shelf"
end)

procedure("prowl", { rule = "1.6" }, function()
  local side = game.active
  local unit = ask(side, "prowl.unit", { among = units_of(side), none = "stay", always = true })
  if not unit then return end
  local area = ask(side, "prowl", { among = neighbours(unit.space), unit = unit })
  unit.facing = area == space "nook" and 1 or 0
  move(unit, area)
  local prey = units_of(enemy(side)):filter{ at = area }:first()
  if side == "cats" and prey then call("bite", prey) end
end)

-- The hurt marker lies on the unit and goes where it goes.
procedure("bite", { rule = "1.7" }, function(rat)
  create("hurt", rat.side, rat)
  local wakes = spaces{ kind = "box", number = game.turn + value "rest".nights }:first()
  move(rat, wakes or "out")
end)

-- Eaten food is seen by all; what rats keep for later is seen by nobody else, not even how much it is.
procedure("feast", { rule = "1.5" }, function()
  local side = game.active
  local eaten = choose(side, "feast", { among = hand(side).pieces, always = true })
  for _, card in ipairs(eaten) do
    sides[side].score = sides[side].score + card.worth
    move(card, "scraps")
  end
  if side == "rats" then
    for _, card in ipairs(hand(side).pieces) do
      move(card, card.sort == "ham" and "rats-nest" or "rats-hoard")
      game.hoarded = game.hoarded + card.worth
    end
  end
end)

procedure("verdict", { rule = "1.1" }, function()
  local rats, cats = sides.rats.score + game.hoarded, sides.cats.score
  if rats == cats then end_game{ reason = "even", rule = "1.1" } end
  end_game{ winner = rats > cats and "rats" or "cats", reason = "fat", rule = "1.1" }
end)

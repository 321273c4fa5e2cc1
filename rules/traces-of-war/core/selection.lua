-- 4.2 Command Chit Selection: both sides at once, in secret.

function chits_of(side) return inactive_box(side).pieces end

stavka_available = query("stavka-available", { rule = { "2.6g", "4.2.1g", "4.2.1h", "4.2.1i" } }, function()
  return crossings_held() <= lookup("turns", game.turn, "stavka-cp")
end)

forbid("selection.soviet", "stavka-appearance", { rule = { "4.2.1g", "4.2.1h", "4.2.1i" } }, function(chit)
  if chit.effect == "stavka" and not stavka_available() then return no("stavka-absent", chit) end
end)

-- A chit of each Front; STAVKA may stand for one of them.
function commands_all_fronts(chits)
  local fronts = #chits:filter { effect = "hq" }:distinct("commands")
  if #chits:filter { effect = "stavka" } > 0 then fronts = fronts + 1 end
  return fronts >= value "soviet-chits".fronts, no("fronts-missing")
end

local function soviet_selection()
  local number = value "soviet-chits".chits
  return choose("soviet", "selection.soviet", {
    among = chits_of "soviet", min = number, max = number, test = commands_all_fronts, always = true,
  })
end

-- How many of the selected chits must go into the cup at once.
number("least-into-cup", { rule = "4.2b", stages = { "rule", "variant" } }, function(n, selected) end)

local function axis_selection()
  local number = math.min(lookup("turns", game.turn, "axis-chits"), #chits_of "axis")
  local chosen = choose("axis", "selection.axis", { among = chits_of "axis", min = number, max = number, always = true })
  local cup = choose("axis", "selection.cup", { among = chosen, min = evaluate("least-into-cup", #chosen), always = true })
  return { cup = cup, hand = chosen:minus(cup) }
end

local function lay(chits, pile)
  for _, chit in ipairs(chits) do move(chit, pile) end
end

procedure("chit-selection", {
  rule = { "4.2a", "12.1c", "2.1c", "4.2b", "4.2e", "4.2g", "4.2h", "4.2i", "4.2.1b", "4.2.1c", "4.2.1d", "4.2.1e", "4.2.2b", "4.2.1j" },
}, function()
  local chosen = together { axis = axis_selection, soviet = soviet_selection }
  lay(chosen.soviet, space "cup")
  lay(chosen.axis.cup, space "cup")
  lay(chosen.axis.hand, space "axis-hand")
  lay(pieces { effect = "supply" }, space "cup")
  shuffle(space "cup")
end)

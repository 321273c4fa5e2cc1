-- What a hex offers to those in it, and who controls it.

-- Cover of the ground (5.0 table).
function ground_cover(hex) return value "cover"[hex.terrain] end

-- Smoke: +2 counters (thick) and +1 counters (thin) add up (13.0f).
function set_haze(hex)
  hex.haze = hex.thick * value "thick-smoke" + hex.thin * value "thin-smoke"
end

procedure("lay-smoke", { rule = { "13.0a", "13.1d", "13.1f", "13.0f", "13.0h", "13.1a" } }, function(hex)
  hex.thick = hex.thick + 1
  set_haze(hex)
end)

-- Hexes where a hidden unit is in cover (10.0i to 10.0m). The small gully case depends on the line.
hides = query("hides", { rule = { "10.0j", "10.0l", "10.0m" } }, function(hex)
  if ground_cover(hex) >= 1 or forts_in(hex):any() then return true end
  if not value "crops-hide" then return false end
  return hex.terrain == "corn" or hex.terrain == "wheat"
end)

-- Control (2.4f to 2.4h): the last to have been alone in the hex with a ground unit. Only hexes that count are tracked.
procedure("claim", { rule = { "2.4f", "2.4g", "2.4h", "21.0g" } }, function(hex)
  if hex.objective == 0 then return end
  local there = units_in(hex)
  if option "trucks-free" then there = there:filter { not_class = "truck" } end
  if not there:any() then return end
  local owner = there[1].side
  for _, unit in ipairs(there) do
    if hostile(unit.side, owner) then return end
  end
  if not hex.control or hostile(hex.control, owner) then hex.control = owner end
end)

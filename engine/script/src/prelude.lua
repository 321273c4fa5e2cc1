-- The part of the API that must be Lua, because it runs procedures that may ask, and Lua cannot yield through Rust.
-- `K` holds the kernel's halves; everything defined here without `local` is part of the API.

local _, K, coroutine, raise = ...
local yield, create, resume, status = coroutine.yield, coroutine.create, coroutine.resume, coroutine.status
local enter, leave, active, due = K.enter, K.leave, K.active, K.due

local events, procedures = {}, {}

local function run_all(list, ...)
  for i = 1, #list do
    local handler = list[i]
    if not handler.conditional or active(handler.number) then
      enter(handler.number)
      handler.run(...)
      leave()
    end
  end
end

-- What an author wrote wrongly is told at the place where he wrote it.
local function expect(kind, value, what, level)
  if type(value) ~= kind then raise(what .. ", found " .. K.words(value), level or 3) end
end

-- What is over a limit at one of its moments is mended by its procedure, space by space, as long as that changes anything.
local function hold(limits, moment)
  for i = 1, #limits do
    local limit = limits[i]
    enter(limit.number)
    local space, side, mark = K.excess(limit.limit, moment, limit.over)
    while space do
      call(limit.over, space, side)
      space, side, mark = K.excess(limit.limit, moment, limit.over, mark)
    end
    leave()
  end
end

local function find(name)
  expect("string", name, "call: expected the name of a procedure", 4)
  local p = K.procedure(name)
  p.before, p.after, p.instead = K.handlers("before", name), K.handlers("after", name), K.handlers("instead", name)
  p.limits = K.limits(name, false)
  procedures[name] = p
  return p
end

function call(name, ...)
  local p = procedures[name] or find(name)
  local result
  enter(p.number)
  if #p.before > 0 then run_all(p.before, ...) end
  local replaced
  for i = 1, #p.instead do
    local handler = p.instead[i]
    if not replaced and (not handler.conditional or active(handler.number)) then
      enter(handler.number)
      result, replaced = handler.run(...), true
      leave()
    end
  end
  if not replaced then
    if p.run then result = p.run(...) end
    for i = 1, #p.stages do
      if result == "stop" then break end
      result = call(p.stages[i], ...)
    end
  end
  if #p.after > 0 then run_all(p.after, ...) end
  if p.limits then hold(p.limits, name) end
  leave()
  return result
end

function is_procedure(name)
  expect("string", name, "is_procedure: expected a name")
  return K.is_procedure(name)
end

function emit(event, ...)
  local list = events[event]
  if not list then
    expect("string", event, "emit: expected the name of an event")
    list = K.handlers("on", event)
    list.limits = K.limits(event, true)
    events[event] = list
  end
  local newest
  if #list > 0 then
    newest = K.serial()
    run_all(list, ...)
  end
  local effects = due(event, newest)
  if effects then
    for _, effect in ipairs(effects) do
      local name = effect.name -- nothing, if one that ran before has ended it
      if name then
        call(name, effect)
        K.spent(effect)
      end
    end
  end
  if list.limits then hold(list.limits, event) end
end

function ask(side, prompt, spec)
  local known, value = K.ask(side, prompt, spec or {})
  if known then return value end
  return yield()
end

local function without(list, one)
  local left = {}
  for _, other in ipairs(list) do
    if other ~= one then left[#left + 1] = other end
  end
  return left
end

-- A list loses what was chosen from it; a function says itself what is left.
function ask_each(side, prompt, spec, take)
  expect("table", spec, "ask_each: expected a table for what is asked")
  expect("function", take, "ask_each: expected a function that takes each answer")
  local none, least, taken = spec.none, spec.least or 0, 0
  while true do
    spec.none = taken >= least and none or nil
    local one = ask(side, prompt, spec)
    if one == nil then return end
    taken = taken + 1
    take(one)
    if type(spec.among) ~= "function" then spec.among = without(spec.among, one) end
  end
end

function choose(side, prompt, spec)
  local known, value = K.choose(side, prompt, spec or {})
  if known then return value end
  return yield()
end

function menu(side, name, spec)
  if spec == nil then
    spec = {}
  elseif type(spec) ~= "table" then
    expect("table", spec, "menu: expected a table for what the menu is about")
  end
  spec.offer = false -- rules of the menu find here which offer they are asked about
  local known, offer, value = K.menu(side, name, spec)
  if not known then offer, value = yield() end
  if offer == nil then return "done" end
  local number, run = K.run_of(name, offer)
  enter(number)
  local result = call(run, value, side, spec)
  leave()
  return result
end

-- Asks several sides at once. A branch may only ask; what it returns is known to the others when all have answered.
function together(branches)
  expect("table", branches, "together: expected a table of sides and functions")
  if K.in_branch() then raise("together: a side's part of `together` asks that side alone; ask all of them in one `together`", 2) end
  for side, branch in pairs(branches) do
    if not K.is_side(side) then raise("together: " .. K.words(side) .. " is not a side; the sides are " .. table.concat(sides, ", "), 2) end
    expect("function", branch, "together: expected a function for " .. side)
  end
  local results, open, count = {}, {}, 0
  local function advance(seat, ...)
    K.branch(seat, open[seat])
    local fine, result = resume(open[seat], ...)
    K.branch(0)
    if not fine then
      K.died(open[seat])
      raise(result, 0)
    end
    if status(open[seat]) == "dead" then
      results[sides[seat]] = result
      open[seat] = nil
      count = count - 1
    end
  end
  for seat = 1, #sides do
    if branches[sides[seat]] then
      open[seat] = create(branches[sides[seat]])
      count = count + 1
    end
  end
  for seat = 1, #sides do
    if open[seat] then advance(seat) end
  end
  while count > 0 do advance(yield()) end
  return results
end

local finish = end_game
function end_game(how)
  finish(how)
  yield()
end

function pairs(t)
  local keys, i = K.sorted_keys(t), 0
  return function()
    i = i + 1
    local key = keys[i]
    if key ~= nil then return key, t[key] end
  end
end

-- An error of a script is a text that begins with its own place, so that it cannot pass for another.
function error(message) raise(K.message(message), 2) end

function assert(value, ...)
  if not value then
    local message = ...
    raise(K.message(message == nil and "assertion failed" or message), 2)
  end
  return value, ...
end

-- A stable merge sort: equal elements keep their order.
function table.sort(list, before)
  expect("table", list, "table.sort: expected a table")
  if before ~= nil then expect("function", before, "table.sort: expected a function that compares") end
  before = before or function(a, b) return a < b end
  local n, width, from = #list, 1, list
  local to = {}
  while width < n do
    for low = 1, n, 2 * width do
      local mid, high = math.min(low + width, n + 1), math.min(low + 2 * width, n + 1)
      local a, b = low, mid
      for i = low, high - 1 do
        if a < mid and (b >= high or not before(from[b], from[a])) then
          to[i], a = from[a], a + 1
        else
          to[i], b = from[b], b + 1
        end
      end
    end
    from, to, width = to, from, 2 * width
  end
  if from ~= list then
    for i = 1, n do list[i] = from[i] end
  end
  return list
end

local function bind(f, name) return function(...) return f(name, ...) end end
local function wrapping(inner, f) return function(...) return f(inner, ...) end end

-- Steps run one after the other in the same coroutine; at the end of each it waits for the next.
local function work(is_event, ...)
  if is_event then return work(yield(true, emit(...))) end
  return work(yield(true, call(...)))
end

return call, bind, wrapping, work

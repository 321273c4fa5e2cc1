//! Lua's stack and Rust's: many arguments, deep recursion, and both at once.

use super::Outcome::{Contained, Harmless, Stopped};
use super::{Attack, attack};

/// Functions that call deeply, and give many values.
const DEEP: &str = "
local function down(k, f, ...) if k > 0 then local a = down(k - 1, f, ...) return a end return f(...) end
local function many(k, ...) if k < 10 then return ... end return many(k - 10, «10:9, »...) end
";

pub const ATTACKS: &[Attack] = &[
    attack(
        "many-arguments-to-a-query",
        "a query that copies its arguments without asking for room writes past the end of Lua's stack",
        "local function many(k, ...) if k < 10 then return ... end return many(k - 10, «10:9, »...) end
        local function down(k, f, ...) if k > 0 then local a = down(k - 1, f, ...) return a end return f(...) end
        local q = query('q', {}, function(...) return select('#', ...) end)
        function attack(k) print(down(150, q, many(k))) end",
        "attack(240)",
        Harmless("240"),
    ),
    attack(
        "very-many-arguments-to-a-query",
        "more values than any stack that was made for a call",
        "local function many(k, ...) if k < 10 then return ... end return many(k - 10, «10:9, »...) end
        local q = query('q', {}, function(...) return select('#', ...) end)",
        "print(q(many(30000)))",
        Contained,
    ),
    attack(
        "many-arguments-to-a-number",
        "a number copies its arguments for each contribution",
        "local function down(k, f, ...) if k > 0 then local a = down(k - 1, f, ...) return a end return f(...) end
        local odds = number('n', { stages = { 's' } }, function(n, ...) n:add(select('#', ...)) end)
        modify('n', 'm', { stage = 's' }, function(n, ...) n:add(select('#', ...)) end)
        function attack() print(down(150, odds, (('y'):rep(230)):byte(1, -1))) end",
        "attack()",
        Harmless("460"),
    ),
    attack(
        "very-many-arguments-to-a-number",
        "the same with more values than a stack has places",
        "local function many(k, ...) if k < 100 then return ... end return many(k - 100, «100:9, »...) end
        local odds = number('n', {}, function(n, ...) n:add(1) end)",
        "odds(many(100000))",
        Contained,
    ),
    attack(
        "many-arguments-to-a-procedure",
        "what is given to a procedure is given to everything attached to it",
        "local function many(k, ...) if k < 10 then return ... end return many(k - 10, «10:9, »...) end
        procedure('p', {}, function(...) return select('#', ...) end)
        before('p', 'b', {}, function(...) print(select('#', ...)) end)",
        "call('p', many(5000))",
        Contained,
    ),
    attack(
        "many-arguments-to-an-event",
        "handlers of an event get all that was given to it",
        "local function many(k, ...) if k < 10 then return ... end return many(k - 10, «10:9, »...) end
        on('boom', 'e', {}, function(...) print(select('#', ...)) end)",
        "emit('boom', many(5000))",
        Contained,
    ),
    attack(
        "many-arguments-to-methods",
        "methods of lists read their arguments from the stack and may not trust that there are few",
        "",
        "local l = pieces {} print(#l:distinct((('y'):rep(250)):byte(1, -1)))",
        Contained,
    ),
    attack(
        "deep-recursion",
        "recursion without end must not end the process",
        "",
        "local function deep(n) return 1 + deep(n + 1) end deep(1)",
        Stopped("stack overflow"),
    ),
    attack(
        "deep-recursion-through-queries",
        "each query is a call from Lua to Rust to Lua, which uses Rust's stack as well",
        "local q q = query('q', {}, function(n) return q(n + 1) end)",
        "q(1)",
        Stopped("overflow"),
    ),
    attack(
        "deep-recursion-through-numbers",
        "the same through numbers",
        "local e e = number('n', {}, function(n, k) n:add(e(k + 1)) end)",
        "e(1)",
        Stopped("worked out within each other"),
    ),
    attack(
        "deep-recursion-through-filters",
        "the same through the functions of lists",
        "",
        "local function f() return pieces {}:filter(f) end f()",
        Stopped("overflow"),
    ),
    attack(
        "deep-recursion-through-map-and-sum",
        "the same through other functions of lists",
        "",
        "local f function f() return pieces {}:map(function() return pieces {}:sum(f) end) end f()",
        Stopped("overflow"),
    ),
    attack(
        "deep-recursion-through-among",
        "the same through the functions that give options",
        "",
        "local function f() return narrow('red', 'ask', { among = f }) end f()",
        Stopped("overflow"),
    ),
    attack(
        "deep-recursion-through-refusals",
        "a refusal that narrows its own question",
        "forbid('ask', 'f', {}, function(x) return #narrow('red', 'ask', { among = { x } }) > 0 end)",
        "narrow('red', 'ask', { among = { 1, 2 } })",
        Stopped("overflow"),
    ),
    attack(
        "deep-recursion-through-a-limit",
        "the query of a limit asks for the limit",
        "",
        "print(#full('stack', 'red'))",
        Contained,
    ),
    attack(
        "deep-recursion-through-match",
        "choices of a matching that match again",
        "",
        "local f function f() return match({ 1, 2 }, f) end f()",
        Stopped("overflow"),
    ),
    attack(
        "deep-recursion-through-paths",
        "a rank of paths that looks for paths",
        "",
        "local f function f() paths { from = space '0505', length = 1, rank = f } return { 1 } end f()",
        Stopped(""),
    ),
    attack(
        "deep-recursion-through-procedures",
        "procedures that call each other without end",
        "",
        "call('attack')",
        Stopped("handlers deep"),
    ),
    attack(
        "deep-recursion-through-events",
        "an event that raises itself",
        "on('boom', 'e', {}, function() emit('boom') end)",
        "emit('boom')",
        Stopped("handlers deep"),
    ),
    attack(
        "deep-recursion-through-a-sort",
        "a comparison that sorts",
        "",
        "local f function f() table.sort({ 1, 2 }, f) end f()",
        Stopped("overflow"),
    ),
    attack(
        "deep-recursion-through-pairs",
        "walking a table within walking a table",
        "",
        "local f function f() for k in pairs { 1 } do f() end end f()",
        Stopped("overflow"),
    ),
    attack(
        "deep-recursion-with-many-values",
        "little room is left where a stack is almost full",
        DEEP,
        "down(4000, log, 'said', many(200))",
        Contained,
    ),
    attack(
        "errors-at-the-edge-of-the-stack",
        "a message has to be made where there is no room for it",
        DEEP,
        "for k = 180, 200 do down(k, function() end) end local f function f(n) if n > 0 then f(n - 1) end piece('nobody') end f(150000)",
        Contained,
    ),
    attack(
        "a-chain-of-queries",
        "answers that were made from answers are looked at one below the other, on Rust's stack",
        "local q q = query('q', {}, function(n) if n == 0 then return game.vp end return q(n - 1) end)
        local all = query('all', {}, function() for i = 0, 30000 do q(i) end return 1 end)
        function attack() game.vp = 1 all() game.vp = 2 print(q(30000)) end",
        "attack()",
        Contained,
    ),
    attack(
        "a-chain-of-queries-step-by-step",
        "the same, built from below so that no call is deep",
        "local q q = query('q', {}, function(n) if n == 0 then return game.vp end return q(n - 1) end)
        function attack() game.vp = 1 for i = 0, 8000 do q(i) end game.vp = 2 print(q(8000)) end",
        "attack()",
        Contained,
    ),
    attack(
        "growing-arguments",
        "each call has one argument more, and copies all of them",
        "",
        "local function g(...) return g(1, ...) end g()",
        Stopped(""),
    ),
    attack(
        "wraps-without-number",
        "a handler that is wrapped thousands of times is a deep call",
        "procedure('p', {}, function() return 1 end)
        for i = 1, 1000 do wrap('p', function(inner, ...) return (inner(...)) end) end",
        "call('p')",
        Contained,
    ),
    attack(
        "queries-with-all-arguments-nil",
        "a key of three places, and more of them",
        "local q = query('q', {}, function(...) return select('#', ...) end)",
        "print(q(nil, nil, nil), q(nil, nil, nil, nil))",
        Contained,
    ),
    attack(
        "together-in-together",
        "coroutines in coroutines",
        "",
        "together { red = function() together { red = function() end } end }",
        Stopped("together"),
    ),
];

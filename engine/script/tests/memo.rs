//! Queries give the same, however many of them are asked.

mod support;

use support::{call, game, printed};

#[test]
fn what_a_query_gives_cannot_be_changed() {
    for change in ["plan('red').cost = 2", "plan('red').steps[1] = 2", "table.insert(plan('red').steps, 5)"] {
        let script = format!(
            "plan = query('plan', {{}}, function(side) return {{ cost = 1, steps = {{ 3, 4 }} }} end)
            procedure('main', {{}}, function() {change} end)"
        );
        let game = game(&script).unwrap_or_else(|errors| panic!("{errors:?}"));
        let error =
            call(&game, "main", Vec::new()).1.map_or_else(|error| error.to_string(), |()| String::new());
        assert!(error.contains("this table is read-only"), "{change}: {error}");
    }
    let script = "
        plan = query('plan', {}, function() return { cost = 1, steps = { 3, 4 }, to = '0503' } end)
        procedure('main', {}, function()
          local p = plan()
          print(p.cost, #p.steps, p.steps[2], table.unpack(p.steps))
          for i, n in ipairs(p.steps) do print(i, n) end
          for k in pairs(p) do print(k) end
          print(#spaces{ kind = 'hex' }:filter(function(s) return s.id == p.to end))
          start_record('fight', query_fields())
        end)
        query_fields = query('query-fields', {}, function() return { odds = 3 } end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(printed(&game), ["1\t2\t4\t3\t4", "1\t3", "2\t4", "cost", "steps", "to", "1"]);
}

#[test]
fn answers_survive_that_there_are_too_many_of_them() {
    let script = "
        local inner = query('inner', {}, function(n) return n + game.vp end)
        local outer = query('outer', {}, function(n) return inner(n) * 2 end)
        procedure('main', {}, function()
          for n = 1, 20000 do
            if outer(n) ~= 2 * n then print(n) end
          end
          game.vp = 1
          for n = 20000, 1, -1 do
            if outer(n) ~= 2 * n + 2 then print(-n) end
          end
          print('done')
        end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(printed(&game), ["done"]);
}

#[test]
fn a_query_with_more_arguments_than_a_key_holds_gets_them_all() {
    let script = "
        sum = query('sum', {}, function(a, b, c, d) return a + b + c + d end)
        procedure('main', {}, function() print(sum(1, 2, 3, 4), sum(1, 2, 3, 5)) end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(printed(&game), ["10\t11"]);
}

#[test]
fn answers_that_were_made_from_each_other_do_not_take_the_machines_stack() {
    let script = "
        q = query('q', {}, function(n) if n == 0 then return game.vp end return q(n - 1) end)
        outer = query('outer', {}, function() for i = 0, 30000 do q(i) end return 1 end)
        procedure('build', {}, function()
          game.vp = 1
          outer()
          game.vp = 2
          print(q(500))
          print(q(30000))
        end)
        procedure('main', {}, function() end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (_, result) = call(&game, "build", Vec::new());
    // Lua bounds how deeply functions of C call each other; that is an error of the script, and only that.
    let error = result.map_or_else(|error| error.to_string(), |()| String::new());
    assert_eq!(game.host.printed(), ["2"], "{error}");
    assert!(error.contains("stack overflow"), "{error}");
}

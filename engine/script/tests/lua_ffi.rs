//! The border between Lua and Rust: what a script puts on Lua's stack, however much, stays within the places that were reserved.
//!
//! A debug build checks every use of Lua's interface (`LUA_USE_APICHECK`), so that one place too many ends this program here
//! before it spoils memory elsewhere.

mod support;

use support::{call, game};

/// What a script prints when `main` runs, or how it fails.
fn run(script: &str) -> Result<Vec<String>, String> {
    let game = game(script).map_err(|errors| format!("{errors:?}"))?;
    let (_, result) = call(&game, "main", Vec::new());
    result.map_err(|error| error.to_string())?;
    Ok(game.host.printed())
}

/// So many arguments, as a script writes them.
fn arguments(n: usize) -> String {
    vec!["1"; n].join(", ")
}

/// What a script finds when it makes a call below 0 to 40, and below 100 and 150 calls of a function: at every depth the same.
fn at_every_depth(rules: &str, call: &str) -> Result<String, String> {
    let printed = run(&format!(
        "{rules}
        local function down(n)
          if n == 0 then return ({call}) end
          local found = down(n - 1)
          return found
        end
        procedure('main', {{}}, function()
          for n = 0, 40 do print(down(n)) end
          print(down(100))
          print(down(150))
        end)"
    ))?;
    assert_eq!(printed.len(), 43, "{printed:?}");
    assert!(printed.iter().all(|found| *found == printed[0]), "{call}: {printed:?}");
    Ok(printed[0].clone())
}

const COUNTS: [usize; 9] = [4, 16, 17, 18, 19, 20, 21, 40, 240];

#[test]
fn a_query_takes_many_arguments() {
    for n in COUNTS {
        let query = "many = query('many', {}, function(...) return select('#', ...) end)";
        let found = at_every_depth(query, &format!("many({})", arguments(n)));
        assert_eq!(found, Ok(n.to_string()));
    }
}

#[test]
fn a_number_takes_many_arguments() {
    for n in COUNTS {
        let number = "number('many', { stages = { 'more' } }, function(n, ...) n:set(select('#', ...)) end)
            modify('many', 'extra', { stage = 'more' }, function(n, ...) n:add(select('#', ...)) end)";
        let found = at_every_depth(number, &format!("evaluate('many', {})", arguments(n)));
        assert_eq!(found, Ok((2 * n).to_string()));
    }
}

#[test]
fn methods_of_lists_take_many_arguments() {
    for n in COUNTS {
        let fields = vec!["'level'"; n].join(", ");
        let found = at_every_depth("", &format!("#pieces{{}}:distinct({fields})"));
        assert_eq!(found, Ok("1".to_string()));
        let by = vec!["function(p) return p.level end"; n].join(", ");
        assert_eq!(at_every_depth("", &format!("#pieces{{}}:distinct({by})")), Ok("1".to_string()));
    }
}

#[test]
fn words_of_the_border_take_many_arguments() {
    for n in COUNTS {
        let many = arguments(n);
        // A line of the log names 64 things at most.
        let few = arguments(n.min(64));
        assert_eq!(at_every_depth("", &format!("log('x', {few})")), Ok("nil".to_string()));
        assert_eq!(at_every_depth("", &format!("#spaces{{ level = {{ {many} }} }}")), Ok("0".to_string()));
        assert_eq!(at_every_depth("", &format!("#pieces({{}}, {many})")), Ok("2".to_string()));
        assert_eq!(at_every_depth("", &format!("roll('x', 1, {many})")), Ok("1".to_string()));
    }
}

/// Tables behind tables, which take a place each to be looked through.
#[test]
fn a_decision_is_made_at_every_depth() {
    let rules = "
        forbid('pick', 'no-a', {}, function(p) return p.id == 'a' end)
        prefer('pick', 'red-first', {}, function(p, spec) return spec.dear == 3 end)
        frozen = query('frozen', {}, function() return { dear = 3, among = pieces{} } end)";
    assert_eq!(at_every_depth(rules, "ask('red', 'pick', frozen()).id"), Ok("b".to_string()));
}

#[test]
fn more_values_than_lua_has_places_for_are_an_error_of_the_script() {
    for call in ["many(text:byte(1, -1))", "evaluate('sum', text:byte(1, -1))"] {
        let script = format!(
            "many = query('many', {{}}, function(...) return select('#', ...) end)
            number('sum', {{}}, function(n, ...) n:set(select('#', ...)) end)
            procedure('main', {{}}, function()
              local text = ('x'):rep(600000)
              print({call})
            end)"
        );
        let error = run(&script).expect_err("so many values cannot be given");
        assert!(error.contains("stack overflow: too many calls or values at once"), "{call}: {error}");
        assert!(!error.contains("engine"), "{call}: {error}");
    }
}

#[test]
fn queries_that_ask_each_other_without_end_are_an_error_of_the_script() {
    for (rules, call) in [
        ("deep = query('deep', {}, function(n) return deep(n + 1) end)", "deep(1)"),
        ("deep = query('deep', {}, function(a, b, c, d) return deep(a, b, c, d) end)", "deep(1, 2, 3, 4)"),
        (
            "number('deep', {}, function(n, ...) n:set(evaluate('deep', ...)) end)",
            "evaluate('deep', 1, 2, 3)",
        ),
        ("function deep(list) return list:map(function() return #deep(list) end) end", "deep(pieces{})"),
    ] {
        let error = run(&format!("{rules}\nprocedure('main', {{}}, function() print({call}) end)"))
            .expect_err("there is no end");
        assert!(!error.contains("engine"), "{call}: {error}");
        assert!(error.contains("overflow") || error.contains("within each other"), "{call}: {error}");
    }
}

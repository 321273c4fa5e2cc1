//! Limits on what may stand together: where they are reached, and what happens at their moments.

mod support;

use sandtable_session::{Game, Session, SessionError};
use std::rc::Rc;
use support::{call, hexes, load, printed};

/// Foot of strength 2, guns of strength 5 and foes of strength 1 for limits to count; the sequence runs `main` once.
const UNITS: &str = r#"
[unit.foot]
side = "red"
count = 6
strength = 2
[unit.guns]
side = "red"
count = 2
strength = 5
[unit.foe]
side = "blue"
count = 4
strength = 1
[box.camp]
name = "Camp"
[attribute.space.room]
type = "int"
default = 2
[prompt]
who = "Who?"
"#;

fn probe(limits: &str, script: &str) -> Rc<Game> {
    let tables = format!("{UNITS}\n{limits}");
    let script = format!(
        "function put(type, first, last, hex)
          for n = first, last do move(piece(type .. '.' .. n), space(hex)) end
        end
        function show(list) print(table.concat(ids(list), ' ')) end
        function ids(list)
          local found = {{}}
          for i, one in ipairs(list) do found[i] = one.id end
          return found
        end
        {script}"
    );
    load(&tables, &hexes(&[]), &[("main.lua", &script)]).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn error(result: Result<(), SessionError>) -> String {
    result.map_or_else(|error| error.to_string(), |()| "no error".into())
}

#[test]
fn what_counts_is_counted_for_each_side_and_on_the_map_only() {
    let limit = "[limit.stack]\nof = { kind = 'unit', max_strength = 4 }\nmost = 2\nat = ['main']";
    let script = "
        local packed = query('packed', {}, function(side) return full('stack', side) end)
        procedure('main', {}, function()
          put('foot', 1, 2, '0101'); put('foot', 3, 3, '0102'); put('guns', 1, 2, '0102'); put('foe', 1, 2, '0102')
          put('foe', 3, 4, 'camp')
          show(packed 'red'); show(packed 'blue'); show(overfull('stack', 'red'))
          move(piece 'foot.4', space '0102')
          show(packed 'red'); show(full('stack', 'red', 2))
          put('foot', 5, 5, '0101')
          show(packed 'red'); show(overfull('stack', 'red'))
          -- A piece takes no room from itself, and one that does not count finds room anywhere.
          show(full('stack', 'red', piece 'foot.3')); show(full('stack', 'red', piece 'guns.1'))
          move(piece 'foot.5', space 'camp')
        end)";
    let game = probe(limit, script);
    let lists = ["0101", "0102", "", "0101 0102", "0101 0102 0501", "0101 0102", "0101", "0101", ""];
    assert_eq!(printed(&game), lists);
}

#[test]
fn strengths_add_up_over_all_sides_under_what_a_space_says() {
    let limit = "[limit.stack]\nof = { on_map = true }\nmost = { field = 'room' }\ncount = 'strength'\nper = 'all'\nat = ['main']";
    let script = "
        procedure('main', {}, function()
          for _, hex in ipairs(spaces{ kind = 'hex' }) do hex.room = 9 end
          put('foot', 1, 2, '0101'); put('guns', 1, 1, '0101'); put('foe', 1, 1, '0102'); put('guns', 2, 2, '0102')
          show(full('stack')); show(full('stack', nil, 3)); show(full('stack', nil, 4)); show(overfull 'stack')
          space '0102'.room = 5
          show(overfull 'stack')
          space '0102'.room = 6
        end)";
    let game = probe(limit, script);
    assert_eq!(printed(&game), ["0101", "0101", "0101 0102", "", "0102"]);
}

#[test]
fn a_broken_limit_without_remedy_is_an_error_that_names_all() {
    let limit =
        "[limit.stack]\nof = { kind = 'unit' }\nmost = 2\nat = ['pile-up', 'main']\nrule = ['9.1', '9.2']";
    let script = "
        procedure('pile-up', {}, function(hex) put('foot', 1, 3, hex) end)
        procedure('main', {}, function() put('foot', 1, 3, '0101'); return 'done' end)
        procedure('under-way', {}, function() put('foot', 1, 3, '0101'); move(piece 'foot.1', space '0102') end)";
    let game = probe(limit, script);
    let mut session = Session::bare(&game, 1).unwrap_or_else(|error| panic!("{error}"));
    let said = error(session.begin());
    assert!(
        said.contains("limit stack [9.1, 9.2]: after main 0101 holds 3, at most 2: foot.1, foot.2, foot.3"),
        "{said}"
    );
    let (_, result) = call(&game, "under-way", Vec::new());
    assert!(result.is_ok(), "between its moments a limit may be exceeded");
    let game =
        probe(limit, &format!("{script}\nprocedure('go', {{}}, function() call('pile-up', '0103') end)"));
    let said = error(call(&game, "go", Vec::new()).1);
    assert!(said.contains("after pile-up 0103 holds 3, at most 2"), "{said}");
    assert!(said.contains("procedure go") && said.contains("limit stack [9.1, 9.2]"), "{said}");
}

#[test]
fn what_is_over_is_mended_in_the_order_of_the_board() {
    let limit = "[limit.stack]\nof = { kind = 'unit' }\nmost = 1\nat = ['main']\nover = 'send-home'";
    let script = "
        procedure('send-home', {}, function(hex, side)
          local unit = pieces{ at = hex, side = side }:first()
          print(hex.id, side, unit.id)
          move(unit, space 'camp')
        end)
        procedure('main', {}, function()
          put('foot', 1, 2, '0202'); put('foot', 3, 5, '0101'); put('foe', 1, 2, '0101')
          return 'done'
        end)";
    let game = probe(limit, script);
    let mut session = Session::bare(&game, 1).unwrap_or_else(|error| panic!("{error}"));
    session.begin().unwrap_or_else(|error| panic!("{error}"));
    let lines = ["0101\tred\tfoot.5", "0101\tred\tfoot.4", "0101\tblue\tfoe.2", "0202\tred\tfoot.2"];
    assert_eq!(game.host.printed(), lines);
}

#[test]
fn a_remedy_that_changes_nothing_is_an_error_and_holds_only_where_it_is_declared() {
    let limit = "[limit.stack]\nof = { kind = 'unit' }\nmost = 1\nat = ['main', 'march']\nover = { march = 'idle' }\nrule = '9.1'";
    let script = "
        procedure('idle', {}, function() print('idle') end)
        procedure('march', {}, function() put('foot', 1, 2, '0101') end)
        procedure('go', {}, function() call 'march' end)
        procedure('main', {}, function() put('foot', 1, 2, '0101'); return 'done' end)";
    let game = probe(limit, script);
    let said = error(call(&game, "go", Vec::new()).1);
    assert!(
        said.contains("limit stack [9.1]: `idle` changes nothing, and 0101 holds 2, at most 1"),
        "{said}"
    );
    assert_eq!(game.host.printed(), ["idle"]);
    let mut session = Session::bare(&game, 1).unwrap_or_else(|error| panic!("{error}"));
    let said = error(session.begin());
    assert!(said.contains("after main 0101 holds 2"), "{said}");
}

#[test]
fn a_query_may_allow_more_and_is_asked_only_beyond_the_least() {
    let limit = "[limit.stack]\nof = { kind = 'unit' }\nmost = { query = 'room', least = 'limits.low' }\nat = ['main']";
    let script = "
        query('room', {}, function(hex, side, coming)
          print('asked', hex.id, side, coming and coming.id or '-')
          if hex.id == '0101' then return value 'limits'.high end
        end)
        procedure('main', {}, function()
          put('foot', 1, 3, '0101'); put('foot', 4, 4, '0102')
          show(overfull('stack', 'red'))
          show(full('stack', 'red', piece 'foot.6'))
          put('foot', 5, 5, '0102')
          show(overfull('stack', 'red'))
          move(piece 'foot.5', space 'camp')
        end)";
    let game = probe(limit, script);
    let said = printed(&game);
    let lists: Vec<&str> =
        said.iter().map(String::as_str).filter(|line| !line.starts_with("asked")).collect();
    assert_eq!(lists, ["", "0101 0102 0501", "0102"]);
    assert!(said.contains(&"asked\t0101\tred\tfoot.6".to_string()), "{said:?}");
    assert!(
        !said.contains(&"asked\t0501\tred\t-".to_string()),
        "one unit is no more than the least: {said:?}"
    );
}

#[test]
fn wrong_arguments_are_named() {
    let limits = "[limit.stack]\nof = { kind = 'unit' }\nmost = 2\nat = ['main']\n[limit.all]\nof = { kind = 'unit' }\nmost = 9\nper = 'all'\nat = ['main']";
    for (wrong, why) in [
        ("full('stock', 'red')", "argument `limit` of `full`: no limit stock; nearest: stack"),
        ("full('stack')", "argument `side` of `full`: expected a side (red, blue)"),
        ("full('all', 'red')", "argument `side` of `full`: this limit counts all sides together"),
        ("full('stack', 'red', 0)", "argument `coming` of `full`: expected a number from 1 on, found 0"),
        ("full('stack', 'red', 'nobody')", "argument `coming` of `full`: no piece nobody"),
        ("overfull(7)", "argument `limit` of `overfull`: expected a text"),
    ] {
        let game = probe(limits, &format!("procedure('main', {{}}, function() {wrong} end)"));
        let said = error(call(&game, "main", Vec::new()).1);
        assert!(said.contains(why), "{wrong}: {said}");
    }
    let early = load(&format!("{UNITS}\n{limits}"), &hexes(&[]), &[("main.lua", "full('stack', 'red')")]);
    let said = early.map_or_else(|errors| errors[0].to_string(), |_| "no error".into());
    assert!(said.contains("there is no game yet while scripts load"), "{said}");
}

//! One test for each line of the table in [`crate::merge`].

use insta::assert_snapshot;

use crate::diagnostic_testing::Scene;

const GAME: &str = "
[card.x]
ops = 2
tags = ['a', 'b']
title = 'X'
[card.y]
ops = 4
[unit.titan]
plated = true
mp = 6
tags = ['heavy']
[unit.phantom]
like = 'titan'
mp = 7
[unit.inf]
plated = false
mp = 4
[sequence]
turn = { each = 'turns', steps = ['start', 'draw', 'end'] }
[table.crt]
columns = ['a', 'b']
rows = { '1-1' = [1, 2], '3-1' = [3, 'de'] }
";

fn with(patches: &str) -> Scene {
    Scene::game(GAME).layer("l", &[], patches)
}

#[test]
fn set_changes_a_field_and_leaves_the_rest_of_the_row() {
    assert_eq!(with("card.x.ops = 3").value("card.x"), r#"{ops = 3, tags = ["a", "b"], title = "X"}"#);
    assert_eq!(with("card.x.tags = ['c']").value("card.x.tags"), r#"["c"]"#);
}

#[test]
fn set_of_an_unknown_row_adds_it_after_the_others() {
    let catalog = with("[card.new]\nops = 1").clean();
    let ids: Vec<_> = catalog.rows("card").map(|(id, _)| id).collect();
    assert_eq!(ids, ["x", "y", "new"]);
}

#[test]
fn set_through_a_value_is_an_error() {
    assert_snapshot!(with("card.x.ops.base = 3").problems(), @r#"
    error[E0405]: card.x.ops is set to a table, but it is a whole number
     --> l.toml:1:8
      |
    1 | card.x.ops.base = 3
      |        ^^^
     ::: g/tables.toml:3:7
      |
    3 | ops = 2
      |       - given here
      = help: remove card.x.ops first if it is to become something else
    "#);
}

#[test]
fn add_and_scale_compute() {
    assert_eq!(with("add.card.x.ops = -1").value("card.x.ops"), "1");
    assert_eq!(with("scale.unit.phantom.mp = [1, 2]").value("unit.phantom.mp"), "3");
    assert_eq!(with("scale.unit.phantom.mp = [1, 2, 'up']").value("unit.phantom.mp"), "4");
    assert_eq!(with("scale.unit.phantom.mp = [1, 3, 'nearest']").value("unit.phantom.mp"), "2");
    assert_eq!(with("scale.unit.phantom.mp = [-1, 2]").value("unit.phantom.mp"), "-4");
    assert_eq!(with("scale.card.x.ops = 3\nadd.card.x.ops = 1").value("card.x.ops"), "7");
}

#[test]
fn arithmetic_on_what_is_no_number_or_too_large_is_an_error() {
    assert_snapshot!(with("add.card.x.title = 1\nscale.card.x.ops = [1, 0]").problems(), @r#"
    error[E0402]: `add` of card.x.title: a whole number cannot be added to a text; both must be whole numbers
     --> l.toml:1:20
      |
    1 | add.card.x.title = 1
      |                    ^
     ::: g/tables.toml:5:9
      |
    5 | title = 'X'
      |         --- the value is "X"
    error[E0402]: `scale` of card.x.ops: found [1, 0]; expected [TIMES, BY] or [TIMES, BY, "up"], with BY at least 1
     --> l.toml:2:20
      |
    2 | scale.card.x.ops = [1, 0]
      |                    ^^^^^^
     ::: g/tables.toml:3:7
      |
    3 | ops = 2
      |       - the value is 2
    "#);
    assert_snapshot!(with("add.card.x.ops = 9223372036854775807").problems(), @r#"
    error[E0108]: `add` leads card.x.ops out of the 64-bit range
     --> l.toml:1:18
      |
    1 | add.card.x.ops = 9223372036854775807
      |                  ^^^^^^^^^^^^^^^^^^^
     ::: g/tables.toml:3:7
      |
    3 | ops = 2
      |       - the value is 2
    "#);
}

#[test]
fn a_patch_on_what_is_not_there_names_the_nearest() {
    assert_snapshot!(with("add.card.z.ops = 1\nadd.crad.x.ops = 1\nextend.card.x.tag = ['c']").problems(), @r#"
    error[E0401]: `add` changes card.z.ops, but card has no `z`
     --> l.toml:1:10
      |
    1 | add.card.z.ops = 1
      |          ^
      = help: did you mean `x` or `y`?
    error[E0401]: `add` changes crad.x.ops, but there is no `crad`
     --> l.toml:2:5
      |
    2 | add.crad.x.ops = 1
      |     ^^^^
      = help: did you mean `card`?
    error[E0401]: `extend` changes card.x.tag, but card.x has no `tag`
     --> l.toml:3:15
      |
    3 | extend.card.x.tag = ['c']
      |               ^^^
      = help: did you mean `tags`?
    "#);
}

#[test]
fn extend_appends() {
    assert_eq!(with("extend.card.x.tags = ['c']").value("card.x.tags"), r#"["a", "b", "c"]"#);
    assert_snapshot!(with("extend.card.x.ops = ['c']").problems(), @r#"
    error[E0402]: `extend` of card.x.ops: a whole number cannot be extended by a list; both must be lists
     --> l.toml:1:21
      |
    1 | extend.card.x.ops = ['c']
      |                     ^^^^^
     ::: g/tables.toml:3:7
      |
    3 | ops = 2
      |       - the value is 2
    "#);
}

#[test]
fn remove_takes_rows_fields_and_items() {
    assert_eq!(with("remove.card = ['x']").value("card"), "{y = {ops = 4}}");
    assert_eq!(with("remove.card.x = ['tags', 'title']").value("card.x"), "{ops = 2}");
    assert_eq!(with("remove.card.x.tags = ['a']").value("card.x.tags"), r#"["b"]"#);
    assert_eq!(with("remove.card = ['x']\n[card.x]\nops = 9").value("card.x"), "{ops = 9}");
}

#[test]
fn removing_what_is_not_there_is_an_error() {
    assert_snapshot!(with("remove.card = ['xx']\nremove.unit.titan.tags = ['heavi']").problems(), @r#"
    error[E0401]: `remove` changes card.xx, but card has no `xx`
     --> l.toml:1:16
      |
    1 | remove.card = ['xx']
      |                ^^^^
      = help: did you mean `x`?
    error[E0401]: `remove` of unit.titan.tags: the list has no "heavi"
     --> l.toml:2:27
      |
    2 | remove.unit.titan.tags = ['heavi']
      |                           ^^^^^^^
      = help: did you mean `heavy`?
    "#);
    assert_snapshot!(with("remove.card.x.ops = ['a']\nremove.unit = [[1]]").problems(), @r#"
    error[E0402]: `remove` of card.x.ops: it is a whole number; expected a table or a list
     --> l.toml:1:15
      |
    1 | remove.card.x.ops = ['a']
      |               ^^^
    error[E0402]: `remove` of unit names a list; expected an id
     --> l.toml:2:16
      |
    2 | remove.unit = [[1]]
      |                ^^^
    "#);
}

#[test]
fn insert_puts_a_step_before_or_after_another() {
    let turn = |patch: &str| with(patch).value("sequence.turn.steps");
    assert_eq!(
        turn("insert.sequence.turn = { after = 'draw', step = 'weather' }"),
        r#"["start", "draw", "weather", "end"]"#
    );
    assert_eq!(
        turn("insert.sequence.turn.steps = { before = 'start', step = 'w' }"),
        r#"["w", "start", "draw", "end"]"#
    );
    assert_eq!(
        turn("insert.sequence.turn = [{ after = 'draw', step = ['a', 'b'] }, { before = 'b', step = 'c' }]"),
        r#"["start", "draw", "a", "c", "b", "end"]"#
    );
    assert_snapshot!(with("insert.sequence.turn = { after = 'drew', step = 'w' }").problems(), @r#"
    error[E0401]: `insert` of sequence.turn.steps: the list has no "drew"
      --> l.toml:1:34
       |
     1 | insert.sequence.turn = { after = 'drew', step = 'w' }
       |                                  ^^^^^^
      ::: g/tables.toml:19:34
       |
    19 | turn = { each = 'turns', steps = ['start', 'draw', 'end'] }
       |                                  ------------------------ the list is ["start", "draw", "end"]
       = help: did you mean `draw`?
    "#);
    assert_snapshot!(with("insert.sequence.turn = { step = 'w' }").problems(), @r#"
    error[E0402]: `insert` of sequence.turn.steps: expected { after = ITEM, step = NEW } or { before = ITEM, step = NEW }
      --> l.toml:1:24
       |
     1 | insert.sequence.turn = { step = 'w' }
       |                        ^^^^^^^^^^^^^^
      ::: g/tables.toml:19:34
       |
    19 | turn = { each = 'turns', steps = ['start', 'draw', 'end'] }
       |                                  ------------------------ the value is ["start", "draw", "end"]
    "#);
}

#[test]
fn each_changes_every_row_that_matches() {
    let scene = with("each.unit = [{ where = { plated = true }, add = { mp = 1 }, set = { fast = true } }]");
    assert_eq!(scene.value("unit.titan.mp"), "7");
    assert_eq!(scene.value("unit.phantom.mp"), "8");
    assert_eq!(scene.value("unit.inf"), "{mp = 4, plated = false}");
    assert_eq!(scene.value("unit.phantom.fast"), "true");
    let by_id = with("each.unit = { where = { id = ['inf', 'titan'] }, scale = { mp = [1, 2] } }");
    assert_eq!(
        (by_id.value("unit.inf.mp"), by_id.value("unit.phantom.mp")),
        ("2".to_owned(), "7".to_owned())
    );
    let lists =
        with("each.unit = [{ where = { tags = 'heavy' }, extend = { tags = ['slow'] }, remove = ['mp'] }]");
    assert_eq!(lists.value("unit.titan"), r#"{plated = true, tags = ["heavy", "slow"]}"#);
    assert_eq!(lists.value("unit.phantom.tags"), r#"["heavy", "slow"]"#);
}

#[test]
fn each_gives_a_row_and_its_parent_the_change_once() {
    let scene = Scene::game("[unit.a]\nmp = 4\n[unit.b]\nlike = 'a'\n[unit.c]\nlike = 'b'").layer(
        "l",
        &[],
        "each.unit = [{ add = { mp = 1 } }]",
    );
    assert_eq!(scene.value("unit"), "{a = {mp = 5}, b = {mp = 5}, c = {mp = 5}}");
}

#[test]
fn each_that_is_wrong_or_matches_nothing_says_so() {
    assert_snapshot!(with("each.unit = [{ where = { platd = true }, add = { mp = 1 } }]").problems(), @r#"
    warning[E0403]: `each.unit` matches no row: no row has `platd`
     --> l.toml:1:14
      |
    1 | each.unit = [{ where = { platd = true }, add = { mp = 1 } }]
      |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = help: did you mean `plated`?
    "#);
    assert_snapshot!(with("each.unit = [{ were = { plated = true } }, 3]\neach.unti = { add = { mp = 1 } }").problems(), @r#"
    error[E0402]: `each.unit` changes nothing; expected set, add, scale, extend or remove
     --> l.toml:1:14
      |
    1 | each.unit = [{ were = { plated = true } }, 3]
      |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    error[E0202]: `each.unit` has no key `were`
     --> l.toml:1:16
      |
    1 | each.unit = [{ were = { plated = true } }, 3]
      |                ^^^^
      = help: did you mean `where`?
    error[E0402]: `each.unit` holds a whole number; expected { where = …, add = … }
     --> l.toml:1:44
      |
    1 | each.unit = [{ were = { plated = true } }, 3]
      |                                            ^
    error[E0401]: `each` changes unti, but there is no `unti`
     --> l.toml:2:6
      |
    2 | each.unti = { add = { mp = 1 } }
      |      ^^^^
      = help: did you mean `unit`?
    "#);
    assert_snapshot!(with("each.card = [{ add = { tags = 1, rp = 1 } }]").problems(), @r#"
    error[E0401]: `add` changes card.y.tags, but card.y has no `tags`
     --> l.toml:1:24
      |
    1 | each.card = [{ add = { tags = 1, rp = 1 } }]
      |                        ^^^^
    error[E0402]: `add` of card.x.tags: a whole number cannot be added to a list; both must be whole numbers
     --> l.toml:1:31
      |
    1 | each.card = [{ add = { tags = 1, rp = 1 } }]
      |                               ^
     ::: g/tables.toml:4:8
      |
    4 | tags = ['a', 'b']
      |        ---------- the value is ["a", "b"]
    error[E0401]: `add` changes card.x.rp, but card.x has no `rp`
     --> l.toml:1:34
      |
    1 | each.card = [{ add = { tags = 1, rp = 1 } }]
      |                                  ^^
      = note: and so for 1 more row
    "#);
}

#[test]
fn like_inherits_what_the_row_does_not_give() {
    assert_eq!(with("").value("unit.phantom"), r#"{mp = 7, plated = true, tags = ["heavy"]}"#);
    assert_eq!(with("unit.titan.tags = ['x']").value("unit.phantom.tags"), r#"["x"]"#);
    let only_child = with("extend.unit.phantom.tags = ['fast']");
    assert_eq!(only_child.value("unit.titan.tags"), r#"["heavy"]"#);
    assert_eq!(only_child.value("unit.phantom.tags"), r#"["heavy", "fast"]"#);
}

#[test]
fn like_of_an_unknown_row_or_in_a_circle_is_an_error() {
    assert_snapshot!(with("[unit.a]\nlike = 'tiatn'\n[unit.b]\nlike = 'c'\n[unit.c]\nlike = 'b'").problems(), @r#"
    error[E0206]: unit.a is like `tiatn`, but unit has no such row
     --> l.toml:2:8
      |
    2 | like = 'tiatn'
      |        ^^^^^^^
      = help: did you mean `titan`?
    error[E0207]: rows inherit in a circle: unit.b is like unit.c is like unit.b
     --> l.toml:6:8
      |
    6 | like = 'b'
      |        ^^^
    "#);
    assert_snapshot!(with("remove.unit = ['titan']").problems(), @r#"
    error[E0206]: unit.phantom is like `titan`, but unit has no such row
      --> g/tables.toml:13:8
       |
    13 | like = 'titan'
       |        ^^^^^^^
      ::: l.toml:1:16
       |
     1 | remove.unit = ['titan']
       |                ------- removed here
    "#);
}

#[test]
fn a_matrix_is_patched_by_row_and_column_key() {
    assert_eq!(with("table.crt.rows.3-1.b = 5").value("table.crt.rows"), "{1-1 = [1, 2], 3-1 = [3, 5]}");
    assert_eq!(with("add.table.crt.rows.1-1.a = 4").value("table.crt.rows.1-1.a"), "5");
    assert_eq!(with("table.crt.rows.3-1 = [7, 8]").value("table.crt.rows.3-1"), "[7, 8]");
    let csv = Scene::game(GAME)
        .file("layers/n/layer.toml", "[layer]\nid = 'n'\nversion = '1'")
        .file("layers/n/table.crt.csv", ",b\n1-1,9\n5-1,6\n")
        .with_layer("n");
    assert_eq!(
        csv.value("table.crt"),
        r#"{columns = ["a", "b"], rows = {1-1 = [1, 9], 3-1 = [3, "de"], 5-1 = ["", 6]}}"#
    );
    assert_snapshot!(with("table.crt.rows.3-1 = [7]\ntable.crt.rows.1-1.c = 1").problems(), @r#"
    error[E0406]: row `3-1` of table.crt is a list of 1; expected 2, one for each column
     --> l.toml:1:22
      |
    1 | table.crt.rows.3-1 = [7]
      |                      ^^^
    error[E0406]: table.crt has no column `c`
     --> l.toml:2:20
      |
    2 | table.crt.rows.1-1.c = 1
      |                    ^
      = help: did you mean `a` or `b`?
    "#);
}

#[test]
fn the_command_line_is_the_last_layer_and_adds_no_rows() {
    let scene = with("card.x.ops = 3").set("card.x.ops=5").set("card.x.title=Fire and move");
    assert_eq!(scene.value("card.x"), r#"{ops = 5, tags = ["a", "b"], title = "Fire and move"}"#);
    let catalog = scene.clean();
    let given: Vec<String> = catalog
        .origins("card.x.ops")
        .iter()
        .map(|g| {
            format!(
                "{} {} {}",
                g.value.brief(),
                catalog.layer_name(g.origin.layer),
                catalog.sources.describe(g.origin)
            )
        })
        .collect();
    assert_eq!(given, ["5 command line --set:1:14", "3 l l.toml:1:14", "2 g g/tables.toml:3:7"]);
    assert_snapshot!(with("").set("card.z.ops=5").set("card.x.ops").set("a..b=1").problems(), @r#"
    error[E0309]: --set a..b=1 cannot be read; expected KEY=VALUE
     --> --set:1:1
      |
    1 | a..b=1
      | ^^^^^^
    error[E0309]: --set card.x.ops cannot be read; expected KEY=VALUE
     --> --set:1:1
      |
    1 | card.x.ops
      | ^^^^^^^^^^
    error[E0401]: --set changes card.z, which is not there
     --> --set:1:6
      |
    1 | card.z.ops = 5
      |      ^
      = help: did you mean `x` or `y`?
    "#);
}

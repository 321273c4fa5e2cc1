//! Which pairs of layers conflict, and that those which do not commute.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::diagnostic::Diagnostics;
use crate::diagnostic_testing::{Scene, show};

const GAME: &str = "
[card.x]
ops = 2
tags = ['a']
[card.y]
ops = 4
[unit.titan]
plated = true
mp = 6
[unit.phantom]
like = 'titan'
";

fn pair(a: &str, b: &str) -> Scene {
    Scene::game(GAME).layer("a", &[], a).layer("b", &[], b)
}

#[test]
fn two_layers_that_set_a_field_conflict() {
    assert_snapshot!(pair("card.x.ops = 3", "card.x.ops = 4").problems(), @r#"
    error[E0404]: layer b sets card.x.ops, layer a sets it, and neither needs the other
     --> b.toml:1:14
      |
    1 | card.x.ops = 4
      |              ^
     ::: a.toml:1:14
      |
    1 | card.x.ops = 3
      |              - layer a here
      = help: let one need the other, or load a layer that needs both and sets card.x.ops
    "#);
}

#[test]
fn the_same_value_or_another_field_is_no_conflict() {
    pair("card.x.ops = 3", "card.x.ops = 3").clean();
    pair("card.x.ops = 3", "card.y.ops = 4").clean();
    pair("remove.card = ['x']", "remove.card = ['x']").clean();
}

#[test]
fn both_may_extend_a_list_of_lines_by_different_ones() {
    let game = "[scenario.s]\nplace = ['a 1']\n[card.x]\ntags = ['a']\nsteps = ['a']";
    let pair = |a: &str, b: &str| Scene::game(game).layer("a", &[], a).layer("b", &[], b);
    let lines = pair("extend.scenario.s.place = ['b 1']", "extend.scenario.s.place = ['c 1']");
    assert_eq!(lines.value("scenario.s.place"), r#"["a 1", "b 1", "c 1"]"#);
    let tags = pair("extend.card.x.tags = ['b']", "extend.card.x.tags = ['c']");
    assert_eq!(tags.value("card.x.tags"), r#"["a", "b", "c"]"#);
    for (a, b) in [
        ("extend.scenario.s.place = ['b 1']", "extend.scenario.s.place = ['b 1']"),
        ("extend.scenario.s.place = ['b 1']", "scenario.s.place = []"),
        ("extend.scenario.s.place = ['b 1']", "remove.scenario.s.place = ['b 1']"),
        // Of other lists the order may count.
        ("extend.card.x.steps = ['b']", "extend.card.x.steps = ['c']"),
    ] {
        assert!(conflict(&pair(a, b)), "{a} and {b}");
    }
    let words = "[attribute.piece.state]\ntype = { enum = ['fresh'] }";
    let words = Scene::game(words)
        .layer("a", &[], "extend.attribute.piece.state.type.enum = ['tired']")
        .layer("b", &[], "extend.attribute.piece.state.type.enum = ['lost']");
    assert_eq!(words.value("attribute.piece.state.type.enum"), r#"["fresh", "tired", "lost"]"#);
}

fn conflict(scene: &Scene) -> bool {
    scene.load().1.iter().any(|problem| problem.code.code == "E0404")
}

const TURN: &str = "[sequence]\nturn = { steps = ['draw', 'move', 'fight', 'rest'] }";

fn turn(layers: &[(&str, &[&str], &str)]) -> Scene {
    layers.iter().fold(Scene::game(TURN), |scene, (id, needs, text)| scene.layer(id, needs, text))
}

#[test]
fn insertions_between_different_items_combine() {
    let weather = "insert.sequence.turn = { after = 'draw', step = 'weather' }";
    let barrage = "insert.sequence.turn = { before = 'fight', step = ['aim', 'barrage'] }";
    let end = "extend.sequence.turn.steps = ['count']";
    let all = r#"["draw", "weather", "move", "aim", "barrage", "fight", "rest", "count"]"#;
    for [a, b, c] in [[weather, barrage, end], [end, barrage, weather], [barrage, end, weather]] {
        let scene = turn(&[("a", &[], a), ("b", &[], b), ("c", &[], c)]);
        assert_eq!(scene.value("sequence.turn.steps"), all);
    }
    let shorter = "remove.sequence.turn.steps = ['move', 'rest']";
    for (a, b) in [(weather, shorter), (shorter, weather)] {
        let scene = turn(&[("a", &[], a), ("b", &[], b)]);
        assert_eq!(scene.value("sequence.turn.steps"), r#"["draw", "weather", "fight"]"#);
    }
    // A layer sees what it needs, and puts its own items beside its own.
    let after =
        "insert.sequence.turn = [{ after = 'weather', step = 'mud' }, { after = 'mud', step = 'frost' }]";
    let scene = turn(&[("a", &["b"], after), ("b", &[], weather), ("c", &[], barrage)]);
    let all = r#"["draw", "weather", "mud", "frost", "move", "aim", "barrage", "fight", "rest"]"#;
    assert_eq!(scene.value("sequence.turn.steps"), all);
}

#[test]
fn insertions_at_one_place_or_beside_what_is_taken_out_conflict() {
    let weather = "insert.sequence.turn = { after = 'draw', step = 'weather' }";
    for other in [
        "insert.sequence.turn = { after = 'draw', step = 'scouts' }",
        "insert.sequence.turn = { before = 'move', step = 'scouts' }",
        "insert.sequence.turn = { before = 'rest', step = 'weather' }",
        "remove.sequence.turn.steps = ['draw']",
        "sequence.turn.steps = ['draw']",
        "remove.sequence = ['turn']",
    ] {
        for (a, b) in [(weather, other), (other, weather)] {
            assert!(conflict(&turn(&[("a", &[], a), ("b", &[], b)])), "{a} and {b}");
        }
    }
    // The gap is the same where what lay between is gone.
    let fight = "insert.sequence.turn = { before = 'fight', step = 'scouts' }";
    let gone = "remove.sequence.turn.steps = ['move']";
    assert!(conflict(&turn(&[("a", &[], weather), ("b", &[], fight), ("c", &[], gone)])));
}

#[test]
fn what_a_layer_adds_is_there_only_for_those_that_need_it() {
    let weather = "insert.sequence.turn = { after = 'draw', step = 'weather' }";
    let mud = "insert.sequence.turn = { after = 'weather', step = 'mud' }";
    assert_snapshot!(turn(&[("a", &[], weather), ("b", &[], mud)]).problems(), @r#"
    error[E0401]: `insert` of sequence.turn.steps: the list has no "weather"
     --> b.toml:1:34
      |
    1 | insert.sequence.turn = { after = 'weather', step = 'mud' }
      |                                  ^^^^^^^^^
     ::: a.toml:1:24
      |
    1 | insert.sequence.turn = { after = 'draw', step = 'weather' }
      |                        ------------------------------------ the list is ["draw", "weather", "move", "fight", "rest"]
     ::: a.toml:1:49
      |
    1 | insert.sequence.turn = { after = 'draw', step = 'weather' }
      |                                                 --------- another layer adds it here
      = help: let this layer need the one that adds it
    "#);
    assert!(turn(&[("a", &[], mud), ("b", &[], weather)]).load().1.has_errors());
}

#[test]
fn a_row_removed_by_one_and_touched_by_the_other_is_a_conflict() {
    assert_snapshot!(pair("add.card.x.ops = 3", "remove.card = ['x']").problems(), @r#"
    error[E0404]: layer b removes card.x, layer a changes card.x.ops, and neither needs the other
     --> b.toml:1:16
      |
    1 | remove.card = ['x']
      |                ^^^
     ::: a.toml:1:12
      |
    1 | add.card.x.ops = 3
      |            --- layer a here
      = help: let one need the other, or load a layer that needs both and sets card.x.ops
    "#);
}

#[test]
fn a_value_built_on_an_inherited_one_conflicts_with_its_change() {
    assert_snapshot!(pair("add.unit.titan.mp = 1", "add.unit.phantom.mp = 1").problems(), @r#"
    error[E0404]: layer b builds on unit.titan.mp, layer a changes it, and neither needs the other
     --> b.toml:1:23
      |
    1 | add.unit.phantom.mp = 1
      |                       ^
     ::: a.toml:1:21
      |
    1 | add.unit.titan.mp = 1
      |                     - layer a here
      = help: let one need the other, or load a layer that needs both and sets unit.titan.mp
    "#);
}

#[test]
fn what_is_built_on_a_field_conflicts_with_its_change_in_either_order() {
    let built = "remove.unit.phantom.tags = ['a']";
    let both = "extend.unit.phantom.tags = ['b']\nremove.unit.titan.tags = ['a']";
    for (one, two) in [
        (built, "remove.unit.titan.tags = ['a']"),
        // The first makes the list the row's own; the second builds on the same list and changes where it came from.
        ("extend.unit.phantom.tags = ['c']", both),
        ("remove.unit = ['phantom']", "remove.unit.phantom = ['like']"),
    ] {
        for (a, b) in [(one, two), (two, one)] {
            let game = "[unit.titan]\ntags = ['a']\n[unit.phantom]\nlike = 'titan'";
            let (_, problems) = Scene::game(game).layer("a", &[], a).layer("b", &[], b).load();
            assert!(problems.iter().any(|problem| problem.code.code == "E0404"), "{a} and {b}");
        }
    }
}

#[test]
fn need_settles_the_order() {
    let scene = Scene::game(GAME).layer("a", &["b"], "add.card.x.ops = 1").layer("b", &[], "card.x.ops = 10");
    assert_eq!(scene.value("card.x.ops"), "11");
}

#[test]
fn a_third_layer_that_needs_both_resolves() {
    let scene = pair("card.x.ops = 3", "card.x.ops = 4").layer("c", &["a", "b"], "card.x.ops = 7");
    assert_eq!(scene.value("card.x.ops"), "7");
    let only_one = pair("card.x.ops = 3", "card.x.ops = 4").layer("c", &["a"], "card.x.ops = 7");
    assert!(only_one.load().1.has_errors());
}

#[test]
fn an_each_sees_rows_of_independent_layers_whatever_their_names() {
    let row = "[unit.new]\nplated = true\nmp = 5";
    let each = "each.unit = [{ where = { plated = true }, add = { mp = 1 } }]";
    for scene in [pair(row, each), pair(each, row)] {
        assert_eq!(scene.value("unit.new.mp"), "6");
    }
}

#[test]
fn rows_chosen_by_a_field_that_another_layer_changes_later_are_warned_of() {
    let choose = "each.unit = [{ where = { plated = true }, add = { mp = 1 } }]";
    let change = "each.unit = [{ where = { id = 'titan' }, set = { plated = false } }]";
    assert_snapshot!(pair(choose, change).problems(), @r#"
    warning[E0404]: layer a chooses rows by unit.plated, which layer b changes, and neither needs the other
     --> a.toml:1:14
      |
    1 | each.unit = [{ where = { plated = true }, add = { mp = 1 } }]
      |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     ::: b.toml:1:59
      |
    1 | each.unit = [{ where = { id = 'titan' }, set = { plated = false } }]
      |                                                           ----- layer b here
    "#);
}

/// Up to three patches, each of them in TOML of its own.
fn patches() -> impl Strategy<Value = String> {
    let one = |count: usize| proptest::collection::btree_map(0..12u8, patch(), 1..=count);
    // Patches of one sort could give the same key twice, which is another error.
    one(3).prop_map(|patches| {
        let mut sorts = std::collections::BTreeSet::new();
        let kept = patches.into_values().filter(|(sort, _)| sorts.insert(*sort)).map(|(_, text)| text);
        let (tables, keys): (Vec<String>, Vec<String>) = kept.partition(|text| text.starts_with('['));
        // Keys stand before tables.
        keys.into_iter().chain(tables).collect::<Vec<_>>().join("\n")
    })
}

/// A patch on one of a few targets, so that some pairs meet and most do not, with its sort.
fn patch() -> impl Strategy<Value = (u8, String)> {
    let row = prop_oneof![Just("x"), Just("y"), Just("z"), Just("w")];
    (0..24u8, row, 1..5i64).prop_map(|(kind, row, n)| {
        let text = match kind {
            0 => format!("card.{row}.ops = {n}"),
            1 => format!("card.{row}.rp = {n}"),
            2 => format!("add.card.{row}.ops = {n}"),
            3 => format!("extend.card.{row}.tags = ['t{n}']"),
            4 => format!("remove.card = ['{row}']"),
            5 => format!("each.card = [{{ where = {{ ops = {n} }}, set = {{ mark = {n} }} }}]"),
            6 => format!("scale.card.{row}.ops = [{n}, 2]"),
            7 => format!("insert.card.{row}.steps = {{ after = 'one', step = 's{n}' }}"),
            20 => format!("insert.card.{row}.steps = {{ before = 'three', step = 's{n}' }}"),
            21 => format!("insert.card.{row}.steps = [{{ after = 'three', step = 's{n}' }}, {{ before = 's{n}', step = 'u{n}' }}]"),
            22 => format!("remove.card.{row}.steps = ['{}']", ["one", "two", "three", "four"][n as usize - 1]),
            23 => format!("insert.card.x.steps = {{ after = 's{n}', step = 'v{n}' }}"),
            8 => format!("table.crt.rows.r{}.c{} = 'n{n}'", n % 2, n % 3),
            9 => format!("remove.card.{row} = ['ops']"),
            10 => format!("remove.card.{row}.tags = ['a']"),
            11 => format!("remove.table.crt.rows = ['r{}']", n % 2),
            12 => format!("extend.card.{row}.steps = ['t{n}']"),
            13 => format!("[card.new{n}]\nops = {n}\nlike = '{row}'"),
            14 => format!("each.card = [{{ where = {{ id = '{row}' }}, add = {{ ops = {n} }} }}]"),
            15 => format!("each.card = [{{ where = {{ ops = {n} }}, remove = ['rp'] }}]"),
            16 => format!("each.card = [{{ where = {{ rp = 1 }}, extend = {{ tags = ['e{n}'] }} }}]"),
            17 => format!("each.card = [{{ where = {{ id = '{row}' }}, scale = {{ ops = [{n}, 2] }} }}]"),
            18 => format!("option.fog.default = {}", n % 2 == 0),
            _ => format!("[option.new{n}]\ntype = 'bool'\ndefault = {}", row == "x"),
        };
        // Those that write the same key cannot stand in one layer.
        (if text.starts_with("each.card") { 5 } else { kind }, text)
    })
}

/// The tables as text; tags stand for themselves, so that their order does not count.
fn unordered(node: &crate::tree::Node) -> String {
    let mut node = node.clone();
    sort_tags(&mut node);
    show(&node)
}

fn sort_tags(node: &mut crate::tree::Node) {
    let Some(table) = node.as_table_mut() else { return };
    for (key, child) in table.iter_mut() {
        match &mut child.value {
            crate::tree::Value::Array(items) if key == "tags" => items.sort_by_key(show),
            _ => sort_tags(child),
        }
    }
}

/// Two orders of the same layers are both refused, or both warned of, or come to the same.
fn agree(
    (one, problems): (&crate::tree::Node, &Diagnostics),
    (other, others): (&crate::tree::Node, &Diagnostics),
) -> Result<(), TestCaseError> {
    let quiet = |problems: &Diagnostics| problems.iter().all(|problem| problem.code.name == "no-match");
    let told = |problems: &Diagnostics| problems.iter().any(|problem| problem.code.code == "E0404");
    if told(problems) && told(others) {
        return Ok(());
    }
    prop_assert_eq!(problems.has_errors(), others.has_errors());
    if quiet(problems) {
        prop_assert_eq!(unordered(one), unordered(other));
    }
    Ok(())
}

/// The game whose rows the patches are about.
const PATCHED: &str = "[table.crt]\ncolumns = ['c0', 'c1', 'c2']\nrows = { r0 = ['a', 'b', 'c'], r1 = ['d', 'e', 'f'] }\n[option.fog]\ntype = 'bool'\ndefault = false\n[card.x]\nops = 2\ntags = ['a']\nsteps = ['one', 'two', 'three', 'four']\n[card.y]\nlike = 'x'\n[card.z]\nops = 3\ntags = []\n[card.w]\nlike = 'y'\nrp = 1\ntags = ['b']";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn three_independent_layers_commute(all in proptest::collection::vec(patches(), 3), turn in 0..5usize) {
        let order = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][turn];
        let load = |at: [usize; 3]| {
            ["a", "b", "c"].iter().zip(at).fold(Scene::game(PATCHED), |scene, (id, at)| scene.layer(id, &[], &all[at])).load()
        };
        let ((forward, problems), (other, others)) = (load([0, 1, 2]), load(order));
        agree((&forward.root, &problems), (&other.root, &others))?;
    }

    /// The order of merging follows the ids, so giving two layers each other's id swaps their order.
    #[test]
    fn independent_layers_commute(one in patches(), two in patches()) {
        let load = |a: &str, b: &str| Scene::game(PATCHED).layer("a", &[], a).layer("b", &[], b).load();
        let (forward, problems) = load(&one, &two);
        let (backward, others) = load(&two, &one);
        agree((&forward.root, &problems), (&backward.root, &others))?;
    }

    #[test]
    fn the_order_on_the_command_line_does_not_matter(patches in proptest::collection::vec(patches(), 3), flip in 0..6usize) {
        let mut order = vec!["a", "b", "c"];
        order.rotate_left(flip % 3);
        if flip >= 3 { order.swap(0, 1); }
        let build = |order: &[&str]| {
            let mut scene = Scene::game(GAME);
            for id in order {
                let index = ["a", "b", "c"].iter().position(|other| other == id).unwrap_or(0);
                scene = scene.layer(id, &[], &patches[index]);
            }
            let (catalog, problems) = scene.load();
            (show(&catalog.root), crate::diagnostic_testing::render(&catalog, &problems))
        };
        prop_assert_eq!(build(&["a", "b", "c"]), build(&order));
    }
}

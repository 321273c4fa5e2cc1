//! Which pairs of layers conflict, and that those which do not commute.

use insta::assert_snapshot;
use proptest::prelude::*;

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

/// A patch on one of a few targets, so that some pairs meet and most do not.
fn patch() -> impl Strategy<Value = String> {
    let row = prop_oneof![Just("x"), Just("y"), Just("z"), Just("w")];
    (0..8u8, row, 1..5i64).prop_map(|(kind, row, n)| match kind {
        0 => format!("card.{row}.ops = {n}"),
        1 => format!("card.{row}.rp = {n}"),
        2 => format!("add.card.{row}.ops = {n}"),
        3 => format!("extend.card.{row}.tags = ['t{n}']"),
        4 => format!("remove.card = ['{row}']"),
        5 => format!("each.card = [{{ where = {{ ops = {n} }}, set = {{ mark = {n} }} }}]"),
        6 => format!("scale.card.{row}.ops = [{n}, 2]"),
        _ => format!("[card.new{n}]\nops = {n}\nlike = '{row}'"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The order of merging follows the ids, so giving two layers each other's id swaps their order.
    #[test]
    fn independent_layers_commute(one in patch(), two in patch()) {
        let game = "[card.x]\nops = 2\ntags = ['a']\n[card.y]\nlike = 'x'\n[card.z]\nops = 3\ntags = []\n[card.w]\nlike = 'y'\nrp = 1\ntags = ['b']";
        let load = |a: &str, b: &str| Scene::game(game).layer("a", &[], a).layer("b", &[], b).load();
        let (forward, problems) = load(&one, &two);
        let (backward, others) = load(&two, &one);
        prop_assert_eq!(problems.has_errors(), others.has_errors());
        if problems.iter().all(|problem| problem.code.name == "no-match") {
            prop_assert_eq!(show(&forward.root), show(&backward.root));
        }
    }

    #[test]
    fn the_order_on_the_command_line_does_not_matter(patches in proptest::collection::vec(patch(), 3), flip in 0..6usize) {
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

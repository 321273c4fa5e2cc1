//! Lines, arcs and sight as scripts see them.

mod support;

use support::{hexes, load, printed};

const RULES: &str = r#"
[sight.ground]
level = "level"
height = [{ by = "terrain", woods = 1, house = 1 }, { by = "crop", corn = 1 }]
haze = ["smoke", { pieces = "fume" }]
wall = { hedge = 1 }
sunken = { level = -1, seen = "adjacent" }
haze-limit = 2

[sight.air]
level = "level"
height = { by = "terrain", woods = 1 }
bare = {}
obstacle = { between = "near-low", at-low = "near-low" }
sunken = { level = -1, seen = "past-rim" }
viewer-level = 100
"#;

/// Runs a script on a map where some hexes differ.
fn on(rows: &[(&str, &str)], script: &str) -> Vec<String> {
    let script = format!(
        "local function see(a, b, rules) return sight {{ from = space(a), to = space(b), rules = rules or 'ground' }} end
        procedure('main', {{}}, function() {script} end)"
    );
    printed(&load(RULES, &hexes(rows), &[("main.lua", &script)]).expect("a sound script"))
}

#[test]
fn a_line_gives_its_steps_and_two_spaces_where_it_runs_along_a_hexside() {
    let script = "
        for _, step in ipairs(line(space '0505', space '0805')) do print(step) end
        print(#line(space '0505', space '0505'))
        local tie = line(space '0505', space '0507')
        print(#tie, #tie[2], tie[2]:has(space '0506'))
        for _, side in ipairs(crossed(space '0505', space '0507')) do print(side.from, side.to, side.along, #side.features) end";
    let lines = on(&[], script);
    assert_eq!(lines[..5], ["0505", "0605", "0705", "0805", "1"]);
    assert_eq!(lines[5], "3\t2\ttrue");
    assert!(lines[6].ends_with("true\t0"), "{lines:?}");
}

#[test]
fn arcs_follow_the_facing() {
    let script = "
        local here, ahead = space '1010', space '1510'
        local east = direction(here, space '1110')
        print(bearing(here, ahead) == 4 * east, #heading(here, ahead), heading(here, ahead)[1] == east)
        print(in_arc(here, east, 2, ahead), in_arc(here, (east + 3) % 6, 2, ahead), in_arc(here, east, 2, here))
        print(#arc(here, east, 2, 1), #arc(here, east, 6, 1), #arc(here, east, 2, 1000000000) > 100)
        print(aspect(here, east, 2, 3, ahead), aspect(here, (east + 3) % 6, 2, 3, ahead), aspect(here, (east + 2) % 6, 1, 1, ahead))
        print(bearing(piece 'a', space '0501'))";
    assert_eq!(
        on(&[], script),
        ["true\t1\ttrue", "true\tfalse\tfalse", "3\t6\ttrue", "front\trear\tleft", "nil"]
    );
}

#[test]
fn woods_and_hills_block_and_the_reason_is_named() {
    let rows = [
        ("0705", "woods,0"),
        ("0707", "clear,1"),
        ("0907", "clear,1"),
        ("0609", "woods,0"),
        ("0909", "clear,2"),
    ];
    let script = "
        local s = see('0505', '0905')
        print(s.clear, s.blocked, s.why, s.haze)
        local t = see('0505', '0705')
        print(t.clear, t.blocked, t.why)
        print(see('0507', '0907').why, see('0509', '0909').why, see('0909', '0509').blocked)";
    assert_eq!(on(&rows, script), ["false\t0705\tabove\t0", "true\tnil\tnil", "at-high\tblind-spot\t0609"]);
}

#[test]
fn a_gully_sees_out_only_to_adjacent_hexes() {
    let rows = [("0605", "clear,-1"), ("0705", "clear,-1"), ("0805", "clear,-1")];
    let script = "print(see('0505', '0605').clear, see('0505', '0705').why, see('0605', '0805').clear)";
    assert_eq!(on(&rows, script), ["true\tsunken\ttrue"]);
}

#[test]
fn an_aircraft_is_blocked_only_by_what_stands_just_before_the_target() {
    let rows = [
        ("0605", "clear,3"),
        ("0805", "woods,0"),
        ("1205", "clear,-1"),
        ("1507", "clear,-1"),
        ("1607", "clear,-1"),
    ];
    let script = "
        print(see('0505', '0705', 'air').clear, see('0505', '0905', 'air').blocked)
        print(see('1005', '1205', 'air').why, see('1307', '1607', 'air').clear)";
    assert_eq!(on(&rows, script), ["true\t0805", "sunken\ttrue"]);
}

#[test]
fn haze_and_crops_come_from_the_state() {
    let script = "
        local function look() local s = see('0505', '0905'); print(s.clear, s.haze, s.why) end
        look()
        space('0705').smoke = 1; look()
        space('0805').smoke = 1; look()
        space('0805').smoke = 0; create('fire', nil, space '0605'); look()
        remove(pieces { type = 'fire' }[1]); space('0705').smoke = 0; look()
        space('0605').crop = 'corn'; look()
        space('0605').crop = 'none'
        print(sight { from = piece 'a', to = '0901', rules = 'ground', haze = {{ space '0601', 1 }} }.haze)
        print(sight { from = piece 'a', to = '0901', rules = 'ground', height = {{ space '0601', 1 }} }.why)
        print(sight { from = piece 'a', to = '0901', rules = 'ground', range = 3 }.why)";
    let expected = [
        "true\t0\tnil",
        "true\t1\tnil",
        "false\t2\thaze",
        "false\t2\thaze",
        "true\t0\tnil",
        "false\t0\tabove",
        "1",
        "above",
        "range",
    ];
    assert_eq!(on(&[], script), expected);
}

#[test]
fn a_memoised_query_of_sight_is_asked_again_when_the_smoke_changes() {
    let script = "
        local clear = query('clear', {}, function(a, b) return sight { from = a, to = b, rules = 'ground' }.clear end)
        procedure('main', {}, function()
          local a, b = space '0505', space '0905'
          print(clear(a, b)); space('0705').smoke = 2; print(clear(a, b)); space('0705').smoke = 0; print(clear(a, b))
        end)";
    let game = load(RULES, &hexes(&[]), &[("main.lua", script)]).expect("a sound script");
    assert_eq!(printed(&game), ["true", "false", "true"]);
}

#[test]
fn walls_are_read_from_the_features_of_borders() {
    let script = "
        local s = see('0505', '0905')
        print(s.why, #s.blockers)
        for _, side in ipairs(crossed(space '0505', space '0905')) do print(side.features[1]) end";
    let tables =
        format!("{RULES}\n[border]\n\"0605-0705\" = {{ a = \"0605\", b = \"0705\", feature = \"hedge\" }}");
    let script = format!(
        "local function see(a, b) return sight {{ from = space(a), to = space(b), rules = 'ground' }} end
        procedure('main', {{}}, function() {script} end)"
    );
    let game = load(&tables, &hexes(&[]), &[("main.lua", &script)]).expect("a sound script");
    assert_eq!(printed(&game), ["above\t2", "nil", "hedge", "nil", "nil"]);
}

#[test]
fn the_picture_agrees_with_single_looks() {
    let rows = [("0705", "woods,0"), ("1005", "woods,1"), ("1210", "clear,2"), ("0808", "clear,-1")];
    let script = "
        local from = space '0505'
        space('0604').smoke = 1
        local all = sight_all { from = from, rules = 'ground' }
        local differ, seen = 0, 0
        for _, to in ipairs(spaces { kind = 'hex' }) do
          local one = sight { from = from, to = to, rules = 'ground' }
          if one.clear ~= all:has(to) or one.clear and one.haze ~= all:haze(to) then differ = differ + 1 end
          if one.clear then seen = seen + 1 end
        end
        print(differ, seen == #all.spaces, all:haze(space '0905'))";
    assert_eq!(on(&rows, script), ["0\ttrue\tnil"]);
}

#[test]
fn what_is_wrong_with_a_call_is_said_with_its_key() {
    for (script, expected) in [
        (
            "sight { from = space '0505', to = space '0905', rules = 'grund' }",
            "no rules of sight grund; there are air, ground",
        ),
        (
            "sight { from = space '0505', to = 3, rules = 'air' }",
            "argument `how` of `sight`: `to`: expected a space or a piece, found 3",
        ),
        ("sight_all { frm = space '0505' }", "nearest: from"),
        ("in_arc(space '0505', 6, 2, space '0506')", "expected a direction, 0 to 5, found 6"),
        ("arc(space '0505', 1, 9, 2)", "0 to 6, found 9"),
        ("line(space '0505', space 'deck')", "deck is not a hex"),
    ] {
        let script = format!("procedure('main', {{}}, function() {script} end)");
        let game = load(RULES, &hexes(&[]), &[("main.lua", &script)]).expect("a sound script");
        let error = support::call(&game, "main", Vec::new()).1.expect_err(&script).to_string();
        assert!(error.contains(expected) && error.contains("main.lua:1"), "{script}: {error}");
    }
}

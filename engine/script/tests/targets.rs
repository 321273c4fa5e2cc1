//! Handlers that hang on what does not exist: the game is not loaded, and the error says where, what and what is near.

mod support;

use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::{catalog, definition};
use sandtable_script::ScriptError;
use sandtable_session::Game;
use std::rc::Rc;
use support::{TABLES, game, hexes};

const RULES: &str = "procedure('main', { rule = '1' }, function() end)
procedure('fight', { rule = '1', stages = { 'fire' } })
procedure('fight.fire', { rule = '1' }, function() end)
number('attack', { rule = '1', stages = { 'terrain', 'cards' } }, function(n) n:add(1) end)
number('bare', { rule = '1' }, function(n) n:add(1) end)
forbid('go', 'no-room', { rule = '1' }, function() end)
";

fn shown(errors: &[ScriptError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

/// What loading says of the rules with one line more.
fn said(line: &str) -> Vec<String> {
    shown(&game(&format!("{RULES}{line}\n")).err().unwrap_or_default())
}

#[test]
fn what_a_handler_hangs_on_must_exist() {
    let (nothing, run) = (Vec::<String>::new(), "{ rule = '1' }, function() end)");
    for sound in [
        format!("before('fight.fire', 'x', {run}"),
        format!("modify('bare', 'x', {run}"),
        "modify('attack', 'x', { stage = 'cards' }, function() end)".into(),
        format!("waive('no-room', 'x', {run}"),
        "offer('menu', 'fight', {})".into(),
        // Events and prompts may have names that are put together in play.
        format!("on('never', 'x', {run}"),
        format!("forbid('never', 'x', {run}"),
        "modify('bare', 'x', { during = 'never' }, function() end)".into(),
    ] {
        assert_eq!(said(&sound), nothing, "{sound}");
    }
    let wrong = [
        (
            format!("before('fight.fyre', 'x', {run}"),
            "before `x` hangs on procedure `fight.fyre`, which does not exist; nearest: fight.fire",
        ),
        (
            format!("after('fihgt', 'x', {run}"),
            "after `x` hangs on procedure `fihgt`, which does not exist; nearest: fight",
        ),
        (
            format!("instead('mian', 'x', {run}"),
            "instead `x` hangs on procedure `mian`, which does not exist; nearest: main",
        ),
        (
            format!("modify('atack', 'x', {run}"),
            "modify `x` hangs on number `atack`, which does not exist; nearest: attack",
        ),
        (
            format!("waive('no-rom', 'x', {run}"),
            "waive `x` hangs on refusal `no-rom`, which does not exist; nearest: no-room",
        ),
        (
            "offer('menu', 'figth', {})".into(),
            "offer `figth` runs procedure `figth`, which does not exist; nearest: fight",
        ),
        (
            "modify('attack', 'x', { stage = 'crads' }, function() end)".into(),
            "modify `x`: number `attack` has no stage `crads`; nearest: cards",
        ),
        (
            "modify('attack', 'x', { stage = 'supply' }, function() end)".into(),
            "modify `x`: number `attack` has no stage `supply`; its stages: terrain, cards",
        ),
        (
            format!("modify('attack', 'x', {run}"),
            "modify `x`: it names no `stage` of number `attack`; its stages: terrain, cards",
        ),
        (
            "modify('bare', 'x', { stage = 'cards' }, function() end)".into(),
            "modify `x`: number `bare` has no stage `cards`; it has none",
        ),
        (
            "procedure('raid', { stages = { 'march' } })".into(),
            "procedure `raid` has the stage `march`, but there is no procedure `raid.march`",
        ),
    ];
    for (line, expected) in wrong {
        assert_eq!(said(&line), [format!("probe/main.lua:7: {expected}")], "{line}");
    }
    // All are said at once, in order.
    assert_eq!(said(&format!("waive('a', 'x', {run} waive('b', 'y', {run}")).len(), 2);
}

/// The same with an option, on or off, and layers: `fog` has a number of its own, `storm` changes it.
fn layered(needs: &str, layers: &[&str], option: &str) -> Vec<String> {
    let layer = |id: &str, needs: &str| {
        format!("[layer]\nid = \"{id}\"\ntitle = \"{id}\"\nversion = \"1.0.0\"\nneeds = [\"probe\"{needs}]\n")
    };
    let rules = format!("{RULES}number('rare', {{ option = 'odd' }}, function(n) n:add(1) end)\n");
    let tables =
        format!("{TABLES}\n[option]\nodd = {{ title = \"Odd\", type = \"bool\", default = {option} }}\n");
    let files = MemoryFiles::new()
        .with("rules/probe/game.toml", &tables)
        .with("rules/probe/hex.csv", &hexes(&[]))
        .with("rules/probe/main.lua", &rules)
        .with("layers/fog/layer.toml", &layer("fog", ""))
        .with("layers/fog/main.lua", "number('haze', {}, function(n) n:add(1) end)")
        .with("layers/storm/layer.toml", &layer("storm", needs))
        .with(
            "layers/storm/main.lua",
            "modify('rare', 'x', {}, function() end)\nmodify('haze', 'y', {}, function() end)",
        );
    let layers: Vec<String> = layers.iter().map(ToString::to_string).collect();
    let (catalog, mut problems) = catalog::load("probe", &layers, &[], &SearchPath::new().with(files));
    let (built, more) = definition::build(&catalog, None, &[]);
    problems.append(more);
    let messages: Vec<&String> = problems.iter().map(|problem| &problem.message).collect();
    let Some(built) = built else { panic!("{messages:?}") };
    shown(&Game::new(built, &catalog).map(Rc::new).err().unwrap_or_default())
}

#[test]
fn what_an_option_turns_off_or_another_layer_brings_exists() {
    let nothing = Vec::<String>::new();
    for option in ["true", "false"] {
        assert_eq!(layered(", \"fog\"", &["storm"], option), nothing, "its needs bring the number");
        assert_eq!(layered("", &["fog", "storm"], option), nothing, "both were asked for");
        assert_eq!(
            layered("", &["storm"], option),
            ["storm/main.lua:2: modify `y` hangs on number `haze`, which does not exist"]
        );
    }
}

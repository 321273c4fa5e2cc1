//! Whatever a script hands to the API: it is taken or refused, and the engine stays sound.

mod support;

use sandtable_script::{CLASSES, declarations};
use support::{call, hexes, load};

/// Values of every sort that scripts can hold.
const JUNK: &[&str] = &[
    "nil",
    "true",
    "-1",
    "5",
    "1/2",
    "math.mininteger",
    "'x'",
    "{}",
    "{ {} }",
    "{ from = 5, among = 5 }",
    "{ [1] = piece 'a' }",
    "function() end",
    "function() return {} end",
    "pieces",
    "pieces{}",
    "spaces{}",
    "piece 'a'",
    "space '0505'",
    "game",
    "sides",
    "sides.red",
    "none",
    "value 'limits'",
    "row 'a'",
    "start_record('fight')",
    "start_effect('fog')",
];

/// What a parameter of a type takes.
fn good(ty: &str) -> &'static str {
    match ty {
        "text" => "'a'",
        "side" => "'red'",
        "space" | "place" | "hex" => "space '0505'",
        "piece" => "piece 'a'",
        "table" => "{}",
        "function" => "function() return {} end",
        "spaces" => "spaces{}",
        "texts" => "{ 'x' }",
        "list" | "pieces" => "pieces{}",
        "record" => "start_record('fight')",
        _ => "1",
    }
}

/// Calls with junk in each place, and in all of them.
fn calls() -> Vec<String> {
    let mut calls = Vec::new();
    // These stop the script on purpose, belong to loading, or speak as Lua does.
    let spared = ["error", "assert", "require", "end_game", "select", "tonumber"];
    for decl in declarations().iter().filter(|decl| !spared.contains(&decl.name)) {
        let base: Vec<&str> = decl.params.iter().map(|param| good(param.ty)).collect();
        for junk in JUNK {
            for at in 0..=base.len() {
                let mut given = base.clone();
                given.resize(base.len().max(at + 1), "nil");
                given[at] = junk;
                calls.push(format!("{}({})", decl.name, given.join(", ")));
            }
            calls.push(format!("{}({})", decl.name, vec![*junk; base.len().max(1)].join(", ")));
        }
    }
    let list = CLASSES.iter().find(|class| class.name == "list").map_or(&[][..], |class| class.methods);
    for junk in JUNK {
        for list_of in ["pieces{}", "spaces{}", "rolls('a', 2)"] {
            calls.extend(list.iter().map(|(name, ..)| format!("{list_of}:{name}({junk})")));
        }
        for key in
            ["kind", "type", "side", "at", "not_at", "place", "on_map", "has", "level", "min_level", "empty"]
        {
            calls.push(format!("pieces{{ {key} = {junk} }}"));
            calls.push(format!("spaces{{ {key} = {junk} }}"));
        }
        for thing in ["piece 'a'", "space '0505'", "game", "sides.red", "start_record('fight')"] {
            calls.push(format!("local x = ({thing})[{junk}]"));
            for key in ["side", "level", "facing", "moved", "vp", "smoke", "odds", "place"] {
                calls.push(format!("({thing}).{key} = {junk}"));
            }
        }
        for key in ["among", "from", "to", "none", "min", "max", "cost", "test", "always"] {
            calls.push(format!("ask('red', 'p', {{ among = {{ 'x' }}, {key} = {junk} }})"));
            calls.push(format!("choose('red', 'p', {{ among = pieces{{}}, max = 0, {key} = {junk} }})"));
        }
        for key in
            ["from", "to", "profile", "points", "blocked", "steps", "barrier", "length", "rules", "range"]
        {
            for search in ["reach", "flood", "paths", "sight", "sight_all"] {
                calls.push(format!("{search}{{ from = space '0505', {key} = {junk} }}"));
            }
        }
    }
    calls
}

#[test]
fn nothing_that_is_handed_over_breaks_the_engine() {
    let calls = calls();
    let mut script = String::from("procedure('main', {}, function() return 'done' end)\n");
    for (number, call) in calls.iter().enumerate() {
        script.push_str(&format!("procedure('probe{number}', {{}}, function() {call} end)\n"));
    }
    let tables = "[sight.plain]\nlevel = \"level\"\n[profile.foot]\nterrain = { clear = 1 }\n";
    let game =
        load(tables, &hexes(&[]), &[("main.lua", &script)]).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (mut refused, mut clumsy) = (0, Vec::new());
    for (number, text) in calls.iter().enumerate() {
        let (_, result) = call(&game, &format!("probe{number}"), Vec::new());
        let Err(error) = result else { continue };
        let error = error.to_string();
        refused += 1;
        let inner =
            ["prelude.lua", "bad argument", "error converting", "an error in the engine", "a integer"];
        if !error.contains("main.lua:") || inner.iter().any(|words| error.contains(words)) {
            clumsy.push(format!("{text}: {}", error.lines().next().unwrap_or_default()));
        }
    }
    assert!(
        clumsy.is_empty(),
        "{} of {}:\n{}",
        clumsy.len(),
        calls.len(),
        clumsy[..clumsy.len().min(300)].join("\n")
    );
    assert!(refused > calls.len() / 4, "{refused} of {} calls were refused", calls.len());
}

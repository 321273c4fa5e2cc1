//! The manual of the API agrees with the engine.

mod support;

use sandtable_script::{CLASSES, declarations, manual};
use std::path::Path;
use support::{game, printed};

#[test]
fn the_committed_manual_is_what_the_declarations_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == manual(), "docs/api.md is stale: sandtable stubs --manual > docs/api.md");
}

#[test]
fn every_function_that_is_declared_is_there_and_the_other_way_round() {
    let names: Vec<String> = declarations().iter().map(|decl| format!("'{}'", decl.name)).collect();
    let script = format!(
        "local here = {{ require = require }}
        procedure('main', {{}}, function()
          for _, name in ipairs {{ {} }} do
            local f = here[name] or _ENV[name]
            if type(f) ~= 'function' then print(name) end
          end
        end)",
        names.join(", ")
    );
    assert_eq!(printed(&game(&script).expect("a sound script")), [""; 0]);
}

#[test]
fn every_member_of_a_value_that_is_declared_can_be_read() {
    let values = [
        ("piece", "piece 'a'"),
        ("space", "space '0505'"),
        ("list", "pieces{}"),
        ("effect", "start_effect('fog')"),
        ("reach", "reach { profile = 'foot', from = space '0505', points = 1 }"),
        ("sight", "sight { from = '0505', to = '0506' }"),
        ("picture", "sight_all { from = '0505' }"),
    ];
    let mut script = String::from("procedure('main', {}, function() local v, x\n");
    for (class, value) in values {
        let class = CLASSES.iter().find(|own| own.name == class).expect("a class");
        script.push_str(&format!("v = {value}\n"));
        for (name, ..) in class.fields {
            script.push_str(&format!("x = v.{name}\n"));
        }
        for (name, ..) in class.methods {
            script.push_str(&format!(
                "if type(v.{name}) ~= 'function' then print('{}:{name}') end\n",
                class.name
            ));
        }
    }
    script.push_str("end)");
    let tables = "[sight.plain]\nlevel = \"level\"\n[profile.foot]\nterrain = { clear = 1 }\n";
    let game = support::load(tables, &support::hexes(&[]), &[("main.lua", &script)]).expect("a sound script");
    assert_eq!(printed(&game), [""; 0]);
}

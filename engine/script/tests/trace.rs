//! Traces in segments, as supply is traced.

mod support;

use support::{call, hexes, load};

const TABLES: &str = r#"
[link]
one = { a = "0503", b = "0504", kind = "rail", oneway = true }
two = { a = "0504", b = "0505", kind = "rail", oneway = true }
three = { a = "0505", b = "0506", kind = "rail", oneway = true }
"#;

/// What a script prints, or how it fails.
fn printed(body: &str) -> String {
    let script = format!(
        "procedure('probe', {{}}, function() {body} end) procedure('main', {{}}, function() return 'done' end)"
    );
    let game = load(TABLES, &hexes(&[("0801", "sea,7"), ("1201", "sea,7")]), &[("main.lua", &script)])
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    match call(&game, "probe", Vec::new()).1 {
        Ok(()) => game.host.printed().join("\n"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn so_many_steps_then_along_a_network_then_one_hop() {
    let rail = "local how = { to = { space '0506' }, by = { { steps = 1 }, { over = 'rail' } } }";
    // One step to the railway, along it to the source.
    assert_eq!(
        printed(&format!(
            "{rail} print(table.concat(ids(trace_way(how, '0502')), ' '))
        end) function ids(list) local t = {{}} for i, s in ipairs(list) do t[i] = s.id end return t end
        procedure('rest', {{}}, function()"
        )),
        "0502 0503 0504 0505 0506"
    );
    assert_eq!(
        printed(&format!("{rail} print(trace_way(how, '0501'), trace(how):has(space '0501'))")),
        "nil\tfalse"
    );
    // Against the direction of its links there is no way, unless what flows comes from the source.
    let back = rail.replace("'0506'", "'0503'");
    assert_eq!(printed(&format!("{back} print(trace(how):has(space '0506'))")), "false");
    let outward = back.replace("over = 'rail'", "over = 'rail', outward = true");
    assert_eq!(printed(&format!("{outward} print(trace(how):has(space '0506'))")), "true");
    // Ports of one sea: they share a printed field.
    let ports = "local how = { to = { space '1201' }, by = { { steps = 2 }, { hop = 'level', steps = 1 } } }";
    assert_eq!(
        printed(&format!("{ports} print(trace(how):has(space '0803'), trace(how):has(space '0804'))")),
        "true\tfalse"
    );
    assert_eq!(
        printed(&format!("{ports} how.by[2].needed = true print(trace(how):has(space '1202'))")),
        "false"
    );
}

#[test]
fn what_is_blocked_is_gone_round_and_a_lifted_block_is_not() {
    let enemy = "local enemy = spaces{}:filter(function(s) return s.id == '0505' end)
        local how = { to = { space '0506' }, by = { { over = 'rail', blocked = enemy } } }";
    assert_eq!(
        printed(&format!("{enemy} print(trace(how):has(space '0504'), trace(how):has(space '0505'))")),
        "false\tfalse"
    );
    assert_eq!(
        printed(&format!("{enemy} how.blocked_start = true print(trace(how):has(space '0505'))")),
        "true"
    );
    assert_eq!(
        printed(&format!(
            "{enemy} how.by[1].blocked = enemy:minus(space '0505') print(trace(how):has(space '0503'))"
        )),
        "true"
    );
}

#[test]
fn what_is_written_wrongly_is_told() {
    for (how, words) in [
        ("{ to = {}, by = 5 }", "`by`"),
        ("{ to = {}, by = { 5 } }", "`by`: expected a list of segments, found 5"),
        ("{ to = {}, by = { { over = 'rial' } } }", "`over`: no network rial; nearest: rail"),
        ("{ to = {}, by = { { hop = 'see' } } }", "`hop`: no printed field `see` of spaces"),
        ("{ to = {}, by = { { outward = true } } }", "`outward`: only links of a network have a direction"),
        ("{ to = {}, bye = {} }", "`bye`: there is no such key; nearest: by"),
    ] {
        let said = printed(&format!("trace{how}"));
        assert!(said.contains(words), "{how}\n  expected: {words}\n  said: {said}");
    }
}

//! Lua itself as the judge of the tokens and the counters: generated sources, with everything a text or comment can hold.

use super::{Token, tokens};
use crate::meter::{TURNS, metered};
use mlua::{HookTriggers, Lua, MultiValue};
use proptest::prelude::*;
use std::cell::Cell;
use std::rc::Rc;

/// What may stand between two tokens; each is at least one space or comment to Lua.
fn gap() -> impl Strategy<Value = String> {
    let inside = "[a-z '\"\\[\\]=\\\\-]{0,8}";
    prop_oneof![
        4 => Just(" ".to_string()),
        4 => "[ \t\x0b\x0c\r\n]{1,3}",
        2 => (inside, prop_oneof![Just("\n"), Just("\r"), Just("\r\n"), Just("\n\r")])
            .prop_map(|(text, end)| format!(" --x{text}{end}")),
        1 => (inside, Just("\r")).prop_map(|(text, end)| format!(" --[={text}{end}"))
            .prop_filter("not a long comment", |text| !text.starts_with(" --[=[") && !text.starts_with(" --[==[") && !text.starts_with(" --[===[")),
        2 => long().prop_map(|text| format!(" --{text}")),
    ]
}

/// A text in long brackets, full of what could be taken for its end.
fn long() -> impl Strategy<Value = String> {
    ("[\\]=\\[\n\r'\" a-z\\\\]{0,12}", 0..3usize).prop_map(|(inside, level)| {
        let level = "=".repeat(level + usize::from(inside.contains(']')) * 3);
        format!("[{level}[{}]{level}]", inside.replace(&format!("]{level}]"), ""))
    })
}

/// A text in quotes, full of what could be taken for its end.
fn quoted() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-z -]{1,3}",
        1 => Just(" while true do end ".to_string()),
        4 => prop_oneof![
            Just("\\n"), Just("\\\\"), Just("\\\""), Just("\\'"), Just("\\z"), Just("\\065"), Just("\\7"),
            Just("\\x4a"), Just("\\u{48}"), Just("\\\n"), Just("\\\r"), Just("\\\r\n"), Just("\\\n\r"), Just("\\a"),
            Just("--"), Just("[["), Just("]]"),
        ].prop_map(str::to_string),
        3 => "[ \t\n\r\x0b\x0c]{0,4}".prop_map(|space| format!("\\z{space}")),
    ];
    (proptest::collection::vec(part, 0..5), any::<bool>()).prop_map(|(parts, double)| {
        let (quote, other) = if double { ('"', '\'') } else { ('\'', '"') };
        format!("{quote}{}{other}{quote}", parts.concat())
    })
}

fn number() -> impl Strategy<Value = String> {
    proptest::sample::select(vec![
        "0", "3", "0x1p4", "0xA.8p-1", "3e-2", "3.", ".5", "5e+1", "0x.1", "0Xe", "1E2", "0xep1", "3.14",
    ])
    .prop_map(str::to_string)
}

/// An expression that can be worked out without harm.
fn expression() -> impl Strategy<Value = Vec<String>> {
    let leaf = prop_oneof![
        quoted(),
        long(),
        number(),
        Just("x".to_string()),
        Just("true".to_string()),
        Just("_do".to_string()),
        Just("end1".to_string()),
    ]
    .prop_map(|word| vec![word]);
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            (inner.clone(), prop_oneof![Just("=="), Just("~="), Just("and"), Just("or")], inner.clone())
                .prop_map(|(a, sign, b)| [a, words(sign), b].concat()),
            inner.clone().prop_map(|a| [words("("), a, words(")")].concat()),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| [
                words("{ a ="),
                a,
                words(", [ ("),
                b,
                words(") == 1 ] = 1 , ... }")
            ]
            .concat()),
            inner.clone().prop_map(|a| [words("function ( a , ... ) local b ="), a, words("end")].concat()),
            inner.prop_map(|a| [words("not"), a].concat()),
        ]
    })
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_string).collect()
}

/// Statements that end by themselves, and in the midst of them one that never does, if it is asked for.
fn program(endless: bool) -> impl Strategy<Value = Vec<String>> {
    let plain = || {
        prop_oneof![
            expression().prop_map(|e| [words("local x ="), e].concat()),
            expression().prop_map(|e| [words("x ="), e, words(";")].concat()),
            expression().prop_map(|e| [words("if"), e, words("then x = 1 elseif x then x = 2 else x = 3 end")].concat()),
            expression().prop_map(|e| [words("for i = 1 , 2 do local y ="), e, words("end")].concat()),
            expression().prop_map(|e| [words("repeat local y ="), e, words("until true")].concat()),
            expression().prop_map(|e| [words("while false do local y ="), e, words("end")].concat()),
            expression().prop_map(|e| [words("local function f ( a , b , ... ) local y ="), e, words("end")].concat()),
            expression().prop_map(|e| [words("function t.a.b : c ( ... ) local y ="), e, words("end")].concat()),
            expression().prop_map(|e| [words("do local y ="), e, words("goto l ::l:: end")].concat()),
        ]
    };
    let ending = proptest::sample::select(vec![
        "while true do end",
        "repeat until false",
        "repeat local z = 1 until z == 2",
        "do ::again:: goto again end",
        "for i = 1 , 9e15 do end",
        "for i in function ( ) return 1 end do end",
        "local function deep ( n ) return deep ( n + 1 ) end deep ( 1 )",
        "local g function g ( n ) return g ( ) end g ( )",
    ]);
    let plain_list = || proptest::collection::vec(plain(), 0..4).prop_map(|list| list.concat());
    (plain_list(), ending, plain_list()).prop_map(move |(before, ending, after)| {
        let ending = if endless { words(ending) } else { Vec::new() };
        [before, ending, after].concat()
    })
}

/// The tokens of a program with gaps between them.
fn source(endless: bool) -> impl Strategy<Value = String> {
    let gaps = proptest::collection::vec(gap(), 8);
    (program(endless), gaps).prop_map(|(tokens, gaps)| {
        let mut text = String::from("t = {a={b={}}} ");
        for (token, gap) in tokens.iter().zip(gaps.iter().cycle()) {
            text.push_str(token);
            text.push_str(gap);
        }
        text
    })
}

fn loads(lua: &Lua, text: &str) -> Result<(), String> {
    lua.load(text).set_name("=x").into_function().map(drop).map_err(|error| error.to_string())
}

/// Where tokens begin that are neither texts nor the rest of a sign of two bytes, such as `==`.
fn beginnings(source: &str) -> Vec<usize> {
    let (mut found, mut after_sign) = (Vec::new(), usize::MAX);
    for token in tokens(source) {
        match token {
            Token::Word(range) | Token::Number(range) => found.push(range.start),
            Token::Sign(at) => {
                if after_sign != at {
                    found.push(at);
                }
                after_sign = at + 1;
            }
            Token::Text(_) | Token::Broken(_) => {}
        }
    }
    found
}

/// How many counters a script was given.
fn counters(metered: &str) -> usize {
    metered.matches("__turns<0").count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A byte that no token begins with, put before a byte: Lua stops at it if that byte is code, and not if it is in a text.
    #[test]
    fn code_is_code_to_lua_and_texts_are_texts(source in source(false)) {
        let lua = Lua::new();
        prop_assert_eq!(loads(&lua, &source), Ok(()));
        let probed = |at: usize| loads(&lua, &format!("{}@{}", &source[..at], &source[at..]));
        let stopped = |found: &Result<(), String>| found.as_ref().is_err_and(|why| why.contains("near '@'"));
        for at in beginnings(&source) {
            let found = probed(at);
            prop_assert!(stopped(&found), "{at} of {source:?}: {found:?}");
        }
        let texts = tokens(&source).filter_map(|token| match token { Token::Text(range) => Some(range), _ => None });
        for at in texts.flatten() {
            let found = probed(at);
            prop_assert!(!stopped(&found), "{at} of {source:?}: {found:?}");
        }
    }

    /// The counters change nothing about what is Lua, and there is one for each loop, function, block and jump.
    #[test]
    fn every_loop_has_its_counter(source in source(false)) {
        let lua = Lua::new();
        let text = metered(&source, |_| false).expect("it is Lua");
        prop_assert_eq!(loads(&lua, &text), Ok(()));
        // The words of the program were put together from these; texts hold some too, and are not counted.
        let counted = tokens(&source).filter(|token| match token {
            Token::Word(range) => matches!(&source[range.clone()], "do" | "repeat" | "function" | "goto"),
            _ => false,
        });
        prop_assert_eq!(counters(&text), counted.count());
    }

    #[test]
    fn whatever_never_ends_is_counted(source in source(true)) {
        let lua = Lua::new();
        prop_assert_eq!(loads(&lua, &source), Ok(()));
        let text = metered(&source, |_| false).expect("it is Lua");
        let looks = Rc::new(Cell::new(0));
        let seen = looks.clone();
        let meter = lua.create_function(move |_, _: MultiValue| {
            seen.set(seen.get() + 1);
            if seen.get() > 20 { Err(mlua::Error::runtime("endless")) } else { Ok(TURNS) }
        }).expect("a function");
        // Should the meter be passed by, this ends the test.
        lua.set_hook(HookTriggers::new().every_nth_instruction(2_000_000), |_, _| Err(mlua::Error::runtime("not counted")))
            .expect("a hook");
        let found = lua.load(&text).set_name("=x").into_function().and_then(|f| f.call::<()>(meter));
        let error = found.err().map(|error| error.to_string()).unwrap_or_default();
        prop_assert!(error.contains("endless") || error.contains("stack overflow"), "{source:?}: {error}");
    }

    /// Any bytes at all: what Lua takes is taken, and what is refused here Lua refuses.
    #[test]
    fn soups_load_with_counters_if_they_load_without(parts in proptest::collection::vec(prop_oneof![
        proptest::sample::select(vec![
            "\\", "\"", "'", "[", "[[", "]]", "[=[", "]=]", "=", "--", "\n", "\r", "\\z", "\\x", "\\u{", "}", "1", ".", "..", "0x",
            "e", "-", "local x =", "do", "end", "while", "x", "repeat", "until", "function", "(", ")", "goto", "a", "::", ";", "#", "#!",
            " ", "\t", "\x0b", "\x0c", "\0", "ä", "return", "nil",
        ]).prop_map(str::to_string),
        quoted(),
        long(),
        number(),
    ], 0..14)) {
        let lua = Lua::new();
        let source = parts.concat();
        let plain = loads(&lua, &source);
        match metered(&source, |_| false) {
            Ok(text) => prop_assert_eq!(plain.is_ok(), loads(&lua, &text).is_ok(), "{:?}: {:?}", source, plain),
            Err(why) => prop_assert!(plain.is_err(), "{source:?}: {why:?}"),
        }
    }
}

//! Answers as text: the stable symbolic names under which records and people write them.

use sandtable_kernel::symbol::Sym;
use sandtable_script::{Choice, Decision, Offered, Opt, ScriptContext, Val};
use thiserror::Error;

/// Why a text is not an answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// No option has that name.
    #[error("`{}` is not among the options{hint}", crate::replay::short(text))]
    NotOffered {
        /// What was written.
        text: String,
        /// The nearest options.
        hint: String,
    },
    /// A selection breaks a bound.
    #[error("{0}")]
    Selection(String),
}

/// A value as records write it: numbers carry a `#`, because spaces may be called 1724.
fn exact(cx: &ScriptContext, val: Val) -> String {
    match val {
        Val::Int(n) => format!("#{n}"),
        Val::Bool(b) => format!("#{b}"),
        val => cx.name(val),
    }
}

/// An option as records write it: `value`, `offer/value` in a menu, `(done)` for none.
pub fn exact_option(cx: &ScriptContext, opt: Opt) -> String {
    match opt {
        Opt { tag, val: Val::Sym(sym) } if tag == sym => format!("({})", cx.text(sym)),
        Opt { tag, val } if tag.is_none() => exact(cx, val),
        Opt { tag, val: Val::Nil } => format!("{}/", cx.text(tag)),
        Opt { tag, val } => format!("{}/{}", cx.text(tag), exact(cx, val)),
    }
}

/// An option as people write it: `value`, `offer value`, `done`.
pub fn plain_option(cx: &ScriptContext, opt: Opt) -> String {
    match opt {
        Opt { tag, val: Val::Sym(sym) } if tag == sym => cx.text(sym),
        Opt { tag, val } if tag.is_none() => cx.name(val),
        Opt { tag, val: Val::Nil } => cx.text(tag),
        Opt { tag, val } => format!("{} {}", cx.text(tag), cx.name(val)),
    }
}

/// An answer as records write it.
pub fn exact_choice(cx: &ScriptContext, choice: &Choice) -> String {
    match choice {
        Choice::One(opt) => exact_option(cx, *opt),
        Choice::Many(chosen) => {
            let items: Vec<String> = chosen
                .iter()
                .map(|&(val, n)| if n == 1 { exact(cx, val) } else { format!("{}*{n}", exact(cx, val)) })
                .collect();
            format!("[{}]", items.join(" "))
        }
    }
}

/// Reads a value as `exact` writes it.
fn read_exact(cx: &ScriptContext, text: &str) -> Val {
    if let Some(rest) = text.strip_prefix('#') {
        return match rest {
            "true" => Val::Bool(true),
            "false" => Val::Bool(false),
            n => n.parse().map_or(Val::Nil, Val::Int),
        };
    }
    read_name(cx, text)
}

/// Reads a name: a space, a piece, or a symbol.
pub fn read_name(cx: &ScriptContext, text: &str) -> Val {
    if let Some(space) = cx.world.find_space(text) {
        return Val::Space(space.0);
    }
    if let Some(piece) = cx.world.find_piece(&cx.play.borrow().state, text) {
        return Val::Piece(piece);
    }
    Val::Sym(cx.sym(text))
}

/// Reads an answer as a record writes it, without knowing the options.
pub fn read_choice(cx: &ScriptContext, text: &str) -> Choice {
    if let Some(items) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let chosen = items.split_whitespace().map(|item| match item.rsplit_once('*') {
            Some((name, n)) if n.parse::<u32>().is_ok() => (read_exact(cx, name), n.parse().unwrap_or(1)),
            _ => (read_exact(cx, item), 1),
        });
        return Choice::Many(chosen.collect());
    }
    if let Some(none) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let sym = cx.sym(none);
        return Choice::One(Opt { tag: sym, val: Val::Sym(sym) });
    }
    match text.split_once('/') {
        Some((tag, "")) => Choice::One(Opt { tag: cx.sym(tag), val: Val::Nil }),
        Some((tag, val)) => Choice::One(Opt { tag: cx.sym(tag), val: read_exact(cx, val) }),
        None => Choice::One(Opt { tag: Default::default(), val: read_exact(cx, text) }),
    }
}

/// Finds the answer that a person or a case means: plain or exact names, checked against the options.
pub fn find_choice(cx: &ScriptContext, decision: &Decision, text: &str) -> Result<Choice, NameError> {
    let text = text.trim();
    match &decision.offered {
        Offered::List(options) => {
            let fits = |opt: &&Opt| exact_option(cx, **opt) == text || plain_option(cx, **opt) == text;
            match options.iter().find(fits) {
                Some(opt) => Ok(Choice::One(*opt)),
                None => {
                    let names: Vec<String> = options.iter().map(|opt| plain_option(cx, *opt)).collect();
                    let near = sandtable_data::suggest::nearest(text, names.iter().map(String::as_str));
                    let hint = if near.is_empty() {
                        String::new()
                    } else {
                        format!("; nearest: {}", near.join(", "))
                    };
                    Err(NameError::NotOffered { text: text.to_string(), hint })
                }
            }
        }
        Offered::Selection { values, .. } => {
            let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
            if inner == "none" || inner.is_empty() {
                return Ok(Choice::Many(Vec::new()));
            }
            let mut chosen: Vec<(Val, u32)> = Vec::new();
            for item in inner.split_whitespace() {
                let (name, n) = match item.rsplit_once('*') {
                    Some((name, n)) if n.parse::<u32>().is_ok() => (name, n.parse().unwrap_or(1)),
                    _ => (item, 1),
                };
                let Some(&val) = values.iter().find(|&&val| cx.name(val) == name || exact(cx, val) == name)
                else {
                    let names: Vec<String> = values.iter().map(|&val| cx.name(val)).collect();
                    let near = sandtable_data::suggest::nearest(name, names.iter().map(String::as_str));
                    let hint = if near.is_empty() {
                        String::new()
                    } else {
                        format!("; nearest: {}", near.join(", "))
                    };
                    return Err(NameError::NotOffered { text: name.to_string(), hint });
                };
                match chosen.iter_mut().find(|(other, _)| *other == val) {
                    Some(entry) => entry.1 += n,
                    None => chosen.push((val, n)),
                }
            }
            // In the order of the offer, so that equal selections are equal answers.
            chosen.sort_by_key(|(val, _)| values.iter().position(|other| other == val));
            Ok(Choice::Many(chosen))
        }
    }
}

/// The option that a person means although it may not be offered: one of the wide list, else whatever has that name.
pub fn meant(cx: &ScriptContext, decision: &Decision, text: &str) -> Opt {
    let fits = |opt: &&Opt| {
        plain_option(cx, **opt) == text || exact_option(cx, **opt) == text || cx.name(opt.val) == text
    };
    if let Some(opt) = decision.candidates.iter().find(fits) {
        return *opt;
    }
    if let Some((tag, val)) = text.split_once(' ').filter(|_| decision.menu) {
        return Opt { tag: cx.sym(tag), val: read_name(cx, val.trim()) };
    }
    match read_choice(cx, text) {
        Choice::One(opt) => opt,
        Choice::Many(_) => Opt { tag: Sym::NONE, val: Val::Nil },
    }
}

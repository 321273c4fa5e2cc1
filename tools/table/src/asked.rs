//! Decisions as JSON for the seat that owes them, and what comes back: answers, and questions about refusals.

use crate::board;
use crate::json::{Json, Members};
use crate::refusal::Refusal;
use crate::thing::{label, refer, reference, word};
use sandtable_data::catalog::Catalog;
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::search::Barrier;
use sandtable_kernel::state::PieceId;
use sandtable_kernel::world::{Named, SideId, World};
use sandtable_script::{Choice, Decision, Host, Kind, Offered, Opt, Reason, ScriptContext, Val};
use sandtable_session::view::{self, Viewer};
use sandtable_session::{Session, Unreached, changes, names};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Most refused options that are listed.
const REFUSED: usize = 300;

/// An answer as the page sends it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AnswerRequest {
    /// Id of the decision.
    pub decision: String,
    /// The name of an option.
    #[serde(default)]
    pub choice: Option<String>,
    /// Names and numbers of a selection.
    #[serde(default)]
    pub chosen: Option<BTreeMap<String, u32>>,
}

/// The id of a decision: the nonce of the moment at which it is asked, and who is asked. Nothing of the position is in it.
pub fn decision_id(nonce: &str, world: &World, decision: &Decision) -> String {
    format!("{nonce}-{}", world.side_name(decision.side))
}

/// The decision of that id, if it is still owed.
pub fn find(session: &Session, nonce: &str, id: &str) -> Result<usize, Refusal> {
    let world = &session.game().definition.world;
    let asked = |decision: &Decision| decision_id(nonce, world, decision) == id;
    session.decisions().iter().position(asked).ok_or_else(Refusal::stale)
}

/// A decision for the seat that owes it.
pub fn decision(host: &Host, catalog: &Catalog, id: &str, decision: &Decision, rules: &[String]) -> String {
    let cx = &**host.cx();
    let subjects = host.subjects(decision);
    Json::object(|out| {
        out.put("id", id);
        out.put("side", cx.world.side_name(decision.side));
        out.put("prompt", &cx.text(decision.prompt));
        out.put("text", &changes::question(host, decision));
        out.put("rule", rules);
        out.put("menu", &decision.menu);
        out.object("about", |about| {
            for (name, val) in &subjects {
                about.object(name, |thing| refer(cx, thing, *val));
            }
        });
        // What is to be placed or bought lies nowhere yet, so the picture does not tell what is printed on it.
        out.object("protos", |components| {
            let offered: Vec<Val> = match &decision.offered {
                Offered::List(options) => options.iter().map(|opt| opt.val).collect(),
                Offered::Selection { values, .. } => values.clone(),
            };
            let named = subjects.iter().map(|(_, val)| *val).chain(offered);
            for number in named.filter_map(|val| proto_number(cx, val)).collect::<BTreeSet<u32>>() {
                if let Some(component) = cx.world.components.get(number as usize) {
                    components.put(
                        cx.world.symbols.text(component.id),
                        &board::component(&cx.world, catalog, component),
                    );
                }
            }
        });
        match &decision.offered {
            Offered::List(options) => {
                out.put("kind", "list");
                out.list("options", |items| {
                    options.iter().for_each(|opt| items.object(|out| option(cx, out, *opt)));
                });
            }
            Offered::Selection { values, items, bounds, test, .. } => {
                out.put("kind", "selection");
                out.list("items", |list| {
                    for (val, item) in values.iter().zip(items) {
                        list.object(|out| {
                            refer(cx, out, *val);
                            out.put("name", &cx.name(*val));
                            out.put("label", &label(cx, *val));
                            out.put("cost", &item.cost);
                            out.put("most", &item.most);
                        });
                    }
                });
                out.put("min", &bounds.min);
                out.put("max", &bounds.max);
                out.put("at_least", &bounds.at_least);
                out.put("at_most", &Some(bounds.at_most).filter(|most| *most < i32::MAX));
                out.put("test", &test.is_some());
            }
        }
    })
}

/// The row of the component list that a word names.
fn proto_number(cx: &ScriptContext, val: Val) -> Option<u32> {
    let Val::Sym(sym) = val else { return None };
    match cx.world.names.get(&sym) {
        Some(Named::Component(number)) => Some(*number),
        _ => None,
    }
}

/// An option of a list: its name, a label, and what it touches.
fn option(cx: &ScriptContext, out: &mut Members<'_>, opt: Opt) {
    let none = opt.val == Val::Sym(opt.tag);
    if !none {
        refer(cx, out, opt.val);
    }
    out.put("name", &names::exact_option(cx, opt));
    out.put("label", &option_label(cx, opt));
    if none {
        out.put("none", &true);
    } else if !opt.tag.is_none() {
        out.put("offer", &cx.text(opt.tag));
        out.put("offer_label", &word(cx, opt.tag));
    }
}

/// An option in words.
fn option_label(cx: &ScriptContext, opt: Opt) -> String {
    match opt {
        Opt { tag, val } if val == Val::Sym(tag) => word(cx, tag),
        Opt { tag, val } if tag.is_none() => label(cx, val),
        Opt { tag, val: Val::Nil } => word(cx, tag),
        Opt { tag, val } => format!("{}: {}", word(cx, tag), label(cx, val)),
    }
}

/// An answer in words.
pub fn choice_label(cx: &ScriptContext, choice: &Choice) -> String {
    match choice {
        Choice::One(opt) => option_label(cx, *opt),
        Choice::Many(chosen) => {
            let item = |(val, n): &(Val, u32)| match n {
                1 => label(cx, *val),
                n => format!("{n} × {}", label(cx, *val)),
            };
            let items: Vec<String> = chosen.iter().map(item).collect();
            if items.is_empty() { "–".into() } else { items.join(", ") }
        }
    }
}

/// Reads an answer against the decision it is given to.
pub fn choice(session: &mut Session, which: usize, given: &AnswerRequest) -> Result<Choice, Refusal> {
    let Some(decision) = session.decisions().get(which).cloned() else { return Err(Refusal::stale()) };
    session.look(|host| {
        let cx = host.cx();
        match (&decision.offered, &given.choice, &given.chosen) {
            (Offered::List(options), Some(name), None) => {
                let exact = options.iter().find(|opt| names::exact_option(cx, **opt) == *name);
                match exact {
                    Some(opt) => Ok(Choice::One(*opt)),
                    None => names::find_choice(cx, &decision, name)
                        .map_err(|error| Refusal::refused("not-offered", error.to_string())),
                }
            }
            (Offered::Selection { values, .. }, None, Some(chosen)) => {
                let known: Vec<String> = values.iter().map(|val| cx.name(*val)).collect();
                if let Some(other) = chosen.keys().find(|name| !known.contains(name)) {
                    return Err(Refusal::refused(
                        "not-offered",
                        format!("`{other}` is not among the things to choose"),
                    ));
                }
                let counted = values
                    .iter()
                    .zip(&known)
                    .map(|(val, name)| (*val, chosen.get(name).copied().unwrap_or(0)));
                Ok(Choice::Many(counted.filter(|(_, n)| *n > 0).collect()))
            }
            (Offered::List(_), ..) => Err(Refusal::bad("Expected `choice`, the name of an option.")),
            (Offered::Selection { .. }, ..) => Err(Refusal::bad("Expected `chosen`, names with numbers.")),
        }
    })
}

/// A refusal with its rule, as the side reads it that is asked.
fn reason(cx: &ScriptContext, side: SideId, reason: &Reason) -> Value {
    let viewer = Viewer::Side(side);
    let (id, rules) = match cx.registry.borrow().handlers.get(reason.handler as usize) {
        Some(handler) => (handler.id.clone(), handler.rules.clone()),
        None => (String::new(), Vec::new()),
    };
    let text = view::seen_sentence(cx, viewer, &reason.text, &reason.args);
    let seen = |arg: &&Val| match arg {
        Val::Piece(piece) => view::sees_face(&cx.world, &cx.play.borrow().state, viewer, PieceId(*piece)),
        _ => true,
    };
    let things: Vec<Value> = reason.args.iter().filter(seen).map(|arg| reference(cx, *arg).into()).collect();
    json!({ "text": text, "rule": rules, "handler": id, "things": things })
}

fn offers(decision: &Decision, opt: Opt) -> bool {
    match &decision.offered {
        Offered::List(options) => options.contains(&opt),
        Offered::Selection { values, .. } => values.contains(&opt.val),
    }
}

/// Why an option is refused.
pub fn why(session: &mut Session, which: usize, text: &str) -> Result<Value, Refusal> {
    let Some(decision) = session.decisions().get(which).cloned() else { return Err(Refusal::stale()) };
    let opt = session.look(|host| names::meant(host.cx(), &decision, text.trim()));
    let (offered, listed) = (offers(&decision, opt), decision.candidates.contains(&opt));
    let reasons = if offered { Vec::new() } else { session.why(which, opt)? };
    let reach = if offered || listed { None } else { session.out_of_reach(which, opt)? };
    Ok(session.look(|host| {
        let cx = host.cx();
        let reasons: Vec<Value> = reasons.iter().map(|found| reason(cx, decision.side, found)).collect();
        let far = reach.map(|found| far(&cx.world, &found));
        json!({ "offered": offered, "listed": listed, "reasons": reasons, "reach": far, "passed": passed(cx, &decision) })
    }))
}

/// Why a space is out of reach: what bars the way to it, the way, and the rule.
fn far(world: &World, found: &Unreached) -> Value {
    let name = |space: SpaceId| world.space_name(space);
    let mut said = match found.barrier {
        Barrier::Blocked { at } => json!({ "kind": "blocked", "at": name(at) }),
        Barrier::Stop { at } => json!({ "kind": "stop", "at": name(at) }),
        Barrier::FirstStepOnly { at } => json!({ "kind": "first-step", "at": name(at) }),
        Barrier::Prohibited { from, to, .. } => {
            json!({ "kind": "prohibited", "from": name(from), "to": name(to) })
        }
        Barrier::Between { from, to } => json!({ "kind": "between", "from": name(from), "to": name(to) }),
        Barrier::TooExpensive { need, have } => json!({ "kind": "cost", "need": need, "have": have }),
        Barrier::TooManySteps { need, have } => json!({ "kind": "steps", "need": need, "have": have }),
        Barrier::NoEnd { at } => json!({ "kind": "no-end", "at": name(at) }),
        Barrier::Start => json!({ "kind": "start" }),
        Barrier::NotConnected => json!({ "kind": "no-way" }),
    };
    said["path"] = found.path.iter().map(|space| json!(name(*space))).collect();
    said["rule"] = json!(found.rules);
    said
}

/// The rules that have a say in a decision.
fn passed(cx: &ScriptContext, decision: &Decision) -> Vec<Value> {
    let registry = cx.registry.borrow();
    let handlers = registry.of(Kind::Forbid, decision.prompt).iter();
    let handlers = handlers.filter_map(|&number| registry.handlers.get(number as usize));
    handlers.map(|handler| json!({ "handler": handler.id, "rule": handler.rules })).collect()
}

/// Everything that the rules refuse of what a decision is about.
pub fn refused(session: &mut Session, which: usize) -> Result<Value, Refusal> {
    let Some(decision) = session.decisions().get(which).cloned() else { return Err(Refusal::stale()) };
    let out: Vec<Opt> = decision.candidates.iter().copied().filter(|opt| !offers(&decision, *opt)).collect();
    let mut listed = Vec::new();
    for &opt in out.iter().take(REFUSED) {
        let reasons = session.why(which, opt)?;
        listed.push(session.look(|host| {
            let cx = host.cx();
            let mut shown: Value =
                serde_json::from_str(&Json::object(|out| option(cx, out, opt))).unwrap_or_default();
            shown["reasons"] = reasons.iter().map(|found| reason(cx, decision.side, found)).collect();
            shown
        }));
    }
    Ok(json!({ "refused": listed, "more": out.len().saturating_sub(REFUSED) }))
}

//! `why` on the terminal: the rules for and against anything, offered or not, and where it would be asked.

use crate::out;
use crate::terminal::choice;
use crate::terminal_names::{Thing, find, nearest, titled};
use sandtable_kernel::symbol::Sym;
use sandtable_script::{Choice, Decision, Kind, Offered, Opt, Reason, ScriptContext, Val};
use sandtable_session::{Game, Session, names, reason_text};
use std::collections::BTreeSet;

/// Things that are listed at most.
const MOST: usize = 12;

/// Why something is, or is not, among the options. True if it is.
pub fn why(session: &mut Session, which: usize, text: &str) -> (bool, String) {
    let Some(decision) = session.decisions().get(which).cloned() else {
        return (false, "nothing is asked".into());
    };
    let side = session.game().definition.world.sides[decision.side.0 as usize].1.clone();
    let head = session.look(|host| format!("{side}, {}: ", host.cx().text(decision.prompt)));
    let text = text.trim();
    if let Ok(found) = choice(session, which, text) {
        if let Err(error) = session.check_answer(which, &found) {
            return (false, format!("{head}{error}"));
        }
        let name = session.look(|host| match &found {
            Choice::One(opt) => names::plain_option(host.cx(), *opt),
            many @ Choice::Many(_) => names::exact_choice(host.cx(), many),
        });
        let rules = session.look(|host| passed(host.cx(), &decision));
        return (true, out::line(&format!("{head}{name} is offered{rules}")).into_owned());
    }
    if let Some((fine, answer)) = session.look(|host| whole_offer(host.cx(), &decision, text)) {
        return (fine, out::line(&format!("{head}{answer}")).into_owned());
    }
    let opt = session.look(|host| meant(host.cx(), &decision, text));
    if let Offered::List(options) = &decision.offered
        && options.contains(&opt)
    {
        let (name, rules) =
            session.look(|host| (names::plain_option(host.cx(), opt), passed(host.cx(), &decision)));
        return (true, out::line(&format!("{head}{name} is offered{rules}")).into_owned());
    }
    let listed = decision.candidates.contains(&opt);
    // Rules are asked only about things of the kind that the decision is about: about others they may fail.
    let kind = std::mem::discriminant(&opt.val);
    let likely = listed || decision.candidates.iter().any(|other| std::mem::discriminant(&other.val) == kind);
    let reasons = if likely { session.why(which, opt).unwrap_or_default() } else { Vec::new() };
    let game = session.game().clone();
    let texts: Vec<String> = session.look(|host| {
        let text = |reason: &Reason| {
            let said = format!("{}{}", reason_text(host.cx(), reason), layer_of(&game, reason.handler));
            out::line(&said).into_owned()
        };
        reasons.iter().map(text).collect()
    });
    let text = out::line(text);
    let answer = match (listed, texts.is_empty()) {
        (true, false) => format!("{head}{text} is refused\n  {}", texts.join("\n  ")),
        (false, false) => {
            format!("{head}{text} is not listed, and would be refused\n  {}", texts.join("\n  "))
        }
        (true, true) => format!("{head}{text} is listed; no rule refuses it alone"),
        (false, true) => match session.out_of_reach(which, opt) {
            Ok(Some(far)) => {
                let rules = bracketed(&far.rules);
                format!("{head}{text} is out of reach: {}{rules}", far.text)
            }
            _ => format!("{head}{}", out::line(&unlisted(session, &decision, opt, &text))),
        },
    };
    (false, answer)
}

/// The option that a person means: as the engine reads it, or a thing by its title.
fn meant(cx: &ScriptContext, decision: &Decision, text: &str) -> Opt {
    let opt = names::meant(cx, decision, text);
    let Val::Sym(word) = opt.val else { return opt };
    if decision.candidates.contains(&opt) {
        return opt;
    }
    let Some(found) = find(cx, &cx.text(word)).and_then(|thing| thing.val(cx)) else { return opt };
    // Without an offer it is whatever the decision lists with that thing.
    let own = |other: &&Opt| opt.tag.is_none() && other.val == found;
    decision.candidates.iter().find(own).copied().unwrap_or(Opt { val: found, ..opt })
}

/// What to say of an offer of this menu that is named without a value: what it takes, or that it takes nothing now.
fn whole_offer(cx: &ScriptContext, decision: &Decision, text: &str) -> Option<(bool, String)> {
    let name = text.strip_suffix('/').unwrap_or(text);
    let registry = cx.registry.borrow();
    let of_menu = registry.of(Kind::Offer, decision.prompt).iter();
    let offer = of_menu
        .filter_map(|&number| registry.handlers.get(number as usize))
        .find(|offer| offer.id == name)?;
    let rules = bracketed(&offer.rules);
    let taken = taken(cx, decision, offer.sym);
    if taken.is_empty() {
        if decision.candidates.iter().any(|opt| opt.tag == offer.sym && opt.val == Val::Nil) {
            // It is listed alone: the rules against it are asked like any others.
            return None;
        }
        let candidates = decision.candidates.iter().filter(|opt| opt.tag == offer.sym).count();
        let why = match candidates {
            0 => "its condition does not hold, or there is nothing that it could take".to_string(),
            candidates => {
                format!("rules refuse all {candidates} things that it could take; ask about one of them")
            }
        };
        return Some((false, format!("{name}{rules} is not offered now: {why}")));
    }
    Some((true, format!("{name}{rules} is offered, with {taken}")))
}

/// What an offer can take now, in words.
fn taken(cx: &ScriptContext, decision: &Decision, offer: Sym) -> String {
    let Offered::List(options) = &decision.offered else { return String::new() };
    let own = options.iter().filter(|opt| opt.tag == offer && opt.val != Val::Nil);
    let names: Vec<String> = own.map(|opt| cx.name(opt.val)).collect();
    shortened(&names)
}

fn shortened(names: &[String]) -> String {
    let shown = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}

fn bracketed(rules: &[String]) -> String {
    if rules.is_empty() { String::new() } else { format!(" [{}]", rules.join(", ")) }
}

/// What to say of something that a decision does not list: what it is, what is asked instead, and where it would be asked.
fn unlisted(session: &mut Session, decision: &Decision, opt: Opt, text: &str) -> String {
    let before = asked_before(session, decision, opt);
    session.look(|host| {
        let cx = host.cx();
        let registry = cx.registry.borrow();
        let offers = || registry.handlers.iter().filter(|handler| handler.kind == Kind::Offer);
        // `march`, `march 0305` and `march/0305` all begin with the offer.
        let tag = if opt.tag.is_none() {
            if let Val::Sym(word) = opt.val { word } else { Sym::NONE }
        } else {
            opt.tag
        };
        let here = offers().find(|offer| offer.sym == tag && offer.target == decision.prompt);
        if let Some(offer) = here {
            let (name, rules) = (&offer.id, bracketed(&offer.rules));
            return match taken(cx, decision, tag) {
                none if none.is_empty() => {
                    format!("`{text}` is not among the options; {name}{rules} is not offered now")
                }
                taken => format!("`{text}` is not among the options; {name}{rules} can take {taken}"),
            };
        }
        let elsewhere: Vec<String> = offers()
            .filter(|offer| offer.sym == tag)
            .map(|offer| format!("{}{}", cx.text(offer.target), bracketed(&offer.rules)))
            .collect();
        if !elsewhere.is_empty() {
            let name = cx.text(tag);
            return format!(
                "`{text}` is not among the options; {name} is offered when {} is asked",
                elsewhere.join(" or ")
            );
        }
        let known = match opt.val {
            Val::Space(space) => Some(Thing::Space(space)),
            Val::Piece(piece) => Some(Thing::Piece(piece)),
            Val::Sym(word) => cx.side(word).map(Thing::Side),
            _ => None,
        };
        let Some(thing) = known else {
            let error = names::find_choice(cx, decision, text).err();
            let error = error.map_or_else(|| format!("`{text}` is not offered"), |error| error.to_string());
            let near = if error.contains("nearest") { String::new() } else { nearest(cx, text) };
            return format!("{error}; nothing has that name{near}");
        };
        let kind = kind_of(cx, thing);
        let asked = if before.is_empty() {
            String::new()
        } else {
            format!("; such things were chosen at {}", before.join(", "))
        };
        format!(
            "`{text}` is not among the options; {} is {kind}, and this decision does not list it{asked}",
            titled(cx, thing)
        )
    })
}

/// What sort of thing it is.
fn kind_of(cx: &ScriptContext, thing: Thing) -> String {
    let article = |word: &str| {
        let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']) && !word.starts_with("uni");
        format!("{} {word}", if vowel { "an" } else { "a" })
    };
    match thing {
        Thing::Game => "the game".into(),
        Thing::Side(_) => "a side".into(),
        Thing::Space(space) => {
            let kind =
                cx.world.spaces.get(space as usize).map_or("space", |def| cx.world.symbols.text(def.kind));
            article(kind)
        }
        Thing::Piece(piece) => {
            let play = cx.play.borrow();
            let kind = cx
                .world
                .component_of(&play.state, piece)
                .map_or("piece", |row| cx.world.symbols.text(row.kind));
            article(kind)
        }
    }
}

/// The prompts at which this side chose a thing of the same sort before in this game.
fn asked_before(session: &mut Session, decision: &Decision, opt: Opt) -> Vec<String> {
    let answers: Vec<(Sym, Choice)> = session
        .answers()
        .iter()
        .filter(|recorded| recorded.answer.side == decision.side && recorded.answer.prompt != decision.prompt)
        .map(|recorded| (recorded.answer.prompt, recorded.answer.choice.clone()))
        .collect();
    session.look(|host| {
        let cx = host.cx();
        let sort = |val: Val| match val {
            Val::Piece(piece) => Some(kind_of(cx, Thing::Piece(piece))),
            Val::Space(space) => Some(kind_of(cx, Thing::Space(space))),
            _ => None,
        };
        let Some(wanted) = sort(opt.val) else { return Vec::new() };
        let has = |choice: &Choice| match choice {
            Choice::One(one) => sort(one.val).as_ref() == Some(&wanted),
            Choice::Many(many) => many.iter().any(|(val, _)| sort(*val).as_ref() == Some(&wanted)),
        };
        let prompts: BTreeSet<String> =
            answers.iter().filter(|(_, choice)| has(choice)).map(|(prompt, _)| cx.text(*prompt)).collect();
        prompts.into_iter().take(4).collect()
    })
}

/// The layer that has the last word on a rule, if it is not the game itself.
pub fn layer_of(game: &Game, handler: u32) -> String {
    let registry = game.host.cx().registry.borrow();
    let layer = registry.decided(handler).map_or(0, |(layer, _)| layer);
    match game.stamps.get(usize::from(layer)).filter(|_| layer > 0) {
        Some(stamp) => format!(", layer {}", stamp.id),
        None => String::new(),
    }
}

/// The rules that might have refused an option, with their paragraphs.
fn passed(cx: &ScriptContext, decision: &Decision) -> String {
    let registry = cx.registry.borrow();
    let rules: Vec<String> = registry
        .of(Kind::Forbid, decision.prompt)
        .iter()
        .filter_map(|&number| registry.handlers.get(number as usize))
        .map(|handler| format!("{}{}", handler.id, bracketed(&handler.rules)))
        .collect();
    if rules.is_empty() { String::new() } else { format!("; none of these refuses it: {}", rules.join(", ")) }
}

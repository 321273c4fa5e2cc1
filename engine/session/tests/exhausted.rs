//! A VM that ran out of memory is thrown away; every session of its game goes on as if nothing had happened.

mod common;

use common::{DUEL, small};
use sandtable_script::{Choice, Host, Kind, MEMORY, Offered, Opt, Script, Task, Val};
use sandtable_session::{Game, Session, SessionError, Status, changes, check_round_trip, names};
use std::rc::Rc;

/// Rules that fill the memory wherever they are told to: in a procedure, a branch, a query, a list of options, a refusal, a preference,
/// an offer, a number, or the test of a selection.
const RULES: &str = r#"
local function burst() local s = "x" while true do s = s .. s end end

local camped = query("camped", { rule = "1" }, function() return pieces { kind = "unit", at = space "camp" } end)
local known = query("known", { rule = "1" }, function() return { field = space "field", names = { "a", "b" } } end)
local full = query("full", { rule = "1" }, function(where) if where == "query" then burst() end return { where } end)
number("weight", { rule = "1" }, function(n, where) if where == "number" then burst() end n:add(1) end)

procedure("setup", { rule = "1" }, function() create("man", "red", space "camp", 4) end)

procedure("bid", { rule = "2" }, function()
  local bids = together {
    red = function()
      local first = ask("red", "bid", { from = 1, to = 3, about = space "camp" })
      if ask("red", "more", { among = { "stop", "burst" }, about = space "field" }) == "burst" then burst() end
      return first
    end,
    blue = function() return ask("blue", "bid", { from = 1, to = 4, about = known().field }) end,
  }
  sides.red.points = sides.red.points + bids.red
  sides.blue.points = sides.blue.points + bids.blue
end)

forbid("who", "not-out-of-range", { rule = "3.1" }, function(value, ask)
  if ask.where == "refusal" then burst() end
  if value == space "camp" then burst() end
end)
prefer("who", "the-first", { rule = "3.2" }, function(value, ask)
  if ask.where == "preference" then burst() end
  return true
end)
offer("orders", "wait", { rule = "3.3", when = function(_, ask) if ask.where == "offer" then burst() end return true end, run = "waiting" })
offer("orders", "go", { rule = "3.3", run = "waiting" })
procedure("waiting", { rule = "3.3" }, function() sides.red.points = sides.red.points + 1 end)

procedure("act", { rule = "3" }, function()
  local man = ask("blue", "which", { among = camped(), about = known().field })
  local where = ask("blue", "where", {
    among = { "procedure", "query", "number", "list", "refusal", "preference", "offer", "nowhere" }, man = man,
  })
  if where == "procedure" then burst() end
  sides.red.points = sides.red.points + #full(where) + evaluate("weight", where)
  local men = function() if where == "list" then burst() end return camped() end
  local who = ask("red", "who", { among = men(), where = where, man = man })
  move(who, space "field")
  menu("blue", "orders", { where = where })
  local some = choose("blue", "some", {
    among = camped(), min = 0, max = 3, man = man,
    test = function(chosen) if #chosen == 2 then burst() end return true end,
  })
  for _, one in ipairs(some) do move(one, space "field") end
  for _, one in ipairs(pieces { at = space "field" }) do move(one, space "camp") end
  return "done"
end)

procedure("hoard", { rule = "5" }, function()
  local chest = {}
  local base = "x"
  for n = 1, 20 do base = base .. base end
  for n = 1, 80 do chest[n] = base .. tostring(n) end
  local said = ask("red", "hoard", { among = { "show", "keep" } })
  sides.red.points = #chest
  ask("red", "hoard", { among = { said, "enough" } })
end)

procedure("shoot", { rule = "4" }, function() roll("fire") end)
procedure("fight", { rule = "4" }, function() call("shoot") end)
"#;

/// The answers of one turn that harm nothing.
const TURN: [&str; 8] = ["2", "stop", "3", "man.2", "nowhere", "man.3", "go", "man.1"];

fn glutton() -> Rc<Game> {
    small(DUEL, RULES)
}

/// Everything that a session shows: state, questions with what they are about, options, record.
fn shown(session: &mut Session) -> Vec<String> {
    session.wake().expect("the step runs again");
    let decisions = session.decisions().to_vec();
    let mut lines = vec![
        format!("{:016x} {:016x}", session.play().state.digest(), session.play().state.digest_again()),
        session.record().to_string(),
        format!("{:?} {}", session.status(), session.play().changes.len()),
    ];
    for decision in &decisions {
        lines.extend(session.look(|host| {
            let cx = host.cx();
            let about = host.subjects(decision);
            let about = about.iter().map(|(name, val)| format!("{name} {}", cx.name(*val)));
            let options = match &decision.offered {
                Offered::List(options) => options.iter().map(|&opt| names::exact_option(cx, opt)).collect(),
                Offered::Selection { values, .. } => {
                    values.iter().map(|&val| cx.name(val)).collect::<Vec<_>>()
                }
            };
            let refused = decision.candidates.len();
            vec![
                changes::question(host, decision),
                about.collect::<Vec<_>>().join(" "),
                options.join(" "),
                refused.to_string(),
            ]
        }));
    }
    lines
}

/// Gives answers, each to whoever can give it.
fn give(session: &mut Session, answers: &[&str]) {
    for answer in answers {
        let which = (0..session.decisions().len()).find(|&which| session.answer_text(which, answer).is_ok());
        assert!(which.is_some(), "nobody can answer {answer}");
    }
}

/// A session after some turns and answers.
fn at(game: &Rc<Game>, turns: usize, answers: &[&str]) -> Session {
    let mut session = Session::new(game, 7).expect("the first decision");
    for _ in 0..turns {
        give(&mut session, &TURN);
    }
    give(&mut session, answers);
    session
}

/// The rest of a game from a point in a turn.
fn to_the_end(session: &mut Session, from: usize) {
    give(session, &TURN[from..]);
    while *session.status() == Status::Asking {
        give(session, &TURN);
    }
}

fn fatal(result: Result<(), SessionError>) -> bool {
    matches!(result, Err(SessionError::Script(error)) if error.is_fatal())
}

/// Whether an answer, given by whoever can give it, fills the memory.
fn strikes(session: &mut Session, answer: &str) -> bool {
    (0..session.decisions().len()).any(|which| fatal(session.answer_text(which, answer)))
}

/// Bytes in use when nothing is garbage.
fn held(game: &Game) -> usize {
    game.host.collect();
    game.host.memory()
}

/// Where the memory runs out: the answers before in the turn, and the answer.
const PLACES: [(&str, &[&str], usize); 9] = [
    ("procedure", &["2", "stop", "3", "man.2"], 4),
    ("query", &["2", "stop", "3", "man.2"], 4),
    ("number", &["2", "stop", "3", "man.2"], 4),
    ("list", &["2", "stop", "3", "man.2"], 4),
    ("refusal", &["2", "stop", "3", "man.2"], 4),
    ("preference", &["2", "stop", "3", "man.2"], 4),
    ("man.1 man.4", &["2", "stop", "3", "man.2", "nowhere", "man.3", "go"], 7),
    ("burst", &["2"], 1),
    ("burst", &["2", "3"], 3),
];

#[test]
fn sessions_of_one_game_survive_wherever_the_memory_runs_out() {
    let untouched = glutton();
    for (attack, before, done) in PLACES {
        let game = glutton();
        let fresh = held(&game);
        let mut struck = at(&game, 1, before);
        // Beside it, one in the middle of a simultaneous decision, one in the middle of a step, and one that is over.
        let mut others = [at(&game, 0, &["4"]), at(&game, 2, &["1", "stop", "1", "man.1", "nowhere"])];
        let mut over = at(&game, 3, &[]);
        let expected = shown(&mut struck);
        let beside: Vec<Vec<String>> = others.iter_mut().map(shown).collect();
        let ended = shown(&mut over);
        assert!(strikes(&mut struck, attack), "{attack}");
        assert!(held(&game) < fresh + (64 << 10), "{attack}: {} bytes, fresh {fresh}", game.host.memory());
        assert_eq!(shown(&mut struck), expected, "{attack}");
        for (other, before) in others.iter_mut().zip(&beside) {
            assert_eq!(&shown(other), before, "beside {attack}");
        }
        assert_eq!(shown(&mut over), ended);
        // All play on as in a game in which nothing happened.
        let rest: &[&str] = if before == ["2", "3"] { &["stop"] } else { &[] };
        give(&mut struck, rest);
        let from = if rest.is_empty() { done } else { 3 };
        to_the_end(&mut struck, from);
        let mut control = at(&untouched, 1, before);
        give(&mut control, rest);
        to_the_end(&mut control, from);
        assert_eq!(shown(&mut struck), shown(&mut control), "{attack}");
        let [first, second] = &mut others;
        give(first, &["2", "stop"]);
        to_the_end(first, 3);
        to_the_end(second, 5);
        for session in [&mut struck, first, second, &mut over] {
            assert_eq!(check_round_trip(session).expect("no script fails"), None, "{attack}");
        }
    }
}

#[test]
fn an_offer_that_fills_the_memory_is_stopped() {
    let game = glutton();
    let mut other = at(&game, 0, &["2"]);
    let mut session = at(&game, 0, &["2", "stop", "3", "man.2", "offer"]);
    let (before, beside) = (shown(&mut session), shown(&mut other));
    assert!(strikes(&mut session, "man.3"));
    assert_eq!((shown(&mut session), shown(&mut other)), (before, beside));
}

#[test]
fn a_question_that_fills_the_memory_harms_nobody() {
    let game = glutton();
    let mut other = at(&game, 1, &["2"]);
    let mut session = at(&game, 1, &["2", "stop", "3", "man.2", "nowhere"]);
    let (before, beside) = (shown(&mut session), shown(&mut other));
    let camp = game.definition.world.find_space("camp").expect("a space").0;
    let asked = session.decisions().to_vec();
    let why = session.why(0, Opt { tag: asked[0].prompt, val: Val::Space(camp) });
    assert!(fatal(why.map(|_| ())));
    assert_eq!((shown(&mut session), shown(&mut other)), (before, beside));
    // A decision of before is known for what it is.
    let stale = session.look(|host| host.explain(&asked[0], Opt { tag: asked[0].prompt, val: Val::Nil }));
    assert!(stale.is_err_and(|error| error.message.contains("asked again")), "no panic, no wrong answer");
    // Whether a selection is legal is asked before it is given, too.
    give(&mut session, &["man.3", "go"]);
    let before = shown(&mut session);
    let values = match &session.decisions()[0].offered {
        Offered::Selection { values, .. } => values.clone(),
        Offered::List(_) => panic!("a selection is asked"),
    };
    let two = Choice::Many(values.iter().take(2).map(|&val| (val, 1)).collect());
    assert!(fatal(session.check_answer(0, &two)));
    assert_eq!(shown(&mut session), before);
    assert_eq!(
        session.check_answer(0, &Choice::Many(vec![(values[0], 1)])).map_err(|error| error.to_string()),
        Ok(())
    );
}

#[test]
fn running_out_of_memory_again_and_again_costs_nothing_that_lasts() {
    let game = glutton();
    let fresh = held(&game);
    let mut sessions =
        [at(&game, 1, &["2", "stop", "3", "man.2"]), at(&game, 0, &["2", "stop", "3", "man.2"])];
    let expected: Vec<Vec<String>> = sessions.iter_mut().map(shown).collect();
    let mut most = 0;
    for round in 0..20 {
        let attack = ["procedure", "query", "list"][round % 3];
        assert!(strikes(&mut sessions[round % 2], attack), "round {round}");
        let now: Vec<Vec<String>> = sessions.iter_mut().map(shown).collect();
        assert_eq!(now, expected, "round {round}");
        let used = held(&game);
        assert!(used < fresh + (64 << 10), "round {round}: {used} bytes, fresh {fresh}");
        // Whatever a round leaves, the first leaves too.
        if round == 0 {
            most = used + (2 << 10);
        }
        assert!(used <= most && used < MEMORY / 8, "round {round}: {used} bytes, after the first {most}");
    }
    for session in &mut sessions {
        to_the_end(session, 4);
        assert_eq!(check_round_trip(session).expect("no script fails"), None);
    }
}

#[test]
fn sessions_that_have_no_room_beside_each_other_take_turns() {
    let game = glutton();
    let begin = |turns| {
        let mut session = at(&game, turns, &[]);
        match session.begin_task(Task::Call("hoard".into(), Vec::new())) {
            Err(SessionError::Script(error)) if error.is_fatal() => None,
            result => result.map(|()| session).map_err(|error| panic!("{error}")).ok(),
        }
    };
    let mut first = begin(0).expect("there is room for one");
    assert!(begin(1).is_none(), "two hoards are more than {MEMORY} bytes");
    // The first has lost its place, and the second finds room.
    let mut second = begin(1).expect("the room is free");
    let (before, beside) = (shown(&mut second), shown(&mut first));
    assert_eq!(shown(&mut second), before);
    give(&mut first, &["show"]);
    give(&mut second, &["keep"]);
    assert_eq!(first.play().state.digest(), first.play().state.digest_again());
    first.undo(0, true).expect("an answer");
    assert_eq!(shown(&mut first), beside);
    give(&mut first, &["keep", "enough"]);
    give(&mut second, &["enough"]);
}

#[test]
fn a_new_vm_has_what_the_old_one_had_left_out_and_counted() {
    let whole = glutton();
    let number = whole.host.cx().registry.borrow().find(Some(Kind::Prefer), "the-first").expect("a handler");
    let script = Script {
        layer: 0,
        library: false,
        name: "duel/rules.lua".into(),
        text: RULES.into(),
        needs: Vec::new(),
    };
    let host = Host::without(whole.definition.world.clone(), &[script], Some(number)).expect("it loads");
    let game = Rc::new(Game::with_host(whole.definition.clone(), host));
    let before = ["2", "stop", "3", "man.2"];
    let mut session = at(&game, 1, &before);
    let fired = || -> Vec<u64> {
        game.host.cx().registry.borrow().handlers.iter().map(|handler| handler.fired.get()).collect()
    };
    let counted = fired();
    assert!(strikes(&mut session, "procedure"));
    assert!(fired().iter().zip(&counted).all(|(now, before)| now >= before));
    // The preference would fill the memory, if it were there.
    assert!(!strikes(&mut session, "preference"));
    assert_eq!(
        session.answers().last().map(|last| game.host.cx().text(last.answer.prompt)),
        Some("where".into())
    );
}

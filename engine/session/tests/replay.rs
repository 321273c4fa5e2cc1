//! Sessions taken back, replayed, forked and re-run under other rules.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod common;

use common::{DUEL, DUEL_RULES, duel, play, small, survives};
use sandtable_data::package::DiskFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_session::{DivergenceReason, Session, SessionError, Status};

fn answer(session: &mut Session, side: &str, text: &str) {
    let game = session.game().clone();
    let which = session
        .decisions()
        .iter()
        .position(|decision| game.definition.world.side_name(decision.side) == side);
    session.answer_text(which.unwrap_or_else(|| panic!("{side} is not asked")), text).unwrap();
}

#[test]
fn random_games_survive_undo_redo_save_and_load() {
    let game = duel();
    for seed in 0..150 {
        survives(&game, seed, 40);
    }
}

#[test]
fn games_cut_at_any_answer_survive_too() {
    let game = duel();
    for most in 0..20 {
        survives(&game, 7, most);
    }
}

#[test]
fn branches_of_a_simultaneous_decision_may_be_answered_in_any_order() {
    let game = duel();
    let mut digests = Vec::new();
    for order in [["red", "red", "blue"], ["red", "blue", "red"], ["blue", "red", "red"]] {
        let mut session = Session::new(&game, 1).unwrap();
        let start = session.play().state.digest();
        for (at, side) in order.into_iter().enumerate() {
            let first = side == "red" && !order[..at].contains(&"red");
            answer(&mut session, side, if first { "2" } else { "1" });
        }
        digests.push(session.play().state.digest());
        let text = session.record().to_string();
        let read = Session::from_record(&game, &session.record(), None).unwrap();
        assert_eq!(read.session.play().state.digest(), session.play().state.digest(), "{text}");
        // Two of three: the third is still owed.
        let last = session.last_choice().unwrap();
        session.undo(last, true).unwrap();
        assert_eq!(session.play().state.digest(), start);
        assert_eq!(session.decisions().len(), 1);
        answer(&mut session, order[2], "1");
        assert_eq!(session.record().to_string(), text);
    }
    assert_eq!(digests[0], digests[1]);
    assert_eq!(digests[0], digests[2]);
}

#[test]
fn a_record_reads_as_its_notation_says() {
    let game = duel();
    let mut session = Session::new(&game, 3).unwrap();
    for (side, text) in [("blue", "4"), ("red", "2"), ("red", "1"), ("red", "z"), ("blue", "pray")] {
        answer(&mut session, side, text);
    }
    let text = session.record().to_string();
    let shown: Vec<&str> = text.lines().filter(|line| !line.starts_with("game ")).collect();
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"@[0-9a-f]{8}", "@DIGEST");
    let _bound = settings.bind_to_scope();
    insta::assert_snapshot!(shown.join("\n"), @r"
    sandtable record 1
    scenario only
    option long false
    seed 3
    --
    +. blue: nod y
    + blue: bid #4 @DIGEST
    + red: bid #2 @DIGEST
    +. red: nod x
    + red: more #1 @DIGEST
    +. red: nod x
    +. blue: nod y
    red: nod z @DIGEST
    blue: act pray @DIGEST!
    roll prayer 1
    roll fire 6
    ");
}

#[test]
fn an_error_inside_a_step_leaves_the_session_as_before() {
    let game = duel();
    let mut session = Session::new(&game, 3).unwrap();
    for (side, text) in [("blue", "4"), ("red", "2"), ("red", "1"), ("red", "z")] {
        answer(&mut session, side, text);
    }
    let (digest, record) = (session.play().state.digest(), session.record().to_string());
    let error = session.answer_text(0, "break").unwrap_err();
    assert!(error.to_string().contains("the rules are broken"), "{error}");
    assert_eq!(session.play().state.digest(), digest);
    assert_eq!(session.record().to_string(), record);
    answer(&mut session, "blue", "recruit");
    assert_ne!(session.play().state.digest(), digest);
}

#[test]
fn a_roll_is_a_barrier_that_can_be_lifted() {
    let game = duel();
    let mut session = Session::new(&game, 3).unwrap();
    for (side, text) in [("blue", "4"), ("red", "2"), ("red", "1"), ("red", "z"), ("blue", "pray")] {
        answer(&mut session, side, text);
    }
    let prayer = session.answers().len() - 1;
    let prayer = (0..=prayer).rev().find(|&at| session.answers()[at].barrier).unwrap();
    assert!(matches!(session.undo(prayer, false), Err(SessionError::Barrier(at)) if at == prayer));
    let mut read = Session::from_record(&game, &session.record(), None).unwrap().session;
    assert!(matches!(read.undo(prayer, false), Err(SessionError::Barrier(_))), "a record knows its barriers");
    read.undo(prayer, true).unwrap();
    assert!(matches!(read.undo(999, true), Err(SessionError::NoAnswer(999))));
}

/// A market: each purchase is an action of its own, with a second question in it.
const MARKET_RULES: &str = r#"
procedure("setup", {}, function() end)
procedure("bid", {}, function() end)
procedure("fight", {}, function() end)
procedure("act", { rule = "3" }, function()
  local what = ask("blue", "buy", { among = { "bread", "wine", "cloth" }, none = "done" })
  if what == nil then return "done" end
  local price = ask("blue", "price", { from = 1, to = 3 })
  if what == "wine" and sides.blue.points == 0 then return end
  sides.blue.points = sides.blue.points + price
  game.last = what
end)
forbid("buy", "no-wine", { rule = "3.1" }, function(what)
  if what == "wine" and sides.blue.points == 0 then return no("too poor") end
end)
"#;

#[test]
fn an_action_is_cancelled_whole_or_retracted_from_under_later_ones() {
    let game = small(DUEL, MARKET_RULES);
    let mut session = Session::new(&game, 1).unwrap();
    assert_eq!(session.action(), None);
    for text in ["bread", "2", "cloth", "1", "bread", "3", "cloth"] {
        answer(&mut session, "blue", text);
    }
    // Three purchases and half of a fourth.
    assert_eq!(session.action(), Some(6));
    session.undo(6, false).unwrap();
    assert_eq!(session.action(), None);
    let points = |session: &mut Session| session.look(|host| host.cx().play.borrow().state.digest());
    let three = points(&mut session);
    let (kept, stopped) = session.retract(2, false).unwrap();
    assert!(kept == 2 && stopped.is_none(), "{kept} {stopped:?}");
    let answers: Vec<String> = session.record().choices().map(|line| line.choice.clone()).collect();
    assert_eq!(answers, ["bread", "#2", "bread", "#3"]);
    assert_ne!(points(&mut session), three);
}

#[test]
fn what_depends_on_a_retracted_action_stops_there() {
    let game = small(DUEL, MARKET_RULES);
    let mut session = Session::new(&game, 1).unwrap();
    for text in ["bread", "2", "wine", "1", "cloth", "1"] {
        answer(&mut session, "blue", text);
    }
    // Without the bread there is no wine.
    let (kept, stopped) = session.retract(0, false).unwrap();
    assert_eq!(kept, 0);
    assert!(stopped.is_some_and(|why| why.to_string().contains("`wine`")));
    assert!(session.retract(9, false).is_err());
}

#[test]
fn a_side_takes_back_its_own_branch_of_a_simultaneous_decision() {
    let game = duel();
    let mut session = Session::new(&game, 1).unwrap();
    answer(&mut session, "red", "2");
    answer(&mut session, "blue", "4");
    let reds = session.answers().iter().position(|recorded| recorded.answer.side.0 == 0).unwrap();
    let (kept, stopped) = session.retract(reds, false).unwrap();
    assert!(kept == 1 && stopped.is_none(), "{kept} {stopped:?}");
    assert_eq!(session.decisions().len(), 1);
    answer(&mut session, "red", "3");
    answer(&mut session, "red", "1");
    let mut choices: Vec<String> =
        session.record().choices().map(|line| format!("{} {}", line.side, line.choice)).collect();
    choices.sort();
    assert_eq!(choices, ["blue #4", "red #1", "red #3"]);
}

#[test]
fn the_end_of_a_game_can_be_taken_back() {
    let game = duel();
    let ended = (0..200).map(|seed| play(&game, seed, 60)).find(|session| {
        matches!(session.status(), Status::Ended(ending) if game.host.cx().text(ending.reason) == "shot")
    });
    let mut session = ended.expect("some game ends by a shot");
    assert!(matches!(session.answer_text(0, "x"), Err(SessionError::Over)));
    let record = session.record().to_string();
    let last = session.last_choice().unwrap();
    let choice = session.answers()[last].answer.choice.clone();
    session.undo(last, true).unwrap();
    assert_eq!(*session.status(), Status::Asking);
    session.answer(0, &choice).unwrap();
    assert!(matches!(session.status(), Status::Ended(_)));
    assert_eq!(session.record().to_string(), record);
}

#[test]
fn forced_rolls_are_kept_by_records_and_undo() {
    let game = duel();
    let mut session = Session::new(&game, 3).unwrap();
    let (fire, prayer) = (game.host.cx().sym("fire"), game.host.cx().sym("prayer"));
    session.force_rolls(vec![(prayer, 5), (fire, 6)]);
    for (side, text) in [("blue", "4"), ("red", "2"), ("red", "1"), ("red", "z"), ("blue", "pray")] {
        answer(&mut session, side, text);
    }
    assert_eq!(session.rolls(), [(prayer, 5), (fire, 6)]);
    let (digest, record) = (session.play().state.digest(), session.record());
    let last = session.last_choice().unwrap();
    session.undo(last, true).unwrap();
    assert_eq!(session.unused_rolls(), [(prayer, 5), (fire, 6)]);
    answer(&mut session, "blue", "pray");
    assert_eq!(session.record().to_string(), record.to_string());
    let mut read = Session::from_record(&game, &record, None).unwrap();
    assert!(read.parted.is_none() && read.differs.is_none());
    assert_eq!(read.session.play().state.digest(), digest);
    assert_eq!(read.session.record().to_string(), record.to_string());
    answer(&mut read.session, "blue", "yes");
    let last = read.session.last_choice().unwrap();
    read.session.undo(last, true).unwrap();
    assert_eq!(read.session.play().state.digest(), digest, "the rolls of the record hold on the second run");
}

#[test]
fn a_record_can_be_replayed_to_any_choice() {
    let game = duel();
    let mut session = play(&game, 5, 12);
    let record = session.record();
    let mut back = session.fork().unwrap();
    for to in (0..record.choices().count()).rev() {
        let last = back.last_choice().unwrap();
        back.undo(last, true).unwrap();
        let read = Session::from_record(&game, &record, Some(to)).unwrap();
        assert_eq!(read.session.play().state.digest(), back.play().state.digest(), "after choice {to}");
        assert!(read.parted.is_none() && read.differs.is_none());
    }
}

#[test]
fn changed_rules_part_at_the_answer_that_they_refuse() {
    let game = duel();
    let mut session = Session::new(&game, 3).unwrap();
    for (side, text) in
        [("blue", "4"), ("red", "2"), ("red", "1"), ("red", "z"), ("blue", "recruit"), ("red", "man.2")]
    {
        answer(&mut session, side, text);
    }
    let record = session.record();
    let strict = "forbid(\"who\", \"seniors\", { rule = \"3.2\" }, function(man) if man.id == \"man.2\" then return no(\"juniors stay\", man) end end)";
    let other = small(DUEL, &format!("{DUEL_RULES}\n{strict}"));
    let read = Session::from_record(&other, &record, None).unwrap();
    assert!(!read.unchanged && read.differs.is_none());
    let parted = read.parted.unwrap();
    assert_eq!(parted.choice, 6);
    assert!(matches!(parted.why, DivergenceReason::Refused(_) | DivergenceReason::Forced { .. }), "{parted}");
}

#[test]
fn another_option_is_another_game() {
    let rule =
        "forbid(\"act\", \"short\", { option = \"long\" }, function(what) return what == \"pray\" end)";
    let rules = format!("{DUEL_RULES}\n{rule}");
    let game = small(DUEL, &rules);
    let mut session = Session::new(&game, 3).unwrap();
    for (side, text) in [("blue", "4"), ("red", "2"), ("red", "1"), ("red", "z"), ("blue", "pray")] {
        answer(&mut session, side, text);
    }
    let long = DUEL.replace("default = false", "default = true");
    let other = small(&long, &rules);
    // The same contents as far as hashes say: only the value of the option differs.
    let record = sandtable_session::Record { game: other.head(3).game, ..session.record() };
    let read = Session::from_record(&other, &record, None).unwrap();
    assert!(!read.unchanged);
    assert_eq!(read.parted.unwrap().choice, 5);
}

#[test]
fn changed_figures_differ_where_they_first_matter() {
    let game = duel();
    let record = play(&game, 5, 30).record();
    // A new row moves every number under which the kernel knows things; only the prize changes the play.
    let richer = DUEL
        .replace("prize = 2", "prize = 3\nother = 1")
        .replace("[area]", "[area]\nabbey = { name = \"an abbey\" }");
    let read = Session::from_record(&small(&richer, DUEL_RULES), &record, None).unwrap();
    assert!(read.parted.is_none(), "{:?}", read.parted);
    let differs = read.differs.expect("the prize is won at some time");
    assert!(differs > 3, "the bids do not depend on the prize, but choice {differs} differs");
    let same = DUEL.replace("[area]", "[area]\nabbey = { name = \"an abbey\" }");
    let read = Session::from_record(&small(&same, DUEL_RULES), &record, None).unwrap();
    assert!(read.parted.is_none() && read.differs.is_none() && !read.unchanged);
}

#[test]
fn a_tampered_record_is_found_out() {
    let game = duel();
    let mut session = Session::new(&game, 3).unwrap();
    for (side, text) in [("blue", "4"), ("red", "2"), ("red", "1")] {
        answer(&mut session, side, text);
    }
    let text = session.record().to_string();
    let read = |text: String| {
        let record = sandtable_session::Record::parse(&text).unwrap();
        Session::from_record(&game, &record, None).unwrap()
    };
    let other = read(text.replace("blue: bid #4", "blue: bid #3"));
    assert!(other.unchanged && other.differs == Some(3), "{:?}", other.differs);
    // A digest in the middle says of the position what is not so.
    let middle = text.match_indices('@').nth(1).unwrap().0 + 1;
    let damaged = if text[middle..].starts_with('0') { "1" } else { "0" };
    let damaged = format!("{}{damaged}{}", &text[..middle], &text[middle + 1..]);
    assert_eq!(read(damaged).differs, Some(2));
    let wrong = read(text.replace("blue: bid #4", "blue: bid #9"));
    assert_eq!(wrong.parted.unwrap().choice, 1);
    let nonsense = read(text.replace("blue: bid #4", "blue: pray [[*"));
    assert!(matches!(nonsense.parted.unwrap().why, DivergenceReason::NotAsked(_)));
}

#[test]
fn rolls_are_held_against_the_seed() {
    let game = duel();
    let mut session = Session::new(&game, 3).unwrap();
    for (side, text) in [("blue", "4"), ("red", "2"), ("red", "1"), ("red", "z"), ("blue", "pray")] {
        answer(&mut session, side, text);
    }
    let text = session.record().to_string();
    assert!(text.contains("\nroll prayer 1\nroll fire 6\n"), "{text}");
    let read = |text: &str| {
        let record = sandtable_session::Record::parse(text).unwrap();
        Session::from_record(&game, &record, None).unwrap()
    };
    let said = |text: &str| read(text).rolls.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(said(&text).is_empty());
    let missing = text.replace("roll prayer 1\n", "");
    assert_eq!(said(&missing), ["roll prayer after choice 5: the record has none, the seed gives 1"]);
    let more = text.replace("roll prayer 1\n", "roll prayer 1\nroll prayer 2\n");
    let odd = "roll prayer after choice 5: the record has 2, and no such roll is made";
    assert_eq!(said(&more), [odd]);
    let early = text.replace("--\n", "--\nroll fire 2\n");
    assert_eq!(said(&early), ["roll fire before choice 1: the record has 2, and no such roll is made"]);

    // A die that somebody wrote holds, and is named again however often the game is saved.
    let forged = text.replace("roll prayer 1\n", "roll prayer 5\n");
    let mut once = read(&forged);
    let odd = ["roll prayer after choice 5: the record has 5, the seed gives 1"];
    assert_eq!(once.rolls.iter().map(ToString::to_string).collect::<Vec<_>>(), odd);
    assert_eq!(once.differs, Some(5));
    let saved = once.session.record().to_string();
    assert!(saved.contains("roll prayer 5\n") && read(&saved).differs.is_none(), "{saved}");
    assert_eq!(said(&saved), odd);
}

#[test]
fn rolls_of_an_edited_game_are_those_of_its_seed() {
    let game = duel();
    let mut session = Session::new(&game, 3).unwrap();
    for (side, text) in [("blue", "4"), ("red", "2"), ("red", "1"), ("red", "z"), ("blue", "pray")] {
        answer(&mut session, side, text);
    }
    session.edit("set red.points 9").unwrap();
    answer(&mut session, "blue", "yes");
    let read = Session::from_record(&game, &session.record(), None).unwrap();
    assert!(read.rolls.is_empty() && read.parted.is_none() && read.differs.is_none(), "{:?}", read.rolls);
}

#[test]
fn skirmish_survives() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let search = SearchPath::new().with(DiskFiles::new(root));
    for scenario in ["fords", "bridgehead"] {
        let game = common::built("skirmish", Some(scenario), &search);
        for seed in 0..10 {
            survives(&game, seed, 2000);
        }
    }
}

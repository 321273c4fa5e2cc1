//! What the table sends tells nothing of what is hidden: not its numbers, not the ids of decisions, and a rule that would let
//! something through is found by comparing the bytes that are sent.

mod common;

use common::{Folder, Keys, Running, shipped, some_answer};
use sandtable_kernel::world::SideId;
use sandtable_session::view::Viewer;
use sandtable_session::{Game, LeakCheck, Session};
use sandtable_table::library::{Library, Setup};
use sandtable_table::sent::Wire;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn store() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.sqlite");
    (folder, path)
}

fn view(server: &Running, api: &str) -> Value {
    server.get(&format!("{api}/view")).1
}

fn asked(server: &Running, api: &str) -> Value {
    view(server, api)["decisions"][0].clone()
}

#[test]
fn the_id_of_a_decision_tells_nothing_of_the_position() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let tables: Vec<Keys> = (0..2).map(|_| server.table(json!({ "game": "skirmish", "seed": 5 }))).collect();
    let (mut ids, mut undone) = (BTreeSet::new(), 0);
    for n in 0..12 {
        for keys in &tables {
            let decision = asked(&server, &keys.table);
            let id = decision["id"].as_str().expect("an id").to_string();
            assert!(ids.insert(id.clone()), "{id} was asked before, or is asked at two tables alike");
            let given = some_answer(&decision, n);
            // The same position is reached twice; what was asked there first cannot be answered any more.
            assert_eq!(server.post(&format!("{}/answer", keys.table), given.clone()).0, 200);
            if server.post(&format!("{}/undo", keys.table), json!({})).1["done"] == true {
                undone += 1;
                let (status, refusal) = server.post(&format!("{}/answer", keys.table), given);
                assert_eq!((status, &refusal["error"]["code"]), (409, &json!("stale")));
                let again = asked(&server, &keys.table);
                assert!(ids.insert(again["id"].as_str().expect("an id").to_string()), "{again}");
                assert_eq!(again["options"], decision["options"]);
                let given = some_answer(&again, n);
                assert_eq!(server.post(&format!("{}/answer", keys.table), given).0, 200);
            }
        }
    }
    assert!(undone > 3, "only {undone} answers could be taken back");
}

#[test]
fn a_decision_keeps_its_id_while_nothing_changes_in_the_game() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let id = asked(&server, &keys.table)["id"].clone();
    let seat = keys.seat("harrow");
    let (_, proposed) = server.post(&format!("{seat}/edit"), json!({ "line": "set harrow.stores 9" }));
    assert_eq!(proposed["done"], false, "{proposed}");
    assert_eq!(asked(&server, &keys.table)["id"], id, "a proposal changes nothing yet");
    let consent = json!({ "proposal": proposed["proposal"], "agree": true });
    assert_eq!(server.post(&format!("{}/consent", keys.seat("vale")), consent).0, 200);
    assert_ne!(asked(&server, &keys.table)["id"], id, "an edit does");
}

/// The log as a page keeps it, from what the socket brings.
#[derive(Default)]
struct Page {
    lines: Vec<Value>,
    problem: Option<String>,
}

impl Page {
    fn hear(&mut self, message: &Value) {
        if message["type"] != "log" {
            return;
        }
        let from = message["from"].as_u64().expect("a number") as usize;
        if from > self.lines.len() {
            self.problem = Some(format!("lines from {from} on after {} lines", self.lines.len()));
        }
        self.lines.truncate(from);
        self.lines.extend(message["lines"].as_array().expect("lines").iter().cloned());
    }
}

#[test]
fn lines_of_the_log_are_numbered_for_each_viewer() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 11 }));
    let viewers = [keys.seat("harrow"), keys.seat("vale"), keys.watch.clone()];
    let pages: Vec<Arc<Mutex<Page>>> = viewers.iter().map(|_| Arc::default()).collect();
    for (api, page) in viewers.iter().zip(&pages) {
        let page = page.clone();
        server.listen(api, move |message| {
            page.lock().expect("a lock").hear(&message);
            false
        });
    }
    for n in 0..70 {
        let decision = asked(&server, &keys.table);
        server.post(&format!("{}/answer", keys.table), some_answer(&decision, n * 5 + 1));
        if n % 9 == 4 {
            server.post(&format!("{}/undo", keys.table), json!({}));
        }
    }
    let mut lengths = BTreeSet::new();
    for (api, page) in viewers.iter().zip(&pages) {
        let log = server.get(&format!("{api}/log")).1["lines"].as_array().expect("lines").clone();
        for (n, line) in log.iter().enumerate() {
            assert_eq!(line["n"], n, "numbers count what this viewer is told and nothing else: {line}");
        }
        lengths.insert(log.len());
        let part = server.get(&format!("{api}/log?from=7")).1["lines"].as_array().expect("lines").clone();
        assert_eq!(part, log[7..]);
        let began = Instant::now();
        while page.lock().expect("a lock").lines != log {
            let page = page.lock().expect("a lock");
            assert!(began.elapsed() < Duration::from_secs(20), "{} of {}", page.lines.len(), log.len());
            drop(page);
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(page.lock().expect("a lock").problem, None);
    }
    assert!(lengths.len() > 1, "the sides were told the same: {lengths:?}");
}

/// A game without hidden pieces or attributes in which both sides bid at once.
const AUCTION: [(&str, &str); 2] = [
    (
        "rules/auction/game.toml",
        r#"
[game]
id = "auction"
title = "Auction"
version = "1.0.0"
sides = ["red", "blue"]
source = "own"

[side]
red = { name = "Red" }
blue = { name = "Blue" }

[attribute.game]
turn = { type = "int", default = 0 }

[area]
hall = { name = "the hall" }

[sequence]
game = { steps = ["turn"] }
turn = { each = "turn", from = 1, to = 3, steps = ["bid"] }

[scenario.only]
title = "The only one"
"#,
    ),
    (
        "rules/auction/rules.lua",
        r#"
procedure("bid", { rule = "1" }, function()
  together {
    red = function() return ask("red", "bid", { from = 1, to = 3 }) end,
    blue = function() return ask("blue", "bid", { from = 4, to = 6 }) end,
  }
end)
"#,
    ),
];

fn auction() -> tempfile::TempDir {
    folder_of(AUCTION)
}

fn folder_of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> tempfile::TempDir {
    let games = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = games.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    games
}

#[test]
fn what_several_sides_answer_at_once_is_told_when_the_last_has_answered() {
    let (games, (_folder, path)) = (auction(), store());
    let server = Running::start(games.path().to_path_buf(), &path, false);
    let keys = server.table(json!({ "game": "auction", "seed": 1 }));
    let answers = |api: &str| -> Vec<String> {
        let log = server.get(&format!("{api}/log")).1["lines"].as_array().expect("lines").clone();
        let answers = log.iter().filter(|line| line["kind"] == "answer");
        answers.map(|line| format!("{} {}", line["choice"], line["text"].as_str().expect("a text"))).collect()
    };
    let (red, blue) = (keys.seat("red"), keys.seat("blue"));
    let bid = |api: &str, choice: &str| {
        let decision = asked(&server, api);
        let given = json!({ "decision": decision["id"], "choice": choice });
        let (status, answer) = server.post(&format!("{api}/answer"), given);
        assert_eq!(status, 200, "{answer}");
    };
    bid(&blue, "#5");
    assert_eq!(answers(&blue), ["1 5"]);
    assert_eq!(answers(&red), [""; 0], "red has yet to bid");
    assert_eq!(answers(&keys.watch), [""; 0]);
    bid(&red, "#2");
    for api in [&red, &blue, &keys.watch] {
        assert_eq!(answers(api), ["1 5", "2 2"], "nothing is hidden in this game");
    }
    bid(&red, "#1");
    assert_eq!(answers(&blue), ["1 5", "2 2"]);
    assert_eq!(answers(&red), ["1 5", "2 2", "3 1"]);
}

#[test]
fn whoever_shares_a_computer_is_asked_as_the_side_that_looks() {
    let (games, (_folder, path)) = (auction(), store());
    let server = Running::start(games.path().to_path_buf(), &path, false);
    let keys = server.table(json!({ "game": "auction", "seed": 1 }));
    let sides = |query: &str| -> Vec<Value> {
        let view = server.get(&format!("{}/view{query}", keys.table)).1;
        assert_eq!(view["owing"], json!(["red", "blue"]));
        view["decisions"].as_array().expect("decisions").iter().map(|asked| asked["side"].clone()).collect()
    };
    assert_eq!(sides("?as=blue"), ["blue"], "what red is asked is not sent to a page that shows blue");
    assert_eq!(sides("?as=red"), ["red"]);
    assert_eq!(sides(""), ["red"]);
}

/// A game in which blue holds one of two cards that red does not see.
const CARDS: &str = r#"
[game]
id = "cards"
title = "Cards"
version = "1.0.0"
sides = ["red", "blue"]
source = "own"

[side]
red = { name = "Red" }
blue = { name = "Blue" }

[area]
hall = { name = "the hall" }

[pile]
deck = { see = "nobody", side = "blue" }
hand = { see = "owner", side = "blue" }

[field.piece]
worth = { type = "int" }

[card]
king = { worth = 9, side = "blue" }
page = { worth = 3, side = "blue" }

[record.note]
worth = { type = "int" }

[sequence]
game = { steps = ["guess"] }

[scenario.only]
title = "The only one"
pile = ["deck page", "hand king"]
"#;

/// What comes of exchanging the two cards when red is asked for a number, with a rule that comes before the question.
fn compared(rule: &str) -> LeakCheck {
    let rules = format!(
        "procedure('guess', {{ rule = '1' }}, function()
          local held = space('hand').pieces:first()
          {rule}
          ask('red', 'guess', {{ from = 1, to = 9 }})
        end)"
    );
    let files = [("rules/cards/game.toml", CARDS), ("rules/cards/rules.lua", rules.as_str())];
    let games = folder_of(files);
    let setup = Setup { game: "cards".into(), ..Setup::default() };
    let loaded = Arc::new(Folder(games.path().to_path_buf()).load(&setup).expect("a game"));
    let game = Rc::new(Game::new(loaded.definition.clone(), &loaded.catalog).expect("its rules"));
    let wire = Wire::new(&game, &loaded);
    let mut session = Session::new(&game, 1).expect("a game");
    let (viewer, mut next) = (Viewer::Side(SideId(0)), 0);
    let mut in_turn = |_| {
        next += 1;
        next - 1
    };
    let sent =
        |session: &mut Session| Ok(wire.sent(session, viewer).into_iter().map(|sent| sent.text).collect());
    session.leaks_by(viewer, &mut in_turn, &mut { sent }).expect("a comparison")
}

#[test]
fn a_rule_that_lets_something_hidden_onto_the_wire_is_found() {
    assert_eq!(compared(""), LeakCheck::Same);
    assert_eq!(compared("log('Blue holds {1}', held)"), LeakCheck::Same, "the card is not named to red");
    for leak in [
        "log('Blue holds {1}', held.worth)",
        // In the picture of the table.
        "start_record('note', { worth = held.worth })",
        "start_effect('omen', { worth = held.worth })",
        // Only in what is told of something that anybody may see.
        "if held.worth > 5 then roll('luck', 6) end",
        "if held.worth > 5 then log('Nothing to see') end",
    ] {
        assert!(matches!(compared(leak), LeakCheck::Told(..)), "{leak}: {:?}", compared(leak));
    }
}

//! Games over the wire: played to their end, kept over a kill, each seat with its own eyes, taken back, edited, exported.

mod common;

use common::{Running, copy, shipped, some_answer};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn store() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.sqlite");
    (folder, path)
}

/// Answers for all sides until nothing is asked or `most` answers were given.
fn play(server: &Running, api: &str, most: usize) -> usize {
    for n in 0..most {
        let (_, view) = server.get(&format!("{api}/view"));
        let Some(decision) = view["decisions"].get(0) else { return n };
        let (status, answer) = server.post(&format!("{api}/answer"), some_answer(decision, n * 7 + 3));
        assert_eq!(status, 200, "{answer} to {decision}");
    }
    most
}

#[test]
fn a_game_is_played_to_its_end_and_survives_a_kill_in_the_middle() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    assert_eq!(play(&server, &keys.table, 30), 30);
    let (_, before) = server.get(&format!("{}/view?as=vale", keys.table));
    let (_, now) = server.get(&format!("{}/view", keys.table));
    let (_, log) = server.get(&format!("{}/log?as=vale", keys.table));
    drop(server);
    let server = Running::start(shipped(), &path, false);
    let (_, after) = server.get(&format!("{}/view?as=vale", keys.table));
    for part in ["spaces", "game", "sides", "choices", "decisions", "owing", "undo"] {
        assert_eq!(before[part], after[part], "{part}");
    }
    assert_eq!(log, server.get(&format!("{}/log?as=vale", keys.table)).1, "the log is made again as it was");
    let (_, asked) = server.get(&format!("{}/view", keys.table));
    assert_eq!(asked["decisions"], now["decisions"]);
    let id = now["decisions"][0]["id"].as_str().expect("a decision");
    let given = some_answer(&now["decisions"][0], 0);
    assert_eq!(given["decision"], id);
    let (status, _) = server.post(&format!("{}/answer", keys.table), given);
    assert_eq!(status, 200, "a question from before the kill can still be answered");
    play(&server, &keys.table, 2000);
    let (_, view) = server.get(&format!("{}/view", keys.table));
    assert!(view["ended"]["reason"].is_string(), "{}", view["ended"]);
    let (_, list) = server.get(&format!("/api/{}/games", server.host));
    assert!(list["tables"][0]["ended"].is_string());
    let (status, refusal) =
        server.post(&format!("{}/answer", keys.table), json!({ "decision": id, "choice": "x" }));
    assert_eq!((status, &refusal["error"]["code"]), (409, &json!("stale")));
}

#[test]
fn a_seat_is_never_sent_what_the_other_side_hides() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 11 }));
    let seats = [("harrow", "vale"), ("vale", "harrow")];
    let heard: Vec<Arc<Mutex<Vec<String>>>> = seats.iter().map(|_| Arc::default()).collect();
    for ((side, _), heard) in seats.iter().zip(&heard) {
        let heard = heard.clone();
        server.listen(&keys.seat(side), move |message| {
            heard.lock().expect("a lock").push(message.to_string());
            false
        });
    }
    let mut hidden_ever = 0;
    for n in 0..120 {
        let (_, all) = server.get(&format!("{}/view", keys.table));
        let Some(decision) = all["decisions"].get(0) else { break };
        for (side, other) in seats {
            let own = server.get(&format!("{}/view", keys.seat(side))).1;
            let theirs = server.get(&format!("{}/view", keys.seat(other))).1.to_string();
            // What lies in a hand, a cup or face down on the map, as its owner sees it.
            let open =
                |space: &str| ["discard", "lost", "spent", "reserve"].iter().any(|end| space.ends_with(end));
            for (space, held) in own["spaces"].as_object().expect("spaces") {
                for piece in held["pieces"].as_array().into_iter().flatten() {
                    let (id, kind) = (piece["id"].as_str(), piece["kind"].as_str());
                    let secret = matches!(kind, Some("card")) && space.ends_with("-hand");
                    if let Some(id) = id.filter(|_| secret && !open(space) && piece["side"] == side) {
                        hidden_ever += 1;
                        assert!(!theirs.contains(&format!("\"{id}\"")), "{other} was sent {id} of {space}");
                        let name = own["protos"][id]["name"].as_str().expect("a name");
                        assert!(!theirs.contains(name), "{other} was sent {name}");
                    }
                }
            }
            let asked = server.get(&format!("{}/view", keys.seat(other))).1;
            for decision in asked["decisions"].as_array().expect("decisions") {
                assert_eq!(decision["side"], other, "a seat is asked for itself only");
            }
        }
        server.post(&format!("{}/answer", keys.table), some_answer(decision, n * 5 + 1));
    }
    assert!(hidden_ever > 100, "hands were looked at: {hidden_ever}");
    // Over the sockets too: before a card of the other side is shown for the first time, nothing names it.
    std::thread::sleep(Duration::from_millis(300));
    for ((side, other), heard) in seats.iter().zip(&heard) {
        let heard = heard.lock().expect("a lock");
        assert!(heard.len() > 50, "{side} heard {}", heard.len());
        let initial = other.get(..1).expect("a letter");
        for card in ["storm", "smoke", "drums", "march", "barrage", "stand", "sally", "rain", "barges"] {
            let name = format!("\"{initial}-{card}\"");
            let Some(first) = heard.iter().find(|message| message.contains(&name)) else { continue };
            let message: Value = serde_json::from_str(first).expect("JSON");
            let shown = message["view"]["spaces"].to_string() + &message["lines"].to_string();
            let place = shown.contains(&name)
                && !message["view"]["spaces"][format!("{other}-hand")].to_string().contains(&name);
            assert!(place, "{side} first heard of {name} in {first}");
        }
    }
}

#[test]
fn taking_back_needs_the_consent_of_whom_it_concerns_and_stops_at_a_roll() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 3 }));
    let (harrow, vale) = (keys.seat("harrow"), keys.seat("vale"));
    let view = |api: &str| server.get(&format!("{api}/view")).1;
    // On to where Harrow's last answer lies before one of the Vale's, without dice in between.
    let pass = |decision: &Value, n: usize| {
        let none =
            decision["options"].as_array().and_then(|all| all.iter().find(|option| option["none"] == true));
        match none {
            Some(option) => json!({ "decision": decision["id"], "choice": option["name"] }),
            None => some_answer(decision, n),
        }
    };
    for n in 0..200 {
        let offer = view(&harrow)["undo"].clone();
        if offer["needs"] == json!(["vale"]) && offer["barred"] == false {
            break;
        }
        server.post(&format!("{}/answer", keys.table), pass(&view(&keys.table)["decisions"][0], n));
    }
    let offer = view(&harrow)["undo"].clone();
    assert_eq!(offer["needs"], json!(["vale"]), "{offer}");
    let all = view(&harrow)["choices"].as_u64().expect("choices");
    let kept = offer["to"].as_u64().expect("a number");
    let (_, asked) = server.post(&format!("{harrow}/undo"), json!({}));
    assert_eq!(asked["done"], false, "{asked}");
    assert_eq!(view(&vale)["proposal"]["yours"], true);
    assert_eq!(view(&harrow)["proposal"]["yours"], false);
    let proposal = asked["proposal"].clone();
    let (status, _) =
        server.post(&format!("{harrow}/consent"), json!({ "proposal": proposal, "agree": true }));
    assert_eq!(status, 403, "nobody agrees to what they ask for");
    let (status, _) =
        server.post(&format!("{}/consent", keys.watch), json!({ "proposal": proposal, "agree": true }));
    assert_eq!(status, 403, "spectators do not agree to anything");
    server.post(&format!("{vale}/consent"), json!({ "proposal": proposal, "agree": false }));
    assert_eq!(view(&harrow)["choices"], all, "the Vale said no");
    let (_, asked) = server.post(&format!("{harrow}/undo"), json!({}));
    server.post(&format!("{vale}/consent"), json!({ "proposal": asked["proposal"], "agree": true }));
    assert_eq!(view(&harrow)["choices"], kept, "the Vale said yes");
    server.post(&format!("{harrow}/answer"), pass(&view(&harrow)["decisions"][0], 1));
    let (_, alone) = server.post(&format!("{harrow}/undo"), json!({}));
    assert_eq!(alone["done"], true, "one's own answer is taken back at once");
    assert_eq!(view(&harrow)["choices"], kept);
    // On until dice have rolled after the last answer: that bars.
    let mut barred = false;
    for n in 0..300 {
        let now = view(&keys.table);
        let Some(decision) = now["decisions"].get(0) else { break };
        server.post(&format!("{}/answer", keys.table), some_answer(decision, n));
        if view(&keys.table)["undo"]["barred"] == true {
            let (status, refusal) = server.post(&format!("{}/undo", keys.table), json!({}));
            assert_eq!((status, &refusal["error"]["code"]), (422, &json!("barred")));
            barred = true;
            break;
        }
    }
    assert!(barred, "no die was rolled");
}

#[test]
fn the_random_player_plays_the_seats_it_is_given() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 9, "players": { "vale": "random" } }));
    for n in 0..40 {
        let (_, view) = server.get(&format!("{}/view", keys.table));
        let Some(decision) = view["decisions"].get(0) else { break };
        assert_eq!(decision["side"], "harrow");
        server.post(&format!("{}/answer", keys.table), some_answer(decision, n));
    }
    server.post(&format!("{}/seats", keys.table), json!({ "side": "harrow", "player": "random" }));
    for _ in 0..200 {
        let (_, view) = server.get(&format!("{}/view", keys.table));
        if !view["ended"].is_null() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("two random players bring the game to its end");
}

#[test]
fn an_edit_is_a_line_of_the_record_and_any_earlier_position_can_be_seen() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let stores = || server.get(&format!("{}/view", keys.table)).1["sides"]["harrow"]["stores"].clone();
    let before = stores();
    server.post(&format!("{}/edit", keys.table), json!({ "line": "set harrow.stores 9" }));
    assert_eq!(stores(), 9);
    server.post(&format!("{}/undo", keys.table), json!({}));
    assert_eq!(stores(), before, "an edit that nobody has answered since is taken back alone");
    play(&server, &keys.table, 12);
    let now = server.get(&format!("{}/view", keys.table)).1;
    let past: Vec<Value> = (0..=12)
        .map(|at| server.get(&format!("{}/view?as=vale&at={at}", keys.table)).1["spaces"].clone())
        .collect();
    assert_ne!(past[0], past[12]);
    let place = |at: usize| server.get(&format!("{}/view?at={at}", keys.table)).1["place"].clone();
    assert_ne!(place(0), now["place"], "the place in the sequence of play is that of then");
    // What was told before the step that an edit begins again stays told, at the choice where it happened.
    let log = |api: &str| server.get(&format!("{api}/log")).1["lines"].as_array().expect("lines").clone();
    let told = log(&keys.seat("vale"));
    let (status, done) =
        server.post(&format!("{}/edit", keys.table), json!({ "line": "set harrow.stores 7" }));
    assert_eq!((status, &done["done"]), (200, &json!(true)), "{done}");
    let (status, done) =
        server.post(&format!("{}/edit", keys.table), json!({ "line": "place h-scouts 0105" }));
    assert_eq!(status, 200, "{done}");
    let edited = server.get(&format!("{}/view", keys.table)).1;
    assert_eq!(edited["sides"]["harrow"]["stores"], 7);
    assert_eq!(edited["spaces"]["0105"]["pieces"][0]["id"], "h-scouts");
    assert_eq!(edited["choices"], now["choices"]);
    let (status, refusal) =
        server.post(&format!("{}/edit", keys.table), json!({ "line": "place h-scoutz 0105" }));
    assert_eq!(status, 422);
    assert!(refusal["error"]["text"].as_str().expect("a text").contains("h-scouts"), "{refusal}");
    let lines = server.get(&format!("{}/log", keys.table)).1["lines"].to_string();
    assert!(lines.contains("place h-scouts 0105"), "the log tells of it");
    let again = log(&keys.seat("vale"));
    let early = |lines: &[Value]| -> Vec<Value> {
        lines.iter().filter(|line| line["choice"].as_u64() < Some(9)).cloned().collect()
    };
    assert!(early(&told).len() > 5);
    assert_eq!(early(&told), early(&again));
    play(&server, &keys.table, 6);
    let (_, record) = server.request("GET", &format!("{}/export?as=record", keys.table), "", "");
    assert!(record.contains("\nedit set harrow.stores 7\nedit place h-scouts 0105\n"), "{record}");
    // The step that was under way begins again with the edit in it; what came before is as it was.
    for (at, spaces) in past.iter().enumerate().take(9) {
        let again = server.get(&format!("{}/view?as=vale&at={at}", keys.table)).1;
        assert_eq!(again["spaces"], *spaces, "position {at}");
    }
    let (_, before) = server.get(&format!("{}/view?as=vale", keys.table));
    drop(server);
    // A killed server goes on from the record, edits and all; so does a new table from the exported one.
    let server = Running::start(shipped(), &path, false);
    let (_, after) = server.get(&format!("{}/view?as=vale", keys.table));
    assert_eq!(before["spaces"], after["spaces"]);
    let (status, made) = server
        .post(&format!("/api/{}/import", server.host), json!({ "name": "game.record", "text": record }));
    assert_eq!(status, 200, "{made}");
    let copy = common::Keys::of(&made);
    assert_eq!(server.get(&format!("{}/view?as=vale", copy.table)).1["spaces"], after["spaces"]);
    for form in ["case", "scenario"] {
        let (status, text) = server.request("GET", &format!("{}/export?as={form}&at=9", keys.table), "", "");
        assert_eq!(status, 200);
        assert!(text.contains("h-scouts 0105") || form == "case", "{text}");
    }
    let (status, _) = server.get(&format!("{}/export?as=record", keys.seat("vale")));
    assert_eq!(status, 403, "a record holds everybody's secrets");
}

#[test]
fn questions_about_options_rules_and_numbers_are_answered() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let view = server.get(&format!("{}/view", keys.table)).1;
    let decision = view["decisions"][0].clone();
    let id = decision["id"].clone();
    assert_eq!(decision["text"], "Where is the Harrow ambush hidden?", "the question names what it is about");
    let (_, why) = server.post(&format!("{}/why", keys.table), json!({ "decision": id, "option": "0801" }));
    assert_eq!(why["offered"], false);
    assert_eq!(why["reasons"][0]["text"], "Markers are hidden on one's own bank.");
    let rule = why["reasons"][0]["rule"][0].as_str().expect("a rule").to_string();
    let (_, page) = server.get(&format!("{}/rulebook?paragraph={rule}", keys.table));
    assert!(page["html"].as_str().expect("html").contains(&format!("id=\"p-{rule}\"")), "{page}");
    let (_, books) = server.get(&format!("{}/rulebook", keys.table));
    assert!(books["books"].as_array().expect("books").len() > 1);
    let decision_id = id.as_str().expect("an id");
    let (_, refused) = server.get(&format!("{}/refused?decision={decision_id}", keys.table));
    assert!(!refused["refused"].as_array().expect("refused").is_empty());
    let (_, preview) =
        server.post(&format!("{}/preview", keys.table), json!({ "decision": id, "choice": "0303" }));
    assert_eq!(preview["moves"][0]["to"], "0303", "{preview}");
    let unchanged = server.get(&format!("{}/view", keys.table)).1;
    assert_eq!(unchanged["decisions"][0]["id"], id, "a preview changes nothing");
    let (_, board) = server.get(&format!("{}/board", keys.table));
    assert_eq!(board["game"], "skirmish");
    assert!(board["spaces"].as_array().expect("spaces").len() > 40);
    // A combat's number comes with its parts.
    for n in 0..400 {
        let now = server.get(&format!("{}/view", keys.table)).1;
        let Some(decision) = now["decisions"].get(0) else { break };
        server.post(&format!("{}/answer", keys.table), some_answer(decision, n));
    }
    let lines = server.get(&format!("{}/log", keys.table)).1["lines"].clone();
    let number = lines.as_array().expect("lines").iter().find(|line| line["kind"] == "number");
    let number = number.expect("a number was worked out");
    assert!(number["parts"][0]["handler"].is_string() && number["parts"][0]["after"].is_string(), "{number}");
    assert!(lines.as_array().expect("lines").iter().any(|line| line["kind"] == "roll" && line["sides"] == 6));
}

#[test]
fn saved_files_change_the_game_that_is_played_and_errors_leave_it_alone() {
    let games = tempfile::tempdir().expect("a folder");
    copy(&shipped().join("rules/skirmish"), &games.path().join("rules/skirmish"));
    copy(&shipped().join("rules/lib"), &games.path().join("rules/lib"));
    copy(&shipped().join("scenarios/skirmish"), &games.path().join("scenarios/skirmish"));
    let (_folder, path) = store();
    let server = Running::start(games.path().to_path_buf(), &path, true);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    play(&server, &keys.table, 10);
    let choices = server.get(&format!("{}/view", keys.table)).1["choices"].clone();
    std::thread::sleep(Duration::from_millis(800));
    let pieces = games.path().join("rules/skirmish/pieces.toml");
    let old = std::fs::read_to_string(&pieces).expect("a file");
    let found = Arc::new(Mutex::new(Value::Null));
    let listen = |ok: bool| {
        let found = found.clone();
        server.listen(&keys.table, move |message| {
            let heard = message["type"] == "reload" && message["ok"] == ok;
            if heard {
                *found.lock().expect("a lock") = message;
            }
            heard
        })
    };
    let waiting = listen(true);
    std::fs::write(
        &pieces,
        old.replace(
            "name = \"Red Company\", arm = \"foot\", moves = 3",
            "name = \"Red Company\", arm = \"foot\", moves = 4",
        ),
    )
    .expect("written");
    assert!(waiting.heard(), "the table reloads");
    let message = found.lock().expect("a lock").clone();
    assert!(message["changed"].to_string().contains("unit.h-reds.moves"), "{message}");
    assert!(message["differences"].to_string().contains("moves"), "{message}");
    assert_eq!(
        server.get(&format!("{}/view", keys.table)).1["choices"],
        choices,
        "the game goes on where it was"
    );
    // A script that does not load.
    let script = games.path().join("rules/skirmish/combat.lua");
    let lua = std::fs::read_to_string(&script).expect("a file");
    let waiting = listen(false);
    std::fs::write(&script, format!("{lua}\nthis is no Lua\n")).expect("written");
    assert!(waiting.heard(), "the error is told");
    let message = found.lock().expect("a lock").clone();
    assert_eq!(message["errors"][0]["file"], "skirmish/combat.lua", "{message}");
    assert!(message["errors"][0]["line"].as_u64().is_some_and(|line| line > 1), "{message}");
    assert_eq!(play(&server, &keys.table, 3), 3, "and the game goes on under the rules it had");
    let waiting = listen(true);
    std::fs::write(&script, lua).expect("written");
    assert!(waiting.heard(), "mended");
    // A file that makes the engine itself fail.
    let waiting = listen(false);
    std::fs::write(games.path().join("panics"), "").expect("written");
    assert!(waiting.heard(), "the failure is told");
    let message = found.lock().expect("a lock").clone();
    assert!(message["full"].to_string().contains("a file that breaks the engine"), "{message}");
    let waiting = listen(true);
    std::fs::remove_file(games.path().join("panics")).expect("removed");
    assert!(waiting.heard(), "files are looked at after that too");
    // A layer dropped on the page.
    let layer =
        "[layer]\nid = \"fast-reds\"\nversion = \"1.0\"\ngame = \"skirmish\"\n\n[unit.h-reds]\nmoves = 5\n";
    let (status, done) =
        server.post(&format!("{}/import", keys.table), json!({ "name": "fast-reds.toml", "text": layer }));
    assert_eq!(status, 200, "{done}");
    let (_, layers) = server.get(&format!("{}/layers", keys.table));
    assert_eq!(layers["layers"][0]["id"], "fast-reds");
    assert!(layers.to_string().contains("unit.h-reds.moves"), "{layers}");
    drop(server);
    let server = Running::start(games.path().to_path_buf(), &path, false);
    let (_, layers) = server.get(&format!("{}/layers", keys.table));
    assert_eq!(layers["layers"][0]["id"], "fast-reds", "the layer is kept with the game");
}

/// Answers until a prompt is asked.
fn until(server: &Running, api: &str, prompt: &str) -> Value {
    for n in 0..400 {
        let decision = server.get(&format!("{api}/view")).1["decisions"][0].clone();
        assert!(decision.is_object(), "{prompt} was never asked");
        if decision["prompt"] == prompt {
            return decision;
        }
        server.post(&format!("{api}/answer"), some_answer(&decision, n * 3 + 1));
    }
    panic!("{prompt} was never asked");
}

#[test]
fn a_preview_of_a_move_has_its_path_and_cost_and_one_of_a_combat_its_numbers() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let orders = until(&server, &keys.table, "orders");
    let from = orders["about"]["unit"]["at"].as_str().expect("a unit on the map").to_string();
    let march = |option: &&Value| option["offer"] == "march";
    let mut costs = Vec::new();
    for option in orders["options"].as_array().expect("options").iter().filter(march) {
        let (_, preview) = server.post(
            &format!("{}/preview", keys.table),
            json!({ "decision": orders["id"], "choice": option["name"] }),
        );
        let way: Vec<&str> =
            preview["path"].as_array().expect("a path").iter().filter_map(Value::as_str).collect();
        assert_eq!(
            (way.first(), way.last()),
            (Some(&&*from), option["space"].as_str().as_ref()),
            "{preview}"
        );
        costs.push(preview["cost"].as_i64().expect("a cost"));
    }
    assert!(costs.iter().any(|cost| *cost > 1) && costs.iter().all(|cost| *cost > 0), "{costs:?}");
    // On to an attack: what the numbers are made of is known before the dice.
    for n in 0..600 {
        let decision = server.get(&format!("{}/view", keys.table)).1["decisions"][0].clone();
        assert!(decision.is_object(), "nobody ever attacked");
        let given = some_answer(&decision, n * 3 + 1);
        let (_, preview) = server.post(&format!("{}/preview", keys.table), given.clone());
        let attack = |number: &&Value| number["name"] == "attack" || number["name"] == "odds";
        if let Some(number) = preview["numbers"].as_array().and_then(|all| all.iter().find(attack)) {
            assert!(number["parts"].as_array().is_some_and(|parts| !parts.is_empty()), "{number}");
            assert!(preview["lines"].as_array().expect("lines").iter().all(|line| line["kind"] != "roll"));
            return;
        }
        server.post(&format!("{}/answer", keys.table), given);
    }
    panic!("no preview of an attack had a number");
}

#[test]
fn an_attack_that_asks_at_once_for_its_units_tells_what_all_of_them_would_bring() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    for seed in 1..12 {
        let keys = server.table(json!({ "game": "skirmish", "seed": seed }));
        for n in 0..300 {
            let decision = server.get(&format!("{}/view", keys.table)).1["decisions"][0].clone();
            if !decision.is_object() {
                break;
            }
            let options = decision["options"].as_array().cloned().unwrap_or_default();
            for option in options.iter().filter(|o| decision["prompt"] == "combat" && o["space"].is_string())
            {
                let given = json!({ "decision": decision["id"], "choice": option["name"] });
                let (_, preview) = server.post(&format!("{}/preview", keys.table), given);
                let then = &preview["then"];
                if then["numbers"].as_array().is_some_and(|numbers| !numbers.is_empty()) {
                    assert_eq!(then["text"], "Which units attack?");
                    let lines = then["lines"].as_array().expect("lines");
                    assert!(lines.iter().all(|line| line["kind"] != "roll"), "{then}");
                    return;
                }
            }
            server.post(&format!("{}/answer", keys.table), some_answer(&decision, n * 3 + 1));
        }
    }
    panic!("no attack told what all of its units would bring");
}

#[test]
fn every_question_and_every_roll_of_the_shipped_games_has_words() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let mut rolls = 0;
    for game in [
        "skirmish",
        "stalins-war",
        "axis-allies-europe",
        "traces-of-war",
        "models-counterattack",
        "conflict-of-heroes",
    ] {
        let keys = server.table(json!({ "game": game, "seed": 11 }));
        for n in 0..250 {
            let decision = server.get(&format!("{}/view", keys.table)).1["decisions"][0].clone();
            if !decision.is_object() {
                break;
            }
            let text = decision["text"].as_str().expect("a text");
            assert!(decision["prompt"] != text && !text.contains('{'), "{game}: {text}");
            server.post(&format!("{}/answer", keys.table), some_answer(&decision, n * 3 + 1));
        }
        let texts = server.get(&format!("{}/board", keys.table)).1["texts"].clone();
        let (_, log) = server.get(&format!("{}/log", keys.table));
        for line in log["lines"].as_array().expect("lines").iter().filter(|line| line["kind"] == "roll") {
            let text = &texts[format!("roll.{}", line["label"].as_str().expect("a label"))];
            assert!(text.is_string() && *text == line["title"], "{game}: {line}");
            rolls += 1;
        }
    }
    assert!(rolls > 50, "{rolls} rolls");
}

#[test]
fn the_log_tells_who_answered_what_where_nothing_is_hidden_by_it() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let answers = |api: &str| -> Vec<Value> {
        let lines = server.get(&format!("{api}/log")).1["lines"].clone();
        let lines = lines.as_array().expect("lines").iter();
        lines.filter(|line| line["kind"] == "answer").cloned().collect()
    };
    let secret = server.table(json!({ "game": "skirmish", "seed": 5 }));
    play(&server, &secret.table, 40);
    for side in ["harrow", "vale"] {
        let told = answers(&secret.seat(side));
        assert!(told.len() > 5, "{side} reads its own answers: {told:?}");
        assert!(told.iter().all(|line| line["side"] == side), "and no others: {told:?}");
    }
    assert!(answers(&secret.watch).is_empty(), "a spectator of a game with secrets reads none");
    let open = server.table(json!({ "game": "axis-allies-europe", "seed": 5 }));
    play(&server, &open.table, 20);
    let told = answers(&open.watch);
    assert!(told.len() >= 15, "in an open game everybody reads all: {}", told.len());
    // Taking back takes the lines back too.
    let before = answers(&secret.seat("harrow"));
    let asked = until(&server, &secret.table, "movement");
    let api = secret.seat(asked["side"].as_str().expect("a side"));
    let mine = answers(&api);
    server.post(&format!("{api}/answer"), some_answer(&asked, 0));
    assert_eq!(answers(&api).len(), mine.len() + 1);
    server.post(&format!("{api}/undo"), json!({}));
    assert_eq!(answers(&api), mine);
    assert!(answers(&secret.seat("harrow")).len() >= before.len());
}

#[test]
fn cards_are_dealt_by_an_edit_without_being_looked_at() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let count = |pile: &str| server.get(&format!("{}/view", keys.table)).1["spaces"][pile]["count"].clone();
    let (deck, hand) = (count("harrow-deck").as_u64(), count("harrow-hand").as_u64());
    let deal = |line: &str| server.post(&format!("{}/edit", keys.table), json!({ "line": line }));
    let (status, done) = deal("deal harrow-deck harrow-hand 1");
    assert_eq!(status, 200, "{done}");
    assert_eq!(count("harrow-hand").as_u64(), hand.map(|n| n + 1));
    let left = count("harrow-deck").as_u64().unwrap_or(0);
    assert_eq!(Some(left + 1), deck);
    let (status, refusal) = deal(&format!("deal harrow-deck harrow-hand {}", left + 1));
    assert_eq!(status, 422);
    assert!(refusal["error"]["text"].as_str().is_some_and(|text| text.contains("only")), "{refusal}");
    assert_eq!(deal("deal harrow-deck").0, 422);
    let (_, record) = server.request("GET", &format!("{}/export?as=record", keys.table), "", "");
    assert!(record.contains("\nedit deal harrow-deck harrow-hand 1\n"), "{record}");
}

#[test]
fn a_game_that_its_files_no_longer_fit_says_so_in_the_list_and_stays_as_it_was() {
    let games = tempfile::tempdir().expect("a folder");
    copy(&shipped().join("rules/skirmish"), &games.path().join("rules/skirmish"));
    copy(&shipped().join("rules/lib"), &games.path().join("rules/lib"));
    copy(&shipped().join("scenarios/skirmish"), &games.path().join("scenarios/skirmish"));
    let (_folder, path) = store();
    let server = Running::start(games.path().to_path_buf(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    play(&server, &keys.table, 12);
    let before = server.get(&format!("{}/view?as=vale", keys.table)).1;
    drop(server);
    // Orders are not given any more: the record leads nowhere.
    let script = games.path().join("rules/skirmish/movement.lua");
    let lua = std::fs::read_to_string(&script).expect("a file");
    std::fs::write(&script, lua.replace("none = \"done\"", "none = \"halt\"")).expect("written");
    let changed = std::fs::read_to_string(&script).expect("a file") != lua;
    assert!(changed, "the script was changed");
    let server = Running::start(games.path().to_path_buf(), &path, false);
    let listed = |server: &Running| server.get(&format!("/api/{}/games", server.host)).1["tables"][0].clone();
    let table = listed(&server);
    let parted = table["problem"].as_str().unwrap_or_default().to_string();
    let (status, refusal) = server.get(&format!("{}/view", keys.table));
    assert_eq!((status, refusal["error"]["text"].as_str()), (422, Some(&*parted)), "{table}");
    assert!(parted.contains("choice"), "it says where the two part: {parted}");
    assert_eq!(table["choices"], before["choices"], "what is stored is all there");
    drop(server);
    std::fs::write(&script, lua).expect("written");
    let server = Running::start(games.path().to_path_buf(), &path, false);
    assert_eq!(listed(&server)["problem"], Value::Null);
    assert_eq!(server.get(&format!("{}/view?as=vale", keys.table)).1["spaces"], before["spaces"]);
}

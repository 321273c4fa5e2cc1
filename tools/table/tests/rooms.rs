//! What one table, one edit or one file can do to the others: nothing.

mod common;

use common::{Running, copy, shipped, some_answer};
use sandtable_table::library::{FileStamp, Library, Listed, Loaded, Problem, Setup};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn store() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.sqlite");
    (folder, path)
}

#[test]
fn an_edit_makes_only_so_many_pieces_and_levels_and_facings_that_there_are() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "axis-allies-europe", "seed": 5 }));
    let edit = |api: &str, line: &str| server.post(&format!("{api}/edit"), json!({ "line": line }));
    let start = Instant::now();
    for line in [
        "place infantry austria german 2147483647",
        "place infantry austria 4294967295",
        "place infantry austria 99999999999999999999",
        "place infantry austria german 1001",
    ] {
        let (status, refusal) = edit(&keys.table, line);
        assert_eq!((status, &refusal["error"]["code"]), (422, &json!("refused")), "{line}: {refusal}");
    }
    assert!(start.elapsed() < Duration::from_secs(5), "it took {:?}", start.elapsed());
    // Line by line there is a bound too.
    let most =
        (0..40).take_while(|_| edit(&keys.table, "place infantry austria german 1000").0 == 200).count();
    assert!((5..=25).contains(&most), "{most} thousand pieces");
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    for (line, fine) in [
        ("set h-reds.level 2", true),
        ("set h-reds.level 3", false),
        ("set h-reds.level 0", false),
        ("set h-reds.level -1", false),
        ("set h-reds.level 2147483647", false),
        ("place h-reds 0101 7", false),
        ("set h-reds.facing 5", true),
        ("set h-reds.facing 6", false),
        ("set h-reds.facing 2147483647", false),
        ("set h-reds.facing none", true),
        ("place h-scouts h-reds", true),
        ("place h-reds h-scouts", false),
    ] {
        let (status, answer) = edit(&keys.table, line);
        assert_eq!(status, if fine { 200 } else { 422 }, "{line}: {answer}");
    }
    assert_eq!(server.get(&format!("{}/view", keys.table)).0, 200);
}

#[test]
fn a_proposed_edit_is_read_by_nobody_who_may_not_see_what_it_names() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let (harrow, vale) = (keys.seat("harrow"), keys.seat("vale"));
    let line = "place h-ambush 0303";
    let (status, asked) = server.post(&format!("{harrow}/edit"), json!({ "line": line }));
    assert_eq!((status, &asked["done"]), (200, &json!(false)), "{asked}");
    let proposal = |api: &str| server.get(&format!("{api}/view")).1["proposal"].clone();
    assert_eq!(proposal(&harrow)["line"], line, "who proposes it reads it");
    assert_eq!(proposal(&vale)["line"], "place ? 0303", "who is asked reads what they may");
    assert_eq!(proposal(&vale)["yours"], true);
    assert_eq!(proposal(&keys.watch)["line"], "place ? 0303");
    server.post(&format!("{harrow}/edit"), json!({ "line": "place h-reds 0303" }));
    assert_eq!(proposal(&vale)["line"], "place h-reds 0303", "what everybody sees is told");
}

/// A small game in a folder: one side that is asked what its script says.
fn written(folder: &std::path::Path, id: &str, script: &str) {
    let rules = folder.join("rules").join(id);
    std::fs::create_dir_all(&rules).expect("a folder");
    let game = format!(
        "[game]\nid = \"{id}\"\ntitle = \"{id}\"\nversion = \"1.0.0\"\nsides = [\"a\"]\n[side]\na = {{ name = \"A\" }}\n\
         [attribute.game]\nvp = {{ type = \"int\" }}\n[prompt]\nwhat = {{ text = \"What now?\" }}\n\
         [scenario.s]\ntitle = \"S\"\n[sequence]\ngame = {{ steps = [\"play\"] }}\n"
    );
    std::fs::write(rules.join("game.toml"), game).expect("written");
    std::fs::write(rules.join("play.lua"), script).expect("written");
}

/// Asks for ever; what is answered is done by `act`.
const ASKS: &str = "procedure('play', {}, function() while true do local w = ask('a', 'what', { among = { 'go', 'long' } }) act(w) end end)";

fn answer(server: &Running, api: &str, choice: &str) -> (u16, Value) {
    let view = server.get(&format!("{api}/view")).1;
    let id = view["decisions"][0]["id"].clone();
    server.post(&format!("{api}/answer"), json!({ "decision": id, "choice": choice }))
}

#[test]
fn a_panic_closes_its_table_and_no_other() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let tables: Vec<common::Keys> =
        (0..6).map(|seed| server.table(json!({ "game": "skirmish", "seed": seed }))).collect();
    let view = |keys: &common::Keys| server.get(&format!("{}/view?as=vale", keys.table));
    let asked = |keys: &common::Keys| server.get(&format!("{}/view", keys.table)).1["decisions"][0].clone();
    for keys in &tables {
        let decision = asked(keys);
        assert_eq!(server.post(&format!("{}/answer", keys.table), some_answer(&decision, 1)).0, 200);
    }
    let before: Vec<Value> = tables.iter().map(|keys| view(keys).1["spaces"].clone()).collect();
    let bad = &tables[2];
    let heard = server.listen(&bad.seat("harrow"), |message| message["type"] == "closed");
    // In the middle of the session, with its game in the VM.
    let done = server
        .wait(server.tables.act(&bad.game, |_, room| room.live()?.session.look(|_| panic!("on purpose"))));
    let refusal = done.expect_err("it panicked");
    assert_eq!((refusal.status, refusal.code), (503, "closed"), "who waits is told: {refusal:?}");
    let (_, told) = view(bad);
    assert!(told.to_string().contains("on purpose"), "who has the whole table is told why: {told}");
    assert!(heard.heard(), "everybody there is told");
    // Outside of any session, and in the one who waits for the store.
    let done = server.wait(server.tables.ask::<()>(&bad.game, |_, _| panic!("again")));
    assert_eq!(done.expect_err("it is closed").code, "closed");
    for (keys, spaces) in tables.iter().zip(&before) {
        if keys.game == bad.game {
            continue;
        }
        let now = view(keys).1;
        assert_eq!(now["spaces"], *spaces);
        let (status, done) = server.post(&format!("{}/answer", keys.table), some_answer(&asked(keys), 1));
        assert_eq!(status, 200, "{done}");
    }
    let (status, told) = view(bad);
    assert_eq!((status, &told["error"]["code"]), (503, &json!("closed")));
    let (_, seat) = server.get(&format!("{}/view", bad.seat("vale")));
    assert_eq!(seat["error"]["code"], "closed");
    assert!(!seat.to_string().contains("on purpose"), "what failed may hold secrets: {seat}");
    let listed = server.get(&format!("/api/{}/games", server.host)).1["tables"].clone();
    let closed =
        listed.as_array().expect("tables").iter().filter(|table| table["closed"] == "closed").count();
    assert_eq!(closed, 1, "{listed}");
    assert_eq!(server.post(&format!("{}/reopen", bad.seat("vale")), json!({})).0, 403);
    let (status, opened) = server.post(&format!("{}/reopen", bad.table), json!({}));
    assert_eq!(status, 200, "{opened}");
    assert_eq!(view(bad).1["spaces"], before[2], "it goes on from its record");
    let decision = asked(bad);
    assert_eq!(server.post(&format!("{}/answer", bad.table), some_answer(&decision, 1)).0, 200);
}

#[test]
fn rules_that_run_long_make_nobody_else_wait() {
    let games = tempfile::tempdir().expect("a folder");
    copy(&shipped().join("rules/skirmish"), &games.path().join("rules/skirmish"));
    copy(&shipped().join("rules/lib"), &games.path().join("rules/lib"));
    copy(&shipped().join("scenarios/skirmish"), &games.path().join("scenarios/skirmish"));
    let spins = format!(
        "function act(w) if w == 'long' then while true do end end game.vp = game.vp + 1 end\n{ASKS}"
    );
    written(games.path(), "spins", &spins);
    let (_folder, path) = store();
    let server = Running::start(games.path().to_path_buf(), &path, false);
    let hostile: Vec<common::Keys> =
        (0..4).map(|seed| server.table(json!({ "game": "spins", "seed": seed }))).collect();
    let keys: Vec<common::Keys> =
        (0..4).map(|seed| server.table(json!({ "game": "skirmish", "seed": seed }))).collect();
    let longest = std::thread::scope(|scope| {
        let end = Instant::now() + Duration::from_secs(6);
        for keys in &hostile {
            let server = &server;
            scope.spawn(move || {
                while Instant::now() < end {
                    let (status, refusal) = answer(server, &keys.table, "long");
                    assert_eq!((status, &refusal["error"]["code"]), (422, &json!("script")), "{refusal}");
                }
            });
        }
        let mut longest = Duration::ZERO;
        let mut n = 0;
        while Instant::now() < end {
            let api = &keys[n % 4].table;
            let start = Instant::now();
            let view = server.get(&format!("{api}/view")).1;
            if let Some(decision) = view["decisions"].get(0) {
                server.post(&format!("{api}/answer"), some_answer(decision, n));
            }
            longest = longest.max(start.elapsed());
            n += 1;
        }
        assert!(n > 30, "{n} answers");
        longest
    });
    assert!(longest < Duration::from_secs(1), "somebody waited {longest:?} for rules of others");
    for keys in &hostile {
        let (status, done) = answer(&server, &keys.table, "go");
        assert_eq!(status, 200, "what keeps to the bounds is answered there too: {done}");
        assert_eq!(server.get(&format!("{}/view", keys.table)).1["game"]["vp"], 1);
    }
}

#[test]
fn a_game_that_comes_to_another_position_than_its_record_says_is_stopped_and_goes_on_when_told() {
    let (folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    for n in 0..8 {
        let view = server.get(&format!("{}/view", keys.table)).1;
        server.post(&format!("{}/answer", keys.table), some_answer(&view["decisions"][0], n));
    }
    let before = server.get(&format!("{}/view?as=vale", keys.table)).1;
    drop(server);
    // As rules would have left it that keep a counter in a local: the record is sound, and the position after choice 6 another.
    let digest = {
        let store = rusqlite::Connection::open(&path).expect("a store");
        let line: (i64, String) = store
            .query_row(
                "SELECT n, line FROM lines WHERE line GLOB '* @????????*' ORDER BY n LIMIT 1 OFFSET 5",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .expect("a line");
        let at = line.1.rfind(" @").expect("a digest");
        let other = format!("{} @00000bad{}", &line.1[..at], &line.1[at + 10..]);
        store.execute("UPDATE lines SET line = ?1 WHERE n = ?2", (&other, line.0)).expect("changed");
        line.1[at + 2..at + 10].to_string()
    };
    let server = Running::start(shipped(), &path, false);
    let (status, told) = server.get(&format!("{}/view?as=vale", keys.table));
    assert_eq!((status, &told["error"]["code"]), (422, &json!("differs")), "{told}");
    let text = told["error"]["text"].as_str().expect("a text");
    assert!(text.contains("choice 6") && text.contains("@00000bad"), "it says where the two part: {text}");
    let (_, seat) = server.get(&format!("{}/view", keys.seat("vale")));
    assert!(!seat.to_string().contains("choice 6"), "{seat}");
    let listed = server.get(&format!("/api/{}/games", server.host)).1["tables"][0].clone();
    assert_eq!((&listed["closed"], &listed["choices"]), (&json!("differs"), &json!(8)), "{listed}");
    let (status, record) = server.request("GET", &format!("{}/export?as=record", keys.table), "", "");
    assert!(status == 200 && record.contains("@00000bad"), "the record can be had as it is: {record}");
    assert_eq!(server.get(&format!("{}/export?as=record", keys.seat("vale"))).0, 422);
    let (status, still) = server.post(&format!("{}/reopen", keys.table), json!({}));
    assert_eq!((status, &still["error"]["code"]), (422, &json!("differs")), "{still}");
    let import = |anyway: bool| {
        let file = json!({ "name": "x.record", "text": record, "anyway": anyway });
        server.post(&format!("/api/{}/import", server.host), file)
    };
    assert_eq!(import(false).1["error"]["code"], "differs", "a record from elsewhere is held to the same");
    assert_eq!(import(true).0, 200);
    let (status, opened) = server.post(&format!("{}/reopen", keys.table), json!({ "anyway": true }));
    assert_eq!(status, 200, "{opened}");
    let after = server.get(&format!("{}/view?as=vale", keys.table)).1;
    assert_eq!(after["spaces"], before["spaces"]);
    drop(server);
    // What was said once need not be said again.
    let server = Running::start(shipped(), &path, false);
    let (status, again) = server.get(&format!("{}/view?as=vale", keys.table));
    assert_eq!(status, 200, "{again}");
    let (_, record) = server.request("GET", &format!("{}/export?as=record", keys.table), "", "");
    assert!(record.contains(&digest) && !record.contains("00000bad"), "{record}");
    drop(folder);
}

#[test]
fn files_from_outside_reach_no_layer_that_the_server_does_not_list() {
    let secret = tempfile::tempdir().expect("a folder");
    let layer =
        "[layer]\nid = \"secret\"\nversion = \"1.0\"\ngame = \"skirmish\"\n\n[unit.h-reds]\nmoves = 5\n";
    std::fs::write(secret.path().join("secret.toml"), layer).expect("written");
    let place = secret.path().join("secret.toml").display().to_string();
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let drop_on = |api: &str, name: &str, text: &str| {
        server.post(&format!("{api}/import"), json!({ "name": name, "text": text }))
    };
    // By what a dropped layer needs.
    let needs = |what: &str| {
        format!(
            "[layer]\nid = \"x\"\nversion = \"1.0\"\ngame = \"skirmish\"\nneeds = [\"{what}\"]\n\n[unit.h-reds]\nmoves = 4\n"
        )
    };
    let folder = secret.path().display().to_string();
    for what in [&place, &folder, &format!("{folder}/../{folder}/secret.toml")] {
        let (status, refusal) = drop_on(&keys.table, "x.toml", &needs(what));
        assert_eq!(status, 422, "{what}: {refusal}");
        assert!(!refusal.to_string().contains("moves"), "nothing of it is told: {refusal}");
    }
    // By the head of a record.
    let (_, record) = server.request("GET", &format!("{}/export?as=record", keys.table), "", "");
    let with = record.replacen("\nscenario", &format!("\nlayer {place} 1.0 0123456789abcdef\nscenario"), 1);
    assert_ne!(with, record, "{record}");
    let (status, refusal) = drop_on(&format!("/api/{}", server.host), "x.record", &with);
    assert!((400..500).contains(&status), "{refusal}");
    assert!(!refusal.to_string().contains("h-reds"), "{refusal}");
    let new = json!({ "game": "skirmish", "layers": [place] });
    assert_eq!(server.post(&format!("/api/{}/games", server.host), new).0, 400);
    let (status, done) = drop_on(&keys.table, "secret.toml", layer);
    assert_eq!(status, 200, "what is dropped itself is taken: {done}");
}

#[test]
fn layers_from_outside_are_bounded_in_number_size_and_memory() {
    let (_folder, path) = store();
    let server = Running::start(shipped(), &path, false);
    let drop_on = |keys: &common::Keys, name: &str, text: &str| {
        server.post(&format!("{}/import", keys.table), json!({ "name": name, "text": text }))
    };
    let layer = |id: usize| {
        format!(
            "[layer]\nid = \"x{id}\"\nversion = \"1.0\"\ngame = \"skirmish\"\n\n[unit.h-reds]\nmoves = 4\n"
        )
    };
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let (status, refusal) = drop_on(&keys, "x.toml", &format!("{}# {}\n", layer(0), "x".repeat(300_000)));
    assert_eq!((status, &refusal["error"]["code"]), (413, &json!("too-large")), "{refusal}");
    let hog = "--- layer: hog\n--- version: 1.0\n--- game: skirmish\n\
               local t = {} for i = 1, 900000 do t[i] = { i } end\nfunction hog_keeps() return t end\n";
    let (status, refusal) = drop_on(&keys, "hog.lua", hog);
    assert_eq!((status, &refusal["error"]["code"]), (422, &json!("load")), "{refusal}");
    let mut taken = 0;
    for id in 0..12 {
        taken += usize::from(drop_on(&keys, &format!("x{id}.toml"), &layer(id)).0 == 200);
    }
    assert_eq!(taken, 8, "at one table");
    assert_eq!(drop_on(&keys, "x0.toml", &layer(0)).0, 200, "one that is there can be changed");
    for seed in 0..9 {
        let keys = server.table(json!({ "game": "skirmish", "seed": seed }));
        for id in 0..8 {
            taken += usize::from(drop_on(&keys, &format!("x{id}.toml"), &layer(id)).0 == 200);
        }
    }
    assert_eq!(taken, 64, "at one server");
}

#[test]
fn a_panic_while_files_are_read_is_told_as_a_problem_of_theirs() {
    struct Fails(common::Folder);
    impl Library for Fails {
        fn games(&self) -> Vec<Listed> {
            self.0.games()
        }
        fn layers(&self, game: &str) -> Vec<Listed> {
            self.0.layers(game)
        }
        fn load(&self, setup: &Setup) -> Result<Loaded, Problem> {
            assert!(setup.game == "skirmish", "on purpose");
            self.0.load(setup)
        }
        fn layer_id(&self, _: &str, _: &str) -> Option<String> {
            panic!("on purpose")
        }
        fn files(&self, setup: &Setup) -> Vec<FileStamp> {
            self.0.files(setup)
        }
    }
    let (_folder, path) = store();
    let server = Running::start_with(std::sync::Arc::new(Fails(common::Folder(shipped()))), &path);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let games = format!("/api/{}/games", server.host);
    let (status, refusal) = server.post(&games, json!({ "game": "stalins-war" }));
    assert_eq!((status, &refusal["error"]["code"]), (422, &json!("load")), "{refusal}");
    let (status, list) = server.get(&games);
    assert_eq!(status, 200, "{list}");
    assert!(list["games"].as_array().is_some_and(|games| games.len() > 3), "{list}");
    let (status, _) =
        server.post(&format!("{}/import", keys.table), json!({ "name": "x.toml", "text": "x" }));
    assert_eq!(status, 400);
    assert_eq!(server.get(&format!("{}/view", keys.table)).0, 200);
}

//! Tiny games in memory, and what tests do with every game: play it at random, take it back, write and read it.
#![allow(dead_code, reason = "each test file uses a part")]

use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::{catalog, definition};
use sandtable_session::{Game, RandomPlayer, Session, Status, check_round_trip};
use std::rc::Rc;

/// What every small game begins with: two sides, red and blue.
const HEAD: &str = r#"
[game]
id = "duel"
title = "Duel"
version = "1.0.0"
sides = ["red", "blue"]
source = "own"

[side]
red = { name = "Red" }
blue = { name = "Blue" }
"#;

/// A game with simultaneous decisions, forced answers, dice, a deck, pieces made in play and an end inside a step.
pub const DUEL: &str = r#"
[option]
long = { title = "A long game", type = "bool", default = false }

[area]
field = { name = "the field" }
camp = { name = "the camp" }

[pile]
deck = { see = "nobody" }
hand = { see = "all" }

[unit]
man = { count = 0, side = "red" }

[card]
ace = { count = 5 }

[attribute.side]
points = { type = "int", default = 0 }

[attribute.game]
last = { type = "text" }

[value]
prize = 2

[sequence]
game = { steps = ["setup", "turn"] }
turn = { each = "turn", from = 1, to = 3, steps = ["bid", "act", "fight"] }
act = { repeat = true }

[scenario.only]
title = "The only one"
pile = ["deck ace.1 ace.2 ace.3 ace.4 ace.5"]
"#;

/// Its rules.
pub const DUEL_RULES: &str = r#"
procedure("setup", { rule = "1" }, function()
  shuffle(space "deck")
  draw(space "deck", space "hand", 2)
end)

procedure("bid", { rule = "2" }, function()
  local bids = together {
    red = function()
      local first = ask("red", "bid", { from = 1, to = 3 })
      ask("red", "nod", { among = { "x" } })
      return first + ask("red", "more", { from = 1, to = first })
    end,
    blue = function()
      ask("blue", "nod", { among = { "y" } })
      return ask("blue", "bid", { from = 1, to = 4 })
    end,
  }
  sides.red.points = sides.red.points + bids.red
  sides.blue.points = sides.blue.points + bids.blue
  -- Nobody has a choice here, and then the same question is asked aloud.
  together {
    red = function() return ask("red", "nod", { among = { "x" } }) end,
    blue = function() return ask("blue", "nod", { among = { "y" } }) end,
  }
  game.last = ask("red", "nod", { among = { "x", "z" } })
end)

forbid("who", "not-too-many", { rule = "3.1" }, function(value, ask)
  if ask.most and value.space == ask.most then return no("too many there", value) end
end)

procedure("act", { rule = "3" }, function()
  local what = ask("blue", "act", { among = { "recruit", "pray", "break" }, none = "done" })
  if what == nil then return "done" end
  if what == "break" then
    sides.blue.points = sides.blue.points + 100
    error("the rules are broken")
  end
  if what == "pray" then
    sides.red.points = sides.red.points + roll("prayer")
    return "done"
  end
  create("man", "red", space "camp", 3)
  local who = ask("red", "who", { among = pieces { kind = "unit" } })
  move(who, space "field")
  local some = choose("blue", "some", { among = pieces { kind = "unit", at = space "field" }, min = 0, max = 2 })
  for _, man in ipairs(some) do step_aside(man) end
  return "done"
end)

function step_aside(man) move(man, space "camp", "bottom") end

procedure("shoot", {}, function()
  if roll("fire") == 6 then
    ask("blue", "salute", { among = { "yes", "no" } })
    end_game { winner = "blue", reason = "shot", rule = "4.1" }
  end
end)

procedure("fight", { rule = "4" }, function()
  call("shoot")
  sides.red.points = sides.red.points + value "prize"
end)
"#;

/// Loads a game of two sides from its tables and its rules.
pub fn small(tables: &str, rules: &str) -> Rc<Game> {
    load(&[("game.toml", HEAD), ("tables.toml", tables), ("rules.lua", rules)])
}

/// Loads a game from texts: `FILE` and text.
fn load(files: &[(&str, &str)]) -> Rc<Game> {
    let memory = files
        .iter()
        .fold(MemoryFiles::new(), |memory, (path, text)| memory.with(&format!("rules/duel/{path}"), text));
    built("duel", None, &SearchPath::new().with(memory))
}

/// Loads a game from a search path.
pub fn built(game: &str, scenario: Option<&str>, search: &SearchPath) -> Rc<Game> {
    let (catalog, problems) = catalog::load(game, &[], &[], search);
    assert!(
        !problems.has_errors(),
        "{:?}",
        problems.iter().map(|problem| &problem.message).collect::<Vec<_>>()
    );
    let (built, problems) = definition::build(&catalog, scenario, &[]);
    let Some(built) = built else {
        panic!("{:?}", problems.iter().map(|problem| &problem.message).collect::<Vec<_>>());
    };
    match Game::new(built, &catalog) {
        Ok(game) => Rc::new(game),
        Err(errors) => panic!("{errors:?}"),
    }
}

/// The duel as it is.
pub fn duel() -> Rc<Game> {
    small(DUEL, DUEL_RULES)
}

/// Plays at random to the end, or for a number of answers; an answer that fails is not given.
pub fn play(game: &Rc<Game>, seed: u64, most: usize) -> Session {
    let mut session = Session::new(game, seed).expect("the game begins");
    let mut player = RandomPlayer::new(seed);
    for _ in 0..most {
        if *session.status() != Status::Asking {
            break;
        }
        let (before, asked) = (session.play().state.digest(), session.decisions().len());
        if player.play(&mut session).is_err() {
            assert_eq!(session.play().state.digest(), before, "seed {seed}: an error changed the state");
            assert_eq!(session.decisions().len(), asked, "seed {seed}: an error changed what is asked");
        }
    }
    session
}

/// Plays at random, and shows that the game survives what every game must.
pub fn survives(game: &Rc<Game>, seed: u64, most: usize) {
    let failed =
        check_round_trip(&mut play(game, seed, most)).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    assert_eq!(failed, None, "seed {seed}");
}

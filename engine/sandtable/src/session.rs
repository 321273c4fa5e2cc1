//! Playing: questions, answers, views, undo, records.

use crate::error::Error;
use sandtable_script::{Decision, Offered, Val};
use sandtable_session::view::{self, View, Viewer};
use sandtable_session::{RandomPlayer, Record, SessionError, Status, changes, names};
use std::collections::BTreeMap;
use std::rc::Rc;

/// One game being played.
pub struct Session {
    pub(crate) inner: sandtable_session::Session,
    /// Who answers at random.
    random: RandomPlayer,
}

/// Who looks at a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A side, by its id.
    Side(String),
    /// Somebody who plays no side, and sees what all may see.
    Spectator,
    /// One person for all sides.
    Everyone,
}

/// Something that a side is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The side that is asked.
    pub side: String,
    /// The id of the prompt.
    pub prompt: String,
    /// The question in words.
    pub text: String,
    /// What it is about, such as the unit that retreats, by the names that the rules give: `unit` and its id.
    pub about: BTreeMap<String, String>,
    /// What can be answered.
    pub answers: Answers,
}

impl Question {
    /// The options, as [`Session::answer`] takes them; of a selection, the names of its items.
    pub fn options(&self) -> Vec<String> {
        match &self.answers {
            Answers::One(options) => options.clone(),
            Answers::Many { items, .. } => items.iter().map(|item| item.name.clone()).collect(),
        }
    }
}

/// What can be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Exactly one of these.
    One(Vec<String>),
    /// A set or a basket: items with their numbers, `infantry*2 tank`, within the bounds.
    Many {
        /// What can be chosen.
        items: Vec<Item>,
        /// The least number of items.
        min: u32,
        /// The greatest number of items.
        max: u32,
    },
}

/// Something that can be chosen in a selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// How many of it there are.
    pub most: u32,
    /// What one of it costs.
    pub cost: i32,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner; nothing if nobody has won.
    pub winner: Option<String>,
    /// Why, in words.
    pub reason: String,
}

impl Session {
    pub(crate) fn new(game: &Rc<sandtable_session::Game>, seed: u64) -> Result<Session, Error> {
        let inner = sandtable_session::Session::new(game, seed)?;
        Ok(Session { inner, random: RandomPlayer::new(seed) })
    }

    pub(crate) fn follow(game: &Rc<sandtable_session::Game>, text: &str) -> Result<Session, Error> {
        let record = Record::parse(text).map_err(|error| Error::Record(error.to_string()))?;
        let replayed = sandtable_session::Session::from_record(game, &record, None)?;
        if let Some(at) = replayed.differs.or(replayed.parted.as_ref().map(|divergence| divergence.choice)) {
            return Err(Error::Diverged(at));
        }
        Ok(Session { inner: replayed.session, random: RandomPlayer::new(record.seed) })
    }

    /// What is asked now: nothing when the game is over, several questions where sides answer at once.
    pub fn questions(&mut self) -> Vec<Question> {
        let decisions = self.inner.decisions().to_vec();
        self.inner.look(|host| decisions.iter().map(|decision| question(host, decision)).collect())
    }

    /// Answers what a side is asked, with the words of [`Question::options`], or several for a selection (`infantry*2 tank`).
    /// If it is not legal, or a rule fails, the session is as before.
    pub fn answer(&mut self, side: &str, answer: &str) -> Result<(), Error> {
        let which = self.asked(side)?;
        Ok(self.inner.answer_text(which, answer)?)
    }

    /// Answers one question with any legal answer, each option equally likely, by the session's seed.
    pub fn answer_at_random(&mut self) -> Result<(), Error> {
        Ok(self.random.play(&mut self.inner)?)
    }

    /// Another session at the same point, which goes its own way.
    pub fn fork(&self) -> Result<Session, Error> {
        Ok(Session { inner: self.inner.fork()?, random: self.random.clone() })
    }

    /// How often somebody has answered.
    pub fn answers(&self) -> usize {
        self.inner.answers().iter().filter(|recorded| !recorded.answer.forced).count()
    }

    /// Takes the last answer back, with all that came of it.
    pub fn undo(&mut self) -> Result<(), Error> {
        let last = self.inner.last_choice().ok_or(Error::NothingToUndo)?;
        Ok(self.inner.undo(last, true)?)
    }

    /// How the game ended, once it has.
    pub fn ending(&mut self) -> Option<Ending> {
        let Status::Ended(ending) = self.inner.status().clone() else { return None };
        self.inner.look(|host| {
            let cx = host.cx();
            Some(Ending {
                winner: ending.winner.map(|side| cx.world.side_name(side).to_string()),
                reason: changes::sentence(cx, &cx.text(ending.reason), &[]),
            })
        })
    }

    /// The game as somebody sees it, with what they may not see left out.
    ///
    /// ```
    /// # use sandtable_engine::{Game, Seat};
    /// # let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
    /// let mut session = game.session(7)?;
    /// let own = session.view(&Seat::Side("vale".into()))?;
    /// let others = session.view(&Seat::Spectator)?;
    /// assert_ne!(own, others, "the Vale sees its own hand");
    /// # Ok::<(), sandtable_engine::Error>(())
    /// ```
    pub fn view(&mut self, seat: &Seat) -> Result<View, Error> {
        let viewer = match seat {
            Seat::Side(side) => Viewer::Side(self.side(side)?),
            Seat::Spectator => Viewer::Spectator,
            Seat::Everyone => Viewer::Everything,
        };
        Ok(self.inner.look(|host| view::view(host.cx(), viewer)))
    }

    /// What a query of the rules answers now, by its name: a number, a truth value, a name, or `nil`. Arguments are written as cases write them.
    ///
    /// ```
    /// # use sandtable_engine::Game;
    /// # let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
    /// let mut session = game.session(7)?;
    /// assert!(session.query("no-such-query", &[]).is_err());
    /// # Ok::<(), sandtable_engine::Error>(())
    /// ```
    pub fn query(&mut self, query: &str, args: &[&str]) -> Result<String, Error> {
        let answer = self.inner.look(|host| {
            let cx = host.cx();
            let args: Vec<Val> = args.iter().map(|arg| value(cx, arg)).collect();
            host.answer(query, &args).map(|answer| cx.name(answer))
        });
        Ok(answer.map_err(SessionError::from)?)
    }

    /// The record of the game so far: everything that is needed to play it again, in text.
    pub fn record(&mut self) -> String {
        self.inner.record().to_string()
    }

    /// The digest of the state: equal for equal states, whatever led to them.
    pub fn digest(&self) -> u64 {
        self.inner.play().state.digest()
    }

    /// What happened since a number of changes, as cases write it; with 0, everything since the set-up began.
    pub fn changes(&mut self, since: usize) -> Vec<String> {
        let happened: Vec<_> = self.inner.play().changes.iter().skip(since).cloned().collect();
        self.inner
            .look(|host| happened.iter().filter_map(|change| changes::canonical(host.cx(), change)).collect())
    }

    /// How many changes there were so far.
    pub fn change_count(&self) -> usize {
        self.inner.play().changes.len()
    }

    fn side(&self, name: &str) -> Result<sandtable_kernel::world::SideId, Error> {
        let world = &self.inner.game().definition.world;
        let sides = || world.sides.iter().map(|side| world.symbols.text(side.0).to_string()).collect();
        world.find_side(name).ok_or_else(|| Error::NoSide { side: name.to_string(), sides: sides() })
    }

    /// The number of the question that a side is asked.
    pub(crate) fn asked(&self, name: &str) -> Result<usize, Error> {
        let side = self.side(name)?;
        let decisions = self.inner.decisions();
        decisions.iter().position(|decision| decision.side == side).ok_or_else(|| {
            let world = &self.inner.game().definition.world;
            let asked = decisions.iter().map(|decision| world.side_name(decision.side).to_string()).collect();
            Error::NotAsked { side: name.to_string(), asked }
        })
    }
}

/// The value that a word stands for.
fn value(cx: &sandtable_script::ScriptContext, word: &str) -> Val {
    match (word, names::read_name(cx, word)) {
        ("nil", Val::Sym(_)) => Val::Nil,
        ("true", Val::Sym(_)) => Val::Bool(true),
        ("false", Val::Sym(_)) => Val::Bool(false),
        (_, Val::Sym(sym)) => word.parse().map_or(Val::Sym(sym), Val::Int),
        (_, val) => val,
    }
}

fn question(host: &sandtable_script::Host, decision: &Decision) -> Question {
    let cx = host.cx();
    let answers = match &decision.offered {
        Offered::List(options) => {
            Answers::One(options.iter().map(|opt| names::exact_option(cx, *opt)).collect())
        }
        Offered::Selection { values, items, bounds, .. } => Answers::Many {
            items: values
                .iter()
                .zip(items)
                .map(|(&val, item)| Item { name: cx.name(val), most: item.most, cost: item.cost })
                .collect(),
            min: bounds.min,
            max: bounds.max,
        },
    };
    Question {
        side: cx.world.side_name(decision.side).to_string(),
        prompt: cx.text(decision.prompt),
        text: changes::question(host, decision),
        about: host.subjects(decision).into_iter().map(|(name, val)| (name, cx.name(val))).collect(),
        answers,
    }
}

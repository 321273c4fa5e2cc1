//! A session: one game from its set-up on, with its answers, undo and errors that lose nothing.

use crate::flow::{self, Frame};
use crate::game::Game;
use crate::names;
use crate::record::AnswerLine;
use crate::setup::apply_line;
use crate::{begin, edit};
use sandtable_kernel::state::Mark;
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use sandtable_script::{Answer, Change, Decision, Ending, Flow, Host, Play, Running, ScriptError, Task, Val};
use std::rc::Rc;
use thiserror::Error;

/// What a session is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// One or more decisions.
    Asking,
    /// Nothing: the game is over.
    Ended(Ending),
}

/// Why something could not be done; the session is as before.
#[derive(Clone, Debug, Error)]
pub enum SessionError {
    /// A script failed.
    #[error("{0}")]
    Script(#[from] ScriptError),
    /// The answer is not legal.
    #[error("{0}")]
    Answer(#[from] names::NameError),
    /// A set-up line cannot be followed.
    #[error("{line}: {error}")]
    Setup {
        /// The line.
        line: String,
        /// What is wrong with it.
        error: crate::setup::SetupError,
    },
    /// Nothing is asked.
    #[error("the game is over")]
    Over,
    /// The answer was to something that is not asked now.
    #[error("this is not asked now")]
    NotAsked,
    /// There is nothing to take back that far.
    #[error("there is no answer {0} to take back")]
    NoAnswer(usize),
    /// A die was rolled or a face shown since.
    #[error("answer {0} cannot be taken back: a die was rolled or something was shown after it")]
    Barrier(usize),
}

/// The point from which a step can be run again.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub mark: (Mark, usize),
    pub frames: Vec<Frame>,
    pub task: Task,
    pub answers: usize,
    pub rolls: usize,
    pub done: bool,
    /// Rolls that were forced and not yet made.
    pub forced: Vec<(Sym, u32)>,
    /// Changes outside the rules with which it begins.
    pub edits: Vec<Box<str>>,
}

/// An answer with what followed from it.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The answer.
    pub answer: Answer,
    /// Digest of the state at the next decision; 0 where none was asked in between.
    pub digest: u64,
    /// Rolls made before it.
    pub rolls: usize,
    /// Whether a roll or a reveal followed it.
    pub barrier: bool,
    /// Changes made before it, counted when the session last stopped.
    pub changes: usize,
    /// Whether several sides were asked at once: such an answer finds its decision by side and prompt.
    pub simultaneous: bool,
    /// The point of the state before it.
    pub(crate) mark: Mark,
    /// How a record writes it, once that is known.
    pub(crate) written: Option<Written>,
}

/// An answer as a record writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    pub choice: Box<str>,
    /// Digest by names at the next choice.
    pub digest: u32,
}

impl Recorded {
    /// Whether this is the same answer to the same question.
    pub(crate) fn agrees(&self, other: &Recorded) -> bool {
        let (one, two) = (&self.answer, &other.answer);
        one.side == two.side && one.prompt == two.prompt && one.choice == two.choice
    }
}

/// Most answers and steps of a game, forced ones included: what could be taken back is kept.
const ANSWERS: usize = 500_000;
const STEPS: usize = 200_000;

/// One game in play.
pub struct Session {
    pub(crate) game: Rc<Game>,
    /// In a box, because it changes places with another whenever the VM turns to this game.
    pub(crate) play: Box<Play>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) done: bool,
    pub(crate) steps: Vec<Step>,
    pub(crate) answers: Vec<Recorded>,
    pub(crate) rolls: Vec<(Sym, u32)>,
    pub(crate) running: Option<Running>,
    pub(crate) status: Status,
    /// Changes outside the rules with which the next step begins.
    pub(crate) edits: Vec<Box<str>>,
    /// The answers of a record that is being played again under the same rules.
    pub(crate) script: Option<Rc<[AnswerLine]>>,
}

/// A session whose game is in the VM. It comes out again however what runs there ends, so that a panic leaves neither the
/// session without its game nor the VM with a game that nobody knows.
struct Inside<'a> {
    session: &'a mut Session,
    game: &'a Game,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.game.host.swap_back(&mut self.session.play);
    }
}

impl Session {
    /// Begins a game: set-up, then up to the first decision.
    pub fn new(game: &Rc<Game>, seed: u64) -> Result<Session, SessionError> {
        let mut session = Session::bare(game, seed)?;
        session.begin()?;
        Ok(session)
    }

    /// The position of the scenario, before anything is played.
    pub fn bare(game: &Rc<Game>, seed: u64) -> Result<Session, SessionError> {
        let world = &game.definition.world;
        let mut play = Box::new(Play::new(world, seed));
        let (scenario, sequence) = (&game.definition.scenario, &game.definition.sequence);
        let (mut frames, mut done) = (vec![Frame::enter(0)], false);
        if let Some((text, _)) = &scenario.begin {
            (frames, done) = begin::read(sequence, text)
                .map_err(|error| SessionError::Setup { line: text.clone(), error })?;
            begin::assign(world, &mut play.state, sequence, &frames);
        }
        for line in &scenario.lines {
            apply_line(game.host.cx(), &mut play, line.verb, &line.text)
                .map_err(|error| SessionError::Setup { line: line.text.clone(), error })?;
        }
        Ok(Session {
            game: game.clone(),
            play,
            frames,
            done,
            steps: Vec::new(),
            answers: Vec::new(),
            rolls: Vec::new(),
            running: None,
            status: Status::Asking,
            edits: Vec::new(),
            script: None,
        })
    }

    /// Starts the sequence of play.
    pub fn begin(&mut self) -> Result<(), SessionError> {
        self.inside(|session, host| session.go_on(host)).map_err(SessionError::Script)
    }

    /// Starts one procedure instead of the sequence of play (cases).
    pub fn begin_task(&mut self, task: Task) -> Result<(), SessionError> {
        self.frames.clear();
        self.reopen();
        self.inside(|session, host| session.start(host, task)).map_err(SessionError::Script)
    }

    /// Starts the sequence at a node, walking only that node (cases).
    pub fn begin_node(&mut self, node: usize) -> Result<(), SessionError> {
        self.frames = vec![Frame::enter(node)];
        self.reopen();
        self.begin()
    }

    /// Goes on after a task or node that ran out, which is no end of the game.
    fn reopen(&mut self) {
        if !self.play.changes.iter().any(|change| matches!(change, Change::End(_))) {
            self.play.ended = None;
            self.status = Status::Asking;
        }
    }

    /// Runs something with this game in the VM.
    pub(crate) fn inside<T>(&mut self, f: impl FnOnce(&mut Session, &Host) -> T) -> T {
        let game = self.game.clone();
        game.host.renew();
        game.host.swap(&mut self.play);
        let inside = Inside { session: self, game: &game };
        // Within the game, because what may be kept for an answer is counted from where it stands.
        let _turn = game.host.turn();
        f(&mut *inside.session, &game.host)
    }

    /// Looks at something with this game in the VM.
    pub fn look<T>(&mut self, f: impl FnOnce(&Host) -> T) -> T {
        // A step that cannot be run again leaves the position to be looked at; giving an answer says why.
        let _ = self.wake();
        let seen = self.inside(|_, host| f(host));
        let _ = self.wake();
        seen
    }

    /// Walks to the next decision or the end.
    pub(crate) fn go_on(&mut self, host: &Host) -> Result<(), ScriptError> {
        let (mut seen, mut idle) = (self.answers.len(), 0);
        loop {
            // Forced answers decide nothing: steps that only give those can go on for ever.
            let chosen = self.answers[seen..].iter().any(|recorded| !recorded.answer.forced);
            seen = self.answers.len();
            idle = if chosen { 0 } else { idle + 1 };
            if idle > flow::STEPS {
                let name = flow::place(&self.game.definition.sequence, &self.frames);
                return Err(ScriptError::new(format!(
                    "{} steps of play without a decision, at {name}: does it never return \"done\"?",
                    flow::STEPS
                )));
            }
            let sequence = &self.game.definition.sequence;
            if self.answers.len() > ANSWERS || self.steps.len() > STEPS {
                return Err(ScriptError::new(format!(
                    "this game has more than {ANSWERS} answers or {STEPS} steps, forced ones included"
                )));
            }
            match flow::advance(host, sequence, &mut self.frames, &mut self.done)? {
                None => {
                    let ending =
                        Ending { winner: None, reason: host.cx().sym("sequence-over"), rule: String::new() };
                    host.cx().play.borrow_mut().ended = Some(ending.clone());
                    self.status = Status::Ended(ending);
                    return Ok(());
                }
                Some(task) => {
                    if !self.start_step(host, task)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    pub(crate) fn start(&mut self, host: &Host, task: Task) -> Result<(), ScriptError> {
        if self.start_step(host, task)? {
            self.go_on(host)?;
        }
        Ok(())
    }

    /// Starts a step. True if it ran to its end.
    fn start_step(&mut self, host: &Host, task: Task) -> Result<bool, ScriptError> {
        let path = flow::path_hash(&self.game.definition.sequence, &self.frames);
        {
            let mut play = host.cx().play.borrow_mut();
            let step = Step {
                mark: play.mark(),
                frames: self.frames.clone(),
                task: task.clone(),
                answers: self.answers.len(),
                rolls: self.rolls.len(),
                done: self.done,
                forced: play.roll_feed.clone(),
                edits: std::mem::take(&mut self.edits),
            };
            for line in &step.edits {
                edit::apply(host.cx(), &mut play, line)
                    .map_err(|error| ScriptError::new(format!("{line}: {error}")))?;
            }
            self.steps.push(step);
            play.path = path;
            play.rolls.clear();
            play.answered.clear();
            play.answered_at.clear();
            play.freed.clear();
            let name = match &task {
                Task::Call(name, _) => name,
                Task::Emit(event) => event,
            };
            let name = host.cx().sym(name);
            play.changes.push(Change::Step(name));
        }
        if self.script.is_some() {
            self.load_feed(host, self.answers.len());
        }
        let (running, flow) = host.start(&task).map_err(|mut error| {
            // What fails before any script runs has no line; the sequence of play is then to blame.
            if error.place.is_none() && error.chain.is_empty() {
                let place = flow::place(&self.game.definition.sequence, &self.frames);
                error.message = format!("the sequence of play, at {place}: {}", error.message);
            }
            error
        })?;
        self.running = running;
        Ok(self.after(host, &flow))
    }

    /// Takes note of where a run has come to. True if the step is over.
    pub(crate) fn after(&mut self, host: &Host, flow: &Flow) -> bool {
        let mut play = host.cx().play.borrow_mut();
        let play = &mut *play;
        let before = self.rolls.len();
        let in_step = self.steps.last().map_or(0, |step| before - step.rolls);
        self.rolls.extend(play.rolls.iter().skip(in_step).copied());
        let given_simultaneously =
            self.answers.last().is_some_and(|last| last.simultaneous && !last.answer.forced);
        let simultaneous = given_simultaneously || play.pending.iter().any(|decision| decision.branch > 0);
        for (answer, (mark, changes)) in play.answered.drain(..).zip(play.answered_at.drain(..)) {
            self.answers.push(Recorded {
                // Which forced answers belong to a branch is not known; one too many only costs a list of options.
                simultaneous: simultaneous && answer.forced,
                answer,
                digest: 0,
                rolls: before,
                barrier: false,
                changes,
                mark,
                written: None,
            });
        }
        if let Some(last) = self.answers.last_mut() {
            last.digest = play.state.digest();
            last.barrier |= play.barrier;
        }
        play.barrier = false;
        match flow {
            Flow::Asking => {
                self.status = Status::Asking;
                false
            }
            Flow::Ended => {
                if let Some(ending) = &play.ended {
                    self.status = Status::Ended(ending.clone());
                }
                false
            }
            Flow::Done(result) => {
                self.done =
                    matches!(result, Val::Sym(sym) if host.cx().symbols.borrow().text(*sym) == "done");
                flow::finished(&self.game.definition.sequence, &mut self.frames, self.done);
                true
            }
        }
    }

    /// What the session waits for.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// The game.
    pub fn game(&self) -> &Rc<Game> {
        &self.game
    }

    /// The decisions owed now.
    pub fn decisions(&self) -> &[Decision] {
        match self.status {
            Status::Asking => &self.play.pending,
            Status::Ended(_) => &[],
        }
    }

    /// The play, for views and tests.
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// The play, to be changed outside the rules (edit mode, cases).
    pub fn play_mut(&mut self) -> &mut Play {
        &mut self.play
    }

    /// Where the walk through the sequence of play is: the nodes it is in, outermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The answers so far, forced ones included.
    pub fn answers(&self) -> &[Recorded] {
        &self.answers
    }

    /// The rolls so far.
    pub fn rolls(&self) -> &[(Sym, u32)] {
        &self.rolls
    }

    /// Gives values for coming rolls, in order for each label.
    pub fn force_rolls(&mut self, rolls: Vec<(Sym, u32)>) {
        // The step under way gets them too when it is run again.
        if let Some(step) = self.steps.last_mut() {
            step.forced.extend(&rolls);
        }
        self.play.roll_feed.extend(rolls);
    }

    /// The forced rolls that no rule has asked for yet.
    pub fn unused_rolls(&self) -> Vec<(Sym, u32)> {
        self.play.roll_feed.clone()
    }

    /// How many answers came before the step under way.
    pub(crate) fn step_answers(&self) -> usize {
        self.steps.last().map_or(0, |step| step.answers)
    }

    /// The side whose decision it is, if there is just one.
    pub fn to_move(&self) -> Option<SideId> {
        match self.decisions() {
            [decision] => Some(decision.side),
            _ => None,
        }
    }
}

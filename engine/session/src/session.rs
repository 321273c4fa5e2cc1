//! A session: one game from its set-up on, with its answers, undo and errors that lose nothing.

use crate::begin;
use crate::digest::Names;
use crate::edit;
use crate::flow::{self, Frame};
use crate::names;
use crate::record::{AnswerLine, Stamp};
use crate::setup::apply_line;
use sandtable_data::catalog::{Catalog, LayerFile};
use sandtable_data::definition::Definition;
use sandtable_data::layer::LayerInfo;
use sandtable_kernel::selection;
use sandtable_kernel::state::{Mark, State};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{SideId, World};
use sandtable_script::{
    Answer, Change, Choice, Decision, Ending, Flow, Host, Offered, Opt, Play, Reason, Running, Script,
    ScriptError, Task, Val,
};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use thiserror::Error;

/// A loaded game: its definition and a VM with its rules, shared by any number of sessions on one thread.
pub struct Game {
    /// The definition.
    pub definition: Definition,
    /// The VM.
    pub host: Host,
    /// The game and its layers with their content hashes; the game is the first.
    pub stamps: Vec<Stamp>,
    /// Settings of the command line, as `KEY = VALUE`.
    pub sets: Vec<String>,
    names: RefCell<Names>,
}

impl Game {
    /// Loads the scripts of a catalog for a definition.
    pub fn new(definition: Definition, catalog: &Catalog) -> Result<Game, Vec<ScriptError>> {
        Game::load(definition, catalog, Host::new)
    }

    /// The same with a host that can tell whether scripts keep something between steps, for tests and simulations.
    pub fn audited(definition: Definition, catalog: &Catalog) -> Result<Game, Vec<ScriptError>> {
        Game::load(definition, catalog, Host::audited)
    }

    /// The scripts of a catalog as the host takes them.
    pub fn scripts(catalog: &Catalog) -> Vec<Script> {
        let script = |file: &LayerFile| Script {
            layer: file.layer.0,
            name: catalog.sources.path(file.file).to_string(),
            text: catalog.sources.text(file.file).to_string(),
        };
        catalog.scripts.iter().map(script).collect()
    }

    fn load(
        definition: Definition,
        catalog: &Catalog,
        host: impl FnOnce(Arc<World>, &[Script]) -> Result<Host, Vec<ScriptError>>,
    ) -> Result<Game, Vec<ScriptError>> {
        let host = host(definition.world.clone(), &Game::scripts(catalog))?;
        let settings = catalog.sources.iter().filter(|(_, file)| file.path() == SETTINGS);
        let sets: Vec<String> = settings.map(|(_, file)| file.text().to_string()).collect();
        // The settings make a last layer of their own, which the record holds line by line.
        let packages = catalog.layers.len() - usize::from(!sets.is_empty());
        let stamp = |layer: &LayerInfo| Stamp {
            id: layer.id.clone(),
            version: layer.version.clone(),
            hash: u64::from_be_bytes(layer.content_hash.0),
        };
        let stamps = catalog.layers.iter().take(packages).map(stamp).collect();
        Ok(Game { definition, host, stamps, sets, names: RefCell::default() })
    }

    /// A game whose rules are loaded already, such as a mutant; it keeps no records.
    pub fn with_host(definition: Definition, host: Host) -> Game {
        Game { definition, host, stamps: Vec::new(), sets: Vec::new(), names: RefCell::default() }
    }

    /// The digest of a state by names, as records hold it.
    pub fn digest(&self, state: &State) -> u64 {
        let mut names = self.names.borrow_mut();
        names.refresh(self.host.cx());
        names.digest(&self.definition.world, state)
    }
}

/// The path under which the catalog keeps settings of the command line.
const SETTINGS: &str = "--set";

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
    pub aside: bool,
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

/// One game in play.
pub struct Session {
    pub(crate) game: Rc<Game>,
    pub(crate) play: Play,
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
        let mut play = Play::new(world, seed);
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
        game.host.swap(&mut self.play);
        let result = f(self, &game.host);
        game.host.swap(&mut self.play);
        result
    }

    /// Looks at something with this game in the VM.
    pub fn look<T>(&mut self, f: impl FnOnce(&Host) -> T) -> T {
        self.inside(|_, host| f(host))
    }

    /// Walks to the next decision or the end.
    fn go_on(&mut self, host: &Host) -> Result<(), ScriptError> {
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
        let (running, flow) = host.start(&task)?;
        self.running = Some(running);
        Ok(self.after(host, &flow))
    }

    /// Takes note of where a run has come to. True if the step is over.
    fn after(&mut self, host: &Host, flow: &Flow) -> bool {
        let mut play = host.cx().play.borrow_mut();
        let play = &mut *play;
        let before = self.rolls.len();
        let in_step = self.steps.last().map_or(0, |step| before - step.rolls);
        self.rolls.extend(play.rolls.iter().skip(in_step).copied());
        let given_aside = self.answers.last().is_some_and(|last| last.aside && !last.answer.forced);
        let aside = given_aside || play.pending.iter().any(|decision| decision.branch > 0);
        for (answer, changes) in play.answered.drain(..).zip(play.answered_at.drain(..)) {
            self.answers.push(Recorded {
                // Which forced answers belong to a branch is not known; one too many only costs a list of options.
                aside: aside && answer.forced,
                answer,
                digest: 0,
                rolls: before,
                barrier: false,
                changes,
                mark: play.state.mark(),
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
                // The coroutine waits where the game ended and is never resumed.
                self.running = None;
                if let Some(ending) = &play.ended {
                    self.status = Status::Ended(ending.clone());
                }
                false
            }
            Flow::Done(result) => {
                self.running = None;
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

    /// Looks at the game as it stood before answer number `to`, with the position of then in the VM.
    pub fn at<T>(&self, to: usize, f: impl FnOnce(&Host) -> T) -> Option<T> {
        let recorded = self.answers.get(to)?;
        let changes = self.play.changes.get(..recorded.changes).unwrap_or_default().to_vec();
        let mut past = Play { state: self.play.state.clone(), changes, ..Play::default() };
        past.state.revert(recorded.mark);
        let game = self.game.clone();
        game.host.swap(&mut past);
        let seen = f(&game.host);
        game.host.swap(&mut past);
        Some(seen)
    }

    /// Looks at the game as it stood when the step began in which answer number `to` is given: the place in the sequence of play
    /// as scenarios write it, and how many answers came before.
    pub(crate) fn at_step<T>(&self, to: usize, f: impl FnOnce(&Host, &str, usize) -> T) -> Option<T> {
        let step = self.steps.iter().rfind(|step| step.answers <= to)?;
        let mut past = Play { state: self.play.state.clone(), ..Play::default() };
        past.state.revert(step.mark.0);
        for line in &step.edits {
            // They could be followed when the step began.
            let _ = edit::apply(self.game.host.cx(), &mut past, line);
        }
        let place = begin::write(&self.game.definition.sequence, &step.frames, &step.task, step.done);
        let game = self.game.clone();
        game.host.swap(&mut past);
        let seen = f(&game.host, &place, step.answers);
        game.host.swap(&mut past);
        Some(seen)
    }

    /// The digest by names of the position that [`crate::export::scenario`] writes, and how many answers came before it.
    pub fn digest_at_step(&self, to: usize) -> Option<(u64, usize)> {
        self.at_step(to, |host, _, before| (self.game.digest(&host.cx().play.borrow().state), before))
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

    /// Answers decision number `which` (0 unless several sides are asked at once) with one of its options.
    pub fn answer(&mut self, which: usize, choice: &Choice) -> Result<(), SessionError> {
        if matches!(self.status, Status::Ended(_)) {
            return Err(SessionError::Over);
        }
        let Some(decision) = self.play.pending.get(which).cloned() else { return Err(SessionError::Over) };
        self.check(&decision, choice)?;
        let before = self.answers.len();
        let result = self.inside(|session, host| session.give(host, which, &decision, choice));
        if let Err(error) = result {
            // The coroutine is lost; run the step again up to the answers before this one.
            self.rewind(before)?;
            return Err(SessionError::Script(error));
        }
        Ok(())
    }

    pub(crate) fn give(
        &mut self,
        host: &Host,
        which: usize,
        decision: &Decision,
        choice: &Choice,
    ) -> Result<(), ScriptError> {
        {
            let mut play = host.cx().play.borrow_mut();
            play.pending.remove(which);
            let answer = Answer {
                side: decision.side,
                prompt: decision.prompt,
                choice: choice.clone(),
                forced: false,
            };
            self.answers.push(Recorded {
                answer,
                digest: 0,
                rolls: self.rolls.len(),
                barrier: false,
                changes: play.changes.len(),
                aside: decision.branch > 0,
                mark: play.state.mark(),
                written: None,
            });
        }
        let Some(running) = self.running.clone() else {
            return Err(ScriptError::new("nothing is being run"));
        };
        let flow = host.resume(&running, decision, choice)?;
        if self.after(host, &flow) { self.go_on(host) } else { Ok(()) }
    }

    /// Whether an answer to decision number `which` would be taken.
    pub fn check_answer(&mut self, which: usize, choice: &Choice) -> Result<(), SessionError> {
        let Some(decision) = self.decisions().get(which).cloned() else { return Err(SessionError::Over) };
        self.check(&decision, choice)
    }

    /// Whether an answer is legal.
    fn check(&mut self, decision: &Decision, choice: &Choice) -> Result<(), SessionError> {
        match (&decision.offered, choice) {
            (Offered::List(options), Choice::One(opt)) if options.contains(opt) => Ok(()),
            (Offered::Selection { values, items, bounds, test, .. }, Choice::Many(chosen)) => {
                let mut counts = vec![0u32; values.len()];
                for (val, n) in chosen {
                    match values.iter().position(|other| other == val) {
                        Some(at) => counts[at] += n,
                        None => {
                            let text = self.look(|host| host.cx().name(*val));
                            return Err(names::NameError::NotOffered { text, hint: String::new() }.into());
                        }
                    }
                }
                if let Err(fault) = selection::check(items, bounds, &counts) {
                    let why = match fault {
                        selection::Fault::TooFew => format!("choose at least {}", bounds.min),
                        selection::Fault::TooMany => format!("choose at most {}", bounds.max),
                        selection::Fault::TooCheap => {
                            format!("the total must be at least {}", bounds.at_least)
                        }
                        selection::Fault::TooDear => format!("the total must be at most {}", bounds.at_most),
                        selection::Fault::NotThatMany(at) => {
                            let name = self.look(|host| host.cx().name(values[at]));
                            format!("there are only {} of {name}", items[at].most)
                        }
                    };
                    return Err(names::NameError::Selection(why).into());
                }
                if self.look(|host| host.passes(values, &counts, test.as_ref()))? {
                    Ok(())
                } else {
                    Err(names::NameError::Selection("this selection as a whole is not allowed".into()).into())
                }
            }
            (_, choice) => {
                let text = self.look(|host| names::exact_choice(host.cx(), choice));
                Err(names::NameError::NotOffered { text, hint: String::new() }.into())
            }
        }
    }

    /// Answers with a text, as people and cases write it.
    pub fn answer_text(&mut self, which: usize, text: &str) -> Result<(), SessionError> {
        let Some(decision) = self.decisions().get(which).cloned() else { return Err(SessionError::Over) };
        let choice = self.look(|host| names::find_choice(host.cx(), &decision, text))?;
        self.answer(which, &choice)
    }

    /// Takes back everything from answer number `to` on. `lift` ignores rolls and reveals in between.
    pub fn undo(&mut self, to: usize, lift: bool) -> Result<(), SessionError> {
        if to >= self.answers.len() {
            return Err(SessionError::NoAnswer(to));
        }
        if !lift && self.answers[to..].iter().any(|recorded| recorded.barrier) {
            return Err(SessionError::Barrier(to));
        }
        self.rewind(to)
    }

    /// The number of the last answer that was a choice, not a forced one.
    pub fn last_choice(&self) -> Option<usize> {
        self.answers.iter().rposition(|recorded| !recorded.answer.forced)
    }

    /// Goes back to the moment before answer number `to`, running only the step it belongs to again.
    pub(crate) fn rewind(&mut self, to: usize) -> Result<(), SessionError> {
        let at = self.steps.iter().rposition(|step| step.answers <= to).unwrap_or(0);
        let Some(step) = self.steps.get(at).cloned() else { return Ok(()) };
        let again: Vec<Recorded> = self.answers.get(step.answers..to).unwrap_or_default().to_vec();
        let rolls = self.rolls_again(&step, to);
        // Branches of a simultaneous decision cannot be fed: their answers come in the order of time, not of asking.
        if !again.iter().any(|recorded| recorded.aside) {
            self.restore(at, &step, &rolls);
            self.edits.clone_from(&step.edits);
            self.play.feed = again.iter().map(|recorded| recorded.answer.choice.clone()).collect();
            let result = self.inside(|session, host| session.start(host, step.task.clone()));
            let unused = std::mem::take(&mut self.play.feed).len();
            let came = self.answers.get_mut(step.answers..to).unwrap_or_default();
            if result.is_ok()
                && unused == 0
                && came.len() == again.len()
                && came.iter().zip(&again).all(|(a, b)| a.agrees(b))
            {
                // What followed each answer is known from the first time; this run did not stop at them.
                came.clone_from_slice(&again);
                return Ok(());
            }
        }
        self.restore(at, &step, &rolls);
        self.edits.clone_from(&step.edits);
        self.inside(|session, host| {
            session.start(host, step.task.clone())?;
            while session.answers.len() < to {
                let next = &again[session.answers.len() - step.answers];
                let answer = next.answer.clone();
                let pending = host.cx().play.borrow().pending.clone();
                let fits =
                    |decision: &Decision| decision.side == answer.side && decision.prompt == answer.prompt;
                let Some(which) = pending.iter().position(fits) else {
                    return Err(ScriptError::new(
                        "the same answers led to another decision: the scripts hold hidden state",
                    ));
                };
                session.give(host, which, &pending[which], &answer.choice)?;
            }
            Ok(())
        })
        .map_err(SessionError::Script)
    }

    /// Changes the position outside the rules: the step under way begins again with the change in it.
    ///
    /// Answers that were given in the step are given again as far as they are still legal. The line is `place`, `set` or
    /// `pile` as in scenarios, or `reveal PIECE` or `conceal PIECE`.
    pub fn edit(&mut self, line: &str) -> Result<(), SessionError> {
        if matches!(self.status, Status::Ended(_)) {
            return Err(SessionError::Over);
        }
        let Some(at) = self.steps.len().checked_sub(1) else { return Err(SessionError::Over) };
        let step = self.steps[at].clone();
        let before = self.answers.len();
        let given = self.answers.get(step.answers..).unwrap_or_default().to_vec();
        let rolls = self.rolls_again(&step, before);
        // A line that cannot be followed is found before anything is touched.
        edit::check(self.game.host.cx(), &self.play, line)
            .map_err(|error| SessionError::Setup { line: line.to_string(), error })?;
        self.restore(at, &step, &rolls);
        self.edits = step.edits.iter().cloned().chain([line.into()]).collect();
        let run = self.inside(|session, host| session.start(host, step.task.clone()));
        if let Err(error) = run {
            self.restore(at, &step, &rolls);
            self.edits.clone_from(&step.edits);
            self.inside(|session, host| session.start(host, step.task.clone()))?;
            self.give_again(&given);
            return Err(error.into());
        }
        self.give_again(&given);
        Ok(())
    }

    /// Whether the last thing that happened is a change outside the rules.
    pub fn just_edited(&self) -> bool {
        let Some(step) = self.steps.last() else { return false };
        let answers = self.answers.get(step.answers..).unwrap_or_default();
        !step.edits.is_empty() && answers.iter().all(|recorded| recorded.answer.forced)
    }

    /// Takes back the last change outside the rules, if nothing was answered since. False if there is none.
    pub fn unedit(&mut self) -> Result<bool, SessionError> {
        let Some(at) = self.steps.len().checked_sub(1).filter(|_| self.just_edited()) else {
            return Ok(false);
        };
        let mut step = self.steps[at].clone();
        step.edits.pop();
        let rolls = self.rolls_again(&step, self.answers.len());
        self.restore(at, &step, &rolls);
        self.edits.clone_from(&step.edits);
        self.inside(|session, host| session.start(host, step.task.clone()))?;
        Ok(true)
    }

    /// Gives answers again, up to the first that is no longer legal.
    fn give_again(&mut self, given: &[Recorded]) {
        for Recorded { answer, .. } in given.iter().filter(|recorded| !recorded.answer.forced) {
            let fits = |decision: &Decision| decision.side == answer.side && decision.prompt == answer.prompt;
            let Some(which) = self.decisions().iter().position(fits) else { return };
            if self.answer(which, &answer.choice).is_err() {
                return;
            }
        }
    }

    /// How many answers came before the step under way.
    pub(crate) fn step_answers(&self) -> usize {
        self.steps.last().map_or(0, |step| step.answers)
    }

    /// The changes outside the rules, each with the number of answers and rolls before it.
    pub(crate) fn edits(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        self.steps.iter().flat_map(|step| step.edits.iter().map(|line| (step.answers, step.rolls, &**line)))
    }

    /// The rolls that a step must give again: those made before answer number `to`, then what was forced and not used.
    pub(crate) fn rolls_again(&self, step: &Step, to: usize) -> Vec<(Sym, u32)> {
        let end = self.answers.get(to).map_or(self.rolls.len(), |recorded| recorded.rolls);
        let mut rolls = self.rolls.get(step.rolls..end.max(step.rolls)).unwrap_or_default().to_vec();
        let mut left = step.forced.clone();
        for (label, _) in &rolls {
            if let Some(at) = left.iter().position(|forced| forced.0 == *label) {
                left.remove(at);
            }
        }
        rolls.append(&mut left);
        rolls
    }

    /// Puts everything back to the beginning of a step.
    pub(crate) fn restore(&mut self, at: usize, step: &Step, rolls: &[(Sym, u32)]) {
        self.steps.truncate(at);
        self.answers.truncate(step.answers);
        self.rolls.truncate(step.rolls);
        self.frames.clone_from(&step.frames);
        self.done = step.done;
        self.running = None;
        self.status = Status::Asking;
        self.play.revert(step.mark);
        self.play.ended = None;
        self.play.barrier = false;
        self.play.feed.clear();
        self.play.pending.clear();
        self.play.roll_feed = rolls.to_vec();
    }

    /// Why an option is refused: every rule that does; nothing if it is legal.
    pub fn why(&mut self, which: usize, opt: Opt) -> Result<Vec<Reason>, SessionError> {
        let Some(decision) = self.decisions().get(which).cloned() else { return Err(SessionError::Over) };
        Ok(self.look(|host| host.explain(&decision, opt))?)
    }

    /// Another session at the same point, which goes its own way.
    pub fn fork(&self) -> Result<Session, SessionError> {
        let mut fork = self.copied();
        // A coroutine cannot be copied: the step under way runs again.
        if self.status == Status::Asking {
            fork.rewind(self.answers.len())?;
        }
        Ok(fork)
    }

    /// The side whose decision it is, if there is just one.
    pub fn to_move(&self) -> Option<SideId> {
        match self.decisions() {
            [decision] => Some(decision.side),
            _ => None,
        }
    }
}

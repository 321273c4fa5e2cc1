//! Everything that the table sends to one chair at a moment, byte by byte.
//!
//! The proof of hidden information compares it between positions that differ only in what the chair must not know (`sandtable
//! sim --invariants`). It is made by the same functions that serve a page: whatever they send is compared, and nothing else is.

use crate::asked::{self, AnswerRequest};
use crate::hub::Chair;
use crate::library::{Loaded, Setup};
use crate::live::Live;
use crate::outbox::Outbox;
use crate::refusal::Refusal;
use crate::room::{Listener, Room};
use crate::store::Player;
use crate::worker::CachedGame;
use sandtable_kernel::world::SideId;
use sandtable_script::{Decision, Offered, Opt, ScriptContext};
use sandtable_session::view::Viewer;
use sandtable_session::{Game, Session, names};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Refused options of a decision that are asked about; each costs as much as a decision.
const REFUSED: usize = 40;
/// Earlier positions that are looked at.
const PAST: usize = 2;

/// Something that is sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// What was asked for: the last part of an address.
    pub what: &'static str,
    /// What was asked about, and the answer: body and, where it is a refusal, status.
    pub text: String,
    /// How long it took to make.
    pub time: Duration,
}

/// A table that sends nothing anywhere: it says what it would send.
pub struct Wire {
    shelved: Rc<CachedGame>,
}

impl Wire {
    /// A table for a game that is loaded and whose scripts have run.
    pub fn new(game: &Rc<Game>, loaded: &Arc<Loaded>) -> Wire {
        let setup = Setup { game: loaded.definition.id.clone(), ..Setup::default() };
        Wire { shelved: Rc::new(CachedGame::of(&setup, loaded.clone(), game.clone())) }
    }

    /// Everything that somebody is sent now: on joining, when asking for the view, earlier positions, the log and files, and of
    /// the decisions that they owe also what they may ask about them, and how wrong answers are refused.
    pub fn sent(&self, session: &mut Session, viewer: Viewer) -> Vec<Sent> {
        let world = &self.shelved.loaded.definition.world;
        let chair = match viewer {
            Viewer::Side(side) => Chair::Seat(world.side_name(side).to_string()),
            Viewer::Spectator => Chair::Watch,
            Viewer::Everything => Chair::Table,
        };
        let sides = (0..world.sides.len() as u8).map(|side| world.side_name(SideId(side)).to_string());
        let players: BTreeMap<String, Player> = sides.map(|side| (side, Player::Human)).collect();
        session.lend(|session| {
            let mut room = Room::new("table", self.shelved.setup.clone(), players);
            // These two are drawn by the clock and by chance, whatever the position.
            (room.serial, room.nonce) = (0, "nonce".into());
            let probes = session.probes(viewer);
            room.live = Some(Live::in_step(&self.shelved, session));
            let mut desk = Desk { room, chair, sent: Vec::new() };
            desk.look();
            desk.ask(viewer, &probes);
            (desk.room.live.map(|live| live.session), desk.sent)
        })
    }
}

/// A chair at a table, with what was sent there.
struct Desk {
    room: Room,
    chair: Chair,
    sent: Vec<Sent>,
}

impl Desk {
    /// Asks for something, and keeps the answer.
    fn get<T: ToString>(
        &mut self,
        what: &'static str,
        about: &str,
        f: impl FnOnce(&mut Room, &Chair) -> Result<T, Refusal>,
    ) {
        let begun = Instant::now();
        let body = match f(&mut self.room, &self.chair) {
            Ok(body) => body.to_string(),
            Err(refusal) => format!("{} {}", refusal.status, refusal.json()),
        };
        self.sent.push(Sent { what, text: format!("{what} {about}: {body}"), time: begun.elapsed() });
    }

    /// What is sent to whoever only looks.
    fn look(&mut self) {
        self.get("socket", "", |room, chair| {
            let to = Outbox::default();
            room.join(Listener::new(chair.clone(), None, to.clone()))?;
            room.listeners.clear();
            Ok(to.drain().join("\n"))
        });
        self.get("view", "", |room, chair| room.view(chair, None, None));
        let choices = self.room.live.as_ref().map_or(0, |live| live.choices().len());
        for at in (choices.saturating_sub(PAST)..choices).chain([usize::MAX]) {
            self.get("view", "at", |room, chair| room.view(chair, None, Some(at)));
        }
        self.get("log", "", |room, chair| room.log(chair, None, 0));
        for form in ["record", "case", "scenario"] {
            self.get("export", form, |room, chair| {
                room.export(chair, form, None).map(|(name, text)| format!("{name} {text}"))
            });
        }
        self.get("undo", "", |room, chair| room.undo(chair, Some(usize::MAX)).map(|(answer, _)| answer));
    }

    /// What is sent to somebody who asks about the decisions that they owe.
    fn ask(&mut self, viewer: Viewer, probes: &[String]) {
        let Some(live) = &self.room.live else { return };
        let (world, answers) = (live.shelved.loaded.definition.world.clone(), live.session.answers().len());
        let own = live.session.decisions().iter().filter(|decision| Viewer::Side(decision.side) == viewer);
        let own: Vec<Decision> = own.cloned().collect();
        for decision in own {
            let id = asked::decision_id(&self.room.nonce, &world, &decision);
            let options = match &decision.offered {
                Offered::List(options) => options.to_vec(),
                Offered::Selection { .. } => Vec::new(),
            };
            let out: Vec<Opt> =
                decision.candidates.iter().copied().filter(|opt| !options.contains(opt)).collect();
            if out.len() <= REFUSED {
                self.get("refused", "", |room, chair| room.refused(chair, &id));
            }
            for &opt in out.iter().take(REFUSED) {
                let name = self.text(|cx| names::exact_option(cx, opt));
                self.get("why", &name, |room, chair| room.why(chair, &id, &name));
            }
            for probe in probes {
                // What a client could send is at most this far from what is offered.
                let name = match decision.candidates.first().filter(|_| decision.menu) {
                    Some(opt) => format!("{} {probe}", self.text(|cx| cx.text(opt.tag))),
                    None => probe.clone(),
                };
                self.get("why", &name, |room, chair| room.why(chair, &id, &name));
                let given = given(&decision, &id, name.clone());
                self.get("answer", &name, |room, chair| refused_answer(room, chair, &given));
            }
            // Another option at each answer, so that in many games every kind is looked at.
            let some = match options.get(answers.checked_rem(options.len()).unwrap_or(0)) {
                Some(&opt) => given(&decision, &id, self.text(|cx| names::exact_option(cx, opt))),
                None => self.everything(&decision, &id),
            };
            self.get("preview", "", |room, chair| room.preview(chair, &some));
            self.get("try", "", |room, chair| room.try_selection(chair, &some));
            self.get("answer", "", |room, chair| refused_answer(room, chair, &some));
        }
    }

    /// A text of the game.
    fn text(&mut self, f: impl FnOnce(&ScriptContext) -> String) -> String {
        let live = self.room.live.as_mut();
        live.map_or_else(String::new, |live| live.session.look(|host| f(host.cx())))
    }

    /// The answer to a selection that takes all that there is of everything.
    fn everything(&mut self, decision: &Decision, id: &str) -> AnswerRequest {
        let mut chosen = BTreeMap::new();
        if let Offered::Selection { values, items, .. } = &decision.offered {
            for (&val, item) in values.iter().zip(items) {
                chosen.insert(self.text(|cx| cx.name(val)), item.most);
            }
        }
        AnswerRequest { decision: id.to_string(), choice: None, chosen: Some(chosen) }
    }
}

/// An answer as a page would send it.
fn given(decision: &Decision, id: &str, name: String) -> AnswerRequest {
    let (choice, chosen) = match &decision.offered {
        Offered::List(_) => (Some(name), None),
        Offered::Selection { .. } => (None, Some(BTreeMap::from([(name, 1)]))),
    };
    AnswerRequest { decision: id.to_string(), choice, chosen }
}

/// How an answer is refused; one that would be taken is not given.
fn refused_answer(room: &mut Room, chair: &Chair, given: &AnswerRequest) -> Result<Value, Refusal> {
    let which = room.owed(chair, &given.decision)?;
    let session = &mut room.live()?.session;
    let checked = asked::choice(session, which, given)
        .and_then(|choice| session.check_answer(which, &choice).map_err(Refusal::from));
    checked.map(|()| Value::from("taken")).map_err(|refusal| room.discreet(chair, refusal))
}

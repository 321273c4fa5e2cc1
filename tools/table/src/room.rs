//! A room: one table with those who sit there. It decides who sees and may do what, and tells everybody what happened.

use crate::asked::{self, AnswerRequest};
use crate::hub::Chair;
use crate::json::{Items, Json, Members};
use crate::key;
use crate::library::Setup;
use crate::lines::Line;
use crate::live::Live;
use crate::outbox::Outbox;
use crate::picture::{self, Picture};
use crate::proposal::Proposal;
use crate::refusal::Refusal;
use crate::store::{About, Change, Player};
use crate::thing::Object;
use crate::worker::{Reply, Worker};
use sandtable_kernel::symbol::stable_hash;
use sandtable_kernel::world::{SideId, World};
use sandtable_script::Decision;
use sandtable_session::view::Viewer;
use sandtable_session::{RandomPlayer, Status};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};

/// Answers that the random player gives before others get their turn.
const AT_ONCE: usize = 50;

/// Somebody who is told what happens.
pub struct Listener {
    /// The chair.
    pub chair: Chair,
    /// The side as which somebody with all chairs looks; the one that owes a decision if none is named.
    pub as_side: Option<String>,
    /// Where messages go.
    pub to: Outbox,
    /// Rows of the component list that were sent.
    components: BTreeSet<u32>,
    /// Lines of the log that were sent.
    sent: usize,
    /// As whom the last message was made.
    looked: Option<String>,
}

impl Listener {
    /// Sends everything anew the next time.
    pub fn forget(&mut self) {
        self.components.clear();
        self.looked = None;
    }

    /// A listener who has heard nothing yet.
    pub fn new(chair: Chair, as_side: Option<String>, to: Outbox) -> Listener {
        Listener { chair, as_side, to, components: BTreeSet::new(), sent: 0, looked: None }
    }
}

/// A table with those who sit there.
pub struct Room {
    /// Id of the game.
    pub id: String,
    /// What is played.
    pub setup: Setup,
    /// Who plays each side.
    pub players: BTreeMap<String, Player>,
    /// The session, unless it was not needed for long.
    pub live: Option<Live>,
    /// Those who are told.
    pub listeners: Vec<Listener>,
    /// Something that waits for consent.
    pub proposal: Option<Proposal>,
    /// The random word under which decisions are asked now; another one whenever the game has changed.
    pub nonce: String,
    /// Proposals made so far.
    pub proposals: u64,
    /// Grows with everything that happens.
    pub serial: u64,
    /// The job that used it last.
    pub used: u64,
    /// The version of what is stored, once everything that was put is.
    pub version: u64,
    /// Counts against the room what takes its thread long.
    pub strikes: u32,
}

/// A room on its way to another thread: without its session, which belongs to one.
pub struct Packed {
    id: String,
    setup: Setup,
    players: BTreeMap<String, Player>,
    listeners: Vec<Listener>,
    proposal: Option<Proposal>,
    proposals: u64,
    serial: u64,
    nonce: String,
    version: u64,
}

impl Packed {
    /// Id of the game.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is played.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The room, without a session.
    pub fn unpack(mut self) -> Room {
        Room {
            id: std::mem::take(&mut self.id),
            setup: std::mem::take(&mut self.setup),
            players: std::mem::take(&mut self.players),
            live: None,
            listeners: std::mem::take(&mut self.listeners),
            proposal: self.proposal.take(),
            proposals: self.proposals,
            serial: self.serial,
            nonce: std::mem::take(&mut self.nonce),
            used: 0,
            version: self.version,
            strikes: 0,
        }
    }
}

impl Drop for Packed {
    /// One that never arrives lets those go who listen; their pages connect again.
    fn drop(&mut self) {
        self.listeners.iter().for_each(|listener| listener.to.close());
    }
}

/// One look at a game: as whom, and what may be answered.
struct Seat {
    viewer: Viewer,
    side: Option<SideId>,
}

impl Room {
    /// A room in which nobody sits.
    pub fn new(id: &str, setup: Setup, players: BTreeMap<String, Player>) -> Room {
        // Serials go on growing over restarts of the server, like the clock.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        Room {
            id: id.to_string(),
            setup,
            players,
            live: None,
            listeners: Vec::new(),
            proposal: None,
            nonce: String::new(),
            proposals: 0,
            serial: now,
            used: 0,
            version: 0,
            strikes: 0,
        }
    }

    /// The game that is played.
    pub fn live(&mut self) -> Result<&mut Live, Refusal> {
        self.live.as_mut().ok_or_else(|| Refusal::busy("This table is being set up again; try again."))
    }

    /// The room without its session, for another thread.
    pub fn pack(self) -> Packed {
        let Room { id, setup, players, listeners, proposal, proposals, serial, nonce, version, .. } = self;
        Packed { id, setup, players, listeners, proposal, proposals, serial, nonce, version }
    }

    /// Lets those go who listen; their pages connect again.
    pub fn let_go(self) {
        drop(self.pack());
    }

    /// Tells everybody that the table is closed, and why.
    pub fn tell_closed(&mut self, refusal: &Refusal) {
        self.listeners.retain(|listener| !listener.to.is_closed());
        let told = self.listeners.iter_mut().map(|listener| {
            // Once it is open again everything is sent anew.
            listener.forget();
            let refusal =
                if listener.chair == Chair::Table { refusal.clone() } else { refusal.clone().discreet() };
            (listener.to.clone(), json!({ "type": "closed", "error": refusal.json()["error"] }).to_string())
        });
        send(told.collect());
    }

    /// The version that the next change follows.
    pub fn next_version(&mut self) -> u64 {
        self.version += 1;
        self.version - 1
    }

    /// Whether people play a side.
    pub fn human(&self, side: &str) -> bool {
        self.players.get(side) != Some(&Player::Random)
    }

    /// Whether a chair answers for a side.
    pub fn sits(&self, chair: &Chair, side: &str) -> bool {
        match chair {
            Chair::Table => self.human(side),
            Chair::Seat(own) => own == side && self.human(side),
            Chair::Watch => false,
        }
    }

    /// As whom a chair looks at the game.
    fn look(&self, live: &Live, chair: &Chair, as_side: Option<&str>) -> Seat {
        let world = &live.shelved.loaded.definition.world;
        let side = match chair {
            Chair::Watch => None,
            Chair::Seat(side) => world.find_side(side),
            Chair::Table => as_side.and_then(|side| world.find_side(side)).or_else(|| self.turn(live, world)),
        };
        let over = matches!(live.session.status(), Status::Ended(_));
        let viewer = match side {
            _ if over && *chair == Chair::Table => Viewer::Everything,
            Some(side) => Viewer::Side(side),
            None => Viewer::Spectator,
        };
        Seat { viewer, side }
    }

    /// With whose eyes a chair looks at the game.
    pub fn viewer(&self, live: &Live, chair: &Chair, as_side: Option<&str>) -> Viewer {
        self.look(live, chair, as_side).viewer
    }

    /// The side whose turn it is at a table for all: one that owes a decision, else the last that made one.
    fn turn(&self, live: &Live, world: &World) -> Option<SideId> {
        let human = |side: &SideId| self.human(world.side_name(*side));
        let owing = live.session.decisions().iter().map(|decision| decision.side).find(human);
        let last = || live.session.answers().iter().rev().map(|recorded| recorded.answer.side).find(human);
        owing.or_else(last).or_else(|| (0..world.sides.len() as u8).map(SideId).find(human))
    }

    /// A refusal as a chair may read it: the whole of an error only if nothing is hidden from those who sit there.
    pub fn discreet(&self, chair: &Chair, refusal: Refusal) -> Refusal {
        let hides = |live: &Live| live.session.hides(self.viewer(live, chair, None));
        match chair {
            Chair::Table => refusal,
            Chair::Seat(_) | Chair::Watch if !self.live.as_ref().is_none_or(hides) => refusal,
            Chair::Seat(_) | Chair::Watch => {
                let seen = refusal.clone().discreet();
                if seen != refusal {
                    eprintln!("table {}: {}", self.id, refusal.text);
                }
                seen
            }
        }
    }

    /// The view of a chair: now, or as it was before choice number `at`.
    pub fn view(
        &mut self,
        chair: &Chair,
        as_side: Option<&str>,
        at: Option<usize>,
    ) -> Result<String, Refusal> {
        let mut live = self.live.take().ok_or_else(|| Refusal::busy("Try again."))?;
        let view = self.view_of(&mut live, chair, as_side, at);
        self.live = Some(live);
        view
    }

    fn view_of(
        &self,
        live: &mut Live,
        chair: &Chair,
        as_side: Option<&str>,
        at: Option<usize>,
    ) -> Result<String, Refusal> {
        let look = self.look(live, chair, as_side);
        let choices = live.choices();
        let past = match at {
            Some(at) if at < choices.len() => Some((at, choices[at])),
            Some(at) if at > choices.len() => {
                return Err(Refusal::missing(format!("There are {} choices, not {at}.", choices.len())));
            }
            _ => None,
        };
        let picture = match past {
            None => live.session.look(|host| picture::picture(host.cx(), look.viewer)),
            Some((_, answer)) => live
                .session
                .at(answer, |host| picture::picture(host.cx(), look.viewer))
                .ok_or_else(|| Refusal::missing("There is no such position."))?,
        };
        let components = self.components(live, &picture, &BTreeSet::new());
        let asked = if past.is_some() { Vec::new() } else { self.asked(live) };
        let at = past.map(|(at, _)| at);
        Ok(Json::object(|view| self.whole(view, live, chair, &look, &picture, &components, &asked, at)))
    }

    /// The decisions that people owe, with their sides.
    fn asked(&self, live: &mut Live) -> Vec<(SideId, String)> {
        let shelved = live.shelved.clone();
        let world = &*shelved.loaded.definition.world;
        let ids: Vec<String> = live
            .session
            .decisions()
            .iter()
            .map(|decision| asked::decision_id(&self.nonce, world, decision))
            .collect();
        live.session.look(|host| {
            let play = host.cx().play.borrow();
            let human = |decision: &Decision| self.human(world.side_name(decision.side));
            let owed = play.pending.iter().zip(&ids).filter(|(decision, _)| human(decision));
            owed.map(|(decision, id)| {
                let rules = shelved.rules(&host.cx().text(decision.prompt));
                (decision.side, asked::decision(host, &shelved.loaded.catalog, id, decision, &rules))
            })
            .collect()
        })
    }

    /// What is printed on the pieces of a picture and is not among what is known.
    pub fn components(&self, live: &Live, picture: &Picture, known: &BTreeSet<u32>) -> Object {
        let loaded = &live.shelved.loaded;
        let world = &*loaded.definition.world;
        let new =
            picture.components.difference(known).filter_map(|&number| world.components.get(number as usize));
        new.map(|component| {
            (
                world.symbols.text(component.id).to_string(),
                crate::board::component(world, &loaded.catalog, component),
            )
        })
        .collect()
    }

    /// Everything of a view.
    #[expect(
        clippy::too_many_arguments,
        reason = "what is the same for several listeners is made once for all"
    )]
    fn whole(
        &self,
        view: &mut Members<'_>,
        live: &Live,
        chair: &Chair,
        look: &Seat,
        picture: &Picture,
        components: &Object,
        asked: &[(SideId, String)],
        at: Option<usize>,
    ) {
        let world = &*live.shelved.loaded.definition.world;
        let choices = live.choices().len();
        view.put("serial", &self.serial);
        view.put("choices", &choices);
        view.put("at", &at.unwrap_or(choices));
        view.put("now", &at.is_none());
        view.put("as", &look.side.map(|side| world.side_name(side)));
        view.list("decisions", |decisions| {
            for (side, decision) in asked {
                // Whoever shares a computer is asked as the side whose eyes the page has, and nothing of another's secrets.
                if look.side == Some(*side) && self.sits(chair, world.side_name(*side)) {
                    decisions.written(decision);
                }
            }
        });
        let frames = match at {
            Some(at) => live.choices().get(at).map_or(&[][..], |answer| live.session.frames_at(*answer)),
            None => live.session.frames(),
        };
        view.put("place", &picture::place(live.shelved.game.host.cx(), &live.shelved.game, frames));
        view.put("owing", &live.owing());
        view.put("undo", &self.undo_offer(live, chair));
        view.put(
            "proposal",
            &self.proposal.as_ref().map(|proposal| proposal.json(self, live, chair, look.viewer)),
        );
        view.put("players", &self.players);
        view.put("online", &self.online());
        view.put("ended", &live.ended());
        view.put("protos", components);
        view.all(&picture.parts);
    }

    /// How many people sit where.
    pub fn online(&self) -> Value {
        let mut online: BTreeMap<&str, usize> = self.players.keys().map(|side| (side.as_str(), 0)).collect();
        let mut watching = 0;
        for listener in self.listeners.iter().filter(|listener| !listener.to.is_closed()) {
            match &listener.chair {
                Chair::Watch => watching += 1,
                Chair::Seat(side) => *online.entry(side).or_default() += 1,
                Chair::Table => {
                    let human = self.players.keys().filter(|side| self.human(side));
                    human.for_each(|side| *online.entry(side).or_default() += 1);
                }
            }
        }
        online.insert("watch", watching);
        json!(online)
    }

    /// The log of a chair from line number `from` on.
    pub fn log(&mut self, chair: &Chair, as_side: Option<&str>, from: usize) -> Result<String, Refusal> {
        let live = self.live.as_ref().ok_or_else(|| Refusal::busy("Try again."))?;
        let look = self.look(live, chair, as_side);
        Ok(Json::object(|out| {
            out.put("choices", &live.choices().len());
            out.list("lines", |lines| told(live.log(look.viewer).0, from, lines));
        }))
    }

    /// The number of a decision that a chair owes.
    pub fn owed(&mut self, chair: &Chair, decision: &str) -> Result<usize, Refusal> {
        let live = self.live.as_ref().ok_or_else(|| Refusal::busy("Try again."))?;
        let which = asked::find(&live.session, &self.nonce, decision)?;
        let world = live.shelved.loaded.definition.world.clone();
        let side = live.session.decisions().get(which).map_or("", |decision| world.side_name(decision.side));
        if self.sits(chair, side) {
            Ok(which)
        } else {
            Err(Refusal::not_yours(format!("This is for {side} to decide.")))
        }
    }

    /// Takes an answer from a chair. Gives from which change on the log is new.
    pub fn answer(
        &mut self,
        chair: &Chair,
        given: &AnswerRequest,
    ) -> Result<(Value, Option<usize>), Refusal> {
        let which = self.owed(chair, &given.decision)?;
        let live = self.live()?;
        let choice = asked::choice(&mut live.session, which, given)?;
        let from = live.changes();
        live.session.answer(which, &choice)?;
        self.proposal = None;
        Ok((json!({ "serial": self.serial + 1 }), Some(from)))
    }

    /// Lets the random player answer for its sides. True if it has more to do.
    fn play_random(&mut self) -> Result<bool, Refusal> {
        let players = self.players.clone();
        let live = self.live()?;
        let world = live.shelved.loaded.definition.world.clone();
        for _ in 0..AT_ONCE {
            let random = |side: SideId| players.get(world.side_name(side)) == Some(&Player::Random);
            let Some(which) = live.session.decisions().iter().position(|decision| random(decision.side))
            else {
                return Ok(false);
            };
            // Its choices follow from the game, so that a restart changes nothing.
            let place = format!("{} {}", live.session.play().seed, live.session.answers().len());
            RandomPlayer::new(stable_hash(&place)).play_for(&mut live.session, which)?;
        }
        Ok(true)
    }

    /// After something has happened: the random player moves, the record is stored, and then everybody is told.
    pub fn settle(&mut self, worker: &mut Worker, from: usize, mut changes: Vec<Change>, reply: Reply<()>) {
        let more = self.play_random();
        if matches!(more, Ok(true)) && !worker.more.contains(&self.id) {
            worker.more.push_back(self.id.clone());
        }
        self.serial += 1;
        let about = worker.about(self);
        let known = worker.hub.note(&self.id, &about);
        let differs = known.is_none_or(|known| About { choices: about.choices, ..known } != about);
        let about = differs.then(|| Box::new(about));
        let mut messages = Vec::new();
        if let Some(live) = &mut self.live {
            live.tell(from);
            let before = live.stored.len();
            let (first, lines) = live.unstored();
            if self.nonce.is_empty() || first < before || !lines.is_empty() {
                self.nonce = match key::nonce() {
                    Ok(nonce) => nonce,
                    Err(error) => {
                        // Under the old nonce an answer would be taken for one to what was asked before.
                        worker.hub.fail(&self.id);
                        return reply(Err(Refusal::busy(error)));
                    }
                };
                changes.push(Change::Nonce { game: self.id.clone(), nonce: self.nonce.clone() });
            }
            let (game, version) = (self.id.clone(), self.next_version());
            changes.push(Change::Lines { game, version, from: first, lines, about });
            messages = self.news();
        }
        if let Err(refusal) = more {
            // A script that fails for the random player stops it; people see why, and can take back or edit.
            messages.extend(self.listeners.iter().map(|listener| {
                let error = &self.discreet(&listener.chair, refusal.clone()).json()["error"];
                (listener.to.clone(), json!({ "type": "error", "error": error }).to_string())
            }));
        }
        let (hub, id) = (worker.hub.clone(), self.id.clone());
        worker.put(
            changes,
            Box::new(move |result| match result {
                Ok(()) => {
                    send(messages);
                    reply(Ok(()));
                }
                Err(error) => {
                    hub.fail(&id);
                    reply(Err(Refusal::busy(error)));
                }
            }),
        );
    }

    /// The messages that bring every listener up to date.
    pub fn news(&mut self) -> Vec<(Outbox, String)> {
        self.listeners.retain(|listener| !listener.to.is_closed());
        let Some(mut live) = self.live.take() else { return Vec::new() };
        let mut listeners = std::mem::take(&mut self.listeners);
        let mut pictures: BTreeMap<String, Picture> = BTreeMap::new();
        let mut messages = Vec::new();
        let asked = self.asked(&mut live);
        for listener in &mut listeners {
            let look = self.look(&live, &listener.chair, listener.as_side.as_deref());
            let key = format!("{:?}", look.viewer);
            let picture = pictures
                .entry(key.clone())
                .or_insert_with(|| live.session.look(|host| picture::picture(host.cx(), look.viewer)));
            let components = self.components(&live, picture, &listener.components);
            listener.components.extend(&picture.components);
            let view = Json::object(|out| {
                out.put("type", "view");
                out.object("view", |view| {
                    self.whole(view, &live, &listener.chair, &look, picture, &components, &asked, None);
                });
            });
            messages.push((listener.to.clone(), view));
            // Somebody who looks as another side now has another log.
            let (log, new_from) = live.log(look.viewer);
            let first = if listener.looked.as_ref() == Some(&key) { new_from.min(listener.sent) } else { 0 };
            listener.sent = log.len();
            let log = Json::object(|out| {
                out.put("type", "log");
                out.put("from", &first);
                out.list("lines", |lines| told(log, first, lines));
            });
            messages.push((listener.to.clone(), log));
            listener.looked = Some(key);
        }
        self.listeners = listeners;
        self.live = Some(live);
        messages
    }

    /// Lets somebody listen, and tells how things are.
    pub fn join(&mut self, listener: Listener) -> Result<(), Refusal> {
        self.listeners.retain(|listener| !listener.to.is_closed());
        let board = self.live()?.shelved.board_hash.clone();
        let hello = json!({ "type": "hello", "serial": self.serial, "board": board }).to_string();
        send(vec![(listener.to.clone(), hello)]);
        // The newcomer alone gets the view; the others only hear that somebody came.
        let others = std::mem::replace(&mut self.listeners, vec![listener]);
        let messages = self.news();
        self.listeners.splice(0..0, others);
        send(messages);
        self.tell_online();
        Ok(())
    }

    /// Tells everybody who is there.
    pub fn tell_online(&mut self) {
        self.listeners.retain(|listener| !listener.to.is_closed());
        let text = json!({ "type": "online", "online": self.online() }).to_string();
        send(self.listeners.iter().map(|listener| (listener.to.clone(), text.clone())).collect());
    }

    /// Tells everybody that the table is gone.
    pub fn close(self) {
        let text = json!({ "type": "gone" }).to_string();
        send(self.listeners.into_iter().map(|listener| (listener.to, text.clone())).collect());
    }
}

/// Writes the log of a viewer from a line on.
fn told(log: &[Line], from: usize, out: &mut Items<'_>) {
    log.iter().skip(from).for_each(|line| out.written(&line.json));
}

/// Sends messages.
pub fn send(messages: Vec<(Outbox, String)>) {
    for (to, text) in messages {
        to.push(text);
    }
}

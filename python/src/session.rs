//! Sessions: questions, answers, views, records, and players.

use crate::raised;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sandtable_engine::{Answers, Error, Seat};
use send_wrapper::SendWrapper;

/// Runs rules with the interpreter's lock released. The closure runs on this very thread, so what belongs to it may be used: the wrapper
/// asserts just that.
pub fn released<T, R: Send>(py: Python<'_>, inner: &mut T, work: impl FnOnce(&mut T) -> R + Send) -> R {
    let mut inner = SendWrapper::new(inner);
    py.detach(move || work(&mut inner))
}

/// Something that can be chosen in a selection.
#[pyclass(frozen, get_all, module = "sandtable._native")]
#[derive(Clone)]
pub struct Item {
    name: String,
    most: u32,
    cost: i32,
}

/// Something that a side is asked.
#[pyclass(frozen, get_all, module = "sandtable._native")]
pub struct Question {
    side: String,
    prompt: String,
    text: String,
    /// The options, or of a selection the names of its items.
    options: Vec<String>,
    /// The items of a selection; nothing if exactly one option is to be chosen.
    items: Option<Vec<Py<Item>>>,
    /// The least and the greatest number of items.
    bounds: Option<(u32, u32)>,
}

/// How a game ended.
#[pyclass(frozen, get_all, module = "sandtable._native")]
pub struct Ending {
    winner: Option<String>,
    reason: String,
}

/// What a player would answer, and why.
#[pyclass(frozen, get_all, module = "sandtable._native")]
pub struct Advice {
    answer: String,
    options: usize,
    trials: u64,
    value: i64,
    winning: u32,
    next: Option<(String, i64)>,
}

/// A computer player.
#[pyclass(unsendable, module = "sandtable._native")]
pub struct Player {
    inner: sandtable_engine::Player,
}

#[pymethods]
impl Player {
    #[new]
    fn new(level: &str, seed: u64) -> PyResult<Player> {
        Ok(Player { inner: sandtable_engine::Player::new(level, seed).map_err(raised)? })
    }

    #[getter]
    fn level(&self) -> String {
        self.inner.level()
    }
}

/// One game being played.
#[pyclass(unsendable, module = "sandtable._native")]
pub struct Session {
    inner: sandtable_engine::Session,
}

impl Session {
    pub fn new(inner: sandtable_engine::Session) -> Session {
        Session { inner }
    }

    /// Answers at random until the game ends, or so many answers were given.
    pub fn finish(inner: &mut sandtable_engine::Session, limit: usize) -> Result<(), Error> {
        for _ in 0..limit {
            if inner.ending().is_some() {
                break;
            }
            inner.answer_at_random()?;
        }
        Ok(())
    }
}

#[pymethods]
impl Session {
    fn questions(&mut self, py: Python<'_>) -> PyResult<Vec<Question>> {
        self.inner
            .questions()
            .into_iter()
            .map(|question| {
                let options = question.options();
                let (items, bounds) = match question.answers {
                    Answers::One(_) => (None, None),
                    Answers::Many { items, min, max } => {
                        let items = items.into_iter().map(|item| {
                            Py::new(py, Item { name: item.name, most: item.most, cost: item.cost })
                        });
                        (Some(items.collect::<PyResult<_>>()?), Some((min, max)))
                    }
                };
                Ok(Question {
                    side: question.side,
                    prompt: question.prompt,
                    text: question.text,
                    options,
                    items,
                    bounds,
                })
            })
            .collect()
    }

    fn answer(&mut self, py: Python<'_>, side: &str, answer: &str) -> PyResult<()> {
        released(py, &mut self.inner, |inner| inner.answer(side, answer)).map_err(raised)
    }

    fn answer_at_random(&mut self, py: Python<'_>) -> PyResult<()> {
        released(py, &mut self.inner, |inner| inner.answer_at_random()).map_err(raised)
    }

    /// Answers at random to the end, or so many times.
    fn finish_at_random(&mut self, py: Python<'_>, limit: usize) -> PyResult<()> {
        released(py, &mut self.inner, |inner| Session::finish(inner, limit)).map_err(raised)
    }

    /// How a selection goes on: whether it may stay as it is, and which items can be added.
    fn next_items(&mut self, py: Python<'_>, side: &str, taken: Vec<u32>) -> PyResult<(bool, Vec<bool>)> {
        let next = released(py, &mut self.inner, |inner| inner.next_items(side, &taken)).map_err(raised)?;
        Ok((next.complete, next.items))
    }

    fn advise(&mut self, py: Python<'_>, side: &str, player: &mut Player) -> PyResult<Advice> {
        let mut both = (&mut self.inner, &mut player.inner);
        let advice =
            released(py, &mut both, |(session, player)| session.advise(side, player)).map_err(raised)?;
        Ok(Advice {
            answer: advice.answer,
            options: advice.options,
            trials: advice.trials,
            value: advice.value,
            winning: advice.winning,
            next: advice.next,
        })
    }

    fn undo(&mut self) -> PyResult<()> {
        self.inner.undo().map_err(raised)
    }

    fn fork(&self) -> PyResult<Session> {
        self.inner.fork().map(Session::new).map_err(raised)
    }

    #[getter]
    fn ending(&mut self) -> Option<Ending> {
        self.inner.ending().map(|ending| Ending { winner: ending.winner, reason: ending.reason })
    }

    #[getter]
    fn answers(&self) -> usize {
        self.inner.answers()
    }

    #[getter]
    fn digest(&self) -> u64 {
        self.inner.digest()
    }

    /// The game as a side sees it, as JSON; without a side as a spectator does, with `*` as one person for all sides does.
    fn view_json(&mut self, side: Option<&str>) -> PyResult<String> {
        let seat = match side {
            None => Seat::Spectator,
            Some("*") => Seat::Everyone,
            Some(side) => Seat::Side(side.to_string()),
        };
        let view = self.inner.view(&seat).map_err(raised)?;
        serde_json::to_string(&view).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn record(&mut self) -> String {
        self.inner.record()
    }

    fn changes(&mut self, since: usize) -> Vec<String> {
        self.inner.changes(since)
    }

    #[getter]
    fn change_count(&self) -> usize {
        self.inner.change_count()
    }
}

//! Messages on their way to one connection. One that does not keep up is closed: its page connects again and gets
//! everything anew, which is less than what waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Messages that may wait.
const MOST: usize = 64;

/// Messages on their way.
#[derive(Clone, Default)]
pub struct Outbox(Arc<Inner>);

#[derive(Default)]
struct Inner {
    waiting: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Default)]
struct Waiting {
    messages: VecDeque<String>,
    closed: bool,
}

impl Outbox {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a message.
    pub fn push(&self, message: String) {
        let mut waiting = self.waiting();
        if waiting.messages.len() >= MOST {
            waiting.closed = true;
            waiting.messages.clear();
        }
        if !waiting.closed {
            waiting.messages.push_back(message);
        }
        drop(waiting);
        self.0.changed.notify_one();
    }

    /// Takes everything that waits.
    pub fn drain(&self) -> Vec<String> {
        self.waiting().messages.drain(..).collect()
    }

    /// Takes no more messages.
    pub fn close(&self) {
        self.waiting().closed = true;
        self.0.changed.notify_one();
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.waiting().closed
    }

    /// The next message; nothing once it is closed and empty.
    pub async fn next(&self) -> Option<String> {
        loop {
            {
                let mut waiting = self.waiting();
                if let Some(message) = waiting.messages.pop_front() {
                    return Some(message);
                }
                if waiting.closed {
                    return None;
                }
            }
            self.0.changed.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reader_who_does_not_keep_up_is_let_go() {
        let outbox = Outbox::default();
        outbox.push("first".into());
        assert_eq!(outbox.next().await.as_deref(), Some("first"));
        for n in 0..=MOST {
            outbox.push(n.to_string());
        }
        assert!(outbox.is_closed());
        assert_eq!(outbox.next().await, None);
    }
}

//! What every game must survive: written and read, forked, taken back move by move to its start, and played again, it is the same.

use crate::record::Record;
use crate::session::{Recorded, Session, SessionError};

/// Puts a game through it all; says at what it failed, if it did.
pub fn check_round_trip(session: &mut Session) -> Result<Option<&'static str>, SessionError> {
    let (game, digest) = (session.game().clone(), session.play().state.digest());
    let record = session.record();
    let text = record.to_string();
    if Record::parse(&text).as_ref() != Ok(&record) {
        return Ok(Some("its record is read as another"));
    }
    let mut read = Session::from_record(&game, &record, None)?;
    let state = &read.session.play().state;
    let parted = read.parted.is_some() || read.differs.is_some() || !read.rolls.is_empty();
    if !read.unchanged || parted || state.digest() != digest {
        return Ok(Some("its record leads elsewhere"));
    }
    if state.digest_again() != digest {
        return Ok(Some("its record leads to a state whose digest is not that of its cells"));
    }
    if read.session.record().to_string() != text || read.session.status() != session.status() {
        return Ok(Some("its record, read, is written differently"));
    }
    let fork = session.fork()?;
    if fork.play().state.digest() != digest || fork.decisions().len() != session.decisions().len() {
        return Ok(Some("a fork of it differs"));
    }
    // One game was played, the other read: both go back and forth the same way.
    for session in [session, &mut read.session] {
        if let Some(why) = back_and_forth(session, digest, &text)? {
            return Ok(Some(why));
        }
    }
    Ok(None)
}

fn back_and_forth(
    session: &mut Session,
    digest: u64,
    text: &str,
) -> Result<Option<&'static str>, SessionError> {
    let (game, seed) = (session.game().clone(), session.play().seed);
    let choices: Vec<Recorded> =
        session.answers().iter().filter(|recorded| !recorded.answer.forced).cloned().collect();
    while let Some(last) = session.last_choice() {
        session.undo(last, true)?;
    }
    let start = session.play().state.digest();
    if start != Session::new(&game, seed)?.play().state.digest()
        || start != session.play().state.digest_again()
    {
        return Ok(Some("taken back, it is not as at its start"));
    }
    for Recorded { answer, .. } in &choices {
        let Some(which) = session.asked_again(answer) else {
            return Ok(Some("played again, it asks something else"));
        };
        session.answer(which, &answer.choice)?;
    }
    if session.play().state.digest() != digest || session.record().to_string() != text {
        return Ok(Some("played again, it comes out differently"));
    }
    Ok(None)
}

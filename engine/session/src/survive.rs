//! What every game must survive: written and read, taken back move by move to its start, and played again, it is the same.

use sandtable_session::{Record, Recorded, Session, SessionError};

/// Puts a game through it all; says at what it failed, if it did.
pub fn survive(session: &mut Session) -> Result<Option<&'static str>, SessionError> {
    let (game, seed, digest) = (session.game().clone(), session.play().seed, session.play().state.digest());
    let record = session.record();
    let text = record.to_string();
    if Record::parse(&text).as_ref() != Ok(&record) {
        return Ok(Some("its record is read as another"));
    }
    let mut read = Session::from_record(&game, &record, None)?;
    if read.parted.is_some() || read.session.play().state.digest() != digest {
        return Ok(Some("its record leads elsewhere"));
    }
    if read.session.record().to_string() != text {
        return Ok(Some("its record, read, is written differently"));
    }
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
    for choice in &choices {
        let asked = session.decisions().iter().position(|decision| {
            decision.side == choice.answer.side && decision.prompt == choice.answer.prompt
        });
        let Some(which) = asked else { return Ok(Some("played again, it asks something else")) };
        session.answer(which, &choice.answer.choice)?;
    }
    if session.play().state.digest() != digest || session.record().to_string() != text {
        return Ok(Some("played again, it comes out differently"));
    }
    Ok(None)
}

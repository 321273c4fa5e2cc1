//! Changes of a position outside the rules: a counter put where it belongs, a track set right, a card dealt.

use crate::setup::{SetupError, apply_line, piece, space};
use crate::setup_rest::show;
use sandtable_kernel::state::{End, PieceId, Place};
use sandtable_script::{Change, Cx, Play};

/// The verbs of edits.
const VERBS: &[&str] = &["place", "set", "pile", "deal", "reveal", "conceal"];

/// Whether a line can be followed.
pub(crate) fn check(cx: &Cx, play: &Play, line: &str) -> Result<(), SetupError> {
    let mut copy = Play { state: play.state.snapshot(), ..Play::default() };
    apply(cx, &mut copy, line)
}

/// Follows a line and takes note of it.
pub(crate) fn apply(cx: &Cx, play: &mut Play, line: &str) -> Result<(), SetupError> {
    let world = &*cx.world;
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let words: Vec<&str> = rest.split_whitespace().collect();
    match (verb, words.as_slice()) {
        // What is put somewhere by hand lies on top, and may be put aside.
        ("place", [name, at]) if world.find_piece(&play.state, name).is_some() => {
            let moved = PieceId(piece(world, play, name)?);
            let to = match (*at, world.find_piece(&play.state, at)) {
                ("-", _) => Place::Nowhere,
                (_, Some(carrier)) => Place::Piece(PieceId(carrier)),
                (at, None) => Place::Space(space(world, at)?),
            };
            if to == Place::Piece(moved) {
                return Err(SetupError::new(format!("`{name}` cannot lie on itself")));
            }
            play.state.move_piece(moved, to, End::Top);
        }
        ("pile", [at, names @ ..]) => {
            let to = Place::Space(space(world, at)?);
            for name in names.iter().rev() {
                let moved = PieceId(piece(world, play, name)?);
                play.state.move_piece(moved, to, End::Top);
            }
        }
        // From the top, so that whoever deals need not know what lies there.
        ("deal", [from, to, number @ ..]) => {
            let (from, to) = (space(world, from)?, Place::Space(space(world, to)?));
            let number: usize = match number {
                [] => 1,
                [n] => n.parse().map_err(|_| SetupError::new(format!("`{n}` is no number of pieces")))?,
                _ => return Err(SetupError::new(format!("`{line}`: too many words"))),
            };
            let dealt: Vec<PieceId> = play.state.contents(Place::Space(from)).take(number).collect();
            if dealt.len() < number {
                let message = format!("`{line}`: there are only {}", dealt.len());
                return Err(SetupError::new(message));
            }
            for piece in dealt {
                play.state.move_piece(piece, to, End::Top);
            }
        }
        ("deal", _) => return Err(SetupError::new(format!("`{line}`: expected from where and to where"))),
        ("reveal" | "conceal", words) => show(world, play, words, verb == "reveal")?,
        ("place" | "set", _) => apply_line(cx, play, verb, rest)?,
        _ => {
            let expected = format!("`{verb}` is no edit; expected one of {}", VERBS.join(", "));
            return Err(SetupError::new(expected));
        }
    }
    play.changes.push(Change::Edit(line.into()));
    Ok(())
}

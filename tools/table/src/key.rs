//! Keys: unguessable words that stand for a seat, a table, a spectator's place, or the server itself.

/// 32 letters and digits, of which an `l`, an `o`, a `0` and a `1` are left out because people read them aloud.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// How long a key is.
pub const LENGTH: usize = 32;

/// A new key of 160 random bits from the system.
pub fn new() -> Result<String, String> {
    let mut bytes = [0u8; LENGTH];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// A word that marks one moment of a room: what is asked then is answered by naming it. It is drawn at random so that it
/// tells nothing of the position.
pub fn nonce() -> Result<String, String> {
    Ok(new()?.get(..16).unwrap_or_default().to_string())
}

/// A short id for a game, unique enough to tell games apart; it opens nothing.
pub fn short() -> Result<String, String> {
    Ok(format!("g{}", new()?.get(..9).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_words_of_their_own() {
        let (a, b) = (new().unwrap_or_default(), new().unwrap_or_default());
        assert_eq!(a.len(), LENGTH);
        assert_ne!(a, b);
        assert!(a.bytes().all(|byte| LETTERS.contains(&byte)));
    }
}

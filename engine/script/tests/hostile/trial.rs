//! What every script is put through: it is loaded, its attack is answered twice in one game while another game of the same rules waits
//! beside it, and everything is looked at, taken back and played again.

use crate::unharmed::{arena, attacked, neighbour, sane, start};

/// Puts a script through it all; says what is not as it must be.
pub fn survives(script: &str) -> Result<(), String> {
    let game = match arena(script) {
        Ok(game) => game,
        Err(errors) => return errors.iter().try_for_each(|error| sane(error)),
    };
    let expected = neighbour(&game, &mut start(&game, 2)?)?;
    let Ok(game) = arena(script) else { return Err("loaded once, and not a second time".into()) };
    let mut beside = start(&game, 2)?;
    attacked(&game)?;
    if neighbour(&game, &mut beside)? != expected {
        return Err("another game of the same rules went another way".into());
    }
    Ok(())
}

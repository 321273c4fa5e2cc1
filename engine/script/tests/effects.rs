//! Effects end with what they last for: a node, a record, an event.

mod support;

use support::{call, game};

#[test]
fn an_effect_lasts_until_an_event() {
    let script = "
        on('rain', 'umbrella', {}, function() print('heard', effect 'fog' ~= nil) end)
        procedure('probe', {}, function()
          start_effect('fog', { lasts = 'rain' })
          emit 'wind'
          print(effect 'fog' ~= nil)
          emit 'rain'
          print(effect 'fog' ~= nil)
        end)
        procedure('main', {}, function() return 'done' end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (_, result) = call(&game, "probe", Vec::new());
    result.unwrap_or_else(|error| panic!("{error}"));
    // Handlers of the event still find it; after them it is gone.
    assert_eq!(game.host.printed(), ["true", "heard\ttrue", "false"]);
}

#[test]
fn history_is_remembered() {
    let script = "
        procedure('probe', {}, function()
          print(has_ever 'crossed')
          remember 'crossed'
          remember 'crossed'
          print(has_ever 'crossed', has_ever 'drowned', #effects 'crossed')
        end)
        procedure('main', {}, function() return 'done' end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (_, result) = call(&game, "probe", Vec::new());
    result.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.host.printed(), ["false", "true\tfalse\t1"]);
}

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

#[test]
fn a_die_is_rolled_again_if_a_rule_wants_it() {
    let script = "
        reroll('shot', 'lucky', { rule = '2' }, function(value, sides) return value < 3 end)
        reroll('shot', 'blessed', { rule = '3', during = 'blessing' }, function(value) return value < 6 end)
        procedure('probe', {}, function() local one, more = roll 'shot', rolls('shot', 2) print(one, more[1], more[2]) end)
        procedure('bless', {}, function() start_effect 'blessing' print(roll 'shot', roll 'other') end)
        procedure('main', {}, function() return 'done' end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let run = |name: &str, forced: &[u32]| {
        let mut session =
            sandtable_session::Session::bare(&game, 1).unwrap_or_else(|error| panic!("{error}"));
        let (shot, other) = session.look(|host| (host.cx().sym("shot"), host.cx().sym("other")));
        let rolls = forced.iter().map(|&value| (shot, value)).chain([(other, 1)]).collect();
        session.force_rolls(rolls);
        let task = sandtable_script::Task::Call(name.into(), Vec::new());
        session.begin_task(task).unwrap_or_else(|error| panic!("{error}"));
        let rolled: Vec<u32> = session.rolls().iter().map(|roll| roll.1).collect();
        (game.host.printed().pop().unwrap_or_default(), rolled)
    };
    // Once a rule, also of several dice; every roll is recorded.
    assert_eq!(run("probe", &[2, 1, 5, 1, 4]), ("1\t5\t4".into(), vec![2, 1, 5, 1, 4]));
    assert_eq!(run("bless", &[1, 4, 6]), ("6\t1".into(), vec![1, 4, 6, 1]));
}

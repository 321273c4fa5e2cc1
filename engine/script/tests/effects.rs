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

/// What a procedure `probe` prints.
fn printed(script: &str) -> Vec<String> {
    let game = game(&format!("{script} procedure('main', {{}}, function() return 'done' end)"));
    let game = game.unwrap_or_else(|errors| panic!("{errors:?}"));
    let (_, result) = call(&game, "probe", Vec::new());
    result.unwrap_or_else(|error| panic!("{error}"));
    game.host.printed()
}

#[test]
fn what_is_remembered_stays_whatever_effects_of_the_name_do() {
    let lines = printed(
        "
        procedure('probe', {}, function()
          start_effect('crossed', { lasts = 'dawn' })
          print(has_ever 'crossed')
          remember 'crossed'
          emit 'dawn'
          end_effect 'crossed'
          print(has_ever 'crossed')
        end)",
    );
    assert_eq!(lines, ["false", "true"]);
}

#[test]
fn things_are_remembered_one_by_one() {
    let lines = printed(
        "
        procedure('probe', {}, function()
          remember('turn-passed', 3)
          remember('turn-passed', 3)
          print(has_ever('turn-passed', 3), has_ever('turn-passed', 4), has_ever 'turn-passed', #effects 'turn-passed')
          remember 'turn-passed'
          print(#effects 'turn-passed')
        end)",
    );
    assert_eq!(lines, ["true\tfalse\ttrue\t1", "1"]);
}

#[test]
fn what_handlers_of_an_event_begin_waits_for_the_next() {
    let lines = printed(
        "
        on('bell', 'sow', { }, function()
          if effect 'sown' then return end
          start_effect('sown', { lasts = 'bell' })
          schedule('reap', { on = 'bell' })
        end)
        procedure('reap', {}, function() print('reaped', effect 'sown' ~= nil) end)
        procedure('probe', {}, function()
          emit 'bell'
          print('once', effect 'sown' ~= nil)
          emit 'bell'
          print('twice', effect 'sown' ~= nil)
        end)",
    );
    assert_eq!(lines, ["once\ttrue", "reaped\tfalse", "twice\tfalse"]);
}

#[test]
fn one_that_runs_at_an_event_may_end_another() {
    let lines = printed(
        "
        procedure('first', {}, function() print 'first' end_effect 'second' schedule('third', { on = 'bell' }) end)
        procedure('second', {}, function() print 'second' end)
        procedure('third', {}, function() print 'third' end)
        procedure('probe', {}, function()
          schedule('first', { on = 'bell' })
          schedule('second', { on = 'bell' })
          emit 'bell'
          emit 'bell'
        end)",
    );
    assert_eq!(lines, ["first", "third"]);
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

//! Attacks by name, each with its reason: what a script that means harm would try, and what comes of it.
//!
//! Each runs in a child of this program with bounds on memory and time, beside another game of the same rules that must not
//! notice. `ATTACK=name cargo test -p sandtable-script --test attacks` runs one.

#[path = "../support/cage.rs"]
mod cage;
#[path = "../support/mod.rs"]
mod support;
mod themes;
#[path = "../support/unharmed.rs"]
mod unharmed;

use std::collections::BTreeSet;
use themes::{Attack, Outcome, all};
use unharmed::{arena, attacked, neighbour, sane, start};

/// Attacks for one child.
const AT_A_TIME: usize = 40;

#[expect(clippy::disallowed_methods, reason = "who looks into one attack names it in the environment")]
fn chosen() -> Vec<Attack> {
    let name = std::env::var("ATTACK").ok();
    all()
        .into_iter()
        .filter(|attack| name.as_deref().is_none_or(|name| attack.name.starts_with(name)))
        .collect()
}

#[test]
fn every_attack_is_contained() {
    let attacks = chosen();
    if let Some(job) = cage::job() {
        return cage::work(job, |number| contained(&attacks[number]));
    }
    let outcome = cage::supervise("every_attack_is_contained", attacks.len(), AT_A_TIME);
    let (slowest, took) = outcome.slowest;
    println!(
        "{} attacks; the slowest step, of `{}`, took {} ms; at most {} MiB",
        attacks.len(),
        attacks[slowest].name,
        took.as_millis(),
        outcome.peak
    );
    let told = |(number, how): &(usize, String)| {
        let Attack { name, reason, .. } = &attacks[*number];
        format!("{name} ({reason}): {how}")
    };
    let wrong: Vec<String> = outcome.wrong.iter().map(told).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), attacks.len(), wrong.join("\n"));
}

#[test]
fn attacks_are_many_and_told_apart() {
    let attacks = all();
    let names: BTreeSet<&str> = attacks.iter().map(|attack| attack.name).collect();
    assert_eq!(names.len(), attacks.len(), "two attacks have one name");
    assert!(attacks.len() >= 150, "{} attacks", attacks.len());
    assert!(attacks.iter().all(|attack| attack.reason.len() > 10), "an attack without a reason");
}

/// The script of an attack: what stands at its head on the first lines, and the procedure that makes it. `«N:text»` is so many
/// times that text.
fn script(attack: &Attack) -> String {
    let written = format!(
        "{}\nprocedure('attack', {{ rule = '6.6.6' }}, function()\n{}\nend)",
        attack.head, attack.body
    );
    let mut parts = written.split(['«', '»']);
    let mut script = parts.next().unwrap_or_default().to_string();
    while let (Some(often), Some(after)) = (parts.next(), parts.next()) {
        let (count, text) = often.split_once(':').expect("a count and a text");
        script.push_str(&text.repeat(count.parse().expect("a count")));
        script.push_str(after);
    }
    script
}

fn contained(attack: &Attack) -> Result<(), String> {
    let script = script(attack);
    let game = match arena(&script) {
        Ok(game) => game,
        Err(errors) => {
            errors.iter().try_for_each(|error| sane(error))?;
            let Outcome::Refused(words) = attack.outcome else {
                return Err(format!("refused while loading: {}", errors.join("; ")));
            };
            let said = errors.join("; ");
            return if said.contains(words) { Ok(()) } else { Err(format!("no `{words}` in: {said}")) };
        }
    };
    if let Outcome::Refused(words) = attack.outcome {
        return Err(format!("loaded, although `{words}` was expected"));
    }
    let mut beside = start(&game, 2)?;
    let refused = attacked(&game)?;
    let printed = game.host.printed();
    // The neighbour's dice are its own: what it throws hangs on its seed alone.
    neighbour(&game, &mut beside)?;
    let quiet = arena("procedure('attack', {}, function() end)").map_err(|errors| errors.join("; "))?;
    let (own, other) = (game.digest(&beside.play().state), &mut start(&quiet, 2)?);
    neighbour(&quiet, other)?;
    if own != quiet.digest(&other.play().state) {
        return Err("another game of the same rules went another way".into());
    }
    match (attack.outcome, refused.first()) {
        (Outcome::Stopped(words), Some(error)) if error.contains(words) => Ok(()),
        (Outcome::Stopped(words), Some(error)) => Err(format!("no `{words}` in: {error}")),
        (Outcome::Stopped(_), None) => Err(format!("it went through, and printed {printed:?}")),
        (Outcome::Harmless(lines), None) if printed.iter().any(|line| line == lines) => Ok(()),
        (Outcome::Harmless(lines), None) => Err(format!("printed {printed:?} instead of {lines:?}")),
        (Outcome::Harmless(_), Some(error)) => Err(format!("refused: {error}")),
        (Outcome::Contained, _) => Ok(()),
        (Outcome::Refused(_), _) => Err("loaded".into()),
    }
}

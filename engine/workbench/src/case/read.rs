//! Reading cases: one line a command, loops unrolled.

use super::{Case, Failure, Line, Needs, Policy};
use crate::book::CaseText;
use sandtable_data::definition::keys;

/// Reads a case; `for NAME in a b c` makes one case of each.
pub fn read(text: &CaseText) -> Result<Vec<Case>, Failure> {
    let loops: Vec<(&str, Vec<&str>)> = text
        .lines
        .iter()
        .filter_map(|(_, line)| line.trim().strip_prefix("for "))
        .filter_map(|rest| rest.split_once(" in "))
        .map(|(name, values)| (name.trim(), values.split_whitespace().collect()))
        .collect();
    let mut variants: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for (name, values) in loops {
        let with = |variant: &Vec<(String, String)>, value: &str| {
            let mut longer = variant.clone();
            longer.push((format!("{{{name}}}"), value.to_string()));
            longer
        };
        variants = variants
            .iter()
            .flat_map(|variant| values.iter().map(|value| with(variant, value)).collect::<Vec<_>>())
            .collect();
    }
    variants.into_iter().map(|variant| read_one(text, &variant)).collect()
}

fn read_one(text: &CaseText, variant: &[(String, String)]) -> Result<Case, Failure> {
    let mut case = Case {
        name: variant.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>().join(" "),
        needs: Needs::default(),
        variant: variant.to_vec(),
        seed: 1,
        free_dice: false,
        players: Vec::new(),
        lines: Vec::new(),
    };
    for (number, line) in &text.lines {
        let mut line = line.split(" # ").next().unwrap_or_default().trim().to_string();
        for (name, value) in variant {
            line = line.replace(name.as_str(), value);
        }
        if line.is_empty() || line.starts_with('#') || line.starts_with("for ") {
            continue;
        }
        let failed = |message: String| Failure::new(*number, message);
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        let rest = rest.trim();
        if let Some(verb) = keys::SETUP.iter().chain(keys::FORCED).find(|verb| **verb == word) {
            case.lines.push((*number, Line::Setup(verb, rest.to_string())));
            continue;
        }
        let read = match word {
            "case" => {
                case.name = format!("{rest} {}", case.name).trim().to_string();
                continue;
            }
            "scenario" => {
                case.needs.scenario = rest.to_string();
                continue;
            }
            "seed" => {
                case.seed = rest.parse().map_err(|_| failed(format!("`{rest}` is not a seed")))?;
                case.free_dice = true;
                continue;
            }
            "option" => {
                let (key, value) =
                    rest.split_once('=').ok_or_else(|| failed("expected `option ID = VALUE`".into()))?;
                case.needs.options.push((key.trim().to_string(), value.trim().to_string()));
                continue;
            }
            "player" => {
                let (prompt, how) = rest.split_once(char::is_whitespace).ok_or_else(|| {
                    failed("expected `player PROMPT least FIELD`, `… OPTION` or `… random`".into())
                })?;
                case.players.push((prompt.to_string(), Policy::read(how)));
                continue;
            }
            "outcome" => {
                let (name, value) = rest
                    .split_once(char::is_whitespace)
                    .ok_or_else(|| failed("expected `outcome NAME VALUE`".into()))?;
                Line::Outcome(name.to_string(), value.trim().to_string())
            }
            "position" => continue,
            "roll" => Line::Rolls(
                rolls(rest).ok_or_else(|| failed("expected `roll LABEL VALUE…; LABEL VALUE`".into()))?,
            ),
            "call" => {
                let mut words = rest.split_whitespace().filter(|word| *word != "->").map(str::to_string);
                let name = words.next().ok_or_else(|| failed("expected the name of a procedure".into()))?;
                Line::Call(name, words.collect())
            }
            "step" => Line::Step(rest.to_string()),
            "go" => Line::Go,
            "raise" if rest.is_empty() => return Err(failed("expected `raise EVENT`".into())),
            "raise" => Line::Raise(rest.to_string()),
            "until" if rest.is_empty() => return Err(failed("expected `until NODE`".into())),
            "until" => Line::Until(rest.to_string()),
            "ask" if rest == "all" => Line::AskAll,
            "log" if rest.is_empty() => return Err(failed("expected `log SENTENCE`".into())),
            "log" => Line::Log(rest.to_string()),
            "stop" => Line::Stop,
            "error" => Line::Error(rest.to_string()),
            "..." | "…" => Line::Skip,
            "=>" if rest == "..." || rest == "…" => Line::Skip,
            "=>" => Line::Expect(rest.to_string()),
            "is" => {
                let (path, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Line::Is(path.to_string(), value.trim().to_string())
            }
            "sees" => {
                let words: Vec<&str> = rest.splitn(3, char::is_whitespace).map(str::trim).collect();
                let [side, thing, what] = words[..] else {
                    return Err(failed(
                        "expected `sees SIDE SPACE PIECES` or `sees SIDE THING.ATTRIBUTE VALUE`".into(),
                    ));
                };
                Line::Sees(side.to_string(), thing.to_string(), what.to_string())
            }
            side if side.ends_with(':') => {
                Line::Answer(side.trim_end_matches(':').to_string(), rest.to_string())
            }
            side if side.ends_with('?') => {
                let some = rest.strip_prefix("...").or_else(|| rest.strip_prefix('…'));
                let wanted = match some.map(str::trim_start) {
                    Some(list) if list.starts_with(',') => split_options(&format!("{list},")),
                    list => split_options(list.unwrap_or(rest)),
                };
                Line::Options(side.trim_end_matches('?').to_string(), wanted, some.is_some())
            }
            side if side.ends_with('!') => {
                let (option, rule) = rest
                    .rsplit_once(char::is_whitespace)
                    .ok_or_else(|| failed("expected `SIDE! OPTION RULE`".into()))?;
                Line::Refused(
                    side.trim_end_matches('!').to_string(),
                    option.trim().to_string(),
                    rule.to_string(),
                )
            }
            other => return Err(failed(format!("no line of a case begins with `{other}`"))),
        };
        case.lines.push((*number, read));
    }
    Ok(case)
}

/// Options are parted by commas if there is one, else by spaces.
fn split_options(text: &str) -> Vec<String> {
    if text.contains(',') {
        return text.split(',').map(|part| part.trim().to_string()).filter(|part| !part.is_empty()).collect();
    }
    text.split_whitespace().map(str::to_string).collect()
}

/// `fire.red 4 2; fire.blue 5`.
fn rolls(text: &str) -> Option<Vec<(String, u32)>> {
    let mut found = Vec::new();
    for part in text.split([';', ',']).map(str::trim).filter(|part| !part.is_empty()) {
        let mut words = part.split_whitespace();
        let label = words.next()?.to_string();
        let before = found.len();
        for value in words {
            found.push((label.clone(), value.parse().ok()?));
        }
        if found.len() == before {
            return None;
        }
    }
    Some(found)
}

//! Cases: a position, answers, forced rolls and what must come of it.

use crate::book::CaseText;
use sandtable_data::definition::Definition;
use sandtable_kernel::state::TableId;
use sandtable_script::{Choice, Offered, Opt, Task, Val};
use sandtable_session::{Game, Session, SessionError, Status, apply_line, changes, names};
use std::rc::Rc;

/// Why a case fails, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line of the case that failed.
    pub line: u32,
    /// What was found and what was expected.
    pub message: String,
    /// What the line should say, where that is known: for `--accept`.
    pub instead: Option<Vec<String>>,
}

/// The head of a case: what is needed before a game can be loaded for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Needs {
    /// The scenario; empty for a bare game.
    pub scenario: String,
    /// Options.
    pub options: Vec<(String, String)>,
}

/// A case, read.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// What it needs.
    pub needs: Needs,
    /// Seed of the dice that are not forced (scenarios that shuffle).
    seed: u64,
    free_dice: bool,
    lines: Vec<(u32, Line)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Line {
    Setup(&'static str, String),
    Rolls(Vec<(String, u32)>),
    Call(String, Vec<String>),
    Step(String),
    Go,
    Answer(String, String),
    Options(String, Vec<String>, bool),
    Refused(String, String, String),
    Expect(String),
    Skip,
    Is(String, String),
    Stop,
    Error(String),
}

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
        seed: 1,
        free_dice: false,
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
        let failed = |message: String| Failure { line: *number, message, instead: None };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        let rest = rest.trim();
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
                case.seed = rest.parse().map_err(|_| failed(format!("`{rest}` is no seed")))?;
                case.free_dice = true;
                continue;
            }
            "option" => {
                let (key, value) =
                    rest.split_once('=').ok_or_else(|| failed("expected `option ID = VALUE`".into()))?;
                case.needs.options.push((key.trim().to_string(), value.trim().to_string()));
                continue;
            }
            "position" => continue,
            "place" => Line::Setup("place", rest.to_string()),
            "set" => Line::Setup("set", rest.to_string()),
            "pile" => Line::Setup("pile", rest.to_string()),
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
            "stop" => Line::Stop,
            "error" => Line::Error(rest.to_string()),
            "..." | "…" => Line::Skip,
            "=>" if rest == "..." || rest == "…" => Line::Skip,
            "=>" => Line::Expect(rest.to_string()),
            "is" => {
                let (path, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Line::Is(path.to_string(), value.trim().to_string())
            }
            side if side.ends_with(':') => {
                Line::Answer(side.trim_end_matches(':').to_string(), rest.to_string())
            }
            side if side.ends_with('?') => {
                let all: Vec<String> = split_options(rest);
                let open = all.first().is_some_and(|word| word == "..." || word == "…");
                let wanted = all.into_iter().skip(usize::from(open)).collect();
                Line::Options(side.trim_end_matches('?').to_string(), wanted, open)
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
            other => return Err(failed(format!("`{other}` begins no line of a case"))),
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

/// `fire.axis 4 2; fire.soviet 5`.
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

/// Runs a case on a game loaded for its needs.
pub fn run(case: &Case, game: &Rc<Game>) -> Result<(), Failure> {
    let definition: &Definition = &game.definition;
    let first = case.lines.first().map_or(0, |line| line.0);
    let fail = |line: u32, message: String| Failure { line, message, instead: None };
    let mut session = Session::bare(game, case.seed).map_err(|error| fail(first, error.to_string()))?;
    session.play_mut().forced_only = !case.free_dice;
    let mut run = Run { session, seen: 0, skipping: false, expects: false, started: false };
    run.expects = case.lines.iter().any(|(_, line)| matches!(line, Line::Expect(_)));
    let (mut may_stop, mut stopped) = (false, false);
    // All rolls first: a die may be rolled before the line that names it.
    let all: Vec<(String, u32)> = case
        .lines
        .iter()
        .filter_map(|(_, line)| if let Line::Rolls(rolls) = line { Some(rolls.clone()) } else { None })
        .flatten()
        .collect();
    let forced = run.session.look(|host| all.iter().map(|(label, n)| (host.cx().sym(label), *n)).collect());
    run.session.force_rolls(forced);
    let expects_error = case
        .lines
        .iter()
        .find_map(|(at, line)| if let Line::Error(text) = line { Some((*at, text.clone())) } else { None });
    for (at, line) in &case.lines {
        let at = *at;
        let result = match line {
            Line::Setup(verb, text) => {
                let world = definition.world.clone();
                apply_line(&world, run.session.play_mut(), verb, text).map_err(|error| error.to_string())
            }
            Line::Rolls(_) | Line::Error(_) => Ok(()),
            Line::Call(name, args) => {
                run.started = true;
                run.call(name, args)
            }
            Line::Step(name) => {
                run.started = true;
                match definition.sequence.find(name) {
                    Some(node) => run.begin(|session| session.begin_node(node)),
                    None => Err(format!("the sequence has no node `{name}`")),
                }
            }
            Line::Go => {
                (run.started, may_stop) = (true, true);
                run.begin(|session| session.begin())
            }
            Line::Stop => {
                stopped = true;
                Ok(())
            }
            Line::Answer(side, text) => run.answer(side, text),
            Line::Options(side, wanted, open) => run.options(side, wanted, *open),
            Line::Refused(side, option, rule) => run.refused(side, option, rule),
            Line::Expect(text) => run.expect(text),
            Line::Skip => {
                run.skipping = true;
                Ok(())
            }
            Line::Is(path, value) => run.is(path, value),
        };
        if let Err(message) = result {
            if let Some((_, text)) = &expects_error {
                return if message.contains(text.as_str()) {
                    Ok(())
                } else {
                    Err(fail(at, format!("expected an error with `{text}`, found: {message}")))
                };
            }
            return Err(fail(at, message));
        }
    }
    let last = case.lines.last().map_or(0, |line| line.0);
    if let Some((at, text)) = expects_error {
        return Err(fail(at, format!("expected an error with `{text}`; there was none")));
    }
    if !run.started && !case.lines.iter().any(|(_, line)| matches!(line, Line::Is(..))) {
        return Err(fail(last, "the case runs nothing: give `call`, `step` or `go`".into()));
    }
    run.finish(may_stop || stopped).map_err(|message| fail(last, message))
}

struct Run {
    session: Session,
    /// Changes that expected lines have been compared with.
    seen: usize,
    skipping: bool,
    expects: bool,
    started: bool,
}

impl Run {
    fn begin(&mut self, f: impl FnOnce(&mut Session) -> Result<(), SessionError>) -> Result<(), String> {
        // A node walked alone ends with the sequence, which is no end of the game.
        f(&mut self.session).map_err(|error| error.to_string())
    }

    fn call(&mut self, name: &str, args: &[String]) -> Result<(), String> {
        let args: Vec<Val> = self.session.look(|host| {
            let cx = host.cx();
            args.iter()
                .map(|arg| match names::read_name(cx, arg) {
                    Val::Sym(_) if arg == "nil" => Val::Nil,
                    Val::Sym(_) if arg == "true" => Val::Bool(true),
                    Val::Sym(_) if arg == "false" => Val::Bool(false),
                    Val::Sym(sym) => arg.parse().map_or(Val::Sym(sym), Val::Int),
                    val => val,
                })
                .collect()
        });
        self.begin(|session| session.begin_task(Task::Call(name.to_string(), args)))
    }

    /// What is asked now, in words.
    fn asked(&mut self) -> String {
        let pending: Vec<_> = self.session.decisions().to_vec();
        if pending.is_empty() {
            return "nothing is asked".into();
        }
        let texts: Vec<String> = self.session.look(|host| {
            let cx = host.cx();
            pending
                .iter()
                .map(|decision| {
                    let options: Vec<String> = match &decision.offered {
                        Offered::List(options) => {
                            options.iter().map(|opt| names::plain_option(cx, *opt)).collect()
                        }
                        Offered::Selection { values, bounds, .. } => {
                            let mut names: Vec<String> = values.iter().map(|&val| cx.name(val)).collect();
                            names.insert(0, format!("[{} to {} of]", bounds.min, bounds.max));
                            names
                        }
                    };
                    format!(
                        "{} is asked {}: {}",
                        cx.text(cx.side_sym(decision.side)),
                        cx.text(decision.prompt),
                        options.join(", ")
                    )
                })
                .collect()
        });
        texts.join("; ")
    }

    /// The pending decision of a side.
    fn decision(&mut self, side: &str) -> Result<usize, String> {
        let world = self.session.game().definition.world.clone();
        let Some(wanted) = world.find_side(side) else { return Err(format!("there is no side `{side}`")) };
        match self.session.decisions().iter().position(|decision| decision.side == wanted) {
            Some(at) => Ok(at),
            None => Err(format!("{side} is not asked; {}", self.asked())),
        }
    }

    fn answer(&mut self, side: &str, text: &str) -> Result<(), String> {
        let at = self.decision(side)?;
        let prompt = self.session.decisions()[at].prompt;
        let prompt = self.session.look(|host| host.cx().text(prompt));
        let text = match text.strip_prefix(prompt.as_str()) {
            Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => rest.trim(),
            _ => text,
        };
        match self.session.answer_text(at, text) {
            Ok(()) => Ok(()),
            Err(error @ SessionError::Answer(_)) => Err(format!("{error}; {}", self.asked())),
            Err(error) => Err(error.to_string()),
        }
    }

    fn options(&mut self, side: &str, wanted: &[String], open: bool) -> Result<(), String> {
        let at = self.decision(side)?;
        let decision = self.session.decisions()[at].clone();
        let found: Vec<(String, String)> = self.session.look(|host| {
            let cx = host.cx();
            match &decision.offered {
                Offered::List(options) => options
                    .iter()
                    .map(|opt| (names::plain_option(cx, *opt), names::exact_option(cx, *opt)))
                    .collect(),
                Offered::Selection { values, .. } => {
                    values.iter().map(|&val| (cx.name(val), cx.name(val))).collect()
                }
            }
        });
        let offered = |name: &String| found.iter().any(|(plain, exact)| plain == name || exact == name);
        let missing: Vec<&String> = wanted.iter().filter(|name| !offered(name)).collect();
        let extra: Vec<&String> = found
            .iter()
            .filter(|(plain, exact)| !wanted.iter().any(|name| name == plain || name == exact))
            .map(|(plain, _)| plain)
            .collect();
        if !missing.is_empty() || (!open && !extra.is_empty()) {
            let list =
                |names: &[&String]| names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
            let mut text = String::from("the options differ");
            if !missing.is_empty() {
                text.push_str(&format!("; not offered: {}", list(&missing)));
            }
            if !open && !extra.is_empty() {
                text.push_str(&format!("; offered too: {}", list(&extra)));
            }
            return Err(text);
        }
        Ok(())
    }

    fn refused(&mut self, side: &str, option: &str, rule: &str) -> Result<(), String> {
        let at = self.decision(side)?;
        let decision = self.session.decisions()[at].clone();
        let opt: Option<Opt> =
            self.session.look(|host| {
                let cx = host.cx();
                decision.wide.iter().copied().find(|&opt| {
                    names::plain_option(cx, opt) == option || names::exact_option(cx, opt) == option
                })
            });
        let legal = match (&decision.offered, opt) {
            (Offered::List(options), Some(opt)) => options.contains(&opt),
            (Offered::Selection { values, .. }, Some(opt)) => values.contains(&opt.val),
            (_, None) if rule == "-" => return Ok(()),
            (_, None) => return Err(format!("`{option}` is not even considered here; {}", self.asked())),
        };
        if legal {
            return Err(format!("`{option}` is legal"));
        }
        let Some(opt) = opt else { return Ok(()) };
        if rule == "-" {
            return Ok(());
        }
        let reasons = self.session.why(at, opt).map_err(|error| error.to_string())?;
        let ids: Vec<String> = self.session.look(|host| {
            let registry = host.cx().registry.borrow();
            reasons
                .iter()
                .filter_map(|reason| registry.handlers.get(reason.handler as usize))
                .map(|handler| handler.id.clone())
                .collect()
        });
        if ids.iter().any(|id| id == rule) {
            Ok(())
        } else {
            Err(format!("refused by {}, not by {rule}", ids.join(", ")))
        }
    }

    /// The next change that a case can name.
    fn next_change(&mut self) -> Option<String> {
        loop {
            let change = self.session.play().changes.get(self.seen).cloned()?;
            self.seen += 1;
            if let Some(text) = self.session.look(|host| changes::canonical(host.cx(), &change)) {
                return Some(text);
            }
        }
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let mut passed = Vec::new();
        let start = self.seen;
        while let Some(found) = self.next_change() {
            let same = found == wanted
                || (found.starts_with("number ") && found.split(" = ").next() == Some(wanted));
            if same {
                self.skipping = false;
                return Ok(());
            }
            passed.push(found);
            if !self.skipping {
                break;
            }
        }
        self.seen = start;
        Err(match (self.skipping, passed.as_slice()) {
            (_, []) => format!("expected `{wanted}`; nothing more happened"),
            (false, [found, ..]) => format!("expected `{wanted}`, found `{found}`"),
            (true, passed) => format!("expected `{wanted}` somewhere among: {}", passed.join("; ")),
        })
    }

    fn is(&mut self, path: &str, wanted: &str) -> Result<(), String> {
        let found = self.value(path)?;
        if found == wanted { Ok(()) } else { Err(format!("`{path}` is {found}, expected {wanted}")) }
    }

    /// The value of `THING.ATTRIBUTE`; for a piece also `.place` and `.level`, for a space `.pieces` and `.count`.
    fn value(&mut self, path: &str) -> Result<String, String> {
        let Some((thing, attribute)) = path.rsplit_once('.') else {
            return Err(format!("`{path}`: expected THING.ATTRIBUTE"));
        };
        let thing = thing.strip_prefix("sides.").unwrap_or(thing).to_string();
        let attribute = attribute.to_string();
        self.session.look(|host| {
            let cx = host.cx();
            let world = &cx.world;
            let play = cx.play.borrow();
            let (table, row) = if thing == "game" {
                (TableId::GAME, 0)
            } else if let Some(side) = world.find_side(&thing) {
                (TableId::SIDE, side.0.into())
            } else if let Some(space) = world.find_space(&thing) {
                (TableId::SPACE, space.0)
            } else if let Some(piece) = world.find_piece(&play.state, &thing) {
                (TableId::PIECE, piece)
            } else if attribute == "effect" {
                let active = cx.symbols.borrow().get(&thing).is_some_and(|name| play.state.in_effect(name));
                return Ok(active.to_string());
            } else {
                return Err(format!("there is no `{thing}`"));
            };
            match (table, attribute.as_str()) {
                (TableId::PIECE, "place") => {
                    let cell = play.state.place(sandtable_kernel::state::PieceId(row)).cell();
                    drop(play);
                    return Ok(changes::place_name(cx, cell));
                }
                (TableId::PIECE, "levels") => {
                    return Ok(world.proto_of(&play.state, row).map_or(1, |proto| proto.levels).to_string());
                }
                (TableId::PIECE, "name") => {
                    return Ok(world
                        .proto_of(&play.state, row)
                        .map_or_else(String::new, |proto| proto.name.clone()));
                }
                (TableId::SPACE, "name") => return Ok(world.spaces[row as usize].name.clone()),
                (TableId::SIDE, "team") => {
                    return Ok(world.symbols.text(world.sides[row as usize].2).to_string());
                }
                (TableId::SPACE, "count" | "pieces") => {
                    let place = sandtable_kernel::state::Place::Space(sandtable_kernel::map::SpaceId(row));
                    let pieces: Vec<u32> = play.state.contents(place).map(|piece| piece.0).collect();
                    drop(play);
                    if attribute == "count" {
                        return Ok(pieces.len().to_string());
                    }
                    return Ok(pieces
                        .iter()
                        .map(|&piece| cx.name(Val::Piece(piece)))
                        .collect::<Vec<_>>()
                        .join(" "));
                }
                _ => {}
            }
            let Some(col) = world.symbols.get(&attribute).and_then(|name| world.schema.column(table, name))
            else {
                let printed = world.symbols.get(&attribute).and_then(|name| match table {
                    TableId::PIECE => {
                        let col = world.piece_fields.column(name)?;
                        Some((&world.piece_fields, col, world.piece_field(&play.state, row, col)))
                    }
                    TableId::SPACE => {
                        let col = world.space_fields.column(name)?;
                        Some((&world.space_fields, col, world.space_fields.get(row, col)))
                    }
                    TableId::SIDE => {
                        let col = world.side_fields.column(name)?;
                        Some((&world.side_fields, col, world.side_fields.get(row, col)))
                    }
                    _ => None,
                });
                if let Some((fields, col, cell)) = printed {
                    drop(play);
                    return Ok(match &fields.columns[col as usize].1 {
                        sandtable_kernel::state::Type::Bool => (cell == 1).to_string(),
                        _ if cell == sandtable_kernel::world::NIL => "nil".into(),
                        sandtable_kernel::state::Type::List(of) => {
                            let names: Vec<String> = fields
                                .list(cell)
                                .iter()
                                .map(|&cell| changes::cell_name(cx, of, cell))
                                .collect();
                            names.join(" ")
                        }
                        ty => changes::cell_name(cx, ty, cell),
                    });
                }
                let names = world.schema.tables[table.0 as usize]
                    .columns
                    .iter()
                    .map(|column| world.symbols.text(column.name));
                let near = sandtable_data::suggest::nearest(&attribute, names).join(", ");
                return Err(format!("`{thing}` has no attribute `{attribute}`; nearest: {near}"));
            };
            let cell = play.state.get(table, row, col);
            let Some(column) = world.schema.get(table, col) else { return Err("no such column".into()) };
            if let sandtable_kernel::state::Type::List(of) = &column.ty {
                let cells = sandtable_kernel::state::Lists::list(&play.state, cell);
                drop(play);
                return Ok(cells
                    .iter()
                    .map(|&cell| changes::cell_name(cx, of, cell))
                    .collect::<Vec<_>>()
                    .join(" "));
            }
            drop(play);
            let cell = if table == TableId::PIECE && attribute == "facing" { cell - 1 } else { cell };
            Ok(changes::cell_name(cx, &column.ty, cell))
        })
    }

    fn finish(&mut self, may_stop: bool) -> Result<(), String> {
        if self.expects
            && !self.skipping
            && let Some(found) = self.next_change()
        {
            return Err(format!("something more happened: `{found}` (write it, or end with `...`)"));
        }
        let unused = self.session.unused_rolls();
        if !unused.is_empty() {
            let texts: Vec<String> = self.session.look(|host| {
                unused.iter().map(|(label, n)| format!("{} {n}", host.cx().text(*label))).collect()
            });
            return Err(format!("rolls that nobody made: {}", texts.join(", ")));
        }
        if !may_stop
            && matches!(self.session.status(), Status::Asking)
            && !self.session.decisions().is_empty()
        {
            return Err(format!("an answer is missing: {}", self.asked()));
        }
        Ok(())
    }
}

/// A choice as a line of a case.
pub fn answer_line(session: &mut Session, side: &str, choice: &Choice) -> String {
    let text = session.look(|host| names::exact_choice(host.cx(), choice));
    format!("{side}: {text}")
}

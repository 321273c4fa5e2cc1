//! Reading records with nom, line by line; every error has its place, what was found and what was expected.

use crate::record::{AnswerLine, HEAD, HeadLines, Line, Record, RecordError, Stamp};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::{char, digit1, space1};
use nom::combinator::{all_consuming, map, opt, value};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Input, Parser};

/// How far a line could be read, and what should have come next.
#[derive(Debug)]
struct Expected<'a> {
    rest: &'a str,
    what: &'static str,
}

impl<'a> ParseError<&'a str> for Expected<'a> {
    fn from_error_kind(rest: &'a str, kind: ErrorKind) -> Self {
        let what = match kind {
            ErrorKind::Eof => "the end of the line",
            ErrorKind::Space => "a space",
            ErrorKind::Digit => "a number",
            _ => "",
        };
        Expected { rest, what }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// Of two ways to read a line, the one that came further knows more.
    fn or(self, other: Self) -> Self {
        if other.rest.len() < self.rest.len() { other } else { self }
    }
}

type Read<'a, T> = IResult<&'a str, T, Expected<'a>>;

/// Names what a parser expects.
fn named<'a, T>(
    what: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
) -> impl FnMut(&'a str) -> Read<'a, T> {
    move |text| parser.parse(text).map_err(|error| error.map(|error| Expected { what, ..error }))
}

/// A word: no spaces, no `@`; what the writer escaped is given back.
fn word<'a>(what: &'static str) -> impl FnMut(&'a str) -> Read<'a, String> {
    move |text| {
        let end = take_till1(|c: char| c == ' ' || c == '@');
        let (rest, raw): (&str, &str) = named(what, end)(text)?;
        unescaped(text, raw).map(|word| (rest, word))
    }
}

/// Gives back what the writer escaped.
fn unescaped<'a>(at: &'a str, raw: &str) -> Result<String, nom::Err<Expected<'a>>> {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.char_indices();
    while let Some((_, c)) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some((_, 'e')) => {}
            Some((_, 'n')) => out.push('\n'),
            Some((_, 'r')) => out.push('\r'),
            Some((_, 't')) => out.push('\t'),
            Some((_, 'a')) => out.push('@'),
            Some((_, 's')) => out.push(' '),
            Some((_, c @ ('\\' | ':' | '#' | '.' | '+'))) => out.push(c),
            other => {
                let place = other.map_or(raw.len(), |(place, _)| place);
                let rest = at.get(place..).unwrap_or_default();
                return Err(nom::Err::Error(Expected { rest, what: "one of \\e \\n \\r \\t \\a \\s \\\\" }));
            }
        }
    }
    Ok(out)
}

fn number<'a, T: std::str::FromStr>(what: &'static str) -> impl FnMut(&'a str) -> Read<'a, T> {
    move |text| {
        let (rest, digits): (&str, &str) = named(what, digit1)(text)?;
        match digits.parse() {
            Ok(number) => Ok((rest, number)),
            Err(_) => Err(nom::Err::Error(Expected { rest: text, what })),
        }
    }
}

/// Exactly `n` hexadecimal digits, lower case.
fn hex<'a>(n: usize, what: &'static str) -> impl FnMut(&'a str) -> Read<'a, u64> {
    move |text| {
        let wrong = nom::Err::Error(Expected { rest: text, what });
        let digits = text
            .get(..n)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)));
        match digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()) {
            Some(value) => Ok((text.take_from(n), value)),
            None => Err(wrong),
        }
    }
}

fn stamp(text: &str) -> Read<'_, Stamp> {
    let parts = (
        word("an id"),
        preceded(space1, word("a version")),
        preceded(space1, hex(16, "a hash of 16 hexadecimal digits")),
    );
    map(parts, |(id, version, hash)| Stamp { id, version, hash }).parse(text)
}

/// A line of the head.
enum Head {
    Game(Stamp),
    Library(Stamp),
    Layer(Stamp),
    Scenario(String),
    Set(String),
    Option(String, String),
    Seed(u64),
    Over,
}

/// What stands after a keyword to the end of the line.
fn rest_of_line(text: &str) -> Read<'_, String> {
    if text.is_empty() {
        return Err(nom::Err::Error(Expected { rest: text, what: "a text" }));
    }
    unescaped(text, text).map(|all| ("", all))
}

fn head(text: &str) -> Read<'_, Head> {
    let (rest, keyword): (&str, &str) = named(
        "game, library, layer, scenario, set, option, seed or --",
        alt((
            tag("game "),
            tag("library "),
            tag("layer "),
            tag("scenario "),
            tag("set "),
            tag("option "),
            tag("seed "),
            tag("--"),
        )),
    )(text)?;
    match keyword {
        "game " => map(stamp, Head::Game).parse(rest),
        "library " => map(stamp, Head::Library).parse(rest),
        "layer " => map(stamp, Head::Layer).parse(rest),
        "scenario " => map(word("the id of a scenario"), Head::Scenario).parse(rest),
        "set " => map(rest_of_line, Head::Set).parse(rest),
        "option " => {
            let parts = (word("the id of an option"), preceded(space1, rest_of_line));
            map(parts, |(id, value)| Head::Option(id, value)).parse(rest)
        }
        "seed " => map(number("a number as seed"), Head::Seed).parse(rest),
        _ => Ok((rest, Head::Over)),
    }
}

fn roll(text: &str) -> Read<'_, Line> {
    let (rest, _) = tag("roll ").parse(text)?;
    let Some((label, _)) = rest.rsplit_once(' ') else {
        return Err(nom::Err::Error(Expected { rest, what: "a label and a value" }));
    };
    let value_at = rest.take_from(label.len() + 1);
    let (end, value) = number("the value of a roll")(value_at)?;
    if label.is_empty() {
        return Err(nom::Err::Error(Expected { rest, what: "a label" }));
    }
    let label = unescaped(rest, label)?;
    Ok((end, Line::Roll { label, value }))
}

fn edit(text: &str) -> Read<'_, Line> {
    map(preceded(tag("edit "), rest_of_line), Line::Edit).parse(text)
}

fn answer(text: &str) -> Read<'_, Line> {
    let mut mark = opt(alt((
        value((true, true), tag("+. ")),
        value((true, false), tag("+ ")),
        value((false, true), tag(". ")),
    )));
    let (rest, mark) = mark.parse(text)?;
    let (simultaneous, forced) = mark.unwrap_or_default();
    // The colon ends the side, which may hold colons of its own.
    let (after, raw): (&str, &str) =
        named("a side with a colon, or `roll`", take_till1(|c: char| c == ' ' || c == '@'))(rest)?;
    let Some(side) = raw.strip_suffix(':').filter(|side| !side.is_empty()) else {
        return Err(nom::Err::Error(Expected { rest, what: "a side with a colon, or `roll`" }));
    };
    let side = unescaped(rest, side)?;
    let (rest, prompt) =
        delimited(named("a space", char(' ')), word("a prompt"), named("a space and a choice", char(' ')))
            .parse(after)?;
    let end = rest.find('@').unwrap_or(rest.len());
    let raw = rest.get(..end).unwrap_or_default();
    let tail = rest.take_from(end);
    let choice = |raw: &str| {
        if raw.is_empty() {
            return Err(nom::Err::Error(Expected { rest, what: "a choice" }));
        }
        unescaped(rest, raw)
    };
    let (end, choice, digest, closed) = match (forced, raw.strip_suffix(' ')) {
        (true, _) if tail.is_empty() => (tail, choice(raw)?, None, false),
        (true, Some(raw)) => (named("`@!`", tag("@!")).parse(tail)?.0, choice(raw)?, None, true),
        (false, Some(raw)) => {
            let choice = choice(raw)?;
            let digest = preceded(
                named("a digest such as @0123abcd", char('@')),
                hex(8, "a digest of 8 hexadecimal digits"),
            );
            let (end, (digest, closed)) = (digest, opt(char('!'))).parse(tail)?;
            (end, choice, u32::try_from(digest).ok(), closed.is_some())
        }
        (_, None) => {
            return Err(nom::Err::Error(Expected {
                rest: tail,
                what: "a space and a digest such as @0123abcd",
            }));
        }
    };
    Ok((end, Line::Answer(AnswerLine { side, prompt, choice, simultaneous, digest, closed })))
}

/// A line of the text with its number; its end was there.
struct Numbered<'a> {
    number: usize,
    text: &'a str,
}

impl Numbered<'_> {
    /// An error at the place where `rest` of the line begins.
    fn wrong(&self, rest: &str, expected: &str) -> RecordError {
        let at = self.text.len().saturating_sub(rest.len());
        let column = self.text.get(..at).unwrap_or_default().chars().count() + 1;
        let found = match rest.split(' ').find(|word| !word.is_empty()) {
            None => "the end of the line".into(),
            Some(word) => {
                let mut short: String = word.chars().take(40).collect();
                if short.len() < word.len() {
                    short.push('…');
                }
                format!("`{}`", short.escape_debug())
            }
        };
        RecordError { line: self.number, column, found, expected: expected.to_string() }
    }

    fn read<'a, T>(
        &'a self,
        parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
    ) -> Result<T, RecordError> {
        match all_consuming(terminated(parser, nom::character::complete::space0)).parse(self.text) {
            Ok((_, read)) => Ok(read),
            Err(nom::Err::Error(error) | nom::Err::Failure(error)) => Err(self.wrong(error.rest, error.what)),
            Err(nom::Err::Incomplete(_)) => Err(self.wrong("", "more")),
        }
    }
}

/// Reads a whole record, and in which lines its head says what.
pub(crate) fn record(text: &str) -> Result<(Record, HeadLines), RecordError> {
    let mut lines = text.split_inclusive('\n').zip(1..).map(|(line, number)| {
        let whole = line.strip_suffix('\n');
        let text = whole.unwrap_or(line);
        let text = text.strip_suffix('\r').unwrap_or(text);
        (Numbered { number, text }, whole.is_some())
    });
    let (mut record, mut places) = (Record::default(), HeadLines::default());
    let count = text.split_inclusive('\n').count();
    let missing = |what: &str| RecordError {
        line: count + 1,
        column: 1,
        found: "the end of the file".into(),
        expected: what.into(),
    };
    let Some((first, _)) = lines.next() else { return Err(missing(&format!("`{HEAD}`"))) };
    if first.text != HEAD {
        return Err(version(&first));
    }
    let (mut in_head, mut game, mut scenario, mut seed) = (true, false, false, false);
    for (line, whole) in lines {
        if line.text.is_empty() || line.text.starts_with('#') {
            continue;
        }
        if !whole {
            let mut cut = line.wrong("", "the end of the line");
            cut.found = "the end of the file: it was cut off".into();
            return Err(cut);
        }
        if !in_head {
            let read = match line.text.split_once(' ') {
                Some(("roll", _)) => line.read(roll),
                Some(("edit", _)) => line.read(edit),
                _ => line.read(answer),
            };
            record.lines.push(read?);
            continue;
        }
        let once = |there: bool, what: &str| {
            if there { Err(line.wrong(line.text, &format!("{what} only once"))) } else { Ok(true) }
        };
        let twice = |there: bool| once(there, "this line");
        match line.read(head)? {
            Head::Game(stamp) => {
                (record.game, game) = (stamp, twice(game)?);
                places.game = line.number;
            }
            Head::Library(stamp) => {
                once(record.libraries.iter().any(|other| other.id == stamp.id), "each library")?;
                record.libraries.push(stamp);
            }
            Head::Layer(stamp) => {
                once(record.layers.iter().any(|other| other.id == stamp.id), "each layer")?;
                record.layers.push(stamp);
                places.layers.push(line.number);
            }
            Head::Scenario(id) => {
                (record.scenario, scenario) = (id, twice(scenario)?);
                places.scenario = line.number;
            }
            Head::Set(set) => record.sets.push(set),
            Head::Option(id, value) => {
                once(record.options.iter().any(|(other, _)| *other == id), "each option")?;
                record.options.push((id, value));
                places.options.push(line.number);
            }
            Head::Seed(n) => (record.seed, seed) = (n, twice(seed)?),
            Head::Over => {
                for (there, what) in [(game, "game"), (scenario, "scenario"), (seed, "seed")] {
                    if !there {
                        return Err(line.wrong(line.text, &format!("a line `{what}` before it")));
                    }
                }
                in_head = false;
            }
        }
    }
    if in_head { Err(missing("the rest of the head, up to `--`")) } else { Ok((record, places)) }
}

/// What is wrong with a first line: another version of the notation, or no record at all.
fn version(first: &Numbered<'_>) -> RecordError {
    let (name, known) = HEAD.rsplit_once(' ').unwrap_or((HEAD, ""));
    match first.text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')) {
        Some(other) => {
            first.wrong(other, &format!("`{known}`, the version of the notation that is read here"))
        }
        None => first.wrong(first.text, &format!("`{HEAD}`")),
    }
}

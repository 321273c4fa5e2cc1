//! The grammar of hostile scripts: every function of the API, with what it expects and with junk, in every place where a script can be
//! called.

use crate::words::{ASKING, FIELDS, HEAD, JUNK, KEEPING, KEYS, LIBRARY, META, NAMES, NOT_KEEPING, NUMBERS};
use sandtable_script::{CLASSES, Decl, declarations};
use std::sync::LazyLock;

static DECLS: LazyLock<Vec<Decl>> = LazyLock::new(declarations);

/// Chance with a seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// One script, made step by step.
struct Maker {
    dice: Dice,
    /// How many of a hundred arguments are what the function expects.
    sane: usize,
    /// How deep the present expression lies in others.
    depth: usize,
}

/// The script of a seed with a number.
pub fn script(seed: u64, number: usize) -> String {
    let dice = Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (number as u64) << 20);
    Maker { dice, sane: 80, depth: 0 }.script()
}

impl Maker {
    fn number(&mut self) -> String {
        match self.dice.below(3) {
            0 => self.dice.of(NUMBERS).to_string(),
            _ => self.dice.below(9).to_string(),
        }
    }

    fn name(&mut self) -> String {
        format!("'{}'", self.dice.of(NAMES))
    }

    fn junk(&mut self) -> String {
        match self.dice.below(10) {
            0 => self.number(),
            1 => self.name(),
            2 if self.depth < 2 => self.call(),
            _ => self.dice.of(JUNK).to_string(),
        }
    }

    /// What a parameter of a type takes, mostly.
    fn argument(&mut self, function: &str, ty: &str) -> String {
        if !self.dice.percent(self.sane) {
            return self.junk();
        }
        match ty {
            "text" => self.name(),
            "int" => self.number(),
            "side" => self.dice.of(&["'red'", "'blue'"]).into(),
            "space" | "place" | "hex" => self
                .dice
                .of(&[
                    "space '0505'",
                    "space '0506'",
                    "space 'deck'",
                    "space 'hand'",
                    "piece('a').space",
                    "piece 'b'",
                    "'camp'",
                ])
                .into(),
            "piece" => self
                .dice
                .of(&[
                    "piece 'a'",
                    "piece 'guard.1'",
                    "piece 'ace'",
                    "create('chit', nil, space '0303')",
                    "old(3)",
                ])
                .into(),
            "table" => self.table(function),
            "function" => self.function(),
            "spaces" => self
                .dice
                .of(&["spaces {}", "neighbours(space '0505')", "{ space '0505' }", "piece 'a'"])
                .into(),
            "texts" => self.dice.of(&["{ 'x' }", "{}", "'x'", "{ 'river' }"]).into(),
            "list" | "pieces" => self
                .dice
                .of(&["pieces {}", "pieces { side = 'red' }", "{ 1, 2, 3 }", "spaces {}", "sides"])
                .into(),
            "record" => "start_record('fight')".into(),
            _ => self.junk(),
        }
    }

    /// A table that describes something to a function.
    fn table(&mut self, function: &str) -> String {
        let asking = ["ask", "ask_each", "choose", "menu", "narrow"].contains(&function);
        let keys = match KEYS.iter().find(|(name, _)| *name == function) {
            Some((_, keys)) => keys,
            None if asking => ASKING,
            None => META,
        };
        let mut entries = Vec::new();
        if asking && self.dice.percent(80) {
            entries.push(format!(
                "among = {}",
                self.dice.of(&[
                    "{ 'x', 'y', 'z' }",
                    "pieces {}",
                    "spaces { kind = 'hex' }",
                    "{ 1, 2 }",
                    "function() return { 'x', 'y' } end",
                    "huge(30)"
                ])
            ));
        }
        if matches!(function, "reach" | "flood" | "paths" | "sight" | "sight_all") && self.dice.percent(80) {
            entries.push("from = space '0505'".into());
        }
        for (of, entry) in [
            ("reach", "profile = 'foot'"),
            ("sight", "rules = 'plain'"),
            ("sight_all", "rules = 'plain'"),
            ("schedule", "on = 'boom'"),
            ("trace", "to = space '0505', by = { { steps = 3 } }"),
        ] {
            if of == function && self.dice.percent(80) {
                entries.push(entry.into());
            }
        }
        for _ in 0..self.dice.below(4) {
            let key = self.dice.of(keys);
            let value = match key {
                "by" | "enter" | "leave" | "height" | "haze" => {
                    format!("{{ {{ {}, {} }} }}", self.junk(), self.junk())
                }
                "from" | "to" | "at" | "blocked" | "ends" | "stop" | "no_end" if self.dice.percent(50) => {
                    "spaces {}".into()
                }
                "points" | "steps" | "length" | "range" | "min" | "max" | "limit" | "cost" | "at_least"
                | "at_most"
                    if self.dice.percent(60) =>
                {
                    self.number()
                }
                "test" | "rank" | "red" | "blue" | "when" if self.dice.percent(70) => self.function(),
                _ => self.junk(),
            };
            entries.push(format!("{key} = {value}"));
        }
        format!("{{ {} }}", entries.join(", "))
    }

    /// A function as a value, with a body of its own.
    fn function(&mut self) -> String {
        if self.depth > 2 {
            return self
                .dice
                .of(&["function() end", "function() return true end", "function(...) return ... end"])
                .into();
        }
        self.depth += 1;
        let body = self.statement();
        let gives = self.junk();
        self.depth -= 1;
        format!("function(x, y, ...) {body} return {gives} end")
    }

    /// A call of a function of the API.
    fn call(&mut self) -> String {
        self.depth += 1;
        let decl = &DECLS[self.dice.below(DECLS.len())];
        let mut given = Vec::new();
        for param in &decl.params {
            if param.optional && self.dice.percent(40) {
                break;
            }
            given.push(if param.name == "..." { self.rest() } else { self.argument(decl.name, param.ty) });
        }
        if self.dice.percent(4) {
            given.push(self.rest());
        }
        self.depth -= 1;
        format!("{}({})", decl.name, given.join(", "))
    }

    /// What is given for any number of arguments.
    fn rest(&mut self) -> String {
        match self.dice.below(4) {
            0 => "many(160)".into(),
            1 => format!("{}, {}", self.junk(), self.junk()),
            2 if self.dice.percent(20) => "many(30000)".into(),
            _ => self.junk(),
        }
    }

    fn library(&mut self) -> String {
        let mut text = String::new();
        for c in self.dice.of(LIBRARY).chars() {
            match c {
                '@' => text.push_str(&format!("({})", self.junk())),
                '#' if !text.ends_with('\'') => text.push_str(&self.number()),
                c => text.push(c),
            }
        }
        text
    }

    /// A method of something that has methods.
    fn method(&mut self) -> String {
        let (of, class) = [
            ("pieces {}", "list"),
            ("spaces {}", "list"),
            ("rolls('d', 4)", "list"),
            ("crowded(200)", "list"),
            ("reach { profile = 'foot', from = space '0505', points = 2 }", "reach"),
            ("sight_all { from = space '0505', rules = 'plain' }", "picture"),
            ("piece('a')", "piece"),
            ("old(2)", "working"),
        ][self.dice.below(8)];
        let methods = CLASSES.iter().find(|own| own.name == class).map_or(&[][..], |own| own.methods);
        let Some((name, ..)) = methods.get(self.dice.below(methods.len().max(1))) else { return self.junk() };
        let argument = self.argument("", self.dice_type());
        format!("({of}):{name}({argument})")
    }

    fn dice_type(&self) -> &'static str {
        if self.dice.0.is_multiple_of(3) {
            "list"
        } else if self.dice.0 % 3 == 1 {
            "function"
        } else {
            "any"
        }
    }

    fn statement(&mut self) -> String {
        match self.dice.below(20) {
            0..=8 => format!("local v = keep({})", self.call()),
            9..=10 => format!("local v = keep({})", self.method()),
            11 => format!("local v = keep(({})[{}])", self.junk(), self.junk()),
            12 => format!("local v = keep(({}).{})", self.junk(), self.dice.of(FIELDS)),
            13..=14 => {
                let thing = self.dice.of(&[
                    "piece 'a'",
                    "space '0505'",
                    "game",
                    "sides.red",
                    "start_record('plan')",
                    "old(4)",
                    "piece 'guard.2'",
                ]);
                let value = if self.dice.percent(50) { self.number() } else { self.junk() };
                format!("({thing}).{} = {value}", self.dice.of(FIELDS))
            }
            15 if self.depth < 2 => {
                self.depth += 1;
                let body = self.statement();
                self.depth -= 1;
                let turns = [3, 20, 300, 5_000, 200_000][self.dice.below(5)];
                format!("for i = 1, {turns} do {body} end")
            }
            16 if self.depth < 2 => format!(
                "down({}, {}, {})",
                [10, 60, 190, 5_000][self.dice.below(4)],
                self.function(),
                self.rest()
            ),
            17 => {
                format!("for k, w in {}({}) do keep(w) end", self.dice.of(&["pairs", "ipairs"]), self.junk())
            }
            18 => format!("local a, b, c = {}, {}", self.junk(), self.rest()),
            _ => format!("local v = keep({})", self.library()),
        }
    }

    /// Some statements: first what is sane, so that something is there to be broken.
    fn block(&mut self) -> String {
        let count = 1 + self.dice.below(5);
        let mut text = String::new();
        for at in 0..count {
            self.sane = if at + 1 == count { 45 } else { 90 };
            text.push_str("\n  do ");
            text.push_str(&self.statement());
            text.push_str(" end");
        }
        text
    }

    fn script(&mut self) -> String {
        let mut text = String::from(HEAD);
        text.push_str(if self.dice.percent(40) { KEEPING } else { NOT_KEEPING });
        // What values name as functions of the script.
        let body = |maker: &mut Maker, likely: usize, plain: &str| {
            if maker.dice.percent(likely) {
                format!("{}\n  return {}", maker.block(), maker.junk())
            } else {
                plain.into()
            }
        };
        let query = body(self, 20, "return #pieces {}");
        text.push_str(&format!("local helper = query('helper', {{}}, function(x, ...) {query} end)\n"));
        let query = body(self, 10, "return 3");
        text.push_str(&format!("query('room', {{}}, function(x, ...) {query} end)\n"));
        let base = body(self, 15, "n:add(2)");
        text.push_str(&format!("local strength = number('odds', {{ stages = {{ 'sum', 'rest' }} }}, function(n, ...) {base} end)\n"));
        text.push_str("local choice = procedure('choice', {}, function(x) return ask('red', 'ask', { among = { 'x', 'y' } }) end)\n");
        text.push_str("procedure('crowd', {}, function() end)\nprocedure('late', {}, function(e) game.vp = game.vp + 1 end)\n");
        let mut attack = Vec::new();
        for _ in 0..self.dice.below(3) {
            attack.push(self.context(&mut text));
        }
        if self.dice.percent(6) {
            // While scripts load.
            self.sane = 70;
            let statement = self.statement();
            text.push_str(&format!("do {statement} end\n"));
        }
        attack.push(self.block());
        if self.dice.percent(25) {
            attack.push("ask('red', 'ask', { among = { 'x', 'y' } })".into());
            attack.push(self.block());
        }
        text.push_str(&format!(
            "procedure('attack', {{ rule = '6.6.6' }}, function()\n  {}\nend)\n",
            attack.join("\n  ")
        ));
        text
    }

    /// A rule of some kind with something hostile in it; gives what makes it run.
    fn context(&mut self, text: &mut String) -> String {
        let body = format!("{}\n  return {}", self.block(), self.junk());
        let at = text.len();
        let (rule, attack) = match self.dice.below(20) {
            0 => (
                format!("forbid('ask', 'f{at}', {{}}, function(x, ask) {body} end)"),
                "ask('red', 'ask', { among = { 'x', 'y', 'z' } })".into(),
            ),
            1 => (
                format!("forbid_all('ask', 'f{at}', {{}}, function(ask) {body} end)"),
                "ask('red', 'ask', { among = spaces { kind = 'hex' } })".into(),
            ),
            2 => (
                format!("prefer('ask', 'f{at}', {{}}, function(x, ask) {body} end)"),
                "ask('red', 'ask', { among = pieces {} })".into(),
            ),
            3 => (
                format!(
                    "forbid('ask', 'f{at}', {{}}, function(x) return no('said', x, x) end)\nwaive('f{at}', 'w{at}', {{}}, function(x, ask) {body} end)"
                ),
                "ask('red', 'ask', { among = { 'x', 'y', 'z' }, none = 'none' })".into(),
            ),
            4 => (
                format!(
                    "offer('menu', 'o{at}', {{ run = 'choice', when = function(side, ask) {body} end }})"
                ),
                "menu('red', 'menu', { none = 'none' })".into(),
            ),
            5 => (
                format!(
                    "offer('menu', 'o{at}', {{ run = 'choice', among = function(side, ask) {body} end }})"
                ),
                "menu('blue', 'menu', { none = 'none' })".into(),
            ),
            6 => {
                (format!("reroll('d', 'r{at}', {{}}, function(x, sides) {body} end)"), "rolls('d', 5)".into())
            }
            7 => (
                format!("modify('odds', 'm{at}', {{ stage = 'rest' }}, function(n, ...) keep(n) {body} end)"),
                "strength(1, piece 'a')".into(),
            ),
            8 => (
                format!("number('n{at}', {{}}, function(n, ...) keep(n) {body} end)"),
                format!("evaluate('n{at}', many(100))"),
            ),
            9 => (
                format!("on('boom', 'e{at}', {{}}, function(...) {body} end)"),
                "emit('boom', piece 'a', 3)".into(),
            ),
            10 => (format!("before('choice', 'b{at}', {{}}, function(...) {body} end)"), "choice(1)".into()),
            11 => (
                format!("after('choice', 'b{at}', {{}}, function(...) {body} end)"),
                "call('choice', many(100))".into(),
            ),
            12 => (
                format!("instead('choice', 'b{at}', {{}}, function(...) {body} end)"),
                "choice(piece 'a')".into(),
            ),
            13 => (
                format!("invariant('i{at}', {{}}, function() {body} end)"),
                "ask('blue', 'ask', { from = 1, to = 5 })".into(),
            ),
            14 => (format!("wrap('choice', function(inner, ...) {body} end)"), "choice(1)".into()),
            15 => (
                format!("procedure('p{at}', {{}}, function(e, ...) {body} end)"),
                format!("schedule('p{at}', {{ on = 'boom', times = 2 }}) emit('boom') emit('boom')"),
            ),
            16 => (
                format!("local q{at} = query('q{at}', {{}}, function(...) {body} end)"),
                format!("keep(q{at}(1)) keep(q{at}(piece 'a', 'x', 2)) keep(q{at}(many(60)))"),
            ),
            17 => (
                String::new(),
                format!(
                    "together {{ red = function() {body} end, blue = function() return ask('blue', 'ask', {{ from = 1, to = 2 }}) end }}"
                ),
            ),
            18 => (
                String::new(),
                format!(
                    "keep(choose('red', 'ask', {{ among = pieces {{}}, max = 2, test = function(list) {body} end }}))"
                ),
            ),
            _ => (
                String::new(),
                format!("ask('red', 'ask', {{ among = function() {body} end, none = 'none' }})"),
            ),
        };
        text.push_str(&rule);
        text.push('\n');
        attack
    }
}

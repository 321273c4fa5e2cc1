//! Mutation testing: one change at a time, against the cases that touch it.

use crate::book::CaseText;
use crate::case::{self, Case, Needs};
use crate::mutants::{self, Mutant};
use sandtable_data::catalog::Catalog;
use sandtable_data::definition::{self, Definition, NodeKind};
use sandtable_data::tree::{self, Value};
use sandtable_kernel::world::World;
use sandtable_script::{Host, Script, Touched};
use sandtable_session::Game;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// Instructions that a mutant may run between two answers: an endless loop is caught soon.
const LIMIT: u64 = 5_000_000;

/// Kinds of rows that are places on the map.
const SPACES: [&str; 4] = ["hex", "area", "box", "pile"];

/// All texts below a node.
fn words(node: &tree::Node, found: &mut BTreeSet<String>) {
    match &node.value {
        Value::Str(text) => {
            found.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| words(item, found)),
        Value::Table(table) => table.iter().for_each(|(_, child)| words(child, found)),
        _ => {}
    }
}

/// The options that turn handlers of a game on or off.
fn guarding(game: &Game) -> BTreeSet<String> {
    let registry = game.host.cx().registry.borrow();
    registry.handlers.iter().flat_map(|handler| handler.options.iter().cloned()).collect()
}

/// A case that passes, with what it touches.
pub struct Touching {
    /// The paragraph it proves.
    pub paragraph: String,
    /// File and line.
    pub place: (String, u32),
    /// The case.
    pub case: Case,
    /// What it touches.
    pub touched: Touched,
    /// Handlers it runs.
    pub fired: Vec<u32>,
}

/// A game with its passing cases: the ground for mutation testing and coverage.
pub struct Baseline<'a> {
    catalog: &'a Catalog,
    scripts: Vec<Script>,
    /// Options of the command line.
    options: Vec<(String, String)>,
    definitions: BTreeMap<Needs, Definition>,
    /// Values that the sequence of play reads: whoever walks it touches them.
    walked: BTreeSet<String>,
    /// Words in the rules of sight: printed fields among them are read by whoever looks.
    looked: BTreeSet<String>,
    /// Options that turn handlers on or off: any case may notice them.
    guarding: BTreeSet<String>,
    /// The cases that pass.
    pub cases: Vec<Touching>,
    /// How many fail without any change.
    pub failing: usize,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This case failed, by its number.
    Caught(usize),
    /// Cases touch it and none failed.
    Survived(usize),
    /// No case touches it.
    Untouched,
}

impl<'a> Baseline<'a> {
    /// Runs all cases once, noting what each touches.
    pub fn new(
        catalog: &'a Catalog,
        options: &[(String, String)],
        texts: &[CaseText],
    ) -> Result<Baseline<'a>, String> {
        let scripts = Game::scripts(catalog);
        let mut looked = BTreeSet::new();
        catalog.rows("sight").for_each(|(_, row)| words(row, &mut looked));
        let mut base = Baseline {
            catalog,
            scripts,
            options: options.to_vec(),
            definitions: BTreeMap::new(),
            walked: mutants::walked(catalog),
            looked,
            guarding: BTreeSet::new(),
            cases: Vec::new(),
            failing: 0,
        };
        let mut games: BTreeMap<Needs, Rc<Game>> = BTreeMap::new();
        for text in texts {
            let Ok(cases) = case::read(text) else {
                base.failing += 1;
                continue;
            };
            for case in cases {
                if !base.definitions.contains_key(&case.needs) {
                    let definition = base.build(catalog, &case.needs, None);
                    let Some(definition) = definition else {
                        base.failing += 1;
                        continue;
                    };
                    base.definitions.insert(case.needs.clone(), definition);
                }
                if games.len() > 16 {
                    games.clear();
                }
                let game = match games.get(&case.needs) {
                    Some(game) => game.clone(),
                    None => {
                        let game = Rc::new(base.game(&case.needs, &base.scripts, None)?);
                        game.host.watch().map_err(|error| error.to_string())?;
                        base.guarding.extend(guarding(&game));
                        games.insert(case.needs.clone(), game.clone());
                        game
                    }
                };
                for handler in &game.host.cx().registry.borrow().handlers {
                    handler.fired.set(0);
                }
                game.host.touched();
                let failed = case::run(&case, &game).is_err();
                let touched = game.host.touched();
                let registry = game.host.cx().registry.borrow();
                let fired = (0u32..).zip(&registry.handlers).filter(|(_, handler)| handler.fired.get() > 0);
                let fired = fired.map(|(number, _)| number).collect();
                if failed {
                    base.failing += 1;
                } else {
                    let place = (text.file.clone(), text.line);
                    base.cases.push(Touching {
                        paragraph: text.paragraph.clone(),
                        place,
                        case,
                        touched,
                        fired,
                    });
                }
            }
        }
        Ok(base)
    }

    /// The definition for some needs, with an option held at a value.
    fn build(&self, catalog: &Catalog, needs: &Needs, held: Option<(&str, &str)>) -> Option<Definition> {
        let mut options = self.options.clone();
        options.extend(needs.options.iter().cloned());
        options.extend(held.map(|(id, value)| (id.to_string(), value.to_string())));
        definition::build(catalog, Some(&needs.scenario), &options).0
    }

    /// A game for some needs, with changed scripts, or another change of its rules.
    fn game(&self, needs: &Needs, scripts: &[Script], mutant: Option<&Mutant>) -> Result<Game, String> {
        let definition = match mutant {
            Some(Mutant::Option { id, value }) => self.build(self.catalog, needs, Some((id, value))),
            Some(Mutant::Datum { key, with }) if self.walked.contains(key) => {
                // The sequence holds the value itself: it is read anew.
                let mut changed = self.catalog.clone();
                mutants::set_tree(&mut changed, key, with)
                    .then(|| self.build(&changed, needs, None))
                    .flatten()
            }
            _ => self.definitions.get(needs).cloned(),
        };
        let Some(mut definition) = definition else { return Err("the game cannot be loaded".into()) };
        let mut without = None;
        let mut changed = |change: &dyn Fn(&mut World) -> bool| {
            let mut world = (*definition.world).clone();
            let done = change(&mut world);
            definition.world = Arc::new(world);
            done
        };
        let done = match mutant {
            Some(Mutant::Datum { key, with }) => changed(&|world| mutants::set(world, key, with)),
            Some(Mutant::Field { row, field, shift }) => {
                changed(&|world| mutants::set_field(world, row, field, *shift))
            }
            Some(Mutant::Node { node }) => match definition.sequence.find(node) {
                Some(at) => {
                    // A loop without values is passed over.
                    let nothing = NodeKind::Each { variable: String::new(), values: Vec::new() };
                    Arc::make_mut(&mut definition.sequence).nodes[at].kind = nothing;
                    true
                }
                None => false,
            },
            Some(Mutant::Disabled { handler, .. }) => {
                without = Some(*handler);
                true
            }
            Some(Mutant::Script { .. } | Mutant::Option { .. }) | None => true,
        };
        if !done {
            return Err(format!(
                "there is nothing to change: {}",
                mutant.map_or_else(String::new, Mutant::describe)
            ));
        }
        let host = Host::without(definition.world.clone(), scripts, without)
            .map_err(|errors| errors.first().map_or_else(String::new, ToString::to_string))?;
        Ok(Game::with_host(definition, host))
    }

    /// The world of the bare game.
    pub fn world(&self) -> Result<Arc<World>, String> {
        match self.definitions.get(&Needs::default()) {
            Some(definition) => Ok(definition.world.clone()),
            None => match definition::build(self.catalog, Some(""), &[]).0 {
                Some(definition) => Ok(definition.world),
                None => Err("the game cannot be loaded".into()),
            },
        }
    }

    /// All mutants of the game.
    pub fn mutants(&self) -> Result<Vec<Mutant>, String> {
        let needs = Needs::default();
        let (world, host) = match self.definitions.get(&needs) {
            Some(definition) => (definition.world.clone(), self.game(&needs, &self.scripts, None)?.host),
            None => {
                let (definition, _) = definition::build(self.catalog, Some(""), &[]);
                let Some(definition) = definition else { return Err("the game cannot be loaded".into()) };
                let host = Host::new(definition.world.clone(), &self.scripts)
                    .map_err(|errors| errors.first().map_or_else(String::new, ToString::to_string))?;
                (definition.world, host)
            }
        };
        Ok(mutants::all(self.catalog, &world, &host))
    }

    /// The paragraphs that each handler cites, by number of the handler.
    pub fn handler_rules(&self) -> Result<Vec<Vec<String>>, String> {
        let needs = Needs::default();
        let game = match self.definitions.contains_key(&needs) {
            true => self.game(&needs, &self.scripts, None)?,
            false => return Err("no case starts from the bare game".into()),
        };
        let registry = game.host.cx().registry.borrow();
        Ok(registry.handlers.iter().map(|handler| handler.rules.clone()).collect())
    }

    /// The cases that touch a mutant, the most specific first.
    pub fn touching(&self, mutant: &Mutant) -> Vec<usize> {
        let touches = |touching: &Touching| match mutant {
            Mutant::Disabled { handler, .. } => touching.fired.contains(handler),
            Mutant::Script { script, lines, .. } => {
                let from = (script.clone(), lines.0);
                let to = (script.clone(), lines.1);
                touching.touched.lines.range(from..=to).next().is_some()
            }
            Mutant::Datum { key, .. } => {
                let whole: String = key.split('.').take(2).collect::<Vec<_>>().join(".");
                touching.touched.data.contains(key)
                    || (key.starts_with("value.") && touching.touched.data.contains(&whole))
                    || (self.walked.contains(key) && touching.case.walks())
            }
            Mutant::Field { row, field, .. } => {
                let data = &touching.touched.data;
                let Some((kind, id)) = row.split_once('.') else { return false };
                // Who reads what is printed on spaces is not noted: any case may.
                SPACES.contains(&kind)
                    || data.contains(&format!("field.{id}.{field}"))
                    || data.contains(&format!("fields.{field}"))
                    || (self.looked.contains(field) && data.contains("sight"))
            }
            Mutant::Option { id, value } => {
                // A case in which the option has that value anyway cannot notice.
                self.option(&touching.case.needs, id).is_some_and(|own| own != *value)
                    && (touching.touched.data.contains(&format!("option.{id}")) || self.guarding.contains(id))
            }
            Mutant::Node { .. } => touching.case.walks(),
        };
        let mut found: Vec<usize> = (0..self.cases.len()).filter(|&at| touches(&self.cases[at])).collect();
        found.sort_by_key(|&at| self.cases[at].touched.lines.len());
        found
    }

    /// The value of an option in the game of a case, as cases write it.
    fn option(&self, needs: &Needs, id: &str) -> Option<String> {
        let world = &self.definitions.get(needs)?.world;
        let option = world.options.iter().find(|option| world.symbols.text(option.id) == id)?;
        mutants::word(&option.value)
    }

    /// Runs the cases given, or those that touch the mutant, until one fails.
    pub fn judge(&self, mutant: &Mutant, among: Option<&[usize]>) -> Verdict {
        let touching = match among {
            Some(among) => among.to_vec(),
            None => self.touching(mutant),
        };
        if touching.is_empty() {
            return Verdict::Untouched;
        }
        let mut scripts = None;
        if let Mutant::Script { script, from, to, with, .. } = mutant {
            let mut changed = self.scripts.clone();
            for own in &mut changed {
                if own.name == *script {
                    own.text.replace_range(*from..*to, with);
                }
            }
            scripts = Some(changed);
        }
        let scripts = scripts.as_deref().unwrap_or(&self.scripts);
        let mut games: BTreeMap<Needs, Rc<Game>> = BTreeMap::new();
        for &at in &touching {
            let case = &self.cases[at].case;
            let game = match games.get(&case.needs) {
                Some(game) => game.clone(),
                None => match self.game(&case.needs, scripts, Some(mutant)) {
                    Ok(game) => {
                        game.host.cx().limit.set(LIMIT);
                        let game = Rc::new(game);
                        games.insert(case.needs.clone(), game.clone());
                        game
                    }
                    // A game that no longer loads is noticed by everybody.
                    Err(_) => return Verdict::Caught(at),
                },
            };
            if case::run(case, &game).is_err() {
                return Verdict::Caught(at);
            }
        }
        Verdict::Survived(touching.len())
    }
}

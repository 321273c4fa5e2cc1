//! Rules of sight: `[sight.NAME]` says which values of spaces give ground, obstacles and haze, and what they do to a line.

use super::cells::Found;
use super::{Builder, codes, keys};
use crate::diagnostic::Diagnostic;
use crate::tree::{Node, Value};
use crate::tree_read::{Row, wrong_type};
use sandtable_kernel::map::{ByHeight, Effect, SightRules, Sunken, TieRule};
use sandtable_kernel::sight::{SightDef, SightLayer, SightRead, SightSource, height, level};
use sandtable_kernel::state::{TableId, Type};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{NIL, World};

/// Reads all rules of sight.
pub(super) fn read(b: &mut Builder<'_>, world: &mut World) {
    let rows: Vec<(&str, &Node)> = b.catalog.rows("sight").collect();
    for (id, node) in rows {
        let Some(row) = Row::new(format!("sight.{id}"), node, &mut b.out) else { continue };
        row.unknown_keys(keys::SIGHT, &mut b.out);
        let spaces = world.spaces.len();
        let mut def = SightDef {
            rules: rules(b, &row),
            ground: vec![0; spaces],
            obstacle: vec![0; spaces],
            haze: vec![0; spaces],
            ..SightDef::default()
        };
        for (key, layer) in
            [("level", SightLayer::Ground), ("height", SightLayer::Obstacle), ("haze", SightLayer::Haze)]
        {
            let Some(node) = row.get(key) else { continue };
            let what = format!("`{key}` of {}", row.name());
            match &node.value {
                Value::Array(parts) => {
                    parts.iter().for_each(|part| source(b, world, &mut def, layer, part, &what));
                }
                _ => source(b, world, &mut def, layer, node, &what),
            }
        }
        if let Some(walls) = row.row("wall", &mut b.out) {
            let heights = words(b, walls.table().iter(), walls.name());
            let heights: Vec<(i32, i32)> =
                heights.into_iter().map(|(name, n)| (world.symbols.intern(&name).cell(), n)).collect();
            let of = |feature: i32| heights.iter().find(|(name, _)| *name == feature).map_or(0, |(_, n)| *n);
            let tallest =
                |features: &Vec<Sym>| features.iter().map(|feature| of(feature.cell())).max().unwrap_or(0);
            def.wall = world.border_features.iter().map(|features| height(tallest(features))).collect();
        }
        let sym = world.symbols.intern(id);
        world.sights.insert(sym, def);
    }
}

fn rules(b: &mut Builder<'_>, row: &Row<'_>) -> SightRules {
    let base = SightRules::default();
    let out = &mut b.out;
    let number = |n: i64| i32::try_from(n).unwrap_or(i32::MAX);
    let count = |n: i64| u32::try_from(n.max(0)).unwrap_or(u32::MAX);
    let sunken = row.row("sunken", out).and_then(|sunken| {
        sunken.unknown_keys(&["level", "seen"], out);
        let at = level(number(sunken.need("level", out)?.as_int()?));
        Some(match sunken.word("seen", keys::SIGHT_SUNKEN, out) {
            Some("past-rim") => Sunken::RimBlocks(at),
            _ => Sunken::AdjacentOnly(at),
        })
    });
    SightRules {
        walls_at_ends: row.bool("walls-at-ends", out).unwrap_or(base.walls_at_ends),
        walls_along: row.bool("walls-along", out).unwrap_or(base.walls_along),
        ties: match row.word("ties", keys::SIGHT_TIES, out) {
            Some("either") => TieRule::Either,
            _ => base.ties,
        },
        sunken,
        haze_limit: row.int("haze-limit", out).map(count),
        range: row.int("range", out).map(count),
        viewer_level: row.int("viewer-level", out).map(|n| level(number(n))),
        bare: by_height(b, row, "bare", base.bare),
        obstacle: by_height(b, row, "obstacle", base.obstacle),
        wall: by_height(b, row, "walls", base.wall),
    }
}

/// The effects of one kind of thing; the common set if the row does not say, clear where a given table is silent.
fn by_height(b: &mut Builder<'_>, row: &Row<'_>, key: &str, base: ByHeight) -> ByHeight {
    let Some(row) = row.row(key, &mut b.out) else { return base };
    row.unknown_keys(keys::SIGHT_HEIGHTS, &mut b.out);
    let mut effect = |key: &str| match row.word(key, keys::SIGHT_EFFECTS, &mut b.out) {
        Some("blocks") => Effect::Blocks,
        Some("near-low") => Effect::BlocksNearLow,
        Some("near-high") => Effect::BlocksNearHigh,
        Some("near-ends") => Effect::BlocksNearEnds,
        _ => Effect::Clear,
    };
    ByHeight {
        above: effect("above"),
        at_high: effect("at-high"),
        between: effect("between"),
        at_low: effect("at-low"),
        below: effect("below"),
    }
}

/// The numbers that words stand for.
fn words<'n>(
    b: &mut Builder<'_>,
    entries: impl Iterator<Item = (&'n str, &'n Node)>,
    what: &str,
) -> Vec<(String, i32)> {
    let mut found = Vec::new();
    for (name, node) in entries {
        match node.as_int().and_then(|n| i32::try_from(n).ok()) {
            Some(n) => found.push((name.to_string(), n)),
            None => wrong_type(node, format!("`{name}` of {what}"), "a whole number", &mut b.out),
        }
    }
    found
}

/// One source of a layer: printed values go into the arrays, what changes in play into the list of sources.
fn source(
    b: &mut Builder<'_>,
    world: &mut World,
    def: &mut SightDef,
    layer: SightLayer,
    node: &Node,
    what: &str,
) {
    match &node.value {
        Value::Str(name) => match b.column(world, TableId::SPACE, node, name, what) {
            Some(Found::Attribute(col, Type::Int { .. } | Type::Bool)) => {
                def.sources.push(SightSource { layer, read: SightRead::Number(col) });
            }
            Some(Found::Field(col, Type::Int { .. } | Type::Bool)) => {
                for space in 0..world.spaces.len() as u32 {
                    add(def, layer, space, world.space_fields.get(space, col));
                }
            }
            Some(_) => bad(
                b,
                node,
                format!("{what} is `{name}`, which is not a number; write {{ by = \"{name}\", WORD = n }}"),
            ),
            None => {}
        },
        Value::Table(table) => match (table.get("by"), table.get("pieces")) {
            (Some(by), None) => {
                let Some(name) = by.as_str() else {
                    return wrong_type(by, what, "the name of a field", &mut b.out);
                };
                let entries = words(b, table.iter().filter(|(key, _)| *key != "by"), what);
                let entries: Vec<(i32, i32)> =
                    entries.into_iter().map(|(word, n)| (world.symbols.intern(&word).cell(), n)).collect();
                match b.column(world, TableId::SPACE, by, name, what) {
                    Some(Found::Attribute(col, Type::Text | Type::Enum(_))) => {
                        def.sources.push(SightSource { layer, read: SightRead::Word(col, entries) });
                    }
                    Some(Found::Field(col, ty)) => {
                        for space in 0..world.spaces.len() as u32 {
                            let cell = world.space_fields.get(space, col);
                            let cells = if matches!(ty, Type::List(_)) {
                                world.space_fields.list(cell)
                            } else {
                                &[cell]
                            };
                            let of =
                                |cell: &i32| entries.iter().find(|(word, _)| word == cell).map(|(_, n)| *n);
                            cells.iter().filter_map(of).for_each(|n| add(def, layer, space, n));
                        }
                    }
                    Some(Found::Attribute(..)) => bad(b, by, format!("{what}: `{name}` does not hold words")),
                    None => {}
                }
            }
            (None, Some(of)) => {
                let Some(name) = of.as_str() else {
                    return wrong_type(of, what, "the name of a field", &mut b.out);
                };
                let read = match b.column(world, TableId::PIECE, of, name, what) {
                    Some(Found::Attribute(col, Type::Int { .. } | Type::Bool)) => {
                        SightRead::PieceAttribute(col)
                    }
                    Some(Found::Field(col, Type::Int { .. } | Type::Bool)) => SightRead::PieceField(col),
                    Some(_) => return bad(b, of, format!("{what}: `{name}` of pieces is not a number")),
                    None => return,
                };
                def.sources.push(SightSource { layer, read });
            }
            _ => bad(b, node, format!("{what} needs `by` or `pieces`: the field that it is read from")),
        },
        _ => wrong_type(node, what, "the name of a field, or a table with `by` or `pieces`", &mut b.out),
    }
}

fn bad(b: &mut Builder<'_>, node: &Node, message: String) {
    b.out.push(Diagnostic::error(&codes::BAD_SIGHT, node.origin, message));
}

fn add(def: &mut SightDef, layer: SightLayer, space: u32, n: i32) {
    let (at, n) = (space as usize, if n == NIL { 0 } else { n });
    match layer {
        SightLayer::Ground => def.ground[at] = level(i32::from(def.ground[at]).saturating_add(n)),
        SightLayer::Obstacle => def.obstacle[at] = def.obstacle[at].max(height(n)),
        SightLayer::Haze => def.haze[at] = height(i32::from(def.haze[at]).saturating_add(n)),
    }
}

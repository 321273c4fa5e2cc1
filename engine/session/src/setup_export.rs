//! The set-up lines that few write by hand, but every export needs: `make`, `record`, `reveal`, `conceal`, `effect`.

use crate::setup::{SetupError, cell, how_many, piece, plain, split, unknown, wrong};
use sandtable_kernel::state::{Arg, KEPT, Lists, NewEffect, TableId, Type, piece_col};
use sandtable_kernel::world::{Named, World};
use sandtable_script::{Play, ScriptContext, Val, arg_tag};

/// `TYPE [N]`: pieces beside those of the box, in no place.
pub(crate) fn make(world: &World, play: &mut Play, words: &[&str]) -> Result<(), SetupError> {
    let (&[name] | &[name, _]) = words else {
        return wrong(format!("`{}`: expected a kind of pieces and how many", words.join(" ")));
    };
    let Some(Named::Component(component)) = world.symbols.get(name).and_then(|sym| world.names.get(&sym))
    else {
        return unknown(
            "piece",
            name,
            world.components.iter().map(|component| world.symbols.text(component.id)),
        );
    };
    let n = match words.get(1) {
        Some(n) => how_many(play, n)?,
        None => 1,
    };
    for _ in 0..n {
        world.push_piece(&mut play.state, *component, world.components[*component as usize].side);
    }
    Ok(())
}

/// `PIECE [SIDE …]`: who sees the face of a piece, or does not although its place shows it; all sides if none is named.
pub(crate) fn show(world: &World, play: &mut Play, words: &[&str], on: bool) -> Result<(), SetupError> {
    let &[name, ref sides @ ..] = words else {
        return wrong("expected a piece, and sides if not all".into());
    };
    let row = piece(world, play, name)?;
    let mut mask = if sides.is_empty() { (1 << world.sides.len()) - 1 } else { 0 };
    for side in sides {
        let Some(found) = world.find_side(side) else {
            return unknown("side", side, world.sides.iter().map(|side| world.symbols.text(side.0)));
        };
        mask |= 1 << found.0;
    }
    // The low bits are the sides that see the face, the others those from which it is hidden.
    let (seen, hidden) = (mask, mask << 8);
    let old = play.state.get(TableId::PIECE, row, piece_col::SEEN);
    let new = if on { (old | seen) & !hidden } else { (old & !seen) | hidden };
    play.state.set(TableId::PIECE, row, piece_col::SEEN, new);
    Ok(())
}

/// `TYPE NUMBER key=value …`: a record in play; lists are parted by commas.
pub(crate) fn record(cx: &ScriptContext, play: &mut Play, words: &[&str]) -> Result<(), SetupError> {
    let world = &*cx.world;
    let &[name, number, ref fields @ ..] = words else {
        return wrong("expected a type of records, a number, and fields such as hex=0504".into());
    };
    let first = TableId::FIRST_RECORD.0;
    let own = (first..).zip(world.schema.tables.iter().skip(first as usize));
    let Some((table, schema)) = own.clone().find(|(_, schema)| world.symbols.text(schema.name) == name)
    else {
        return unknown("type of records", name, own.map(|(_, schema)| world.symbols.text(schema.name)));
    };
    let table = TableId(table);
    let Ok(row) = number.parse::<u32>() else { return wrong(format!("`{number}` is no number of a record")) };
    if row > 1000 {
        return wrong(format!("`{number}`: there cannot be so many records"));
    }
    while play.state.rows(table) <= row {
        play.state.push_row(table);
    }
    play.state.set(table, row, 0, 1);
    for field in fields {
        let Some((key, value)) = field.split_once('=') else {
            return wrong(format!("`{field}`: expected FIELD=VALUE"));
        };
        let column =
            (0u16..).zip(&schema.columns).skip(1).find(|(_, column)| world.symbols.text(column.name) == key);
        let Some((col, column)) = column else {
            let names = schema.columns.iter().skip(1).map(|column| world.symbols.text(column.name));
            return unknown("field", key, names);
        };
        let cell = if let Type::List(of) = &column.ty {
            let cells: Result<Vec<i32>, SetupError> =
                split(value, |c| c == ',').map(|value| cell(cx, play, of, value)).collect();
            play.state.make_list(&cells?)
        } else {
            cell(cx, play, &column.ty, value)?
        };
        play.state.set(table, row, col, cell);
    }
    Ok(())
}

/// `NAME [kept] [lasts NODE] [on EVENT] [after N] [times N] [key=value …]`: an effect in force, one that waits for an event,
/// or something remembered.
pub(crate) fn effect(cx: &ScriptContext, play: &mut Play, words: &[&str]) -> Result<(), SetupError> {
    let name = |text: &str| cx.symbols.borrow().get(plain(text));
    let known =
        |text: &str| name(text).map_or_else(|| wrong(format!("`{text}` is no name of this game")), Ok);
    let Some((&first, mut rest)) = words.split_first() else {
        return wrong("expected the name of an effect".into());
    };
    let mut new = NewEffect { name: known(first)?, ..NewEffect::default() };
    while let Some((&word, after)) = rest.split_first() {
        rest = after;
        if let Some((key, value)) = word.split_once('=') {
            let val = argument(cx, play, value);
            let Some(val) = val else { return wrong(format!("`{value}` is no name of this game")) };
            let (tag, cell) = arg_tag(val);
            // Keys are free: whoever asks the effect for one knows it.
            new.args.push(Arg { key: cx.sym(key), tag, cell });
            continue;
        }
        if word == "kept" {
            new.times = KEPT;
            continue;
        }
        let Some((&value, after)) = rest.split_first() else {
            return wrong(format!(
                "`{word}`: expected kept, lasts NODE, on EVENT, after N, times N or KEY=VALUE"
            ));
        };
        rest = after;
        let number = || value.parse::<i32>().or_else(|_| wrong(format!("`{value}` is no number")));
        match word {
            "lasts" => new.until = known(value)?,
            "on" => new.on = known(value)?,
            "after" => new.after = number()?,
            "times" => new.times = number()?,
            _ => return wrong(format!("`{word}`: expected kept, lasts, on, after, times or KEY=VALUE")),
        }
    }
    new.args.sort_by_key(|arg| cx.text(arg.key));
    let free = play.free_row(TableId::EFFECT);
    play.state.start_effect(&new, free);
    Ok(())
}

/// The value that an argument of an effect names: a text if it stands in quotes, a number if a `#` stands before it, else a
/// thing, a number, or a text.
pub(crate) fn argument(cx: &ScriptContext, play: &Play, text: &str) -> Option<Val> {
    let symbol = |text: &str| cx.symbols.borrow().get(text).map(Val::Sym);
    if text.starts_with('"') {
        return symbol(plain(text));
    }
    if let Some(number) = text.strip_prefix('#') {
        return number.parse().ok().map(Val::Int);
    }
    let world = &*cx.world;
    match text {
        "true" | "false" => Some(Val::Bool(text == "true")),
        _ => world
            .find_piece(&play.state, text)
            .map(Val::Piece)
            .or_else(|| world.find_space(text).map(|space| Val::Space(space.0)))
            .or_else(|| record_named(world, text).map(|(table, row)| Val::Record(table.0, row)))
            .or_else(|| text.parse().ok().map(Val::Int))
            .or_else(|| symbol(text)),
    }
}

/// The record that `TYPE.NUMBER` names.
pub(crate) fn record_named(world: &World, text: &str) -> Option<(TableId, u32)> {
    let (name, row) = text.rsplit_once('.')?;
    let first = TableId::FIRST_RECORD.0;
    let mut own = (first..).zip(world.schema.tables.iter().skip(first as usize));
    let (table, _) = own.find(|(_, schema)| world.symbols.text(schema.name) == name)?;
    Some((TableId(table), row.parse().ok()?))
}

//! Verbs of records in play: a combat, a move under way.

use super::super::{Api, slot};
use super::AT_A_TIME;
use crate::fields::assign;
use crate::handle::Target;
use crate::lua_ffi::{Arg, Out};
use crate::val::{Change, Val};
use sandtable_kernel::state::{Lists, TableId, Type};
use sandtable_kernel::symbol::Sym;

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add("start_record(type: text, fields: table?) -> record", "Begins a record in play.", |c| {
        c.cx.changing("start_record")?;
        let name = c.sym(0)?;
        let tables = &c.cx.world.schema.tables;
        let first = TableId::FIRST_RECORD.0 as usize;
        let Some(table) = (first..tables.len()).find(|&table| tables[table].name == name) else {
            let text = c.text(0)?;
            let names = tables[first..].iter().map(|table| c.cx.world.symbols.text(table.name));
            return c.wrong(
                0,
                format!("no record type {text}{}", crate::context::ScriptContext::nearest(&text, names)),
            );
        };
        let id = TableId(table as u16);
        let row = {
            let mut play = c.cx.play.borrow_mut();
            let there = play.state.rows(id);
            c.cx.spend(u64::from(there))?;
            let free = play.free_row(id);
            if free.is_none() && there > AT_A_TIME {
                return c.wrong(
                    0,
                    format!(
                        "there are {there} records of this type already: something starts them without end"
                    ),
                );
            }
            let row = free.unwrap_or_else(|| play.state.push_row(id));
            play.state.set(id, row, 0, 1);
            play.changes.push(Change::StartRecord(id.0, row));
            row
        };
        if !c.has(1) {
            return Ok(Val::Record(id.0, row).into());
        }
        // In the order of declaration, because Lua's own order differs from run to run.
        for (col, column) in (0u16..).zip(&tables[table].columns).skip(1) {
            if c.frame.field_of(slot(1), column.name)? {
                assign(c.frame, (id, row, col), c.frame.top(), column.name)?;
                c.frame.pop(1);
            }
        }
        let names = || tables[table].columns.iter().skip(1).map(|column| column.name);
        let mut wrong = None;
        c.frame.each(slot(1), |key, _| {
            let key = c.frame.sym(key).unwrap_or(Sym::NONE);
            if !names().any(|name| name == key) {
                wrong = Some(c.cx.text(key));
            }
            Ok(())
        })?;
        if let Some(key) = wrong {
            let names = names().map(|name| c.cx.world.symbols.text(name));
            return c.wrong(
                1,
                format!("no field `{key}`{}", crate::context::ScriptContext::nearest(&key, names)),
            );
        }
        Ok(Val::Record(id.0, row).into())
    })?;
    api.add(
        "finish_record(record: record)",
        "Ends a record in play, and the effects that last as long as it.",
        |c| {
            c.cx.changing("finish_record")?;
            let (id, row) = c.live_record(0)?;
            let schema = &c.cx.world.schema.tables[id.0 as usize];
            let mut play = c.cx.play.borrow_mut();
            for (col, column) in (0u16..).zip(&schema.columns) {
                let old = play.state.get(id, row, col);
                if matches!(column.ty, Type::List(_)) {
                    play.state.free_list(old);
                }
                play.state.set(id, row, col, column.default);
            }
            play.changes.push(Change::FinishRecord(id.0, row));
            play.end_effects_until(schema.name, Some(row));
            play.freed.insert((id, row));
            Ok(Out::NIL)
        },
    )?;
    api.add("is_live(record: record) -> bool", "Whether a record in play has not been finished.", |c| {
        // One that is not in this game is not live either.
        let Arg::Handle(Target::Val(record @ Val::Record(table, _))) = c.frame.arg(slot(0)) else {
            return c.expected(0, "a record");
        };
        let play = c.cx.play.borrow();
        c.cx.note(&play.state, TableId(table), 0);
        Ok(Out::truth(!play.is_gone(record)))
    })
}

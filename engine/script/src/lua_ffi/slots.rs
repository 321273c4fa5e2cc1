//! Slots: places in a table of Lua where answers of queries and what decisions are about are kept, so that giving one again is a
//! look at the table.

#![expect(unsafe_code, reason = "reads blocks that slots hold")]

use super::stack::{Full, Upvalue};
use super::{Frame, LuaFfi, blocks};
use crate::context::ScriptContext;
use std::cell::RefCell;
use std::rc::Rc;

/// Slots that are made at a time.
const GROWTH: u32 = 256;

/// A kept value. What it holds stays until its slot is used again, which may be after it is dropped.
#[derive(Debug)]
pub struct Slot {
    number: u32,
    /// The VM it lies in.
    vm: u32,
    /// The block, if it is an object.
    block: (*const std::ffi::c_void, usize),
    slots: Rc<RefCell<Slots>>,
}

/// Which slots there are, and which of them are free.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// The VM whose slots these are.
    pub vm: u32,
    made: u32,
    free: Vec<u32>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut slots = self.slots.borrow_mut();
        if slots.vm == self.vm {
            slots.free.push(self.number);
        }
    }
}

impl Slot {
    /// Whether the VM that it lies in is that of the context.
    pub(crate) fn lies_in(&self, cx: &ScriptContext) -> bool {
        self.vm == cx.vm.get()
    }

    /// Whether both hold lists, and the same in the same order.
    pub(crate) fn same_list(&self, other: &Slot, cx: &ScriptContext) -> bool {
        let living = |slot: &Slot| slot.slots.borrow().vm == slot.vm;
        if !living(self) || !living(other) {
            return false;
        }
        // SAFETY: a slot holds its object as long as it lives and the VM is the same; nothing runs while two are compared.
        let list = |slot: &Slot| unsafe { blocks::read(cx, slot.block.0, slot.block.1) };
        matches!((list(self), list(other)), (Some(own), Some(others)) if own.same(others))
    }
}

impl LuaFfi {
    /// A free slot.
    fn free_slot(&self) -> mlua::Result<u32> {
        if let Some(number) = self.slots.borrow_mut().free.pop() {
            return Ok(number);
        }
        let first = self.slots.borrow().made + 1;
        if let Some(tables) = &*self.tables.borrow() {
            // With something in each, setting one later needs no memory and cannot raise.
            for number in first..first + GROWTH {
                tables.kept.raw_set(number, false)?;
            }
        }
        let mut slots = self.slots.borrow_mut();
        slots.made += GROWTH;
        slots.free.extend((first + 1..first + GROWTH).rev());
        Ok(first)
    }
}

impl Frame<'_> {
    /// Takes the value on top of the stack, which is not nil, into a slot.
    pub fn keep(&self) -> mlua::Result<Rc<Slot>> {
        let number = self.cx.lua_ffi.free_slot()?;
        let block = self.stack.block(-1);
        self.stack.keep(Upvalue::Kept, number.into())?;
        let (vm, slots) = (self.cx.vm.get(), self.cx.lua_ffi.slots.clone());
        Ok(Rc::new(Slot { number, vm, block, slots }))
    }

    /// Pushes what a slot holds.
    pub fn push_slot(&self, slot: &Slot) -> Result<(), Full> {
        self.stack.push_kept(Upvalue::Kept, slot.number.into()).map(|_| ())
    }
}

//! Slots: places in a table of Lua where answers of queries and what decisions are about are kept, so that giving one again is a
//! look at the table.

use super::{Border, Frame, KEPT, blocks};
use crate::cx::Cx;
use crate::list::List;
use mlua::ffi;
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
    pub(crate) fn lies_in(&self, cx: &Cx) -> bool {
        self.vm == cx.vm.get()
    }

    /// The list in it, if it is one.
    pub(crate) fn list<'a>(&'a self, cx: &'a Cx) -> Option<List<'a>> {
        if self.slots.borrow().vm != self.vm {
            return None;
        }
        // SAFETY: the slot holds the object as long as this lives and the VM is the same.
        unsafe { blocks::read(cx, self.block.0, self.block.1) }
    }
}

impl Border {
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
    /// Takes the value on top of the stack into a slot.
    pub fn keep(&self) -> mlua::Result<Rc<Slot>> {
        let number = self.cx.border.free_slot()?;
        // SAFETY: the entry exists, so setting it does not raise.
        unsafe {
            let block = match ffi::lua_type(self.l, -1) {
                ffi::LUA_TUSERDATA => {
                    (ffi::lua_touserdata(self.l, -1).cast_const(), ffi::lua_rawlen(self.l, -1))
                }
                _ => (std::ptr::null(), 0),
            };
            ffi::lua_rawseti(self.l, KEPT, number.into());
            let (vm, slots) = (self.cx.vm.get(), self.cx.border.slots.clone());
            Ok(Rc::new(Slot { number, vm, block, slots }))
        }
    }

    /// Pushes what a slot holds.
    pub fn push_slot(&self, slot: &Slot) {
        unsafe { ffi::lua_rawgeti(self.l, KEPT, slot.number.into()) };
    }
}

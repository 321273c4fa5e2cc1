//! Blocks: the memory of Lua in which a list lies, its values behind a head.
//!
//! A list holds nothing that must be dropped, so that Lua can throw it away without asking; only the result of a search
//! has a finalizer.

#![expect(unsafe_code, reason = "reads memory of Lua's that this module wrote")]

use crate::context::ScriptContext;
use crate::list::{Contents, List, NewList};
use crate::outside::Tallied;
use crate::val::Val;
use sandtable_kernel::search::Reach;
use std::ffi::c_void;

/// What a block begins with.
#[repr(C)]
struct Head {
    mark: u64,
    /// The search, for what `reach` gives.
    reach: *mut Tallied<Reach>,
    /// How many values, or words of a set, follow.
    count: u32,
    /// Whether they are words of a set.
    set: u32,
}

const MARK: u64 = 0x5361_6e64_7461_626c;
/// What the size of a block leaves when divided by eight. Objects of mlua hold pointers, so theirs leave nothing.
const ODD: usize = 5;

const _: () = assert!(size_of::<Val>() == 8 && align_of::<Val>() <= 8 && size_of::<Head>() == 24);

/// The bytes that a list needs.
pub(super) fn size(made: &NewList) -> usize {
    let count = match made {
        NewList::Vals(vals) => vals.len(),
        NewList::Set(set) => set.words().len(),
        NewList::Reach(reach) => reach.value.ends().words().len(),
    };
    size_of::<Head>() + count * 8 + ODD
}

/// Puts a list into a block; says whether it is one of a search, which must be dropped.
///
/// # Safety
/// The block has the size that [`size`] says.
pub(super) unsafe fn write(block: *mut c_void, made: NewList) -> bool {
    let (reach, set, made) = match made {
        NewList::Reach(reach) => {
            let ends = reach.value.ends().clone();
            (Box::into_raw(reach), 1, NewList::Set(ends))
        }
        NewList::Set(set) => (std::ptr::null_mut(), 1, NewList::Set(set)),
        vals => (std::ptr::null_mut(), 0, vals),
    };
    // SAFETY: there is room for the head and all that follows; Lua aligns blocks for any type of C.
    unsafe {
        let behind = block.cast::<Head>().add(1);
        let count = match &made {
            NewList::Vals(vals) => {
                behind.cast::<Val>().copy_from_nonoverlapping(vals.as_ptr(), vals.len());
                vals.len()
            }
            NewList::Set(set) => {
                let words = set.words();
                behind.cast::<u64>().copy_from_nonoverlapping(words.as_ptr(), words.len());
                words.len()
            }
            NewList::Reach(_) => 0,
        };
        block.cast::<Head>().write(Head { mark: MARK, reach, count: count as u32, set });
    }
    !reach.is_null()
}

/// Whether a list lies in a block of that size.
///
/// # Safety
/// The block is a living userdata of that size, or there is none.
pub(super) unsafe fn is_list(block: *const c_void, size: usize) -> bool {
    // SAFETY: of such a size only `write` makes blocks.
    !block.is_null()
        && size % 8 == ODD
        && size >= size_of::<Head>()
        && unsafe { (*block.cast::<Head>()).mark == MARK }
}

/// The list in a block of that size, if one is there.
///
/// # Safety
/// The block is a living userdata of that size, or there is none; it lives as long as the list is used.
pub(super) unsafe fn read<'a>(cx: &'a ScriptContext, block: *const c_void, size: usize) -> Option<List<'a>> {
    // SAFETY: what bears the mark was made by `write`.
    unsafe {
        if !is_list(block, size) {
            return None;
        }
        let head = &*block.cast::<Head>();
        let (behind, count) = (block.cast::<Head>().add(1), head.count as usize);
        let contents = match head.set {
            0 => Contents::Vals(std::slice::from_raw_parts(behind.cast::<Val>(), count)),
            _ => Contents::Set(std::slice::from_raw_parts(behind.cast::<u64>(), count)),
        };
        Some(List { cx, contents, reach: head.reach.as_ref().map(|reach| &reach.value) })
    }
}

/// Drops the search of a block.
///
/// # Safety
/// The block was written by [`write`], and this happens once.
pub(super) unsafe fn finish(block: *mut c_void) {
    // SAFETY: as above; the search was boxed.
    unsafe {
        let head = &mut *block.cast::<Head>();
        if !head.reach.is_null() {
            drop(Box::from_raw(std::mem::replace(&mut head.reach, std::ptr::null_mut())));
        }
    }
}

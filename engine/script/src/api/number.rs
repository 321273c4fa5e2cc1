//! Numbers being worked out: their handles, and the run through base and contributions.

use super::rules::pure;
use super::{NAMED, active};
use crate::context::{ScriptContext, fail};
use crate::handle::Target;
use crate::lua_ffi::{Arg, Frame, Methods, Out, Part};
use crate::registry::Kind;
use crate::val::{Change, Val};
use sandtable_kernel::number::{Number, Op};
use std::rc::Rc;

/// Numbers that may be worked out within each other.
const NUMBERS: u8 = 100;
/// Most steps of a number: all of them are told.
const PARTS: usize = 500;

/// A number under way.
#[derive(Default)]
pub(crate) struct Working {
    number: Number,
    /// The handler that contributes now.
    handler: u32,
}

type Step = fn(&mut Working, n: Option<i32>, d: Option<i32>) -> Option<bool>;

/// The methods of a number under way; nothing if an argument is missing, false if the number leaves its range.
const STEPS: &[(&str, Step)] = &[
    ("add", |this, n, _| n.map(|n| n == 0 || this.number.apply(this.handler, Op::Add(n)))),
    ("times", |this, n, d| n.map(|n| this.number.apply(this.handler, Op::Times(n, d.unwrap_or(1))))),
    ("divide_up", |this, n, _| {
        n.map(|n| {
            this.number.apply(this.handler, Op::Times(1, n)) && this.number.apply(this.handler, Op::RoundUp)
        })
    }),
    ("divide_down", |this, n, _| {
        n.map(|n| {
            this.number.apply(this.handler, Op::Times(1, n)) && this.number.apply(this.handler, Op::RoundDown)
        })
    }),
    ("round_up", |this, _, _| Some(this.number.apply(this.handler, Op::RoundUp))),
    ("round_down", |this, _, _| Some(this.number.apply(this.handler, Op::RoundDown))),
    ("at_least", |this, n, _| n.map(|n| this.number.apply(this.handler, Op::AtLeast(n)))),
    ("at_most", |this, n, _| n.map(|n| this.number.apply(this.handler, Op::AtMost(n)))),
    ("set", |this, n, _| n.map(|n| this.number.apply(this.handler, Op::Set(n)))),
];

/// Makes the methods of numbers.
pub(super) fn bind_methods(lua: &mlua::Lua, cx: &Rc<ScriptContext>) -> mlua::Result<()> {
    for &(name, step) in STEPS {
        let method = cx.bind(lua, move |frame| {
            let at = depth(frame)?;
            let int = |at| match frame.val(at) {
                Ok(Val::Int(n)) => Ok(Some(n)),
                Ok(Val::Nil) => Ok(None),
                _ => fail(format!("{name}: expected a whole number")),
            };
            let (n, d) = (int(2)?, int(3)?);
            frame.cx.spend(10)?;
            let mut numbers = frame.cx.numbers.borrow_mut();
            if numbers[at].number.parts().len() >= PARTS {
                return fail(format!("{name}: a number is worked out in at most {PARTS} steps"));
            }
            match step(&mut numbers[at], n, d) {
                Some(true) => Ok(Out::Pushed(0)),
                Some(false) => fail("the number leaves the range of whole numbers, or is divided by 0"),
                None => fail(format!("{name}: expected a whole number")),
            }
        })?;
        cx.method(Methods::Number, name, method)?;
    }
    Ok(())
}

/// Which of the numbers being worked out the handle at 1 stands for.
fn depth(frame: &Frame<'_>) -> mlua::Result<usize> {
    match frame.arg(1) {
        Arg::Handle(Target::Number(depth)) if usize::from(depth) < frame.cx.numbers.borrow().len() => {
            Ok(usize::from(depth))
        }
        _ => fail("this number is not being worked out now"),
    }
}

/// Reads a field of a number: its handle at 1, the name at 2.
pub(crate) fn read(frame: &Frame<'_>) -> mlua::Result<Out> {
    if frame.method(Methods::Number, 2)? {
        return Ok(Out::Pushed(1));
    }
    match frame.bytes(2) {
        Some(b"value") => Ok(Out::Int(frame.cx.numbers.borrow()[depth(frame)?].number.value().into())),
        Some(name) => {
            let name = String::from_utf8_lossy(name);
            let hint = ScriptContext::nearest(&name, STEPS.iter().map(|(name, _)| *name).chain(["value"]));
            fail(format!("a number has no `{name}`{hint}"))
        }
        None => fail("the name of a field is a text"),
    }
}

/// Works a number out: its base, then the contributions of each stage. Its name is at 1, its arguments follow.
pub(super) fn evaluate(frame: &Frame<'_>) -> mlua::Result<Out> {
    let cx = frame.cx;
    let Some(name) = frame.sym(1) else { return fail("evaluate: expected the name of a number") };
    let base = cx.registry.borrow().of(Kind::Number, name).first().copied();
    let Some(base) = base else {
        let (name, registry) = (cx.text(name), cx.registry.borrow());
        let names = registry.handlers.iter().filter(|handler| handler.kind == Kind::Number);
        return fail(format!(
            "no number {name}{}",
            ScriptContext::nearest(&name, names.map(|handler| handler.id.as_str()))
        ));
    };
    let depth = cx.numbers.borrow().len();
    if depth >= usize::from(NUMBERS) {
        return fail(format!("more than {NUMBERS} numbers are being worked out within each other"));
    }
    cx.numbers.borrow_mut().push(Working::default());
    let args = frame.top() - 1;
    contribute(frame, base, depth, args)?;
    let staged = cx.registry.borrow().held(Kind::Modify, name);
    for &number in staged.iter() {
        contribute(frame, number, depth, args)?;
    }
    let Some(Working { number, .. }) = cx.numbers.borrow_mut().pop() else { return Ok(Out::NIL) };
    if cx.pure.get() == 0 {
        cx.keeps()?;
        cx.spend(20 + number.parts().len() as u64)?;
        let of = (2..=args + 1).take(NAMED).filter_map(|at| frame.val(at).ok()).collect();
        let change = Change::Number { of, name, value: number.value(), parts: number.parts().to_vec() };
        cx.play.borrow_mut().changes.push(change);
    }
    Ok(Out::Int(number.value().into()))
}

/// Runs one handler of a number.
fn contribute(frame: &Frame<'_>, number: u32, depth: usize, args: i32) -> mlua::Result<()> {
    let cx = frame.cx;
    {
        let registry = cx.registry.borrow();
        let handler = &registry.handlers[number as usize];
        if !active(cx, handler, None) {
            return Ok(());
        }
        handler.fired.set(handler.fired.get() + 1);
    }
    if let Some(working) = cx.numbers.borrow_mut().get_mut(depth) {
        working.handler = number;
    }
    if !frame.handler(number, Part::Run)? {
        return Ok(());
    }
    frame.push_handle(Target::Number(depth as u8))?;
    frame.copy_all(2, args)?;
    cx.measured(number, || pure(cx, || frame.call(args + 1, 0)))
}

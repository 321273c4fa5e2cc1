//! `trace`: ways in segments of different kinds, as supply is traced: so many steps, then along a network, then one hop.

use super::search::{SCRATCH, Spec};
use super::{Api, Call};
use crate::lua_ffi::Out;
use crate::val::Val;
use sandtable_kernel::map::{BorderSet, NetworkId, SpaceSet};
use sandtable_kernel::search::{Segment, Trace, TraceOver, TraceSpec, trace};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most segments of a trace.
const SEGMENTS: usize = 20;

/// What one segment follows.
enum Over {
    Borders,
    Network(NetworkId),
    Outward(NetworkId),
    Hops(Vec<SpaceSet>),
}

/// One segment as it was asked for.
struct Part {
    over: Over,
    steps: Option<u32>,
    needed: bool,
    blocked: Option<SpaceSet>,
    barrier: Option<Rc<BorderSet>>,
}

impl Part {
    fn read(spec: &Spec<'_>) -> mlua::Result<Part> {
        spec.known(&["over", "outward", "hop", "steps", "needed", "blocked", "barrier"])?;
        let network = match spec.word("over")? {
            Some(name) => Some(spec.c.network_of(name).or_else(|why| spec.wrong("over", why))?),
            None => None,
        };
        let over = match (network, spec.truth("outward")?, spec.word("hop")?) {
            (None, false, None) => Over::Borders,
            (Some(network), false, None) => Over::Network(network),
            (Some(network), true, None) => Over::Outward(network),
            (None, false, Some(field)) => Over::Hops(groups(spec, field)?),
            (None, true, _) => return spec.wrong("outward", "only links of a network have a direction"),
            (Some(_), _, Some(_)) => {
                return spec.wrong("hop", "a segment follows a network or hops, not both");
            }
        };
        Ok(Part {
            over,
            steps: spec.int("steps")?.map(|n| n.max(0) as u32),
            needed: spec.truth("needed")?,
            blocked: spec.set("blocked")?,
            barrier: spec.barrier()?,
        })
    }

    fn segment(&self) -> Segment<'_> {
        Segment {
            over: match &self.over {
                Over::Borders => TraceOver::Borders,
                Over::Network(network) => TraceOver::Network(*network),
                Over::Outward(network) => TraceOver::NetworkFromSource(*network),
                Over::Hops(groups) => TraceOver::Groups(groups),
            },
            limit: self.steps,
            required: self.needed,
            blocked: self.blocked.as_ref(),
            barrier: self.barrier.as_deref(),
        }
    }
}

/// The spaces that share a value of a printed field, in the order of the values.
fn groups(spec: &Spec<'_>, field: sandtable_kernel::symbol::Sym) -> mlua::Result<Vec<SpaceSet>> {
    let group = spec.group(field)?;
    spec.c.all_spaces(4)?;
    let mut groups: BTreeMap<i32, SpaceSet> = BTreeMap::new();
    for space in spec.c.cx.world.board.spaces() {
        if let Some(group) = group(space) {
            groups.entry(group).or_default().insert(space);
        }
    }
    Ok(groups.into_values().collect())
}

fn traced(c: &Call<'_>) -> mlua::Result<Trace> {
    let spec = Spec::new(c)?;
    spec.known(&["to", "by", "blocked_start"])?;
    let frame = c.frame;
    let parts = spec.with("by", |at| {
        if !frame.is_table(at) {
            return spec.wrong("by", format!("expected a list of segments, found {}", frame.words(at)));
        }
        let mut parts = Vec::new();
        while parts.len() < SEGMENTS && frame.element(at, parts.len() as i64 + 1)? {
            let part = Spec { c, at: frame.top() };
            if !frame.is_table(part.at) {
                return spec
                    .wrong("by", format!("expected a list of segments, found {}", frame.words(part.at)));
            }
            parts.push(Part::read(&part)?);
            frame.pop(1);
        }
        Ok(parts)
    })?;
    let (sources, blocked_start) = (spec.set("to")?.unwrap_or_default(), spec.truth("blocked_start")?);
    let parts = parts.unwrap_or_default();
    let segments: Vec<Segment<'_>> = parts.iter().map(Part::segment).collect();
    c.all_spaces(2 * segments.len())?;
    let asked = TraceSpec { sources: &sources, segments: &segments, blocked_start };
    Ok(SCRATCH.with_borrow_mut(|scratch| trace(&c.cx.world.board, &asked, scratch)))
}

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add(
        "trace(how: table) -> spaces",
        "All spaces that trace `to` some spaces `by` segments, the one at the tracing space first: each has at most `steps`, follows borders, a network (`over`; `outward` against its links) or a `hop` between spaces that share a printed field, avoids `blocked` spaces and `barrier` borders, and may be left out unless `needed`. `blocked_start` lets a trace begin in a blocked space.",
        |c| {
            let found = traced(&c)?.spaces().clone();
            c.spaces_out(found)
        },
    )?;
    api.add(
        "trace_way(how: table, space: space) -> list",
        "The way of such a trace from a space, both ends included; nil if there is none.",
        |c| {
            let (found, from) = (traced(&c)?, c.space(1)?);
            let Some(legs) = found.legs(from) else { return Ok(Out::NIL) };
            let steps = legs.iter().flat_map(|leg| leg.spaces.iter().skip(1));
            Ok(Out::list([from].iter().chain(steps).map(|space| Val::Space(space.0)).collect()))
        },
    )
}

//! Searches over a board: reach with costs, floods, traces in segments, paths and matching.
//!
//! All of them are driven by tables and sets that the caller prepares; they know no game. Searches that run
//! often take a [`Scratch`], whose buffers are used again. Results do not depend on what ran before.

mod explain;
mod flood;
mod limited;
mod matching;
mod paths;
mod profile;
mod queue;
mod reach;
mod scratch;
mod spec;
mod trace;
mod trace_why;

pub use explain::{Barrier, WhyNot, why_not};
pub use flood::{Flood, FloodOver, FloodSpec, flood, flood_paths};
pub use matching::{Matching, Violator, matching};
pub use paths::{PathSpec, Paths, best_paths, paths};
pub use profile::{BLOCKED, Cost, NetworkRate, Profile, ProfileSpec, UNLIMITED, crossing_costs};
pub use reach::{Reach, reach};
pub use scratch::Scratch;
pub use spec::ReachSpec;
pub use trace::{Leg, Segment, Trace, TraceOver, TraceSpec, trace};
pub use trace_why::{TraceFailure, trace_why_not};

#[cfg(test)]
mod tests;

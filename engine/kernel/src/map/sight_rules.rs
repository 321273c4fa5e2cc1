//! The rules of sight as data: what blocks a line between two levels.

/// What an obstacle of some height does to a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    #[default]
    Clear,
    /// It blocks.
    Blocks,
    /// It blocks when it is next to the lower end of the line, or to either end when both are level.
    BlocksNearLow,
    /// It blocks when it is next to the higher end of the line, or to either end when both are level.
    BlocksNearHigh,
    /// It blocks when it is next to either end of the line.
    BlocksNearEnds,
}

/// What something does to a line, by how its top compares with the lower and the higher end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByHeight {
    /// Above the higher end.
    pub above: Effect,
    /// As high as the higher end, and above the lower.
    pub at_high: Effect,
    /// Above the lower end and below the higher.
    pub between: Effect,
    /// As high as the lower end.
    pub at_low: Effect,
    /// Below the lower end.
    pub below: Effect,
}

impl ByHeight {
    /// Blocks at and above the higher end; nothing else.
    pub const SOLID: Self = Self {
        above: Effect::Blocks,
        at_high: Effect::Blocks,
        between: Effect::Clear,
        at_low: Effect::Clear,
        below: Effect::Clear,
    };
}

/// When a line along a hexside is blocked by the hexes of that side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieRule {
    /// Only if both would block; of haze the lesser counts.
    #[default]
    Both,
    /// If either would block; of haze the greater counts.
    Either,
}

/// How spaces of low ground, such as gullies, see and are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sunken {
    /// Ground at or below this level and ground above it see each other only when adjacent.
    AdjacentOnly(i8),
    /// Whatever is higher than an end at or below this level and next to it blocks.
    RimBlocks(i8),
}

/// What decides whether a line is clear.
///
/// The default is the common set: what is higher than both ends or as high as the higher one blocks; an obstacle
/// that lies between the levels makes a blind spot just behind it, bare ground does not; a line along a hexside
/// is blocked only if both sides block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SightRules {
    /// What ground without an obstacle does.
    pub bare: ByHeight,
    /// What ground with an obstacle does; its height counts on top of the ground.
    pub obstacle: ByHeight,
    /// What a wall on a border does; its height counts on top of the higher ground beside it.
    pub wall: ByHeight,
    /// Whether walls on the sides of the two end spaces count.
    pub walls_at_ends: bool,
    /// Whether a wall blocks a line that runs along it.
    pub walls_along: bool,
    /// Lines along a hexside.
    pub ties: TieRule,
    /// Low ground.
    pub sunken: Option<Sunken>,
    /// The haze between the ends, summed up, that blocks.
    pub haze_limit: Option<u32>,
    /// The furthest distance of sight.
    pub range: Option<u32>,
    /// The level of the viewer in place of its ground, as for one that flies.
    pub viewer_level: Option<i8>,
}

impl Default for SightRules {
    fn default() -> Self {
        Self {
            bare: ByHeight::SOLID,
            obstacle: ByHeight { between: Effect::BlocksNearLow, ..ByHeight::SOLID },
            wall: ByHeight::SOLID,
            walls_at_ends: false,
            walls_along: false,
            ties: TieRule::Both,
            sunken: None,
            haze_limit: None,
            range: None,
            viewer_level: None,
        }
    }
}

/// What stands on the spaces and borders of a board; a missing entry is zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct SightField<'a> {
    /// The ground level of each space.
    pub ground: &'a [i8],
    /// The height of the obstacle in each space.
    pub obstacle: &'a [u8],
    /// The haze in each space.
    pub haze: &'a [u8],
    /// The height of the wall on each border.
    pub wall: &'a [u8],
}

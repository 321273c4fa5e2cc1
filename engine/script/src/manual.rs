//! What editors and the manual say of the API: the declarations of its functions, and the fields and methods of its values.

use crate::api::Decl;
use crate::host::Host;
use sandtable_kernel::map::BoardBuilder;
use sandtable_kernel::world::World;
use std::fmt::Write;
use std::sync::Arc;

/// A field or a method of a value: its name, its type or signature, and what it is.
pub type Member = (&'static str, &'static str, &'static str);

/// A kind of value that scripts hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name, as signatures write it.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Its fields.
    pub fields: &'static [Member],
    /// Its methods: name, parameters with what they give, meaning.
    pub methods: &'static [Member],
}

/// The kinds of values, apart from the attributes and fields that a game declares.
pub const CLASSES: &[Class] = &[
    Class {
        name: "piece",
        doc: "A unit, card, chit or marker.",
        fields: &[
            ("id", "text", "Its own name."),
            ("kind", "text", "unit, card, marker …"),
            ("type", "text", "The id of its row in the component list."),
            ("name", "text", "Its name for people."),
            ("side", "side?", "Its owner; may be assigned."),
            ("place", "any", "The space it lies in, the piece that carries it, or nil."),
            ("space", "space?", "The space it lies in, through carriers."),
            ("level", "int", "Its rung, 1 at the top; may be assigned."),
            ("levels", "int", "How many rungs its ladder has."),
            ("steps_left", "int", "How many rungs it has left, its own among them; 0 once it is destroyed."),
            ("facing", "int?", "0–5; may be assigned."),
            ("cargo", "pieces", "The pieces that lie on it."),
        ],
        methods: &[("is", "(tag: text) -> bool", "Whether its printed field `tags` holds a tag.")],
    },
    Class {
        name: "space",
        doc: "A hex, an area, a box or a pile.",
        fields: &[
            ("id", "text", "Its id."),
            ("kind", "text", "hex, area, box or pile."),
            ("name", "text", "Its name for people."),
            ("side", "side?", "Whose it is, of hands and boxes."),
            ("pieces", "pieces", "The pieces that lie there, the top one first."),
            ("count", "int", "How many pieces lie there."),
        ],
        methods: &[("is", "(tag: text) -> bool", "Whether its printed field `tags` holds a tag.")],
    },
    Class {
        name: "effect",
        doc: "A timed effect, with its arguments as fields.",
        fields: &[("name", "text", "Its name.")],
        methods: &[],
    },
    Class {
        name: "list",
        doc: "An ordered, read-only list: `#l`, `l[1]`, `ipairs(l)`.",
        fields: &[],
        methods: &[
            ("filter", "(by: any) -> list", "Those that pass a table of fields or a function."),
            ("any", "(by: any?) -> bool", "Whether one passes."),
            ("all", "(by: any) -> bool", "Whether all pass."),
            ("has", "(item: any) -> bool", "Whether it is among them."),
            ("first", "() -> any", "The first; nil of an empty list."),
            ("last", "() -> any", "The last; nil of an empty list."),
            ("take", "(n: int) -> list", "The first n."),
            ("plus", "(other: any) -> list", "These and those of another that are not among them."),
            ("minus", "(other: any) -> list", "These without those of another."),
            ("both", "(other: any) -> list", "Those that are in both."),
            (
                "map",
                "(by: any) -> list",
                "A field of each, or what a function gives for it; nil is left out.",
            ),
            ("sum", "(by: any?) -> int", "The sum of a field or of what a function gives."),
            ("unique", "() -> list", "Each value once."),
            (
                "distinct",
                "(...: text) -> list",
                "One of each class: equal in the fields named, or in everything.",
            ),
            (
                "spaces",
                "(least: int?) -> spaces",
                "The spaces where the pieces lie, with at least so many of them.",
            ),
            ("pieces", "() -> pieces", "The pieces that lie in the spaces."),
        ],
    },
    Class {
        name: "reach",
        doc: "What `reach` gives.",
        fields: &[("spaces", "spaces", "Where the move can end.")],
        methods: &[
            ("cost", "(space: space) -> int", "What it costs to get there; nil if it cannot."),
            ("path", "(space: space) -> list", "The way there."),
        ],
    },
    Class {
        name: "sight",
        doc: "What `sight` gives.",
        fields: &[
            ("clear", "bool", "Whether the line is clear."),
            ("blocked", "space?", "What blocks it first."),
            ("blockers", "spaces", "The same, with both spaces of a hexside."),
            ("why", "text?", "above, at-high, blind-spot, at-low, below, sunken, haze, range or off-map."),
            ("haze", "int", "The haze between the ends, up to what blocks."),
        ],
        methods: &[],
    },
    Class {
        name: "picture",
        doc: "What `sight_all` gives.",
        fields: &[("spaces", "spaces", "The spaces in sight.")],
        methods: &[
            ("has", "(space: space) -> bool", "Whether a space is in sight."),
            ("haze", "(space: space) -> int", "The haze on the way to it; nil if it is not in sight."),
        ],
    },
    Class {
        name: "working",
        doc: "A number under way, as `number` and `modify` see it.",
        fields: &[("value", "int", "Its value so far.")],
        methods: &[
            ("add", "(n: int)", "Adds."),
            ("times", "(n: int, d: int?)", "Multiplies by n / d; nothing is rounded yet."),
            ("divide_up", "(n: int)", "Divides and rounds up."),
            ("divide_down", "(n: int)", "Divides and rounds down."),
            ("round_up", "()", "Rounds up."),
            ("round_down", "()", "Rounds down."),
            ("at_least", "(n: int)", "Raises to at least n."),
            ("at_most", "(n: int)", "Lowers to at most n."),
            ("set", "(n: int)", "Replaces."),
        ],
    },
];

/// The declarations of all functions.
pub fn declarations() -> Vec<Decl> {
    let Ok(board) = BoardBuilder::new().build() else { return Vec::new() };
    Host::new(Arc::new(World::on(board)), &[]).map_or_else(|_| Vec::new(), |host| host.decls().to_vec())
}

/// The manual of the API, as Markdown.
pub fn manual() -> String {
    let mut text = String::from(
        "# The Lua API\n\nWritten by `sandtable stubs --manual` from the declarations in the engine; do not edit.\n\
         What the words mean and how they go together is in [reference.md](reference.md).\n",
    );
    let mut section = "";
    for decl in declarations() {
        if decl.section != section {
            section = decl.section;
            let _ = write!(text, "\n## {section}\n\n");
        }
        let _ = writeln!(text, "- `{}` — {}", decl.signature(), decl.doc);
    }
    for class in CLASSES {
        let _ = write!(text, "\n## {}\n\n{}\n\n", class.name, class.doc);
        for (name, ty, doc) in class.fields {
            let _ = writeln!(text, "- `.{name}: {ty}` — {doc}");
        }
        for (name, signature, doc) in class.methods {
            let _ = writeln!(text, "- `:{name}{signature}` — {doc}");
        }
    }
    text
}

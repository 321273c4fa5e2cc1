//! What the checks of a game share.

use crate::facts::Facts;
use crate::mentions::Mentions;
use crate::names::Names;
use crate::wants::Wants;
use sandtable_data::catalog::Catalog;
use sandtable_data::definition::Definition;

/// A game with its scripts, seen from all sides.
pub(crate) struct Look<'a> {
    pub catalog: &'a Catalog,
    pub definition: &'a Definition,
    pub scripts: &'a [Facts],
    pub names: Names,
    pub wants: Wants,
    pub mentions: Mentions<'a>,
}

impl<'a> Look<'a> {
    pub fn new(catalog: &'a Catalog, definition: &'a Definition, scripts: &'a [Facts]) -> Self {
        let wants = Wants::new(scripts);
        let mentions = Mentions::new(scripts, &wants);
        Self { catalog, definition, scripts, names: Names::new(catalog, definition), wants, mentions }
    }
}

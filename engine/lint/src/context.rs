//! What the checks of a game share.

use crate::arg_roles::ArgRoles;
use crate::facts::Facts;
use crate::mentions::Mentions;
use crate::names::Names;
use sandtable_data::catalog::Catalog;
use sandtable_data::definition::Definition;

/// A game with its scripts, seen from all sides.
pub(crate) struct LintContext<'a> {
    pub catalog: &'a Catalog,
    pub definition: &'a Definition,
    pub scripts: &'a [Facts],
    pub names: Names,
    pub arg_roles: ArgRoles,
    pub mentions: Mentions<'a>,
}

impl<'a> LintContext<'a> {
    pub fn new(catalog: &'a Catalog, definition: &'a Definition, scripts: &'a [Facts]) -> Self {
        let arg_roles = ArgRoles::new(scripts);
        let mentions = Mentions::new(scripts, &arg_roles);
        Self { catalog, definition, scripts, names: Names::new(catalog, definition), arg_roles, mentions }
    }
}

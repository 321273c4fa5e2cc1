//! Whether texts are Lua at all, for tools that look at scripts without running them.

use crate::error::ScriptError;
use crate::host::Script;
use mlua::chunk::ChunkMode;
use mlua::{Lua, LuaOptions, StdLib};

/// For each script what Lua says against its syntax, if anything; nothing is run.
pub fn syntax_errors(scripts: &[Script]) -> Vec<Option<ScriptError>> {
    let Ok(lua) = Lua::new_with(StdLib::NONE, LuaOptions::new()) else { return vec![None; scripts.len()] };
    let read = |script: &Script| {
        let chunk = lua.load(&script.text).set_name(format!("@{}", script.name)).set_mode(ChunkMode::Text);
        chunk.into_function().err().map(|error| ScriptError::from_lua(&error, Vec::new()))
    };
    scripts.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_lua_is_named_with_its_line() {
        let script = |text: &str| Script {
            layer: 0,
            library: false,
            name: "g/a.lua".into(),
            text: text.into(),
            needs: Vec::new(),
        };
        let found = syntax_errors(&[script("x = 1"), script("x = 1\ny = = 2"), script("break")]);
        assert_eq!(found[0], None);
        assert_eq!(found[1].as_ref().and_then(|error| error.place.clone()), Some(("g/a.lua".into(), 2)));
        assert!(found[2].is_some());
    }
}

//! A link that is left out of a line shows by the two ends that face each other.

use sandtable_data::catalog;
use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::render::concise;
use std::fmt::Write as _;

/// The problems of the networks of a game with one railway along a map of five rows, without one link.
fn problems(left_out: Option<u32>, named: u32) -> Vec<String> {
    let (mut hexes, mut links) = (String::from("id,name\n"), String::from("a,b,kind\n"));
    for column in 1..=30 {
        for row in 1..=5 {
            let name = if column == named && row == 3 { "Halt" } else { "" };
            let _ = writeln!(hexes, "{column:02}{row:02},{name}");
        }
        if column < 30 && Some(column) != left_out {
            let _ = writeln!(links, "{column:02}03,{:02}03,rail", column + 1);
        }
    }
    let mut files = MemoryFiles::new();
    let game = "[game]\nid = \"g\"\nversion = \"1.0\"\nsides = [\"red\"]\n[side.red]\nname = \"Red\"\n[sequence.game]\nsteps = []\n";
    let map = "[map]\ngrid = { shape = \"flat\", shifted = \"even\", numbering = \"{col:2}{row:2}\" }\n";
    for (path, text) in [("game.toml", game), ("map.toml", map), ("hex.csv", &hexes), ("link.csv", &links)] {
        files.add(format!("rules/g/{path}"), text.to_string().into_bytes());
    }
    let (catalog, merged) = catalog::load("g", &[], &[], &SearchPath::new().with(files));
    let problems = sandtable_lint::check(&catalog, merged, &[]);
    let networks = problems.iter().filter(|problem| problem.code.code == "E1103");
    networks.map(|problem| concise(problem, &catalog.sources)).collect()
}

#[test]
fn a_link_left_out_of_a_line_is_noticed() {
    assert_eq!(problems(None, 0), Vec::<String>::new());
    assert_eq!(
        problems(Some(15), 0),
        ["g/link.csv:15:1: E1103: the rail ends at 1503 and begins again at 1603, its neighbour"]
    );
    // A line may end in a place with a name.
    assert_eq!(problems(Some(15), 16), Vec::<String>::new());
}

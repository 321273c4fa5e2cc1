//! The games and layers of the repository are clean, each layer alone with its game.

use sandtable_data::catalog;
use sandtable_data::package::DiskFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::render::concise;
use std::path::Path;

#[test]
fn no_game_and_no_layer_has_a_problem() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let search = SearchPath::new().with(DiskFiles::new(root));
    let games = search.list_games().into_iter().map(|found| (found.manifest.id, Vec::new()));
    let layers = search
        .list_layers()
        .into_iter()
        .filter_map(|found| Some((found.manifest.game.clone()?, vec![found.place.clone()?])));
    let (mut count, mut wrong) = (0, String::new());
    for (game, layers) in games.chain(layers) {
        let (catalog, merged) = catalog::load(&game, &layers, &[], &search);
        let problems = sandtable_lint::check(&catalog, merged, &[]);
        for problem in problems.iter() {
            wrong.push_str(&format!("{game} {layers:?}: {}\n", concise(problem, &catalog.sources)));
        }
        count += 1;
    }
    assert!(count > 20, "{count} games and layers");
    assert!(wrong.is_empty(), "{wrong}");
}

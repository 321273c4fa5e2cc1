//! CSV files: what rows become, and what is refused.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::diagnostic_testing::Scene;
use crate::origin::Provenance;

fn csv(name: &str, text: &str) -> Scene {
    Scene::game("").file(&format!("rules/g/{name}"), text)
}

#[test]
fn rows_become_tables_by_id() {
    let text = "# a comment\r\nid,title,mp,plated,hex,tags[]\r\n\
                ge-1,\"Titan, \"\"heavy\"\"\",6,true,0512,a|b|3\r\n\r\nge-2,Inf,-4,,1724,\r\n";
    let scene = csv("unit.csv", text);
    assert_eq!(
        scene.value("unit.ge-1"),
        r#"{hex = "0512", mp = 6, plated = true, tags = ["a", "b", 3], title = "Titan, \"heavy\""}"#
    );
    assert_eq!(scene.value("unit.ge-2"), r#"{hex = 1724, mp = -4, title = "Inf"}"#);
    let catalog = scene.clean();
    let title = catalog.get("unit.ge-1.title").expect("given");
    assert_eq!(catalog.sources.slice(title.origin), r#""Titan, ""heavy""""#);
}

#[test]
fn links_are_keyed_by_their_ends() {
    assert_eq!(
        csv("hexside.csv", "a,b,feature\n0101,0102,river").value("hexside"),
        r#"{0101-0102-river = {a = "0101", b = "0102", feature = "river"}}"#
    );
    assert_eq!(csv("road.csv", "a,b\n11,12").value("road"), r#"{11-12 = {a = "11", b = "12"}}"#);
}

#[test]
fn a_matrix_is_read_by_row_and_column() {
    let scene = csv("table.crt.csv", ",1-1,2-1\n1,de,-1\n2,,\"3\"\n");
    assert_eq!(
        scene.value("table.crt"),
        r#"{columns = ["1-1", "2-1"], rows = {1 = ["de", -1], 2 = ["", "3"]}}"#
    );
    assert_eq!(scene.value("table.crt.rows.1.2-1"), "-1");
}

#[test]
fn more_files_of_a_kind_add_rows() {
    let scene = csv("unit.second.csv", "id,mp\na,1").file("rules/g/sub/unit.csv", "id,mp\nb,2");
    assert_eq!(scene.value("unit"), "{a = {mp = 1}, b = {mp = 2}}");
}

#[test]
fn a_layers_csv_holds_only_the_cells_that_differ() {
    let scene = csv("unit.csv", "id,mp,title\na,1,A\nb,2,B")
        .file("layers/n/layer.toml", "[layer]\nid = 'n'\nversion = '1'")
        .file("layers/n/unit.csv", "id,mp,title\na,9,\n")
        .with_layer("n");
    assert_eq!(scene.value("unit"), r#"{a = {mp = 9, title = "A"}, b = {mp = 2, title = "B"}}"#);
}

#[test]
fn provenance_comes_from_file_row_and_column() {
    let text = "# source: stand-in\nid,mp,source,mp_source,title\na,1,,,A\nb,2,text,inferred,B\n";
    let catalog = csv("unit.csv", text).clean();
    let of = |path| catalog.provenance(path);
    assert_eq!(of("unit.a.mp"), Some(Provenance::StandIn));
    assert_eq!((of("unit.b.mp"), of("unit.b.title")), (Some(Provenance::Inferred), Some(Provenance::Text)));
    assert_eq!(catalog.get("unit.b.source"), None);
    assert_eq!(catalog.get("unit.b.mp_source"), None);
}

#[test]
fn wrong_rows_are_reported_and_the_others_read() {
    let scene = csv("unit.csv", "id,mp\na,1,2\nb\nc,3\nc,4\n,5\nd,6\n");
    assert_eq!(scene.load().0.rows("unit").map(|(id, _)| id).collect::<Vec<_>>(), ["c", "d"]);
    assert_snapshot!(scene.problems(), @r#"
    error[E0110]: the row has 3 cells; expected 2, as in the header
     --> g/unit.csv:2:1
      |
    2 | a,1,2
      | ^^^^^
     ::: g/unit.csv:1:1
      |
    1 | id,mp
      | ----- the header
    error[E0110]: the row has 1 cell; expected 2, as in the header
     --> g/unit.csv:3:1
      |
    3 | b
      | ^
     ::: g/unit.csv:1:1
      |
    1 | id,mp
      | ----- the header
    error[E0105]: the row `c` is given twice
     --> g/unit.csv:5:1
      |
    5 | c,4
      | ^
     ::: g/unit.csv:4:1
      |
    4 | c,3
      | - first given here
    error[E0112]: the cell `id` is empty; it is the key of the row
     --> g/unit.csv:6:1
      |
    6 | ,5
      | ^
    "#);
}

#[test]
fn wrong_quotes_headers_and_keys_are_reported() {
    assert_snapshot!(csv("unit.csv", "id,title\na,\"x\" y\nb,\"z\n").problems(), @r#"
    error[E0111]: text after a closing quote; expected a comma or the end of the line
     --> g/unit.csv:2:6
      |
    2 | a,"x" y
      |      ^^
      = help: write two quotes for a quote inside a cell
    error[E0111]: a cell begins with a quote that is never closed
     --> g/unit.csv:3:3
      |
    3 | b,"z
      |   ^^
    "#);
    assert_snapshot!(csv("unit.csv", "id,mp,mp,\na,1,2,3").problems(), @r#"
    error[E0105]: the column `mp` is given twice
     --> g/unit.csv:1:7
      |
    1 | id,mp,mp,
      |       ^^
     ::: g/unit.csv:1:4
      |
    1 | id,mp,mp,
      |    -- first given here
    error[E0113]: column 4 has no name
     --> g/unit.csv:1:10
      |
    1 | id,mp,mp,
      |          ^
    "#);
    assert_snapshot!(csv("unit.csv", "ID,mp\na,1").problems(), @r#"
    error[E0112]: the list of `unit` has no key; expected a column `id`, or `a` and `b`
     --> g/unit.csv:1:1
      |
    1 | ID,mp
      | ^^^^^
      = help: rename the column `ID` to `id`
    "#);
    assert_snapshot!(csv("table.t.csv", "k,a\n,1\nx,1\nx,2").problems(), @r#"
    error[E0112]: the first cell is empty; it is the key of the row
     --> g/table.t.csv:2:1
      |
    2 | ,1
      | ^
    error[E0105]: the row `x` is given twice
     --> g/table.t.csv:4:1
      |
    4 | x,2
      | ^
     ::: g/table.t.csv:3:1
      |
    3 | x,1
      | - first given here
    "#);
    assert_snapshot!(csv("unit.csv", "# source: gues\nid,mp\na,1").problems(), @r#"
    error[E0205]: `source` is "gues"; expected text, public, inferred, stand-in or own
     --> g/unit.csv:1:11
      |
    1 | # source: gues
      |           ^^^^
    "#);
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in r#"([ab,"|#\n\r 1-]|\PC){0,60}"#, list in any::<bool>()) {
        csv(if list { "unit.csv" } else { "table.t.csv" }, &text).load();
        csv(if list { "unit.csv" } else { "table.t.csv" }, &format!("id,a,b[]\n{text}")).load();
    }
}

#[test]
fn a_column_and_a_row_source_give_the_provenance_of_a_matrix_and_are_no_cells() {
    let text = "# source: stand-in\ndie,a,b,source\n1,x,y,text\n2,x,y,\nsource,,own,\n";
    let (catalog, problems) = csv("table.crt.csv", text).load();
    assert!(problems.is_empty());
    let words = ["1.a", "1.b", "2.a", "2.b"].map(|cell| {
        let path = format!("table.crt.rows.{cell}");
        catalog.provenance(&path).map(|provenance| provenance.word())
    });
    assert_eq!(words, [Some("text"), Some("own"), Some("stand-in"), Some("own")]);
    assert_eq!(catalog.get("table.crt.columns").and_then(|node| node.as_array()).map(<[_]>::len), Some(2));
    assert!(catalog.get("table.crt.rows.source").is_none());
}

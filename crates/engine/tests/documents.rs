//! docs/evaluation.md agrees with the code.

use surus_engine::eval::TERMS;

#[test]
fn evaluation_page_lists_every_term() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/evaluation.md")).unwrap();
    let rows: Vec<String> = TERMS
        .iter()
        .map(|spec| format!("| {} | {} | {} |", spec.name, spec.term.len, spec.description.trim()))
        .collect();
    let written: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| term ") && !line.starts_with("| ---"))
        .collect();
    assert_eq!(written, rows, "the rows of docs/evaluation.md should be:\n{}", rows.join("\n"));
}

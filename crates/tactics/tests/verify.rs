//! A short comparison with exhaustive generation; the long ones are the program's.

use surus_tactics::verify::verify;

#[test]
fn all_answers_agree_with_exhaustive_generation() {
    let report = verify(400, 5, &[], |_| {}).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(report.positions, 400);
    assert!(50 < report.goals && 100 < report.captures && 5 < report.defences, "{report:?}");
}

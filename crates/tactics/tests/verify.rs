//! A short comparison with exhaustive generation; the long ones are the program's.

use surus_tactics::verify::verify;

#[test]
fn all_answers_agree_with_exhaustive_generation() {
    let report = verify(400, 5, &[], |_| {}).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(report.positions, 400);
    assert!(report.goals > 50 && report.captures > 100 && report.defences > 5, "{report:?}");
    assert!(report.threatened_pieces > 100 && report.lost_pieces > 5, "{report:?}");
}

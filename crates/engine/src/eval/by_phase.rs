//! The changes of \[Phase §4.1\] for the handcrafted evaluation: weights for the phase of the root.
//!
//! The phase is that of the position before the search, so that the evaluation of a node costs nothing more. Advanced
//! cats and dogs have no term of their own: the piece-square table of officers has their place.

use super::term::Term;
use super::terms::{
    FRAMED, OFFICER_VALUE, PIECE_COUNT, PINNED, RABBIT_ADVANCE, RABBIT_COUNT, RABBIT_FRONT, RABBIT_PST_EARLY,
    RABBIT_PST_LATE, RABBIT_SUPPORT, TRAP_CONTROL, TRAP_GUARDS,
};
use super::{PARAMETER_COUNT, Weights};
use crate::phase::GamePhase;

/// Terms with their percentage in opening and middlegame, and in the endgame: the default sizes of `fairylike`.
const CHANGES: [(&[Term], f64, f64); 4] = [
    (&[OFFICER_VALUE, RABBIT_COUNT, PIECE_COUNT], 110.0, 100.0),
    (&[TRAP_GUARDS, TRAP_CONTROL], 125.0, 100.0),
    (&[RABBIT_PST_EARLY, RABBIT_PST_LATE, RABBIT_ADVANCE, RABBIT_FRONT, RABBIT_SUPPORT], 100.0, 200.0),
    (&[FRAMED, PINNED], 100.0, 0.0),
];

impl Weights {
    /// The weights for a phase of the game.
    #[must_use]
    pub fn for_phase(&self, phase: GamePhase) -> Self {
        let mut values: [f64; PARAMETER_COUNT] = self.values().map(f64::from);
        for (terms, early, late) in CHANGES {
            let percent = if phase == GamePhase::Endgame { late } else { early };
            for term in terms {
                for value in &mut values[term.first..][..term.len] {
                    *value *= percent / 100.0;
                }
            }
        }
        Self::from_fitted(&values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_change_by_the_listed_percentages() {
        let plain = Weights::default();
        let [opening, middlegame, endgame] = GamePhase::ALL.map(|phase| plain.for_phase(phase));
        assert_eq!(opening, middlegame);
        let sum = |weights: &Weights, term: Term| -> f64 {
            weights.values()[term.first..][..term.len].iter().map(|value| f64::from(value.abs())).sum()
        };
        for (term, early, late) in [
            (OFFICER_VALUE, 1.1, 1.0),
            (TRAP_GUARDS, 1.25, 1.0),
            (RABBIT_ADVANCE, 1.0, 2.0),
            (FRAMED, 1.0, 0.0),
        ] {
            let before = sum(&plain, term);
            assert!(before > 0.0);
            // Each value is rounded.
            let rounding = term.len as f64;
            assert!((sum(&opening, term) - early * before).abs() <= rounding, "{}", term.id);
            assert!((sum(&endgame, term) - late * before).abs() <= rounding, "{}", term.id);
        }
    }
}

//! Scores: millirabbits for the side to move, wins by their distance from the root.

/// A score in millirabbits, or the distance to a win.
pub(crate) type Score = i32;

/// A win at the root; a win in n steps is n less.
pub(crate) const WIN: Score = 1_000_000;
/// Larger than every score.
pub(crate) const INFINITE: Score = WIN + 1;
/// The lowest score of a proven win.
const MIN_PROVEN_WIN: Score = WIN - 2_000;

/// A win of the side to move after `ply` steps of both sides from the root.
#[inline]
pub(crate) const fn win_in(ply: i32) -> Score {
    WIN - ply
}

/// A loss of the side to move after `ply` steps of both sides from the root.
#[inline]
pub(crate) const fn loss_in(ply: i32) -> Score {
    ply - WIN
}

/// Whether a score is a proven win or loss.
#[inline]
pub(crate) const fn is_proven(score: Score) -> bool {
    MIN_PROVEN_WIN <= score.abs()
}

/// Converts a score for the transposition table: the distance to a win is counted from the node, which may be reached
/// at other distances from the root.
#[inline]
pub(crate) const fn to_tt(score: Score, ply: i32) -> Score {
    if MIN_PROVEN_WIN <= score {
        score + ply
    } else if score <= -MIN_PROVEN_WIN {
        score - ply
    } else {
        score
    }
}

/// The inverse of [`to_tt`].
#[inline]
pub(crate) const fn from_tt(score: Score, ply: i32) -> Score {
    if MIN_PROVEN_WIN <= score {
        score - ply
    } else if score <= -MIN_PROVEN_WIN {
        score + ply
    } else {
        score
    }
}

/// Converts a score for reports. `first` is the number of steps left in the current turn; later turns count four
/// steps each, even if they end early.
pub(crate) const fn to_centirabbits(score: Score, first: i32) -> surus_rules::Score {
    if !is_proven(score) {
        return surus_rules::Score::Centirabbits(score / 10);
    }
    let steps = WIN - score.abs();
    let later = if steps <= first { 0 } else { (steps - first + 3) / 4 };
    // Turns of both sides, the current one first: every second one is the winner's.
    let turns = (later as u32 + if steps == 0 { 0 } else { 1 }).div_ceil(2);
    if score > 0 { surus_rules::Score::Win { turns } } else { surus_rules::Score::Loss { turns } }
}

/// The win probability of a score, with the scale of the evaluation: the score in centirabbits at which a side wins e times as
/// often as it loses. For display only; the search does not use it.
#[must_use]
pub fn win_probability(score: surus_rules::Score, scale: i32) -> f64 {
    match score {
        surus_rules::Score::Win { .. } => 1.0,
        surus_rules::Score::Loss { .. } => 0.0,
        surus_rules::Score::Centirabbits(score) => 1.0 / (1.0 + (-f64::from(score) / f64::from(scale)).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_counted_from_the_node_in_the_table_and_from_the_root_outside() {
        for score in [win_in(9), loss_in(12), 0, 1234, -70_000] {
            assert_eq!(from_tt(to_tt(score, 7), 7), score);
        }
        // Five steps from the root, a win three steps further; the same node reached after eleven steps.
        assert_eq!(from_tt(to_tt(win_in(8), 5), 11), win_in(14));
        assert!(is_proven(loss_in(40)) && !is_proven(90_000));
    }

    #[test]
    fn a_chance_grows_with_the_score_and_both_sides_have_one_together() {
        let estimates = [-2_000, -300, 0, 300, 2_000].map(surus_rules::Score::Centirabbits);
        let (loss, win) = (surus_rules::Score::Loss { turns: 3 }, surus_rules::Score::Win { turns: 3 });
        let scores: Vec<_> = [loss].into_iter().chain(estimates).chain([win]).collect();
        let chances: Vec<f64> = scores.into_iter().map(|score| win_probability(score, 391)).collect();
        assert!(chances.is_sorted_by(|a, b| a < b));
        assert_eq!((chances[0], chances[3], chances[6]), (0.0, 0.5, 1.0));
        assert!((chances[1] + chances[5] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn proven_scores_are_reported_in_turns_of_the_winner() {
        use surus_rules::Score::{Centirabbits, Loss, Win};
        for (score, first, expected) in [
            (1234, 4, Centirabbits(123)),
            (win_in(3), 4, Win { turns: 1 }),
            (win_in(4), 4, Win { turns: 1 }),
            (win_in(4 + 4 + 2), 4, Win { turns: 2 }),
            (win_in(2 + 4 + 1), 2, Win { turns: 2 }),
            (loss_in(4 + 1), 4, Loss { turns: 1 }),
            (loss_in(4 + 4 + 4 + 4), 4, Loss { turns: 2 }),
            (loss_in(0), 4, Loss { turns: 0 }),
        ] {
            assert_eq!(to_centirabbits(score, first), expected, "{score} {first}");
        }
    }
}

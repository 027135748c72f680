//! Scores in 16 bits: two for the kind, fourteen for the value.

use surus_rules::Score;

const VALUE_BITS: u32 = 14;
const VALUE_MASK: u16 = (1 << VALUE_BITS) - 1;

/// Largest heuristic score in centirabbits and largest number of turns; larger values are clamped.
pub(super) const MAX_HEURISTIC: i32 = (1 << (VALUE_BITS - 1)) - 1;

const ESTIMATE: u16 = 0;
const WIN: u16 = 1;
const LOSS: u16 = 2;

pub(super) fn pack(score: Score) -> u16 {
    let turns = |turns: u32| turns.min(MAX_HEURISTIC.unsigned_abs()) as u16;
    let (kind, value) = match score {
        Score::Centirabbits(score) => {
            (ESTIMATE, score.clamp(-MAX_HEURISTIC, MAX_HEURISTIC) as u16 & VALUE_MASK)
        }
        Score::Win { turns: n } => (WIN, turns(n)),
        Score::Loss { turns: n } => (LOSS, turns(n)),
    };
    kind << VALUE_BITS | value
}

/// The inverse of [`pack`]; `None` for bits that it never returns.
pub(super) fn unpack(bits: u16) -> Option<Score> {
    let value = bits & VALUE_MASK;
    let score = match bits >> VALUE_BITS {
        // Sign-extend the 14-bit value.
        ESTIMATE => Score::Centirabbits(i32::from((value << 2) as i16 >> 2)),
        WIN => Score::Win { turns: value.into() },
        LOSS => Score::Loss { turns: value.into() },
        _ => return None,
    };
    (pack(score) == bits).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_in_range_round_trips() {
        let estimates = (-MAX_HEURISTIC..=MAX_HEURISTIC).map(Score::Centirabbits);
        let proven =
            (0..=MAX_HEURISTIC as u32).flat_map(|turns| [Score::Win { turns }, Score::Loss { turns }]);
        let mut count = 0;
        for score in estimates.chain(proven) {
            assert_eq!(unpack(pack(score)), Some(score));
            count += 1;
        }
        assert_eq!((0..=u16::MAX).filter_map(unpack).count(), count);
    }

    #[test]
    fn scores_out_of_range_are_clamped() {
        for (score, packed) in [
            (Score::Centirabbits(i32::MAX), Score::Centirabbits(MAX_HEURISTIC)),
            (Score::Centirabbits(i32::MIN), Score::Centirabbits(-MAX_HEURISTIC)),
            (Score::Win { turns: u32::MAX }, Score::Win { turns: MAX_HEURISTIC as u32 }),
        ] {
            assert_eq!(unpack(pack(score)), Some(packed));
        }
    }
}

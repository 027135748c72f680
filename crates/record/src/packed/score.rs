//! What a search thought of a position, in sixteen bits.

/// A score for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// In hundredths of a rabbit.
    Centirabbits(i16),
    /// The side to move is proven to win, in so many steps of both sides.
    Wins(u16),
    /// The side to move is proven to lose, in so many steps of both sides.
    Loses(u16),
}

/// A proven win is this less its steps.
const WIN: i16 = 32_000;
/// Wins are never told from further away.
const FURTHEST: u16 = 1_000;
/// No score but a proven one goes beyond this.
const LARGEST: i16 = 29_999;

/// Engines report a win as this less its steps.
const REPORTED_WIN: i32 = 100_000;
/// From here on a report is a proven win.
const REPORTED_PROVEN: i32 = 98_000;

impl Score {
    /// The score of an engine's report: hundredths of a rabbit, a win as 100,000 less its steps.
    #[must_use]
    pub fn from_reported(score: i32) -> Self {
        let steps = (REPORTED_WIN - score.saturating_abs()).clamp(0, i32::from(FURTHEST)) as u16;
        if score.saturating_abs() < REPORTED_PROVEN {
            let most = i32::from(LARGEST);
            Self::Centirabbits(score.clamp(-most, most) as i16)
        } else if 0 < score {
            Self::Wins(steps)
        } else {
            Self::Loses(steps)
        }
    }

    /// Whether a win or a loss is proven.
    #[must_use]
    pub const fn is_proven(self) -> bool {
        !matches!(self, Self::Centirabbits(_))
    }

    /// One number that orders all scores: hundredths of a rabbit, and ±32,000 less the steps where it is proven.
    #[must_use]
    pub const fn number(self) -> i16 {
        match self {
            Self::Centirabbits(score) => score,
            Self::Wins(steps) => WIN - steps as i16,
            Self::Loses(steps) => steps as i16 - WIN,
        }
    }

    /// The way back from [`Score::number`].
    #[must_use]
    pub const fn from_number(number: i16) -> Self {
        if LARGEST < number {
            Self::Wins(if WIN < number { 0 } else { (WIN - number) as u16 })
        } else if number < -LARGEST {
            Self::Loses(if number < -WIN { 0 } else { (number + WIN) as u16 })
        } else {
            Self::Centirabbits(number)
        }
    }

    /// The same from the other side's view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Centirabbits(score) => Self::Centirabbits(score.saturating_neg()),
            Self::Wins(steps) => Self::Loses(steps),
            Self::Loses(steps) => Self::Wins(steps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_score_and_comes_back() {
        for number in -WIN..=WIN {
            let score = Score::from_number(number);
            assert_eq!(score.number(), number);
            assert_eq!(score.reversed().number(), -number);
        }
        assert_eq!(Score::from_number(i16::MIN), Score::Loses(0));
        assert_eq!(Score::from_number(i16::MAX), Score::Wins(0));
    }

    #[test]
    fn reports_keep_their_meaning() {
        for (reported, score) in [
            (250, Score::Centirabbits(250)),
            (-97_999, Score::Centirabbits(-29_999)),
            (99_997, Score::Wins(3)),
            (-99_988, Score::Loses(12)),
            (98_000, Score::Wins(1_000)),
            (100_000, Score::Wins(0)),
            (i32::MIN, Score::Loses(0)),
        ] {
            assert_eq!(Score::from_reported(reported), score, "{reported}");
            assert_eq!(Score::from_number(score.number()), score, "{reported}");
        }
    }
}

//! Adjudication of decided games by score.

use surus_record::packed::Score;
use surus_rules::Side;

/// Counts for how many consecutive turns the same side has been ahead.
#[derive(Clone, Copy, Debug)]
pub struct Adjudicator {
    threshold: i32,
    required_turns: u32,
    leader: Option<Side>,
    turns: u32,
}

impl Adjudicator {
    /// A side wins after leading by `threshold` centirabbits for `required_turns` consecutive turns.
    #[must_use]
    pub const fn new(threshold: i32, required_turns: u32) -> Self {
        Self { threshold, required_turns, leader: None, turns: 0 }
    }

    /// Adds the score of the next turn. Returns the winner if a side has led for long enough or has a proven win.
    pub fn update(&mut self, score: Score, mover: Side) -> Option<Side> {
        let leader = if score >= Score::Centirabbits(self.threshold) {
            Some(mover)
        } else if score <= Score::Centirabbits(-self.threshold) {
            Some(mover.other())
        } else {
            None
        };
        self.turns = match leader {
            None => 0,
            Some(_) if leader == self.leader => self.turns + 1,
            Some(_) => 1,
        };
        self.leader = leader;
        leader.filter(|_| score.is_proven() || self.turns >= self.required_turns.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lasting_lead_and_proven_score_end_the_game() {
        let mut adjudicator = Adjudicator::new(800, 3);
        let mut update = |score, mover| adjudicator.update(score, mover);
        assert_eq!(update(Score::Centirabbits(900), Side::Gold), None);
        assert_eq!(update(Score::Centirabbits(-850), Side::Silver), None);
        assert_eq!(update(Score::Centirabbits(700), Side::Gold), None);
        assert_eq!(update(Score::Centirabbits(-900), Side::Silver), None);
        assert_eq!(update(Score::Centirabbits(-900), Side::Gold), None);
        assert_eq!(update(Score::Centirabbits(900), Side::Silver), None);
        assert_eq!(update(Score::Centirabbits(-800), Side::Gold), Some(Side::Silver));
        assert_eq!(update(Score::Win { turns: 2 }, Side::Gold), Some(Side::Gold));
        assert_eq!(update(Score::Loss { turns: 2 }, Side::Gold), Some(Side::Silver));
    }
}

//! When a game is clear enough to be ended.

use surus_record::packed::Score;
use surus_rules::Side;

/// For how long the same side has been far ahead.
#[derive(Clone, Copy, Debug)]
pub struct Adjudicator {
    threshold: i32,
    required_turns: u32,
    leader: Option<Side>,
    turns: u32,
}

impl Adjudicator {
    /// A lead counts from so many hundredths of a rabbit, and wins when it has held for so many turns.
    #[must_use]
    pub const fn new(least: i32, hold: u32) -> Self {
        Self { threshold: least, required_turns: hold, leader: None, turns: 0 }
    }

    /// Who wins, after the next turn's score: whoever has led for long enough, or is proven to win.
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
        leader.filter(|_| score.is_proven() || self.required_turns.max(1) <= self.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_wins_when_it_holds_and_a_proof_at_once() {
        let mut lead = Adjudicator::new(800, 3);
        let mut hear = |score, mover| lead.update(score, mover);
        assert_eq!(hear(Score::Centirabbits(900), Side::Gold), None);
        assert_eq!(hear(Score::Centirabbits(-850), Side::Silver), None);
        assert_eq!(hear(Score::Centirabbits(700), Side::Gold), None);
        assert_eq!(hear(Score::Centirabbits(-900), Side::Silver), None);
        assert_eq!(hear(Score::Centirabbits(-900), Side::Gold), None);
        assert_eq!(hear(Score::Centirabbits(900), Side::Silver), None);
        assert_eq!(hear(Score::Centirabbits(-800), Side::Gold), Some(Side::Silver));
        assert_eq!(hear(Score::Win { turns: 2 }, Side::Gold), Some(Side::Gold));
        assert_eq!(hear(Score::Loss { turns: 2 }, Side::Gold), Some(Side::Silver));
    }
}

//! Adjudication: ending games before the rules do.

use std::fmt;

use surus_play::ResignRule;
use surus_rules::{Game, GameResult, Score, Side, Termination};

/// When a game is adjudicated; by default never.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// A side wins once both engines have reported at least this score for it in this number of consecutive turns.
    pub resign: Option<ResignRule>,
    /// Turns of both sides after which the game ends without a winner.
    pub length: Option<u32>,
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = self.resign.map(|rule| format!("score {rule}"));
        let length = self.length.map(|turns| format!("length {turns}"));
        let parts: Vec<String> = score.into_iter().chain(length).collect();
        f.write_str(&if parts.is_empty() { "none".into() } else { parts.join(", ") })
    }
}

/// Counts the consecutive turns in which both engines report the same side ahead.
#[derive(Default)]
pub(crate) struct ResignTracker {
    leader: Option<Side>,
    turns: u32,
}

impl ResignTracker {
    pub(crate) fn update(
        &mut self,
        rules: &Adjudication,
        mover: Side,
        score: Option<Score>,
        game: &Game,
    ) -> Option<GameResult> {
        if game.result().is_some() {
            return None;
        }
        if let Some(ResignRule { centirabbits: threshold, turns: required_turns }) = rules.resign {
            let leader = match score {
                Some(score) if score >= Score::Centirabbits(threshold) => Some(mover),
                Some(score) if score <= Score::Centirabbits(-threshold) => Some(mover.other()),
                _ => None,
            };
            self.turns = if leader.is_some() && leader == self.leader {
                self.turns + 1
            } else {
                u32::from(leader.is_some())
            };
            self.leader = leader;
            if let Some(leader) = leader.filter(|_| self.turns >= required_turns.max(2)) {
                return Some(GameResult::win(leader, Termination::Score));
            }
        }
        let too_long = rules.length.is_some_and(|max_turns| game.entries().len() >= max_turns as usize);
        too_long.then_some(GameResult { winner: None, reason: Termination::Score })
    }
}

//! Games that are ended before the rules end them.

use std::fmt;

use surus_rules::{Game, GameResult, Score, Side, Termination};

/// When a game is cut short; by default never.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// A lead in centirabbits and a number of turns: the side that both engines see ahead by it for as long wins.
    pub resign: Option<(i32, u32)>,
    /// After this many turns of both sides together the game ends without a winner.
    pub length: Option<u32>,
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = self.resign.map(|(lead, turns)| format!("score {}:{turns}", f64::from(lead) / 100.0));
        let length = self.length.map(|turns| format!("length {turns}"));
        let parts: Vec<String> = score.into_iter().chain(length).collect();
        f.write_str(&if parts.is_empty() { "none".into() } else { parts.join(", ") })
    }
}

/// For how long both engines have seen the same side far ahead.
#[derive(Default)]
pub(crate) struct ResignTracker {
    leader: Option<Side>,
    turns: u32,
}

impl ResignTracker {
    pub(crate) fn verdict(
        &mut self,
        rules: &Adjudication,
        mover: Side,
        score: Option<Score>,
        game: &Game,
    ) -> Option<GameResult> {
        if game.result().is_some() {
            return None;
        }
        if let Some((least, hold)) = rules.resign {
            let leader = match score {
                Some(score) if score >= Score::Centirabbits(least) => Some(mover),
                Some(score) if score <= Score::Centirabbits(-least) => Some(mover.other()),
                _ => None,
            };
            self.turns = if leader.is_some() && leader == self.leader {
                self.turns + 1
            } else {
                u32::from(leader.is_some())
            };
            self.leader = leader;
            if let Some(leader) = leader.filter(|_| hold.max(2) <= self.turns) {
                return Some(GameResult::win(leader, Termination::Score));
            }
        }
        let over = rules.length.is_some_and(|most| most as usize <= game.entries().len());
        over.then_some(GameResult { winner: None, reason: Termination::Score })
    }
}

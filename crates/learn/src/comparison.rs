//! Comparison training: the turn that a strong player chose against the turns that the search prefers.
//!
//! For each decision, the engine searches the played turn and its own best turns, and the boards at the ends of the
//! principal variations are recorded: their static evaluations are the scores of the turns. A fit then raises the
//! evaluation of the played turn's board above the others (Tesauro 2001). Unlike results, choices within a position do not
//! depend on which player was the stronger one.

use surus_play::{Engine, EngineError, Info, Job, Limits, StopToken};
use surus_record::packed::{Flags, PackedGame, PackedSample, Sample};
use surus_rules::{Game, Score, Termination, Turn};

use crate::decisions::Decision;

/// The kind of a comparison file, in its header.
pub const PROVENANCE_KIND: &str = "comparison";
/// The ID of a decision is the number of its game times this, plus its index in the game.
pub const DECISIONS_PER_GAME: u64 = 10_000;

/// Search settings for the turns of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComparisonConfig {
    /// Search depth in steps, the same for all turns so that their scores are comparable.
    pub depth: u32,
    /// Node limit of a search, against rare search explosions.
    pub max_nodes: u64,
    /// Number of the engine's own turns to compare with.
    pub alternatives: usize,
}

impl ComparisonConfig {
    /// Compares the played turn with the engine's own. The samples are the leaves, that of the played turn first; the
    /// result is the side that decided. There are no samples if the turn was forced or the game is decided within the
    /// search depth. Returns `None` if stopped.
    pub fn compare(
        &self,
        id: u64,
        decision: &Decision,
        engine: &mut dyn Engine,
        stop: &StopToken,
    ) -> Result<Option<PackedGame>, EngineError> {
        let played_key = key_after(&decision.game, &decision.played);
        let lines = self.search(engine, &decision.game, self.alternatives + 1, Vec::new(), stop)?;
        let is_played =
            |line: &Line| line.pv.first().and_then(|turn| key_after(&decision.game, turn)) == played_key;
        let (as_played, others): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(is_played);
        let played = match as_played.into_iter().next() {
            Some(line) => Some(line),
            None => self.search(engine, &decision.game, 1, vec![decision.played], stop)?.into_iter().next(),
        };
        if stop.should_stop() {
            return Ok(None);
        }
        let leaf = |line: &Line| line.leaf(&decision.game);
        let mut samples: Vec<PackedSample> = played.iter().filter_map(leaf).collect();
        if !samples.is_empty() {
            samples.extend(others.iter().take(self.alternatives).filter_map(leaf));
        }
        if samples.len() < 2 {
            samples.clear();
        }
        let result = Some(decision.game.side());
        Ok(Some(PackedGame { id, origin: 0, result, reason: Termination::Abandoned, samples }))
    }

    /// The lines of a search, best first.
    fn search(
        &self,
        engine: &mut dyn Engine,
        game: &Game,
        multi_pv: usize,
        search_turns: Vec<Turn>,
        stop: &StopToken,
    ) -> Result<Vec<Line>, EngineError> {
        let limits = Limits { depth: Some(self.depth), nodes: Some(self.max_nodes), ..Limits::default() };
        let job = Job { multi_pv, search_turns, stop: stop.clone(), ..Job::limited(game.clone(), limits) };
        let mut lines: Vec<Option<Line>> = Vec::new();
        engine.think(&job, &mut |Info { pv_index, depth, depth_complete, score, pv, .. }| {
            let is_final = depth_complete && depth == Some(self.depth) && !pv.is_empty();
            let Some(score) = score.filter(|_| is_final) else { return };
            if lines.len() <= pv_index {
                lines.resize_with(pv_index + 1, || None);
            }
            lines[pv_index] = Some(Line { score, pv });
        })?;
        Ok(lines.into_iter().flatten().collect())
    }
}

/// The last report of one PV line.
struct Line {
    score: Score,
    pv: Vec<Turn>,
}

impl Line {
    /// The position at the end of the PV, unless the game is over there or the score is proven.
    fn leaf(&self, game: &Game) -> Option<PackedSample> {
        let Score::Centirabbits(score) = self.score else { return None };
        let (mover, number) = (game.side(), game.tag().number);
        let mut game = game.clone();
        for turn in &self.pv {
            game.play(turn).ok()?;
        }
        if game.result().is_some() {
            return None;
        }
        let position = game.position();
        PackedSample::encode(&Sample {
            board: *position.board(),
            side: position.side(),
            steps_left: 4,
            score: Score::Centirabbits(if position.side() == mover { score } else { -score }),
            depth: 0,
            result: Some(mover),
            turn_number: number.min(u32::from(u16::MAX)) as u16,
            flags: Flags::default(),
            best_turn: Turn::EMPTY,
        })
        .ok()
    }
}

/// The key of the board after a turn, which identifies the choice: different steps may lead to the same board.
fn key_after(game: &Game, turn: &Turn) -> Option<u64> {
    let mut game = game.clone();
    game.play(turn).ok()?;
    Some(game.position().board().key())
}

#[cfg(test)]
mod tests {
    use surus_engine::AlphaBeta;
    use surus_rules::{Rules, Side};

    use super::*;

    const CONFIG: ComparisonConfig = ComparisonConfig { depth: 4, max_nodes: 100_000, alternatives: 3 };

    fn decision(position: &str, played: &str) -> Decision {
        let game = Game::from_text(position, Rules::Official).unwrap();
        let mut after = game.clone();
        after.play_text(played).unwrap();
        let Some(surus_rules::PlayedTurn::Turn(played)) = after.entries().last().map(|entry| entry.played)
        else {
            panic!("{played} is not a turn");
        };
        Decision { game, played }
    }

    fn compare(position: &str, played: &str) -> Vec<Sample> {
        let decision = decision(position, played);
        let mut engine = AlphaBeta::default();
        let found = CONFIG.compare(70_003, &decision, &mut engine, &StopToken::default()).unwrap().unwrap();
        assert_eq!(found.id, 70_003);
        found.samples.iter().map(PackedSample::decode).collect()
    }

    #[test]
    fn played_turn_comes_first() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let leaves = compare(start, "Ha2n Ha3n Ha4n Hh2n");
        assert_eq!(leaves.len(), 4);
        assert!(leaves.iter().all(|leaf| leaf.result == Some(Side::Gold)));
        assert!(leaves[1..].iter().all(|leaf| leaf.board != leaves[0].board));
        let value = |leaf: &Sample| match (leaf.score, leaf.side) {
            (Score::Centirabbits(score), Side::Gold) => score,
            (Score::Centirabbits(score), Side::Silver) => -score,
            (score, _) => panic!("{score:?} is proven"),
        };
        assert!(value(&leaves[0]) < value(&leaves[1]), "the engine prefers its own turn");
    }

    #[test]
    fn decided_positions_have_no_samples() {
        let leaves = compare("g [r      r R         hE                                   RRRRRRR ]", "Rb7n");
        assert!(leaves.is_empty());
    }

    #[test]
    fn stopped_search_returns_nothing() {
        let decision =
            decision("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]", "Ha2n");
        let stop = StopToken::default();
        stop.request();
        let found = CONFIG.compare(1, &decision, &mut AlphaBeta::default(), &stop);
        assert!(found.unwrap().is_none());
    }
}

//! Labels a position with the result of a search.

use surus_play::{Answer, Engine, EngineError, Info, Job, Limits, StopToken};
use surus_record::packed::{Flags, Sample, Score};
use surus_rules::{Board, Game, Position, Turn};
use surus_tactics::{captures, steps_to_goal};

/// A searched position and the engine's turn.
#[derive(Clone, Debug)]
pub struct LabelledTurn {
    /// The sample, still without the result of its game.
    pub sample: Sample,
    /// The engine's turn.
    pub turn: Turn,
}

/// A search without a score is repeated with this multiple of its nodes.
pub(crate) const RETRY_FACTOR: u64 = 20;

/// Searches the current position of a game. Returns `None` if the engine returned no scored turn or was stopped.
pub fn label_position(
    engine: &mut dyn Engine,
    game: &Game,
    nodes: u64,
    stop: &StopToken,
) -> Result<Option<LabelledTurn>, EngineError> {
    // Few nodes may yield no score if most turns lose to a goal.
    for nodes in [nodes, nodes.saturating_mul(RETRY_FACTOR)] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let job = Job { stop: stop.clone(), ..Job::limited(game.clone(), limits) };
        let mut search = SearchReport::default();
        let answer = engine.think(&job, &mut |info| search.update(&info))?;
        if stop.should_stop() {
            return Ok(None);
        }
        if let Some(sample) = search.sample(game, answer) {
            return Ok(Some(LabelledTurn { turn: sample.best_turn, sample }));
        }
    }
    Ok(None)
}

/// Score and depth of the best line, as reported by the engine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchReport {
    score: Option<Score>,
    depth: u32,
}

impl SearchReport {
    pub(crate) fn update(&mut self, info: &Info) {
        if info.pv_index == 0 {
            self.score = info.score.or(self.score);
            self.depth = info.depth.filter(|_| info.depth_complete).unwrap_or(self.depth);
        }
    }

    /// The sample of the position, or `None` without a scored turn.
    pub(crate) fn sample(&self, game: &Game, answer: Answer) -> Option<Sample> {
        let (Answer::Turn(best), Some(score)) = (answer, self.score) else { return None };
        let position = game.position();
        Some(Sample {
            board: *position.board(),
            side: position.side(),
            steps_left: position.steps_left(),
            score,
            depth: self.depth.min(255) as u8,
            result: None,
            turn_number: game.tag().number.min(u32::from(u16::MAX)) as u16,
            flags: tactical_flags(position, score, &best),
            best_turn: best,
        })
    }
}

/// The flags determined by the position, its score and its best turn.
pub(crate) fn tactical_flags(position: &Position, score: Score, best: &Turn) -> Flags {
    let (board, side) = (position.board(), position.side());
    let threat = steps_to_goal(board, side, position.steps_left()).is_some()
        || steps_to_goal(board, side.other(), 4).is_some();
    let capture = !captures(board, side, position.steps_left()).is_empty();
    let quiet = !threat && !capture && !score.is_proven() && !captures_something(board, best);
    Flags::GOAL_THREAT.set_if(threat) | Flags::CAPTURE_AVAILABLE.set_if(capture) | Flags::QUIET.set_if(quiet)
}

/// Whether a turn removes any piece, of either side.
fn captures_something(board: &Board, turn: &Turn) -> bool {
    let after = turn.steps().fold(*board, |board, step| board.after_step(step));
    after.occupied().len() < board.occupied().len()
}

#[cfg(test)]
mod tests {
    use surus_play::Greedy;
    use surus_rules::Rules;

    use super::*;

    fn flags(position: &str) -> Flags {
        let game = Game::from_text(position, Rules::Official).unwrap();
        let labelled =
            label_position(&mut Greedy::default(), &game, 1, &StopToken::default()).unwrap().unwrap();
        assert_eq!(labelled.sample.best_turn, labelled.turn);
        labelled.sample.flags
    }

    #[test]
    fn flags_report_threats_and_captures() {
        let quiet = flags("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]");
        assert_eq!(quiet, Flags::QUIET);
        // The rabbit on b7 can go to b8; the horse on d6 can be pushed into the trap.
        let open = flags("g [r      r R         hE                                   RRRRRRR ]");
        assert_eq!(open, Flags::GOAL_THREAT | Flags::CAPTURE_AVAILABLE);
        // The same goal, but it is silver's turn: a threat of the other side.
        let threatened = flags("s [r      r R                                              RRRRRRR ]");
        assert_eq!(threatened, Flags::GOAL_THREAT);
        let capture = flags("g [rrrrrrrr           hc  e   ME                           RRRRRRRR]");
        assert_eq!(capture, Flags::CAPTURE_AVAILABLE);
    }

    #[test]
    fn stopped_search_returns_nothing() {
        let game = Game::from_text(
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
            Rules::Official,
        );
        let stop = StopToken::default();
        stop.request();
        assert!(label_position(&mut Greedy::default(), &game.unwrap(), 1, &stop).unwrap().is_none());
    }
}

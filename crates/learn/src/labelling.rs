//! What a search thinks of a position, as it is recorded.

use surus_play::{Answer, Engine, EngineError, Info, Job, Limits, StopToken};
use surus_record::packed::{Flags, Sample, Score};
use surus_rules::{Board, Game, Position, Turn};
use surus_tactics::{captures, steps_to_goal};

/// A turn that was thought about.
#[derive(Clone, Debug)]
pub struct LabelledTurn {
    /// What is recorded; the result is not known yet.
    pub sample: Sample,
    /// The turn that the engine wants to play.
    pub turn: Turn,
}

/// How many times the nodes are given to a search that found no score with its own.
pub(crate) const RETRY: u64 = 20;

/// Lets an engine think about the running turn of a game. Nothing comes back if it has neither score nor turn, or if
/// it was stopped.
pub fn label_position(
    engine: &mut dyn Engine,
    game: &Game,
    nodes: u64,
    stop: &StopToken,
) -> Result<Option<LabelledTurn>, EngineError> {
    // Where a goal must be stopped, few nodes may not be enough for any score.
    for nodes in [nodes, nodes.saturating_mul(RETRY)] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let job = Job { stop: stop.clone(), ..Job::limited(game.clone(), limits) };
        let mut search = Search::default();
        let answer = engine.think(&job, &mut |info| search.report(&info))?;
        if stop.should_stop() {
            return Ok(None);
        }
        if let Some(sample) = search.sample(game, answer) {
            return Ok(Some(LabelledTurn { turn: sample.best_turn, sample }));
        }
    }
    Ok(None)
}

/// What an engine has reported of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Search {
    score: Option<Score>,
    depth: u32,
}

impl Search {
    /// Takes a report of the engine.
    pub(crate) fn report(&mut self, info: &Info) {
        if info.pv_index == 0 {
            self.score = info.score.or(self.score);
            self.depth = info.depth.filter(|_| info.depth_complete).unwrap_or(self.depth);
        }
    }

    /// What is recorded of it; nothing if the engine has neither score nor turn.
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

/// The flags that the position and its best turn give.
pub(crate) fn tactical_flags(position: &Position, score: Score, best: &Turn) -> Flags {
    let (board, side) = (position.board(), position.side());
    let threat = steps_to_goal(board, side, position.steps_left()).is_some()
        || steps_to_goal(board, side.other(), 4).is_some();
    let capture = !captures(board, side, position.steps_left()).is_empty();
    let quiet = !threat && !capture && !score.is_proven() && !captures_something(board, best);
    Flags::GOAL_THREAT.set_if(threat) | Flags::CAPTURE_AVAILABLE.set_if(capture) | Flags::QUIET.set_if(quiet)
}

/// Whether any piece, of either side, is gone after a turn.
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
        let thought =
            label_position(&mut Greedy::default(), &game, 1, &StopToken::default()).unwrap().unwrap();
        assert_eq!(thought.sample.best_turn, thought.turn);
        thought.sample.flags
    }

    #[test]
    fn flags_tell_what_is_open() {
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
    fn a_search_that_was_stopped_labels_nothing() {
        let game = Game::from_text(
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
            Rules::Official,
        );
        let stop = StopToken::default();
        stop.request();
        assert!(label_position(&mut Greedy::default(), &game.unwrap(), 1, &stop).unwrap().is_none());
    }
}

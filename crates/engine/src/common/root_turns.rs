//! Turns at the root that need no search: immediate wins, a fallback, the candidates of a job.

use surus_play::Job;
use surus_rules::{Board, DistinctTurns, Position, Side, Turn};
use surus_tactics::{Defences, elimination_from, find_goal_from, goal_defences, steps_to_goal};

use super::turn_state::TurnState;

/// A goal or an elimination within the current turn, if it takes at most `max_steps` steps.
pub(crate) fn immediate_win(job: &Job, max_steps: u8) -> Option<Turn> {
    let position = job.game.position();
    let elimination = || job.game.rules().elimination().then(|| elimination_from(position)).flatten();
    [find_goal_from(position), elimination()].into_iter().flatten().find(|turn| {
        turn.len() <= usize::from(max_steps)
            && (job.search_turns.is_empty() || job.search_turns.contains(turn))
            && {
                let mut game = job.game.clone();
                game.play(turn).is_ok()
                    && game.result().is_some_and(|ending| ending.winner == Some(job.game.side()))
            }
    })
}

/// Any legal turn, for a search that was stopped before it found one.
pub(crate) fn any_legal_turn(job: &Job) -> Option<Turn> {
    let legal = |turn: &Turn| job.game.clone().play(turn).is_ok();
    if job.search_turns.is_empty() {
        job.game.legal_turns().into_iter().next()
    } else {
        job.search_turns.iter().copied().find(legal)
    }
}

/// All legal turns of a job with the boards they lead to.
pub(crate) fn root_turns(job: &Job) -> Vec<(Turn, Board)> {
    let position: &Position = job.game.position();
    let after = |turn: &Turn| turn.steps().fold(*position.board(), |board, step| board.after_step(step));
    if job.search_turns.is_empty() {
        let turns = DistinctTurns::new(position, job.game.turn_start(), Turn::MAX as u8);
        let legal = turns.iter().filter(|(_, board)| job.game.third_repetition(board).is_none());
        return legal.map(|(turn, board)| (turn, *board)).collect();
    }
    let legal = job.search_turns.iter().filter(|turn| job.game.clone().play(turn).is_ok());
    legal.map(|turn| (*turn, after(turn))).collect()
}

/// The side that wins by a goal in this turn, or in the next one because nothing stops it.
pub(crate) fn proven_winner(state: &TurnState) -> Option<Side> {
    let (board, side) = (state.position.board(), state.position.side());
    if steps_to_goal(board, side, state.position.steps_left()).is_some() {
        return Some(side);
    }
    (goal_defences(&state.position, &state.turn_start) == Defences::Unstoppable).then_some(side.other())
}

//! The root of a search: its branches, and the turns of a variation.

use surus_play::Job;
use surus_rules::{Action, Board, Game, Position, Turn};

use super::search::ActionOrPass;
use super::state::SearchState;
use crate::common::score::Score;

/// A branch of the root: the completion of a pending push or pull, a full turn if the turns are restricted, or nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootBranch {
    pub(crate) steps: Turn,
    pub(crate) state: SearchState,
    /// Whether the turn ends with it.
    pub(crate) ends_turn: bool,
    /// Subtracted from the score of the turn; see [`super::root_ranking`].
    pub(crate) cost: Score,
    /// Steps by which the turn is searched less deep unless it seems best.
    pub(crate) reduction: i32,
}

/// All branches of a job, in the job's order.
pub(crate) fn root_branches(job: &Job) -> Vec<RootBranch> {
    let (position, turn_start) = (job.game.position(), *job.game.turn_start());
    if job.search_turns.is_empty() {
        return pending_branches(position, turn_start);
    }
    job.search_turns.iter().filter_map(|&turn| turn_branch(&job.game, turn)).collect()
}

/// The branch of a full turn, or `None` if the turn is illegal.
pub(crate) fn turn_branch(game: &Game, steps: Turn) -> Option<RootBranch> {
    let mut after = game.clone();
    steps.steps().try_for_each(|step| after.step(step)).ok()?;
    after.check_end_turn().ok()?;
    let state = SearchState::new(*after.position(), *game.turn_start(), 0).next_turn();
    let state = SearchState { ply: i32::from(game.position().steps_left()), ..state };
    Some(RootBranch { steps, state, ends_turn: true, cost: 0, reduction: 0 })
}

/// The root itself unless a push is pending, and the steps that complete a pending push or pull.
fn pending_branches(position: &Position, turn_start: Board) -> Vec<RootBranch> {
    let mut branches = Vec::new();
    if !position.is_mid_push() {
        let state = SearchState::new(*position, turn_start, 0);
        let steps = Turn::EMPTY;
        branches.push(RootBranch { steps, state, ends_turn: false, cost: 0, reduction: 0 });
    }
    position.for_each_completion(|step| {
        let state = SearchState::new(position.after_action(Action::single(step)), turn_start, 1);
        let steps = [step].into_iter().collect();
        branches.push(RootBranch { steps, state, ends_turn: false, cost: 0, reduction: 0 });
    });
    branches
}

/// The full turns of a variation that starts with a branch.
pub(crate) fn turns(position: &Position, branch: &RootBranch, pv: &[ActionOrPass]) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut turn = branch.steps;
    let mut steps_left = position.steps_left() as usize;
    let mut ended = branch.ends_turn;
    for action in pv {
        if ended {
            turns.push(std::mem::take(&mut turn));
            steps_left = Turn::MAX;
        }
        match action {
            Some(action) => {
                for step in action.steps() {
                    turn.push(step);
                }
                ended = turn.len() >= steps_left;
            }
            None => ended = true,
        }
    }
    // A variation that breaks off in the first turn means that the turn ends there.
    if ended || turns.is_empty() && !turn.is_empty() {
        turns.push(turn);
    }
    turns
}

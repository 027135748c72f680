//! The root of a search: where it begins, and how its line is told.

use surus_play::Job;
use surus_rules::{Board, Pending, Position, Turn};

use super::search::ActionOrPass;
use super::state::SearchState;

/// A way to begin: the rest of a push or pull that is half done, a whole turn if only some are allowed, or nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootBranch {
    pub(crate) steps: Turn,
    pub(crate) state: SearchState,
    /// Whether the turn is over with it.
    pub(crate) ends_turn: bool,
}

/// All root_branches of a job, in the job's order.
pub(crate) fn root_branches(job: &Job) -> Vec<RootBranch> {
    let (position, start) = (job.game.position(), *job.game.turn_start());
    if job.only.is_empty() {
        return pending_branches(position, start);
    }
    job.only
        .iter()
        .filter_map(|&steps| {
            let mut game = job.game.clone();
            steps.steps().try_for_each(|step| game.step(step)).ok()?;
            game.may_end_turn().ok()?;
            let place = SearchState::new(*game.position(), start, 0).next_turn();
            Some(RootBranch {
                steps,
                state: SearchState { ply: i32::from(position.steps_left()), ..place },
                ends_turn: true,
            })
        })
        .collect()
}

fn pending_branches(position: &Position, start: Board) -> Vec<RootBranch> {
    let mut all = Vec::new();
    if !position.in_push() {
        all.push(RootBranch {
            steps: Turn::EMPTY,
            state: SearchState::new(*position, start, 0),
            ends_turn: false,
        });
    }
    if !matches!(position.pending(), Pending::Nothing) && position.steps_left() != 0 {
        position.for_each_step(|step, pending| {
            if matches!(pending, Pending::Nothing) {
                let action = surus_rules::Action { first: step, second: None };
                let place = SearchState::new(position.after_action(action), start, 1);
                all.push(RootBranch { steps: [step].into_iter().collect(), state: place, ends_turn: false });
            }
        });
    }
    all
}

/// The whole turns of a line that begins with these steps.
pub(crate) fn turns(position: &Position, branch: &RootBranch, line: &[ActionOrPass]) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut turn = branch.steps;
    let mut left = position.steps_left() as usize;
    let mut ended = branch.ends_turn;
    for choice in line {
        if ended {
            turns.push(std::mem::take(&mut turn));
            left = Turn::MAX;
        }
        match choice {
            Some(action) => {
                for step in action.steps() {
                    turn.push(step);
                }
                ended = left <= turn.len();
            }
            None => ended = true,
        }
    }
    // A line that breaks off in the first turn means that the turn ends there.
    if ended || turns.is_empty() && !turn.is_empty() {
        turns.push(turn);
    }
    turns
}

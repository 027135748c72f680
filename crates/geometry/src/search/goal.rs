//! Goal in one turn.

use surus_rules::{Action, Board, Side, Square, Turn};

use super::goal_distances::GoalDistances;
use super::goal_zones::{extended_moves, paper_moves};
use super::tree::{Tactic, search};
use super::{CapturedPiece, Guidance, HeuristicRule, HeuristicRules, SearchStats, replay};
use crate::Fidelity;

/// A goal that can be scored in one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The square of the rabbit.
    pub rabbit: Square,
    /// The goal square.
    pub goal: Square,
    /// A turn that reaches it.
    pub turn: Turn,
    /// Own pieces lost by the turn.
    pub lost: Vec<CapturedPiece>,
}

/// Finds one goal, trying the nearest rabbit first.
#[must_use]
pub fn goal_in_one_turn(
    board: &Board,
    side: Side,
    steps: u8,
    guidance: Guidance,
    stats: &mut SearchStats,
) -> Option<Goal> {
    let mut rabbits: Vec<Square> =
        board.rabbits(side).into_iter().filter(|&rabbit| ranks(side, rabbit) <= steps).collect();
    rabbits.sort_by_key(|&rabbit| ranks(side, rabbit));
    let tactic = GoalTactic { side, guidance };
    let mut found = rabbits.into_iter().filter(|&rabbit| ranks(side, rabbit) > 0).filter_map(|rabbit| {
        let turn = search(&tactic, board, side, steps, rabbit, stats)?;
        let outcome = replay(board, side, &turn).filter(|outcome| outcome.goal)?;
        let goal = (outcome.board.rabbits(side) & side.goal()).first()?;
        Some(Goal { rabbit, goal, turn, lost: outcome.lost })
    });
    let first = found.next();
    if !guidance.halts(HeuristicRule::GoalHalts) {
        found.for_each(drop);
    }
    first
}

/// The distance of a rabbit to its goal rank.
pub(super) fn ranks(side: Side, rabbit: Square) -> u8 {
    side.goal_rank().abs_diff(rabbit.rank())
}

struct GoalTactic {
    side: Side,
    guidance: Guidance,
}

/// What zones propose comes before everything else.
const OTHER_THAN_ZONES: u8 = 8;

impl Tactic for GoalTactic {
    type State = Square;

    fn for_each_action(&self, board: &Board, rabbit: Square, left: u8, mut add: impl FnMut(u8, Action)) {
        let side = self.side;
        if !board.rabbits(side).contains(rabbit) {
            return;
        }
        let distances = GoalDistances { side, rabbit };
        match self.guidance {
            Guidance::Zones(Fidelity::Extended, rules) => {
                extended_moves(board, side, left, rabbit, rules).for_each_action(left, add);
            }
            Guidance::Zones(fidelity, rules) => {
                paper_moves(board, side, left, rabbit, (fidelity, rules)).for_each_action(left, add);
            }
            Guidance::Distances => distances.for_each_action(board, left, add),
            Guidance::Both => {
                let zones = extended_moves(board, side, left, rabbit, HeuristicRules::ALL);
                let slack = left.checked_sub(distances.lower_bound(board));
                board.for_each_action(side, left, |action| {
                    let other = || Some(OTHER_THAN_ZONES + distances.priority(board, &action, left, slack?)?);
                    if let Some(priority) = zones.priority(&action).or_else(other) {
                        add(priority, action);
                    }
                });
            }
        }
    }

    fn next_state(&self, rabbit: Square, action: &Action) -> Square {
        action.steps().fold(rabbit, |at, step| if step.from() == at { step.to() } else { at })
    }

    fn is_achieved(&self, _: &Board, after: &Board, _: Square) -> bool {
        !(after.rabbits(self.side) & self.side.goal()).is_empty()
    }

    fn stops(&self, before: &Board, after: &Board) -> bool {
        let lost = after.by_side(self.side).len() < before.by_side(self.side).len();
        lost && matches!(self.guidance, Guidance::Zones(_, rules) if rules.has(HeuristicRule::StopOnLoss))
    }

    fn halts(&self) -> bool {
        self.guidance.halts(HeuristicRule::GoalHalts)
    }

    fn state_key(rabbit: Square) -> u64 {
        (rabbit.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

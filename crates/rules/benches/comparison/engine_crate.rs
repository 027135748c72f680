//! `arimaa-engine` through its documented interface: paths of one to four steps, whole pushes and pulls.

use arimaa_engine::{Action, GameState, PieceBoard};
use rustc_hash::FxHashSet;

use crate::compact;

/// A position as the crate holds it.
pub(crate) struct Prepared {
    start: GameState,
    gold: bool,
}

pub(crate) fn prepare(text: &str) -> Prepared {
    let bits = compact::parse(text);
    let [e, m, h, d, c, r] = bits.kinds;
    let board = PieceBoard::new(bits.gold, e, m, h, d, c, r);
    Prepared { start: GameState::new(bits.gold_to_move, 2, board), gold: bits.gold_to_move }
}

/// Every action of the tree of one turn: the steps in them, and the sum of the keys they lead to.
pub(crate) fn walk(prepared: &Prepared) -> (u64, u64) {
    let (mut steps, mut sum) = (0, 0);
    walk_from(&prepared.start, prepared.gold, &mut steps, &mut sum);
    (steps, sum)
}

fn walk_from(state: &GameState, gold: bool, steps: &mut u64, sum: &mut u64) {
    for action in state.valid_actions_no_exclusions() {
        if action == Action::Pass {
            continue;
        }
        let next = state.take_action(&action);
        *steps += action.get_steps().len() as u64;
        *sum = sum.wrapping_add(next.hash().board_state_hash());
        if next.is_p1_turn_to_move() == gold {
            walk_from(&next, gold, steps, sum);
        }
    }
}

/// Number of distinct boards, other than the starting one, that end a legal turn.
pub(crate) fn distinct(prepared: &Prepared) -> u64 {
    let mut ends = FxHashSet::default();
    expand(&prepared.start, prepared.gold, &mut FxHashSet::default(), &mut ends);
    ends.len() as u64
}

fn expand(state: &GameState, gold: bool, states: &mut FxHashSet<u64>, ends: &mut FxHashSet<u64>) {
    for action in state.valid_actions_no_exclusions() {
        let next = state.take_action(&action);
        let key = next.hash().board_state_hash();
        if next.is_p1_turn_to_move() != gold {
            ends.insert(key);
        } else if states.insert(key) {
            expand(&next, gold, states, ends);
        }
    }
}

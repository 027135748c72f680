//! `arimaa_engine_step` through its documented interface.

use arimaa_engine_step::{Action, GameState, List, Phase, PieceBoard, PlayPhase, PushPullState, Zobrist};
use rustc_hash::FxHashSet;

use crate::compact;

/// A position as the crate holds it.
pub(crate) struct Prepared {
    start: GameState,
    /// Key of the starting board with the other side to move: what a turn that changed nothing would end in.
    unchanged: u64,
}

pub(crate) fn prepare(text: &str) -> Prepared {
    let bits = compact::parse(text);
    let [e, m, h, d, c, r] = bits.kinds;
    let board = PieceBoard::new(bits.gold, e, m, h, d, c, r);
    let side = bits.gold_to_move;
    let unchanged = Zobrist::from_piece_board(board.piece_board(), !side, 0).board_state_hash();
    let key = Zobrist::from_piece_board(board.piece_board(), side, 0);
    let phase = Phase::PlayPhase(PlayPhase::initial(key, List::new()));
    Prepared { start: GameState::new(side, 2, phase, board, key), unchanged }
}

/// Every board of the step tree of one turn: how many were made, and the sum of their keys.
pub(crate) fn walk(prepared: &Prepared) -> (u64, u64) {
    let (mut steps, mut sum) = (0, 0);
    walk_from(&prepared.start, 4, &mut steps, &mut sum);
    (steps, sum)
}

fn walk_from(state: &GameState, left: u32, steps: &mut u64, sum: &mut u64) {
    // Not `valid_actions`: it looks into the history and withholds the fourth steps that restore the start.
    for action in state.valid_actions_no_rep() {
        if action == Action::Pass {
            continue;
        }
        let next = state.take_action(&action);
        *steps += 1;
        *sum = sum.wrapping_add(next.transposition_hash());
        if left > 1 {
            walk_from(&next, left - 1, steps, sum);
        }
    }
}

/// Number of distinct boards, other than the starting one, that end a legal turn.
pub(crate) fn distinct(prepared: &Prepared) -> u64 {
    let mut ends = FxHashSet::default();
    // In the set from the outset, so that a turn that restores the starting board adds nothing.
    ends.insert(prepared.unchanged);
    expand(&prepared.start, 4, &mut FxHashSet::default(), &mut ends);
    ends.len() as u64 - 1
}

/// Every state is expanded once; the crate's key covers the number of steps and a possible pull.
fn expand(state: &GameState, left: u32, states: &mut FxHashSet<u64>, ends: &mut FxHashSet<u64>) {
    for action in state.valid_actions_no_rep() {
        if action == Action::Pass {
            continue;
        }
        let next = state.take_action(&action);
        if left == 1 {
            ends.insert(next.transposition_hash());
            continue;
        }
        if states.insert(next.transposition_hash()) {
            if !matches!(next.unwrap_play_phase().push_pull_state(), PushPullState::MustCompletePush(..)) {
                ends.insert(next.take_action(&Action::Pass).transposition_hash());
            }
            expand(&next, left - 1, states, ends);
        }
    }
}

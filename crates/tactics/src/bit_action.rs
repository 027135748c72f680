//! Actions on a [`RelativeBoard`], and step sequences.
//!
//! The searches of this crate generate actions for a few pieces towards a few squares and stop at the first success. They
//! do so on bit planes instead of [`surus_rules::Action`], because they run at every node of a search; a test compares
//! their actions with those of `surus_rules`.

use surus_rules::{Board, Side, Square, Step, Turn};

use crate::relative_board::{RelativeBoard, TRAPS, any, neighbours, with_neighbours};

/// The bit-level form of [`surus_rules::Action`]: source and target of each step as sets of one square, relative to the
/// side to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitAction {
    pub(crate) first: (u64, u64),
    pub(crate) second: Option<(u64, u64)>,
}

impl BitAction {
    pub(crate) const fn step(from: u64, to: u64) -> Self {
        Self { first: (from, to), second: None }
    }

    /// The squares that its steps leave and enter.
    #[inline]
    pub(crate) const fn touched(&self) -> u64 {
        let squares = self.first.0 | self.first.1;
        match self.second {
            Some((from, to)) => squares | from | to,
            None => squares,
        }
    }
}

impl RelativeBoard {
    /// Calls `visit` with every own step of `movers`, which must not be frozen, until a call returns true.
    #[inline]
    pub(crate) fn any_step(&self, movers: u64, mut visit: impl FnMut(BitAction, &Self) -> bool) -> bool {
        any(movers & neighbours(self.empty()), |from| {
            any(self.step_targets(from), |to| {
                visit(BitAction::step(from, to), &self.after_own_step(from, to))
            })
        })
    }

    /// Calls `visit` with every push and pull of `enemies` by `movers`, which must not be frozen, and the board after it,
    /// until a call returns true.
    #[inline]
    pub(crate) fn any_displacement(
        &self,
        movers: u64,
        enemies: u64,
        mut visit: impl FnMut(BitAction, &Self) -> bool,
    ) -> bool {
        let empty = self.empty();
        any(self.outranked(enemies, movers), |from| {
            let by = movers & neighbours(from) & self.stronger_than(from);
            let push = any(neighbours(from) & empty, |to| {
                let vacated = self.after_enemy_step(from, to);
                any(by, |mover| {
                    let action = BitAction { first: (from, to), second: Some((mover, from)) };
                    visit(action, &vacated.after_own_step(mover, from))
                })
            });
            push || any(by, |mover| {
                any(neighbours(mover) & empty, |to| {
                    let vacated = self.after_own_step(mover, to);
                    // The pulled piece is still there: an own step captures own pieces only.
                    let action = BitAction { first: (mover, to), second: Some((from, mover)) };
                    visit(action, &vacated.after_enemy_step(from, mover))
                })
            })
        })
    }
}

/// Up to four steps as squares of a [`RelativeBoard`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepSequence {
    steps: [(u8, u8); Turn::MAX],
    len: u8,
}

impl StepSequence {
    fn push_step(&mut self, (from, to): (u64, u64)) {
        if (self.len as usize) < Turn::MAX {
            self.steps[self.len as usize] = (from.trailing_zeros() as u8, to.trailing_zeros() as u8);
            self.len += 1;
        }
    }

    /// Appends an action.
    pub(crate) fn push(&mut self, action: &BitAction) {
        self.push_step(action.first);
        if let Some(second) = action.second {
            self.push_step(second);
        }
    }

    /// Prepends an action.
    pub(crate) fn prepend(&mut self, action: &BitAction) {
        let rest = *self;
        *self = Self::default();
        self.push(action);
        for &(from, to) in &rest.steps[..rest.len as usize] {
            self.push_step((1 << from, 1 << to));
        }
    }

    /// The squares that determine whether the sequence can be played and what it leads to: those that its steps leave, with
    /// their neighbours, those that they enter, and the guards of traps among these.
    pub(crate) fn footprint(&self) -> u64 {
        let squares = self.steps[..self.len as usize]
            .iter()
            .fold(0, |set, &(from, to)| set | with_neighbours(1 << from) | 1 << to);
        squares | neighbours(squares & TRAPS)
    }

    /// The turn on the board that the relative board was made from.
    pub(crate) fn turn(&self, board: &Board, side: Side) -> Turn {
        let mut board = *board;
        let square = |index: u8| Square::new(if side == Side::Gold { index } else { index ^ 56 });
        let mut turn = Turn::EMPTY;
        for &(from, to) in &self.steps[..self.len as usize] {
            let step = square(from)
                .zip(square(to))
                .and_then(|(from, to)| Step::new(board.piece_at(from)?, from, from.direction_to(to)?));
            let Some(step) = step else { break };
            board = board.after_step(step);
            turn.push(step);
        }
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_rules::Action;

    /// The action of a [`BitAction`] on a board.
    fn unpack(action: BitAction, board: &Board, side: Side) -> Action {
        let mut line = StepSequence::default();
        line.push(&action);
        let turn = line.turn(board, side);
        Action { first: turn.get(0).unwrap(), second: turn.get(1) }
    }

    #[test]
    fn actions_are_those_of_the_rules() {
        for (board, side) in crate::verify::random_game_boards(20, 9) {
            let relative = RelativeBoard::new(&board, side);
            let mobile = relative.mobile();
            let mut found = Vec::new();
            let mut record = |action: BitAction, next: &RelativeBoard| {
                let unpacked = unpack(action, &board, side);
                assert_eq!(*next, RelativeBoard::new(&board.after_action(unpacked), side), "{unpacked:?}");
                found.push(unpacked);
                false
            };
            relative.any_step(mobile, &mut record);
            relative.any_displacement(mobile, relative.enemy, &mut record);
            let mut expected = Vec::new();
            board.for_each_action(side, 4, |action| expected.push(action));
            let key = |action: &Action| (action.first, action.second);
            found.sort_unstable_by_key(key);
            expected.sort_unstable_by_key(key);
            assert_eq!(found, expected);
        }
    }
}

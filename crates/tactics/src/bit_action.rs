//! Pushes and pulls on a [`RelativeBoard`], and the lines of steps that a search hands back.

use surus_rules::{Board, Side, Square, Step, Turn};

use crate::relative_board::{RelativeBoard, TRAPS, any, neighbours, with_neighbours};

/// An own step, or the two steps of a push or pull: first this square to that, then perhaps another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitAction {
    pub(crate) first: (u64, u64),
    pub(crate) second: Option<(u64, u64)>,
}

impl BitAction {
    pub(crate) const fn step(from: u64, to: u64) -> Self {
        Self { first: (from, to), second: None }
    }

    /// All squares that it changes, but for captures.
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
    /// Calls with every own step of these pieces (which are not frozen) until one call says true.
    #[inline]
    pub(crate) fn any_step(&self, movers: u64, mut visit: impl FnMut(BitAction, &Self) -> bool) -> bool {
        any(movers & neighbours(self.empty()), |from| {
            any(self.step_targets(from), |to| {
                visit(BitAction::step(from, to), &self.after_own_step(from, to))
            })
        })
    }

    /// Calls with every push and pull by these pieces (which are not frozen) of those enemies until one call
    /// says true. Every call gets the field after it, and the square that the displaced piece left and entered.
    #[inline]
    pub(crate) fn any_displacement(
        &self,
        movers: u64,
        foes: u64,
        mut visit: impl FnMut(BitAction, &Self) -> bool,
    ) -> bool {
        let empty = self.empty();
        any(self.outranked(foes, movers), |from| {
            let by = movers & neighbours(from) & self.stronger_than(from);
            let push = any(neighbours(from) & empty, |to| {
                let half = self.after_enemy_step(from, to);
                any(by, |mover| {
                    let deed = BitAction { first: (from, to), second: Some((mover, from)) };
                    visit(deed, &half.after_own_step(mover, from))
                })
            });
            push || any(by, |mover| {
                any(neighbours(mover) & empty, |to| {
                    let half = self.after_own_step(mover, to);
                    // The pulled piece can't have gone: an own step captures own pieces only.
                    let deed = BitAction { first: (mover, to), second: Some((from, mover)) };
                    visit(deed, &half.after_enemy_step(from, mover))
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
    fn put(&mut self, (from, to): (u64, u64)) {
        if (self.len as usize) < Turn::MAX {
            self.steps[self.len as usize] = (from.trailing_zeros() as u8, to.trailing_zeros() as u8);
            self.len += 1;
        }
    }

    /// Adds a deed behind.
    pub(crate) fn add(&mut self, deed: &BitAction) {
        self.put(deed.first);
        if let Some(second) = deed.second {
            self.put(second);
        }
    }

    /// Adds a deed in front.
    pub(crate) fn add_before(&mut self, deed: &BitAction) {
        let behind = *self;
        *self = Self::default();
        self.add(deed);
        for &(from, to) in &behind.steps[..behind.len as usize] {
            self.put((1 << from, 1 << to));
        }
    }

    /// All squares that decide whether the line can be played and what it leads to: those that its steps leave,
    /// with their neighbours, those that they enter, and what can guard a trap among these.
    pub(crate) fn footprint(&self) -> u64 {
        let squares = self.steps[..self.len as usize]
            .iter()
            .fold(0, |set, &(from, to)| set | with_neighbours(1 << from) | 1 << to);
        squares | neighbours(squares & TRAPS)
    }

    /// The turn on the board that the field was made from.
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

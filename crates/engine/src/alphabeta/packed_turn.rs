//! A turn, or the rest of one, packed into four bytes.

use surus_rules::{Action, Board, Direction, Side, Square, Step, Turn};

/// Each byte is the [`Step::code`] of a step, the first step in the lowest one, with a bit flipped so that 0 is free: a byte
/// is 0 where the rest is unknown, and [`PackedTurn::PASS`] where the turn ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedTurn(pub(crate) u32);

/// The code of a step south from a1, which does not exist, becomes 0.
const NOWHERE: u8 = Direction::South as u8;

/// The code of a step, never 0.
#[inline]
const fn byte(step: Step) -> u8 {
    step.code() ^ NOWHERE
}

impl PackedTurn {
    pub(crate) const NONE: Self = Self(0);
    /// The end of the turn. As a step it would lead off the board.
    pub(crate) const PASS: Self = Self(0xff);

    /// An action, followed by something unknown.
    #[inline]
    pub(crate) fn from_action(action: Action) -> Self {
        Self(u32::from(byte(action.first)) | action.second.map_or(0, |step| u32::from(byte(step)) << 8))
    }

    /// An action followed by the rest of the turn.
    #[inline]
    pub(crate) fn prepend(action: Option<Action>, rest: Self) -> Self {
        action.map_or(Self::PASS, |action| Self(Self::from_action(action).0 | rest.0 << (8 * action.len())))
    }

    /// A full turn.
    pub(crate) fn from_turn(turn: &Turn) -> Self {
        let start = if turn.len() < Turn::MAX { Self::PASS.0 } else { 0 };
        Self(turn.steps().rev().fold(start, |rest, step| rest << 8 | u32::from(byte(step))))
    }

    /// The rest after some steps.
    #[inline]
    pub(crate) const fn skip_steps(self, steps: u8) -> Self {
        Self(if steps < 4 { self.0 >> (8 * steps) } else { 0 })
    }

    /// The first action, if it is legal on this board.
    pub(crate) fn first_action(self, board: &Board, side: Side, steps_left: u8) -> Option<Action> {
        if steps_left == 0 {
            return None;
        }
        let mobile = board.mobile(side);
        let first = self.step(0, board)?;
        if first.piece().side() == side {
            let back = first.direction() == side.backward()
                && first.piece().kind() == surus_rules::PieceKind::Rabbit;
            if !mobile.contains(first.from()) || back {
                return None;
            }
            // An enemy that follows into the square is pulled.
            let second = self.step_to(1, board, first.from()).filter(|second| {
                steps_left >= 2
                    && second.piece().side() != side
                    && board.weaker_than(first.piece().kind()).contains(second.from())
            });
            return Some(Action { first, second });
        }
        let second = self.step_to(1, board, first.from())?;
        let pushes = steps_left >= 2
            && mobile.contains(second.from())
            && board.stronger_than(first.piece().kind()).contains(second.from());
        pushes.then_some(Action { first, second: Some(second) })
    }

    /// Whether the known steps capture a piece.
    pub(crate) fn captures(self, board: &Board) -> bool {
        let mut after = *board;
        for index in 0..Turn::MAX as u32 {
            let Some(step) = self.step(index, &after) else { break };
            after = after.after_step(step);
        }
        after.occupied().len() < board.occupied().len()
    }

    /// A step onto an empty square.
    fn step(self, index: u32, board: &Board) -> Option<Step> {
        self.raw(index, board).filter(|step| board.empty().contains(step.to()))
    }

    /// A step onto the square that the preceding one has left.
    fn step_to(self, index: u32, board: &Board, to: Square) -> Option<Step> {
        self.raw(index, board).filter(|step| step.to() == to)
    }

    fn raw(self, index: u32, board: &Board) -> Option<Step> {
        let byte = (self.0 >> (8 * index)) as u8;
        if byte == 0 { None } else { Step::from_code(byte ^ NOWHERE, board) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_rules::Position;

    fn position(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn actions_round_trip() {
        for text in [
            "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
            "s [rrr  rr R r rc r c    h         R e  dH hE C   RRDRM DC     RR R]",
        ] {
            let position = position(text);
            let (board, side) = (*position.board(), position.side());
            let mut count = 0;
            board.for_each_action(side, 4, |action| {
                let turn = PackedTurn::prepend(Some(action), PackedTurn::PASS);
                assert_eq!(turn.first_action(&board, side, 4), Some(action));
                assert_eq!(turn.skip_steps(action.len()), PackedTurn::PASS);
                count += 1;
            });
            assert!(count > 20);
        }
    }

    #[test]
    fn illegal_actions_are_rejected() {
        // On another board the piece is missing, or its target is occupied.
        let there = position("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]");
        let (board, side) = (*there.board(), there.side());
        let mut turns = Vec::new();
        board.for_each_action(side, 4, |action| {
            turns.push(PackedTurn::prepend(Some(action), PackedTurn::NONE));
        });
        let bare = position("g [r      r                        e                  ER          R]");
        for turn in turns.iter().chain([&PackedTurn::NONE, &PackedTurn::PASS]) {
            if let Some(action) = turn.first_action(bare.board(), Side::Gold, 4) {
                let mut legal = false;
                bare.board().for_each_action(Side::Gold, 4, |other| legal |= other == action);
                assert!(legal, "{action:?}");
            }
        }
        for turn in turns {
            assert_eq!(turn.first_action(&board, Side::Silver, 4), None);
            assert_eq!(turn.first_action(&board, Side::Gold, 0), None);
        }
    }
}

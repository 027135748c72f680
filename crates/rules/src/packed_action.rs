//! An action or the end of a turn in sixteen bits.

use crate::{Action, Bitboard, Board, Direction, Side, Square, Step};

/// A step, push, pull or pass of a side in sixteen bits, to be stored in trees and tables.
///
/// The second step of a push or pull always enters the square that the first has left, so its direction suffices. The
/// side and the piece that moves first are included: the same bits mean the same action on every board.
///
/// Bits: [`Step::code`] of the first step 0 to 7, direction of the second step 8 and 9, whether there is a second step 10,
/// piece 11 to 14, side 15. A pass has no piece.
///
/// ```
/// use surus_rules::{Action, PackedAction, Position, Side};
///
/// let position: Position = "g [                                   Eh                           ]".parse()?;
/// let board = position.board();
/// board.for_each_action(Side::Gold, 4, |action| {
///     let packed = PackedAction::new(Side::Gold, action);
///     assert_eq!(packed.action(board), Some(action));
///     assert_eq!(packed.after(board), board.after_action(action));
/// });
/// assert_eq!(PackedAction::pass(Side::Gold).action(board), None);
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PackedAction(pub u16);

const SECOND: u16 = 1 << 10;
const PIECE: u16 = 15 << 11;

impl PackedAction {
    /// The number of possible values, for tables indexed by [`PackedAction::index`].
    pub const COUNT: usize = 1 << 16;

    /// No action: a placeholder with the bits of gold's pass.
    pub const NONE: Self = Self(0);

    /// The end of a turn.
    #[inline]
    #[must_use]
    pub const fn pass(side: Side) -> Self {
        Self((side as u16) << 15)
    }

    /// An action of a side.
    #[inline]
    #[must_use]
    pub fn new(side: Side, action: Action) -> Self {
        let Action { first, second } = action;
        let packed = u16::from(first.code()) | (first.piece().code() as u16) << 11 | (side as u16) << 15;
        Self(second.map_or(packed, |step| packed | SECOND | (step.direction() as u16) << 8))
    }

    /// Its index in a table of [`PackedAction::COUNT`] entries.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it ends the turn.
    #[inline]
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0 & PIECE == 0
    }

    /// Whether it is a push or a pull.
    #[inline]
    #[must_use]
    pub const fn displaces(self) -> bool {
        self.0 & SECOND != 0
    }

    /// The number of steps: none for a pass.
    #[inline]
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "that is `is_pass`")]
    pub const fn len(self) -> u8 {
        if self.is_pass() { 0 } else { 1 + self.displaces() as u8 }
    }

    /// The square that the first piece leaves.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Option<Square> {
        if self.is_pass() { None } else { Some(Square::wrapping((self.0 >> 2) as u8)) }
    }

    /// The square that the first piece enters.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Option<Square> {
        match self.from() {
            Some(from) => from.neighbour(self.direction()),
            None => None,
        }
    }

    /// The square that the side's own piece enters: the first piece, or in a push the second one.
    #[inline]
    #[must_use]
    pub fn mover_to(self) -> Option<Square> {
        let first = (self.0 >> 11) & 15;
        let is_push = first >> 3 != self.0 >> 15;
        if is_push { self.from() } else { self.to() }
    }

    /// The square that the second piece leaves, if there is one.
    #[inline]
    fn second_from(self) -> Option<Square> {
        self.from().filter(|_| self.displaces())?.neighbour(self.second_direction().opposite())
    }

    #[inline]
    const fn direction(self) -> Direction {
        Direction::from_bits(self.0 as u8)
    }

    #[inline]
    const fn second_direction(self) -> Direction {
        Direction::from_bits((self.0 >> 8) as u8)
    }

    /// The squares that its steps leave and enter.
    #[inline]
    #[must_use]
    pub fn touched(self) -> Bitboard {
        if self.is_pass() {
            return Bitboard::EMPTY;
        }
        let from = Bitboard::from(Square::wrapping((self.0 >> 2) as u8));
        let first = from | from.shifted(self.direction());
        if self.displaces() { first | from.shifted(self.second_direction().opposite()) } else { first }
    }

    /// Whether this step undoes the preceding action. Pushes and pulls are not recognised.
    #[inline]
    #[must_use]
    pub fn reverses(self, last: Self) -> bool {
        let single = |action: Self| !action.displaces() && !action.is_pass();
        single(self) && single(last) && self.from() == last.to() && self.to() == last.from()
    }

    /// The action on a board where it is possible; `None` for a pass, or where a piece or square is missing.
    #[inline]
    #[must_use]
    pub fn action(self, board: &Board) -> Option<Action> {
        let from = self.from()?;
        let first = Step::new(board.piece_at(from)?, from, self.direction())?;
        if !self.displaces() {
            return Some(Action::single(first));
        }
        let square = self.second_from()?;
        let second = Step::new(board.piece_at(square)?, square, self.second_direction())?;
        Some(Action { first, second: Some(second) })
    }

    /// The board after it; the same board after a pass.
    #[inline]
    #[must_use]
    pub fn after(self, board: &Board) -> Board {
        self.action(board).map_or(*board, |action| board.after_action(action))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    fn packed(side: Side, step: &str) -> PackedAction {
        PackedAction::new(side, Action::single(step.parse().unwrap()))
    }

    #[test]
    fn a_pass_is_no_step_and_reversals_are_recognised() {
        let position: Position =
            "g [                                   E                            ]".parse().unwrap();
        let (there, back) = (packed(Side::Gold, "Ed4n"), packed(Side::Gold, "Ed5s"));
        assert!(back.reverses(there) && !there.reverses(there));
        assert_eq!(back.after(&there.after(position.board())), *position.board());
        for pass in Side::BOTH.map(PackedAction::pass) {
            assert!(pass.is_pass() && pass.len() == 0 && pass.touched().is_empty());
            assert!(pass.action(position.board()).is_none() && !pass.reverses(pass));
            assert_eq!(pass.after(position.board()), *position.board());
        }
    }

    #[test]
    fn the_mover_is_the_own_piece_in_steps_pushes_and_pulls() {
        let position: Position =
            "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]".parse().unwrap();
        for side in Side::BOTH {
            let mut count = 0;
            position.board().for_each_action(side, 4, |action| {
                let own = action.steps().find(|step| step.piece().side() == side);
                assert_eq!(PackedAction::new(side, action).mover_to(), own.map(Step::to), "{action:?}");
                count += usize::from(action.displaces());
            });
            assert!(count > 0, "{side:?}");
        }
    }

    #[test]
    fn no_bits_panic() {
        let position: Position =
            "s [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        for bits in 0..=u16::MAX {
            let action = PackedAction(bits);
            let (_, _) = (action.touched(), action.reverses(PackedAction(!bits)));
            if let Some(unpacked) = action.action(position.board()) {
                assert_eq!(unpacked.len(), action.len());
            }
        }
    }
}

//! A position: a board, the side to move and the progress of its turn.

use crate::{Bitboard, Board, Piece, PieceKind, PositionError, Side, Square, Step, Turn, zobrist};

/// A push or pull that the preceding step has left open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pending {
    /// None: the turn has just started, or a push or pull has just been completed.
    None,
    /// A piece of the side to move has stepped: an adjacent weaker enemy may be pulled into the square it left.
    Pull {
        /// The square that the enemy may be pulled to.
        vacated: Square,
        /// The piece that left it.
        puller: Piece,
    },
    /// An enemy piece was displaced: a stronger piece must enter the square it left.
    Push {
        /// The square that must be entered.
        vacated: Square,
        /// The piece that was pushed out of it.
        pushed: Piece,
    },
}

/// A board, the side to move, the steps taken and a pending push or pull.
///
/// ```
/// use surus_rules::{Pending, Position};
///
/// let position: Position = "g [                                   Eh                           ]".parse()?;
/// let next = position.try_step("he4n".parse().unwrap()).unwrap();
/// assert!(next.is_mid_push() && !next.can_end_turn(position.board()));
/// let next = next.try_step("Ed4e".parse().unwrap()).unwrap();
/// assert_eq!((next.pending(), next.steps_left()), (Pending::None, 2));
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    side: Side,
    taken: u8,
    pending: Pending,
}

impl Position {
    /// The start of a turn. Rejects boards that cannot occur: too many pieces of a kind, or an unsupported piece on a trap.
    pub fn new(board: Board, side: Side) -> Result<Self, PositionError> {
        for owner in Side::BOTH {
            for kind in PieceKind::ALL {
                let (found, max) = (board.count(owner, kind), kind.starting_count());
                if found > max {
                    return Err(PositionError::TooMany { piece: Piece::new(owner, kind), found, max });
                }
            }
            if let Some(trap) = board.unguarded(owner).first() {
                return Err(PositionError::Unguarded { piece: board.piece_at_unchecked(trap), trap });
            }
        }
        Ok(Self::turn_start(board, side))
    }

    /// The start of a turn, without the checks of [`Position::new`].
    #[inline]
    pub(crate) const fn turn_start(board: Board, side: Side) -> Self {
        Self { board, side, taken: 0, pending: Pending::None }
    }

    /// The same board with 1 to 4 steps left in the turn, as in a puzzle.
    #[must_use]
    pub(crate) fn with_steps_left(self, steps: u8) -> Self {
        Self { taken: Turn::MAX as u8 - steps.clamp(1, Turn::MAX as u8), ..self }
    }

    /// The board.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The number of steps taken in this turn, 0 to 4.
    #[inline]
    #[must_use]
    pub const fn steps_taken(&self) -> u8 {
        self.taken
    }

    /// The number of steps left in this turn.
    #[inline]
    #[must_use]
    pub const fn steps_left(&self) -> u8 {
        Turn::MAX as u8 - self.taken
    }

    /// The push or pull that the last step has left open.
    #[inline]
    #[must_use]
    pub const fn pending(&self) -> Pending {
        self.pending
    }

    /// Whether a push is unfinished, so that the turn cannot end here.
    #[inline]
    #[must_use]
    pub const fn is_mid_push(&self) -> bool {
        matches!(self.pending, Pending::Push { .. })
    }

    /// A Zobrist key of board, side, steps taken and pending push or pull.
    ///
    /// The board at the start of the turn is not included: a search that stores positions in mid-turn must add it.
    #[must_use]
    pub fn key(&self) -> u64 {
        let pending = match self.pending {
            Pending::None => 0,
            Pending::Pull { vacated, puller } => zobrist::pending(puller, vacated),
            Pending::Push { vacated, pushed } => zobrist::pending(pushed, vacated),
        };
        self.board.key() ^ zobrist::side(self.side) ^ zobrist::steps(self.taken) ^ pending
    }

    /// The position after a step and pending state from [`Position::for_each_step`].
    #[inline]
    #[must_use]
    pub(crate) fn stepped(&self, step: Step, pending: Pending) -> Self {
        Self { board: self.board.after_step(step), side: self.side, taken: self.taken + 1, pending }
    }

    /// The start of the other side's turn on this board. Does not check whether the turn may end here; see
    /// [`Position::can_end_turn`].
    #[inline]
    #[must_use]
    pub const fn next_turn(&self) -> Self {
        Self::turn_start(self.board, self.side.other())
    }

    /// Whether the turn may end here apart from repetition: no push is pending, and the board differs from `start`.
    #[inline]
    #[must_use]
    pub fn can_end_turn(&self, start: &Board) -> bool {
        !self.is_mid_push() && self.board != *start
    }

    /// The pieces of the side to move that are not frozen.
    #[inline]
    #[must_use]
    pub fn mobile(&self) -> Bitboard {
        self.board.mobile(self.side)
    }
}

const _: () = assert!(size_of::<Position>() <= 56);

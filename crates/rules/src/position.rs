//! A position: a board, the side to move, and how far into its turn that side is.

use crate::{Bitboard, Board, Piece, PieceKind, PositionError, Side, Square, Step, Turn, zobrist};

/// What the step before leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pending {
    /// Nothing: the turn has just begun, or a push or pull has just been finished.
    None,
    /// A piece of the side to move left this square by a step of its own: a weaker enemy may follow.
    Pull {
        /// The square that the enemy may be pulled to.
        vacated: Square,
        /// The piece that left it.
        puller: Piece,
    },
    /// An enemy piece was moved: a stronger piece must take its place now.
    Push {
        /// The square that must be entered.
        vacated: Square,
        /// The piece that was pushed out of it.
        pushed: Piece,
    },
}

/// A board, the side to move, and how far into its turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    side: Side,
    taken: u8,
    pending: Pending,
}

impl Position {
    /// The start of a turn on a board that can occur: no kind has too many pieces, no piece hangs over a trap.
    pub fn new(board: Board, side: Side) -> Result<Self, PositionError> {
        for owner in Side::BOTH {
            for kind in PieceKind::ALL {
                let (found, most) = (board.count(owner, kind), kind.starting_count());
                if most < found {
                    return Err(PositionError::TooMany { piece: Piece::new(owner, kind), found, most });
                }
            }
            if let Some(trap) = board.unguarded(owner).first() {
                return Err(PositionError::Unguarded { piece: board.piece_at_unchecked(trap), trap });
            }
        }
        Ok(Self::turn_start(board, side))
    }

    /// The start of a turn; trusts what [`Position::new`] checks.
    #[inline]
    pub(crate) const fn turn_start(board: Board, side: Side) -> Self {
        Self { board, side, taken: 0, pending: Pending::None }
    }

    /// The pieces.
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

    /// How many steps of the turn are taken: 0 to 4.
    #[inline]
    #[must_use]
    pub const fn steps_taken(&self) -> u8 {
        self.taken
    }

    /// How many steps are left in the turn.
    #[inline]
    #[must_use]
    pub const fn steps_left(&self) -> u8 {
        Turn::MAX as u8 - self.taken
    }

    /// What the last step left open.
    #[inline]
    #[must_use]
    pub const fn pending(&self) -> Pending {
        self.pending
    }

    /// Whether a push is half done, so that the turn can't end here.
    #[inline]
    #[must_use]
    pub const fn is_mid_push(&self) -> bool {
        matches!(self.pending, Pending::Push { .. })
    }

    /// The key of board, side, steps taken and what is pending.
    ///
    /// It says nothing of the board at the turn's start: a search that stores positions in mid-turn mixes that in.
    #[must_use]
    pub fn key(&self) -> u64 {
        let pending = match self.pending {
            Pending::None => 0,
            Pending::Pull { vacated, puller } => zobrist::pending(puller, vacated),
            Pending::Push { vacated, pushed } => zobrist::pending(pushed, vacated),
        };
        self.board.key() ^ zobrist::side(self.side) ^ zobrist::steps(self.taken) ^ pending
    }

    /// The position after a step that [`Position::for_each_step`] gave out together with what it leaves open.
    #[inline]
    #[must_use]
    pub(crate) fn stepped(&self, step: Step, pending: Pending) -> Self {
        Self { board: self.board.after_step(step), side: self.side, taken: self.taken + 1, pending }
    }

    /// The other side's turn begins on this board. Whether the turn may end here is the caller's question:
    /// see [`Position::can_end_turn`].
    #[inline]
    #[must_use]
    pub const fn next_turn(&self) -> Self {
        Self::turn_start(self.board, self.side.other())
    }

    /// Whether the turn may end here, but for repetition: no half push, and the board is not that of its start.
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

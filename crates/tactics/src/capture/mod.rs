//! Captures in the rest of a turn.

mod search;

use surus_rules::{Bitboard, Board, Piece, Position, Side, Square, Turn};

use crate::bit_action::StepSequence;
use crate::pending::for_each_resolved;
use crate::relative_board::RelativeBoard;
pub(crate) use search::{capture_now, search};

/// An enemy piece that can be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    /// The captured piece.
    pub piece: Piece,
    /// Its square before the first step, which identifies it among equal pieces.
    pub square: Square,
    /// The trap on which `turn` captures it.
    pub trap: Square,
    /// The minimum number of steps.
    pub steps: u8,
    /// A shortest sequence.
    pub turn: Turn,
}

/// The enemy pieces that a turn can capture, each on its own: a turn need not be able to capture two of them.
#[derive(Clone, Debug)]
pub struct Captures {
    board: Board,
    side: Side,
    found: [(u8, u8, StepSequence); Self::MAX],
    len: u8,
}

impl Captures {
    /// A side has sixteen pieces.
    const MAX: usize = 16;

    /// The squares of the pieces that can be captured.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        self.raw().map(|(square, ..)| Bitboard::from(square)).fold(Bitboard::EMPTY, |a, b| a | b)
    }

    /// The number of pieces that can be captured.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether no piece can be captured.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The minimum number of steps that capture the piece on a square.
    #[must_use]
    pub fn steps(&self, square: Square) -> Option<u8> {
        self.raw().find(|(found, ..)| *found == square).map(|(_, steps, _)| steps)
    }

    fn raw(&self) -> impl Iterator<Item = (Square, u8, &StepSequence)> {
        let flip = if self.side == Side::Gold { 0 } else { 56 };
        self.found[..self.len as usize]
            .iter()
            .filter_map(move |(square, steps, line)| Some((Square::new(square ^ flip)?, *steps, line)))
    }

    /// The captures, those with fewer steps first.
    pub fn iter(&self) -> impl Iterator<Item = Capture> + '_ {
        self.raw().filter_map(|(square, steps, line)| {
            let turn = line.turn(&self.board, self.side);
            let trap = last_capture(&self.board, &turn, self.side)?;
            Some(Capture { piece: self.board.piece_at(square)?, square, trap, steps, turn })
        })
    }
}

/// The trap on which a turn captures its last enemy piece.
fn last_capture(board: &Board, turn: &Turn, side: Side) -> Option<Square> {
    let mut board = *board;
    let mut trap = None;
    for step in turn.steps() {
        if step.piece().side() != side {
            trap = board.captured_by(step).map(|(_, square)| square).or(trap);
        }
        board = board.after_step(step);
    }
    trap
}

/// All enemy pieces that a side with `steps_left` steps can capture, regardless of own losses. No push or pull may be
/// pending.
///
/// ```
/// use surus_rules::{Position, Side};
/// use surus_tactics::captures;
///
/// let position: Position = "g [                   hE                                           ]".parse()?;
/// let found = captures(position.board(), Side::Gold, 4);
/// let horse = "d6".parse().unwrap();
/// assert_eq!(found.steps(horse), Some(2));
/// assert_eq!(found.iter().next().unwrap().turn.to_string(), "hd6w Ee6w");
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[must_use]
pub fn captures(board: &Board, side: Side, steps_left: u8) -> Captures {
    let mut captures =
        Captures { board: *board, side, found: [(0, 0, StepSequence::default()); Captures::MAX], len: 0 };
    search(&RelativeBoard::new(board, side), steps_left, |victim, steps, line| {
        if let Some(slot) = captures.found.get_mut(captures.len as usize) {
            *slot = (victim.trailing_zeros() as u8, steps, *line);
            captures.len += 1;
        }
    });
    captures
}

/// The same as [`captures`] for the side to move of a position with a possibly pending push or pull.
#[must_use]
pub fn captures_from(position: &Position) -> Vec<Capture> {
    let (here, side) = (position.board(), position.side());
    let mut all: Vec<Capture> = Vec::new();
    let mut record = |capture: Capture| match all.iter_mut().find(|known| known.square == capture.square) {
        Some(known) if known.steps <= capture.steps => {}
        Some(known) => *known = capture,
        None => all.push(capture),
    };
    for_each_resolved(position, |first, board, left| {
        let pulled = first.filter(|step| step.piece().side() != side);
        if let Some(step) = pulled
            && let Some((piece, trap)) = here.captured_by(step)
        {
            let square = if trap == step.to() { step.from() } else { trap };
            record(Capture { piece, square, trap, steps: 1, turn: [step].into_iter().collect() });
        }
        for found in captures(board, side, left).iter() {
            let square = match pulled {
                Some(step) if step.to() == found.square => step.from(),
                _ => found.square,
            };
            let turn: Turn = first.into_iter().chain(found.turn.steps()).collect();
            record(Capture { square, steps: turn.len() as u8, turn, ..found });
        }
    });
    all.sort_by_key(|capture| (capture.steps, capture.square));
    all
}

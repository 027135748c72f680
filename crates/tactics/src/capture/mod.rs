//! Which enemy pieces can be captured in what is left of a turn.

mod search;

use surus_rules::{Bitboard, Board, Piece, Position, Side, Square, Turn};

use crate::bit_action::StepSequence;
use crate::pending::for_each_resolved;
use crate::relative_board::RelativeBoard;
pub(crate) use search::{capture_now, search};

/// An enemy piece that can be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    /// What is captured.
    pub piece: Piece,
    /// Where it stands before the first step: equal pieces are told apart by that.
    pub square: Square,
    /// The trap where it dies in `turn`.
    pub trap: Square,
    /// The fewest steps.
    pub steps: u8,
    /// A line of so many steps.
    pub turn: Turn,
}

/// All enemy pieces that a turn can capture, each for itself: no two of them need to go together.
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

    /// Where the pieces stand that can be captured.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        self.raw().map(|(square, ..)| Bitboard::from(square)).fold(Bitboard::EMPTY, |a, b| a | b)
    }

    /// How many pieces can be captured.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The fewest steps that capture the piece on a square.
    #[must_use]
    pub fn steps(&self, square: Square) -> Option<u8> {
        self.raw().find(|(found, ..)| *found == square).map(|(_, steps, _)| steps)
    }

    fn raw(&self) -> impl Iterator<Item = (Square, u8, &StepSequence)> {
        let turned = if self.side == Side::Gold { 0 } else { 56 };
        self.found[..self.len as usize]
            .iter()
            .filter_map(move |(square, steps, line)| Some((Square::new(square ^ turned)?, *steps, line)))
    }

    /// Every piece with a line, those with fewer steps first.
    pub fn iter(&self) -> impl Iterator<Item = Capture> + '_ {
        self.raw().filter_map(|(square, steps, line)| {
            let turn = line.turn(&self.board, self.side);
            let trap = last_capture(&self.board, &turn, self.side)?;
            Some(Capture { piece: self.board.piece_at(square)?, square, trap, steps, turn })
        })
    }
}

/// The trap where the last enemy piece of a line dies.
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

/// All enemy pieces that a side with so many steps left can capture, nothing being pending from a step before.
///
/// A piece that is captured at any moment of the turn counts, whatever it costs.
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

/// The same as [`captures`] for the side to move of a position that may be in the middle of a push or just after a
/// step that a pull can follow. The lines begin with the step that comes next, the squares are those of now.
#[must_use]
pub fn captures_from(position: &Position) -> Vec<Capture> {
    let (here, side) = (position.board(), position.side());
    let mut all: Vec<Capture> = Vec::new();
    let mut note = |capture: Capture| match all.iter_mut().find(|known| known.square == capture.square) {
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
            note(Capture { piece, square, trap, steps: 1, turn: [step].into_iter().collect() });
        }
        for found in captures(board, side, left).iter() {
            let square = match pulled {
                Some(step) if step.to() == found.square => step.from(),
                _ => found.square,
            };
            let turn: Turn = first.into_iter().chain(found.turn.steps()).collect();
            note(Capture { square, steps: turn.len() as u8, turn, ..found });
        }
    });
    all.sort_by_key(|capture| (capture.steps, capture.square));
    all
}

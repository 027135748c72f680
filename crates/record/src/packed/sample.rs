//! One searched turn, plain and packed to 36 bytes.

use surus_rules::{Board, Direction, Piece, PieceKind, Position, Score, Side, Square, Step, Turn};

use super::score::{pack, unpack};
use super::{Flags, SampleError};

/// What is recorded of a searched turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub side: Side,
    /// How many steps of its turn are left, 1 to 4.
    pub steps_left: u8,
    /// What the search thought, for the side to move.
    pub score: Score,
    /// How many steps deep it looked.
    pub depth: u8,
    /// Who won the game; nobody if it was cut.
    pub result: Option<Side>,
    /// The number of the turn in the game, as in its record.
    pub turn_number: u16,
    /// What else is known.
    pub flags: Flags,
    /// The turn that the search found best.
    pub best_turn: Turn,
}

/// A sample in 36 bytes; `docs/data.md` tells what each of them means.
///
/// Every part can be asked for, whatever the bytes are; [`PackedSample::validate`] tells whether they are what a sample is
/// packed to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedSample([u8; Self::SIZE]);

/// Where each part begins.
const PIECES: usize = 8;
const SIDE: usize = 24;
const DEPTH: usize = 25;
const SCORE: usize = 26;
const TURN: usize = 28;
const FLAGS: usize = 30;
const BEST: usize = 32;

/// A step off the board (from h8 to the north) stands for no step.
const NO_STEP: u8 = 63 << 2;

impl PackedSample {
    /// Bytes of a record.
    pub const SIZE: usize = 36;

    /// Packs a sample that can be had back.
    pub fn encode(sample: &Sample) -> Result<Self, SampleError> {
        Position::new(sample.board, sample.side)?;
        if !(1..=4).contains(&sample.steps_left) {
            return Err(SampleError::StepsLeft(sample.steps_left));
        }
        let mut bytes = [0; Self::SIZE];
        bytes[..PIECES].copy_from_slice(&sample.board.occupied().0.to_le_bytes());
        for (index, (_, piece)) in sample.board.iter().enumerate() {
            bytes[PIECES + index / 2] |= (piece.code() as u8) << (index % 2 * 4);
        }
        bytes[SIDE] = sample.side as u8 | sample.steps_left << 1 | result_code(sample.result) << 4;
        bytes[DEPTH] = sample.depth;
        bytes[SCORE..TURN].copy_from_slice(&pack(sample.score).to_le_bytes());
        bytes[TURN..FLAGS].copy_from_slice(&sample.turn_number.to_le_bytes());
        bytes[FLAGS..BEST].copy_from_slice(&sample.flags.bits().to_le_bytes());
        bytes[BEST..].copy_from_slice(&pack_turn(&sample.board, &sample.best_turn)?);
        Ok(Self(bytes))
    }

    /// Takes bytes as they are.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Self::SIZE] {
        &self.0
    }

    /// Whether the bytes are what a sample is packed to.
    pub fn validate(&self) -> Result<(), SampleError> {
        let again = Self::encode(&self.decode())?;
        match self.0.iter().zip(again.0).position(|(mine, theirs)| *mine != theirs) {
            Some(place) => Err(SampleError::NonCanonicalByte(place)),
            None => Ok(()),
        }
    }

    /// All of it.
    #[must_use]
    pub fn decode(&self) -> Sample {
        Sample {
            board: self.board(),
            side: self.side(),
            steps_left: self.steps_left(),
            score: self.score(),
            depth: self.depth(),
            result: self.result(),
            turn_number: self.turn_number(),
            flags: self.flags(),
            best_turn: self.best_turn(),
        }
    }

    /// The pieces.
    #[must_use]
    pub fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        let occupied = surus_rules::Bitboard(u64::from_le_bytes(self.bytes_at(0)));
        for (index, square) in occupied.into_iter().take(32).enumerate() {
            let code = self.0[PIECES + index / 2] >> (index % 2 * 4) & 15;
            let side = if code < 8 { Side::Gold } else { Side::Silver };
            let kind = usize::from(code % 8).checked_sub(1).and_then(|index| PieceKind::ALL.get(index));
            board.set(square, kind.map(|kind| Piece::new(side, *kind)));
        }
        board
    }

    /// The side to move.
    #[must_use]
    pub const fn side(&self) -> Side {
        if self.0[SIDE] & 1 == 0 { Side::Gold } else { Side::Silver }
    }

    /// How many steps of its turn are left.
    #[must_use]
    pub const fn steps_left(&self) -> u8 {
        self.0[SIDE] >> 1 & 7
    }

    /// Who won the game.
    #[must_use]
    pub const fn result(&self) -> Option<Side> {
        decode_result(self.0[SIDE] >> 4 & 3)
    }

    /// How many steps deep the search looked.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.0[DEPTH]
    }

    /// What the search thought, for the side to move. Bits that no score is packed to are even; [`Self::validate`]
    /// refuses them.
    #[must_use]
    pub fn score(&self) -> Score {
        unpack(u16::from_le_bytes(self.bytes_at(SCORE))).unwrap_or(Score::Centirabbits(0))
    }

    /// The number of the turn in the game.
    #[must_use]
    pub fn turn_number(&self) -> u16 {
        u16::from_le_bytes(self.bytes_at(TURN))
    }

    /// What else is known.
    #[must_use]
    pub fn flags(&self) -> Flags {
        Flags::from_bits(u16::from_le_bytes(self.bytes_at(FLAGS)))
    }

    /// The turn that the search found best.
    #[must_use]
    pub fn best_turn(&self) -> Turn {
        let mut board = self.board();
        let mut turn = Turn::EMPTY;
        for code in &self.0[BEST..] {
            let step = (*code != NO_STEP).then(|| unpack_step(&board, *code)).flatten();
            let Some(step) = step else { break };
            board = board.after_step(step);
            turn.push(step);
        }
        turn
    }

    /// The outcome for the side to move: 1 for a win, 0 for a loss, a half where nobody won.
    #[must_use]
    pub fn outcome(&self) -> f32 {
        self.result().map_or(0.5, |winner| f32::from(u8::from(winner == self.side())))
    }

    fn bytes_at<const N: usize>(&self, from: usize) -> [u8; N] {
        std::array::from_fn(|index| self.0[from + index])
    }
}

/// 0 for nobody, 1 for gold, 2 for silver.
pub(super) const fn result_code(result: Option<Side>) -> u8 {
    match result {
        None => 0,
        Some(Side::Gold) => 1,
        Some(Side::Silver) => 2,
    }
}

pub(super) const fn decode_result(code: u8) -> Option<Side> {
    match code {
        1 => Some(Side::Gold),
        2 => Some(Side::Silver),
        _ => None,
    }
}

fn pack_turn(board: &Board, turn: &Turn) -> Result<[u8; Turn::MAX], SampleError> {
    let mut codes = [NO_STEP; Turn::MAX];
    let mut board = *board;
    for (step, code) in turn.steps().zip(&mut codes) {
        *code = (step.from().index() as u8) << 2 | step.direction() as u8;
        if unpack_step(&board, *code) != Some(step) {
            return Err(SampleError::InvalidBestStep(step));
        }
        board = board.after_step(step);
    }
    Ok(codes)
}

/// The piece is not stored: the board knows it.
fn unpack_step(board: &Board, code: u8) -> Option<Step> {
    let from = Square::new(code >> 2)?;
    let direction = Direction::ALL[usize::from(code & 3)];
    let step = Step::new(board.piece_at(from)?, from, direction)?;
    board.piece_at(step.to()).is_none().then_some(step)
}

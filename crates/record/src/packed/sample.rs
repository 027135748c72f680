//! One searched turn, decoded and packed to 36 bytes.

use surus_rules::{Board, Piece, PieceKind, Position, Score, Side, Step, Turn};

use super::score::{pack, unpack};
use super::{Flags, SampleError};

/// The record of a searched turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The board.
    pub board: Board,
    /// The side to move.
    pub side: Side,
    /// Steps left in the turn, 1 to 4.
    pub steps_left: u8,
    /// Search score for the side to move.
    pub score: Score,
    /// Search depth in steps.
    pub depth: u8,
    /// The winner of the game, if any.
    pub result: Option<Side>,
    /// Turn number in the game record.
    pub turn_number: u16,
    /// Properties of the position and its game.
    pub flags: Flags,
    /// Best turn of the search.
    pub best_turn: Turn,
}

/// A sample in 36 bytes; `docs/data.md` documents the layout.
///
/// The accessors accept any bytes; [`PackedSample::validate`] checks that they are valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedSample([u8; Self::SIZE]);

/// Offset of each field.
const PIECES_OFFSET: usize = 8;
const SIDE_OFFSET: usize = 24;
const DEPTH_OFFSET: usize = 25;
const SCORE_OFFSET: usize = 26;
const TURN_OFFSET: usize = 28;
const FLAGS_OFFSET: usize = 30;
const BEST_OFFSET: usize = 32;

/// Code for no step: a step off the board, from h8 to the north.
const NO_STEP: u8 = 63 << 2;

impl PackedSample {
    /// Size of a record in bytes.
    pub const SIZE: usize = 36;

    /// Packs a sample; fails if it could not be decoded again.
    pub fn encode(sample: &Sample) -> Result<Self, SampleError> {
        Position::new(sample.board, sample.side)?;
        if !(1..=4).contains(&sample.steps_left) {
            return Err(SampleError::StepsLeft(sample.steps_left));
        }
        let mut bytes = [0; Self::SIZE];
        bytes[..PIECES_OFFSET].copy_from_slice(&sample.board.occupied().0.to_le_bytes());
        for (index, (_, piece)) in sample.board.iter().enumerate() {
            bytes[PIECES_OFFSET + index / 2] |= (piece.code() as u8) << (index % 2 * 4);
        }
        bytes[SIDE_OFFSET] = sample.side as u8 | sample.steps_left << 1 | result_code(sample.result) << 4;
        bytes[DEPTH_OFFSET] = sample.depth;
        bytes[SCORE_OFFSET..TURN_OFFSET].copy_from_slice(&pack(sample.score).to_le_bytes());
        bytes[TURN_OFFSET..FLAGS_OFFSET].copy_from_slice(&sample.turn_number.to_le_bytes());
        bytes[FLAGS_OFFSET..BEST_OFFSET].copy_from_slice(&sample.flags.bits().to_le_bytes());
        bytes[BEST_OFFSET..].copy_from_slice(&pack_turn(&sample.board, &sample.best_turn)?);
        Ok(Self(bytes))
    }

    /// Wraps bytes without checking them.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Self::SIZE] {
        &self.0
    }

    /// Checks that the bytes are the result of packing a sample.
    pub fn validate(&self) -> Result<(), SampleError> {
        let canonical = Self::encode(&self.decode())?;
        match self.0.iter().zip(canonical.0).position(|(byte, expected)| *byte != expected) {
            Some(index) => Err(SampleError::NonCanonicalByte(index)),
            None => Ok(()),
        }
    }

    /// Decodes all fields.
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

    /// The board.
    #[must_use]
    pub fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        let occupied = surus_rules::Bitboard(u64::from_le_bytes(self.bytes_at(0)));
        for (index, square) in occupied.into_iter().take(32).enumerate() {
            let code = self.0[PIECES_OFFSET + index / 2] >> (index % 2 * 4) & 15;
            let side = if code < 8 { Side::Gold } else { Side::Silver };
            let kind = usize::from(code % 8).checked_sub(1).and_then(|index| PieceKind::ALL.get(index));
            board.set(square, kind.map(|kind| Piece::new(side, *kind)));
        }
        board
    }

    /// The side to move.
    #[must_use]
    pub const fn side(&self) -> Side {
        if self.0[SIDE_OFFSET] & 1 == 0 { Side::Gold } else { Side::Silver }
    }

    /// Steps left in the turn.
    #[must_use]
    pub const fn steps_left(&self) -> u8 {
        self.0[SIDE_OFFSET] >> 1 & 7
    }

    /// The winner of the game, if any.
    #[must_use]
    pub const fn result(&self) -> Option<Side> {
        decode_result(self.0[SIDE_OFFSET] >> 4 & 3)
    }

    /// Search depth in steps.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.0[DEPTH_OFFSET]
    }

    /// Search score for the side to move. Invalid bits give 0 centirabbits; [`Self::validate`] rejects them.
    #[must_use]
    pub fn score(&self) -> Score {
        unpack(u16::from_le_bytes(self.bytes_at(SCORE_OFFSET))).unwrap_or(Score::Centirabbits(0))
    }

    /// Turn number in the game record.
    #[must_use]
    pub fn turn_number(&self) -> u16 {
        u16::from_le_bytes(self.bytes_at(TURN_OFFSET))
    }

    /// Properties of the position and its game.
    #[must_use]
    pub fn flags(&self) -> Flags {
        Flags::from_bits(u16::from_le_bytes(self.bytes_at(FLAGS_OFFSET)))
    }

    /// Best turn of the search.
    #[must_use]
    pub fn best_turn(&self) -> Turn {
        let mut board = self.board();
        let mut turn = Turn::EMPTY;
        for code in &self.0[BEST_OFFSET..] {
            let step = (*code != NO_STEP).then(|| unpack_step(&board, *code)).flatten();
            let Some(step) = step else { break };
            board = board.after_step(step);
            turn.push(step);
        }
        turn
    }

    /// The result for the side to move: 1 for a win, 0 for a loss, ½ without a winner.
    #[must_use]
    pub fn outcome(&self) -> f32 {
        self.result().map_or(0.5, |winner| f32::from(u8::from(winner == self.side())))
    }

    fn bytes_at<const N: usize>(&self, from: usize) -> [u8; N] {
        std::array::from_fn(|index| self.0[from + index])
    }
}

/// 0 for no winner, 1 for gold, 2 for silver.
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
        *code = step.code();
        if unpack_step(&board, *code) != Some(step) {
            return Err(SampleError::InvalidBestStep(step));
        }
        board = board.after_step(step);
    }
    Ok(codes)
}

/// Decodes a step; its piece is taken from the board.
fn unpack_step(board: &Board, code: u8) -> Option<Step> {
    let step = Step::from_code(code, board)?;
    board.piece_at(step.to()).is_none().then_some(step)
}

//! Compact storage of boards and turns.
//!
//! A board is an eight-byte set of occupied squares (a1 is the lowest bit) followed by four bits per piece in the order of
//! the squares: the strength from 1 to 6, plus 8 for silver. A turn is one byte per step, the square times four plus the
//! direction; the pieces follow from the board. A setup is four bits for each of the sixteen home squares. Eight bytes are
//! a setup, one to four a turn.

use surus_rules::{Board, Handicap, Piece, PieceKind, PlayedTurn, Setup, Side, Step, Turn};

/// What was played in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupOrTurn {
    /// A setup.
    Setup(Setup),
    /// A turn.
    Turn(Turn),
}

/// Packs a board.
#[must_use]
pub fn pack_board(board: &Board) -> Vec<u8> {
    let mut bytes = board.occupied().0.to_le_bytes().to_vec();
    let codes: Vec<u8> = board.iter().map(|(_, piece)| piece.code() as u8).collect();
    bytes.extend(codes.chunks(2).map(|pair| pair[0] | pair.get(1).copied().unwrap_or(0) << 4));
    bytes
}

/// The piece of a four-bit code.
pub(crate) fn piece_from_code(code: u8) -> Option<Piece> {
    let kind = PieceKind::ALL.into_iter().find(|&kind| kind as u8 == code & 7)?;
    Some(Piece::new(if code & 8 == 0 { Side::Gold } else { Side::Silver }, kind))
}

/// Unpacks a board.
#[must_use]
pub fn unpack_board(bytes: &[u8]) -> Option<Board> {
    let occupied = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
    if bytes.len() != 8 + (occupied.count_ones() as usize).div_ceil(2) {
        return None;
    }
    let codes = bytes[8..].iter().flat_map(|byte| [byte & 15, byte >> 4]);
    surus_rules::Bitboard(occupied)
        .into_iter()
        .zip(codes)
        .map(|(s, code)| Some((s, piece_from_code(code)?)))
        .collect()
}

/// Packs a setup or turn.
#[must_use]
pub fn pack_played(played: &PlayedTurn) -> Vec<u8> {
    match played {
        PlayedTurn::Turn(turn) => turn.steps().map(Step::code).collect(),
        PlayedTurn::Setup(setup) => {
            let mut bytes = vec![0; 8];
            for (piece, square) in setup.placements() {
                let index = square.index() % 16;
                bytes[index / 2] |= (piece.kind() as u8) << (4 * (index % 2));
            }
            bytes
        }
    }
}

/// The pieces of a turn's steps, with four bits each as on boards.
#[must_use]
pub fn moved_pieces(turn: &Turn) -> i32 {
    turn.steps().enumerate().map(|(index, step)| i32::from(step.piece().code() as u8) << (4 * index)).sum()
}

/// Unpacks what `side` played on `board`.
#[must_use]
pub fn unpack_played(bytes: &[u8], board: &Board, side: Side) -> Option<SetupOrTurn> {
    if bytes.len() == 8 {
        let codes = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        let placements = side.home().into_iter().zip(codes).filter_map(|(square, code)| {
            let kind = piece_from_code(code)?.kind();
            Some((Piece::new(side, kind), square))
        });
        return Setup::new(side, placements, Handicap::Allowed).ok().map(SetupOrTurn::Setup);
    }
    decode_turn(bytes, board).map(SetupOrTurn::Turn)
}

/// Unpacks a turn; the pieces are taken from the board.
pub(crate) fn decode_turn(bytes: &[u8], board: &Board) -> Option<Turn> {
    let mut board = *board;
    let mut turn = Turn::EMPTY;
    for &byte in bytes {
        let step = Step::from_code(byte, &board)?;
        if board.piece_at(step.to()).is_some() || !turn.push(step) {
            return None;
        }
        board = board.after_step(step);
    }
    (!turn.is_empty()).then_some(turn)
}

/// Mirrors the steps of a turn, swaps the sides, or both.
pub(crate) fn transform_turn(bytes: &[u8], mirrored: bool, flipped: bool) -> Vec<u8> {
    let step = |&byte: &u8| {
        let (mut square, mut direction) = (byte >> 2, byte & 3);
        if mirrored {
            square ^= 7;
            // North is 0, east 1, south 2 and west 3.
            direction = if direction & 1 == 1 { direction ^ 2 } else { direction };
        }
        if flipped {
            square ^= 56;
            direction = if direction & 1 == 0 { direction ^ 2 } else { direction };
        }
        square << 2 | direction
    };
    if bytes.len() == 8 {
        transform_setup(bytes, mirrored, flipped)
    } else {
        bytes.iter().map(step).collect()
    }
}

/// Setups are stored in the order of the squares: mirroring reverses each row, and swapping sides swaps the rows.
fn transform_setup(bytes: &[u8], mirrored: bool, flipped: bool) -> Vec<u8> {
    let codes: Vec<u8> = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]).collect();
    let index = |index: usize| index ^ (if mirrored { 7 } else { 0 }) ^ (if flipped { 8 } else { 0 });
    (0..8).map(|i| codes[index(2 * i)] | codes[index(2 * i + 1)] << 4).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_turns_come_back_and_damaged_bytes_do_not() {
        let text = "r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR";
        let board = Board::from_compact(text).unwrap();
        let bytes = pack_board(&board);
        assert!(bytes.len() <= 24);
        assert_eq!(unpack_board(&bytes), Some(board));
        assert_eq!(unpack_board(&bytes[1..]), None);
        assert_eq!(unpack_board(&[1, 0, 0, 0, 0, 0, 0, 0, 7]), None);
        let turn: Turn = ["Ed3n", "Ed4n", "re4e"].iter().map(|s| s.parse::<Step>().unwrap()).collect();
        let packed = pack_played(&PlayedTurn::Turn(turn));
        assert_eq!(packed.len(), 3);
        assert_eq!(unpack_played(&packed, &board, Side::Gold), None, "e4 goes to f4, which is occupied");
        let turn: Turn = ["Ed3n", "Ed4n"].iter().map(|s| s.parse::<Step>().unwrap()).collect();
        let packed = pack_played(&PlayedTurn::Turn(turn));
        assert_eq!(unpack_played(&packed, &board, Side::Gold), Some(SetupOrTurn::Turn(turn)));
    }

    #[test]
    fn turning_bytes_is_turning_turns_and_setups() {
        let turn: Turn = ["Ed3n", "Ed4e", "Ee4s"].iter().map(|s| s.parse::<Step>().unwrap()).collect();
        let bytes = |turn: Turn| pack_played(&PlayedTurn::Turn(turn));
        assert_eq!(transform_turn(&bytes(turn), true, false), bytes(turn.mirrored()));
        assert_eq!(transform_turn(&bytes(turn), false, true), bytes(turn.flipped()));
        let setup = Setup::from_rows(Side::Gold, "RHDMECHR", "RRRCDRRR").unwrap();
        let bytes = |setup: Setup| pack_played(&PlayedTurn::Setup(setup));
        assert_eq!(transform_turn(&bytes(setup), true, false), bytes(setup.mirrored()));
        assert_eq!(transform_turn(&bytes(setup), true, true), bytes(setup.flipped().mirrored()));
        let read = unpack_played(&bytes(setup), &Board::EMPTY, Side::Gold);
        assert_eq!(read, Some(SetupOrTurn::Setup(setup)));
    }
}

//! Records that start with a composed position instead of setups, as puzzles are posted: `1w Ca1 Rd2`, `1b ra5`, and
//! `2w pass` if silver is to move.

use surus_rules::{Board, Diagram, Piece, Position, PositionError, Side, Square, Token, TurnTag};

/// The start position of such a record, and the record with empty lines in its place, so that line numbers do not change.
/// `None` if the record starts with setups, which may have missing pieces.
pub(crate) fn composed_start(record: &str) -> Option<Result<(Diagram, String), PositionError>> {
    let mut head = Head::default();
    let mut rest = Vec::new();
    for line in record.lines() {
        if rest.iter().all(String::is_empty) && head.take(line) {
            rest.push(String::new());
        } else {
            rest.push(line.to_string());
        }
    }
    if !head.is_composed() {
        return None;
    }
    let side = if head.passed { Side::Silver } else { Side::Gold };
    Some(
        Position::new(head.board()?, side).map(|position| (Diagram { number: 2, position }, rest.join("\n"))),
    )
}

/// The first lines of a record.
#[derive(Default)]
struct Head {
    /// The placements of turns 1g and 1s.
    placements: [Vec<String>; 2],
    /// Whether turn 2g is a pass.
    passed: bool,
}

impl Head {
    /// Reads a line if it belongs to the position.
    fn take(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        let Some(first) = words.next().filter(|word| !word.starts_with('#')) else { return true };
        let Some(tag) = TurnTag::parse(first) else { return false };
        let words: Vec<String> = words.map(Into::into).collect();
        match (tag.number, tag.side) {
            (1, side) if !self.passed && words.iter().all(|word| placement(word).is_some()) => {
                self.placements[side as usize].extend(words);
                true
            }
            (2, Side::Gold) if !self.passed && words.len() == 1 && words[0].eq_ignore_ascii_case("pass") => {
                self.passed = true;
                true
            }
            _ => false,
        }
    }

    /// Whether gold passes its first turn, or a piece stands where a setup cannot place it.
    fn is_composed(&self) -> bool {
        let outside = |(side, words): (Side, &Vec<String>)| {
            let is_home = |word: &String| {
                placement(word)
                    .is_some_and(|(piece, square)| piece.side() == side && side.home().contains(square))
            };
            !words.iter().all(is_home)
        };
        let has_pieces = self.placements.iter().any(|words| !words.is_empty());
        has_pieces && (self.passed || Side::BOTH.into_iter().zip(&self.placements).any(outside))
    }

    /// `None` if a square is placed twice, which the reader of setups explains.
    fn board(&self) -> Option<Board> {
        let mut board = Board::EMPTY;
        for (piece, square) in self.placements.iter().flatten().filter_map(|word| placement(word)) {
            if board.piece_at(square).is_some() {
                return None;
            }
            board.set(square, Some(piece));
        }
        Some(board)
    }
}

fn placement(word: &str) -> Option<(Piece, Square)> {
    match word.parse() {
        Ok(Token::Placement(piece, square)) => Some((piece, square)),
        _ => None,
    }
}

//! Shared helpers.
#![allow(dead_code, reason = "each test file uses only some of this")]

use surus_rules::{Bitboard, Board, Piece, PieceKind, Side, SplitMix, Square};
use surus_tactics::verify::random_game_boards;

/// The first test case of \[LG\]: a horse can capture a dog, an elephant can capture a horse.
pub(crate) const CASE_1: &str = "He6 Eh4 Ce3 Rf1 hf7 hh3 dc5 ce2";
/// The second test case: the run of a rabbit. The square of the cat is inferred.
pub(crate) const CASE_2: &str = "Rd3 Ee4 Db6 db7 ca6";

/// Parses a board given as `Ra7 cb8`.
pub(crate) fn board(words: &str) -> Board {
    let place = |word: &str| {
        let piece = Piece::from_letter(word.chars().next().unwrap()).unwrap();
        (word[1..].parse().unwrap(), piece)
    };
    words.split_whitespace().map(place).collect()
}

pub(crate) fn at(text: &str) -> Square {
    text.parse().unwrap()
}

pub(crate) struct Random(SplitMix);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    pub(crate) fn below(&mut self, below: usize) -> usize {
        (self.0.next_u64() >> 11) as usize % below
    }

    /// A board with a few pieces, without unguarded pieces on traps and rabbits on their goal.
    pub(crate) fn sparse(&mut self, pieces: usize) -> Board {
        let mut board = Board::EMPTY;
        for _ in 0..pieces {
            let piece = Piece::new(Side::BOTH[self.below(2)], PieceKind::ALL[self.below(6)]);
            let square = Square::new(self.below(64) as u8).unwrap();
            let full = piece.kind().starting_count() <= board.count(piece.side(), piece.kind());
            let arrived = piece.kind() == PieceKind::Rabbit && piece.side().goal().contains(square);
            if !full && !arrived && board.piece_at(square).is_none() {
                board.set(square, Some(piece));
            }
        }
        for side in Side::BOTH {
            let hanging: Bitboard = board.unguarded(side);
            hanging.into_iter().for_each(|square| board.set(square, None));
        }
        board
    }
}

/// Boards of random games and boards with few pieces, in equal parts.
pub(crate) fn boards(count: usize, seed: u64) -> Vec<(Board, Side)> {
    let mut random = Random::new(seed);
    let games = random_game_boards(count / 100 + 2, seed);
    (0..count)
        .map(|i| {
            let side = Side::BOTH[i / 2 % 2];
            if i % 2 == 0 { games[random.below(games.len())] } else { (random_few(&mut random), side) }
        })
        .collect()
}

fn random_few(random: &mut Random) -> Board {
    let pieces = 4 + random.below(12);
    random.sparse(pieces)
}

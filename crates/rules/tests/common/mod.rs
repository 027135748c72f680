//! What several tests need: positions of random games, and the shared data where it is there.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of this")]

use std::path::PathBuf;

use surus_rules::{Bitboard, Board, Game, Phase, Piece, Position, Setup, Side, Square, Token};

/// A small generator of random numbers, so that tests need no crate for it.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number under `below`.
    pub fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % below.max(1) as u64) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The board of some placements: `Ra1 rb8`.
pub fn placed(text: &str) -> Board {
    let piece = |word: &str| match word.parse() {
        Ok(Token::Placement(piece, square)) => (square, piece),
        other => panic!("{word}: {other:?}"),
    };
    text.split_whitespace().map(piece).collect()
}

/// The set of some squares: `a1 b8`.
pub fn squares(text: &str) -> Bitboard {
    text.split_whitespace().map(|word| word.parse::<Square>().unwrap()).collect()
}

pub fn random_setup(random: &mut Random, side: Side) -> Setup {
    let mut letters: Vec<char> = "EMHHDDCCRRRRRRRR".chars().collect();
    random.shuffle(&mut letters);
    let row = |letters: &[char]| letters.iter().collect::<String>();
    Setup::from_rows(side, &row(&letters[..8]), &row(&letters[8..])).unwrap()
}

/// Some pieces anywhere on the ranks of one end, so that they meet; neither side need be able to move.
pub fn random_board(random: &mut Random) -> Board {
    let mut pieces: Vec<char> = "EMHHDDCCRRRRRRRRemhhddccrrrrrrrr".chars().collect();
    random.shuffle(&mut pieces);
    pieces.truncate(1 + random.below(16));
    let mut places: Vec<u8> = (0..8 * (2 + random.below(7) as u8)).collect();
    random.shuffle(&mut places);
    let placed = places.into_iter().zip(pieces);
    let board: Board = placed
        .filter_map(|(place, letter)| Some((Square::new(place)?, Piece::from_letter(letter)?)))
        .collect();
    if random.below(2) == 0 { board } else { board.flipped() }
}

/// Plays a random turn, mostly of four steps.
pub fn random_turn(random: &mut Random, game: &mut Game) {
    loop {
        let mut choices = Vec::new();
        game.position().for_each_step(|step, _| choices.push(step));
        let ready = game.check_end_turn().is_ok();
        if ready && (choices.is_empty() || random.below(8) == 0) {
            return game.end_turn().unwrap();
        }
        if choices.is_empty() {
            // A dead end, such as a turn that would repeat: begin the turn again.
            while game.undo_step().is_some() {}
            continue;
        }
        game.step(choices[random.below(choices.len())]).unwrap();
    }
}

/// A random game that ends by rule or after a number of turns.
pub fn random_game(seed: u64, turns: usize) -> Game {
    let mut random = Random::new(seed);
    let mut game = Game::default();
    for side in Side::BOTH {
        game.play_setup(random_setup(&mut random, side)).unwrap();
    }
    for _ in 0..turns {
        if !matches!(game.phase(), Phase::Play(_)) {
            break;
        }
        random_turn(&mut random, &mut game);
    }
    game
}

/// Positions from the middles of random games.
pub fn random_positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    (0..)
        .map(|i| random_game(seed * 1000 + i, 2 + random.below(60)))
        .filter(|game| game.result().is_none())
        .map(|game| *game.position())
        .take(count)
        .collect()
}

/// Every board of some random games.
pub fn random_boards(games: u64, seed: u64) -> Vec<Board> {
    let game = |i| random_game(seed * 1000 + i, 80);
    (0..games).flat_map(|i| game(i).entries().iter().map(|entry| entry.board).collect::<Vec<_>>()).collect()
}

pub fn shared_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name)
}

/// A file of the shared data; a test that needs it says so and passes where it is not there.
pub fn shared(name: &str) -> Option<String> {
    let text = std::fs::read_to_string(shared_path(name)).ok();
    if text.is_none() {
        println!("SKIPPED: no ../shared/{name}");
    }
    text
}

//! The Move Advisor of [Akimot §4.7.3]: capturing sequences found in the tree and tried in playouts.

use surus_rules::{Bitboard, Board, PieceKind, Side, Turn};
use surus_tactics::captures;

use super::params::Config;
use crate::common::by_side::BySide;
use crate::common::math::ln;

/// A board as three bit planes of strength and one of sides, so that contexts are compared in a few operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Planes([u64; 4]);

impl Planes {
    #[inline]
    pub(crate) fn new(board: &Board) -> Self {
        let kind = |kind| board.by_kind(kind).0;
        Self([
            kind(PieceKind::Rabbit) | kind(PieceKind::Dog) | kind(PieceKind::Camel),
            kind(PieceKind::Cat) | kind(PieceKind::Dog) | kind(PieceKind::Elephant),
            kind(PieceKind::Horse) | kind(PieceKind::Camel) | kind(PieceKind::Elephant),
            board.by_side(Side::Silver).0,
        ])
    }

    /// Whether both are equal on the squares of a mask.
    #[inline]
    pub(crate) const fn agree(&self, other: &Self, mask: u64) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        ((a ^ e) | (b ^ f) | (c ^ g) | (d ^ h)) & mask == 0
    }
}

/// The squares that decide whether a sequence is legal and captures its target.
///
/// An own piece must not be frozen when it steps nor have been lost on a trap before, so the neighbours of the square
/// it leaves matter, unless it is an elephant off the traps; the square it enters must be empty, and guarded if it is
/// a trap. For a displaced piece its two squares matter, and for the trap where it is captured all possible guards.
pub(crate) fn mask(board: &Board, side: Side, turn: &Turn) -> Bitboard {
    let mut board = *board;
    let mut mask = Bitboard::EMPTY;
    for step in turn.steps() {
        let (from, to) = (Bitboard::from(step.from()), Bitboard::from(step.to()));
        mask |= from | to;
        if step.piece().side() == side {
            if step.piece().kind() != PieceKind::Elephant || !(from & Bitboard::TRAPS).is_empty() {
                mask |= from.neighbours();
            }
            mask |= (to & Bitboard::TRAPS).neighbours();
        }
        if let Some((piece, trap)) = board.captured_by(step)
            && piece.side() != side
        {
            mask |= Bitboard::from(trap) | Bitboard::from(trap).neighbours();
        }
        board = board.after_step(step);
    }
    mask
}

/// A sequence with its context and its results.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    pub(crate) turn: Turn,
    pub(crate) mask: u64,
    context: Planes,
    uses: f32,
    /// The sum of results for the side that played it.
    sum: f32,
}

/// The sequences of both sides.
#[derive(Clone, Debug)]
pub(crate) struct Advisor {
    sequences: BySide<Vec<Sequence>>,
    /// The index of the sequence to replace next, per side.
    oldest: BySide<usize>,
    uses: BySide<f32>,
    size: usize,
    c: f32,
    /// The number of queries, and how many of them found a sequence.
    pub(crate) queries: u64,
    pub(crate) hits: u64,
}

impl Advisor {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            sequences: BySide::default(),
            oldest: BySide::default(),
            uses: BySide::default(),
            size: config.advisor_size as usize,
            c: config.advisor_c,
            queries: 0,
            hits: 0,
        }
    }

    /// The maximum memory of an advisor.
    pub(crate) const fn bytes(config: &Config) -> usize {
        if config.advisor { 2 * config.advisor_size as usize * size_of::<Sequence>() } else { 0 }
    }

    /// The same sequences for the next search, with the statistics reset.
    pub(crate) fn carried_over(self) -> Self {
        Self { queries: 0, hits: 0, ..self }
    }

    /// The number of sequences.
    pub(crate) fn len(&self) -> usize {
        self.sequences.iter().map(Vec::len).sum()
    }

    /// Adds the captures of both sides on a board.
    pub(crate) fn add_captures(&mut self, board: &Board) {
        for side in Side::BOTH {
            let found = captures(board, side, Turn::MAX as u8);
            for capture in found.iter() {
                self.add(board, side, capture.turn);
            }
        }
    }

    fn add(&mut self, board: &Board, side: Side, turn: Turn) {
        let (mask, context) = (mask(board, side, &turn).0, Planes::new(board));
        let sequences = &mut self.sequences[side];
        let same = |old: &Sequence| old.mask == mask && old.turn == turn && old.context.agree(&context, mask);
        if sequences.iter().any(same) {
            return;
        }
        let sequence = Sequence { turn, mask, context, uses: 0.0, sum: 0.0 };
        if sequences.len() < self.size {
            sequences.push(sequence);
        } else {
            let oldest = &mut self.oldest[side];
            sequences[*oldest] = sequence;
            *oldest = (*oldest + 1) % self.size;
        }
    }

    /// The index of the sequence with the best score among those whose context matches a board.
    pub(crate) fn advise(&mut self, board: &Board, side: Side) -> Option<(u32, Turn)> {
        self.queries += 1;
        let planes = Planes::new(board);
        let scale = self.c * ln(self.uses[side] + 1.0).sqrt();
        let mut best: Option<(f32, u32, Turn)> = None;
        for (index, sequence) in (0..).zip(&self.sequences[side]) {
            if sequence.context.agree(&planes, sequence.mask) {
                let uses = sequence.uses + 1.0;
                let score = sequence.sum / uses + scale / uses.sqrt();
                if best.is_none_or(|(high, ..)| score > high) {
                    best = Some((score, index, sequence.turn));
                }
            }
        }
        self.hits += u64::from(best.is_some());
        best.map(|(_, index, turn)| (index, turn))
    }

    /// Records the result of a playout that used a sequence, from gold's view.
    pub(crate) fn record_result(&mut self, side: Side, index: u32, result: f32) {
        if let Some(sequence) = self.sequences[side].get_mut(index as usize) {
            sequence.uses += 1.0;
            sequence.sum += if side == Side::Gold { result } else { -result };
            self.uses[side] += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::config;
    use surus_rules::{Piece, Position, Square};

    fn shot() -> (Board, Turn) {
        let text = format!("g [{}]", board_text());
        let position: Position = text.parse().unwrap();
        let turn = ["Mg6e", "dg5n", "dg6w", "Mh6w"]
            .iter()
            .map(|s| s.parse::<surus_rules::Step>().unwrap())
            .collect();
        (*position.board(), turn)
    }

    fn board_text() -> String {
        let mut squares = vec![' '; 64];
        let mut put = |name: &str, piece: char| {
            let square: Square = name.parse().unwrap();
            squares[(7 - square.rank() as usize) * 8 + square.file() as usize] = piece;
        };
        put("g6", 'M');
        put("g5", 'd');
        for name in ["a8", "b8", "c8", "d8"] {
            put(name, 'r');
        }
        put("b3", 'E');
        for name in ["a1", "b1", "c1", "d1"] {
            put(name, 'R');
        }
        squares.into_iter().collect()
    }

    /// Whether the turn is legal on a board and captures the dog in f6.
    fn works(board: &Board, turn: &Turn) -> bool {
        let Ok(mut position) = Position::new(*board, Side::Gold) else { return false };
        let mut captured = false;
        for step in turn.steps() {
            captured |= position
                .board()
                .captured_by(step)
                .is_some_and(|(piece, trap)| piece.letter() == 'd' && trap.to_string() == "f6");
            let mut next = None;
            position.for_each_next(|legal, after| {
                if legal == step {
                    next = Some(*after);
                }
            });
            let Some(after) = next else { return false };
            position = after;
        }
        captured
    }

    #[test]
    fn who_could_have_been_lost_on_a_trap_needs_its_guards() {
        let position: Position =
            "g [rrrrrrrr                                 HEH            RRRRRRRR]".parse().unwrap();
        let step: surus_rules::Step = "Ef3n".parse().unwrap();
        let named = |name: &str| Bitboard::from(name.parse::<Square>().unwrap());
        let matter =
            ["e3", "f2", "f3", "f4", "g3"].map(named).into_iter().fold(Bitboard::EMPTY, |a, b| a | b);
        assert_eq!(mask(position.board(), Side::Gold, &[step].into_iter().collect()), matter);
    }

    #[test]
    fn the_mask_of_the_document_s_sequence_holds_exactly_the_squares_that_matter() {
        let (board, turn) = shot();
        assert!(works(&board, &turn));
        let mut matter = Bitboard::EMPTY;
        for square in Bitboard::ALL {
            let contents = (0..16).filter_map(|n| {
                let kind = PieceKind::ALL.get(n / 2)?;
                Some(Some(Piece::new(Side::BOTH[n % 2], *kind)))
            });
            for content in contents.chain([None]) {
                let mut other = board;
                other.set(square, content);
                if other != board && Position::new(other, Side::Gold).is_ok() && !works(&other, &turn) {
                    matter |= square.into();
                }
            }
        }
        // An unguarded piece on a trap is not a valid position, so the trap itself is not tried.
        matter |= "f6".parse::<Square>().unwrap().into();
        assert_eq!(mask(&board, Side::Gold, &turn), matter);
        let names: Vec<String> = matter.into_iter().map(|square| square.to_string()).collect();
        assert_eq!(names.join(" "), "f5 g5 h5 e6 f6 g6 h6 f7 g7 h7");
    }

    #[test]
    fn a_sequence_is_found_again_where_its_context_is_and_learns_from_results() {
        let (board, turn) = shot();
        let mut advisor = Advisor::new(&(*config::Options::default()).clone());
        advisor.add_captures(&board);
        advisor.add_captures(&board);
        assert_eq!(advisor.len(), 1, "the same sequence twice is one");
        let (index, found) = advisor.advise(&board, Side::Gold).unwrap();
        assert_eq!(found.len(), turn.len());
        let mut far = board;
        far.set("a3".parse().unwrap(), Some(Piece::new(Side::Gold, PieceKind::Horse)));
        assert!(advisor.advise(&far, Side::Gold).is_some(), "what is far away does not matter");
        far.set("e6".parse().unwrap(), Some(Piece::new(Side::Silver, PieceKind::Cat)));
        assert!(advisor.advise(&far, Side::Gold).is_none(), "the cat guards the trap");
        assert!(advisor.advise(&board, Side::Silver).is_none());
        advisor.record_result(Side::Gold, index, -1.0);
        let sequence = &advisor.sequences[Side::Gold][index as usize];
        assert_eq!((sequence.uses, sequence.sum), (1.0, -1.0));
    }

    /// Without exploration the successful sequence is chosen again; with strong exploration another one.
    #[test]
    fn the_exploration_constant_decides_between_what_was_good_and_what_was_not_tried() {
        let text = "g [rrrr                      E  M    d  d                      RRRR]";
        let position: Position = text.parse().unwrap();
        let again = |c: &str| {
            let mut table = config::Options::default();
            config::set(&mut table, "advisor_c", c).unwrap();
            let mut advisor = Advisor::new(&table);
            advisor.add_captures(position.board());
            assert!(advisor.sequences[Side::Gold].len() >= 2);
            let (first, _) = advisor.advise(position.board(), Side::Gold).unwrap();
            for _ in 0..8 {
                advisor.record_result(Side::Gold, first, 1.0);
            }
            advisor.advise(position.board(), Side::Gold).unwrap().0 == first
        };
        assert!(again("0"));
        assert!(!again("10"));
    }

    #[test]
    fn it_never_holds_more_than_it_may() {
        let mut table = config::Options::default();
        config::set(&mut table, "advisor_size", "3").unwrap();
        let mut advisor = Advisor::new(&table);
        for (board, _) in surus_tactics::verify::random_game_boards(40, 9) {
            advisor.add_captures(&board);
        }
        assert_eq!(advisor.len(), 6);
    }
}

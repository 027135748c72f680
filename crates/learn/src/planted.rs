//! Structures planted on a board: hostages, frames and blockades, which self-play between equal players seldom contains.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use surus_engine::eval::Evaluation;
use surus_rules::{Bitboard, Board, Piece, PieceKind, Position, Side, Square};
use surus_tactics::steps_to_goal;

/// A strategic structure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Structure {
    /// A camel, horse or dog within two squares of an enemy home trap, frozen by a stronger piece.
    Hostage,
    /// A piece on an enemy home trap with one guard, held there by the enemy on the other sides.
    Frame,
    /// An elephant at the edge of the enemy's half with at most one action.
    Blockade,
}

impl Structure {
    /// All structures.
    pub const ALL: [Self; 3] = [Self::Hostage, Self::Frame, Self::Blockade];
}

/// A position whose static score is larger, in millirabbits, is decided.
const MAX_SCORE: i32 = 4_000;
/// Random places that are tried.
const ATTEMPTS: u32 = 60;

/// Plants a structure on a board by moving pieces: `victim`'s piece is held. Returns `None` if none of the places that are
/// tried gives an open position in which neither side has a goal.
#[must_use]
pub fn plant(board: &Board, structure: Structure, victim: Side, rng: &mut Pcg64Mcg) -> Option<Board> {
    let evaluation = Evaluation::default();
    (0..ATTEMPTS).find_map(|_| {
        let mut arrangement = Arrangement { board: *board, fixed: Bitboard::EMPTY };
        arrangement.arrange(structure, victim, rng)?;
        let found = arrangement.board;
        let is_open = Side::BOTH.into_iter().all(|side| {
            Position::new(found, side).is_ok()
                && steps_to_goal(&found, side, 4).is_none()
                && evaluation.evaluate(&found, side).abs() <= MAX_SCORE
        });
        (is_open && structure.holds(&found, victim)).then_some(found)
    })
}

impl Structure {
    /// Whether a board has the structure with this side's piece held.
    #[must_use]
    pub fn holds(self, board: &Board, victim: Side) -> bool {
        match self {
            Self::Hostage => {
                let held = board.frozen(victim) & near_traps(victim.other());
                [PieceKind::Camel, PieceKind::Horse, PieceKind::Dog]
                    .into_iter()
                    .any(|kind| !(board.pieces(victim, kind) & held).is_empty())
            }
            Self::Frame => home_traps(victim.other()).any(|trap| {
                let around = Bitboard::from(trap).neighbours();
                board.piece_at(trap).is_some_and(|piece| piece.side() == victim)
                    && (around & board.by_side(victim)).len() == 1
                    && (around & board.by_side(victim.other())).len() == 3
            }),
            Self::Blockade => board
                .pieces(victim, PieceKind::Elephant)
                .first()
                .is_some_and(|elephant| is_edge(elephant) && exits(board, victim, elephant) <= 1),
        }
    }
}

/// The traps in the half of a side.
fn home_traps(side: Side) -> impl Iterator<Item = Square> {
    let rank = if side == Side::Gold { 2 } else { 5 };
    [2, 5].into_iter().filter_map(move |file| Square::from_coords(file, rank))
}

/// The squares within two steps of these traps, without the traps.
fn near_traps(side: Side) -> Bitboard {
    home_traps(side).fold(Bitboard::EMPTY, |all, trap| {
        let around = Bitboard::from(trap).neighbours();
        all | around | around.neighbours()
    }) & !Bitboard::TRAPS
}

fn is_edge(square: Square) -> bool {
    [0, 7].contains(&square.file()) || [0, 7].contains(&square.rank())
}

/// The actions that move a side's elephant.
fn exits(board: &Board, side: Side, elephant: Square) -> usize {
    let mut count = 0;
    board.for_each_action(side, 4, |action| {
        let mover = action.steps().find(|step| step.piece() == Piece::new(side, PieceKind::Elephant));
        count += usize::from(mover.is_some_and(|step| step.from() == elephant));
    });
    count
}

/// A board on which pieces are moved to their places.
struct Arrangement {
    board: Board,
    /// The squares of pieces that are in place.
    fixed: Bitboard,
}

impl Arrangement {
    fn arrange(&mut self, structure: Structure, victim: Side, rng: &mut Pcg64Mcg) -> Option<()> {
        match structure {
            Structure::Hostage => self.hostage(victim, rng),
            Structure::Frame => self.frame(victim, rng),
            Structure::Blockade => self.blockade(victim, rng),
        }
    }

    fn hostage(&mut self, victim: Side, rng: &mut Pcg64Mcg) -> Option<()> {
        let kinds = [PieceKind::Camel, PieceKind::Horse, PieceKind::Dog];
        let kind = kinds[rng.random_range(0..kinds.len())];
        let place = pick(near_traps(victim.other()), rng)?;
        self.put(victim, |other| other == kind, place, rng)?;
        let beside = pick(Bitboard::from(place).neighbours() & !Bitboard::TRAPS, rng)?;
        self.put(victim.other(), |other| other > kind, beside, rng)?;
        // No friend may free it.
        let friends = Bitboard::from(place).neighbours() & self.board.by_side(victim);
        friends.into_iter().try_for_each(|square| self.move_away(square, place, rng))
    }

    fn frame(&mut self, victim: Side, rng: &mut Pcg64Mcg) -> Option<()> {
        let traps: Vec<Square> = home_traps(victim.other()).collect();
        let trap = traps[rng.random_range(0..traps.len())];
        let mut around: Vec<Square> = Bitboard::from(trap).neighbours().into_iter().collect();
        around.shuffle(rng);
        let (guard, holders) = around.split_first()?;
        self.put(victim, |kind| kind > PieceKind::Rabbit, *guard, rng)?;
        self.put(victim, |kind| kind < PieceKind::Elephant, trap, rng)?;
        for &holder in holders {
            self.put(victim.other(), |_| true, holder, rng)?;
        }
        Some(())
    }

    fn blockade(&mut self, victim: Side, rng: &mut Pcg64Mcg) -> Option<()> {
        let half: Bitboard = (0..4)
            .map(|rank| Bitboard::rank(if victim == Side::Gold { 7 - rank } else { rank }))
            .fold(Bitboard::EMPTY, |all, rank| all | rank);
        let edge = (half & !Bitboard::TRAPS).into_iter().filter(|&square| is_edge(square));
        let edge: Vec<Square> = edge.collect();
        let place = edge[rng.random_range(0..edge.len())];
        self.put(victim, |kind| kind == PieceKind::Elephant, place, rng)?;
        // Enemies beside it, and pieces behind them so that they cannot be pushed.
        let beside = Bitboard::from(place).neighbours();
        for square in beside {
            self.put(victim.other(), |_| true, square, rng)?;
        }
        for square in beside.neighbours() & !self.fixed & !Bitboard::TRAPS {
            if exits(&self.board, victim, place) <= 1 {
                break;
            }
            self.put(victim.other(), |_| true, square, rng)?;
        }
        Some(())
    }

    /// Moves a random piece of a side, not yet in place, to a square; what stood there takes its place.
    fn put(
        &mut self,
        side: Side,
        kinds: impl Fn(PieceKind) -> bool,
        to: Square,
        rng: &mut Pcg64Mcg,
    ) -> Option<()> {
        if self.fixed.contains(to) {
            return None;
        }
        let movable = self.board.iter().filter(|(square, piece)| {
            piece.side() == side && kinds(piece.kind()) && !self.fixed.contains(*square)
        });
        let candidates: Vec<Square> = movable.map(|(square, _)| square).collect();
        let from = *candidates.get(rng.random_range(0..candidates.len().max(1)))?;
        self.swap(from, to)?;
        self.fixed |= Bitboard::from(to);
        Some(())
    }

    /// Moves a piece to a random empty square that is not next to `place`.
    fn move_away(&mut self, square: Square, place: Square, rng: &mut Pcg64Mcg) -> Option<()> {
        let around = Bitboard::from(place).neighbours();
        self.swap(square, pick(self.board.empty() & !Bitboard::TRAPS & !around, rng)?)
    }

    /// Exchanges the contents of two squares, unless that puts a rabbit on its goal.
    fn swap(&mut self, a: Square, b: Square) -> Option<()> {
        let (first, second) = (self.board.piece_at(a), self.board.piece_at(b));
        let ends = |piece: Option<Piece>, to: Square| {
            piece.is_some_and(|piece| piece.kind() == PieceKind::Rabbit && piece.side().goal().contains(to))
        };
        if ends(first, b) || ends(second, a) {
            return None;
        }
        self.board.set(a, second);
        self.board.set(b, first);
        Some(())
    }
}

/// A random square of a set.
fn pick(set: Bitboard, rng: &mut Pcg64Mcg) -> Option<Square> {
    let squares: Vec<Square> = set.into_iter().collect();
    squares.get(rng.random_range(0..squares.len().max(1))).copied()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn each_structure_can_be_planted_with_all_pieces_kept() {
        let start = "g [rrrrrrrr cd  dc  h m  h    e        E     H M H  CD  DC RRRRRRRR]";
        let board = *start.parse::<Position>().unwrap().board();
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        for structure in Structure::ALL {
            for victim in Side::BOTH {
                let found: Vec<Board> =
                    (0..20).filter_map(|_| plant(&board, structure, victim, &mut rng)).collect();
                assert!(found.len() >= 10, "{structure:?} {victim:?}: {}", found.len());
                for planted in found {
                    assert!(structure.holds(&planted, victim));
                    for side in Side::BOTH {
                        for kind in PieceKind::ALL {
                            assert_eq!(planted.count(side, kind), board.count(side, kind));
                        }
                        assert!(Position::new(planted, side).is_ok());
                        assert_eq!(steps_to_goal(&planted, side, 4), None);
                    }
                }
            }
        }
        assert!(!Structure::ALL.into_iter().any(|structure| structure.holds(&board, Side::Gold)));
    }

    fn holds(structure: Structure, rows: [&str; 8]) -> bool {
        let text = format!("g [{}]", rows.concat());
        structure.holds(text.parse::<Position>().unwrap().board(), Side::Silver)
    }

    #[test]
    fn known_structures_are_recognised() {
        let empty = "        ";
        let hostage = |below: &'static str| {
            ["r       ", empty, empty, empty, " E      ", " m      ", below, "R       "]
        };
        assert!(holds(Structure::Hostage, hostage(empty)));
        assert!(!holds(Structure::Hostage, hostage(" r      ")), "a friend frees it");
        let frame =
            |last: &'static str| ["r       ", empty, empty, empty, "  d     ", " Dh     ", last, "R       "];
        assert!(!holds(Structure::Frame, frame("  C     ")), "d3 is open");
        let framed = ["r       ", empty, empty, empty, "  d     ", " DhE    ", "  C     ", "R       "];
        assert!(holds(Structure::Frame, framed));
        let blockade = |fifth: &'static str| {
            ["r       ", empty, empty, fifth, "RC      ", "eD      ", "RC      ", "R       "]
        };
        assert!(holds(Structure::Blockade, blockade("H       ")), "only b3 can be pushed");
        assert!(!holds(Structure::Blockade, blockade(empty)));
    }
}

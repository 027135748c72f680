//! Setups: a small book, chosen from by the seed and by the opponent's setup.

use surus_play::{Answer, EngineError};
use surus_rules::{Board, Game, PieceKind, Setup, Side, SplitMix};

/// Setups as their front and back rows, with their weights; each is also played mirrored.
///
/// Strong pieces are in front and in the centre, where they reach both wings, horses next to the traps, most rabbits
/// behind. The first five are, up to mirroring, the ten most played ones of the game archive.
const BOOK: [(u64, &str, &str); 7] = [
    (8, "RHCMECHR", "RRRDDRRR"),
    (6, "RHDMEDHR", "RRRCCRRR"),
    (2, "RDHMEHDR", "RRRCCRRR"),
    (1, "DHCMECHD", "RRRRRRRR"),
    (1, "HDCMECDH", "RRRRRRRR"),
    // A cat behind each trap, or a dog and a cat on different wings.
    (4, "RHDMEDHR", "RRCRRCRR"),
    (3, "RHCMEDHR", "RRRDCRRR"),
];

/// The answer of an engine to a setup job.
pub(crate) fn setup_answer(game: &Game, side: Side, seed: u64) -> Result<Answer, EngineError> {
    choose(game.turn_start(), side, seed).map(Answer::Setup).ok_or(EngineError::NoLegalTurn)
}

/// A setup for a side. The second side chooses the mirroring by the first side's pieces.
fn choose(board: &Board, side: Side, seed: u64) -> Option<Setup> {
    let random = SplitMix::hash(seed ^ board.key());
    let mut remaining = random % BOOK.iter().map(|(weight, ..)| weight).sum::<u64>();
    let (_, front, back) = BOOK.iter().find(|(weight, ..)| {
        let found = remaining < *weight;
        remaining = remaining.saturating_sub(*weight);
        found
    })?;
    let setup = Setup::from_rows(side, front, back).ok()?;
    let mirror = should_mirror(board, &setup).unwrap_or(random >> 32 & 1 == 1);
    Some(if mirror { setup.mirrored() } else { setup })
}

/// The camel avoids the enemy elephant; without one, the elephant opposes the enemy camel; otherwise it goes to the
/// wing with most enemy officers.
fn should_mirror(board: &Board, setup: &Setup) -> Option<bool> {
    let enemy = setup.side().other();
    let own_west =
        |kind| setup.placements().find(|(piece, _)| piece.kind() == kind).map(|(_, at)| at.file() < 4);
    let enemy_west = |kind| board.pieces(enemy, kind).first().map(|at| at.file() < 4);
    if let Some(elephant) = enemy_west(PieceKind::Elephant) {
        return Some(own_west(PieceKind::Camel)? == elephant);
    }
    if let Some(camel) = enemy_west(PieceKind::Camel) {
        return Some(own_west(PieceKind::Elephant)? != camel);
    }
    let officers = board.by_side(enemy) & !board.rabbits(enemy);
    let west = officers.into_iter().filter(|square| square.file() < 4).count();
    let east = officers.into_iter().count() - west;
    (west != east).then_some(own_west(PieceKind::Elephant)? != (east < west))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_rules::{Game, Handicap, Piece, Rules};

    fn file(board: &Board, side: Side, kind: PieceKind) -> u8 {
        board.pieces(side, kind).first().unwrap().file()
    }

    #[test]
    fn every_seed_brings_a_whole_setup_and_all_of_the_book_is_used() {
        let mut rows: Vec<String> =
            (0..600).map(|seed| choose(&Board::EMPTY, Side::Gold, seed).unwrap().to_string()).collect();
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), 2 * BOOK.len(), "both mirrors of each");
    }

    #[test]
    fn silver_keeps_its_camel_from_any_elephant_wherever_gold_puts_it() {
        // Every order of gold's pieces is a legal setup.
        let pieces: Vec<char> = "EMHHDDCCRRRRRRRR".chars().collect();
        for turned in 0..16 {
            let piece = |n: usize| Piece::from_letter(pieces[(n * 5 + turned) % 16]).unwrap();
            let placed = Side::Gold.home().into_iter().enumerate().map(|(n, at)| (piece(n), at));
            let gold = Setup::new(Side::Gold, placed, Handicap::None).unwrap();
            let mut board = Board::EMPTY;
            gold.place_on(&mut board);
            for seed in 0..20 {
                let mut board = board;
                choose(&board, Side::Silver, seed).unwrap().place_on(&mut board);
                assert_ne!(
                    file(&board, Side::Silver, PieceKind::Camel) < 4,
                    file(&board, Side::Gold, PieceKind::Elephant) < 4
                );
            }
        }
    }

    #[test]
    fn a_handicap_is_met_too() {
        let mut game = Game::new(Rules::Official, Handicap::Allowed);
        game.play_text("Ra1 Rb1 Rc1 Rd1 Ma2 Hh2").unwrap();
        let setup = choose(game.position().board(), Side::Silver, 5).unwrap();
        game.play_setup(setup).unwrap();
        let board = game.position().board();
        assert!(file(board, Side::Silver, PieceKind::Elephant) < 4, "it hunts the camel on a2");
    }
}

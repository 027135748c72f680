//! How the engine sets up: a few sound setups, chosen by its seed.

use surus_play::STANDARD_SETUPS;
use surus_rules::{Board, Kind, Setup, Side};

/// A setup for a side; the second to set up puts its camel away from the enemy elephant where it can tell.
pub(crate) fn choose(board: &Board, side: Side, seed: u64) -> Option<Setup> {
    let chance = mixed(seed ^ board.key());
    let (_, front, back) = STANDARD_SETUPS[(chance % STANDARD_SETUPS.len() as u64) as usize];
    let setup = Setup::from_rows(side, front, back).ok()?;
    let camel =
        |setup: &Setup| setup.placements().find(|(piece, _)| piece.kind() == Kind::Camel).map(|(_, at)| at);
    let elephant = board.pieces(side.other(), Kind::Elephant).first();
    let mirror = match (camel(&setup), elephant) {
        (Some(camel), Some(elephant)) => (camel.file() < 4) == (elephant.file() < 4),
        _ => chance >> 32 & 1 == 1,
    };
    Some(if mirror { setup.mirrored() } else { setup })
}

fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_bring_variety_and_the_camel_avoids_the_elephant() {
        let golds: Vec<Setup> = (0..40).filter_map(|seed| choose(&Board::EMPTY, Side::Gold, seed)).collect();
        assert_eq!(golds.len(), 40);
        let mut different: Vec<String> = golds.iter().map(|setup| format!("{setup:?}")).collect();
        different.sort();
        different.dedup();
        assert!(4 <= different.len());
        for gold in golds {
            let mut board = Board::EMPTY;
            gold.place_on(&mut board);
            choose(&board, Side::Silver, 3).unwrap().place_on(&mut board);
            let file = |side, kind| board.pieces(side, kind).first().unwrap().file();
            assert_ne!(file(Side::Silver, Kind::Camel) < 4, file(Side::Gold, Kind::Elephant) < 4);
        }
    }
}

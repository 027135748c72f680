//! Standard and random setups.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;
use surus_rules::{Handicap, Piece, PieceKind, Setup, Side};

/// Sound setups with strong pieces in front and most rabbits behind, as name, front row and back row.
pub const STANDARD_SETUPS: [(&str, &str, &str); 4] = [
    ("99of9", "RHCMECHR", "RRRDDRRR"),
    ("dogs in front", "RHDEMDHR", "RRRCCRRR"),
    ("wide horses", "HDCMECDH", "RRRRRRRR"),
    ("guarded traps", "RHDMEDHR", "RRCRRCRR"),
];

/// The first of the standard setups.
#[must_use]
pub fn standard_setup(side: Side) -> Option<Setup> {
    let (_, front, back) = STANDARD_SETUPS[0];
    Setup::from_rows(side, front, back).ok()
}

/// A random standard setup, mirrored with probability ½, with one to three pairs of pieces exchanged.
#[must_use]
pub fn varied_setup(side: Side, rng: &mut Pcg64Mcg) -> Option<Setup> {
    let (_, front, back) = STANDARD_SETUPS.choose(rng)?;
    let mut setup = Setup::from_rows(side, front, back).ok()?;
    if rng.random_bool(0.5) {
        setup = setup.mirrored();
    }
    let (mut pieces, squares): (Vec<_>, Vec<_>) = setup.placements().unzip();
    let mut indices: Vec<usize> = (0..pieces.len()).collect();
    indices.shuffle(rng);
    for pair in indices.chunks_exact(2).take(rng.random_range(1..=3)) {
        pieces.swap(pair[0], pair[1]);
    }
    Setup::new(side, pieces.into_iter().zip(squares), Handicap::None).ok()
}

/// One of the 64,864,800 setups, with equal probability.
#[must_use]
pub fn random_setup(side: Side, rng: &mut Pcg64Mcg) -> Option<Setup> {
    let pieces_of =
        |kind: PieceKind| std::iter::repeat_n(Piece::new(side, kind), kind.starting_count() as usize);
    let mut pieces: Vec<Piece> = PieceKind::ALL.into_iter().flat_map(pieces_of).collect();
    pieces.shuffle(rng);
    Setup::new(side, pieces.into_iter().zip(side.home()), Handicap::None).ok()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn all_setups_are_complete() {
        for side in Side::BOTH {
            for (name, front, back) in STANDARD_SETUPS {
                assert!(Setup::from_rows(side, front, back).is_ok(), "{name}");
            }
            assert!(standard_setup(side).is_some());
            let mut rng = Pcg64Mcg::seed_from_u64(1);
            let [a, b] = [(); 2].map(|()| random_setup(side, &mut rng).unwrap());
            assert_ne!(a, b);
        }
    }
}

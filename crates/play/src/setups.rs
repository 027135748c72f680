//! Setups that engines begin with.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;
use surus_rules::{Handicap, Piece, PieceKind, Setup, Side};

/// A few sound setups, each as its front and its back row: strong pieces in front, most rabbits behind.
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

/// A standard setup, perhaps mirrored, in which one to three pairs of pieces have changed places.
#[must_use]
pub fn varied_setup(side: Side, chance: &mut Pcg64Mcg) -> Option<Setup> {
    let (_, front, back) = STANDARD_SETUPS.choose(chance)?;
    let mut setup = Setup::from_rows(side, front, back).ok()?;
    if chance.random_bool(0.5) {
        setup = setup.mirrored();
    }
    let (mut pieces, squares): (Vec<_>, Vec<_>) = setup.placements().unzip();
    let mut places: Vec<usize> = (0..pieces.len()).collect();
    places.shuffle(chance);
    for pair in places.chunks_exact(2).take(chance.random_range(1..=3)) {
        pieces.swap(pair[0], pair[1]);
    }
    Setup::new(side, pieces.into_iter().zip(squares), Handicap::None).ok()
}

/// Any of the 64,864,800 setups.
#[must_use]
pub fn random_setup(side: Side, random: &mut Pcg64Mcg) -> Option<Setup> {
    let each = |kind: PieceKind| std::iter::repeat_n(Piece::new(side, kind), kind.starting_count() as usize);
    let mut pieces: Vec<Piece> = PieceKind::ALL.into_iter().flat_map(each).collect();
    pieces.shuffle(random);
    Setup::new(side, pieces.into_iter().zip(side.home()), Handicap::None).ok()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn all_setups_are_whole() {
        for side in Side::BOTH {
            for (name, front, back) in STANDARD_SETUPS {
                assert!(Setup::from_rows(side, front, back).is_ok(), "{name}");
            }
            assert!(standard_setup(side).is_some());
            let mut random = Pcg64Mcg::seed_from_u64(1);
            let [a, b] = [(); 2].map(|()| random_setup(side, &mut random).unwrap());
            assert_ne!(a, b);
        }
    }
}

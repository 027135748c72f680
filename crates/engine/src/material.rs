//! What the pieces are worth: HarLog, in whole numbers.
//!
//! An officer counts by how many enemy pieces are stronger, rabbits and the mere number of pieces by a logarithm, so
//! that the last rabbits are dear. The tables are the formula's values, rounded once, so that every machine has the
//! same ones.

use surus_rules::{Board, Kind, Side};

use crate::score::Score;

/// 1000 / (Q + n) / N for n stronger enemies, Q = 1.447530126, N = 0.12507: the first rabbit is 1000.
const BY_STRONGER: [Score; 9] = [5524, 3267, 2319, 1798, 1468, 1240, 1074, 946, 846];

/// 1000 G ln(n) / N, G = 0.6314442034. Nothing at all is worth a little less than one.
const LOGARITHM: [Score; 17] = [
    -3500, 0, 3500, 5547, 6999, 8126, 9046, 9824, 10499, 11093, 11625, 12106, 12546, 12950, 13324, 13672,
    13998,
];

/// How many pieces of each kind a side has, from rabbits on.
pub(crate) type Counts = [u32; 6];

pub(crate) fn counts(board: &Board, side: Side) -> Counts {
    Kind::ALL.map(|kind| board.count(side, kind))
}

/// For each kind how many pieces of the other side are stronger.
pub(crate) fn stronger(enemies: &Counts) -> Counts {
    let mut sum = 0;
    let mut stronger = [0; 6];
    for kind in (0..6).rev() {
        stronger[kind] = sum;
        sum += enemies[kind];
    }
    stronger
}

/// What a side's pieces are worth against enemies of which `stronger` are stronger.
pub(crate) fn worth(own: &Counts, stronger: &Counts) -> Score {
    let officers: Score =
        (1..6).map(|kind| own[kind] as Score * BY_STRONGER[stronger[kind].min(8) as usize]).sum();
    let all: u32 = own.iter().sum();
    let logarithm = |count: u32| LOGARITHM[count.min(16) as usize];
    officers + logarithm(own[0]) + logarithm(all)
}

/// Roughly what one piece is worth, for ordering and for the cost of being frozen.
pub(crate) fn of_piece(kind: usize, stronger: &Counts) -> Score {
    if kind == 0 { 1000 } else { BY_STRONGER[stronger[kind].min(8) as usize] + 500 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Counts = [8, 2, 2, 2, 1, 1];

    fn balance(gold: Counts, silver: Counts) -> Score {
        worth(&gold, &stronger(&silver)) - worth(&silver, &stronger(&gold))
    }

    #[test]
    fn first_losses_cost_what_harlog_says() {
        for (kind, about) in [(0, 1000), (1, 1400), (2, 2130), (3, 3640), (4, 6480), (5, 10_990)] {
            let mut less = FULL;
            less[kind] -= 1;
            let loss = balance(FULL, less);
            assert!((loss - about).abs() <= 15, "{kind}: {loss}");
        }
        assert_eq!(balance(FULL, FULL), 0);
    }
}

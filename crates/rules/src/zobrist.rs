//! Zobrist keys of pieces on squares, the side to move, step counts and pending pushes or pulls.

use crate::{Piece, Side, SplitMix, Square};

const fn table<const N: usize>(seed: u64) -> [[u64; 64]; N] {
    let mut random = SplitMix::new(seed);
    let mut keys = [[0; 64]; N];
    let mut i = 0;
    while i < N * 64 {
        keys[i / 64][i % 64] = random.next_u64();
        i += 1;
    }
    keys
}

static PIECES: [[u64; 64]; 16] = table(0x5375_7275_7350_6965);
static PENDING: [[u64; 64]; 16] = table(0x5375_7275_7350_656e);
const SILVER: u64 = SplitMix::hash(0x5369_6c76_6572);
const STEPS: [u64; 8] = {
    let mut random = SplitMix::new(0x5374_6570);
    let mut keys = [0; 8];
    let mut i = 1;
    while i < 8 {
        keys[i] = random.next_u64();
        i += 1;
    }
    keys
};

#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.code()][square.index()]
}

/// The key of a pending push (enemy piece) or pull (own piece) and its vacated square.
#[inline]
pub(crate) fn pending(piece: Piece, square: Square) -> u64 {
    PENDING[piece.code()][square.index()]
}

#[inline]
pub(crate) const fn side(side: Side) -> u64 {
    match side {
        Side::Gold => 0,
        Side::Silver => SILVER,
    }
}

#[inline]
pub(crate) const fn steps(taken: u8) -> u64 {
    STEPS[(taken & 7) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_differ() {
        let mut all: Vec<u64> = PIECES.iter().chain(&PENDING).flatten().copied().collect();
        all.extend(STEPS);
        all.push(SILVER);
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}

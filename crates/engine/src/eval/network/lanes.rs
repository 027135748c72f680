//! Vectors of 16-bit integers, in blocks of sixteen that fill a register of 256 bits. The loops below have a fixed
//! length, so that the compiler translates each into a few vector instructions.

use super::ACTIVATION_ONE;

/// Sixteen numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Lanes(pub(super) [i16; Self::LEN]);

impl Lanes {
    pub(super) const LEN: usize = 16;

    #[inline(always)]
    fn add_assign(&mut self, other: &Self) {
        for (sum, term) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(*term);
        }
    }
}

/// The bias plus the rows of the active inputs. `N` blocks make a row.
#[inline]
pub(super) fn accumulate<const N: usize>(bias: &[Lanes], rows: &[Lanes], active: &[u16]) -> [Lanes; N] {
    let mut sums = [Lanes::default(); N];
    sums.copy_from_slice(&bias[..N]);
    for &input in active {
        let row = &rows[usize::from(input) * N..][..N];
        for (sum, term) in sums.iter_mut().zip(row) {
            sum.add_assign(term);
        }
    }
    sums
}

/// The dot product of the squared clipped sums with weights. A clipped sum is at most 255 and a weight at most 127, so
/// that their product has 16 bits.
#[inline]
pub(super) fn squared_clipped_dot<const N: usize>(sums: &[Lanes; N], weights: &[Lanes]) -> i32 {
    let mut total = [0_i32; Lanes::LEN / 2];
    for (sums, weights) in sums.iter().zip(weights) {
        let clipped = sums.0.map(|sum| sum.clamp(0, ACTIVATION_ONE));
        let mut products = [0_i16; Lanes::LEN];
        for ((product, value), weight) in products.iter_mut().zip(&clipped).zip(&weights.0) {
            *product = value.wrapping_mul(*weight);
        }
        for (i, total) in total.iter_mut().enumerate() {
            *total += i32::from(products[2 * i]) * i32::from(clipped[2 * i])
                + i32::from(products[2 * i + 1]) * i32::from(clipped[2 * i + 1]);
        }
    }
    total.iter().sum()
}

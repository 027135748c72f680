//! Pseudorandom numbers that are the same on every platform.

/// The generator SplitMix64. Board keys, which are also stored on disk, are derived from it, so it must never change.
///
/// ```
/// use surus_rules::SplitMix;
///
/// let mut rng = SplitMix::new(42);
/// assert_eq!(rng.next_u64(), SplitMix::hash(42));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A generator with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// The first number of a seed. Similar seeds have unrelated hashes.
    #[must_use]
    pub const fn hash(seed: u64) -> u64 {
        Self(seed).next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut random = SplitMix::new(1_234_567);
        let numbers = [(); 5].map(|()| random.next_u64());
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, published);
        assert_eq!(SplitMix::hash(1_234_567), published[0]);
    }
}

//! A small random number generator that is reproducible on every machine.

use surus_rules::SplitMix;

/// A SplitMix generator with convenience methods.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rng(SplitMix);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Self(SplitMix::new(seed ^ 0x9e37_79b9_7f4a_7c15));
        // The first outputs of similar seeds are similar.
        rng.next();
        rng.next();
        rng
    }

    /// A uniformly distributed 64-bit number.
    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`.
    #[inline]
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        (((self.next() >> 32) * u64::from(end)) >> 32) as u32
    }

    /// True with the given probability.
    #[inline]
    pub(crate) fn gen_bool(&mut self, probability: f32) -> bool {
        self.gen_f32() < probability
    }

    /// A number in `[0, 1)`.
    #[inline]
    pub(crate) fn gen_f32(&mut self) -> f32 {
        (self.next() >> 40) as f32 / 16_777_216.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_and_reproducible() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 5];
        for _ in 0..50_000 {
            counts[rng.below(5) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| count > 9_600 && count < 10_400), "{counts:?}");
        let mut again = Rng::new(7);
        assert_eq!(again.next(), Rng::new(7).next());
        let hits = (0..10_000).filter(|_| again.gen_bool(0.2)).count();
        assert!((1_900..2_100).contains(&hits), "{hits}");
    }
}

//! Numbers that are the same on every machine: chance, logarithm, exponential function, fixed point.
//!
//! The system's mathematics may differ in the last bit from machine to machine, and one bit is enough for another
//! turn; these use nothing but sums, products, quotients and square roots, which may not.

use surus_rules::SplitMix;

/// Results are summed up as whole numbers of this part, so that their order does not matter.
pub(crate) const ONE: f32 = 1_048_576.0;

/// A result between -1 and 1 as a whole number.
#[inline]
pub(crate) fn fixed(value: f32) -> i64 {
    (value * ONE) as i64
}

/// A small generator of chance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance(SplitMix);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        let mut chance = Self(SplitMix::new(seed ^ 0x9e37_79b9_7f4a_7c15));
        // The first numbers of near seeds are near each other.
        chance.next();
        chance.next();
        chance
    }

    /// Any number.
    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.0.draw()
    }

    /// A number below `end`.
    #[inline]
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        (((self.next() >> 32) * u64::from(end)) >> 32) as u32
    }

    /// True in this share of cases.
    #[inline]
    pub(crate) fn happens(&mut self, share: f32) -> bool {
        self.unit() < share
    }

    /// A number from 0 up to but not 1.
    #[inline]
    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / 16_777_216.0
    }
}

/// The natural logarithm of a number from 1 on.
pub(crate) fn ln(x: f32) -> f32 {
    let x = f64::from(x.max(1.0));
    let bits = x.to_bits();
    let exponent = f64::from((bits >> 52) as i32 - 1023);
    let part = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    // ln m = 2 artanh((m - 1) / (m + 1)), whose argument is at most a third.
    let t = (part - 1.0) / (part + 1.0);
    let t2 = t * t;
    let series = 1.0 + t2 * (1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0 + t2 * (1.0 / 9.0 + t2 / 11.0))));
    (exponent * std::f64::consts::LN_2 + 2.0 * t * series) as f32
}

/// The exponential function.
#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    let x = x.clamp(-80.0, 80.0);
    let doublings = (x * std::f32::consts::LOG2_E).floor();
    let rest = x - doublings * std::f32::consts::LN_2;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    series * f32::from_bits(((doublings as i32 + 127) as u32) << 23)
}

/// The chance to win with this lead, from 0 to 1.
#[inline]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_right_to_a_millionth() {
        for n in [1.0f32, 1.5, 2.0, 3.0, 10.0, 1e3, 12_345.0, 4e9] {
            assert!((ln(n) - n.ln()).abs() < 1e-6 * n.ln().max(1.0), "ln {n}: {}", ln(n));
        }
        for x in [-60.0f32, -6.2, -1.0, -0.01, 0.0, 0.3, 1.0, 7.5, 60.0] {
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-5, "exp {x}: {}", exp(x));
        }
        assert_eq!((sigmoid(0.0), sigmoid(1e9), sigmoid(-1e9)), (0.5, 1.0, sigmoid(-80.0)));
    }

    #[test]
    fn chance_is_even_and_the_same_again() {
        let mut chance = Chance::new(7);
        let mut counts = [0u32; 5];
        for _ in 0..50_000 {
            counts[chance.below(5) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| 9_600 < count && count < 10_400), "{counts:?}");
        let mut again = Chance::new(7);
        assert_eq!(again.next(), Chance::new(7).next());
        let share = (0..10_000).filter(|_| again.happens(0.2)).count();
        assert!((1_900..2_100).contains(&share), "{share}");
    }
}

//! Elementary functions with the same result on every machine.
//!
//! The last bit of a platform's mathematics library may differ, and one bit can change the chosen turn. These functions
//! use only addition, multiplication, division and square roots, whose results IEEE 754 defines exactly.

/// The unit of fixed-point results. Integers are summed in any order with the same result.
pub(crate) const ONE: f32 = 1_048_576.0;

/// A result between -1 and 1 in fixed point.
#[inline]
pub(crate) fn fixed(value: f32) -> i64 {
    (value * ONE) as i64
}

/// The natural logarithm of a number of at least 1.
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

/// The logistic function.
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
}

//! Results published in \[McKee\].

/// A row of table 12, in percent: full board, half board, area, specific piece, overall hit rate.
pub(super) struct Band {
    /// First and last turn.
    pub(super) turns: (u32, u32),
    pub(super) rates: [f64; 4],
    pub(super) overall: f64,
}

const fn band(first: u32, last: u32, rates: [f64; 4], overall: f64) -> Band {
    Band { turns: (first, last), rates, overall }
}

pub(super) const TABLE_12: [Band; 10] = [
    band(1, 5, [3.63, 13.83, 26.82, 32.86], 43.0),
    band(6, 10, [0.904, 11.06, 28.32, 34.8], 21.99),
    band(11, 15, [0.13, 9.82, 24.12, 36.82], 25.16),
    band(16, 20, [0.13, 9.65, 18.49, 38.4], 28.24),
    band(21, 25, [0.13, 8.46, 16.37, 39.38], 30.11),
    band(26, 30, [0.13, 7.41, 12.87, 40.12], 32.32),
    band(31, 35, [0.13, 8.42, 16.3, 42.18], 32.29),
    band(36, 40, [0.13, 8.41, 19.98, 43.15], 31.58),
    band(41, 45, [0.13, 7.03, 24.82, 43.16], 30.13),
    band(46, u32::MAX, [0.13, 4.06, 32.1, 45.1], 29.34),
];

/// Seconds per lookup by eighths of the 15,947,465 positions: tables 6, 8, 9, 10 and 11. `None` is less than a second.
pub(super) const SECONDS: [(&str, [Option<f64>; 8]); 5] = [
    (
        "silver's setup (table 6)",
        [Some(1.0), Some(2.3), Some(3.49), Some(5.34), Some(5.58), Some(7.17), Some(7.4), Some(7.96)],
    ),
    ("full board (table 8)", [None, None, None, None, None, None, Some(1.2), Some(1.28)]),
    ("middle rows (table 9)", [None, None, None, None, Some(1.3), Some(1.36), Some(1.42), Some(1.8)]),
    ("area (table 10)", [None, None, None, Some(1.8), Some(2.3), Some(2.48), Some(2.68), Some(2.8)]),
    (
        "specific piece (table 11)",
        [
            Some(8.03),
            Some(9.89),
            Some(12.89),
            Some(13.95),
            Some(14.17),
            Some(15.96),
            Some(18.54),
            Some(20.03),
        ],
    ),
];

/// The published formula: the probability in percent that exactly one of several independent tiers has an answer.
pub(super) fn exactly_one(rates: &[f64]) -> f64 {
    let miss = |rate: &f64| 1.0 - rate / 100.0;
    (0..rates.len())
        .map(|index| {
            let others: f64 = rates
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index)
                .map(|(_, rate)| miss(rate))
                .product();
            rates[index] * others
        })
        .sum()
}

/// The probability in percent that at least one of several independent tiers has an answer.
pub(super) fn at_least_one(rates: &[f64]) -> f64 {
    100.0 * (1.0 - rates.iter().map(|rate| 1.0 - rate / 100.0).product::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_reproduces_the_first_row_but_not_the_second() {
        assert!((exactly_one(&TABLE_12[0].rates) - 43.0).abs() < 0.05);
        let second = exactly_one(&TABLE_12[1].rates);
        assert!((second - TABLE_12[1].overall).abs() > 10.0, "{second}");
        assert!((at_least_one(&[50.0, 50.0]) - 75.0).abs() < 1e-9);
        assert!((exactly_one(&[50.0, 50.0]) - 50.0).abs() < 1e-9);
    }
}

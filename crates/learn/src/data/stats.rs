//! Statistics of data files.

use std::collections::BTreeMap;

use serde::Serialize;
use surus_record::packed::{Flags, PackedGame, PackedSample, Score};
use surus_rules::Side;

use super::{DataError, InputFiles, Skipped};

/// Statistics of the games and samples of some files.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Stats {
    /// Number of games.
    pub games: u64,
    /// Number of samples.
    pub positions: u64,
    /// Games won by gold.
    pub gold: u64,
    /// Games won by silver.
    pub silver: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games by the letter of their termination, as in the archive.
    pub endings: BTreeMap<char, u64>,
    /// Samples per game: minimum, mean and maximum.
    pub length: (u64, f64, u64),
    /// Mean search depth in steps.
    pub depth: f64,
    /// Samples with each flag.
    pub flags: BTreeMap<&'static str, u64>,
    /// Samples by score for the side to move.
    pub scores: Vec<Bin>,
    /// The provenance of each source.
    pub origins: Vec<BTreeMap<String, String>>,
    /// Corrupt input that was skipped.
    pub skipped: Skipped,
}

/// Samples in a range of scores.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Bin {
    /// The lowest score in centirabbits; `None` for proven losses and for the lowest range.
    pub from: Option<i32>,
    /// The end of the range, exclusive; `None` for proven wins and for the highest range.
    pub to: Option<i32>,
    /// Whether the scores are proven.
    pub proven: bool,
    /// Number of samples.
    pub positions: u64,
    /// Points of the side to move: 1 for a won game, 0.5 without a winner.
    pub points: f64,
}

/// The edges of the bins.
const EDGES: [i32; 15] =
    [-1600, -800, -400, -200, -100, -50, -25, 25, 50, 100, 200, 400, 800, 1600, i32::MAX];

fn bins() -> Vec<Bin> {
    let bin = |from, to, proven| Bin { from, to, proven, positions: 0, points: 0.0 };
    let mut bins = vec![bin(None, None, true), bin(None, Some(EDGES[0]), false)];
    for pair in EDGES.windows(2) {
        bins.push(bin(Some(pair[0]), Some(pair[1]).filter(|to| *to != i32::MAX), false));
    }
    bins.push(bin(None, None, true));
    bins
}

fn bin_of(score: Score) -> usize {
    match score {
        Score::Loss { .. } => 0,
        Score::Centirabbits(score) => 1 + EDGES.iter().filter(|edge| **edge <= score).count(),
        Score::Win { .. } => EDGES.len() + 1,
    }
}

/// The statistics of all games of the files.
pub fn stats(inputs: &InputFiles) -> Result<Stats, DataError> {
    let mut stats = Stats {
        scores: bins(),
        flags: Flags::NAMES.map(|(name, _)| (name, 0)).into(),
        origins: inputs.header.origins.iter().map(surus_record::packed::Provenance::to_map).collect(),
        ..Stats::default()
    };
    stats.skipped = inputs.for_each_game(|_, _, game| {
        stats.add_game(&game);
        Ok(())
    })?;
    stats.length.1 = stats.positions as f64 / stats.games.max(1) as f64;
    stats.depth /= stats.positions.max(1) as f64;
    Ok(stats)
}

impl Stats {
    fn add_game(&mut self, game: &PackedGame) {
        let length = game.samples.len() as u64;
        self.length.0 = if self.games == 0 { length } else { self.length.0.min(length) };
        self.length.2 = self.length.2.max(length);
        self.games += 1;
        self.positions += length;
        *match game.result {
            Some(Side::Gold) => &mut self.gold,
            Some(Side::Silver) => &mut self.silver,
            None => &mut self.draws,
        } += 1;
        *self.endings.entry(game.reason.letter()).or_default() += 1;
        game.samples.iter().for_each(|sample| self.add_sample(sample));
    }

    fn add_sample(&mut self, sample: &PackedSample) {
        let flags = sample.flags();
        for (name, _) in Flags::NAMES.iter().filter(|(_, flag)| flags.contains(*flag)) {
            *self.flags.entry(name).or_default() += 1;
        }
        self.depth += f64::from(sample.depth());
        if let Some(bin) = self.scores.get_mut(bin_of(sample.score())) {
            bin.positions += 1;
            bin.points += f64::from(sample.outcome());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_within_their_bin() {
        let bins = bins();
        assert_eq!(bins.len(), EDGES.len() + 2);
        for number in -32_000..=32_000 {
            let bin = &bins[bin_of(Score::Centirabbits(number))];
            assert!(!bin.proven, "{number}");
            assert!(bin.from.is_none_or(|from| from <= number), "{number}");
            assert!(bin.to.is_none_or(|to| number < to), "{number}");
        }
        for score in [Score::Win { turns: 3 }, Score::Loss { turns: 3 }] {
            assert!(bins[bin_of(score)].proven, "{score}");
        }
    }
}

//! What is in files of packed records.

use std::collections::BTreeMap;

use serde::Serialize;
use surus_record::packed::{Flags, PackedGame, PackedSample, Score};
use surus_rules::Side;

use super::{DataError, InputFiles, Skipped};

/// The figures of some files.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Stats {
    /// Games.
    pub games: u64,
    /// Records.
    pub positions: u64,
    /// Games that gold won.
    pub gold: u64,
    /// Games that silver won.
    pub silver: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games by the letter of their ending, as in the archive.
    pub endings: BTreeMap<char, u64>,
    /// The fewest records of a game, the mean, and the most.
    pub length: (u64, f64, u64),
    /// Mean depth of the searches in steps.
    pub depth: f64,
    /// Records with each flag.
    pub flags: BTreeMap<&'static str, u64>,
    /// Records by score for the side to move.
    pub scores: Vec<Bin>,
    /// What each origin told of itself.
    pub origins: Vec<BTreeMap<String, String>>,
    /// What was damaged.
    pub skipped: Skipped,
}

/// Records whose scores lie together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Bin {
    /// From this score on, in hundredths of a rabbit; none: proven to lose, or anything below the rest.
    pub from: Option<i32>,
    /// Up to but not with this score; none: proven to win, or anything above the rest.
    pub to: Option<i32>,
    /// Whether these are the proven ones.
    pub proven: bool,
    /// How many.
    pub positions: u64,
    /// How many points the side to move got from them: 1 for a won game, a half if nobody won.
    pub points: f64,
}

/// Where bins of scores begin and end.
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

/// Counts everything.
pub fn stats(inputs: &InputFiles) -> Result<Stats, DataError> {
    let mut stats = Stats {
        scores: bins(),
        flags: Flags::NAMES.map(|(name, _)| (name, 0)).into(),
        origins: inputs.header.origins.iter().map(surus_record::packed::Provenance::to_map).collect(),
        ..Stats::default()
    };
    stats.skipped = inputs.for_each_game(|_, _, game| {
        stats.game(&game);
        Ok(())
    })?;
    stats.length.1 = stats.positions as f64 / stats.games.max(1) as f64;
    stats.depth /= stats.positions.max(1) as f64;
    Ok(stats)
}

impl Stats {
    fn game(&mut self, game: &PackedGame) {
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
        game.samples.iter().for_each(|record| self.record(record));
    }

    fn record(&mut self, record: &PackedSample) {
        let flags = record.flags();
        for (name, _) in Flags::NAMES.iter().filter(|(_, flag)| flags.contains(*flag)) {
            *self.flags.entry(name).or_default() += 1;
        }
        self.depth += f64::from(record.depth());
        if let Some(bin) = self.scores.get_mut(bin_of(record.score())) {
            bin.positions += 1;
            bin.points += f64::from(record.outcome());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_in_its_bin() {
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

//! The effect of each search feature, estimated from one set of games.
//!
//! Both sides of a pair of games play with some features disabled, drawn independently for each side and pair. Every
//! pair is therefore a sample for every feature that only one side has, and the mean over those pairs estimates the
//! effect of the feature.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rand::{RngExt as _, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_arena::{
    Adjudication, EngineLimits, EngineSpec, GameOptions, Openings, Participant, Schedule, Tournament,
    TournamentFormat,
};
use surus_engine::FEATURES;
use surus_play::{EngineError, Registry, ResignRule, StopToken};
use surus_record::journal::LineJournal;
use surus_rules::Side;

use crate::error::LabError;

/// Column names of the journal of pairs.
const HEADER: &str = "points\tfirst without\tsecond without\tengine\tcrc32";
/// A feature is disabled with probability `1 / OFF_ONE_IN`.
const OFF_ONE_IN: u32 = 4;
/// A side resigns at this score in centirabbits, reached in this number of consecutive turns.
const RESIGN_RULE: ResignRule = ResignRule { centirabbits: 800, turns: 6 };
/// Elo per point scored, near an even score.
const ELO: f64 = 694.9;

/// The experiment.
#[derive(Clone, Debug)]
pub struct Ablation {
    /// Nodes per turn.
    pub nodes: u64,
    /// Number of game pairs to play.
    pub pairs: u64,
    /// Determines the disabled features and the openings of every pair.
    pub seed: u64,
    /// Journal with a line for each finished pair.
    pub file: PathBuf,
}

/// Two games with the same opening and colours exchanged.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// Disabled features of the first and the second side.
    pub off: [Vec<String>; 2],
    /// Points of the first side, from 0 to 2.
    pub points: f64,
}

/// The estimated effect of one feature.
#[derive(Clone, PartialEq, Debug)]
struct FeatureEffect {
    name: &'static str,
    /// From [`FEATURES`].
    help: &'static str,
    /// Pairs in which exactly one side had the feature.
    pairs: u64,
    /// Mean and half the width of the 95 % interval.
    elo: (f64, f64),
}

impl Ablation {
    /// Plays the pairs that are not in the journal yet and calls `on_pair` with the number of finished pairs.
    pub fn play(
        &self,
        registry: &Registry,
        stop: &StopToken,
        mut on_pair: impl FnMut(u64),
    ) -> Result<Vec<Pair>, LabError> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).map_err(LabError::file(folder))?;
        }
        let id = spec(&[]).instantiate(registry).map_err(|error| failed(&error))?.id().to_string();
        let (mut journal, mut pairs) = self.open(&id)?;
        while (pairs.len() as u64) < self.pairs && !stop.should_stop() {
            let number = pairs.len() as u64;
            let off = self.draw(number);
            let Some(points) = self.play_pair(number, &off, &id, registry, stop)? else { break };
            let pair = Pair { off, points };
            journal.append(&format!("{}\t{id}", pair.line()))?;
            pairs.push(pair);
            on_pair(pairs.len() as u64);
        }
        journal.sync()?;
        Ok(pairs)
    }

    /// Opens the journal; its pairs must have these settings and this engine revision.
    fn open(&self, id: &str) -> Result<(LineJournal, Vec<Pair>), LabError> {
        let (mut pairs, mut other) = (Vec::new(), None);
        let journal = LineJournal::open(&self.file, HEADER, |row| {
            let (line, engine) = row.rsplit_once('\t').ok_or("expected 4 columns")?;
            let pair = Pair::read(line).filter(|pair| pair.off == self.draw(pairs.len() as u64));
            pairs.push(pair.ok_or("a pair of other settings: choose another directory")?);
            other = other.take().or_else(|| (engine != id).then(|| engine.to_owned()));
            Ok(())
        })?;
        match other {
            Some(before) => Err(LabError::Revision { path: self.file.clone(), before, now: id.into() }),
            None => Ok((journal, pairs)),
        }
    }

    /// The disabled features of both sides in pair `number`.
    fn draw(&self, number: u64) -> [Vec<String>; 2] {
        let mut rng = Pcg64Mcg::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        [(); 2].map(|()| {
            let names = FEATURES.iter().filter(|_| rng.random_ratio(1, OFF_ONE_IN));
            names.map(|&(name, _)| name.to_owned()).collect()
        })
    }

    fn play_pair(
        &self,
        number: u64,
        off: &[Vec<String>; 2],
        id: &str,
        registry: &Registry,
        stop: &StopToken,
    ) -> Result<Option<f64>, LabError> {
        let limits = EngineLimits { nodes: Some(self.nodes), ..EngineLimits::default() };
        let specs = off.each_ref().map(|off| spec(off));
        let participant = |(index, spec): (usize, &'_ EngineSpec)| {
            let spec = spec.clone();
            Participant {
                name: index.to_string(),
                id: id.into(),
                limits,
                create_engine: Box::new(move |_| spec.instantiate(registry)),
            }
        };
        let run = Tournament {
            participants: specs.iter().enumerate().map(participant).collect(),
            openings: Openings::Book { seed: self.seed.wrapping_add(number) },
            options: GameOptions {
                adjudication: Adjudication { resign: Some(RESIGN_RULE), length: None },
                stall_timeout: Duration::from_secs(600),
                stop: stop.clone(),
            },
            concurrency: 1,
            sync_games: false,
            event: "ablation".into(),
            engine_logs: None,
        };
        let scheduled_games =
            Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: 2 }.games();
        let mut points = Vec::new();
        run.play(scheduled_games, None, |scheduled, entry, _| {
            points.push(match entry.winner {
                Some(Side::Gold) => f64::from(u8::from(scheduled.gold == 0)),
                Some(Side::Silver) => f64::from(u8::from(scheduled.gold == 1)),
                None => 0.5,
            });
        })?;
        Ok((points.len() == 2).then(|| points.iter().sum()))
    }
}

/// The engine with the features in `off` disabled.
fn spec(off: &[String]) -> EngineSpec {
    EngineSpec::parse(&format!("alphabeta:hash=16,disable={}", off.join("+")))
}

fn failed(error: &EngineError) -> LabError {
    LabError::Engine { engine: "alphabeta".into(), problem: error.to_string() }
}

impl Pair {
    fn line(&self) -> String {
        format!("{}\t{}\t{}", self.points, self.off[0].join("+"), self.off[1].join("+"))
    }

    fn read(line: &str) -> Option<Self> {
        let mut parts = line.split('\t');
        let points = parts.next()?.parse().ok()?;
        let mut names = || {
            let list = parts.next()?.split('+').filter(|name| !name.is_empty());
            Some(list.map(str::to_owned).collect())
        };
        Some(Self { points, off: [names()?, names()?] })
    }
}

/// The effect of every feature, largest first.
fn estimate_effects(pairs: &[Pair]) -> Vec<FeatureEffect> {
    let mut by_name: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for pair in pairs {
        for &(name, _) in FEATURES {
            let lacks = |side: usize| pair.off[side].iter().any(|off| off == name);
            if lacks(0) != lacks(1) {
                let points = if lacks(1) { pair.points } else { 2.0 - pair.points };
                by_name.entry(name).or_default().push(points / 2.0 - 0.5);
            }
        }
    }
    let estimate = |&(name, help): &(&'static str, &'static str)| {
        let samples = by_name.get(name).map_or(&[][..], Vec::as_slice);
        let count = samples.len().max(1) as f64;
        let mean = samples.iter().sum::<f64>() / count;
        let variance = samples.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / count;
        // A single sample has no variance.
        let error = if samples.len() < 2 { f64::INFINITY } else { 1.96 * (variance / count).sqrt() * ELO };
        FeatureEffect { name, help, pairs: samples.len() as u64, elo: (mean * ELO, error) }
    };
    let mut all: Vec<FeatureEffect> = FEATURES.iter().map(estimate).collect();
    all.sort_by(|a, b| b.elo.0.total_cmp(&a.elo.0));
    all
}

/// Renders the report as Markdown.
#[must_use]
pub fn ablation_report(ablation: &Ablation, pairs: &[Pair], command: &str) -> String {
    let mut text = format!(
        "# Effect of the search features\n\n\
         Generated by `{command}`. In each pair of games, one feature in {OFF_ONE_IN} is disabled at random for each side; \
         {} nodes per turn, {} pairs of games. A row compares the sides with a feature to those without it, over the pairs in \
         which only one side had it, so each effect is measured with other features also disabled. Errors are 95 % \
         intervals.\n\n\
         | feature | description | pairs | Elo |\n| --- | --- | --- | --- |\n",
        ablation.nodes,
        pairs.len()
    );
    for FeatureEffect { name, help, pairs, elo: (elo, error) } in estimate_effects(pairs) {
        let elo = if error.is_finite() { format!("{elo:+.0} ± {error:.0}") } else { "not played".into() };
        let _ = writeln!(text, "| `{name}` | {help} | {pairs} | {elo} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(pairs: u64, name: &str) -> Ablation {
        let file = std::env::temp_dir().join(format!("surus-{name}-{}.txt", std::process::id()));
        let _ = fs::remove_file(&file);
        Ablation { nodes: 20, pairs, seed: 3, file }
    }

    #[test]
    fn a_feature_that_wins_every_game_ranks_first() {
        let first = FEATURES[0].0;
        let pair = |points: f64, off: [&[&str]; 2]| Pair {
            points,
            off: off.map(|names| names.iter().map(|&name| name.to_owned()).collect()),
        };
        let other = FEATURES[1].0;
        let pairs =
            [pair(2.0, [&[], &[first]]), pair(0.0, [&[first, other], &[other]]), pair(1.0, [&[other], &[]])];
        let effects = estimate_effects(&pairs);
        assert_eq!((effects[0].name, effects[0].pairs, effects[0].elo), (first, 2, (ELO / 2.0, 0.0)));
        let second = effects.iter().find(|effect| effect.name == other).unwrap();
        assert_eq!((second.pairs, second.elo.0), (1, 0.0));
        assert!(second.elo.1.is_infinite());
    }

    #[test]
    fn finished_pairs_are_saved_and_a_torn_line_is_replayed() {
        let mut registry = Registry::default();
        registry.add("alphabeta", "", || Box::new(surus_engine::AlphaBeta::default()));
        let ablation = experiment(2, "ablation");
        let stop = StopToken::default();
        let all = ablation.play(&registry, &stop, |_| ()).unwrap();
        assert_eq!(all.len(), 2);
        assert_ne!(all[0].off, all[1].off);
        let text = fs::read_to_string(&ablation.file).unwrap();
        fs::write(&ablation.file, &text[..text.len() - 3]).unwrap();
        let mut counts = Vec::new();
        assert_eq!(ablation.play(&registry, &stop, |count| counts.push(count)).unwrap(), all);
        assert_eq!((counts, fs::read_to_string(&ablation.file).unwrap()), (vec![2], text));
        let error = Ablation { seed: 4, ..ablation.clone() }.play(&registry, &stop, |_| ()).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
        fs::remove_file(&ablation.file).unwrap();
    }
}

//! What each part of the search is worth, all of them measured with the same games.
//!
//! Both sides of a pair of games play with some parts off, drawn by chance for each side and pair. So every pair says
//! something about every part that only one side has, and as the draws have nothing to do with each other, the mean
//! over those pairs is what that part is worth.

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
use surus_play::{EngineError, Registry, StopToken};
use surus_record::journal::LineJournal;
use surus_rules::Side;

use crate::error::LabError;

/// The columns of the journal of pairs.
const HEADER: &str = "points\tfirst without\tsecond without\tengine\tcrc32";
/// One part in so many is off.
const OFF_ONE_IN: u32 = 4;
/// Games are given to who is this far ahead, in hundredths of a rabbit, for so many turns.
const RESIGN_RULE: (i32, u32) = (800, 6);
/// Elo for a whole point near even.
const ELO: f64 = 694.9;

/// The experiment.
#[derive(Clone, Debug)]
pub struct Ablation {
    /// Nodes for a turn.
    pub nodes: u64,
    /// Pairs of games that are wanted.
    pub pairs: u64,
    /// The same seed, the same pairs.
    pub seed: u64,
    /// The file with a line for each finished pair.
    pub file: PathBuf,
}

/// Two games with the same opening, each side once gold.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// What is off for either side.
    pub off: [Vec<String>; 2],
    /// The points of the first, from 0 to 2.
    pub points: f64,
}

/// What a part is worth.
#[derive(Clone, PartialEq, Debug)]
struct FeatureEffect {
    /// The part.
    name: &'static str,
    /// What it does.
    help: &'static str,
    /// Pairs in which one side had it and the other had not.
    pairs: u64,
    /// In Elo, with the half of the 95 % interval.
    elo: (f64, f64),
}

impl Ablation {
    /// Plays the pairs that are not in the file yet; `told` hears how many there are.
    pub fn play(
        &self,
        registry: &Registry,
        stop: &StopToken,
        mut told: impl FnMut(u64),
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
            told(pairs.len() as u64);
        }
        journal.sync()?;
        Ok(pairs)
    }

    /// The journal and the pairs in it, which must be of these settings and this revision.
    fn open(&self, id: &str) -> Result<(LineJournal, Vec<Pair>), LabError> {
        let (mut pairs, mut other) = (Vec::new(), None);
        let journal = LineJournal::open(&self.file, HEADER, |row| {
            let (line, engine) = row.rsplit_once('\t').ok_or("expected 4 columns")?;
            let pair = Pair::read(line).filter(|pair| pair.off == self.draw(pairs.len() as u64));
            pairs.push(pair.ok_or("not a pair of these settings: choose another directory")?);
            other = other.take().or_else(|| (engine != id).then(|| engine.to_owned()));
            Ok(())
        })?;
        match other {
            Some(before) => Err(LabError::Revision { path: self.file.clone(), before, now: id.into() }),
            None => Ok((journal, pairs)),
        }
    }

    /// What is off in a pair.
    fn draw(&self, number: u64) -> [Vec<String>; 2] {
        let mut chance = Pcg64Mcg::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        [(); 2].map(|()| {
            let names = FEATURES.iter().filter(|_| chance.random_ratio(1, OFF_ONE_IN));
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
        let pace = EngineLimits { nodes: Some(self.nodes), ..EngineLimits::default() };
        let specs = off.each_ref().map(|off| spec(off));
        let entrant = |(index, spec): (usize, &'_ EngineSpec)| {
            let spec = spec.clone();
            Participant {
                name: index.to_string(),
                id: id.into(),
                pace,
                create_engine: Box::new(move || spec.instantiate(registry)),
            }
        };
        let run = Tournament {
            participants: specs.iter().enumerate().map(entrant).collect(),
            openings: Openings::Book { seed: self.seed.wrapping_add(number) },
            conditions: GameOptions {
                adjudication: Adjudication { resign: Some(RESIGN_RULE), length: None },
                stall_timeout: Duration::from_secs(600),
                stop: stop.clone(),
            },
            concurrency: 1,
            event: "ablation".into(),
        };
        let fixtures = Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: 2 }
            .games_per_pairing();
        let mut points = Vec::new();
        run.play(fixtures, None, |fixture, entry, _| {
            points.push(match entry.winner {
                Some(Side::Gold) => f64::from(u8::from(fixture.gold == 0)),
                Some(Side::Silver) => f64::from(u8::from(fixture.gold == 1)),
                None => 0.5,
            });
        })?;
        Ok((points.len() == 2).then(|| points.iter().sum()))
    }
}

/// The engine without these parts.
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

/// What the pairs say about every part, the worthiest first.
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
    let worth = |&(name, help): &(&'static str, &'static str)| {
        let found = by_name.get(name).map_or(&[][..], Vec::as_slice);
        let count = found.len().max(1) as f64;
        let mean = found.iter().sum::<f64>() / count;
        let spread = found.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / count;
        // Without games nothing is known.
        let error = if found.len() < 2 { f64::INFINITY } else { 1.96 * (spread / count).sqrt() * ELO };
        FeatureEffect { name, help, pairs: found.len() as u64, elo: (mean * ELO, error) }
    };
    let mut all: Vec<FeatureEffect> = FEATURES.iter().map(worth).collect();
    all.sort_by(|a, b| b.elo.0.total_cmp(&a.elo.0));
    all
}

/// The page.
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
    fn a_part_that_wins_every_game_is_worth_most() {
        let first = FEATURES[0].0;
        let pair = |points: f64, off: [&[&str]; 2]| Pair {
            points,
            off: off.map(|names| names.iter().map(|&name| name.to_owned()).collect()),
        };
        let other = FEATURES[1].0;
        let pairs =
            [pair(2.0, [&[], &[first]]), pair(0.0, [&[first, other], &[other]]), pair(1.0, [&[other], &[]])];
        let worths = estimate_effects(&pairs);
        assert_eq!((worths[0].name, worths[0].pairs, worths[0].elo), (first, 2, (ELO / 2.0, 0.0)));
        let second = worths.iter().find(|worth| worth.name == other).unwrap();
        assert_eq!((second.pairs, second.elo.0), (1, 0.0));
        assert!(second.elo.1.is_infinite());
    }

    #[test]
    fn pairs_are_kept_and_a_torn_line_is_played_again() {
        let mut registry = Registry::default();
        registry.add("alphabeta", "", || Box::new(surus_engine::AlphaBeta::default()));
        let wanted = experiment(2, "ablation");
        let stop = StopToken::default();
        let all = wanted.play(&registry, &stop, |_| ()).unwrap();
        assert_eq!(all.len(), 2);
        assert_ne!(all[0].off, all[1].off);
        let text = fs::read_to_string(&wanted.file).unwrap();
        fs::write(&wanted.file, &text[..text.len() - 3]).unwrap();
        let mut told = Vec::new();
        assert_eq!(wanted.play(&registry, &stop, |count| told.push(count)).unwrap(), all);
        assert_eq!((told, fs::read_to_string(&wanted.file).unwrap()), (vec![2], text));
        let error = Ablation { seed: 4, ..wanted.clone() }.play(&registry, &stop, |_| ()).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
        fs::remove_file(&wanted.file).unwrap();
    }
}

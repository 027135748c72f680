//! One match of an experiment, every finished game on disk.

use std::path::{Path, PathBuf};
use std::time::Duration;

use surus_arena::{
    Adjudication, Contest, EngineLimits, EngineSpec, Manifest, ManifestEngine, MatchStats, Openings,
    RunDirError, Schedule, Scoreboard, Terms, TournamentFormat, make_names_unique, read_run,
};
use surus_play::{Registry, StopToken};
use surus_record::Shard;

use crate::config::MatchSide;
use crate::error::LabError;

/// A match that is asked for.
#[derive(Clone, Debug)]
pub struct MatchRun<'a> {
    /// Who is measured, and against whom.
    pub sides: [MatchSide; 2],
    /// How many games.
    pub games: u64,
    /// Where openings begin.
    pub openings: Openings,
    /// Games of more turns are drawn.
    pub max_turns: u32,
    /// How many games at once.
    pub concurrency: usize,
    /// Where games are kept, in a folder for each match.
    pub runs_dir: &'a Path,
}

impl MatchRun<'_> {
    fn specs(&self) -> Result<Vec<EngineSpec>, LabError> {
        let mut specs = Vec::new();
        for side in &self.sides {
            specs.push(EngineSpec { pace: limits(side)?, ..EngineSpec::parse(&side.name) });
        }
        make_names_unique(&mut specs);
        Ok(specs)
    }

    /// The match, with the folder for its games.
    fn contest<'r>(&self, registry: &'r Registry) -> Result<Contest<'r>, LabError> {
        let terms = Terms {
            openings: self.openings.clone(),
            openings_name: describe_openings(&self.openings),
            adjudication: Adjudication { resign: None, length: Some(self.max_turns) },
            stall: Duration::from_secs(600),
            concurrency: self.concurrency,
            shard: Shard::default(),
            comment: String::new(),
            out: None,
            resume: true,
            default_pace: EngineLimits::default(),
        };
        let schedule =
            Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: self.games };
        let mut contest = Contest::prepare(self.specs()?, schedule, "match", terms, registry)?;
        contest.terms.out = Some(self.runs_dir.join(match_id(&contest.manifest())?));
        Ok(contest)
    }

    /// The file of its games, in the columns of the official archive.
    pub fn games_file(&self, registry: &Registry) -> Result<PathBuf, LabError> {
        let out = self.contest(registry)?.terms.out;
        Ok(out.map_or_else(PathBuf::new, |folder| folder.join("games.txt")))
    }
}

/// Wilson's 95 % interval of a share of so many.
pub(crate) fn wilson(share: f64, count: u64) -> (f64, f64) {
    if count == 0 {
        return (0.0, 1.0);
    }
    let (n, z2) = (count as f64, 1.96 * 1.96);
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let width = 1.96 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    (middle - width, middle + width)
}

/// What a match has shown so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchScore {
    /// Games played.
    pub games: u64,
    /// Games asked for.
    pub games_requested: u64,
    /// The share of the points, from 0 to 1.
    pub score: f64,
    /// What to add and take away for the 95 % interval.
    pub error: f64,
}

impl MatchScore {
    fn of(tally: &MatchStats, wanted: u64) -> Self {
        let games = tally.games();
        let share = tally.score().unwrap_or(0.5);
        // The document's own formula, which takes no notice that openings are played twice.
        let error = if games == 0 { 0.5 } else { 1.96 * (share * (1.0 - share) / games as f64).sqrt() };
        Self { games, games_requested: wanted, score: share, error }
    }

    /// Its 95 % interval, which has a width at 0 and 100 % too.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.score, self.games)
    }

    /// Whether it agrees with a claim that the share lies between two percentages: as long as the interval reaches
    /// across one of them, that is open.
    #[must_use]
    pub fn check_claim(&self, (low, high): (f64, f64)) -> &'static str {
        let (from, to) = self.interval();
        match (100.0 * from, 100.0 * to) {
            _ if self.games == 0 => "",
            (from, to) if low <= from.max(0.0) && to.min(100.0) <= high => "agrees",
            (from, to) if high < from || to < low => "differs",
            _ => "open",
        }
    }

    /// In words: the share, its interval and the games behind it.
    #[must_use]
    pub fn summary(&self) -> String {
        match self.games {
            0 => "not played yet".into(),
            games if games < self.games_requested => format!(
                "{:.1} % ± {:.1} ({games} of {} games)",
                100.0 * self.score,
                100.0 * self.error,
                self.games_requested
            ),
            games => format!("{:.1} % ± {:.1} ({games} games)", 100.0 * self.score, 100.0 * self.error),
        }
    }
}

/// Plays the games of a match that are not on disk yet, until it is stopped; without `play` it only counts.
pub fn play_match(
    duel: &MatchRun<'_>,
    play: bool,
    registry: &Registry,
    stop: &StopToken,
) -> Result<MatchScore, LabError> {
    let contest = duel.contest(registry)?;
    let board = if play { contest.play(stop, |_| false)?.board } else { count(&contest)? };
    Ok(MatchScore::of(&board.tally(0, 1), duel.games))
}

/// The games that are on disk.
fn count(contest: &Contest<'_>) -> Result<Scoreboard, LabError> {
    let mut board = Scoreboard::default();
    let Some(path) = contest.terms.out.as_ref().filter(|path| path.join("run.toml").exists()) else {
        return Ok(board);
    };
    let (manifest, entries) = read_run(path)?;
    let differences = manifest.differences(&contest.manifest());
    if !differences.is_empty() {
        return Err(RunDirError::ManifestMismatch { path: path.clone(), diff: differences }.into());
    }
    for fixture in contest.fixtures() {
        if let Some(entry) = entries.iter().find(|entry| entry.id == fixture.id) {
            board.add(&fixture, entry.winner);
        }
    }
    Ok(board)
}

/// The name of a match's folder: the same for the same engines with the same options, so that a match that two figures
/// share is played once, and other values of a preset begin another. Ids are left out, so that games of another revision
/// are found, and refused.
fn match_id(manifest: &Manifest) -> Result<String, LabError> {
    let anonymous = |engine: &ManifestEngine| ManifestEngine { id: String::new(), ..engine.clone() };
    let engine = manifest.engine.iter().map(anonymous).collect();
    let text = toml::to_string(&Manifest { games: 0, started: 0, engine, ..manifest.clone() })
        .map_err(RunDirError::from)?;
    let mixed = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Ok(format!("{mixed:016x}"))
}

/// How openings are called where a match is described.
fn describe_openings(openings: &Openings) -> String {
    match openings {
        Openings::Book { seed } => format!("book, seed {seed}"),
        Openings::Random { seed } => format!("random, seed {seed}"),
        Openings::EngineSetups => "own".into(),
        Openings::FromFile(games) => format!("{} listed", games.len()),
    }
}

/// What a side is held to.
fn limits(side: &MatchSide) -> Result<EngineLimits, LabError> {
    let wrong = |problem: String| LabError::Engine { engine: side.name.clone(), problem };
    let nodes = match side.nodes.as_str() {
        "" => None,
        text => Some(text.parse().map_err(|_| wrong(format!("'{text}' is no number of playouts")))?),
    };
    let per_turn = match side.time.as_str() {
        "" => None,
        text => Some(
            text.parse()
                .ok()
                .filter(|seconds| (0.001..1e6).contains(seconds))
                .map(Duration::from_secs_f64)
                .ok_or_else(|| wrong(format!("'{text}' is no number of seconds")))?,
        ),
    };
    Ok(EngineLimits { nodes, time_per_turn: per_turn, ..EngineLimits::default() })
}

#[cfg(test)]
mod tests {
    use surus_play::{Greedy, Random};

    use super::*;

    fn registry() -> Registry {
        let mut registry = Registry::default();
        registry.add("random", "", || Box::new(Random::default()));
        registry.add("greedy", "", || Box::new(Greedy::default()));
        registry
    }

    fn side(name: &str) -> MatchSide {
        MatchSide { name: name.into(), nodes: String::new(), time: String::new() }
    }

    #[test]
    fn games_are_kept_and_only_the_missing_ones_are_played() {
        let folder = std::env::temp_dir().join(format!("surus-lab-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let wanted = MatchRun {
            sides: [side("greedy"), side("random")],
            games: 4,
            openings: Openings::Book { seed: 1 },
            max_turns: 40,
            concurrency: 1,
            runs_dir: &folder,
        };
        let (registry, stop) = (registry(), StopToken::default());
        assert_eq!(play_match(&wanted, false, &registry, &stop).unwrap().summary(), "not played yet");
        let first = play_match(&MatchRun { games: 2, ..wanted.clone() }, true, &registry, &stop).unwrap();
        assert_eq!((first.games, first.games_requested), (2, 2));
        let part = play_match(&wanted, false, &registry, &stop).unwrap();
        assert_eq!((part.games, part.score), (2, first.score));
        assert!(part.summary().ends_with("(2 of 4 games)"), "{}", part.summary());
        assert_eq!(play_match(&wanted, true, &registry, &stop).unwrap().games, 4);
        let folders: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(folders.len(), 1, "the same match has one folder");
        let lines = std::fs::read_to_string(folders[0].join("games.txt")).unwrap().lines().count();
        assert_eq!(lines, 5, "a heading and four games");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_claim_is_judged_by_wilson_s_interval() {
        let score = |games, share| MatchScore { games, games_requested: 400, score: share, error: 0.0 };
        let (from, to) = score(10, 1.0).interval();
        assert!((from - 0.7225).abs() < 0.001 && (to - 1.0).abs() < 1e-9, "{from} {to}");
        assert_eq!(score(0, 0.5).check_claim((50.0, 100.0)), "");
        assert_eq!(score(20, 0.6).check_claim((50.0, 100.0)), "open");
        assert_eq!(score(400, 0.6).check_claim((50.0, 100.0)), "agrees");
        assert_eq!(score(400, 0.4).check_claim((50.0, 100.0)), "differs");
        assert_eq!(score(400, 1.0).check_claim((90.0, 100.0)), "agrees");
        assert_eq!(score(400, 0.6).check_claim((54.0, 66.0)), "agrees");
    }

    #[test]
    fn a_side_that_cannot_be_is_told_by_name() {
        let folder = std::env::temp_dir().join(format!("surus-lab-none-{}", std::process::id()));
        let sides = [side("greddy"), side("random")];
        let wanted = MatchRun {
            sides,
            games: 2,
            openings: Openings::Book { seed: 1 },
            max_turns: 40,
            concurrency: 1,
            runs_dir: &folder,
        };
        let error = play_match(&wanted, true, &registry(), &StopToken::default()).unwrap_err().to_string();
        assert!(error.starts_with("engine 'greddy': "), "{error}");
        let odd = MatchSide { nodes: "many".into(), ..side("random") };
        assert_eq!(limits(&odd).unwrap_err().to_string(), "engine 'random': 'many' is no number of playouts");
    }
}

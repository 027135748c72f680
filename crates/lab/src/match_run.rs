//! One match of an experiment. Every finished game is saved before the next result is used.

use std::path::{Path, PathBuf};
use std::time::Duration;

use surus_arena::{
    Adjudication, Contest, EngineLimits, EngineSpec, Manifest, ManifestEngine, MatchStats, Openings, RunDir,
    RunDirError, Schedule, Scoreboard, SharedTask, Terms, TournamentFormat, collect, make_names_unique,
    read_run, task_dir,
};
use surus_play::{Registry, StopToken};
use surus_record::Shard;

use crate::config::MatchSide;
use crate::error::LabError;

/// A match to play.
#[derive(Clone, Debug)]
pub struct MatchRun<'a> {
    /// The measured engine and its opponent.
    pub sides: [MatchSide; 2],
    /// Number of games.
    pub games: u64,
    /// Source of the openings.
    pub openings: Openings,
    /// Longer games, in turns of both sides, are drawn.
    pub max_turns: u32,
    /// Games in parallel.
    pub concurrency: usize,
    /// Directory of the saved games; each match has a subdirectory.
    pub runs_dir: &'a Path,
}

impl MatchRun<'_> {
    fn specs(&self) -> Result<Vec<EngineSpec>, LabError> {
        let mut specs = Vec::new();
        for side in &self.sides {
            specs.push(EngineSpec { limits: limits(side)?, ..EngineSpec::parse(&side.name) });
        }
        make_names_unique(&mut specs);
        Ok(specs)
    }

    /// The contest of this match, with its output directory.
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
            engine_logs: None,
            default_limits: EngineLimits::default(),
            invocation: surus_arena::Invocation::default(),
            shared: None,
        };
        let schedule =
            Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: self.games };
        let mut contest = Contest::prepare(self.specs()?, schedule, "match", terms, registry)?;
        contest.terms.out = Some(self.runs_dir.join(match_id(&contest.manifest())?));
        Ok(contest)
    }

    /// The file of the games, in the format of the official archive.
    pub fn games_file(&self, registry: &Registry) -> Result<PathBuf, LabError> {
        let out = self.contest(registry)?.terms.out;
        Ok(out.map_or_else(PathBuf::new, |dir| dir.join("games.txt")))
    }
}

/// Wilson's 95 % interval of a proportion in `count` trials.
pub(crate) fn wilson(proportion: f64, count: u64) -> (f64, f64) {
    if count == 0 {
        return (0.0, 1.0);
    }
    let (n, z2) = (count as f64, 1.96 * 1.96);
    let middle = (proportion + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let width = 1.96 / (1.0 + z2 / n) * (proportion * (1.0 - proportion) / n + z2 / (4.0 * n * n)).sqrt();
    (middle - width, middle + width)
}

/// The score of a match so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchScore {
    /// Games played.
    pub games: u64,
    /// Games of the complete match.
    pub games_requested: u64,
    /// Score of the measured engine, from 0 to 1.
    pub score: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

impl MatchScore {
    fn from_stats(stats: &MatchStats, games_requested: u64) -> Self {
        let games = stats.games();
        let score = stats.score().unwrap_or(0.5);
        // The formula of [Akimot], which ignores that openings are played twice.
        let error = if games == 0 { 0.5 } else { 1.96 * (score * (1.0 - score) / games as f64).sqrt() };
        Self { games, games_requested, score, error }
    }

    /// Wilson's 95 % interval, which is not empty at 0 and 100 %.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.score, self.games)
    }

    /// Compares the interval with the range of a claim in percent: "agrees" if it lies inside, "differs" if outside,
    /// otherwise "open".
    #[must_use]
    pub fn check_claim(&self, (low, high): (f64, f64)) -> &'static str {
        let (from, to) = self.interval();
        match (100.0 * from, 100.0 * to) {
            _ if self.games == 0 => "",
            (from, to) if from.max(0.0) >= low && to.min(100.0) <= high => "agrees",
            (from, to) if from > high || to < low => "differs",
            _ => "open",
        }
    }

    /// The score with its interval and the number of games, as text.
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

/// Plays the missing games of a match until stopped; without `play` it only evaluates the saved ones.
pub fn play_match(
    match_run: &MatchRun<'_>,
    play: bool,
    registry: &Registry,
    stop: &StopToken,
) -> Result<MatchScore, LabError> {
    let contest = match_run.contest(registry)?;
    collect_tasks(&contest)?;
    let board = if play { contest.play(stop, |_| false)?.board } else { saved_results(&contest)? };
    Ok(MatchScore::from_stats(&board.stats(0, 1), match_run.games))
}

/// Plays the part of a task of several that work on a match; [`play_match`] finds their games.
pub(crate) fn play_match_task(
    match_run: &MatchRun<'_>,
    (task, tasks): (u64, u64),
    registry: &Registry,
    stop: &StopToken,
) -> Result<(), LabError> {
    let mut contest = match_run.contest(registry)?;
    if let Some(run) = contest.terms.out.take() {
        contest.terms.out = Some(task_dir(&run, task));
        contest.terms.shared = Some(SharedTask { run, task, tasks, block_pairs: 1, sprt: None });
        contest.play(stop, |_| false)?;
    }
    Ok(())
}

/// Adds the games of tasks to those of the match.
fn collect_tasks(contest: &Contest<'_>) -> Result<(), LabError> {
    if let Some(run) = contest.terms.out.as_ref().filter(|run| run.join("tasks").exists()) {
        drop(RunDir::open(run, &contest.manifest(), true)?);
        collect(run)?;
    }
    Ok(())
}

/// The manifest of a match, which has the ids of its engines.
pub(crate) fn match_manifest(match_run: &MatchRun<'_>, registry: &Registry) -> Result<Manifest, LabError> {
    Ok(match_run.contest(registry)?.manifest())
}

/// The results of the saved games.
fn saved_results(contest: &Contest<'_>) -> Result<Scoreboard, LabError> {
    let mut board = Scoreboard::default();
    let Some(path) = contest.terms.out.as_ref().filter(|path| path.join("run.toml").exists()) else {
        return Ok(board);
    };
    let (manifest, entries) = read_run(path)?;
    let differences = manifest.differences(&contest.manifest());
    if !differences.is_empty() {
        return Err(RunDirError::ManifestMismatch { path: path.clone(), diff: differences }.into());
    }
    for scheduled in contest.scheduled_games() {
        if let Some(entry) = entries.iter().find(|entry| entry.id == scheduled.id) {
            board.add(&scheduled, entry.winner);
        }
    }
    Ok(board)
}

/// The directory name of a match, a hash of its engines and options: a match that two figures share is played once, and
/// changed values of a preset start a new one. Engine ids are not part of it, so that games of another revision are found
/// and rejected.
fn match_id(manifest: &Manifest) -> Result<String, LabError> {
    let anonymous = |engine: &ManifestEngine| ManifestEngine { id: String::new(), ..engine.clone() };
    let engine = manifest.engine.iter().map(anonymous).collect();
    let text = toml::to_string(&Manifest { games: 0, started: 0, engine, ..manifest.clone() })
        .map_err(RunDirError::from)?;
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Ok(format!("{hash:016x}"))
}

/// The openings as the manifest of the run describes them.
fn describe_openings(openings: &Openings) -> String {
    match openings {
        Openings::Book { seed } => format!("book, seed {seed}"),
        Openings::Random { seed } => format!("random, seed {seed}"),
        Openings::EngineSetups => "own".into(),
        Openings::FromFile(games) => format!("{} listed", games.len()),
        Openings::Handicap { openings, missing } => {
            let letters: String = missing.iter().map(|piece| piece.letter()).collect();
            format!("{}, without {letters}", describe_openings(openings))
        }
    }
}

/// Parses the limits of a side.
fn limits(side: &MatchSide) -> Result<EngineLimits, LabError> {
    let invalid = |problem: String| LabError::Engine { engine: side.name.clone(), problem };
    let nodes = match side.nodes.as_str() {
        "" => None,
        text => Some(text.parse().map_err(|_| invalid(format!("invalid number of playouts '{text}'")))?),
    };
    let time_per_turn =
        match side.time.as_str() {
            "" => None,
            text => Some(
                text.parse()
                    .ok()
                    .filter(|seconds| (0.001..1e6).contains(seconds))
                    .map(Duration::from_secs_f64)
                    .ok_or_else(|| {
                        invalid(format!("invalid number of seconds '{text}': expected 0.001 to 1e6"))
                    })?,
            ),
        };
    Ok(EngineLimits { nodes, time_per_turn, ..EngineLimits::default() })
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
    fn only_missing_games_are_played() {
        let runs_dir = std::env::temp_dir().join(format!("surus-lab-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&runs_dir);
        let match_run = MatchRun {
            sides: [side("greedy"), side("random")],
            games: 4,
            openings: Openings::Book { seed: 1 },
            max_turns: 40,
            concurrency: 1,
            runs_dir: &runs_dir,
        };
        let (registry, stop) = (registry(), StopToken::default());
        assert_eq!(play_match(&match_run, false, &registry, &stop).unwrap().summary(), "not played yet");
        let first = play_match(&MatchRun { games: 2, ..match_run.clone() }, true, &registry, &stop).unwrap();
        assert_eq!((first.games, first.games_requested), (2, 2));
        let part = play_match(&match_run, false, &registry, &stop).unwrap();
        assert_eq!((part.games, part.score), (2, first.score));
        assert!(part.summary().ends_with("(2 of 4 games)"), "{}", part.summary());
        assert_eq!(play_match(&match_run, true, &registry, &stop).unwrap().games, 4);
        let folders: Vec<_> =
            std::fs::read_dir(&runs_dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(folders.len(), 1, "the same match has one directory");
        let lines = std::fs::read_to_string(folders[0].join("games.txt")).unwrap().lines().count();
        assert_eq!(lines, 5, "a header and four games");
        std::fs::remove_dir_all(&runs_dir).unwrap();
    }

    #[test]
    fn a_claim_is_checked_with_the_wilson_interval() {
        let score = |games, score| MatchScore { games, games_requested: 400, score, error: 0.0 };
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
    fn errors_name_the_engine() {
        let runs_dir = std::env::temp_dir().join(format!("surus-lab-none-{}", std::process::id()));
        let sides = [side("greddy"), side("random")];
        let match_run = MatchRun {
            sides,
            games: 2,
            openings: Openings::Book { seed: 1 },
            max_turns: 40,
            concurrency: 1,
            runs_dir: &runs_dir,
        };
        let error = play_match(&match_run, true, &registry(), &StopToken::default()).unwrap_err().to_string();
        assert!(error.starts_with("engine 'greddy': "), "{error}");
        let invalid = MatchSide { nodes: "many".into(), ..side("random") };
        assert_eq!(
            limits(&invalid).unwrap_err().to_string(),
            "engine 'random': invalid number of playouts 'many'"
        );
    }
}

//! The experiments of \[McKee\]: a player that mimics the games of a database.

mod play;
mod published;
mod report;
mod setups;
mod sizes;

use std::path::{Path, PathBuf};

use surus_archive::import::{ImportOptions, import};
use surus_archive::{ArchiveDb, DbLocation};
use surus_arena::Openings;
use surus_play::{Registry, StopToken};

use crate::config::MatchSide;
use crate::error::{LabError, read_json, write_json};
use crate::match_run::{MatchRun, play_match};
pub use play::{MimicGame, TierHits};
pub use sizes::ArchiveSizeResult;

/// Options of the experiment.
#[derive(Debug)]
pub struct MimicExperiment<'a> {
    /// Files of human games for the archive.
    pub files: Vec<PathBuf>,
    /// Engine games are added until the archive has this number of games.
    pub archive_games: u64,
    /// The engines that play the engine games.
    pub players: [String; 2],
    /// Engine games in parallel.
    pub concurrency: usize,
    /// Games against each opponent.
    pub games: u64,
    /// The main opponent.
    pub opponent: Opponent,
    /// Longer games, in turns of both sides, have no winner.
    pub max_turns: usize,
    /// Number of positions that are looked up at every size of the archive.
    pub probe_positions: usize,
    /// Directory of the archive and the saved games.
    pub out: &'a Path,
    /// Directory of the report and its plots.
    pub report_dir: &'a Path,
}

/// An opponent of `mimic`.
#[derive(Clone, Debug)]
pub struct Opponent {
    /// The engine; `{n}` is replaced by the number of the game.
    pub name: String,
    /// Nodes per turn.
    pub nodes: Option<u64>,
    /// File name of its games in the experiment's directory.
    file: &'static str,
}

impl Opponent {
    /// The opponent of the published tables.
    #[must_use]
    pub fn main(name: String, nodes: Option<u64>) -> Self {
        Self { name, nodes, file: "games.journal" }
    }

    /// Random play: \[McKee\] reports that its opponent plays no better.
    fn random() -> Self {
        Self { name: "random:seed={n}".into(), nodes: None, file: "random.journal" }
    }
}

/// The contents of the archive.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct ArchiveSummary {
    /// Human games.
    pub real: u64,
    /// Engine games.
    pub engines: u64,
    /// Positions of all games.
    pub positions: u64,
    /// Files of the engine games.
    pub files: Vec<PathBuf>,
}

/// Plays the missing games, measures what is missing and writes the report.
pub fn mimic(
    experiment: &MimicExperiment<'_>,
    registry: &Registry,
    stop: &StopToken,
    mut log: impl FnMut(&str),
) -> Result<(), LabError> {
    std::fs::create_dir_all(experiment.out)
        .map_err(|error| LabError::Io { path: experiment.out.into(), error })?;
    let Some(summary) = fill_archive(experiment, registry, stop, &mut log)? else {
        log("stopped: the archive is incomplete; run the command again with --resume");
        return Ok(());
    };
    let rows = play::games(experiment, &experiment.opponent, registry, stop, &mut log)?;
    let random = play::games(experiment, &Opponent::random(), registry, stop, &mut log)?;
    if stop.should_stop() && (random.len() as u64) < experiment.games {
        log("stopped: the report covers the games played so far");
    }
    let sizes = sizes::measure(experiment, &summary, &rows, stop, &mut log)?;
    report::write(experiment, &summary, &rows, &random, &sizes)
}

fn failed(error: &surus_archive::ArchiveError) -> LabError {
    LabError::Config { name: "archive".into(), problem: error.to_string() }
}

impl MimicExperiment<'_> {
    fn archive_file(&self) -> PathBuf {
        self.out.join("archive.db")
    }

    fn archive_location(&self) -> DbLocation {
        DbLocation::Sqlite(self.archive_file())
    }

    /// The matches with `games` engine games in all. Each round plays all setups of the human games, because humans prefer few
    /// setups, and has a seed of its own, so that the players make different mistakes.
    fn engine_games(&self, games: u64) -> Result<Vec<MatchRun<'_>>, LabError> {
        let setups = setups::read_setups(&self.files)?;
        let (openings, round) = match 2 * setups.len() as u64 {
            0 => (Openings::Book { seed: 1 }, games.max(1)),
            round => (Openings::FromFile(setups), round),
        };
        let max_turns = u32::try_from(self.max_turns).unwrap_or(u32::MAX);
        let match_run = |seed: u64| {
            let side = |name: &String| {
                let separator = if name.contains(':') { ',' } else { ':' };
                let name = format!("{name}{separator}seed={seed}");
                MatchSide { name, nodes: String::new(), time: String::new() }
            };
            let sides = self.players.each_ref().map(side);
            let (openings, games) = (openings.clone(), round.min(games - (seed - 1) * round));
            MatchRun { sides, games, openings, max_turns, concurrency: self.concurrency, runs_dir: self.out }
        };
        Ok((1..=games.div_ceil(round)).map(match_run).collect())
    }
}

/// Fills the archive with human games, then with engine games. Returns `None` if stopped before the end.
fn fill_archive(
    experiment: &MimicExperiment<'_>,
    registry: &Registry,
    stop: &StopToken,
    log: &mut impl FnMut(&str),
) -> Result<Option<ArchiveSummary>, LabError> {
    let file = experiment.out.join("archive.json");
    if let Some(summary) = read_json(&file)? {
        return Ok(Some(summary));
    }
    let db = ArchiveDb::open_or_create(&experiment.archive_location()).map_err(|error| failed(&error))?;
    let import_files = |files: &[PathBuf]| {
        import(&db, files, &ImportOptions::default(), &Default::default(), &mut |_| ())
            .map_err(|error| failed(&error))
    };
    let real = import_files(&experiment.files)?;
    let count = experiment.archive_games.saturating_sub(real.games_added + real.duplicates);
    log(&format!(
        "playing {count} games of {} against {} for the archive",
        experiment.players[0], experiment.players[1]
    ));
    let mut files = Vec::new();
    for match_run in experiment.engine_games(count)? {
        play_match(&match_run, true, registry, stop)?;
        if stop.should_stop() {
            return Ok(None);
        }
        files.push(match_run.games_file(registry)?);
    }
    let engines = import_files(&files)?;
    let summary = ArchiveSummary {
        real: real.games_added + real.duplicates,
        engines: engines.games_added + engines.duplicates,
        positions: surus_archive::stats(&db, 1).map_err(|error| failed(&error))?.positions,
        files,
    };
    write_json(&file, &summary)?;
    log(&format!("the archive has {} human games and {} engine games", summary.real, summary.engines));
    Ok(Some(summary))
}

//! The document about a player that mimics the games of a database, run again.

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

/// What the experiment is to do.
#[derive(Debug)]
pub struct MimicExperiment<'a> {
    /// Files of real games.
    pub files: Vec<PathBuf>,
    /// Games of engines are added until the archive has so many.
    pub archive: u64,
    /// Who plays those games.
    pub players: [String; 2],
    /// How many of those games at once.
    pub at_once: usize,
    /// Games to play.
    pub games: u64,
    /// Who is played against.
    pub opponent: Opponent,
    /// After so many turns of both sides a game is nobody's.
    pub turns: usize,
    /// Positions that are asked about for every size of the archive.
    pub probe_positions: usize,
    /// The folder for the archive and the finished games.
    pub out: &'a Path,
    /// The folder for the page and its plots.
    pub page: &'a Path,
}

/// Somebody to play against.
#[derive(Clone, Debug)]
pub struct Opponent {
    /// The engine; `{n}` becomes the game's number.
    pub name: String,
    /// Positions that it may look at for a turn.
    pub nodes: Option<u64>,
    /// Its games, a file in the experiment's folder.
    file: &'static str,
}

impl Opponent {
    /// The one that the document's tables are about.
    #[must_use]
    pub fn main(name: String, nodes: Option<u64>) -> Self {
        Self { name, nodes, file: "games.journal" }
    }

    /// Chance itself: the document says that its opponent plays no better.
    fn random() -> Self {
        Self { name: "random:seed={n}".into(), nodes: None, file: "chance.journal" }
    }
}

/// What the archive was made of.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct ArchiveSummary {
    /// Real games.
    pub real: u64,
    /// Games of engines.
    pub engines: u64,
    /// Positions of all.
    pub positions: u64,
    /// Where the games of engines are.
    pub files: Vec<PathBuf>,
}

/// Plays what is missing and writes the page; what is on disk is not done again.
pub fn mimic(
    lab: &MimicExperiment<'_>,
    registry: &Registry,
    stop: &StopToken,
    mut tell: impl FnMut(&str),
) -> Result<(), LabError> {
    std::fs::create_dir_all(lab.out).map_err(|error| LabError::Io { path: lab.out.into(), error })?;
    let Some(made) = archive(lab, registry, stop, &mut tell)? else {
        tell("stopped: the archive is not whole yet; the same command with --resume goes on");
        return Ok(());
    };
    let rows = play::games(lab, &lab.opponent, registry, stop, &mut tell)?;
    let chance = play::games(lab, &Opponent::random(), registry, stop, &mut tell)?;
    if stop.should_stop() && (chance.len() as u64) < lab.games {
        tell("stopped: the page shows what was played so far");
    }
    let sizes = sizes::measure(lab, &made, &rows, stop, &mut tell)?;
    report::write(lab, &made, &rows, &chance, &sizes)
}

fn failed(error: &surus_archive::ArchiveError) -> LabError {
    LabError::Config { name: "archive".into(), problem: error.to_string() }
}

impl MimicExperiment<'_> {
    fn archive_file(&self) -> PathBuf {
        self.out.join("archive.db")
    }

    fn store(&self) -> DbLocation {
        DbLocation::Sqlite(self.archive_file())
    }

    /// So many games of engines that fill the archive, in rounds: each begins with all setups of the real games, because people
    /// choose few of them again and again, and its players make other mistakes than those of the round before.
    fn engine_games(&self, games: u64) -> Result<Vec<MatchRun<'_>>, LabError> {
        let setups = setups::of_files(&self.files)?;
        let (openings, round) = match 2 * setups.len() as u64 {
            0 => (Openings::Book { seed: 1 }, games.max(1)),
            both => (Openings::FromFile(setups), both),
        };
        let turns = u32::try_from(self.turns).unwrap_or(u32::MAX);
        let duel = |seed: u64| {
            let side = |name: &String| {
                let mark = if name.contains(':') { ',' } else { ':' };
                let name = format!("{name}{mark}seed={seed}");
                MatchSide { name, nodes: String::new(), time: String::new() }
            };
            let sides = self.players.each_ref().map(side);
            let (openings, games) = (openings.clone(), round.min(games - (seed - 1) * round));
            MatchRun {
                sides,
                games,
                openings,
                max_turns: turns,
                concurrency: self.at_once,
                runs_dir: self.out,
            }
        };
        Ok((1..=games.div_ceil(round)).map(duel).collect())
    }
}

/// Fills the archive: real games first, then games of engines; nothing if it was stopped on the way.
fn archive(
    lab: &MimicExperiment<'_>,
    registry: &Registry,
    stop: &StopToken,
    tell: &mut impl FnMut(&str),
) -> Result<Option<ArchiveSummary>, LabError> {
    let told = lab.out.join("made.json");
    if let Some(made) = read_json(&told)? {
        return Ok(Some(made));
    }
    let store = ArchiveDb::open_or_create(&lab.store()).map_err(|error| failed(&error))?;
    let fill = |files: &[PathBuf]| {
        import(&store, files, &ImportOptions::default(), &Default::default(), &mut |_| ())
            .map_err(|error| failed(&error))
    };
    let real = fill(&lab.files)?;
    let count = lab.archive.saturating_sub(real.games_added + real.duplicates);
    tell(&format!("{count} games of {} against {} for the archive", lab.players[0], lab.players[1]));
    let mut files = Vec::new();
    for games in lab.engine_games(count)? {
        play_match(&games, true, registry, stop)?;
        if stop.should_stop() {
            return Ok(None);
        }
        files.push(games.games_file(registry)?);
    }
    let engines = fill(&files)?;
    let made = ArchiveSummary {
        real: real.games_added + real.duplicates,
        engines: engines.games_added + engines.duplicates,
        positions: surus_archive::stats(&store, 1).map_err(|error| failed(&error))?.positions,
        files,
    };
    write_json(&told, &made)?;
    tell(&format!("the archive has {} real games and {} of engines", made.real, made.engines));
    Ok(Some(made))
}

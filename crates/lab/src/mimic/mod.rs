//! The document about a player that mimics the games of a database, run again.

mod document;
mod page;
mod play;
mod sizes;

use std::path::{Path, PathBuf};

use surus_archive::import::{Options, import};
use surus_archive::{MakeEngine, Place, Store, Synth};
use surus_play::{Registry, Stop};

use crate::error::LabError;
pub use play::{GameRow, Met};
pub use sizes::Size;

/// What the experiment is to do.
#[derive(Debug)]
pub struct MimicLab<'a> {
    /// Files of real games.
    pub files: Vec<PathBuf>,
    /// Made-up games are added until the archive has so many.
    pub archive: u64,
    /// Games to play.
    pub games: u64,
    /// Who is played against; `{n}` becomes the game's number.
    pub opponent: String,
    /// After so many turns of both sides a game is nobody's.
    pub turns: usize,
    /// Positions that are asked about for every size of the archive.
    pub questions: usize,
    /// The folder for the archive and the finished games.
    pub out: &'a Path,
    /// The folder for the page and its plots.
    pub page: &'a Path,
    /// Makes engines by name.
    pub make: MakeEngine,
}

/// What the archive was made of.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Made {
    /// Real games.
    pub real: u64,
    /// Games that were made up.
    pub synthetic: u64,
    /// Positions of all.
    pub positions: u64,
}

/// Plays what is missing and writes the page; what is on disk is not done again.
pub fn mimic(
    lab: &MimicLab<'_>,
    registry: &Registry,
    stop: &Stop,
    mut tell: impl FnMut(&str),
) -> Result<(), LabError> {
    std::fs::create_dir_all(lab.out).map_err(|error| LabError::File { path: lab.out.into(), error })?;
    let made = archive(lab, &mut tell)?;
    let rows = play::games(lab, registry, stop, &mut tell)?;
    if stop.requested() && (rows.len() as u64) < lab.games {
        tell("stopped: the page shows what was played so far");
    }
    let sizes = sizes::measure(lab, &rows, stop, &mut tell)?;
    page::write(lab, made, &rows, &sizes)
}

fn failed(error: &surus_archive::ArchiveError) -> LabError {
    LabError::Settings { name: "archive".into(), problem: error.to_string() }
}

impl MimicLab<'_> {
    fn store(&self) -> Place {
        Place::File(self.out.join("archive.db"))
    }

    /// The made-up games, written once.
    fn synthetic(&self, count: u64) -> Result<PathBuf, LabError> {
        let path = self.out.join("made-up.txt");
        if !path.exists() {
            let mut text = Vec::new();
            let fail = |error| LabError::File { path: path.clone(), error };
            Synth { games: count, seed: 1 }.write(&mut text, |_| true).map_err(fail)?;
            std::fs::write(&path, text).map_err(fail)?;
        }
        Ok(path)
    }
}

/// Fills the archive: real games first, then made-up ones.
fn archive(lab: &MimicLab<'_>, tell: &mut impl FnMut(&str)) -> Result<Made, LabError> {
    let told = lab.out.join("made.json");
    if let Some(made) = std::fs::read_to_string(&told).ok().and_then(|text| serde_json::from_str(&text).ok())
    {
        return Ok(made);
    }
    let store = Store::create(&lab.store()).map_err(|error| failed(&error))?;
    let fill = |files: &[PathBuf]| {
        import(&store, files, &Options::default(), &Default::default(), &mut |_| ())
            .map_err(|error| failed(&error))
    };
    let real = fill(&lab.files)?;
    let count = lab.archive.saturating_sub(real.games + real.known);
    let synthetic = fill(&[lab.synthetic(count)?])?;
    let made = Made {
        real: real.games + real.known,
        synthetic: synthetic.games + synthetic.known,
        positions: real.positions + synthetic.positions,
    };
    let text = serde_json::to_string(&made).unwrap_or_default();
    std::fs::write(&told, text).map_err(|error| LabError::File { path: told, error })?;
    tell(&format!("the archive has {} real games and {} made-up ones", made.real, made.synthetic));
    Ok(made)
}

//! What the tasks of a run have finished, read as it grows.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use surus_arena::{Manifest, ManifestEngine, Scoreboard, SequentialTest, SprtState, TaskJournals, read_run};
use surus_record::packed::PackedReader;

use super::ClusterRun;

/// The progress of a run.
pub(crate) enum Progress {
    /// Games between engines.
    Contest(Box<Contest>),
    /// Data files.
    Data(Data),
    /// A report that is made at the end.
    Lab,
}

/// The games of a contest.
pub(crate) struct Contest {
    manifest: Manifest,
    journals: TaskJournals,
    known: HashSet<u64>,
    pub(crate) board: Scoreboard,
    pub(crate) test: Option<SequentialTest>,
}

/// The data files of a run.
#[derive(Default)]
pub(crate) struct Data {
    dir: PathBuf,
    pub(crate) games: u64,
    pub(crate) positions: u64,
}

impl Progress {
    /// The progress of a run, before anything was read.
    pub(crate) fn open(run: &ClusterRun, dir: &Path) -> Result<Self> {
        if run.kind == "lab" {
            return Ok(Self::Lab);
        }
        if !run.is_contest() {
            return Ok(Self::Data(Data { dir: dir.into(), ..Data::default() }));
        }
        let (manifest, games) = read_run(dir)?;
        let test = run.sprt.as_ref().map(|sprt| anyhow::Ok(SequentialTest::new(sprt.test()?))).transpose()?;
        let journals = TaskJournals::new(dir, run.tasks);
        let mut contest =
            Contest { manifest, journals, known: HashSet::new(), board: Scoreboard::default(), test };
        games.iter().for_each(|entry| contest.add(entry.id, entry.winner));
        Ok(Self::Contest(Box::new(contest)))
    }

    /// Reads what is new.
    pub(crate) fn update(&mut self) -> Result<()> {
        match self {
            Self::Lab => Ok(()),
            Self::Contest(contest) => {
                let mut new = Vec::new();
                contest.journals.read_new(|entry| new.push((entry.id, entry.winner)))?;
                new.into_iter().for_each(|(id, winner)| contest.add(id, winner));
                Ok(())
            }
            Self::Data(data) => data.count(),
        }
    }

    /// Number of finished games.
    pub(crate) fn games(&self) -> u64 {
        match self {
            Self::Lab => 0,
            Self::Contest(contest) => contest.known.len() as u64,
            Self::Data(data) => data.games,
        }
    }

    /// Whether a sequential test is decided.
    pub(crate) fn is_decided(&self) -> bool {
        matches!(self, Self::Contest(contest)
            if contest.test.as_ref().is_some_and(|test| test.state() != SprtState::Continue))
    }
}

impl Contest {
    fn add(&mut self, id: u64, winner: Option<surus_rules::Side>) {
        let pair = id.saturating_sub(1) / 2;
        let scheduled = self.manifest.schedule().games_of(pair..pair + 1).find(|game| game.id == id);
        if let Some(scheduled) = scheduled
            && self.known.insert(id)
        {
            self.board.add(&scheduled, winner);
            if let Some(test) = &mut self.test {
                test.add(id, winner);
            }
        }
    }

    pub(crate) fn engines(&self) -> &[ManifestEngine] {
        &self.manifest.engine
    }
}

impl Data {
    fn count(&mut self) -> Result<()> {
        (self.games, self.positions) = (0, 0);
        for file in std::fs::read_dir(&self.dir).with_context(|| self.dir.display().to_string())? {
            let path = file?.path();
            if path.extension().is_none_or(|extension| extension != "packed") {
                continue;
            }
            // A game that is being written ends the file; a file of a task that starts has no header yet.
            let Ok(reader) = PackedReader::open(&path) else { continue };
            for game in reader.into_games().map_while(Result::ok) {
                self.games += 1;
                self.positions += game.samples.len() as u64;
            }
        }
        Ok(())
    }
}

//! The games of all tasks of a shared run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::game_row::GameEntry;
use crate::run_dir::{RunDir, RunDirError, games_after, read_games, read_run};

/// The run directory of a task.
#[must_use]
pub fn task_dir(run: &Path, task: u64) -> PathBuf {
    run.join("tasks").join(task.to_string())
}

/// The journals of all tasks, read as they grow.
#[derive(Clone, Debug)]
pub struct TaskJournals {
    run: PathBuf,
    tasks: u64,
    /// Where the next new game of each task begins.
    offsets: BTreeMap<u64, u64>,
}

impl TaskJournals {
    /// The journals of a run, before any game was read.
    #[must_use]
    pub fn new(run: &Path, tasks: u64) -> Self {
        Self { run: run.into(), tasks, offsets: BTreeMap::new() }
    }

    /// Passes the games that were saved since the last call to `on_game`.
    pub fn read_new(&mut self, mut on_game: impl FnMut(GameEntry)) -> Result<(), RunDirError> {
        for task in 1..=self.tasks {
            let path = task_dir(&self.run, task).join("games.txt");
            let offset = self.offsets.entry(task).or_default();
            match fs::metadata(&path) {
                Ok(data) if data.len() > *offset => *offset = games_after(&path, *offset, &mut on_game)?,
                Ok(_) => {}
                // The task has not started yet.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(RunDirError::Io { path, error }),
            }
        }
        Ok(())
    }
}

/// The directories of all tasks, in the order of their numbers.
fn task_dirs(run: &Path) -> Result<Vec<PathBuf>, RunDirError> {
    let path = run.join("tasks");
    let failed = |error| RunDirError::Io { path: path.clone(), error };
    let mut tasks: Vec<u64> = Vec::new();
    for entry in fs::read_dir(&path).map_err(failed)? {
        tasks.extend(entry.map_err(failed)?.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
    }
    tasks.sort_unstable();
    Ok(tasks.into_iter().map(|task| task_dir(run, task)).collect())
}

/// Adds the games of all tasks to the directory of the run, in the order of their IDs, and returns how many it has then.
/// It is afterwards like that of a run on one machine.
pub fn collect(run: &Path) -> Result<usize, RunDirError> {
    let (manifest, _) = read_run(run)?;
    let mut run_dir = RunDir::open(run, &manifest, true)?;
    let mut missing: BTreeMap<u64, (GameEntry, String)> = BTreeMap::new();
    for dir in task_dirs(run)? {
        // A task that has not started, or was killed before its first game.
        if !dir.join("run.toml").exists() {
            continue;
        }
        let (part, games) = read_games(&dir)?;
        let diff = manifest.differences(&part);
        if !diff.is_empty() {
            return Err(RunDirError::ManifestMismatch { path: dir, diff });
        }
        for (entry, columns) in games {
            missing.entry(entry.id).or_insert((entry, columns));
        }
    }
    for entry in &run_dir.entries {
        missing.remove(&entry.id);
    }
    if !missing.is_empty() || !run.join("games.pgn").exists() {
        for (entry, columns) in missing.into_values() {
            run_dir.add(entry, &columns)?;
        }
        run_dir.finish()?;
    }
    Ok(run_dir.entries.len())
}

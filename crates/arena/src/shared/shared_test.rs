//! A sequential test over the games of all tasks.
//!
//! From time to time one of the tasks reads the journals of all, and creates the file `verdict` when the test is decided; the
//! others only look for that file before each block. The file `looked` is as old as the last reading, so that the load on the
//! file system does not grow with the number of tasks.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, io};

use super::TaskJournals;
use crate::run_dir::RunDirError;
use crate::sequential::SequentialTest;
use crate::sprt::{Sprt, SprtState};

/// Between two readings of the journals.
const INTERVAL: Duration = Duration::from_secs(2);

/// The state of the test, as a task knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TestProgress {
    /// The test is decided.
    Decided,
    /// Another task has read the journals.
    Unknown,
    /// This task has just read them; this pair is the first that is not finished.
    NextPair(u64),
}

/// The test, as far as this task has read the journals.
pub(super) struct SharedTest {
    run: PathBuf,
    test: SequentialTest,
    journals: TaskJournals,
}

impl SharedTest {
    pub(super) fn new(sprt: Sprt, run: &Path, tasks: u64) -> Self {
        Self { run: run.into(), test: SequentialTest::new(sprt), journals: TaskJournals::new(run, tasks) }
    }

    /// Reads the journals if it is time.
    pub(super) fn update(&mut self) -> Result<TestProgress, RunDirError> {
        let [verdict, looked] = ["verdict", "looked"].map(|name| self.run.join(name));
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |error| RunDirError::Io { path, error }
        };
        if verdict.try_exists().map_err(failed(&verdict))? {
            return Ok(TestProgress::Decided);
        }
        if !is_old(&looked).map_err(failed(&looked))? {
            return Ok(TestProgress::Unknown);
        }
        fs::write(&looked, "").map_err(failed(&looked))?;
        let test = &mut self.test;
        self.journals.read_new(|entry| {
            test.add(entry.id, entry.winner);
        })?;
        if self.test.state() == SprtState::Continue {
            return Ok(TestProgress::NextPair(self.test.next_pair()));
        }
        let text = format!("{:?} after {} pairs\n", self.test.state(), self.test.next_pair());
        fs::write(&verdict, text).map_err(failed(&verdict))?;
        Ok(TestProgress::Decided)
    }
}

/// Whether a file was written longer ago than the interval, or never. The clocks of machines differ a little.
fn is_old(path: &Path) -> io::Result<bool> {
    let modified = match fs::metadata(path) {
        Ok(data) => data.modified()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    Ok(is_due(modified, SystemTime::now()))
}

fn is_due(modified: SystemTime, now: SystemTime) -> bool {
    now.duration_since(modified).unwrap_or_else(|error| error.duration()) >= INTERVAL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprt::SprtModel;

    #[test]
    fn one_task_reads_and_a_verdict_stops_all() {
        let dir = tempfile::tempdir().unwrap();
        let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
        let [mut one, mut other] = [1, 2].map(|_| SharedTest::new(sprt, dir.path(), 2));
        assert_eq!(one.update().unwrap(), TestProgress::NextPair(0));
        let now = SystemTime::now();
        let second = Duration::from_secs(1);
        let due = [now - 2 * second, now - second, now + second, now + 3600 * second];
        assert_eq!(due.map(|modified| is_due(modified, now)), [true, false, false, true]);
        let file = fs::File::open(dir.path().join("looked")).unwrap();
        file.set_modified(now - 2 * INTERVAL).unwrap();
        assert_eq!(other.update().unwrap(), TestProgress::NextPair(0));
        fs::write(dir.path().join("verdict"), "").unwrap();
        assert_eq!([one.update().unwrap(), other.update().unwrap()], [TestProgress::Decided; 2]);
    }
}

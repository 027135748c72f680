//! Claims of blocks: `blocks/N` is a symbolic link whose target is the number of the task that works on block N.
//!
//! Creating a link fails if there is one, also on network file systems, and its content appears with its name. A claim is never
//! removed, and block N is claimed only after N − 1, so that the first free number can be found by bisection.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A claim that could not be made or read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct ClaimError {
    path: PathBuf,
    error: io::Error,
}

/// The claims of a run, as seen by one task.
#[derive(Clone, Debug)]
pub struct Claims {
    dir: PathBuf,
    task: u64,
    /// Every block before this one is claimed.
    first_free: u64,
    blocks: u64,
}

impl Claims {
    /// The claims in a directory, which is created, for a run with this number of blocks.
    pub fn open(dir: &Path, task: u64, blocks: u64) -> Result<Self, ClaimError> {
        fs::create_dir_all(dir).map_err(|error| ClaimError { path: dir.into(), error })?;
        Ok(Self { dir: dir.into(), task, first_free: 0, blocks })
    }

    /// The number of this task.
    #[must_use]
    pub const fn task(&self) -> u64 {
        self.task
    }

    /// The blocks that this task has claimed, in order.
    pub fn own(&self) -> Result<Vec<u64>, ClaimError> {
        let failed = |error| ClaimError { path: self.dir.clone(), error };
        let mut own = Vec::new();
        for entry in fs::read_dir(&self.dir).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let Some(block) = name.to_str().and_then(|name| name.parse().ok()) else { continue };
            if self.owner(block)? == Some(self.task) {
                own.push(block);
            }
        }
        own.sort_unstable();
        Ok(own)
    }

    /// Claims the next block; `None` if all are claimed.
    pub fn claim(&mut self) -> Result<Option<u64>, ClaimError> {
        self.skip_claimed()?;
        while self.first_free < self.blocks {
            let block = self.first_free;
            self.first_free += 1;
            let path = self.path(block);
            match std::os::unix::fs::symlink(self.task.to_string(), &path) {
                Ok(()) => return Ok(Some(block)),
                // A network file system may repeat a request whose answer was lost: then the claim is our own.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    if self.owner(block)? == Some(self.task) {
                        return Ok(Some(block));
                    }
                }
                Err(error) => return Err(ClaimError { path, error }),
            }
        }
        Ok(None)
    }

    /// Moves `first_free` to the first block without a claim.
    fn skip_claimed(&mut self) -> Result<(), ClaimError> {
        let mut step = 1;
        // Every block before `low` is claimed, `high` is not.
        let mut low = self.first_free;
        let mut high = loop {
            let probe = low + step - 1;
            if probe >= self.blocks {
                break self.blocks;
            }
            if self.owner(probe)?.is_none() {
                break probe;
            }
            low = probe + 1;
            step *= 2;
        };
        while low < high {
            let middle = low + (high - low) / 2;
            if self.owner(middle)?.is_some() { low = middle + 1 } else { high = middle }
        }
        self.first_free = low;
        Ok(())
    }

    /// The task that has claimed a block.
    pub fn owner(&self, block: u64) -> Result<Option<u64>, ClaimError> {
        let path = self.path(block);
        match fs::read_link(&path) {
            Ok(target) => match target.to_str().and_then(|target| target.parse().ok()) {
                Some(task) => Ok(Some(task)),
                None => {
                    let text = format!("links to '{}', expected the number of a task", target.display());
                    Err(ClaimError { path, error: io::Error::new(ErrorKind::InvalidData, text) })
                }
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ClaimError { path, error }),
        }
    }

    fn path(&self, block: u64) -> PathBuf {
        self.dir.join(block.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn every_block_is_claimed_once_by_tasks_that_race() {
        let dir = tempfile::tempdir().unwrap();
        let claim_all = |task| {
            let mut claims = Claims::open(dir.path(), task, 300).unwrap();
            let mut own = Vec::new();
            while let Some(block) = claims.claim().unwrap() {
                own.push(block);
            }
            assert_eq!(claims.own().unwrap(), own);
            own
        };
        let mut all: Vec<u64> = thread::scope(|scope| {
            let threads: Vec<_> = (1..=4).map(|task| scope.spawn(move || claim_all(task))).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        all.sort_unstable();
        assert_eq!(all, (0..300).collect::<Vec<_>>());
    }

    #[test]
    fn a_late_task_continues_after_the_last_claim() {
        let dir = tempfile::tempdir().unwrap();
        for claimed in 0..40 {
            let mut late = Claims::open(dir.path(), 2, 40).unwrap();
            assert_eq!(late.claim().unwrap(), Some(claimed));
        }
        assert_eq!(Claims::open(dir.path(), 3, 40).unwrap().claim().unwrap(), None);
        // A longer run continues after them.
        assert_eq!(Claims::open(dir.path(), 3, 41).unwrap().claim().unwrap(), Some(40));
    }

    #[test]
    fn a_foreign_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("elsewhere", dir.path().join("0")).unwrap();
        let error = Claims::open(dir.path(), 1, 2).unwrap().claim().unwrap_err().to_string();
        assert!(error.ends_with("/0: links to 'elsewhere', expected the number of a task"), "{error}");
    }
}

//! Puts the games of files into a store.
//!
//! A thread reads, some threads play the games through, and one writes, in the order of the files, so that a store does not
//! depend on how many threads there were. Many games are one transaction: what was committed stays, whatever happens, and
//! games that are there are passed over, so that the same import again completes one that was cut off.

mod pipeline;
mod read;
mod reject;
mod replay;
mod transform;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

pub(crate) use read::{FileFormat, each_game};
pub use reject::{RejectReason, RejectedGame, counts, write_report};
pub(crate) use transform::{PositionRow, year};
use write::ImportWriter;
pub(crate) use write::row_count;

use crate::error::{ArchiveError, Result};
use crate::store::ArchiveDb;

/// How to import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// Threads that play games through.
    pub threads: usize,
    /// Games of one transaction.
    pub batch: usize,
    /// How many games must have gone through a position to count what was played there beforehand.
    pub stats_threshold: u64,
}

impl Default for ImportOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, batch: 1000, stats_threshold: STATS_THRESHOLD }
    }
}

/// Fewer games than this are counted when somebody asks.
pub const STATS_THRESHOLD: u64 = 2000;

/// What is going on.
#[derive(Clone, Copy, Debug)]
pub enum ImportProgress<'a> {
    /// So many bytes of all files are read, and so much of that is in the store.
    Games {
        /// Bytes of the files whose games are in the store.
        read: u64,
        /// Bytes of all files.
        of: u64,
        /// Games that were added.
        games_added: u64,
        /// Positions that were added.
        positions: u64,
    },
    /// This is made now.
    BuildingIndex(&'a str),
}

/// What an import did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ImportSummary {
    /// Games in the files.
    pub read: u64,
    /// Games that were added.
    pub games_added: u64,
    /// Positions that were added.
    pub positions: u64,
    /// Games that were there already.
    pub duplicates: u64,
    /// Games that were set aside, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Each of them.
    #[serde(skip)]
    pub rejects: Vec<RejectedGame>,
    /// Files that hold no games, or break off, each with a sentence.
    pub skipped_files: Vec<String>,
    /// Seconds for reading and adding.
    pub seconds: f64,
    /// Seconds for the indexes.
    pub index_seconds: f64,
    /// Whether everything was done, and nobody stopped it.
    pub completed: bool,
}

/// Imports files. Without any it finishes an import that was cut off after its games were in.
pub fn import(
    store: &ArchiveDb,
    files: &[PathBuf],
    options: &ImportOptions,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(ImportProgress<'_>),
) -> Result<ImportSummary> {
    let began = Instant::now();
    let mut done = ImportSummary::default();
    let sizes: Vec<u64> = files
        .iter()
        .map(|file| {
            std::fs::metadata(file)
                .map(|about| about.len())
                .map_err(|error| ArchiveError::Io { file: file.clone(), error })
        })
        .collect::<Result<_>>()?;
    let total: u64 = sizes.iter().sum();
    let mut writer = ImportWriter::begin(store, options)?;
    let mut before = 0;
    for (file, size) in files.iter().zip(sizes) {
        let result = pipeline::run(file, options, stop, &mut |batch| {
            let last = batch.last().map_or(0, |one| one.place);
            writer.add(file, batch, &mut done)?;
            let read = before + last.min(size);
            writer.update_estimate(done.positions, read, total)?;
            progress(ImportProgress::Games {
                read,
                of: total,
                games_added: done.games_added,
                positions: done.positions,
            });
            if stop.load(Ordering::Relaxed) { Err(ArchiveError::Cancelled) } else { Ok(()) }
        });
        match result {
            Err(error @ (ArchiveError::UnknownFormat { .. } | ArchiveError::Io { .. })) => {
                done.skipped_files.push(error.to_string());
            }
            Err(ArchiveError::Cancelled) => break,
            other => other?,
        }
        before += size;
    }
    done.seconds = seconds(began.elapsed());
    done.rejected = counts(&done.rejects);
    if stop.load(Ordering::Relaxed) {
        return Ok(done);
    }
    let began = Instant::now();
    done.completed = writer.finish(stop, progress)?;
    done.index_seconds = seconds(began.elapsed());
    Ok(done)
}

fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// Adds one game record; false if it was there. While a large import runs it is refused.
pub fn add_record(store: &ArchiveDb, record: &str, source: &str) -> Result<bool> {
    if store.is_loading()? {
        return Err(ArchiveError::ImportIncomplete(store.place().to_string()));
    }
    let mut done = ImportSummary::default();
    let mut writer = ImportWriter::begin(store, &ImportOptions::default())?;
    writer.add(Path::new(source), vec![pipeline::ProcessedGame::of_record(record)], &mut done)?;
    writer.finish_single()?;
    match done.rejects.first() {
        Some(aside) => Err(ArchiveError::InvalidQuery(format!("{}: {}", aside.reason, aside.detail))),
        None => Ok(done.games_added == 1),
    }
}

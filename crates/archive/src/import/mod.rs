//! Imports game files into an archive.
//!
//! One thread reads, worker threads replay the games, and one thread writes in file order, so that the archive does not
//! depend on the number of threads. Games are committed in batches and duplicates are skipped: repeating an interrupted
//! import completes it.

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

pub(crate) use read::{FileFormat, for_each_game};
pub use reject::{RejectReason, RejectedGame, counts, write_report};
pub(crate) use transform::{PositionRow, year};
use write::ImportWriter;
pub(crate) use write::row_count;

use crate::error::{ArchiveError, Result};
use crate::store::ArchiveDb;

/// Import options.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// Worker threads.
    pub threads: usize,
    /// Games per transaction.
    pub batch: usize,
    /// The number of games from which a position's continuations are counted in advance.
    pub stats_threshold: u64,
}

impl Default for ImportOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, batch: 1000, stats_threshold: STATS_THRESHOLD }
    }
}

/// Below this number of games, continuations are counted by each query.
pub const STATS_THRESHOLD: u64 = 2000;

/// Progress of an import.
#[derive(Clone, Copy, Debug)]
pub enum ImportProgress<'a> {
    /// Games are being added.
    Games {
        /// Bytes of the input that have been imported.
        read: u64,
        /// Bytes of all files.
        of: u64,
        /// Games added.
        games_added: u64,
        /// Positions added.
        positions: u64,
    },
    /// The named index is being built.
    BuildingIndex(&'a str),
}

/// The result of an import.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ImportSummary {
    /// Games in the files.
    pub games_read: u64,
    /// Games added.
    pub games_added: u64,
    /// Positions added.
    pub positions: u64,
    /// Games that were already present.
    pub duplicates: u64,
    /// Rejected games, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// The rejected games.
    #[serde(skip)]
    pub rejects: Vec<RejectedGame>,
    /// Files without games or with a read error, each with the error.
    pub skipped_files: Vec<String>,
    /// Seconds spent reading and adding.
    pub seconds: f64,
    /// Seconds spent on indexes.
    pub index_seconds: f64,
    /// Whether the import ran to the end.
    pub completed: bool,
}

/// Imports files. Without files it completes an import that was interrupted while indexes were built.
pub fn import(
    store: &ArchiveDb,
    files: &[PathBuf],
    options: &ImportOptions,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(ImportProgress<'_>),
) -> Result<ImportSummary> {
    let started = Instant::now();
    let mut summary = ImportSummary::default();
    let sizes: Vec<u64> = files
        .iter()
        .map(|file| {
            std::fs::metadata(file)
                .map(|about| about.len())
                .map_err(|error| ArchiveError::Io { file: file.clone(), error })
        })
        .collect::<Result<_>>()?;
    let total: u64 = sizes.iter().sum();
    let mut writer = ImportWriter::new(store, options)?;
    let mut before = 0;
    for (file, size) in files.iter().zip(sizes) {
        let result = pipeline::run(file, options, stop, &mut |batch| {
            let last = batch.last().map_or(0, |game| game.byte_offset);
            writer.add(file, batch, &mut summary)?;
            let read = before + last.min(size);
            writer.update_estimate(summary.positions, read, total)?;
            progress(ImportProgress::Games {
                read,
                of: total,
                games_added: summary.games_added,
                positions: summary.positions,
            });
            if stop.load(Ordering::Relaxed) { Err(ArchiveError::Cancelled) } else { Ok(()) }
        });
        match result {
            Err(error @ (ArchiveError::UnknownFormat { .. } | ArchiveError::Io { .. })) => {
                summary.skipped_files.push(error.to_string());
            }
            Err(ArchiveError::Cancelled) => break,
            other => other?,
        }
        before += size;
    }
    summary.seconds = seconds(started.elapsed());
    summary.rejected = counts(&summary.rejects);
    if stop.load(Ordering::Relaxed) {
        return Ok(summary);
    }
    let started = Instant::now();
    summary.completed = writer.finish(stop, progress)?;
    summary.index_seconds = seconds(started.elapsed());
    Ok(summary)
}

fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// Adds one game record; returns false for a duplicate. Fails while a bulk import is in progress.
pub fn add_record(store: &ArchiveDb, record: &str, source: &str) -> Result<bool> {
    if store.is_bulk_loading()? {
        return Err(ArchiveError::ImportIncomplete(store.location().to_string()));
    }
    let mut summary = ImportSummary::default();
    let mut writer = ImportWriter::new(store, &ImportOptions::default())?;
    writer.add(Path::new(source), vec![pipeline::ProcessedGame::from_record(record)], &mut summary)?;
    writer.finish_single()?;
    match summary.rejects.first() {
        Some(rejected) => {
            Err(ArchiveError::InvalidQuery(format!("{}: {}", rejected.reason, rejected.detail)))
        }
        None => Ok(summary.games_added == 1),
    }
}

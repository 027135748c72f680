//! Puts the games of files into a store.
//!
//! A thread reads, some threads play the games through, and one writes, in the order of the files, so that a store does not
//! depend on how many threads there were. Many games are one transaction: what was committed stays, whatever happens, and
//! games that are there are passed over, so that the same import again completes one that was cut off.

mod pipeline;
mod prepare;
mod read;
mod reject;
mod replay;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

pub(crate) use prepare::{Stored, year};
pub(crate) use read::{Layout, each_game};
pub use reject::{Rejected, Why, counts, write_report};
use write::Writer;
pub(crate) use write::count;

use crate::error::{ArchiveError, Result};
use crate::store::Store;

/// How to import.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that play games through.
    pub threads: usize,
    /// Games of one transaction.
    pub batch: usize,
    /// How many games must have gone through a position to count what was played there beforehand.
    pub common_from: u64,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, batch: 1000, common_from: COMMON_FROM }
    }
}

/// Fewer games than this are counted when somebody asks.
pub const COMMON_FROM: u64 = 2000;

/// What is going on.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// So many bytes of all files are read, and so much of that is in the store.
    Games {
        /// Bytes of the files whose games are in the store.
        read: u64,
        /// Bytes of all files.
        of: u64,
        /// Games that were added.
        games: u64,
        /// Positions that were added.
        positions: u64,
    },
    /// This is made now.
    Making(&'a str),
}

/// What an import did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Imported {
    /// Games in the files.
    pub read: u64,
    /// Games that were added.
    pub games: u64,
    /// Positions that were added.
    pub positions: u64,
    /// Games that were there already.
    pub known: u64,
    /// Games that were set aside, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Each of them.
    #[serde(skip)]
    pub list: Vec<Rejected>,
    /// Files that hold no games, or break off, each with a sentence.
    pub refused: Vec<String>,
    /// Seconds for reading and adding.
    pub seconds: f64,
    /// Seconds for the indexes.
    pub index_seconds: f64,
    /// Whether everything was done, and nobody stopped it.
    pub finished: bool,
}

/// Imports files. Without any it finishes an import that was cut off after its games were in.
pub fn import(
    store: &Store,
    files: &[PathBuf],
    options: &Options,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Imported> {
    let began = Instant::now();
    let mut done = Imported::default();
    let sizes: Vec<u64> = files
        .iter()
        .map(|file| {
            std::fs::metadata(file)
                .map(|about| about.len())
                .map_err(|error| ArchiveError::File { file: file.clone(), error })
        })
        .collect::<Result<_>>()?;
    let total: u64 = sizes.iter().sum();
    let mut writer = Writer::begin(store, options)?;
    let mut before = 0;
    for (file, size) in files.iter().zip(sizes) {
        let result = pipeline::run(file, options, stop, &mut |batch| {
            let last = batch.last().map_or(0, |one| one.place);
            writer.add(file, batch, &mut done)?;
            let read = before + last.min(size);
            writer.expect(done.positions, read, total)?;
            progress(Progress::Games { read, of: total, games: done.games, positions: done.positions });
            if stop.load(Ordering::Relaxed) { Err(ArchiveError::Stopped) } else { Ok(()) }
        });
        match result {
            Err(error @ (ArchiveError::NoArchive { .. } | ArchiveError::File { .. })) => {
                done.refused.push(error.to_string());
            }
            Err(ArchiveError::Stopped) => break,
            other => other?,
        }
        before += size;
    }
    done.seconds = seconds(began.elapsed());
    done.rejected = counts(&done.list);
    if stop.load(Ordering::Relaxed) {
        return Ok(done);
    }
    let began = Instant::now();
    done.finished = writer.finish(stop, progress)?;
    done.index_seconds = seconds(began.elapsed());
    Ok(done)
}

fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// Adds one game record; false if it was there. While a large import runs it is refused.
pub fn add_record(store: &Store, record: &str, source: &str) -> Result<bool> {
    if store.is_loading()? {
        return Err(ArchiveError::Unfinished(store.place().to_string()));
    }
    let mut done = Imported::default();
    let mut writer = Writer::begin(store, &Options::default())?;
    writer.add(Path::new(source), vec![pipeline::Worked::of_record(record)], &mut done)?;
    writer.finish_single()?;
    match done.list.first() {
        Some(aside) => Err(ArchiveError::Asked(format!("{}: {}", aside.why, aside.detail))),
        None => Ok(done.games == 1),
    }
}

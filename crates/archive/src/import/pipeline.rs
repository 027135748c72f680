//! The import pipeline: one reader thread, worker threads, and the caller, which receives the games in file order.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::ImportOptions;
use super::read::{FileFormat, SourceEntry, for_each_game};
use super::reject::RejectReason;
use super::transform::{GameRows, transform};
use crate::error::{ArchiveError, Result};

/// Games per message between threads.
const BATCH: usize = 32;

/// A replayed or rejected game.
#[derive(Debug)]
pub(crate) struct ProcessedGame {
    pub(crate) line: usize,
    pub(crate) byte_offset: u64,
    pub(crate) game: std::result::Result<GameRows, (String, RejectReason, String)>,
}

impl ProcessedGame {
    /// A single game record.
    pub(super) fn from_record(record: &str) -> Self {
        let entry = SourceEntry { line: 1, text: record.as_bytes().to_vec(), byte_offset: 0 };
        Self { line: 1, byte_offset: 0, game: transform(&FileFormat::Records, &entry) }
    }
}

struct Batch {
    number: u64,
    format: FileFormat,
    entries: Vec<SourceEntry>,
}

/// Passes the games of a file to `sink`, one transaction at a time.
pub(crate) fn run(
    file: &Path,
    options: &ImportOptions,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(Vec<ProcessedGame>) -> Result<()>,
) -> Result<()> {
    let threads = options.threads.max(1);
    let (to_work, work) = sync_channel::<Batch>(2 * threads);
    let (to_write, processed) = sync_channel::<(u64, Vec<ProcessedGame>)>(4 * threads);
    let (work, cancelled) = (&Mutex::new(work), &AtomicBool::new(false));
    thread::scope(|scope| {
        let is_cancelled = || stop.load(Ordering::Relaxed) || cancelled.load(Ordering::Relaxed);
        // Each thread owns its ends of the channels, so that a thread that ends closes them.
        let reader = scope.spawn(move || read(file, &to_work, &is_cancelled));
        for _ in 0..threads {
            let to_write = to_write.clone();
            scope.spawn(move || worker_loop(work, &to_write));
        }
        drop(to_write);
        let delivered = reorder(processed, options.batch.max(1), sink);
        // Unblocks threads that are waiting to send.
        if delivered.is_err() {
            cancelled.store(true, Ordering::Relaxed);
            if let Ok(queue) = work.lock() {
                while queue.recv().is_ok() {}
            }
        }
        let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        delivered.and(read)
    })
}

fn read(file: &Path, out: &SyncSender<Batch>, cancelled: &dyn Fn() -> bool) -> Result<()> {
    let mut number = 0;
    let mut open: Option<Batch> = None;
    let mut send = |batch: Batch| out.send(batch).is_ok();
    let result = for_each_game(file, &mut |format, entry| {
        if cancelled() {
            return false;
        }
        // A zip file may contain files in different formats; a batch has only one.
        let is_next_file =
            open.as_ref().and_then(|batch| batch.entries.last()).is_some_and(|last| entry.line <= last.line);
        if is_next_file && !open.take().is_none_or(&mut send) {
            return false;
        }
        let batch = open.get_or_insert_with(|| {
            number += 1;
            Batch { number: number - 1, format: format.clone(), entries: Vec::with_capacity(BATCH) }
        });
        batch.entries.push(entry);
        if batch.entries.len() < BATCH { true } else { open.take().is_none_or(&mut send) }
    });
    // Games read before an error are imported.
    let sent = open.is_none_or(send);
    result.and(sent.then_some(()).ok_or(ArchiveError::Cancelled))
}

fn worker_loop(work: &Mutex<Receiver<Batch>>, out: &SyncSender<(u64, Vec<ProcessedGame>)>) {
    loop {
        let next = work.lock().map(|queue| queue.recv());
        let Ok(Ok(Batch { number, format, entries })) = next else { return };
        let processed = entries
            .into_iter()
            .map(|entry| ProcessedGame {
                line: entry.line,
                byte_offset: entry.byte_offset,
                game: transform(&format, &entry),
            })
            .collect();
        if out.send((number, processed)).is_err() {
            return;
        }
    }
}

fn reorder(
    processed: Receiver<(u64, Vec<ProcessedGame>)>,
    size: usize,
    sink: &mut dyn FnMut(Vec<ProcessedGame>) -> Result<()>,
) -> Result<()> {
    let mut early: BTreeMap<u64, Vec<ProcessedGame>> = BTreeMap::new();
    let mut next = 0;
    let mut ready = Vec::new();
    for (number, batch) in processed {
        early.insert(number, batch);
        while let Some(batch) = early.remove(&next) {
            ready.extend(batch);
            next += 1;
        }
        if ready.len() >= size {
            sink(std::mem::take(&mut ready))?;
        }
    }
    if ready.is_empty() { Ok(()) } else { sink(ready) }
}

//! One thread reads a file, some play its games through, the caller takes them in the file's order.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::ImportOptions;
use super::read::{FileFormat, SourceEntry, each_game};
use super::reject::RejectReason;
use super::transform::{GameRows, prepare};
use crate::error::{ArchiveError, Result};

/// Games that go from one thread to the next together.
const BATCH: usize = 32;

/// A game that was played through, or could not be.
#[derive(Debug)]
pub(crate) struct ProcessedGame {
    pub(crate) line: usize,
    pub(crate) place: u64,
    pub(crate) game: std::result::Result<GameRows, (String, RejectReason, String)>,
}

impl ProcessedGame {
    /// A single record.
    pub(super) fn of_record(record: &str) -> Self {
        let item = SourceEntry { line: 1, text: record.as_bytes().to_vec(), byte_offset: 0 };
        Self { line: 1, place: 0, game: prepare(&FileFormat::Records, &item) }
    }
}

struct Batch {
    number: u64,
    layout: FileFormat,
    items: Vec<SourceEntry>,
}

/// Hands the games of a file to `take`, a transaction's worth at a time.
pub(crate) fn run(
    file: &Path,
    options: &ImportOptions,
    stop: &AtomicBool,
    take: &mut dyn FnMut(Vec<ProcessedGame>) -> Result<()>,
) -> Result<()> {
    let threads = options.threads.max(1);
    let (to_work, work) = sync_channel::<Batch>(2 * threads);
    let (to_write, worked) = sync_channel::<(u64, Vec<ProcessedGame>)>(4 * threads);
    let (work, halted) = (&Mutex::new(work), &AtomicBool::new(false));
    thread::scope(|scope| {
        let halted_or_stopped = || stop.load(Ordering::Relaxed) || halted.load(Ordering::Relaxed);
        // The ends of the channels go with their threads, so that the others learn when there is no more.
        let reader = scope.spawn(move || read(file, &to_work, &halted_or_stopped));
        for _ in 0..threads {
            let to_write = to_write.clone();
            scope.spawn(move || worker_loop(work, &to_write));
        }
        drop(to_write);
        let taken = reorder(worked, options.batch.max(1), take);
        // Whoever still waits to hand something on learns that nobody takes it.
        if taken.is_err() {
            halted.store(true, Ordering::Relaxed);
            if let Ok(queue) = work.lock() {
                while queue.recv().is_ok() {}
            }
        }
        let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        taken.and(read)
    })
}

fn read(file: &Path, out: &SyncSender<Batch>, halted: &dyn Fn() -> bool) -> Result<()> {
    let mut number = 0;
    let mut open: Option<Batch> = None;
    let mut send = |batch: Batch| out.send(batch).is_ok();
    let result = each_game(file, &mut |layout, item| {
        if halted() {
            return false;
        }
        // A zip file may hold files of different layouts; a batch is of one.
        let of_the_next_file =
            open.as_ref().and_then(|batch| batch.items.last()).is_some_and(|last| item.line <= last.line);
        if of_the_next_file && !open.take().is_none_or(&mut send) {
            return false;
        }
        let batch = open.get_or_insert_with(|| {
            number += 1;
            Batch { number: number - 1, layout: layout.clone(), items: Vec::with_capacity(BATCH) }
        });
        batch.items.push(item);
        if batch.items.len() < BATCH { true } else { open.take().is_none_or(&mut send) }
    });
    // What was read before a file broke off counts.
    let sent = open.is_none_or(send);
    result.and(sent.then_some(()).ok_or(ArchiveError::Cancelled))
}

fn worker_loop(work: &Mutex<Receiver<Batch>>, out: &SyncSender<(u64, Vec<ProcessedGame>)>) {
    loop {
        let next = work.lock().map(|queue| queue.recv());
        let Ok(Ok(Batch { number, layout, items })) = next else { return };
        let worked = items
            .into_iter()
            .map(|item| ProcessedGame {
                line: item.line,
                place: item.byte_offset,
                game: prepare(&layout, &item),
            })
            .collect();
        if out.send((number, worked)).is_err() {
            return;
        }
    }
}

fn reorder(
    worked: Receiver<(u64, Vec<ProcessedGame>)>,
    size: usize,
    take: &mut dyn FnMut(Vec<ProcessedGame>) -> Result<()>,
) -> Result<()> {
    let mut early: BTreeMap<u64, Vec<ProcessedGame>> = BTreeMap::new();
    let mut next = 0;
    let mut ready = Vec::new();
    for (number, batch) in worked {
        early.insert(number, batch);
        while let Some(batch) = early.remove(&next) {
            ready.extend(batch);
            next += 1;
        }
        if size <= ready.len() {
            take(std::mem::take(&mut ready))?;
        }
    }
    if ready.is_empty() { Ok(()) } else { take(ready) }
}

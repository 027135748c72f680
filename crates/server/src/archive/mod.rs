//! The archive of games, for those who ask: opened to be read, when somebody asks, and by few at a time.

mod answers;
pub(crate) mod http;
#[cfg(test)]
mod tests;
mod told;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use surus_archive::{ArchiveError, Place, Store};
use tokio::sync::Semaphore;

use crate::error::Refusal;

/// Questions that are answered at the same time.
const AT_ONCE: usize = 2;
/// Searches through all positions at the same time: they must not keep the others waiting.
const SCANS: usize = 1;
/// Questions that wait or are answered; more are refused.
const MOST_WAITING: usize = 24;
/// A search through all positions tells what it has found after this time.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where the archive is, and who asks it.
#[derive(Debug)]
pub(crate) struct Archive {
    place: Option<Place>,
    questions: Arc<Semaphore>,
    scans: Arc<Semaphore>,
    asked: AtomicUsize,
}

/// What a question needs of the archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    LookUp,
    Scan,
}

/// Whether a question is still of interest to somebody.
#[derive(Clone, Debug)]
struct Going {
    left: Arc<AtomicBool>,
    until: Instant,
}

impl Going {
    fn on(&self) -> bool {
        !self.left.load(Ordering::Relaxed) && Instant::now() < self.until
    }
}

/// Says when whoever asked has gone away.
struct Leave(Arc<AtomicBool>);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Counts a question as long as it is there.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Archive {
    pub(crate) fn new(place: Option<Place>) -> Self {
        Self {
            place,
            questions: Arc::new(Semaphore::new(AT_ONCE)),
            scans: Arc::new(Semaphore::new(SCANS)),
            asked: AtomicUsize::new(0),
        }
    }

    /// Asks something on a thread of its own. The store is opened anew each time, so that an import, or its first one, is
    /// seen by the next question.
    async fn ask<T: Send + 'static>(
        &self,
        kind: Kind,
        question: impl FnOnce(&Store, &Going) -> surus_archive::Result<T> + Send + 'static,
    ) -> Result<T, Refusal> {
        let counted = Counted(&self.asked);
        if MOST_WAITING <= counted.0.fetch_add(1, Ordering::Relaxed) {
            return Err(Refusal::Busy("too many ask the archive at once: try again in a moment".into()));
        }
        let Some(place) = self.place.clone() else {
            return Err(Refusal::Missing(NO_PLACE.into()));
        };
        let places = if kind == Kind::Scan { &self.scans } else { &self.questions };
        let permit = Arc::clone(places).acquire_owned().await.map_err(|error| Refusal::bad(&error))?;
        let left = Arc::new(AtomicBool::new(false));
        let _leave = Leave(Arc::clone(&left));
        let going = Going { left, until: Instant::now() + PATIENCE };
        let answer = tokio::task::spawn_blocking(move || {
            // Whoever went away leaves a question behind that still needs its place.
            let _permit = permit;
            question(&Store::read(&place)?, &going)
        });
        answer.await.map_err(|error| Refusal::bad(&error))?.map_err(|error| refusal(&error))
    }
}

const NO_PLACE: &str = "the system tells no folder for data: start 'surus play' with --store PLACE";

fn refusal(error: &ArchiveError) -> Refusal {
    match error {
        ArchiveError::Missing(place) => Refusal::Missing(help(place)),
        ArchiveError::Older { .. }
        | ArchiveError::Newer { .. }
        | ArchiveError::Unfinished(_)
        | ArchiveError::Foreign { .. } => Refusal::Missing(error.to_string()),
        ArchiveError::Asked(_) => Refusal::bad(error),
        _ => Refusal::Archive(error.to_string()),
    }
}

/// How to make an archive where there is none.
fn help(place: &str) -> String {
    let usual = Place::default_place().is_some_and(|usual| usual.to_string() == place);
    let store = if usual { String::new() } else { format!(" --store {place}") };
    format!("there is no archive yet: 'surus archive import FILE{store}' makes one of files of games")
}

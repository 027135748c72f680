//! The archive of games, for those who ask: opened to be read, when somebody asks, and by few at a time.

mod answers;
pub(crate) mod http;
#[cfg(test)]
mod tests;
mod told;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use surus_archive::{ArchiveDb, ArchiveError, DbLocation};
use surus_rules::TurnTag;

use crate::blocking::Pool;
use crate::error::Refusal;

/// Look-ups that run at the same time, and that may be pending.
const LOOK_UPS: (usize, usize) = (2, 16);
/// Searches through all positions, apart from the look-ups, which they must not delay.
const SCANS: (usize, usize) = (1, 8);
/// A search through all positions returns what it has found after this time.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where the archive is, and the places for questions to it.
#[derive(Debug)]
pub(crate) struct Archive {
    place: Option<DbLocation>,
    look_ups: Pool,
    scans: Pool,
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum QueryError {
    #[error("cannot determine the user data directory: start 'surus play' with --db PATH")]
    NoPlace,
    #[error("{0}")]
    NoArchive(String),
    /// There is an archive that can't be asked.
    #[error(transparent)]
    Unusable(ArchiveError),
    #[error(transparent)]
    Asked(ArchiveError),
    #[error("the archive can't be read: {0}")]
    Failed(ArchiveError),
    #[error("{what} is too long: expected at most {most} bytes")]
    TooLong { what: &'static str, most: usize },
    #[error("nobody sets up at {0}: expected 1g or 1s")]
    NoSetup(TurnTag),
    #[error("nothing to look for: name squares (Ed4 .c3) or the material")]
    Nothing,
    #[error("'{0}' is no side: expected g or s")]
    Side(char),
    #[error("there is no game {0} in the archive")]
    NoGame(i64),
    #[error("a game of the archive is asked for by its number")]
    GameNumber,
    #[error("which name? expected ?name=… and, if wanted, &most=30")]
    NoName,
}

impl From<ArchiveError> for QueryError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Missing(place) => Self::NoArchive(help(&place)),
            ArchiveError::MigrationRequired { .. }
            | ArchiveError::SchemaTooNew { .. }
            | ArchiveError::ImportIncomplete(_)
            | ArchiveError::NotAnArchive { .. } => Self::Unusable(error),
            ArchiveError::InvalidQuery(_) => Self::Asked(error),
            _ => Self::Failed(error),
        }
    }
}

impl From<ArchiveError> for Refusal {
    fn from(error: ArchiveError) -> Self {
        QueryError::from(error).into()
    }
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

impl Archive {
    pub(crate) fn new(place: Option<DbLocation>) -> Self {
        Self {
            place,
            look_ups: Pool::new("archive queries", LOOK_UPS.0, LOOK_UPS.1),
            scans: Pool::new("archive searches", SCANS.0, SCANS.1),
        }
    }

    /// Asks something on a blocking thread. The store is opened anew each time, so that an import, or its first one, is
    /// seen by the next question.
    async fn ask<T: Send + 'static>(
        &self,
        kind: Kind,
        question: impl FnOnce(&ArchiveDb, &Going) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let place = self.place.clone().ok_or(QueryError::NoPlace)?;
        let left = Arc::new(AtomicBool::new(false));
        let _leave = Leave(Arc::clone(&left));
        let work = move || {
            let going = Going { left, until: Instant::now() + PATIENCE };
            question(&ArchiveDb::open_read_only(&place).map_err(QueryError::from)?, &going)
        };
        match kind {
            Kind::LookUp => self.look_ups.run(work).await?,
            Kind::Scan => self.scans.run(work).await?,
        }
    }
}

/// How to make an archive where there is none.
fn help(place: &str) -> String {
    let usual = DbLocation::default_location().is_some_and(|usual| usual.to_string() == place);
    let store = if usual { String::new() } else { format!(" --db {place}") };
    format!("there is no archive yet: 'surus archive import FILE{store}' makes one of files of games")
}

//! Queries to the archive of games. The archive is opened read-only for each query.

mod convert;
mod queries;
pub(crate) mod routes;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use surus_archive::{ArchiveDb, ArchiveError, DbLocation};
use surus_rules::TurnTag;

use crate::blocking::Pool;
use crate::error::ApiError;

/// Indexed queries that run concurrently, and that may be pending.
const MAX_CONCURRENT_QUERIES: usize = 2;
const MAX_PENDING_QUERIES: usize = 16;
/// Likewise for searches through all positions, which must not delay the indexed queries.
const MAX_CONCURRENT_SCANS: usize = 1;
const MAX_PENDING_SCANS: usize = 8;
/// A search through all positions returns what it has found after this time.
const SCAN_TIMEOUT: Duration = Duration::from_secs(20);

/// The archive and its query limits.
#[derive(Debug)]
pub(crate) struct ArchiveService {
    location: Option<DbLocation>,
    indexed: Pool,
    scans: Pool,
    /// The version of the file whose pages were checked.
    checked: Arc<Mutex<Option<FileVersion>>>,
}

/// Size and time of the last change of a file.
type FileVersion = (u64, SystemTime);

fn file_version(location: &DbLocation) -> Option<FileVersion> {
    let DbLocation::Sqlite(file) = location else { return None };
    let about = std::fs::metadata(file).ok()?;
    Some((about.len(), about.modified().ok()?))
}

/// Opens the archive; checks its pages if it has changed since the last query.
fn open_checked(
    location: &DbLocation,
    checked: &Mutex<Option<FileVersion>>,
) -> Result<ArchiveDb, ArchiveError> {
    let db = ArchiveDb::open_read_only(location)?;
    let version = file_version(location);
    // Held during the check, so that concurrent queries wait for one check instead of repeating it.
    let mut checked = checked.lock().unwrap_or_else(PoisonError::into_inner);
    if *checked != version || version.is_none() {
        db.check_pages()?;
        *checked = version;
    }
    Ok(db)
}

/// Why a query failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum QueryError {
    #[error("cannot determine the user data directory: start 'surus play' with --db PATH")]
    NoDataDir,
    #[error("{0}")]
    NoArchive(String),
    /// The archive exists but cannot be queried.
    #[error(transparent)]
    Unusable(ArchiveError),
    #[error(transparent)]
    Invalid(ArchiveError),
    #[error("the archive cannot be read: {0}")]
    Failed(ArchiveError),
    #[error("{what} is too long: expected at most {max} bytes")]
    TooLong { what: &'static str, max: usize },
    #[error("no setup at {0}: expected 1g or 1s")]
    NoSetup(TurnTag),
    #[error("empty search: expected squares (Ed4 .c3) or material")]
    EmptySearch,
    #[error("invalid side '{0}': expected g or s")]
    Side(char),
    #[error("there is no game {0} in the archive")]
    NoGame(i64),
    #[error("invalid game id: expected a number")]
    GameId,
    #[error("missing name: expected ?name=… and optionally &limit=30")]
    MissingName,
}

impl From<ArchiveError> for QueryError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Missing(location) => Self::NoArchive(import_hint(&location)),
            ArchiveError::MigrationRequired { .. }
            | ArchiveError::SchemaTooNew { .. }
            | ArchiveError::ImportIncomplete(_)
            | ArchiveError::NotAnArchive { .. }
            | ArchiveError::Damaged { .. } => Self::Unusable(error),
            ArchiveError::InvalidQuery(_) => Self::Invalid(error),
            _ => Self::Failed(error),
        }
    }
}

impl From<ArchiveError> for ApiError {
    fn from(error: ArchiveError) -> Self {
        QueryError::from(error).into()
    }
}

/// The cost of a query, which decides its pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum QueryKind {
    Indexed,
    Scan,
}

/// Cancels a scan when its client disconnects or its time has run out.
#[derive(Clone, Debug)]
struct CancelToken {
    cancelled: Arc<AtomicBool>,
    deadline: Instant,
}

impl CancelToken {
    fn is_active(&self) -> bool {
        !self.cancelled.load(Ordering::Relaxed) && Instant::now() < self.deadline
    }
}

/// Cancels a query when the future of its request is dropped.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl ArchiveService {
    pub(crate) fn new(location: Option<DbLocation>) -> Self {
        Self {
            location,
            indexed: Pool::new("archive queries", MAX_CONCURRENT_QUERIES, MAX_PENDING_QUERIES),
            scans: Pool::new("archive searches", MAX_CONCURRENT_SCANS, MAX_PENDING_SCANS),
            checked: Arc::default(),
        }
    }

    /// Runs a query on a blocking thread. The database is opened for each query, so that an import, even the first one,
    /// is visible to the next query.
    async fn run_query<T: Send + 'static>(
        &self,
        kind: QueryKind,
        query: impl FnOnce(&ArchiveDb, &CancelToken) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let location = self.location.clone().ok_or(QueryError::NoDataDir)?;
        let checked = Arc::clone(&self.checked);
        let cancelled = Arc::new(AtomicBool::new(false));
        let _cancel = CancelOnDrop(Arc::clone(&cancelled));
        let work = move || {
            let token = CancelToken { cancelled, deadline: Instant::now() + SCAN_TIMEOUT };
            query(&open_checked(&location, &checked).map_err(QueryError::from)?, &token)
        };
        match kind {
            QueryKind::Indexed => self.indexed.run(work).await?,
            QueryKind::Scan => self.scans.run(work).await?,
        }
    }
}

/// How to create the missing archive.
fn import_hint(location: &str) -> String {
    let is_default = DbLocation::default_location().is_some_and(|default| default.to_string() == location);
    let option = if is_default { String::new() } else { format!(" --db {location}") };
    format!("there is no archive yet: create one from game files with 'surus archive import FILE{option}'")
}

//! Blocking work, kept off the async threads.
//!
//! SQLite, replaying and explaining run on blocking threads, with a limit per pool:
//!
//! | pool | concurrent | pending before 503 | work |
//! | --- | --- | --- | --- |
//! | `AppState::game_pool` | 4 | 64 | stored games: create, list, load, change, delete |
//! | `AppState::compute` | one per processor | 64 | `position`, `explain`, `parse`, `info` |
//! | archive queries | 2 | 16 | explorer, setups, players, games |
//! | archive searches | 1 | 8 | searches through all positions |
//!
//! Engines search on blocking threads too, limited by [`crate::engine_pool::EnginePool::permits`]. Storing an engine's
//! turn, a clock timeout or a disconnect waits for its turn but is never rejected; the number of clients limits these.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Semaphore;

/// Why work was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PoolError {
    #[error("too many concurrent {0}: try again shortly")]
    Busy(&'static str),
    #[error("the request failed because of an internal error: {0}")]
    Failed(String),
}

/// A limit for one kind of work.
#[derive(Debug)]
pub(crate) struct Pool {
    /// The kind of work, in the plural.
    work: &'static str,
    permits: Arc<Semaphore>,
    /// Running and waiting work; more is rejected.
    max_pending: usize,
    pending: AtomicUsize,
}

impl Pool {
    pub(crate) fn new(work: &'static str, max_concurrent: usize, max_pending: usize) -> Self {
        let permits = Arc::new(Semaphore::new(max_concurrent));
        Self { work, permits, max_pending, pending: AtomicUsize::new(0) }
    }

    /// Runs work on a blocking thread, unless too much is pending.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let pending = PendingGuard(&self.pending);
        if pending.0.fetch_add(1, Ordering::Relaxed) >= self.max_pending {
            return Err(PoolError::Busy(self.work));
        }
        self.run_always(work).await
    }

    /// Runs work on a blocking thread, however much is pending. Once started it completes, even if the future is
    /// dropped.
    pub(crate) async fn run_always<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let fail = |error: &dyn std::error::Error| PoolError::Failed(error.to_string());
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|error| fail(&error))?;
        let result = tokio::task::spawn_blocking(move || {
            // Work whose client has disconnected still holds its permit.
            let _permit = permit;
            work()
        });
        result.await.map_err(|error| fail(&error))
    }
}

/// Decrements the number of pending requests on drop.
struct PendingGuard<'a>(&'a AtomicUsize);

impl Drop for PendingGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_above_the_limit_is_rejected() {
        let pool = Arc::new(Pool::new("tests", 1, 1));
        let (release, wait) = mpsc::channel::<()>();
        let (started_sender, started) = tokio::sync::oneshot::channel();
        let first = Arc::clone(&pool);
        let first = tokio::spawn(async move {
            let work = move || {
                let _ = started_sender.send(());
                wait.recv().is_ok()
            };
            first.run(work).await
        });
        started.await.unwrap();
        let error = pool.run(|| ()).await.unwrap_err();
        assert_eq!(error.to_string(), "too many concurrent tests: try again shortly");
        release.send(()).unwrap();
        assert!(first.await.unwrap().unwrap());
        assert_eq!(pool.run(|| 7).await.unwrap(), 7, "a rejected request is not counted");
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_releases_its_permit() {
        let pool = Pool::new("tests", 1, 1);
        let error = pool.run(|| -> () { panic!("on purpose") }).await.unwrap_err();
        assert!(matches!(error, PoolError::Failed(_)), "{error}");
        assert_eq!(pool.run(|| 7).await.unwrap(), 7);
    }
}

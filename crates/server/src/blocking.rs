//! Work that blocks, kept off the async threads.
//!
//! Whatever reads or writes SQLite, replays a game or explains a position runs on a blocking thread, and at most as
//! many at once as its pool has places:
//!
//! | pool | at once | pending, the rest gets 503 | work |
//! | --- | --- | --- | --- |
//! | `Hub::games` | 4 | 64 | stored games: start, list, load, change, delete |
//! | `Hub::compute` | one for each processor | 64 | `look`, `why`, `read`, `about` |
//! | archive look-ups | 2 | 16 | explorer, setups, players, games |
//! | archive searches | 1 | 8 | searches through all positions |
//!
//! Engines think on blocking threads too, behind [`crate::engines::Workshop::places`]. Storing an engine's turn, the
//! end of a clock or a client's departure waits for a place, but is never refused; their number is bounded by the number
//! of clients.

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

/// Places for one kind of work.
#[derive(Debug)]
pub(crate) struct Pool {
    /// What is done there, in the plural.
    work: &'static str,
    places: Arc<Semaphore>,
    /// Work that waits or is done; more is refused.
    most_pending: usize,
    pending: AtomicUsize,
}

impl Pool {
    pub(crate) fn new(work: &'static str, at_once: usize, most_pending: usize) -> Self {
        let places = Arc::new(Semaphore::new(at_once));
        Self { work, places, most_pending, pending: AtomicUsize::new(0) }
    }

    /// Does something on a blocking thread, unless too much is pending.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let pending = Pending(&self.pending);
        if self.most_pending <= pending.0.fetch_add(1, Ordering::Relaxed) {
            return Err(PoolError::Busy(self.work));
        }
        self.run_always(work).await
    }

    /// Does something on a blocking thread, however much is pending. It is done even if the future is dropped once it
    /// has begun.
    pub(crate) async fn run_always<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let fail = |error: &dyn std::error::Error| PoolError::Failed(error.to_string());
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|error| fail(&error))?;
        let done = tokio::task::spawn_blocking(move || {
            // Work whose client has gone still needs its place.
            let _place = place;
            work()
        });
        done.await.map_err(|error| fail(&error))
    }
}

/// Counts work as long as somebody waits for it.
struct Pending<'a>(&'a AtomicUsize);

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_beyond_the_limit_is_refused_and_places_come_back() {
        let pool = Arc::new(Pool::new("tests", 1, 1));
        let (release, wait) = mpsc::channel::<()>();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let first = Arc::clone(&pool);
        let first = tokio::spawn(async move {
            let work = move || {
                let _ = begun.send(());
                wait.recv().is_ok()
            };
            first.run(work).await
        });
        begins.await.unwrap();
        let error = pool.run(|| ()).await.unwrap_err();
        assert_eq!(error.to_string(), "too many concurrent tests: try again shortly");
        release.send(()).unwrap();
        assert!(first.await.unwrap().unwrap());
        assert_eq!(pool.run(|| 7).await.unwrap(), 7, "a refused request is not counted");
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_frees_its_place() {
        let pool = Pool::new("tests", 1, 1);
        let error = pool.run(|| -> () { panic!("on purpose") }).await.unwrap_err();
        assert!(matches!(error, PoolError::Failed(_)), "{error}");
        assert_eq!(pool.run(|| 7).await.unwrap(), 7);
    }
}

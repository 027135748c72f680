//! Worker threads that produce games; each game is saved before its worker starts the next.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use surus_arena::Fault;
use surus_play::{EngineError, StopToken};
use surus_record::packed::{PackedAppender, PackedFileError, PackedGame, SampleError};
use surus_rules::IllegalTurn;

/// An error that ends a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The data file cannot be read or written.
    #[error(transparent)]
    File(#[from] PackedFileError),
    /// An engine error.
    #[error("game {game}: {error}")]
    Engine {
        /// The number of the game.
        game: u64,
        /// The error.
        error: EngineError,
    },
    /// The engine forfeited the game.
    #[error("game {game}: {fault}")]
    Fault {
        /// The number of the game.
        game: u64,
        /// The reason.
        fault: Fault,
    },
    /// The engine returned no scored turn.
    #[error("game {0}: the engine returned no scored turn; increase the node limit")]
    NoScore(u64),
    /// An illegal turn.
    #[error("game {game}: {error}")]
    Illegal {
        /// The number of the game.
        game: u64,
        /// Why it is illegal.
        error: IllegalTurn,
    },
    /// Another worker panicked while writing.
    #[error("another worker panicked while writing a game")]
    Poisoned,
    /// A sample that cannot be encoded.
    #[error("game {game}: {error}")]
    Sample {
        /// The number of the game.
        game: u64,
        /// The reason.
        error: SampleError,
    },
}

/// Produces the numbered games that the file lacks, with `concurrency` workers. A worker returns `None` if stopped.
/// Calls `on_game` with each game after it was written.
pub fn run_workers<W>(
    file: PackedAppender,
    numbers: impl Iterator<Item = u64> + Send,
    concurrency: usize,
    stop: &StopToken,
    worker: impl Fn() -> Result<W, RunError> + Sync,
    mut on_game: impl FnMut(&PackedGame),
) -> Result<(), RunError>
where
    W: FnMut(u64) -> Result<Option<PackedGame>, RunError>,
{
    let (pending, file) = (Mutex::new(numbers), Mutex::new(file));
    let (sender, finished) = channel();
    let work = |sender: Sender<PackedGame>| -> Result<(), RunError> {
        let mut produce = worker()?;
        while !stop.should_stop() {
            let Some(number) = next(&pending, &file)? else { break };
            let Some(game) = produce(number)? else { break };
            file.lock().map_err(|_| RunError::Poisoned)?.write_game(&game)?;
            if sender.send(game).is_err() {
                break;
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let spawn_worker = |sender: Sender<PackedGame>| {
            // An error ends the run: the other workers would run into it too.
            scope.spawn(|| work(sender).inspect_err(|_| stop.request()))
        };
        let workers: Vec<_> = (0..concurrency.max(1)).map(|_| spawn_worker(sender.clone())).collect();
        drop(sender);
        for game in finished {
            on_game(&game);
        }
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    file.into_inner().map_err(|_| RunError::Poisoned)?.sync()?;
    Ok(())
}

/// The next number without a game in the file.
fn next(
    pending: &Mutex<impl Iterator<Item = u64>>,
    file: &Mutex<PackedAppender>,
) -> Result<Option<u64>, RunError> {
    let mut pending = pending.lock().map_err(|_| RunError::Poisoned)?;
    let file = file.lock().map_err(|_| RunError::Poisoned)?;
    Ok(pending.find(|number| !file.contains(*number)))
}

//! Several workers that make games, each in its file before its worker begins the next.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use surus_arena::Fault;
use surus_play::{EngineError, StopToken};
use surus_record::packed::{PackedAppender, PackedFileError, PackedGame, SampleError};
use surus_rules::IllegalTurn;

/// Why a run ended before its last game.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The file can't be used.
    #[error(transparent)]
    File(#[from] PackedFileError),
    /// The engine failed.
    #[error("game {game}: {error}")]
    Engine {
        /// The number of the game.
        game: u64,
        /// What the engine said.
        error: EngineError,
    },
    /// The engine lost the game by a fault.
    #[error("game {game}: {fault}")]
    Fault {
        /// The number of the game.
        game: u64,
        /// What it did.
        fault: Fault,
    },
    /// The engine gave no turn with a score.
    #[error("game {0}: the engine told no turn with a score: give it more nodes")]
    NoScore(u64),
    /// The engine wanted what the rules don't allow.
    #[error("game {game}: {error}")]
    Illegal {
        /// The number of the game.
        game: u64,
        /// What is wrong with it.
        error: IllegalTurn,
    },
    /// Another worker panicked while it wrote.
    #[error("another worker panicked while it wrote a game")]
    Poisoned,
    /// A turn that can't be recorded.
    #[error("game {game}: {error}")]
    Sample {
        /// The number of the game.
        game: u64,
        /// What is wrong with it.
        error: SampleError,
    },
}

/// Makes the games of these numbers that the file does not have, with several workers at once. A worker that was
/// stopped makes nothing. `heard` hears of every game that is in the file.
pub fn run_workers<W>(
    file: PackedAppender,
    numbers: impl Iterator<Item = u64> + Send,
    concurrency: usize,
    stop: &StopToken,
    worker: impl Fn() -> Result<W, RunError> + Sync,
    mut heard: impl FnMut(&PackedGame),
) -> Result<(), RunError>
where
    W: FnMut(u64) -> Result<Option<PackedGame>, RunError>,
{
    let (waiting, file) = (Mutex::new(numbers), Mutex::new(file));
    let (sender, finished) = channel();
    let work = |sender: Sender<PackedGame>| -> Result<(), RunError> {
        let mut make = worker()?;
        while !stop.should_stop() {
            let Some(number) = next(&waiting, &file)? else { break };
            let Some(game) = make(number)? else { break };
            file.lock().map_err(|_| RunError::Poisoned)?.write_game(&game)?;
            if sender.send(game).is_err() {
                break;
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let hire = |sender: Sender<PackedGame>| {
            // One worker that fails ends the run: what it met, the others would meet too.
            scope.spawn(|| work(sender).inspect_err(|_| stop.request()))
        };
        let crew: Vec<_> = (0..concurrency.max(1)).map(|_| hire(sender.clone())).collect();
        drop(sender);
        for game in finished {
            heard(&game);
        }
        crew.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    file.into_inner().map_err(|_| RunError::Poisoned)?.sync()?;
    Ok(())
}

/// The next number whose game is not there yet.
fn next(
    waiting: &Mutex<impl Iterator<Item = u64>>,
    file: &Mutex<PackedAppender>,
) -> Result<Option<u64>, RunError> {
    let mut waiting = waiting.lock().map_err(|_| RunError::Poisoned)?;
    let file = file.lock().map_err(|_| RunError::Poisoned)?;
    Ok(waiting.find(|number| !file.contains(*number)))
}

//! How every command ends on a signal: Ctrl-C, SIGTERM and SIGHUP.
//!
//! A command that has something to finish or to close takes the [`StopToken`] and looks at it; any other is ended at once.
//! Either way a second signal ends the program immediately.

use std::io;
use std::process::exit;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use surus_play::StopToken;

use crate::CommandStatus;

/// The one handler of signals.
#[derive(Clone, Default)]
pub(crate) struct Shutdown {
    /// The last signal; 0 before the first.
    signal: Arc<AtomicI32>,
    /// Whether the command ends by itself.
    graceful: Arc<AtomicBool>,
    stop: StopToken,
    flag: Arc<AtomicBool>,
    hook: Arc<Mutex<Option<Hook>>>,
}

type Hook = Box<dyn Fn() + Send>;

impl Shutdown {
    /// Begins to handle signals; called once.
    pub(crate) fn install() -> Result<Self> {
        let shutdown = Self::default();
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("can't handle signals")?;
        let handler = shutdown.clone();
        thread::spawn(move || signals.forever().for_each(|signal| handler.receive(signal)));
        Ok(shutdown)
    }

    fn receive(&self, signal: i32) {
        let first = self.signal.swap(signal, Ordering::SeqCst) == 0;
        if !first || !self.graceful.load(Ordering::SeqCst) {
            eprintln!("surus: {}", name(signal));
            exit(128 + signal);
        }
        self.flag.store(true, Ordering::SeqCst);
        self.stop.request();
        if let Some(hook) = self.hook.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            hook();
        }
    }

    /// What the first signal requests, for a command that ends by itself then.
    pub(crate) fn stop(&self) -> StopToken {
        self.take_over();
        self.stop.clone()
    }

    /// The same as a plain flag.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.take_over();
        Arc::clone(&self.flag)
    }

    /// Calls this at the first signal, for a command that ends by itself then.
    pub(crate) fn on_signal(&self, hook: impl Fn() + Send + 'static) {
        *self.hook.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(hook));
        self.take_over();
    }

    fn take_over(&self) {
        self.graceful.store(true, Ordering::SeqCst);
    }

    /// The number of the last signal; 0 if none has come.
    pub(crate) fn signal(&self) -> i32 {
        self.signal.load(Ordering::SeqCst)
    }

    /// Whether a signal has come.
    pub(crate) fn requested(&self) -> bool {
        self.signal() != 0
    }

    /// How a command went that finished its work, or was interrupted before it could.
    pub(crate) fn outcome(&self, finished: bool) -> CommandStatus {
        match (finished, self.signal()) {
            (true, _) => CommandStatus::Success,
            (false, 0) => CommandStatus::Failure,
            (false, signal) => {
                eprintln!("surus: {}", name(signal));
                CommandStatus::Interrupted(signal)
            }
        }
    }
}

fn name(signal: i32) -> &'static str {
    match signal {
        SIGINT => "interrupted",
        SIGHUP => "the terminal was closed",
        _ => "terminated",
    }
}

/// A writer that fails once a signal has come, so that long output ends without a check of its own.
pub(crate) struct Interruptible<W> {
    inner: W,
    shutdown: Shutdown,
}

impl<W: io::Write> Interruptible<W> {
    pub(crate) fn new(inner: W, shutdown: &Shutdown) -> Self {
        shutdown.take_over();
        Self { inner, shutdown: shutdown.clone() }
    }
}

impl<W: io::Write> io::Write for Interruptible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not ErrorKind::Interrupted, at which writers try again.
        if self.shutdown.requested() {
            return Err(io::Error::other("interrupted"));
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

//! Signal handling of every command: SIGINT, SIGTERM and SIGHUP.
//!
//! A command with work to finish polls the [`StopToken`]; any other exits at once. A second signal always exits at once.

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

/// The signal handler.
#[derive(Clone, Default)]
pub(crate) struct Shutdown {
    /// The last signal; 0 before the first.
    signal: Arc<AtomicI32>,
    /// Whether the command stops by itself.
    graceful: Arc<AtomicBool>,
    stop: StopToken,
    flag: Arc<AtomicBool>,
    hook: Arc<Mutex<Option<Hook>>>,
}

type Hook = Box<dyn Fn() + Send>;

impl Shutdown {
    /// Installs the handler; called once.
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

    /// The token that the first signal requests; the command must stop by itself.
    pub(crate) fn stop(&self) -> StopToken {
        self.take_over();
        self.stop.clone()
    }

    /// The same as a plain flag.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.take_over();
        Arc::clone(&self.flag)
    }

    /// Calls `hook` at the first signal; the command must stop by itself.
    pub(crate) fn on_signal(&self, hook: impl Fn() + Send + 'static) {
        *self.hook.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(hook));
        self.take_over();
    }

    fn take_over(&self) {
        self.graceful.store(true, Ordering::SeqCst);
    }

    /// The last signal, or 0.
    pub(crate) fn signal(&self) -> i32 {
        self.signal.load(Ordering::SeqCst)
    }

    /// Whether a signal was received.
    pub(crate) fn requested(&self) -> bool {
        self.signal() != 0
    }

    /// The status of a command that finished, or was interrupted before it did.
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

/// A writer that fails after a signal, so that long output stops without further checks.
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
        // Not ErrorKind::Interrupted, on which writers retry.
        if self.shutdown.requested() {
            return Err(io::Error::other("interrupted"));
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

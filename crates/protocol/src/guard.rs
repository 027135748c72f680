//! The guard process of an external engine. When its parent process ends, it kills the engine and all processes that the
//! engine has started, then exits.
//!
//! The guard's standard input is one end of a socket pair; only the parent holds the other end. The parent sends the
//! engine's standard input through it and closes it to end the engine. Standard output and error belong to the engine.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, getpid, getppid, waitid};
use surus_play::GuardCommand;

use crate::lifeline;

/// Time limit for killing; only a process stuck in the kernel survives it.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// Interval between checks for running processes.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The process name; `killall surus` must not match the guard.
#[cfg(target_os = "linux")]
const PROCESS_NAME: &std::ffi::CStr = c"engine-guard";

/// A guard that has not started its engine.
#[derive(Debug)]
pub struct Guard {
    sender: Sender<()>,
    ended: Receiver<()>,
}

impl Default for Guard {
    fn default() -> Self {
        let (sender, ended) = channel();
        Self { sender, ended }
    }
}

impl Guard {
    /// Returns a callback that ends the engine and the guard from any thread.
    pub fn ender(&self) -> impl Fn() + Send + 'static {
        let sender = self.sender.clone();
        move || {
            // Sending fails only if the guard is already ending.
            let _ = sender.send(());
        }
    }

    /// Starts the engine, waits until it or the parent process ends, and kills the remaining processes. `launcher` is the
    /// command that calls [`become_engine`].
    pub fn run(self, launcher: &GuardCommand, command_line: &[OsString]) -> io::Result<ExitStatus> {
        let input = lifeline::receive(io::stdin())?;
        #[cfg(target_os = "linux")]
        {
            rustix::thread::set_name(PROCESS_NAME)?;
            rustix::process::set_child_subreaper(Some(getpid()))?;
        }
        let mut command = Command::new(&launcher.program);
        command.args(&launcher.arguments).arg(getpid().to_string()).arg("--").args(command_line);
        let engine = command.stdin(input).spawn()?;
        // Only the engine may keep its output open.
        rustix::stdio::dup2_stdout(File::options().write(true).open("/dev/null")?)?;
        let family = Arc::new(ProcessFamily::new(engine)?);
        let (watcher, sender) = (Arc::clone(&family), self.sender.clone());
        thread::spawn(move || {
            watcher.wait();
            let _ = sender.send(());
        });
        let sender = self.sender;
        thread::spawn(move || {
            // Only the end of the input matters.
            while matches!(io::stdin().read(&mut [0; 64]), Ok(1..)) {}
            let _ = sender.send(());
        });
        let _ = self.ended.recv();
        family.kill_all()
    }
}

/// Asks the kernel to kill this process when the guard dies, then replaces it with the engine. Returns only on failure.
///
/// The death signal survives `exec`. Setting it in a separate process avoids the unsafe `pre_exec`.
pub fn become_engine(guard: u32, command_line: &[OsString]) -> io::Error {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
    {
        return error.into();
    }
    // The guard may have died before the signal was set.
    if getppid().is_none_or(|parent| u32::try_from(parent.as_raw_nonzero().get()) != Ok(guard)) {
        return io::Error::other("the guard has ended");
    }
    match command_line {
        [program, arguments @ ..] => Command::new(program).args(arguments).exec(),
        [] => io::Error::new(io::ErrorKind::InvalidInput, "missing program"),
    }
}

/// The engine and its orphaned descendants, which are reparented to the guard.
struct ProcessFamily {
    pid: Pid,
    /// Locked while children are listed, killed and reaped, so that no process id is reused in between.
    engine: Mutex<Child>,
}

impl ProcessFamily {
    fn new(engine: Child) -> io::Result<Self> {
        let pid = i32::try_from(engine.id()).ok().and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| io::Error::other("the engine has no valid process id"))?;
        Ok(Self { pid, engine: Mutex::new(engine) })
    }

    fn engine(&self) -> MutexGuard<'_, Child> {
        // A panic leaves the process to kill valid.
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the engine has exited, without reaping it.
    fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.pid), options), Ok(None))
    }

    /// Waits until the engine has exited, reaping orphans meanwhile.
    fn wait(&self) {
        loop {
            // An interruption by a signal is harmless.
            let _ = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
            if self.has_exited() {
                return;
            }
            let locked = self.engine();
            self.reap_orphans();
            drop(locked);
            thread::sleep(POLL_INTERVAL);
        }
    }

    #[cfg(target_os = "linux")]
    fn reap_orphans(&self) {
        let options = rustix::process::WaitOptions::NOHANG;
        for orphan in children().into_iter().filter(|&child| child != self.pid) {
            let _ = rustix::process::waitpid(Some(orphan), options);
        }
    }

    #[cfg(not(target_os = "linux"))]
    const fn reap_orphans(&self) {}

    /// Kills all processes and returns the engine's exit status. Children of a killed process are reparented to the guard,
    /// so each round kills one generation.
    #[cfg(target_os = "linux")]
    fn kill_all(&self) -> io::Result<ExitStatus> {
        let start = Instant::now();
        loop {
            let mut engine = self.engine();
            // Check before listing: the children of an exited engine are already reparented.
            let exited = self.has_exited();
            let orphans: Vec<Pid> = children().into_iter().filter(|&child| child != self.pid).collect();
            if exited && orphans.is_empty() {
                return engine.wait();
            }
            if start.elapsed() > KILL_TIMEOUT {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "cannot kill all processes of the engine",
                ));
            }
            // Fails if a process has exited meanwhile.
            let _ = engine.kill();
            for orphan in orphans {
                let _ = rustix::process::kill_process(orphan, rustix::process::Signal::KILL);
            }
            self.reap_orphans();
            drop(engine);
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Kills the process group, which includes the guard.
    #[cfg(not(target_os = "linux"))]
    fn kill_all(&self) -> io::Result<ExitStatus> {
        let start = Instant::now();
        let mut engine = self.engine();
        if let Ok(group) = rustix::process::getpgid(None) {
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL)?;
        }
        while start.elapsed() < KILL_TIMEOUT && !self.has_exited() {
            thread::sleep(POLL_INTERVAL);
        }
        engine.wait()
    }
}

/// The children of this process.
#[cfg(target_os = "linux")]
fn children() -> Vec<Pid> {
    let own = getpid();
    let child = |entry: std::fs::DirEntry| {
        let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        let stat = std::fs::read(entry.path().join("stat")).ok()?;
        (parent(&stat)? == own).then_some(pid)
    };
    std::fs::read_dir("/proc")
        .map_or_else(|_| Vec::new(), |entries| entries.flatten().filter_map(child).collect())
}

/// The parent process in `/proc/PID/stat`. The process name before it is in parentheses and may contain any character.
#[cfg(target_os = "linux")]
fn parent(stat: &[u8]) -> Option<Pid> {
    let name_end = stat.iter().rposition(|&byte| byte == b')')?;
    let fields = std::str::from_utf8(&stat[name_end + 1..]).ok()?;
    Pid::from_raw(fields.split_ascii_whitespace().nth(1)?.parse().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn parses_parent_after_any_process_name() {
        let parent = |stat: &str| parent(stat.as_bytes()).map(|pid| pid.as_raw_nonzero().get());
        assert_eq!(parent("12 (surus) S 7 12 12 0 -1"), Some(7));
        assert_eq!(parent("12 (a) S 3 ()) R 8 12"), Some(8));
        assert_eq!(parent("12 (a"), None);
        assert_eq!(parent("12 (a) S"), None);
    }

    #[test]
    fn lists_children_until_reaped() {
        let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
        let pid = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
        assert!(children().contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!children().contains(&pid));
    }
}

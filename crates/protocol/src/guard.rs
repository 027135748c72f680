//! The guard process of an external engine: it outlives the program that started it just long enough to kill the engine
//! and everything the engine has started.
//!
//! The guard's standard input is one end of a socket pair whose other end only the program holds. It brings the engine's
//! standard input; when it closes, the program is dead or done. Standard output and error are the engine's own.

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

/// How long killing may take. Only a process that hangs in the kernel is still there then.
const KILL_TIME: Duration = Duration::from_secs(10);

/// How long to wait between two looks at what is still running.
const KILL_TICK: Duration = Duration::from_millis(1);

/// The process name, by which `killall surus` does not find the guard.
#[cfg(target_os = "linux")]
const NAME: &std::ffi::CStr = c"engine-guard";

/// A guard that has not started its engine yet.
#[derive(Debug)]
pub struct Guard {
    sender: Sender<()>,
    over: Receiver<()>,
}

impl Default for Guard {
    fn default() -> Self {
        let (sender, over) = channel();
        Self { sender, over }
    }
}

impl Guard {
    /// Ends the engine and the guard when it is called, from any thread.
    pub fn ender(&self) -> impl Fn() + Send + 'static {
        let sender = self.sender.clone();
        move || {
            // A guard that no longer listens is ending already.
            let _ = sender.send(());
        }
    }

    /// Starts the engine and waits for its end, or for the end of the program that started this process; kills whatever
    /// is left. `stage` is the command that calls [`become_engine`].
    pub fn run(self, stage: &GuardCommand, words: &[OsString]) -> io::Result<ExitStatus> {
        let input = lifeline::receive(io::stdin())?;
        #[cfg(target_os = "linux")]
        {
            rustix::thread::set_name(NAME)?;
            rustix::process::set_child_subreaper(Some(getpid()))?;
        }
        let mut command = Command::new(&stage.program);
        command.args(&stage.arguments).arg(getpid().to_string()).arg("--").args(words);
        let engine = command.stdin(input).spawn()?;
        // The engine's output has to end with the engine.
        rustix::stdio::dup2_stdout(File::options().write(true).open("/dev/null")?)?;
        let family = Arc::new(Family::of(engine)?);
        let (watcher, sender) = (Arc::clone(&family), self.sender.clone());
        thread::spawn(move || {
            watcher.wait();
            let _ = sender.send(());
        });
        let sender = self.sender;
        thread::spawn(move || {
            // Whatever arrives is no message; the end is.
            while matches!(io::stdin().read(&mut [0; 64]), Ok(1..)) {}
            let _ = sender.send(());
        });
        let _ = self.over.recv();
        family.end()
    }
}

/// The last stage of a guard's start: asks the kernel to kill this process with the guard, and becomes the engine.
/// Returns only the error.
///
/// The order survives the change of program, and this is the only way to give it without unsafe code.
pub fn become_engine(guard: u32, words: &[OsString]) -> io::Error {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
    {
        return error.into();
    }
    // A guard that died before the order was given is another process's parent no more.
    if getppid().is_none_or(|parent| u32::try_from(parent.as_raw_nonzero().get()) != Ok(guard)) {
        return io::Error::other("the guard has ended");
    }
    match words {
        [program, arguments @ ..] => Command::new(program).args(arguments).exec(),
        [] => io::Error::new(io::ErrorKind::InvalidInput, "there is no program"),
    }
}

/// The engine and all orphans of processes that it has started, which become children of the guard.
struct Family {
    pid: Pid,
    /// Held while children are listed, killed and reaped, so that a number can't change its owner in between.
    engine: Mutex<Child>,
}

impl Family {
    fn of(engine: Child) -> io::Result<Self> {
        let pid = i32::try_from(engine.id()).ok().and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| io::Error::other("the engine has no process number"))?;
        Ok(Self { pid, engine: Mutex::new(engine) })
    }

    fn engine(&self) -> MutexGuard<'_, Child> {
        // What a panic left behind is still a list of processes to kill.
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the engine has ended; it is not reaped by this.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.pid), options), Ok(None))
    }

    /// Waits for the end of the engine, and reaps the orphans that end before it.
    fn wait(&self) {
        loop {
            // Of an interruption by a signal nothing follows.
            let _ = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
            if self.has_ended() {
                return;
            }
            let locked = self.engine();
            self.reap_orphans();
            drop(locked);
            thread::sleep(KILL_TICK);
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

    /// Kills everything and tells how the engine ended. The children of a killed process become children of the guard,
    /// so that it takes as many rounds as there are generations.
    #[cfg(target_os = "linux")]
    fn end(&self) -> io::Result<ExitStatus> {
        let begun = Instant::now();
        loop {
            let mut engine = self.engine();
            // In this order: the children of an engine that has ended are ours by now, and are listed.
            let ended = self.has_ended();
            let orphans: Vec<Pid> = children().into_iter().filter(|&child| child != self.pid).collect();
            if ended && orphans.is_empty() {
                return engine.wait();
            }
            if KILL_TIME < begun.elapsed() {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "some of its processes can't be killed"));
            }
            // Any of them may have ended by itself by now.
            let _ = engine.kill();
            for orphan in orphans {
                let _ = rustix::process::kill_process(orphan, rustix::process::Signal::KILL);
            }
            self.reap_orphans();
            drop(engine);
            thread::sleep(KILL_TICK);
        }
    }

    /// Kills the process group, and with it the guard.
    #[cfg(not(target_os = "linux"))]
    fn end(&self) -> io::Result<ExitStatus> {
        let begun = Instant::now();
        let mut engine = self.engine();
        if let Ok(group) = rustix::process::getpgid(None) {
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL)?;
        }
        while begun.elapsed() < KILL_TIME && !self.has_ended() {
            thread::sleep(KILL_TICK);
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

/// The parent that `/proc/PID/stat` names. The process name before it is in brackets and may have any characters.
#[cfg(target_os = "linux")]
fn parent(stat: &[u8]) -> Option<Pid> {
    let bracket = stat.iter().rposition(|&byte| byte == b')')?;
    let fields = std::str::from_utf8(&stat[bracket + 1..]).ok()?;
    Pid::from_raw(fields.split_ascii_whitespace().nth(1)?.parse().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_read_behind_any_name() {
        let parent = |stat: &str| parent(stat.as_bytes()).map(|pid| pid.as_raw_nonzero().get());
        assert_eq!(parent("12 (surus) S 7 12 12 0 -1"), Some(7));
        assert_eq!(parent("12 (a) S 3 ()) R 8 12"), Some(8));
        assert_eq!(parent("12 (a"), None);
        assert_eq!(parent("12 (a) S"), None);
    }

    #[test]
    fn children_are_found_until_they_are_reaped() {
        let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
        let pid = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
        assert!(children().contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!children().contains(&pid));
    }
}

//! Processes that tests start, look for and send signals to.

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Far more than anything here takes; only a failing test waits as long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until this holds.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The command lines of all processes that have this text in them, except for the test itself.
pub(crate) fn with_text(text: &str) -> Vec<String> {
    let line = |entry: std::fs::DirEntry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        let bytes = std::fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&bytes).replace('\0', " ");
        (number != std::process::id() && line.contains(text)).then_some(line)
    };
    std::fs::read_dir("/proc").unwrap().flatten().filter_map(line).collect()
}

/// Waits until no process has this text in its command line.
#[track_caller]
pub(crate) fn until_gone(text: &str) {
    let begun = Instant::now();
    loop {
        let left = with_text(text);
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "still there after {PATIENCE:?}: {left:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The program with these arguments, its input held open and its output piped.
pub(crate) fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_surus"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub(crate) fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id().try_into().unwrap()).unwrap(), signal).unwrap();
}

/// Waits for the end and gives exit code, output and errors.
#[track_caller]
pub(crate) fn finish(mut child: Child) -> (Option<i32>, String, String) {
    let input = child.stdin.take();
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    let Output { status, stdout, stderr } = ended.recv_timeout(PATIENCE).expect("it ends");
    drop(input);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

//! Processes that tests start, look for and send signals to.

use std::io::Read;
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

/// The program with these arguments, from the moment on at which it handles signals.
#[track_caller]
pub(crate) fn start_handling(args: &[&str]) -> Child {
    let child = start(args);
    until("it handles SIGTERM", || catches(child.id(), Signal::TERM));
    child
}

/// Whether a process handles a signal.
fn catches(process: u32, signal: Signal) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal.as_raw() - 1) & 1 == 1)
}

/// Waits until a process has worked for a while, so that what it does is no longer its start.
#[track_caller]
pub(crate) fn await_work(child: &Child) {
    // In hundredths of a second.
    const WORK: u64 = 50;
    until("it works", || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
        fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>() >= WORK
    });
}

/// Reads the output up to a line that contains this text.
#[track_caller]
pub(crate) fn await_line(child: &mut Child, text: &str) {
    let output = child.stdout.as_mut().unwrap();
    let (mut line, mut byte) = (Vec::new(), [0]);
    // Byte by byte, so that nothing behind the line is taken away.
    while output.read(&mut byte).unwrap() == 1 {
        if byte != *b"\n" {
            line.extend(byte);
        } else if String::from_utf8_lossy(&std::mem::take(&mut line)).contains(text) {
            return;
        }
    }
    panic!("the output ends before '{text}'");
}

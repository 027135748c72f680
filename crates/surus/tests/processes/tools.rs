//! Starting, finding and signalling processes.

use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Only a failing test waits this long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Waits until the condition holds.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < TIMEOUT, "not within {TIMEOUT:?}: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The command lines of all processes that contain this text, except for the test itself.
pub(crate) fn with_text(text: &str) -> Vec<String> {
    let line = |entry: std::fs::DirEntry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        let bytes = std::fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&bytes).replace('\0', " ");
        (number != std::process::id() && line.contains(text)).then_some(line)
    };
    std::fs::read_dir("/proc").unwrap().flatten().filter_map(line).collect()
}

/// Waits until no command line contains this text.
#[track_caller]
pub(crate) fn until_gone(text: &str) {
    let started = Instant::now();
    loop {
        let left = with_text(text);
        if left.is_empty() {
            return;
        }
        assert!(started.elapsed() < TIMEOUT, "still there after {TIMEOUT:?}: {left:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts the program with piped standard streams.
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

/// Waits for the process and returns exit code, standard output and standard error.
#[track_caller]
pub(crate) fn finish(mut child: Child) -> (Option<i32>, String, String) {
    let input = child.stdin.take();
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    let Output { status, stdout, stderr } = ended.recv_timeout(TIMEOUT).expect("the process exits");
    drop(input);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

/// Starts the program and waits until it handles signals.
#[track_caller]
pub(crate) fn start_handling(args: &[&str]) -> Child {
    let child = start(args);
    until("SIGTERM is handled", || catches(child.id(), Signal::TERM));
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

/// Waits until a process has used some processor time, so that it is past its start.
#[track_caller]
pub(crate) fn await_work(child: &Child) {
    // In clock ticks of 10 ms.
    const WORK: u64 = 50;
    until("processor time is used", || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
        fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>() >= WORK
    });
}

/// Reads the output up to the line that contains this text.
#[track_caller]
pub(crate) fn await_line(child: &mut Child, text: &str) {
    let output = child.stdout.as_mut().unwrap();
    let (mut line, mut byte) = (Vec::new(), [0]);
    // Byte by byte, so that nothing after the line is consumed.
    while output.read(&mut byte).unwrap() == 1 {
        if byte != *b"\n" {
            line.extend(byte);
        } else if String::from_utf8_lossy(&std::mem::take(&mut line)).contains(text) {
            return;
        }
    }
    panic!("the output ends before '{text}'");
}

//! No process of an external engine outlives the program, whatever kills it.

use std::path::PathBuf;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};

use crate::tools::{finish, send, start, until, until_gone, with_text};

/// An AEI engine that completes the handshake, ignores every signal that can be ignored, and never answers. Its processes
/// are identified by a marker in their command lines.
struct Engine {
    script: PathBuf,
    marker: String,
}

impl Engine {
    /// In the script, `$1` is the marker and `$2` a number of seconds that no other test sleeps.
    fn new(name: &str, setup_script: &str) -> Self {
        let marker = format!("{name}-{}", std::process::id());
        let script = std::env::temp_dir().join(format!("surus-guard-{marker}.sh"));
        let text = format!(
            "trap '' INT TERM HUP PIPE\n{setup_script}\n\
             read line; echo protocol-version 1; echo id name hanger; echo aeiok; read line; echo readyok\n\
             while :; do sleep \"$2\"; done\n"
        );
        std::fs::write(&script, text).unwrap();
        Self { script, marker }
    }

    /// The argument of `sleep` in this engine.
    fn seconds(&self) -> String {
        format!("{}.{}", 1000 + self.marker.len(), std::process::id())
    }

    fn command_line(&self) -> String {
        format!("sh '{}' {} {}", self.script.display(), self.marker, self.seconds())
    }

    /// Starts a match and waits until the engine hangs, with `sleepers` of its processes asleep.
    #[track_caller]
    fn hang(&self, sleepers: usize) -> Child {
        let child = start(&["match", &format!("cmd={}", self.command_line()), "random", "--games", "2"]);
        self.await_sleepers(sleepers);
        child
    }

    #[track_caller]
    fn await_sleepers(&self, expected: usize) {
        let sleeps = |line: &String| line.starts_with(&format!("sleep {}", self.seconds()));
        until("the engine hangs", || {
            with_text(&self.seconds()).iter().filter(|line| sleeps(line)).count() == expected
        });
    }

    #[track_caller]
    fn assert_gone(&self) {
        until_gone(&self.marker);
        until_gone(&self.seconds());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.script);
    }
}

/// Starts a grandchild in a session of its own, outside the process group of the engine.
const ESCAPE: &str = "setsid sh -c 'trap \"\" INT TERM HUP; while :; do sleep \"$1\"; done' \"$1\" \"$2\" &";

/// Starts descendants whose parents have exited.
const ORPHAN: &str =
    "( setsid sh -c 'sh -c \"sleep $1 & sleep $1\" x \"$1\" & exit' \"$1\" \"$2\" >/dev/null 2>&1 & )";

#[test]
fn a_hanging_engine_dies_with_a_killed_match() {
    let engine = Engine::new("hangs", "");
    let child = engine.hang(1);
    send(&child, Signal::KILL);
    assert_eq!(finish(child).0, None);
    engine.assert_gone();
}

#[test]
fn a_grandchild_in_its_own_session_dies_with_a_killed_match() {
    let engine = Engine::new("escapes", ESCAPE);
    let child = engine.hang(2);
    send(&child, Signal::KILL);
    finish(child);
    engine.assert_gone();
}

#[test]
fn orphans_of_several_generations_die_with_a_killed_match() {
    let engine = Engine::new("orphans", ORPHAN);
    let child = engine.hang(3);
    send(&child, Signal::KILL);
    finish(child);
    engine.assert_gone();
}

#[test]
fn all_processes_die_with_a_terminated_or_interrupted_match() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let engine = Engine::new(&format!("ends{code}"), ESCAPE);
        let child = engine.hang(2);
        send(&child, signal);
        assert_eq!(finish(child).0, Some(code));
        engine.assert_gone();
    }
}

#[test]
fn a_grandchild_dies_with_check_engine() {
    let engine = Engine::new("checked", ESCAPE);
    let child = start(&["check-engine", &engine.command_line()]);
    engine.await_sleepers(2);
    send(&child, Signal::TERM);
    assert_eq!(finish(child).0, Some(143));
    engine.assert_gone();
}

/// The kernel kills the engine when its guard dies.
#[test]
fn a_hanging_engine_dies_with_a_killed_guard_and_a_killed_match() {
    let engine = Engine::new("unguarded", "");
    let child = engine.hang(1);
    let guards = || {
        let is_guard = |entry: &std::fs::DirEntry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).into_owned();
            line.starts_with("engine-guard") && line.contains(&engine.marker)
        };
        let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse::<i32>().ok();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes.filter(is_guard).filter_map(number).collect::<Vec<_>>()
    };
    assert!(!guards().is_empty());
    // Stop the match first, so that it cannot clean up.
    send(&child, Signal::STOP);
    for guard in guards() {
        kill_process(Pid::from_raw(guard).unwrap(), Signal::KILL).unwrap();
    }
    send(&child, Signal::KILL);
    finish(child);
    until_gone(&engine.marker);
    // The child of the shell is an orphan now, for which nothing is guaranteed.
    for line in with_text(&engine.seconds()) {
        assert!(line.starts_with("sleep "), "{line}");
    }
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(&engine.seconds()) {
            let number = entry.file_name().to_str().unwrap().parse().unwrap();
            kill_process(Pid::from_raw(number).unwrap(), Signal::KILL).unwrap();
        }
    }
}

#[test]
fn a_getmove_engine_dies_with_a_killed_match() {
    let engine = Engine::new("getmove", ESCAPE);
    let command = format!("getmove={}", engine.command_line());
    let child = start(&["match", &command, "random", "--games", "2", "--time", "60"]);
    engine.await_sleepers(2);
    send(&child, Signal::KILL);
    finish(child);
    engine.assert_gone();
}

/// The guard passes on the exit status.
#[test]
fn a_failing_engine_is_reported_as_without_a_guard() {
    let code = |script: &str| {
        let command = format!("getmove=sh -c '{script}' x");
        let args =
            ["match", &command, "random", "--games", "1", "--time", "5", "--openings", "engine", "--json"];
        let (code, output, errors) = finish(start(&args));
        assert_eq!(code, Some(0), "{errors}");
        let game: serde_json::Value = serde_json::from_str(output.lines().next().unwrap()).unwrap();
        game["forfeit_reason"].as_str().unwrap().to_string()
    };
    assert!(code("exit 7").contains("exit status: 7"), "{}", code("exit 7"));
    assert!(code("kill -SEGV $$").contains("signal: 11"), "{}", code("kill -SEGV $$"));
}

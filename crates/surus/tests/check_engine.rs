//! `surus check-engine` finds what is wrong, and nothing else.

#[path = "../../protocol/tests/fake/mod.rs"]
mod fake;

use std::process::Command;

use fake::{assert_processes, fake};

/// Exit code, what was found besides what is right, and the last line.
fn check(command_line: &str) -> (i32, Vec<String>, String) {
    let args = ["check-engine", command_line, "--timeout", "4"];
    let output = Command::new(env!("CARGO_BIN_EXE_surus")).args(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<String> = text.lines().map(Into::into).collect();
    let last = lines.pop().unwrap_or_default();
    lines.retain(|line| !line.starts_with("PASS: "));
    (output.status.code().unwrap(), lines, last)
}

#[test]
fn our_own_engine_has_manners() {
    let program = format!("'{}' aei", env!("CARGO_BIN_EXE_surus"));
    assert_eq!(check(&program), (0, vec![], "24 passed, 0 warnings, 0 failed".into()));
}

/// Each fault is found by the check that looks for it, and by no other.
#[test]
fn each_fault_is_found_alone() {
    let faults = [
        ("", vec![]),
        ("late-aeiok=1200", vec!["WARN: handshake: aeiok took 1."]),
        (
            "ids-first",
            vec!["FAIL: handshake: the first line has to be", "WARN: id lines: no id author, no id version"],
        ),
        ("no-name", vec!["FAIL: id lines: there is no line 'id name …'"]),
        ("no-old-letters", vec!["WARN: setposition with w and b: it does not understand 'w'"]),
        ("silent-options", vec!["WARN: an unknown option: it says nothing"]),
        ("hates-options", vec!["FAIL: an unknown option: it ended by itself (exit status: 4)"]),
        ("chatter", vec!["WARN: sends only AEI messages: AEI has no message 'thinking hard'"]),
        ("no-crlf", vec!["FAIL: carriage returns: "]),
        ("ponder-answers", vec!["FAIL: go ponder, makemove, go: it answers go ponder"]),
        ("overtime=2", vec!["FAIL: respects the time control: it took 3."]),
        ("unknown-messages", vec!["FAIL: exits on an unknown message: it goes on"]),
        ("ignore-end", vec!["FAIL: exits on end of input: it still runs after 2 s"]),
        (
            "ignore-quit",
            vec!["FAIL: exits on quit: it still", "FAIL: exits on quit while searching: it still"],
        ),
    ];
    std::thread::scope(|scope| {
        for (fault, expected) in &faults {
            scope.spawn(move || {
                let (command_line, tag) = fake(fault);
                let (code, mut found, last) = check(&command_line);
                // A program that does not leave at quit does not leave at the end of input either, as the fake does it.
                found.retain(|line| !(*fault == "ignore-quit" && line.contains("end of input")));
                assert_eq!(found.len(), expected.len(), "{fault}: {found:?}");
                for (line, start) in found.iter().zip(expected) {
                    assert!(line.starts_with(start), "{fault}: {line}");
                }
                let wrong = expected.iter().any(|line| line.starts_with("FAIL"));
                assert_eq!(code, i32::from(wrong), "{fault}: {last}");
                assert_processes(&tag, 0);
            });
        }
    });
}

/// These faults show in most checks.
#[test]
fn grave_faults_are_found() {
    let faults = [
        ("no-captures", "FAIL: makemove with a capture: it answers"),
        ("twice", "FAIL: one answer to one go: a second bestmove"),
        ("nonsense", "FAIL: sets up gold: it answers 'Qz9 hello': 'Qz9' does not start with a piece"),
        ("illegal", "FAIL: plays in the opening: it answers 'Ea1n'"),
        ("crash-on-go", "FAIL: sets up gold: it ended by itself (exit status: 3)"),
        ("hang-on-go", "FAIL: sets up silver: not tried, because go was not answered before"),
        ("flood-line", "FAIL: sets up gold: it says a line without an end"),
        ("no-readyok", "FAIL: isready: no readyok within 10.0 s"),
        ("crash-at-start", "FAIL: handshake: it ended by itself (exit status: 3)"),
        ("use-time ignore-stop deaf", "FAIL: stop: no bestmove within 1.0 s of stop"),
        ("use-time ignore-stop deaf", "FAIL: isready while it thinks: readyok comes only after the answer"),
    ];
    std::thread::scope(|scope| {
        for (fault, expected) in &faults {
            scope.spawn(move || {
                let (command_line, tag) = fake(fault);
                let (code, found, last) = check(&command_line);
                assert_eq!(code, 1, "{fault}: {last}");
                assert!(found.iter().any(|line| line.starts_with(expected)), "{fault}: {found:?}");
                assert_processes(&tag, 0);
            });
        }
    });
}

#[test]
fn the_report_is_one_json_object_and_a_missing_program_an_error() {
    let surus = env!("CARGO_BIN_EXE_surus");
    let (command_line, _) = fake("no-aeiok crash-at-start");
    let output = Command::new(surus).args(["check-engine", &command_line, "--json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report["failed"].as_u64(), report["passed"].as_u64()), (Some(1), Some(0)));
    assert_eq!(report["checks"][0]["status"], "fail");
    let output = Command::new(surus).args(["check-engine", "/is/not/there"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("the program did not start: /is/not/there: No such file"), "{error}");
}

//! `surus check-engine` finds each fault and reports no others.

#[path = "../../protocol/tests/fake/mod.rs"]
mod fake;

use std::process::Command;

use fake::{assert_processes, fake};

/// Returns the exit code, the warnings and failures, and the summary line.
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
fn surus_aei_passes_all_checks() {
    let program = format!("'{}' aei", env!("CARGO_BIN_EXE_surus"));
    assert_eq!(check(&program), (0, vec![], "24 passed, 0 warnings, 0 failed".into()));
}

#[test]
fn each_fault_fails_only_its_own_check() {
    let faults = [
        ("", vec![]),
        ("late-aeiok=1200", vec!["WARN: handshake: aeiok took 1."]),
        (
            "ids-first",
            vec!["FAIL: handshake: the first line must be", "WARN: id lines: missing id author, id version"],
        ),
        ("no-name", vec!["FAIL: id lines: missing 'id name …'"]),
        ("no-old-letters", vec!["WARN: setposition with w and b: 'w' is not accepted"]),
        ("silent-options", vec!["WARN: unknown option: not reported"]),
        ("crash-on-option", vec!["FAIL: unknown option: exited (exit status: 4)"]),
        ("chatter", vec!["WARN: sends only AEI messages: unknown message 'thinking hard'"]),
        ("no-crlf", vec!["FAIL: CRLF line ends: "]),
        ("ponder-answers", vec!["FAIL: go ponder, makemove, go: unexpected bestmove after go ponder"]),
        ("overtime=2", vec!["FAIL: respects the time control: took 3."]),
        ("unknown-messages", vec!["FAIL: exits on an unknown message: still running after 2 s"]),
        ("ignore-end", vec!["FAIL: exits on end of input: still running after 2 s"]),
        ("ignore-quit", vec!["FAIL: exits on quit: still", "FAIL: exits on quit while searching: still"]),
    ];
    std::thread::scope(|scope| {
        for (fault, expected) in &faults {
            scope.spawn(move || {
                let (command_line, tag) = fake(fault);
                let (code, mut found, last) = check(&command_line);
                // The fake engine with `ignore-quit` also ignores the end of input.
                found.retain(|line| !(*fault == "ignore-quit" && line.contains("end of input")));
                assert_eq!(found.len(), expected.len(), "{fault}: {found:?}");
                for (line, start) in found.iter().zip(expected) {
                    assert!(line.starts_with(start), "{fault}: {line}");
                }
                let failed = expected.iter().any(|line| line.starts_with("FAIL"));
                assert_eq!(code, i32::from(failed), "{fault}: {last}");
                assert_processes(&tag, 0);
            });
        }
    });
}

/// Faults that fail most checks.
#[test]
fn general_faults_are_found() {
    let faults = [
        ("no-captures", "FAIL: makemove with a capture: bestmove"),
        ("twice", "FAIL: one bestmove per go: second bestmove"),
        ("nonsense", "FAIL: sets up gold: bestmove 'Qz9 hello': 'Qz9' does not start with a piece"),
        ("illegal", "FAIL: plays in the opening: bestmove 'Ea1n'"),
        ("crash-on-go", "FAIL: sets up gold: exited (exit status: 3)"),
        ("hang-on-go", "FAIL: sets up silver: skipped, because go was not answered before"),
        ("flood-line", "FAIL: sets up gold: output line too long"),
        ("no-readyok", "FAIL: isready: no readyok within 10.0 s"),
        ("crash-at-start", "FAIL: handshake: exited (exit status: 3)"),
        ("use-time ignore-stop defer-readyok", "FAIL: stop: no bestmove within 1.0 s of stop"),
        ("use-time ignore-stop defer-readyok", "FAIL: isready while searching: readyok only after bestmove"),
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
fn json_report_and_missing_executable() {
    let surus = env!("CARGO_BIN_EXE_surus");
    let (command_line, _) = fake("no-aeiok crash-at-start");
    let output = Command::new(surus).args(["check-engine", &command_line, "--json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report["failed"].as_u64(), report["passed"].as_u64()), (Some(1), Some(0)));
    assert_eq!(report["checks"][0]["status"], "fail");
    let output = Command::new(surus).args(["check-engine", "/is/not/there"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("engine did not start: /is/not/there: No such file"), "{error}");
}

//! Every command exits cleanly on SIGINT and SIGTERM: a documented exit code, a message, and no partial output.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Child;

use rustix::process::Signal;
use serde_json::Value;

use crate::tools::{await_line, await_work, finish, send, start, start_handling, until};

const POSITION: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

/// More work than any test here completes.
const MANY: &str = "100000000";

/// The same for matches, which list their games before they start.
const GAMES: &str = "100000";

struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-signals-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Sends a signal, checks exit code and message, and returns the output.
#[track_caller]
fn end(child: Child, signal: Signal) -> String {
    send(&child, signal);
    let (code, output, errors) = finish(child);
    let (expected, sentence) = match signal {
        Signal::INT => (130, "surus: interrupted"),
        _ => (143, "surus: terminated"),
    };
    assert_eq!(code, Some(expected), "{errors}");
    assert!(errors.lines().any(|line| line == sentence), "{errors}");
    output
}

/// Runs a command that succeeds and returns its output.
#[track_caller]
fn succeed(args: &[&str]) -> String {
    let (code, output, errors) = finish(start(args));
    assert_eq!(code, Some(0), "{args:?}: {errors}");
    output
}

#[track_caller]
fn last_json(output: &str) -> Value {
    serde_json::from_str(output.lines().last().expect("there is a line")).unwrap()
}

fn exists(path: &str) -> bool {
    Path::new(path).exists()
}

/// Commands without state to save.
#[test]
fn commands_without_state_exit_immediately() {
    for args in [&["bench", "--depth", "30"][..], &["tactics", "--verify", MANY]] {
        for signal in [Signal::TERM, Signal::INT] {
            let child = start_handling(args);
            await_work(&child);
            end(child, signal);
        }
    }
    // These wait for input.
    for command in ["perft", "analyze", "tactics", "replay", "geometry", "getmove"] {
        end(start_handling(&[command, "-"]), Signal::TERM);
    }
    end(start_handling(&["play", "--terminal", "--engine", "random"]), Signal::INT);
}

#[test]
fn getmove_exits_without_a_turn() {
    let scratch = TempDir::new("getmove");
    let files = ["position", "record", "state"].map(|name| scratch.path(name));
    std::fs::write(&files[0], POSITION).unwrap();
    std::fs::write(&files[2], "tcmove=6000\n").unwrap();
    let record = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                  1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n2g";
    std::fs::write(&files[1], record).unwrap();
    let child = start_handling(&["getmove", &files[0], &files[1], &files[2]]);
    await_work(&child);
    assert_eq!(end(child, Signal::TERM), "");
}

#[test]
fn an_interrupted_analysis_is_printed() {
    for signal in [Signal::TERM, Signal::INT] {
        let child = start_handling(&["analyze", "--aei", POSITION, "--time", "6000", "--json"]);
        await_work(&child);
        let analysis = last_json(&end(child, signal));
        assert!(
            analysis["best"].as_str().unwrap().contains('n') && !analysis["lines"].is_null(),
            "{analysis}"
        );
    }
}

#[test]
fn an_interrupted_match_saves_its_games_and_reports_the_interruption() {
    for (name, signal) in [("term", Signal::TERM), ("int", Signal::INT)] {
        let scratch = TempDir::new(&format!("match-{name}"));
        let run = scratch.path("run");
        let mut child = start_handling(&[
            "match", "greedy", "random", "--games", GAMES, "--out", &run, "--json", "-c", "2",
        ]);
        await_line(&mut child, "\"event\":\"game\"");
        let output = end(child, signal);
        let result = last_json(&output);
        assert_eq!((&result["event"], &result["interrupted"]), (&"result".into(), &true.into()));
        // The first line was read before the signal.
        let split_output = output.lines().filter(|line| line.contains("\"event\":\"game\"")).count() + 1;
        assert_eq!(result["games"], split_output);
        let replayed = succeed(&["replay", &format!("{run}/games.txt"), "--json"]);
        assert_eq!(replayed.lines().count(), split_output, "exactly the reported games are on disk");
    }
}

#[test]
fn tournaments_and_sequential_tests_are_interrupted() {
    for args in [
        &["tournament", "greedy", "random", "random:seed=2", "--games", GAMES, "--json"][..],
        &["sprt", "random", "random:seed=2", "--bounds", "-1,1", "--games", GAMES, "--json"],
    ] {
        let mut child = start_handling(args);
        await_line(&mut child, "\"event\":\"game\"");
        let result = last_json(&end(child, Signal::TERM));
        assert_eq!(result["interrupted"], true);
    }
}

#[test]
fn an_interrupted_suite_reports_completed_tests() {
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites");
    let child = start_handling(&["suite", suites, "--engine", "alphabeta", "--time", "6000", "--json"]);
    await_work(&child);
    let report = last_json(&end(child, Signal::TERM));
    assert!(report["total"].is_object(), "{report}");
}

#[test]
fn interrupted_self_play_closes_its_file() {
    let scratch = TempDir::new("selfplay");
    let out = scratch.path("data");
    let file = format!("{out}/selfplay-1-of-1.packed");
    let args = ["learn", "selfplay", "--games", MANY, "--nodes", "100", "--out", &out, "--json", "-c", "2"];
    let size = || std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
    let mut before = 0;
    for _ in 0..2 {
        let child = start_handling(&args);
        until("a game is recorded", || before < size() && size() > 4096);
        let report = last_json(&end(child, Signal::TERM));
        assert_eq!(report["finished"], false);
        let checked = last_json(&succeed(&["learn", "data", "check", &out, "--json"]));
        assert_eq!((&checked["games"], &checked["found"]), (&report["games"], &0.into()), "{checked}");
        before = size();
    }
}

#[test]
fn interrupted_training_continues_and_leaves_no_network() {
    let scratch = TempDir::new("train");
    let (data, net) = (scratch.path("data"), scratch.path("new.net"));
    succeed(&["learn", "selfplay", "--games", "60", "--nodes", "200", "--out", &data, "-c", "2"]);
    let train =
        |epochs| ["learn", "train", &data, "--hidden", "32", "--epochs", epochs, "--out", &net, "--json"];
    let checkpoint = format!("{net}.checkpoint");
    let child = start_handling(&train("1000"));
    until("an epoch is saved", || Path::new(&checkpoint).exists());
    let report = last_json(&end(child, Signal::TERM));
    assert_eq!(report["finished"], false);
    assert!(!Path::new(&net).exists(), "only a finished training writes the network");
    let mut child = start_handling(&train("1000"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!Path::new(&net).exists());
    // Other settings do not continue what was begun.
    let (code, _, errors) = finish(start(&train("2")));
    assert!(code == Some(2) && errors.contains("is from another training"), "{errors}");
    std::fs::remove_file(&checkpoint).unwrap();
    succeed(&train("2"));
    succeed(&["net", "info", &net]);
}

#[test]
fn interrupted_spsa_saves_its_state() {
    let scratch = TempDir::new("spsa");
    let out = scratch.path("keys.txt");
    let args =
        ["learn", "spsa", "mcts", "--params", "c", "--nodes", "20", "--iterations", MANY, "--out", &out];
    let mut child = start_handling(&args);
    await_line(&mut child, "c=");
    end(child, Signal::TERM);
    let state = std::fs::read_to_string(scratch.path("keys.state.json")).unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    assert!(state["done"].as_u64().unwrap() >= 1, "{state}");
}

#[test]
fn an_interrupted_ablation_writes_its_report() {
    let scratch = TempDir::new("lab");
    let (out, page) = (scratch.path("games"), scratch.path("page"));
    let args = ["lab", "ablation", "--nodes", "50", "--pairs", MANY, "--out", &out, "--report-dir", &page];
    let child = start_handling(&args);
    let rows =
        || std::fs::read_to_string(format!("{out}/ablation.txt")).map_or(0, |text| text.lines().count());
    until("a pair is recorded", || rows() > 3);
    end(child, Signal::TERM);
    assert!(std::fs::read_to_string(format!("{page}/ablation.md")).unwrap().contains("pairs"));
}

#[test]
fn archive_commands_leave_no_partial_output() {
    let scratch = TempDir::new("archive");
    let [cut_off, games, store, export] =
        ["cut.txt", "games.txt", "archive.db", "positions.csv"].map(|name| scratch.path(name));
    // generate: complete rows up to the signal.
    let child = start_handling(&["archive", "generate", "--games", MANY, "--out", &cut_off, "--json"]);
    until("rows are written", || std::fs::metadata(&cut_off).is_ok_and(|metadata| metadata.len() > 100_000));
    let made = last_json(&end(child, Signal::TERM));
    let text = std::fs::read_to_string(&cut_off).unwrap();
    assert!(text.ends_with('\n'));
    assert_eq!(made["games"], text.lines().count() - 1);
    // import: complete games only, and the same command continues.
    succeed(&["archive", "generate", "--games", "3000", "--out", &games]);
    let import = ["archive", "import", &games, "--db", &store, "--json"];
    let child = start_handling(&import);
    await_work(&child);
    let imported = last_json(&end(child, Signal::TERM));
    assert_eq!(imported["completed"], false);
    succeed(&import);
    let stats = last_json(&succeed(&["archive", "stats", "--db", &store, "--json"]));
    assert_eq!(stats["games"], 3000, "{stats}");
    // export: an incomplete file is removed.
    let child = start_handling(&["archive", "export", "positions", "--db", &store, "--out", &export]);
    until("the file exists", || exists(&export));
    end(child, Signal::TERM);
    assert!(!exists(&export));
}

#[test]
fn aei_exits_with_success_unless_a_search_is_running() {
    let say =
        |child: &mut Child, text: &str| child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    let mut idle = start_handling(&["aei"]);
    say(&mut idle, "aei\nisready\n");
    await_line(&mut idle, "readyok");
    send(&idle, Signal::TERM);
    assert_eq!(finish(idle).0, Some(0));
    let mut thinking = start_handling(&["aei"]);
    say(&mut thinking, &format!("aei\nsetposition {POSITION}\nsetoption name tcmove value 6000\ngo\n"));
    await_line(&mut thinking, "info depth");
    let output = end(thinking, Signal::TERM);
    assert!(!output.contains("bestmove"), "{output}");
}

/// The engine is blocked by its full output pipe and does not handle the first signal.
#[test]
fn a_second_signal_ends_a_blocked_command() {
    let mut child = start_handling(&["aei", "--extended", "--engine", "random"]);
    let text = format!("aei\n{}", "boarddump\n".repeat(1000));
    child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    let mut before = 0;
    until("the output pipe is full", || {
        let waiting = rustix::io::ioctl_fionread(child.stdout.as_ref().unwrap()).unwrap();
        std::mem::replace(&mut before, waiting) == waiting && waiting > 50_000
    });
    send(&child, Signal::TERM);
    send(&child, Signal::INT);
    let mut status = None;
    until("the command exits", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert!([Some(130), Some(143)].contains(&status.unwrap().code()), "{status:?}");
}

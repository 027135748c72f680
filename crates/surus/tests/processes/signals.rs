//! Every command ends cleanly at Ctrl-C and SIGTERM: a documented exit code, a sentence, and nothing half written.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Child;

use rustix::process::Signal;
use serde_json::Value;

use crate::tools::{await_line, await_work, finish, send, start, start_handling, until};

const POSITION: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

/// More than anything here gets done.
const MANY: &str = "100000000";

/// The same for matches, which list their games before they begin.
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

/// Sends a signal; the command ends with its code and says why. Its output comes back.
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

/// A command that ends by itself with success.
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

/// Commands that have nothing to finish, and write nothing but their output.
#[test]
fn commands_that_only_compute_end_at_once() {
    for args in [&["bench", "--depth", "30"][..], &["tactics", "--verify", MANY]] {
        for signal in [Signal::TERM, Signal::INT] {
            let child = start_handling(args);
            await_work(&child);
            end(child, signal);
        }
    }
    // These wait for their input.
    for command in ["perft", "analyze", "tactics", "replay", "geometry", "getmove"] {
        end(start_handling(&[command, "-"]), Signal::TERM);
    }
    end(start_handling(&["play", "--terminal", "--engine", "random"]), Signal::INT);
}

#[test]
fn getmove_ends_without_a_turn() {
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
fn an_analysis_shows_what_was_found() {
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
fn a_match_keeps_its_games_and_tells_that_it_was_interrupted() {
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
        assert_eq!(
            replayed.lines().count(),
            split_output,
            "what was split_output is on disk, and nothing else"
        );
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
fn a_suite_reports_the_tests_that_were_put() {
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites");
    let child = start_handling(&["suite", suites, "--engine", "alphabeta", "--time", "6000", "--json"]);
    await_work(&child);
    let report = last_json(&end(child, Signal::TERM));
    assert!(report["total"].is_object(), "{report}");
}

#[test]
fn self_play_closes_its_file() {
    let scratch = TempDir::new("selfplay");
    let out = scratch.path("data");
    let file = format!("{out}/selfplay-1-of-1.packed");
    let args = ["learn", "selfplay", "--games", MANY, "--nodes", "100", "--out", &out, "--json", "-c", "2"];
    let size = || std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
    let mut before = 0;
    for _ in 0..2 {
        let child = start_handling(&args);
        until("a game is recorded", || before < size() && 4096 < size());
        let report = last_json(&end(child, Signal::TERM));
        assert_eq!(report["finished"], false);
        let checked = last_json(&succeed(&["learn", "data", "check", &out, "--json"]));
        assert_eq!((&checked["games"], &checked["found"]), (&report["games"], &0.into()), "{checked}");
        before = size();
    }
}

#[test]
fn tuning_by_games_keeps_its_state() {
    let scratch = TempDir::new("spsa");
    let out = scratch.path("keys.txt");
    let args =
        ["learn", "spsa", "mcts", "--params", "c", "--nodes", "20", "--iterations", MANY, "--out", &out];
    let mut child = start_handling(&args);
    await_line(&mut child, "c=");
    end(child, Signal::TERM);
    let state = std::fs::read_to_string(scratch.path("keys.state.json")).unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    assert!(1 <= state["done"].as_u64().unwrap(), "{state}");
}

#[test]
fn a_laboratory_writes_the_page_of_what_was_played() {
    let scratch = TempDir::new("lab");
    let (out, page) = (scratch.path("games"), scratch.path("page"));
    let args = ["lab", "ablation", "--nodes", "50", "--pairs", MANY, "--out", &out, "--report-dir", &page];
    let child = start_handling(&args);
    let rows =
        || std::fs::read_to_string(format!("{out}/ablation.txt")).map_or(0, |text| text.lines().count());
    until("a pair is recorded", || 3 < rows());
    end(child, Signal::TERM);
    assert!(std::fs::read_to_string(format!("{page}/ablation.md")).unwrap().contains("pairs"));
}

#[test]
fn archives_are_made_imported_and_exported_whole_or_not_at_all() {
    let scratch = TempDir::new("archive");
    let [cut_off, games, store, export] =
        ["cut.txt", "games.txt", "archive.db", "positions.csv"].map(|name| scratch.path(name));
    // Synth: whole rows up to the signal.
    let child = start_handling(&["archive", "generate", "--games", MANY, "--out", &cut_off, "--json"]);
    until("rows are written", || std::fs::metadata(&cut_off).is_ok_and(|metadata| 100_000 < metadata.len()));
    let made = last_json(&end(child, Signal::TERM));
    let text = std::fs::read_to_string(&cut_off).unwrap();
    assert!(text.ends_with('\n'));
    assert_eq!(made["games"], text.lines().count() - 1);
    // Import: what is there is whole, and the same command goes on.
    succeed(&["archive", "generate", "--games", "3000", "--out", &games]);
    let import = ["archive", "import", &games, "--db", &store, "--json"];
    let child = start_handling(&import);
    await_work(&child);
    let imported = last_json(&end(child, Signal::TERM));
    assert_eq!(imported["completed"], false);
    succeed(&import);
    let stats = last_json(&succeed(&["archive", "stats", "--db", &store, "--json"]));
    assert_eq!(stats["games"], 3000, "{stats}");
    // Export: a file that is not whole is taken away.
    let child = start_handling(&["archive", "export", "positions", "--db", &store, "--out", &export]);
    until("the file is begun", || exists(&export));
    end(child, Signal::TERM);
    assert!(!exists(&export));
}

#[test]
fn an_aei_engine_ends_with_success_only_if_it_owes_no_answer() {
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

/// The engine is held up by its full output, so that it can't see the first signal.
#[test]
fn a_second_signal_ends_a_command_that_is_stuck() {
    let mut child = start_handling(&["aei", "--extended", "--engine", "random"]);
    let text = format!("aei\n{}", "boarddump\n".repeat(1000));
    child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    let mut before = 0;
    until("its output is full", || {
        let waiting = rustix::io::ioctl_fionread(child.stdout.as_ref().unwrap()).unwrap();
        std::mem::replace(&mut before, waiting) == waiting && 50_000 < waiting
    });
    send(&child, Signal::TERM);
    send(&child, Signal::INT);
    let mut status = None;
    until("it ends", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert!([Some(130), Some(143)].contains(&status.unwrap().code()), "{status:?}");
}

//! `surus learn train` and `surus net` on the command line.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

fn surus(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_surus")).args(args).stdin(Stdio::null()).output().unwrap()
}

/// The JSON output of a command that succeeds.
#[track_caller]
fn json(args: &[&str]) -> Value {
    let output = surus(&[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The error of a command with a usage or input error.
#[track_caller]
fn error_of(args: &[&str]) -> String {
    let output = surus(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn path(dir: &TempDir, name: &str) -> String {
    dir.path().join(name).to_str().unwrap().to_string()
}

/// Plays a few games and trains a small network on them.
fn train(dir: &TempDir) -> (String, Value) {
    let (data, net) = (path(dir, "data"), path(dir, "new.net"));
    json(&["learn", "selfplay", "--nodes", "200", "--games", "60", "-c", "2", "--out", &data]);
    let args = ["learn", "train", &format!("{data}@0.8"), "--hidden", "32", "--epochs", "3", "--batch", "64"];
    let report = json(&[&args[..], &["--out", &net]].concat());
    (net, report)
}

const OPENING: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

#[test]
fn trained_network_is_described_evaluates_and_plays() {
    let dir = tempfile::tempdir().unwrap();
    let (net, report) = train(&dir);
    assert_eq!(report["finished"], true);
    assert!(report["positions"].as_u64().unwrap() > 200, "{report}");
    let validation = &report["validation"][0];
    assert_eq!(validation["name"], "data");
    assert!(validation["network"].as_f64().unwrap() >= validation["minimum"].as_f64().unwrap() - 1e-6);
    assert!(!Path::new(&format!("{net}.checkpoint")).exists(), "a finished training leaves no checkpoint");

    let info = json(&["net", "info", &net]);
    assert_eq!((&info["inputs"], &info["hidden"]), (&2880.into(), &32.into()));
    assert!(info["training"].as_str().unwrap().contains("data with result weight 0.8"), "{info}");

    let eval = json(&["net", "eval", "--aei", OPENING, "--weights", &net]);
    let mirrored = OPENING.replace("HDCMECDH", "HDCEMCDH").replace("hdcemcdh", "hdcmecdh");
    assert_eq!(eval["score"], json(&["net", "eval", "--aei", &mirrored, "--weights", &net])["score"]);
    assert_eq!(eval["pieces"].as_array().unwrap().len(), 32);

    let svg = path(&dir, "squares.svg");
    let inputs = json(&["net", "inputs", "--weights", &net, "--svg", &svg]);
    assert_eq!(inputs["groups"].as_array().unwrap().len(), 37);
    let count: u64 =
        inputs["groups"].as_array().unwrap().iter().map(|group| group["count"].as_u64().unwrap()).sum();
    assert_eq!(count, 2880);
    assert!(std::fs::read_to_string(&svg).unwrap().contains("elephant, rabbits"));

    let engine = format!("alphabeta:weights={net}");
    let analysed = json(&["analyze", "--aei", OPENING, "--engine", &engine, "--nodes", "2000"]);
    assert!(analysed["best"].is_string(), "{analysed}");
    let mcts = format!("mcts:weights={net},evaluator=alphabeta");
    let analysed = json(&["analyze", "--aei", OPENING, "--engine", &mcts, "--nodes", "50"]);
    assert!(analysed["best"].is_string(), "{analysed}");
}

#[test]
fn damaged_and_foreign_files_are_refused_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let (net, _) = train(&dir);
    let bytes = std::fs::read(&net).unwrap();
    let variant = |name: &str, bytes: &[u8]| {
        let file = path(&dir, name);
        std::fs::write(&file, bytes).unwrap();
        file
    };
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    let mut version = bytes.clone();
    version[8] = 9;
    for (file, reason) in [
        (variant("short.net", &bytes[..bytes.len() - 10]), "truncated network"),
        (variant("changed.net", &changed), "corrupt network"),
        (variant("version.net", &version), "network of format version 9: expected 1"),
        (variant("foreign.net", b"something else"), "invalid weights file"),
        (path(&dir, "missing.net"), "cannot read"),
    ] {
        assert!(error_of(&["net", "info", &file]).contains(reason), "{reason}");
        let engine = format!("alphabeta:weights={file}");
        let error = error_of(&["match", &engine, "greedy", "--games", "2", "--nodes", "10"]);
        assert!(error.contains("weights") && error.contains(reason), "{error}");
    }
    assert!(error_of(&["net", "info", "handcrafted"]).contains("not a network"));
}

#[test]
fn training_without_positions_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let data = path(&dir, "data");
    json(&["learn", "selfplay", "--nodes", "20", "--games", "1", "--max-turns", "4", "--out", &data]);
    let error = error_of(&["learn", "train", &data, "--max-score", "1", "--out", &path(&dir, "new.net")]);
    assert!(error.contains("too few positions"), "{error}");
    let left: Vec<PathBuf> =
        std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [dir.path().join("data")]);
    assert!(error_of(&["learn", "train", &data, "--hidden", "48"]).contains("32, 64, 128 or 256"));
}

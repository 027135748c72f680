//! Commands that are killed at random times give the same results as undisturbed runs: nothing that was reported is lost
//! or duplicated. A few kills by default, 50 per command with SURUS_TEST_FULL=1. The board is in `board.rs`.

#[path = "common/saved_games.rs"]
mod saved_games;

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use saved_games::games;
use surus_rules::SplitMix;

/// A directory that is removed when the test ends.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-crash-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The number of kills per command.
fn kills() -> u64 {
    if std::env::var_os("SURUS_TEST_FULL").is_some() { 50 } else { 4 }
}

fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Runs a command to completion and returns its output.
#[track_caller]
fn run(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_surus")).args(args).stdin(Stdio::null()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Starts a command repeatedly and kills it, each time a random time after `progress` has grown; finally runs it to
/// completion. Calls `on_line` with what it printed before it was killed.
fn kill_repeatedly(
    args: &[&str],
    seed: u64,
    mut progress: impl FnMut() -> u64,
    mut on_line: impl FnMut(&str),
) {
    let mut rng = SplitMix::new(seed);
    let mut killed = 0;
    while killed < kills() {
        let before = progress();
        let mut child = spawn(args);
        let output = child.stdout.take().unwrap();
        let reader = thread::spawn(move || lines(output));
        let mut ended = false;
        while !ended && progress() <= before {
            thread::sleep(Duration::from_millis(1));
            ended = child.try_wait().unwrap().is_some();
        }
        thread::sleep(Duration::from_micros(rng.next_u64() % 40_000));
        child.kill().unwrap();
        ended |= child.wait().unwrap().success();
        reader.join().unwrap().iter().for_each(|line| on_line(line));
        assert!(!ended, "{args:?} ended after {killed} kills: increase its work");
        killed += 1;
    }
    run(args).lines().for_each(on_line);
}

/// The complete lines; a truncated one was not reported.
fn lines(output: impl Read) -> Vec<String> {
    let mut reader = BufReader::new(output);
    let mut found = Vec::new();
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) && line.ends_with(b"\n") {
        found.push(String::from_utf8_lossy(&line).trim_end().to_owned());
        line.clear();
    }
    found
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

#[test]
fn a_killed_match_loses_no_reported_game() {
    let dir = TempDir::new("match");
    let (undisturbed, killed) = (dir.file("undisturbed"), dir.file("killed"));
    let count = (30 * kills()).to_string();
    let base =
        ["match", "alphabeta:hash=1", "random", "--nodes", "100", "--games", &count, "--json", "-c", "2"];
    run(&[&base[..], &["--out", &undisturbed]].concat());
    let mut reported = Vec::new();
    let journal = PathBuf::from(&killed).join("games.txt");
    kill_repeatedly(
        &[&base[..], &["--out", &killed, "--resume"]].concat(),
        1,
        || size(&journal),
        |line| {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            if event["event"] == "game" {
                let text = std::fs::read_to_string(&journal).unwrap();
                let id = event["id"].as_u64().unwrap();
                assert!(text.lines().any(|line| line.starts_with(&format!("{id}\t"))), "game {id} was lost");
                reported.push(id);
            }
        },
    );
    let all = games(Path::new(&killed));
    assert_eq!(all, games(Path::new(&undisturbed)));
    let played = reported.len();
    reported.sort_unstable();
    reported.dedup();
    assert_eq!(reported.len(), played, "a game was reported twice");
    assert_eq!(
        std::fs::read_to_string(dir.file("killed/games.pgn")).unwrap().matches("[Round ").count(),
        all.len()
    );
}

#[test]
fn killed_self_play_writes_the_same_file() {
    let dir = TempDir::new("selfplay");
    let count = (12 * kills()).to_string();
    let base =
        ["learn", "selfplay", "--nodes", "150", "--games", &count, "--engine", "alphabeta:hash=1", "--json"];
    let (undisturbed, killed) = (dir.file("undisturbed"), dir.file("killed"));
    run(&[&base[..], &["--out", &undisturbed]].concat());
    let name = "selfplay-1-of-1.packed";
    let journal = PathBuf::from(&killed).join(name);
    kill_repeatedly(&[&base[..], &["--out", &killed]].concat(), 2, || size(&journal), |_| ());
    assert_eq!(std::fs::read(&journal).unwrap(), std::fs::read(Path::new(&undisturbed).join(name)).unwrap());
}

#[test]
fn a_killed_import_builds_the_same_archive() {
    let dir = TempDir::new("import");
    let games = dir.file("games.txt");
    run(&["archive", "generate", "--games", &(500 * kills()).to_string(), "--seed", "7", "--out", &games]);
    let (undisturbed, killed) = (dir.file("undisturbed.db"), dir.file("killed.db"));
    run(&["archive", "import", &games, "--db", &undisturbed]);
    let files = ["killed.db", "killed.db-wal"].map(|name| dir.0.join(name));
    kill_repeatedly(
        &["archive", "import", &games, "--db", &killed],
        3,
        || files.iter().map(|file| size(file)).sum(),
        |_| (),
    );
    let [one, two] = ["undisturbed.csv", "killed.csv"].map(|name| dir.file(name));
    for (store, file) in [(&undisturbed, &one), (&killed, &two)] {
        run(&["archive", "export", "positions", "--db", store, "--out", file]);
    }
    let exported = std::fs::read_to_string(&one).unwrap();
    assert!(exported.lines().count() > 1000);
    assert_eq!(exported, std::fs::read_to_string(&two).unwrap());
}

//! Run directories: saved games, resuming, and errors.

use std::fs;
use std::path::{Path, PathBuf};

use surus_arena::{GameEntry, Manifest, ManifestEngine, RunDir, read_run};
use surus_rules::{Side, Termination};

struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-run-dir-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn games(&self) -> PathBuf {
        self.0.join("games.txt")
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn manifest(revision: &str) -> Manifest {
    let engine = |name: &str| ManifestEngine {
        name: name.into(),
        source: name.into(),
        id: format!("{name} 1.0+{revision} [part 2.0+{revision}]"),
        pace: "unlimited".into(),
        options: [("seed".into(), "1".into())].into(),
    };
    Manifest {
        program: "surus".into(),
        started: 7,
        comment: String::new(),
        games: 4,
        format: "match".into(),
        openings: "book".into(),
        adjudication: "none".into(),
        shard: "1/1".into(),
        invocation: Default::default(),
        engine: vec![engine("a"), engine("b")],
    }
}

fn entry(id: u64) -> GameEntry {
    let engines = [0, 1].map(|index: usize| manifest("r1").engine[index].id.clone());
    let names = ["a".into(), "b".into()];
    GameEntry {
        id,
        players: names,
        engines,
        winner: Some(Side::Silver),
        termination: Termination::Goal,
        turns: 30,
    }
}

/// The columns of the official archive for a game.
fn columns(id: u64) -> String {
    let mut fields = vec![String::new(); 29];
    for (column, value) in [(0, &*id.to_string()), (3, "a"), (4, "b"), (21, "s"), (22, "g"), (23, "30")] {
        fields[column] = value.into();
    }
    fields.join("\t")
}

fn fill(path: &Path, games: u64) {
    let mut run_dir = RunDir::open(path, &manifest("r1"), false).unwrap();
    for id in 1..=games {
        run_dir.add(entry(id), &columns(id)).unwrap();
    }
    run_dir.finish().unwrap();
}

fn open_error(path: &Path, manifest: &Manifest) -> String {
    RunDir::open(path, manifest, true).unwrap_err().to_string()
}

#[test]
fn games_and_manifest_round_trip() {
    let dir = TempDir::new("round-trip");
    fill(&dir.0, 3);
    let (saved, entries) = read_run(&dir.0).unwrap();
    assert_eq!(saved, manifest("r1"));
    assert_eq!(entries, [1, 2, 3].map(entry));
    let pgn = fs::read_to_string(dir.0.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Result \"0-1\"]").count(), 3);
}

#[test]
fn a_torn_row_is_removed_and_a_corrupt_one_rejected() {
    let dir = TempDir::new("corrupt");
    fill(&dir.0, 3);
    let text = fs::read_to_string(dir.games()).unwrap();
    fs::write(dir.games(), &text[..text.len() - 5]).unwrap();
    assert_eq!(read_run(&dir.0).unwrap().1.len(), 2, "reading skips the torn row");
    let run_dir = RunDir::open(&dir.0, &manifest("r1"), true).unwrap();
    assert_eq!(run_dir.entries.len(), 2);
    drop(run_dir);
    let corrupt = text.replacen("\ta\tb\t", "\ta\tc\t", 1);
    fs::write(dir.games(), &corrupt).unwrap();
    let error = open_error(&dir.0, &manifest("r1"));
    assert!(error.contains("line 2: checksum"), "{error}");
    assert!(read_run(&dir.0).is_err());
    assert_eq!(fs::read_to_string(dir.games()).unwrap(), corrupt);
}

#[test]
fn another_revision_is_rejected_with_both_ids() {
    let dir = TempDir::new("revision");
    fill(&dir.0, 1);
    let error = open_error(&dir.0, &manifest("r2"));
    let expected = "engine 1 id was 'a 1.0+r1 [part 2.0+r1]' and is now 'a 1.0+r2 [part 2.0+r2]'";
    assert!(error.contains(expected), "{error}");
    let mut extended = manifest("r1");
    (extended.games, extended.comment, extended.started) = (10, "longer".into(), 99);
    assert_eq!(RunDir::open(&dir.0, &extended, true).unwrap().entries.len(), 1);
    assert_eq!(read_run(&dir.0).unwrap().0, Manifest { started: 7, ..extended.clone() });
    extended.engine[1].options.clear();
    let error = open_error(&dir.0, &extended);
    assert!(error.contains("engine 2 option 'seed' was '1' and is now none"), "{error}");
}

#[test]
fn a_locked_incomplete_or_duplicated_run_is_rejected() {
    let dir = TempDir::new("invalid");
    let mut run_dir = RunDir::open(&dir.0, &manifest("r1"), true).unwrap();
    assert!(open_error(&dir.0, &manifest("r1")).contains("in use by another process"));
    let error = RunDir::open(&dir.0, &manifest("r1"), false).unwrap_err().to_string();
    assert!(error.contains("already contains a run: use --resume"), "{error}");
    run_dir.add(entry(1), &columns(1)).unwrap();
    run_dir.add(entry(1), &columns(1)).unwrap();
    drop(run_dir);
    let error = open_error(&dir.0, &manifest("r1"));
    assert!(error.contains("line 3: duplicate game 1"), "{error}");
    let text = fs::read_to_string(dir.games()).unwrap();
    let first_rows: Vec<&str> = text.split_inclusive('\n').take(2).collect();
    fs::write(dir.games(), first_rows.concat()).unwrap();
    fs::remove_file(dir.0.join("run.toml")).unwrap();
    assert!(open_error(&dir.0, &manifest("r1")).contains("has games but no run.toml"));
    fs::write(dir.0.join("run.toml"), "games = ").unwrap();
    assert!(open_error(&dir.0, &manifest("r1")).contains("run.toml: TOML parse error"));
}

/// The PGN file is derived from the journal, so a failure to write it loses no game.
#[test]
fn an_unwritable_pgn_loses_no_game() {
    let dir = TempDir::new("pgn");
    let mut run_dir = RunDir::open(&dir.0, &manifest("r1"), false).unwrap();
    fs::create_dir_all(dir.0.join("games.pgn/blocker")).unwrap();
    run_dir.add(entry(1), &columns(1)).unwrap();
    assert!(run_dir.finish().unwrap_err().to_string().contains("games.pgn"));
    drop(run_dir);
    assert_eq!(read_run(&dir.0).unwrap().1, [entry(1)]);
}

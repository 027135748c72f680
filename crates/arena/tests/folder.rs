//! Run folders: what they keep, and what they refuse.

use std::fs;
use std::path::{Path, PathBuf};

use surus_arena::{GameEntry, Manifest, ManifestEngine, RunDir, read_run};
use surus_rules::{Side, Termination};

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-folder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn games(&self) -> PathBuf {
        self.0.join("games.txt")
    }
}

impl Drop for Scratch {
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
    for (place, value) in [(0, &*id.to_string()), (3, "a"), (4, "b"), (21, "s"), (22, "g"), (23, "30")] {
        fields[place] = value.into();
    }
    fields.join("\t")
}

fn fill(path: &Path, games: u64) {
    let mut folder = RunDir::open(path, &manifest("r1"), false).unwrap();
    for id in 1..=games {
        folder.add(entry(id), &columns(id)).unwrap();
    }
    folder.finish().unwrap();
}

fn refused(path: &Path, manifest: &Manifest) -> String {
    RunDir::open(path, manifest, true).unwrap_err().to_string()
}

#[test]
fn games_settings_and_ids_are_read_back() {
    let scratch = Scratch::new("whole");
    fill(&scratch.0, 3);
    let (settings, entries) = read_run(&scratch.0).unwrap();
    assert_eq!(settings, manifest("r1"));
    assert_eq!(entries, [1, 2, 3].map(entry));
    let pgn = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Result \"0-1\"]").count(), 3);
}

#[test]
fn a_torn_row_is_removed_and_a_corrupt_one_refused_and_left_alone() {
    let scratch = Scratch::new("corrupt");
    fill(&scratch.0, 3);
    let text = fs::read_to_string(scratch.games()).unwrap();
    fs::write(scratch.games(), &text[..text.len() - 5]).unwrap();
    assert_eq!(read_run(&scratch.0).unwrap().1.len(), 2, "reading leaves out the torn row");
    let folder = RunDir::open(&scratch.0, &manifest("r1"), true).unwrap();
    assert_eq!(folder.entries.len(), 2);
    drop(folder);
    let corrupt = text.replacen("\ta\tb\t", "\ta\tc\t", 1);
    fs::write(scratch.games(), &corrupt).unwrap();
    let error = refused(&scratch.0, &manifest("r1"));
    assert!(error.contains("line 2: checksum"), "{error}");
    assert!(read_run(&scratch.0).is_err());
    assert_eq!(fs::read_to_string(scratch.games()).unwrap(), corrupt);
}

#[test]
fn another_revision_is_refused_with_both_ids() {
    let scratch = Scratch::new("revision");
    fill(&scratch.0, 1);
    let error = refused(&scratch.0, &manifest("r2"));
    let expected = "engine 1 id was 'a 1.0+r1 [part 2.0+r1]' and is now 'a 1.0+r2 [part 2.0+r2]'";
    assert!(error.contains(expected), "{error}");
    let mut more = manifest("r1");
    (more.games, more.comment, more.started) = (10, "more".into(), 99);
    assert_eq!(RunDir::open(&scratch.0, &more, true).unwrap().entries.len(), 1);
    assert_eq!(read_run(&scratch.0).unwrap().0, Manifest { started: 7, ..more.clone() });
    more.engine[1].options.clear();
    let error = refused(&scratch.0, &more);
    assert!(error.contains("engine 2 option 'seed' was '1' and is now none"), "{error}");
}

#[test]
fn a_folder_in_use_without_settings_or_with_a_game_twice_is_refused() {
    let scratch = Scratch::new("odd");
    let mut folder = RunDir::open(&scratch.0, &manifest("r1"), true).unwrap();
    assert!(refused(&scratch.0, &manifest("r1")).contains("in use by another process"));
    let again = RunDir::open(&scratch.0, &manifest("r1"), false).unwrap_err().to_string();
    assert!(again.contains("already contains a run: use --resume"), "{again}");
    folder.add(entry(1), &columns(1)).unwrap();
    folder.add(entry(1), &columns(1)).unwrap();
    drop(folder);
    let twice = refused(&scratch.0, &manifest("r1"));
    assert!(twice.contains("line 3: game 1 is there twice"), "{twice}");
    let text = fs::read_to_string(scratch.games()).unwrap();
    let once: Vec<&str> = text.split_inclusive('\n').take(2).collect();
    fs::write(scratch.games(), once.concat()).unwrap();
    fs::remove_file(scratch.0.join("run.toml")).unwrap();
    assert!(refused(&scratch.0, &manifest("r1")).contains("has games but no run.toml"));
    fs::write(scratch.0.join("run.toml"), "games = ").unwrap();
    assert!(refused(&scratch.0, &manifest("r1")).contains("run.toml: TOML parse error"));
}

/// The results as PGN are derived: that they cannot be written costs no game.
#[test]
fn an_unwritable_pgn_loses_no_game() {
    let scratch = Scratch::new("pgn");
    let mut folder = RunDir::open(&scratch.0, &manifest("r1"), false).unwrap();
    fs::create_dir_all(scratch.0.join("games.pgn/in the way")).unwrap();
    folder.add(entry(1), &columns(1)).unwrap();
    assert!(folder.finish().unwrap_err().to_string().contains("games.pgn"));
    drop(folder);
    assert_eq!(read_run(&scratch.0).unwrap().1, [entry(1)]);
}

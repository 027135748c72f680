//! `surus archive`: its commands, and an import that is killed.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{split_output, surus};

/// A directory that is removed after the test.
struct TempDir(PathBuf);

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl TempDir {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-cli-archive-{}-{test}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// A database with this many generated games.
    fn store(&self, games: u32) -> String {
        let (file, store) = (self.path("games.txt"), self.path("archive.db"));
        let made = surus(&["archive", "generate", "--games", &games.to_string(), "--out", &file], "");
        assert_eq!(split_output(&made).0, 0, "{made:?}");
        let done = surus(&["archive", "import", &file, "--db", &store, "--json"], "");
        let (code, out, err) = split_output(&done);
        assert_eq!(code, 0, "{err}");
        let done: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(done["games_added"], games);
        store
    }
}

fn json(args: &[&str]) -> serde_json::Value {
    let (code, out, err) = split_output(&surus(args, ""));
    assert!(code != 2, "{args:?}: {err}");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}: {out}"))
}

#[test]
fn a_database_is_filled_explored_queried_and_exported() {
    let dir = TempDir::new("commands");
    let store = dir.store(60);
    let found = json(&["archive", "explore", "--db", &store, "--json", "--games", "2"]);
    assert_eq!((found["games"].as_u64(), found["games_through"].as_array().unwrap().len()), (Some(60), 2));
    let stats = json(&["archive", "stats", "--db", &store, "--json"]);
    assert_eq!(stats["games"], 60);
    let years: u64 = stats["years"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(years, 60);
    let (code, record, _) = split_output(&surus(&["archive", "game", "1", "--db", &store], ""));
    assert!(code == 0 && record.starts_with("# #1") && record.contains("\n1g "), "{record}");
    let game = dir.path("game.txt");
    let some: Vec<&str> = record.lines().take(8).collect();
    std::fs::write(&game, some.join("\n")).unwrap();
    for tier in ["full", "middle", "area", "piece"] {
        let hit =
            json(&["archive", "lookup", "--tier", tier, &game, "--db", &store, "--query-plan", "--json"]);
        assert_eq!(hit["tier"], tier);
        assert!(hit["query_plan"].to_string().contains("INDEX"), "{hit}");
        assert!(tier != "full" || hit["turn"].is_string(), "{hit}");
    }
    let (code, out, _) = split_output(&surus(
        &[
            "archive",
            "lookup",
            "--tier",
            "setup",
            "--aei",
            &format!("g [{}]", " ".repeat(64)),
            "--db",
            &store,
        ],
        "",
    ));
    assert!(code == 0 && out.starts_with("Ra1 "), "{code} {out}");
    let (code, csv, _) = split_output(&surus(&["archive", "export", "positions", "--db", &store], ""));
    let mut lines = csv.lines();
    assert_eq!(
        (code, lines.next()),
        (0, Some("id,game,turn,side,rating,other_rating,won,board,played,turns_left"))
    );
    assert_eq!(lines.clone().count() as u64, stats["positions"].as_u64().unwrap());
    assert!(lines.all(|line| line.split(',').nth(7).unwrap().len() == 64));
    let (_, jsonl, _) =
        split_output(&surus(&["archive", "export", "games", "--format", "jsonl", "--db", &store], ""));
    assert!(
        jsonl.lines().count() == 60
            && jsonl.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
    );
    let sample = |seed: &str| {
        split_output(&surus(
            &["archive", "sample", "--count", "15", "--seed", seed, "--side", "g", "--db", &store],
            "",
        ))
        .1
    };
    assert!(sample("1").lines().count() == 15 && sample("1").lines().all(|line| line.starts_with("g [")));
    assert!(sample("1") == sample("1") && sample("1") != sample("2"));
    let (code, out, err) =
        split_output(&surus(&["archive", "search", "*c4 .c3", "--limit", "3", "--db", &store], ""));
    assert!(code == 0 && out.lines().count() <= 3, "{err}");
    let (_, out, _) = split_output(&surus(&["archive", "players", "player1", "--db", &store], ""));
    assert!(out.lines().all(|line| line.contains("player1")) && !out.is_empty(), "{out}");
    let times = split_output(&surus(&["archive", "bench", "--queries", "5", "--db", &store, "--json"], "")).1;
    assert!(times.contains("\"query\":\"piece\"") && times.contains("explorer, start"), "{times}");
}

#[test]
fn archive_files_are_filtered_by_player_rating_and_date() {
    let dir = TempDir::new("cut");
    let file = dir.path("games.txt");
    surus(&["archive", "generate", "--games", "50", "--out", &file], "");
    let out = dir.path("strong.txt");
    let summary = json(&["archive", "filter", &file, "--min-rating", "1700", "--out", &out, "--json"]);
    let written = summary["written"].as_u64().unwrap();
    assert!(summary["read"] == 50 && written > 0 && written < 50, "{summary}");
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().count() as u64, written + 1);
    let (code, _, err) = split_output(&surus(&["archive", "filter", &file, "--since", "yesterday"], ""));
    assert!(code == 2 && err.contains("invalid date 'yesterday': expected YYYY-MM-DD"), "{err}");
}

#[test]
fn errors_name_the_cause() {
    let dir = TempDir::new("mistakes");
    let missing = dir.path("missing.db");
    let (code, _, err) = split_output(&surus(&["archive", "explore", "--db", &missing], ""));
    assert!(
        code == 2 && err.contains("there is no archive at") && err.contains("surus archive import FILE"),
        "{err}"
    );
    let prose = dir.path("prose.txt");
    std::fs::write(&prose, "not a game record\n").unwrap();
    let (code, _, err) = split_output(&surus(&["archive", "import", &prose, "--db", &missing], ""));
    assert!(code == 2 && err.contains("prose.txt: it starts with 'not a game record'"), "{err}");
    let (code, _, err) = split_output(&surus(&["archive", "lookup", "--tier", "half", "--aei", "g []"], ""));
    assert!(code == 2 && err.contains("invalid tier 'half': expected setup, setup-reply"), "{err}");
}

#[test]
fn mimic_plays_over_aei() {
    let dir = TempDir::new("engine");
    let store = dir.store(30);
    let (code, out, err) = split_output(&surus(&["engine", "mimic"], ""));
    assert!(code == 0 && out.contains("full_until_turn") && out.contains("avoid_goal_loss"), "{err}");
    let engine = format!("mimic:db={store},fallback=greedy:seed=3,tiers=full+area");
    let (code, out, err) =
        split_output(&surus(&["match", &engine, "random", "--games", "2", "--time", "5"], ""));
    assert_eq!(code, 0, "{out} {err}");
    let input = format!("aei\nsetoption name db value {store}\nisready\nnewgame\ngo\n");
    let (_, out, _) = split_output(&surus(&["aei", "--engine", "mimic"], &input));
    assert!(out.contains("tier setup") && out.contains("bestmove "), "{out}");
}

/// The number of games, or `None` if the database cannot be queried.
fn games(store: &str) -> Option<u64> {
    let (code, out, _) = split_output(&surus(&["archive", "stats", "--db", store, "--json"], ""));
    (code == 0).then(|| serde_json::from_str::<serde_json::Value>(&out).unwrap()["games"].as_u64().unwrap())
}

#[test]
fn a_killed_import_is_completed_by_the_next() {
    let dir = TempDir::new("killed");
    let (file, store, complete) = (dir.path("games.txt"), dir.path("archive.db"), dir.path("complete.db"));
    surus(&["archive", "generate", "--games", "6000", "--out", &file], "");
    let mut child = Command::new(env!("CARGO_BIN_EXE_surus"))
        .args(["archive", "import", &file, "--db", &store])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Wait for the first commit: only complete transactions are written to the file itself.
    let started = Instant::now();
    while std::fs::metadata(&store).map_or(0, |about| about.len()) < 4_000_000
        && started.elapsed() < Duration::from_secs(120)
    {
        assert!(child.try_wait().unwrap().is_none(), "the import ended before it could be killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(Path::new(&store).exists());
    let (code, _, err) = split_output(&surus(&["archive", "stats", "--db", &store], ""));
    assert!(code == 2 && err.contains("are missing"), "{err}");
    let (_, out, _) = split_output(&surus(&["archive", "import", &file, "--db", &store, "--json"], ""));
    let remaining: serde_json::Value = serde_json::from_str(&out).unwrap();
    let (duplicates, added) =
        (remaining["duplicates"].as_u64().unwrap(), remaining["games_added"].as_u64().unwrap());
    assert_eq!(duplicates + added, 6000);
    assert!(duplicates > 0, "{remaining}");
    assert_eq!(games(&store), Some(6000));
    surus(&["archive", "import", &file, "--db", &complete], "");
    let explore_json = |store: &str| json(&["archive", "explore", "--db", store, "--json", "--limit", "5"]);
    let mut pair = [explore_json(&store), explore_json(&complete)];
    for found in &mut pair {
        for choice in found["continuations"].as_array_mut().unwrap() {
            choice.as_object_mut().unwrap().remove("top_game");
        }
    }
    assert_eq!(pair[0], pair[1]);
}

#[test]
fn lab_mimic_fills_an_archive_plays_and_resumes() {
    let dir = TempDir::new("lab");
    let (out, page) = (dir.path("lab"), dir.path("page"));
    let args = ["lab", "mimic", "--quick", "--out", &out, "--report-dir", &page];
    let (code, first_output, error) = split_output(&surus(&args, ""));
    assert_eq!(code, 0, "{error}");
    assert!(first_output.contains("the archive has 0 human games and 20 engine games"), "{first_output}");
    let text = std::fs::read_to_string(Path::new(&page).join("mimic.md")).unwrap();
    assert!(text.contains("played 10 games against\n`greedy:seed={n}`"), "{text}");
    // Table 12 has ten rows of hit rates, the game phases have eight.
    assert_eq!(text.lines().filter(|line| line.starts_with("| ") && line.contains(" | 43 | ")).count(), 1);
    assert!(text.contains("| 20 | "), "{text}");
    for figure in ["full", "middle", "area", "piece", "wins", "sizes"] {
        let svg = std::fs::read_to_string(Path::new(&page).join(format!("mimic-{figure}.svg"))).unwrap();
        assert!(svg.contains("<circle"), "{figure}");
    }
    assert_eq!(split_output(&surus(&args, "")).0, 2, "without --resume existing games are an error");
    let (code, resumed, _) = split_output(&surus(&[args.as_slice(), &["--resume"]].concat(), ""));
    assert_eq!((code, resumed.as_str()), (0, ""), "all games were played");
    assert_eq!(std::fs::read_to_string(Path::new(&page).join("mimic.md")).unwrap(), text);
}

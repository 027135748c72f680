//! Matches and tournaments on the command line, misbehaving engines, and runs that are resumed and merged.

#[path = "../../protocol/tests/fake/mod.rs"]
mod fake;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A directory that is removed after the test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-arena-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn surus(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

/// The JSON lines of a command that exits with this code.
#[track_caller]
fn lines(args: &[&str], code: i32) -> Vec<Value> {
    let output = surus(args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The result and the turns of each game of a run by id. Times differ from run to run.
fn games(dir: &Path) -> BTreeMap<u64, (String, String)> {
    let text = std::fs::read_to_string(dir.join("games.txt")).unwrap();
    let mut found = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), 32, "{line}");
        let old = found.insert(fields[0].parse().unwrap(), (fields[21].into(), fields[27].into()));
        assert_eq!(old, None, "game {} was written twice", fields[0]);
    }
    found
}

#[test]
fn a_match_prints_every_game_and_then_the_result() {
    let events = lines(&["match", "greedy", "random", "--games", "6", "--json"], 0);
    assert_eq!(events.len(), 7);
    assert!(events[..6].iter().all(|event| event["event"] == "game" && event["winner"].is_string()));
    let result = &events[6];
    assert_eq!((&result["games"], &result["points"]), (&6.into(), &6.0.into()));
    assert!(result.get("elo").is_some() && result.get("error").is_some(), "{result}");
    let close = lines(&["match", "random", "random:seed=2", "--games", "200", "--json", "-c", "2"], 0);
    let result = close.last().unwrap();
    assert!(
        result["elo"].as_f64().unwrap().abs() < 150.0 && result["error"].as_f64().unwrap() > 10.0,
        "{result}"
    );
    assert_eq!(result["pairs"].as_array().unwrap().len(), 5);
}

#[test]
fn the_two_games_of_a_pair_have_the_same_opening() {
    let dir = TempDir::new("pairs");
    lines(&["match", "greedy", "random", "--games", "6", "--out", dir.text(), "--json"], 0);
    let setups: Vec<String> =
        games(&dir.0).values().map(|(_, moves)| moves.split("\\n").take(2).collect()).collect();
    assert!(setups.chunks(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(setups.iter().collect::<BTreeSet<_>>().len(), 3);
    let pgn = std::fs::read_to_string(dir.0.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Result \"").count(), 6);
    // Every game replays to its recorded result.
    let replayed = lines(&["replay", dir.0.join("games.txt").to_str().unwrap(), "--json"], 0);
    for (game, (result, _)) in replayed.iter().zip(games(&dir.0).values()) {
        assert_eq!(game["winner"], result.as_str());
    }
}

#[test]
fn games_from_given_positions_replay() {
    let scratch = TempDir::new("positions");
    std::fs::create_dir_all(&scratch.0).unwrap();
    let openings = scratch.0.join("openings.txt");
    std::fs::write(&openings, "s [   r rdrd hrr ce m          r  Dh   R   H       rC CMERHRDRRR  R]\n")
        .unwrap();
    let out = scratch.0.join("run");
    let (openings, out) = (openings.to_str().unwrap(), out.to_str().unwrap());
    lines(&["match", "greedy", "random", "--games", "2", "--openings", openings, "--out", out, "--json"], 0);
    let replayed = lines(&["replay", &format!("{out}/games.txt"), "--json"], 0);
    assert!(
        replayed.iter().all(|game| game["error"].is_null() && game["winner"].is_string()),
        "{replayed:?}"
    );
}

#[test]
fn resuming_extending_and_sharding_a_run_changes_no_game() {
    let [complete, partial, merged] = ["complete", "partial", "merged"].map(TempDir::new);
    let base = ["match", "random", "greedy", "--json", "--games"];
    lines(&[&base[..], &["12", "--out", complete.text()]].concat(), 0);
    let expected = games(&complete.0);
    assert_eq!(expected.len(), 12);
    // With --resume a run is started if the directory does not exist, otherwise completed.
    for count in ["4", "7", "12", "12"] {
        lines(&[&base[..], &[count, "--out", partial.text(), "--resume"]].concat(), 0);
    }
    assert_eq!(games(&partial.0), expected);
    let output = surus(&[&base[..], &["12", "--out", complete.text()]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("already contains a run: use --resume"));
    let other = surus(&["match", "random", "greedy:seed=4", "--out", complete.text(), "--resume"]);
    let error = String::from_utf8_lossy(&other.stderr);
    assert!(error.contains("contains another run, which cannot be resumed"), "{error}");
    assert!(error.contains("engine 2 option 'seed' was '1' and is now '4'"), "{error}");
    // In shards, one of which is run twice.
    let shards = ["1/3", "2/3", "2/3", "3/3"];
    let shard_dirs: Vec<TempDir> = (0..4).map(|i| TempDir::new(&format!("shard{i}"))).collect();
    for (shard, dir) in shards.iter().zip(&shard_dirs) {
        lines(&[&base[..], &["12", "--shard", shard, "--out", dir.text()]].concat(), 0);
    }
    let texts: Vec<&str> = shard_dirs.iter().map(TempDir::text).collect();
    let first = TempDir::new("first");
    let report = lines(&["merge", texts[0], texts[1], texts[2], "--out", first.text(), "--json"], 1);
    assert_eq!((&report[0]["games"], &report[0]["duplicates"]), (&8.into(), &4.into()));
    assert_eq!(report[0]["missing"].as_array().unwrap().len(), 4);
    lines(&["merge", first.text(), texts[3], "--out", merged.text(), "--json"], 0);
    assert_eq!(games(&merged.0), expected);
    // A merged run and its shards given together: every game counts once.
    let rated = lines(&["ratings", merged.text(), first.text(), texts[0], texts[3], "--json"], 0);
    assert_eq!(rated[0]["groups"][0]["players"][0]["games"], 12);
}

/// An engine with a fault forfeits the game with the right code; the match continues and no process remains.
#[test]
fn faulty_engines_forfeit_only_their_game() {
    for (faults, reason, message) in [
        ("crash-on-go", "f", "engine exited"),
        ("crash-after=2", "f", "engine exited"),
        ("hang-on-go", "t", "out of time"),
        ("overtime=1", "t", "out of time"),
        ("flood-lines", "f", "engine output limit exceeded"),
        ("flood-line", "f", "engine output limit exceeded"),
        ("nonsense", "i", "invalid reply"),
        ("illegal", "i", "illegal turn"),
        ("ignore-stop ignore-quit", "t", "out of time"),
    ] {
        let (line, tag) = fake::fake(faults);
        let bad = format!("cmd={line}");
        // Unless the fault is about time, the time control is generous, so that a loaded machine does not matter.
        let control = if reason == "t" { "1s/0" } else { "60s/0" };
        let args = ["match", &bad, "greedy", "--games", "2", "--tc", control, "--openings", "book", "--json"];
        let events = lines(&args, 0);
        let result = events.last().unwrap();
        assert_eq!((&result["games"], &result["points"]), (&2.into(), &0.0.into()), "{faults}: {events:?}");
        for event in &events[..2] {
            assert_eq!(event["termination"], reason, "{faults}: {event}");
            assert!(event["forfeit_reason"].as_str().unwrap().contains(message), "{faults}: {event}");
        }
        fake::assert_processes(&tag, 0);
    }
}

#[test]
fn faulty_getmove_programs_forfeit_only_their_game() {
    for (faults, reason, message) in [
        ("crash-on-go", "f", "engine exited"),
        ("hang-on-go", "t", "out of time"),
        ("hang-on-go grandchild", "t", "out of time"),
        ("flood-lines", "f", "engine output limit exceeded"),
        ("flood-line", "f", "engine output limit exceeded"),
        ("nonsense", "i", "invalid reply"),
        ("illegal", "i", "illegal turn"),
    ] {
        let (line, tag) = fake::fake(&format!("getmove {faults}"));
        let bad = format!("getmove={line}");
        let control = if reason == "t" { "1s/0" } else { "60s/0" };
        let args = ["match", &bad, "greedy", "--games", "2", "--tc", control, "--openings", "book", "--json"];
        let events = lines(&args, 0);
        let result = events.last().unwrap();
        assert_eq!((&result["games"], &result["points"]), (&2.into(), &0.0.into()), "{faults}: {events:?}");
        for event in &events[..2] {
            assert_eq!(event["termination"], reason, "{faults}: {event}");
            assert!(event["forfeit_reason"].as_str().unwrap().contains(message), "{faults}: {event}");
        }
        fake::assert_processes(&tag, 0);
    }
}

#[test]
fn a_tournament_of_faulty_engines_ends_and_the_good_one_wins() {
    let faults = [
        "crash-on-go",
        "hang-on-go",
        "flood-lines",
        "flood-line",
        "illegal",
        "getmove nonsense",
        "getmove hang-on-go",
    ];
    let engines = faults.map(fake::fake);
    let named = engines.iter().zip(faults).map(|((line, _), faults)| {
        let kind = if faults.starts_with("getmove") { "getmove" } else { "cmd" };
        format!("{kind}={line}")
    });
    let bad: Vec<String> = named.collect();
    let mut args =
        vec!["tournament", "greedy", "--gauntlet", "--games", "2", "--tc", "1s/0", "--json", "-c", "2"];
    args.splice(2..2, bad.iter().map(String::as_str));
    let events = lines(&args, 0);
    let result = events.last().unwrap();
    assert_eq!(result["games"], 14, "{result}");
    let best = &result["standings"][0];
    assert_eq!((&best["name"], &best["points"]), (&"greedy".into(), &14.0.into()), "{result}");
    engines.iter().for_each(|(_, tag)| fake::assert_processes(tag, 0));
}

#[test]
fn a_tournament_survives_repeated_faults() {
    let (line, tag) = fake::fake("crash-after=1");
    let bad = format!("cmd={line}");
    let events = lines(&["tournament", "random", "greedy", &bad, "--games", "4", "--json", "-c", "2"], 0);
    let result = events.last().unwrap();
    assert_eq!(result["games"], 12);
    let standings = result["standings"].as_array().unwrap();
    assert_eq!(standings[0]["name"], "greedy");
    assert_eq!((&standings[2]["points"], &standings[2]["games"]), (&0.0.into(), &8.into()));
    fake::assert_processes(&tag, 0);
}

#[test]
fn errors_are_reported_before_the_first_game() {
    let scratch = TempDir::new("wrong");
    std::fs::create_dir_all(&scratch.0).unwrap();
    let file = |name: &str, text: &str| {
        let path = scratch.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let engines = file("engines.toml", "nodes = 5\n[[engine]]\nengine = 'greedy'\n[[engine]]\nengin = 'x'\n");
    let openings = file("openings.txt", "# none\ng [x]\n");
    for (args, message) in [
        (vec!["match", "missing", "random"], "unknown engine 'missing'"),
        (vec!["match", "random:x=1", "random"], "unknown option 'x'"),
        (vec!["match", "cmd=/nowhere/engine", "random"], "engine 'engine': engine did not start"),
        (vec!["match", "random", "greedy", "--tc", "5x"], "invalid time per turn '5x'"),
        (vec!["match", "random", "greedy", "--openings", &openings], "line 2: expected 64 characters"),
        (vec!["match", "random", "greedy", "--openings", "/nowhere"], "can't read /nowhere"),
        (vec!["match", "random", "greedy", "--option", "seed"], "expected KEY=VALUE"),
        (vec!["match", "random", "greedy", "--resign", "8"], "expected rabbits:turns"),
        (vec!["tournament", &engines], "line 5"),
        (
            vec!["sprt", "random", "greedy", "--bounds", "5,1"],
            "invalid bounds [5, 1]: expected elo0 below elo1",
        ),
        (vec!["ratings", "/nowhere"], "can't read /nowhere"),
    ] {
        let output = surus(&args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

#[test]
fn a_sequential_test_stops_with_a_decision() {
    let events = lines(&["sprt", "greedy", "random", "--json", "--bounds", "0,50"], 0);
    let result = events.last().unwrap();
    assert_eq!(result["sprt"]["state"], "accept_h1");
    assert!(result["games"].as_u64().unwrap() < 400, "{result}");
    let output = surus(&["sprt", "random", "greedy", "--bounds", "0,50"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("H0 was accepted") && text.contains("LLR: -"), "{text}");
}

#[test]
fn games_are_adjudicated_only_if_requested() {
    let args = ["match", "random", "random:seed=2", "--games", "4", "--max-turns", "10", "--json"];
    let events = lines(&args, 0);
    let result = events.last().unwrap();
    assert_eq!((&result["draws"], &result["points"]), (&4.into(), &2.0.into()));
    assert!(events[..4].iter().all(|event| event["termination"] == "s" && event["winner"].is_null()));
    let args = ["match", "greedy", "greedy:seed=2", "--games", "4", "--resign", "1:4", "--json"];
    let events = lines(&args, 0);
    assert!(events[..4].iter().any(|event| event["termination"] == "s"), "{events:?}");
}

#[test]
fn ratings_combine_runs_and_list_them() {
    let [one, two] = ["one", "two"].map(TempDir::new);
    lines(
        &["match", "greedy", "random", "--games", "10", "--out", one.text(), "--comment", "first", "--json"],
        0,
    );
    lines(&["match", "random", "random:seed=3", "--games", "20", "--out", two.text(), "--json"], 0);
    let fit = lines(&["ratings", one.text(), two.text(), "--anchor", "random=1000", "--json"], 0);
    let players = fit[0]["groups"][0]["players"].as_array().unwrap();
    let rating = |name: &str| players.iter().find(|p| p["name"] == name).unwrap()["rating"].as_f64().unwrap();
    assert_eq!(rating("random"), 1000.0);
    assert!(rating("greedy") > 1100.0 && (rating("random:seed=3") - 1000.0).abs() < 250.0);
    let listed = lines(&["ratings", "--list-runs", one.text(), two.text(), "--json"], 0);
    assert_eq!(listed[0]["runs"][0]["comment"], "first");
    assert_eq!(listed[0]["runs"][1]["engine"][1]["options"]["seed"], "3");
}

#[test]
fn each_engine_of_a_match_has_its_own_limits() {
    let dir = TempDir::new("paces");
    let out = ["--games", "2", "--json", "--out", dir.text()];
    let paces = ["--time", "1.1", "--tc2", "0.2s/4s/100/8s", "--nodes1", "50"];
    lines(&[&["match", "greedy", "random"][..], &paces, &out].concat(), 0);
    let runs = lines(&["ratings", "--list-runs", dir.text(), "--json"], 0);
    let engines = &runs[0]["runs"][0]["engine"];
    assert_eq!(engines[0]["pace"], "nodes 50, 1.1 s/turn");
    assert_eq!(engines[1]["pace"], "0.2s/4s/100/8s/0/0");
    for (args, message) in [
        (["--time1", "1", "--tc1", "1s/1s"], "cannot be used with"),
        (["--time2", "0", "--nodes", "5"], "invalid time per turn '0'"),
        (["--tc1", "1.5m/1s", "--nodes", "5"], "invalid time per turn '1.5m'"),
    ] {
        let output = surus(&[&["match", "greedy", "random"][..], &args].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn revisions_are_rated_separately_unless_merged() {
    let scratch = TempDir::new("revisions");
    lines(&["match", "greedy", "random", "--games", "4", "--json", "--out", scratch.text()], 0);
    // The same games, attributed to an older revision of greedy.
    let text = std::fs::read_to_string(scratch.0.join("games.txt")).unwrap();
    let ids: Vec<&str> = text.lines().nth(1).unwrap().split('\t').skip(29).collect();
    let version = env!("CARGO_PKG_VERSION");
    for (id, engine) in ids.iter().zip(["greedy", "random"]) {
        assert!(id.starts_with(&format!("{engine} {version}+")), "{ids:?}");
    }
    let old = scratch.0.join("old.txt");
    let rename = |line: &str| {
        let line = line.rsplit_once('\t').unwrap().0;
        line.replace(ids[0], &format!("greedy {version}+0123456789ab")) + "\n"
    };
    std::fs::write(&old, text.lines().map(rename).collect::<String>()).unwrap();
    let files = [scratch.text(), old.to_str().unwrap()];
    let names = |extra: &[&str]| {
        let rated = lines(&[&["ratings", "--json"][..], &files, extra].concat(), 0);
        let players = rated[0]["groups"][0]["players"].as_array().unwrap().clone();
        let mut names: Vec<(String, usize)> = players
            .iter()
            .map(|player| {
                (player["name"].as_str().unwrap().into(), player["engines"].as_array().unwrap().len())
            })
            .collect();
        names.sort();
        names
    };
    let found = names(&[]);
    assert_eq!((found.len(), &found[0], &found[2]), (3, &("greedy@012345".into(), 1), &("random".into(), 1)));
    assert_eq!(names(&["--merge-revisions"]), [("greedy".into(), 2), ("random".into(), 1)]);
}

#[test]
fn engine_logs_have_the_messages_of_each_game() {
    let scratch = TempDir::new("logs");
    std::fs::create_dir_all(&scratch.0).unwrap();
    let logs = scratch.0.join("logs");
    let (line, _) = fake::fake("chatter");
    let (old, _) = fake::fake("getmove");
    let bots = scratch.0.join("bots");
    std::fs::write(&bots, format!("# aliases\nnew: cmd={line}\nold {old}\n")).unwrap();
    let (logs, bots) = (logs.to_str().unwrap(), bots.to_str().unwrap());
    let args = ["match", "new", "old", "--bots", bots, "--games", "2", "--tc", "60s/0", "--max-turns", "6"];
    let events = lines(&[&args[..], &["--engine-logs", logs, "--json"]].concat(), 0);
    assert_eq!(events.last().unwrap()["games"], 2, "{events:?}");
    for (id, side) in [("1", "gold"), ("2", "silver")] {
        let log = std::fs::read_to_string(format!("{logs}/{id}-{side}-new.log")).unwrap();
        assert!(log.contains("> aei\n< protocol-version 1\n") && log.contains("< thinking hard\n"), "{log}");
        assert!(log.contains("\n> go\n") && log.contains("\n< bestmove "), "{log}");
        assert!(Path::new(&format!("{logs}/{id}-{side}-new.err")).exists());
    }
    let log = std::fs::read_to_string(format!("{logs}/1-silver-old.log")).unwrap();
    assert!(log.lines().filter(|line| line.starts_with("# ")).count() >= 2, "one process per turn: {log}");
}

#[test]
fn a_handicap_starts_from_the_position_without_the_pieces() {
    let out = TempDir::new("handicap");
    let args =
        ["match", "greedy", "random", "--games", "4", "--handicap", "EMh", "--out", out.text(), "--json"];
    assert_eq!(lines(&args, 0).last().unwrap()["games"], 4);
    let text = std::fs::read_to_string(out.0.join("games.txt")).unwrap();
    assert!(text.lines().skip(1).all(|line| !line.contains("1w E") && !line.contains("Ee2 ")), "{text}");
    let error = surus(&["match", "greedy", "random", "--handicap", "Q"]);
    assert!(String::from_utf8_lossy(&error.stderr).contains("--handicap Q: invalid piece 'Q'"));
    let listed = lines(&["ratings", "--list-runs", out.text(), "--json"], 0);
    let results = &listed[0]["runs"][0]["results"];
    let points: f64 = ["greedy", "random"].iter().map(|name| results[name][0].as_f64().unwrap()).sum();
    assert_eq!((points, &results["greedy"][1]), (4.0, &4.into()), "{listed:?}");
    assert!(listed[0]["runs"][0]["openings"].as_str().unwrap().ends_with(", without EMh"));
}

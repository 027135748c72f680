//! `surus gameroom` against the imitation of the server, behind real sockets and in real time.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use common::{split_output, surus};
use surus_gameroom::bot::{BotJournal, JournalRow};
use surus_gameroom::fake::{FakeConfig, FakeServer, Faults, Habits, RunningServer, serve};
use surus_rules::SplitMix;

const NAME: &str = "bot_Surus";
const PASSWORD: &str = "Sesame%13_4711";

/// A directory that is removed when the test ends.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-gameroom-{}-{name}", std::process::id()));
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

/// Opponents that answer soon and resign early, so that games are short: a bot sends at most one request a second.
fn quick_opponents() -> Habits {
    Habits {
        join_within: Duration::from_millis(500),
        think_up_to: Duration::from_millis(500),
        late: 0.0,
        leaves_before_start: 0.0,
        flags: 0.0,
        resigns: 0.1,
        resigns_late: 0.05,
        last_turn: Some(5),
        ..Habits::default()
    }
}

fn server(change: impl FnOnce(&mut FakeConfig)) -> RunningServer {
    let mut config = FakeConfig::new("");
    config.accounts = vec![(NAME.into(), PASSWORD.into()), ("bot_Other".into(), PASSWORD.into())];
    change(&mut config);
    serve("127.0.0.1:0".parse().unwrap(), config).unwrap()
}

/// A configuration file with the password and extra lines.
fn config(dir: &TempDir, server: &RunningServer, extra: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = dir.file("bot.toml");
    let url = server.gameroom_url();
    let text = format!(
        "url = '{url}'\nusername = '{NAME}'\npassword = '{PASSWORD}'\nengine = 'greedy'\nmin_turn_time = 0\n\
         greeting = 'Hello, 100%'\ntakebacks = 'unrated'\ndirectory = '{}'\ndata_dir = '{}'\n{extra}\n",
        dir.file("bot"),
        dir.file("board")
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    path
}

const OPEN: &str = "[open]\ntimecontrol = '30s/2m/100/5m'\n";

/// Everything that the commands wrote, except the configuration file: no password, session id or token may be in it.
fn assert_no_secrets(dir: &TempDir, outputs: &[&Output]) {
    let mut texts: Vec<(String, String)> = outputs
        .iter()
        .flat_map(|output| [&output.stdout, &output.stderr])
        .map(|bytes| ("output".into(), String::from_utf8_lossy(bytes).into_owned()))
        .collect();
    let mut directories = vec![dir.0.clone()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if !path.ends_with("bot.toml") && !path.ends_with("other.toml") {
                let bytes = std::fs::read(&path).unwrap();
                texts.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
    }
    for (place, text) in texts {
        assert!(!text.contains("Sesame"), "{place} has the password:\n{text}");
        // The imitation marks its secrets: a word followed by sixteen hexadecimal digits.
        for word in ["room", "table", "auth", "tid", "grid"] {
            for (index, _) in text.match_indices(word) {
                let digits = text[index + word.len()..].chars().take_while(char::is_ascii_hexdigit).count();
                assert!(digits < 16, "{place} has a secret at {index}:\n{text}");
            }
        }
    }
}

fn bot(args: &[&str]) -> Output {
    surus(&[&["gameroom", "bot"], args].concat(), "")
}

fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
    command.args(["gameroom", "bot"]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for something that must happen; a test that hangs is ended by the test runner.
fn wait_until(mut condition: impl FnMut() -> bool) {
    while !condition() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Each turn was played once, where the journal meant it to be, and the results are right.
fn check_games(dir: &TempDir, server: &RunningServer) -> usize {
    let journal = BotJournal::open(&Path::new(&dir.file("bot")).join("journal.txt")).unwrap();
    let mut count = 0;
    for gid in server.inspect(FakeServer::games) {
        let result = server.inspect(|server| server.result(&gid));
        let Some(result) = result else { continue };
        let sending: BTreeSet<(usize, String)> = journal
            .rows()
            .iter()
            .filter_map(|row| match row {
                JournalRow::Sending { gid: sent, ply, turn } if *sent == gid => Some((*ply, turn.clone())),
                _ => None,
            })
            .collect();
        let mut played = BTreeMap::new();
        for request in server.inspect(|server| server.move_requests(&gid).to_vec()) {
            if request.outcome.is_ok() {
                assert!(sending.contains(&(request.ply, request.text.clone())), "game {gid}: {request:?}");
                assert_eq!(played.insert(request.ply, request.text), None, "game {gid}");
            }
        }
        let finished = journal.rows().iter().filter_map(|row| match row {
            JournalRow::Finished { gid: finished, value } if *finished == gid => Some(value.clone()),
            _ => None,
        });
        let finished: Vec<String> = finished.collect();
        assert_eq!(finished.len(), 1, "game {gid}");
        assert!(finished[0].ends_with(&format!(" {result}")), "game {gid}: {finished:?}, {result}");
        assert!(!result.ends_with('t') && !result.ends_with('i'), "game {gid}: {result}");
        count += 1;
    }
    count
}

#[test]
fn a_bot_plays_games_and_stores_them() {
    let dir = TempDir::new("plays");
    let server = server(|config| config.opponents = Some(quick_opponents()));
    let path = config(&dir, &server, &format!("max_games = 2\nponder = true\n{OPEN}count = 2"));
    let archive = dir.file("archive.db");
    let output =
        bot(&["--config", &path, "--engine", "alphabeta:level=3,hash=1", "--db", &archive, "--debug"]);
    let (code, out, err) = split_output(&output);
    assert_eq!(code, 0, "{err}");
    assert_eq!(out.lines().filter(|line| line.starts_with("game ")).count(), 2, "{out}");
    assert_eq!(check_games(&dir, &server), 2);
    let (code, out, _) = split_output(&surus(&["archive", "stats", "--db", &archive, "--json"], ""));
    assert_eq!((code, out.contains("\"games\":2")), (0, true), "{out}");
    let board = rusqlite::Connection::open(Path::new(&dir.file("board")).join("games.sqlite")).unwrap();
    let on_board: Vec<String> = board
        .prepare("SELECT id FROM games WHERE reason IS NOT NULL ORDER BY id")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let permanent = server.inspect(FakeServer::games).into_iter().map(|gid| format!("gameroom-70{gid}"));
    assert_eq!(on_board, permanent.collect::<Vec<_>>());
    let status = surus(&["gameroom", "status", "--config", &path, "--json"], "");
    let (code, out, err) = split_output(&status);
    assert_eq!(code, 0, "{err}");
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    let results = &value["results"];
    let total: u64 = ["won", "lost", "other"].iter().map(|key| results[key].as_u64().unwrap()).sum();
    assert_eq!((total, value["running"].as_array().unwrap().len()), (2, 0), "{out}");
    // The requests name us, and a page of the site.
    assert!(server.inspect(|server| {
        server
            .log()
            .iter()
            .all(|request| request.user_agent.as_deref().is_some_and(|agent| agent.starts_with("Surus/")))
    }));
    assert_no_secrets(&dir, &[&output, &status]);
}

#[test]
fn a_bot_survives_faults_without_telling_secrets() {
    let dir = TempDir::new("faults");
    let server = server(|config| {
        config.opponents = Some(quick_opponents());
        config.faults = Faults::all();
        config.seed = 5;
    });
    let path = config(&dir, &server, &format!("{OPEN}count = 1"));
    let output = bot(&["--config", &path, "--debug"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(check_games(&dir, &server), 1);
    assert_no_secrets(&dir, &[&output]);
}

#[test]
fn bots_join_given_games_only() {
    let dir = TempDir::new("join");
    let other = TempDir::new("join-other");
    let server = server(|_| ());
    // It resigns soon.
    let opener = config(&dir, &server, &format!("resign = '0.5:1'\n{OPEN}side = 'gold'\ncount = 1"));
    let mut first = spawn(&["--config", &opener, "--engine", "alphabeta:level=1,hash=1"]);
    wait_until(|| !server.inspect(FakeServer::games).is_empty());
    let gid = server.inspect(|server| server.games()[0].clone());
    let joiner = config(&other, &server, "");
    let text = std::fs::read_to_string(&joiner).unwrap().replace(NAME, "bot_Other");
    std::fs::write(&joiner, text).unwrap();
    // Without --join, an open game of another player is left alone.
    let output = bot(&["--config", &joiner, "--games", "0"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(server.inspect(|server| server.side_of(&gid, "bot_Other")), None);
    let (_, games, _) = split_output(&surus(&["gameroom", "games", "--config", &joiner, "--json"], ""));
    let value: serde_json::Value = serde_json::from_str(&games).unwrap();
    assert_eq!(value["open"][0]["gid"].as_str(), Some(gid.as_str()), "{games}");
    let output = bot(&["--config", &joiner, "--join", &gid, "--engine", "alphabeta:level=4,hash=1"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(first.wait().unwrap().success());
    let result = server.inspect(|server| server.result(&gid)).unwrap();
    assert!(!result.ends_with('t'), "{result}");
    let watched = surus(&["gameroom", "watch", &format!("70{gid}"), "--config", &joiner], "");
    let (code, out, err) = split_output(&watched);
    assert!(code == 0 && out.contains("bot_Surus against bot_Other") && out.contains("1w "), "{out}{err}");
    assert_no_secrets(&other, &[&output, &watched]);
}

#[test]
fn wrong_passwords_and_readable_files_are_refused() {
    let dir = TempDir::new("refused");
    let server = server(|_| ());
    let path = config(&dir, &server, OPEN);
    let output = Command::new(env!("CARGO_BIN_EXE_surus"))
        .args(["gameroom", "bot", "--config", &path])
        .env("SURUS_GAMEROOM_PASSWORD", "Sesame-wrong")
        .output()
        .unwrap();
    let (code, _, err) = split_output(&output);
    assert_eq!(code, 2);
    assert!(err.contains("the gameroom refused the login: Invalid username or password"), "{err}");
    assert_no_secrets(&dir, &[&output]);
    assert_eq!(server.inspect(|server| server.log().len()), 1);
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (code, _, err) = split_output(&bot(&["--config", &path]));
    assert!(code == 2 && err.contains("chmod 600"), "{err}");
    // Without a terminal there is no prompt.
    let (code, _, err) = split_output(&bot(&["--url", &server.gameroom_url()]));
    assert!(code == 2 && err.contains("SURUS_GAMEROOM_USERNAME"), "{err}");
}

#[test]
fn sigterm_cancels_open_games_and_leaves_tables() {
    let dir = TempDir::new("sigterm");
    let server = server(|_| ());
    let path = config(&dir, &server, OPEN);
    let child = spawn(&["--config", &path]);
    // It sits at the table when it waits for a change.
    wait_until(|| server.inspect(|server| server.log().iter().any(|request| request.poll)));
    let second = bot(&["--config", &path]);
    assert!(String::from_utf8_lossy(&second.stderr).contains("another bot uses"), "{second:?}");
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(server.inspect(|server| server.games().len()), 0);
    let cancel = surus(&["gameroom", "cancel", "5", "--config", &path], "");
    assert_eq!(cancel.status.code(), Some(2));
    assert_no_secrets(&dir, &[&output, &second, &cancel]);
}

#[test]
fn a_killed_bot_plays_no_turn_twice() {
    let full = std::env::var_os("SURUS_TEST_FULL").is_some();
    let kills = if full { 50 } else { 2 };
    let dir = TempDir::new("kill");
    let server = server(|config| {
        let last_turn = Some(if full { 30 } else { 5 });
        config.opponents = Some(Habits { resigns: 0.0, resigns_late: 0.0, last_turn, ..quick_opponents() });
        config.faults = Faults { lost_answer: 0.05, late_move: 0.1, ignored_move: 0.05, ..Faults::default() };
    });
    let path = config(&dir, &server, &format!("max_games = 2\n{OPEN}count = {}", if full { 12 } else { 1 }));
    let mut rng = SplitMix::new(9);
    let requests = || server.inspect(|server| server.log().len());
    for _ in 0..kills {
        let before = requests();
        let mut child = spawn(&["--config", &path]);
        let wanted = before + 5 + (rng.next_u64() % 6) as usize;
        wait_until(|| requests() >= wanted || child.try_wait().unwrap().is_some());
        std::thread::sleep(Duration::from_micros(rng.next_u64() % 300_000));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // The games that have begun are played to their end.
    let output = bot(&["--config", &path, "--games", "0"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let count = check_games(&dir, &server);
    assert!(count >= 1, "{count}");
    assert_eq!(server.inspect(|server| server.games().len()), count, "every game was finished");
    assert_no_secrets(&dir, &[&output]);
}

#[test]
fn several_games_at_once_keep_their_clocks() {
    let full = std::env::var_os("SURUS_TEST_FULL").is_some();
    let games = if full { 8 } else { 2 };
    let dir = TempDir::new("several");
    let server = server(|config| {
        let last_turn = Some(if full { 40 } else { 4 });
        config.opponents = Some(Habits { resigns: 0.0, resigns_late: 0.0, last_turn, ..quick_opponents() });
    });
    let open = "[open]\ntimecontrol = '15s/60s/100/2m'\n";
    let path =
        config(&dir, &server, &format!("max_games = {games}\nmax_searches = 2\n{open}count = {games}"));
    let output = bot(&["--config", &path, "--engine", "alphabeta:level=5"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(check_games(&dir, &server), games);
}

#[test]
fn archive_fetch_downloads_what_has_changed() {
    let dir = TempDir::new("fetch");
    let server = server(|config| {
        let file = dir.file("site.txt");
        surus(&["archive", "generate", "--games", "5", "--seed", "1", "--out", &file], "");
        config.files = BTreeMap::from([("allgames2002.txt".into(), std::fs::read(&file).unwrap())]);
    });
    let url = format!("{}/arimaa/download/gameData", server.url());
    let (files, archive) = (dir.file("files"), dir.file("archive.db"));
    let fetch = |periods: &[&str]| {
        let args =
            [&["archive", "fetch"], periods, &["--dir", &files, "--url", &url, "--pause", "1"]].concat();
        split_output(&surus(&args, ""))
    };
    let (code, out, err) = fetch(&["2002"]);
    assert!(code == 0 && out.ends_with("allgames2002.txt: downloaded\n"), "{out}{err}");
    let (code, out, _) = fetch(&["2002-2003"]);
    assert!(code == 1 && out.contains("allgames2002.txt: unchanged\n2003: the site has no file"), "{out}");
    let file = Path::new(&files).join("allgames2002.txt");
    let (code, out, err) =
        split_output(&surus(&["archive", "import", file.to_str().unwrap(), "--db", &archive], ""));
    assert!(code == 0 && out.contains(": 5 games read"), "{out}{err}");
    assert_eq!(fetch(&["20021"]).0, 2);
}

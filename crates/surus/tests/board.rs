//! The board as a process: one per data directory, what it stores, and how it shuts down.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8";

/// A directory that is removed on drop.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-board-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn play(data: &Path, extra: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
    command.args(["play", "--no-browser", "--port", "0", "--data-dir"]).arg(data).args(extra);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running board; killed on drop.
struct Board {
    child: Child,
    address: String,
}

impl Board {
    fn start(data: &Path, extra: &[&str]) -> Self {
        let mut child = play(data, extra).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().map(|line| line.unwrap()).unwrap_or_default();
        let Some(address) = first.strip_prefix("The board is at http://") else {
            let mut errors = String::new();
            child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
            panic!("no board: {first} {errors}");
        };
        let address = address.trim_end_matches('/').to_string();
        assert!(lines.any(|line| line.unwrap() == "Press Ctrl-C to stop."));
        Self { child, address }
    }

    fn request(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} /api/v1{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, if body.is_empty() { Value::Null } else { serde_json::from_str(body).unwrap() })
    }

    fn create_game(&self, silver: &Value) -> String {
        let config = json!({"gold": {"kind": "human"}, "silver": silver, "time_control": "10m/10m/100/10m"});
        let (status, game) = self.request("POST", "/games", &config.to_string());
        assert_eq!(status, 201, "{game}");
        game["id"].as_str().unwrap().to_string()
    }

    fn signal(mut self, signal: &str) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The socket of a client.
struct Socket {
    socket: WebSocket<TcpStream>,
    next_id: u32,
}

impl Socket {
    fn open(board: &Board) -> Self {
        let stream = TcpStream::connect(&board.address).unwrap();
        let url = format!("ws://{}/api/v1/ws", board.address);
        Self { socket: tungstenite::client(url, stream).unwrap().0, next_id: 1 }
    }

    /// Sends a command and waits for the reply. Returns `None` if the board was killed.
    fn command(&mut self, command: &Value) -> Option<Value> {
        let id = self.next_id;
        self.next_id += 1;
        self.socket.send(Message::text(json!({"id": id, "command": command}).to_string())).ok()?;
        loop {
            let message = self.socket.read().ok()?;
            let Ok(text) = message.to_text() else { continue };
            let Ok(reply) = serde_json::from_str::<Value>(text) else { continue };
            if reply["id"] == id {
                return Some(reply);
            }
        }
    }
}

fn texts(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The first turn of the engine in a new game.
fn first_turn(board: &Board, socket: &mut Socket, gold: &str, turns: &[&str]) -> String {
    let engine = json!({"kind": "engine", "name": gold, "seconds": 1});
    let config = json!({"gold": engine, "silver": {"kind": "human"}, "turns": turns});
    let (status, game) = board.request("POST", "/games", &config.to_string());
    assert_eq!(status, 201, "{game}");
    let id = game["id"].as_str().unwrap();
    socket.command(&json!({"type": "subscribe", "game": id})).unwrap();
    loop {
        let (_, state) = board.request("GET", &format!("/games/{id}"), "");
        if let Some(turn) = state["turns"].get(turns.len()) {
            socket.command(&json!({"type": "unsubscribe", "game": id})).unwrap();
            return turn["text"].as_str().unwrap().to_string();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn setups_and_turns_of_new_games_vary_at_every_level() {
    let data = TempDir::new("variety");
    let board = Board::start(&data.0, &[]);
    let mut socket = Socket::open(&board);
    for level in 1..=10 {
        let engine = format!("alphabeta:level={level}");
        let mut distinct = |turns: &[&str]| {
            let mut found: Vec<String> =
                (0..10).map(|_| first_turn(&board, &mut socket, &engine, turns)).collect();
            found.sort();
            found.dedup();
            found.len()
        };
        assert!(distinct(&[]) >= 2, "setups of level {level}");
        assert!(distinct(&[GOLD, SILVER]) >= 2, "turns of level {level}");
    }
}

#[test]
fn second_board_prints_the_address_and_a_killed_one_is_ignored() {
    let data = TempDir::new("second");
    let first = Board::start(&data.0, &[]);
    let (code, out, err) = texts(&play(&data.0, &[]).output().unwrap());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(
        out.starts_with(&format!("The board is already running at http://{}/\n", first.address)),
        "{out}"
    );
    assert_eq!(first.signal("-KILL"), None);
    let stale = std::fs::read_to_string(data.0.join("board.lock")).unwrap();
    assert!(stale.starts_with("http://"), "the killed board left its address: {stale}");
    let next = Board::start(&data.0, &[]);
    let held = std::fs::read_to_string(data.0.join("board.lock")).unwrap();
    assert_eq!(held, format!("http://{}/\n", next.address));
}

#[test]
fn read_only_board_changes_nothing() {
    let data = TempDir::new("read-only");
    let writer = Board::start(&data.0, &[]);
    let id = writer.create_game(&json!({"kind": "human"}));
    let reader = Board::start(&data.0, &["--read-only"]);
    assert_eq!(reader.request("GET", "/info", "").1["read_only"], true);
    assert_eq!(reader.request("GET", "/games", "").1["games"][0]["id"], *id);
    let config = r#"{"gold": {"kind": "human"}, "silver": {"kind": "human"}}"#;
    for (status, reply) in
        [reader.request("POST", "/games", config), reader.request("DELETE", &format!("/games/{id}"), "")]
    {
        assert_eq!(status, 403);
        assert_eq!(reply["error"], "this board is read-only: games cannot be started, changed or deleted");
    }
    let mut socket = Socket::open(&reader);
    assert_eq!(socket.command(&json!({"type": "subscribe", "game": id})).unwrap()["type"], "ok");
    let reply = socket.command(&json!({"type": "setup", "game": id, "text": GOLD})).unwrap();
    assert_eq!(reply["type"], "error");
    assert_eq!(writer.request("GET", &format!("/games/{id}"), "").0, 200);
    assert_eq!(reader.signal("-TERM"), Some(0));
}

#[test]
fn signals_shut_down_and_store_elapsed_time() {
    for signal in ["-TERM", "-INT"] {
        let data = TempDir::new(&format!("signal{signal}"));
        let board = Board::start(&data.0, &[]);
        let id = board.create_game(&json!({"kind": "engine", "name": "alphabeta"}));
        let mut socket = Socket::open(&board);
        socket.command(&json!({"type": "subscribe", "game": id})).unwrap();
        assert_eq!(
            socket.command(&json!({"type": "setup", "game": id, "text": GOLD})).unwrap()["type"],
            "ok"
        );
        // The engine sets up immediately, then gold moves; after that the engine searches for minutes.
        while board.request("GET", &format!("/games/{id}"), "").1["turns"].as_array().unwrap().len() < 2 {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(
            socket.command(&json!({"type": "steps", "game": id, "text": "Ee2n"})).unwrap()["type"],
            "ok"
        );
        assert_eq!(socket.command(&json!({"type": "end_turn", "game": id})).unwrap()["type"], "ok");
        while board.request("GET", "/stats", "").1["searching"] != 1 {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(board.signal(signal), Some(0), "{signal}");
        let again = Board::start(&data.0, &["--read-only"]);
        let (_, game) = again.request("GET", &format!("/games/{id}"), "");
        assert_eq!(game["turns"].as_array().unwrap().len(), 3);
        assert_eq!(game["position"]["tag"], "2s");
        let elapsed = game["clock"]["elapsed_ms"].as_u64().unwrap();
        assert!(elapsed >= 50, "{elapsed} ms of the engine's turn are stored");
    }
}

#[test]
fn reported_changes_survive_a_kill() {
    let kills = if std::env::var_os("SURUS_TEST_FULL").is_some() { 50 } else { 6 };
    let data = TempDir::new("killed");
    let mut reported: Vec<(String, u64)> = Vec::new();
    for kill in 0..kills {
        let board = Board::start(&data.0, &[]);
        check(&board, &reported);
        let id = board.create_game(&json!({"kind": "human"}));
        let mut socket = Socket::open(&board);
        socket.command(&json!({"type": "subscribe", "game": id})).unwrap();
        let pid = board.child.id().to_string();
        let killer = std::thread::spawn(move || {
            // At a different time in each round.
            std::thread::sleep(Duration::from_micros(20_000 + kill * 7_919 % 60_000));
            Command::new("kill").args(["-KILL", &pid]).status().unwrap()
        });
        let mut version = 1;
        let mut commands = vec![
            json!({"type": "setup", "game": id, "text": GOLD}),
            json!({"type": "setup", "game": id, "text": SILVER}),
        ]
        .into_iter()
        .chain(std::iter::from_fn({
            let (id, mut forward) = (id.clone(), false);
            move || {
                forward = !forward;
                Some(if forward {
                    json!({"type": "steps", "game": id, "text": "Ee2n"})
                } else {
                    json!({"type": "undo", "game": id})
                })
            }
        }));
        while let Some(reply) = socket.command(&commands.next().unwrap()) {
            assert_eq!(reply["type"], "ok", "{reply}");
            version += 1;
        }
        assert!(killer.join().unwrap().success());
        reported.push((id, version));
    }
    check(&Board::start(&data.0, &[]), &reported);
    let versions: u64 = reported.iter().map(|(_, version)| version).sum();
    assert!(versions > 2 * kills, "{versions} changes in {kills} kills");
}

/// Every game has all reported changes, and at most the one that was in progress.
fn check(board: &Board, reported: &[(String, u64)]) {
    let (_, list) = board.request("GET", "/games?limit=200", "");
    assert_eq!(list["total"], reported.len());
    for (id, version) in reported {
        let (status, game) = board.request("GET", &format!("/games/{id}"), "");
        assert_eq!(status, 200, "{game}");
        let stored = game["version"].as_u64().unwrap();
        assert!((*version..=version + 1).contains(&stored), "{version} reported, {stored} stored");
    }
}

//! The board as a process: one for each data folder, what it stores, and how it ends.
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

/// A folder that goes away with the test.
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

fn play(data: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
    command.args(["play", "--no-browser", "--port", "0", "--data-dir"]).arg(data).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A board that runs; killed at the end of a test that failed.
struct Board {
    child: Child,
    address: String,
}

impl Board {
    fn start(data: &Path, more: &[&str]) -> Self {
        let mut child = play(data, more).spawn().unwrap();
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

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
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

    fn begin(&self, silver: &Value) -> String {
        let terms = json!({"gold": {"kind": "person"}, "silver": silver, "control": "10m/10m/100/10m"});
        let (status, game) = self.ask("POST", "/games", &terms.to_string());
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
    next: u32,
}

impl Socket {
    fn open(board: &Board) -> Self {
        let stream = TcpStream::connect(&board.address).unwrap();
        let url = format!("ws://{}/api/v1/live", board.address);
        Self { socket: tungstenite::client(url, stream).unwrap().0, next: 1 }
    }

    /// Sends a command and waits for its answer; `None` if the board is gone.
    fn command(&mut self, command: &Value) -> Option<Value> {
        let id = self.next;
        self.next += 1;
        self.socket.send(Message::text(json!({"id": id, "command": command}).to_string())).ok()?;
        loop {
            let message = self.socket.read().ok()?;
            let Ok(text) = message.to_text() else { continue };
            let Ok(answer) = serde_json::from_str::<Value>(text) else { continue };
            if answer["id"] == id {
                return Some(answer);
            }
        }
    }
}

fn texts(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_second_board_prints_the_address_of_the_first_and_a_killed_one_does_not_matter() {
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
    assert!(stale.starts_with("http://"), "the killed one left its address: {stale}");
    let next = Board::start(&data.0, &[]);
    let held = std::fs::read_to_string(data.0.join("board.lock")).unwrap();
    assert_eq!(held, format!("http://{}/\n", next.address));
}

#[test]
fn a_read_only_board_beside_another_shows_its_games_and_changes_nothing() {
    let data = TempDir::new("read-only");
    let writer = Board::start(&data.0, &[]);
    let id = writer.begin(&json!({"kind": "person"}));
    let reader = Board::start(&data.0, &["--read-only"]);
    assert_eq!(reader.ask("GET", "/about", "").1["read_only"], true);
    assert_eq!(reader.ask("GET", "/games", "").1["games"][0]["id"], *id);
    let terms = r#"{"gold": {"kind": "person"}, "silver": {"kind": "person"}}"#;
    for (status, answer) in
        [reader.ask("POST", "/games", terms), reader.ask("DELETE", &format!("/games/{id}"), "")]
    {
        assert_eq!(status, 403);
        assert_eq!(
            answer["error"],
            "this board is read-only: games cannot be started, changed or deleted here"
        );
    }
    let mut socket = Socket::open(&reader);
    assert_eq!(socket.command(&json!({"do": "watch", "game": id})).unwrap()["is"], "done");
    let refused = socket.command(&json!({"do": "setup", "game": id, "text": GOLD})).unwrap();
    assert_eq!(refused["is"], "refused");
    assert_eq!(writer.ask("GET", &format!("/games/{id}"), "").0, 200);
    assert_eq!(reader.signal("-TERM"), Some(0));
}

#[test]
fn signals_end_the_board_with_success_stop_its_engine_and_store_the_used_time() {
    for signal in ["-TERM", "-INT"] {
        let data = TempDir::new(&format!("signal{signal}"));
        let board = Board::start(&data.0, &[]);
        let id = board.begin(&json!({"kind": "engine", "name": "alphabeta"}));
        let mut socket = Socket::open(&board);
        socket.command(&json!({"do": "watch", "game": id})).unwrap();
        assert_eq!(socket.command(&json!({"do": "setup", "game": id, "text": GOLD})).unwrap()["is"], "done");
        // The engine sets up at once and gold has to move; then it thinks for minutes.
        while board.ask("GET", &format!("/games/{id}"), "").1["turns"].as_array().unwrap().len() < 2 {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(
            socket.command(&json!({"do": "steps", "game": id, "text": "Ee2n"})).unwrap()["is"],
            "done"
        );
        assert_eq!(socket.command(&json!({"do": "end", "game": id})).unwrap()["is"], "done");
        while board.ask("GET", "/served", "").1["thinking"] != 1 {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(board.signal(signal), Some(0), "{signal}");
        let again = Board::start(&data.0, &["--read-only"]);
        let (_, game) = again.ask("GET", &format!("/games/{id}"), "");
        assert_eq!(game["turns"].as_array().unwrap().len(), 3);
        assert_eq!(game["view"]["tag"], "2s");
        let used = game["clock"]["used_ms"].as_u64().unwrap();
        assert!(50 <= used, "{used} ms of the engine's turn are stored");
    }
}

#[test]
fn nothing_that_was_reported_is_lost_when_the_board_is_killed() {
    let kills = if std::env::var_os("SURUS_TEST_FULL").is_some() { 50 } else { 6 };
    let data = TempDir::new("killed");
    let mut reported: Vec<(String, u64)> = Vec::new();
    for kill in 0..kills {
        let board = Board::start(&data.0, &[]);
        check(&board, &reported);
        let id = board.begin(&json!({"kind": "person"}));
        let mut socket = Socket::open(&board);
        socket.command(&json!({"do": "watch", "game": id})).unwrap();
        let pid = board.child.id().to_string();
        let killer = std::thread::spawn(move || {
            // At another moment each time.
            std::thread::sleep(Duration::from_micros(20_000 + kill * 7_919 % 60_000));
            Command::new("kill").args(["-KILL", &pid]).status().unwrap()
        });
        let mut change = 1;
        let mut commands = vec![
            json!({"do": "setup", "game": id, "text": GOLD}),
            json!({"do": "setup", "game": id, "text": SILVER}),
        ]
        .into_iter()
        .chain(std::iter::from_fn({
            let (id, mut forward) = (id.clone(), false);
            move || {
                forward = !forward;
                Some(if forward {
                    json!({"do": "steps", "game": id, "text": "Ee2n"})
                } else {
                    json!({"do": "undo", "game": id})
                })
            }
        }));
        while let Some(answer) = socket.command(&commands.next().unwrap()) {
            assert_eq!(answer["is"], "done", "{answer}");
            change += 1;
        }
        assert!(killer.join().unwrap().success());
        reported.push((id, change));
    }
    check(&Board::start(&data.0, &[]), &reported);
    let changes: u64 = reported.iter().map(|(_, change)| change).sum();
    assert!(2 * kills < changes, "{changes} changes in {kills} kills");
}

/// Every game has all changes that were reported, and at most the one that was under way besides.
fn check(board: &Board, reported: &[(String, u64)]) {
    let (_, list) = board.ask("GET", "/games?most=200", "");
    assert_eq!(list["total"], reported.len());
    for (id, change) in reported {
        let (status, game) = board.ask("GET", &format!("/games/{id}"), "");
        assert_eq!(status, 200, "{game}");
        let stored = game["change"].as_u64().unwrap();
        assert!((*change..=change + 1).contains(&stored), "{change} reported, {stored} stored");
    }
}

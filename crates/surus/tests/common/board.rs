//! A board as a process, with requests and a WebSocket.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// A directory that is removed on drop.
pub(crate) struct TempDir(pub(crate) PathBuf);

impl TempDir {
    pub(crate) fn new(name: &str) -> Self {
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

pub(crate) fn play(data: &Path, extra: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
    command.args(["play", "--no-browser", "--port", "0", "--data-dir"]).arg(data).args(extra);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running board; killed on drop.
pub(crate) struct Board {
    pub(crate) child: Child,
    pub(crate) address: String,
    /// The query of its address.
    pub(crate) token: String,
    /// The other lines that it printed.
    pub(crate) greeting: Vec<String>,
}

impl Board {
    pub(crate) fn start(data: &Path, extra: &[&str]) -> Self {
        let mut child = play(data, extra).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().map(|line| line.unwrap()).unwrap_or_default();
        let Some(address) = first.strip_prefix("The board is at http://") else {
            let mut errors = String::new();
            child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
            panic!("no board: {first} {errors}");
        };
        let (address, token) = address.split_once('/').unwrap_or((address, ""));
        let greeting: Vec<String> =
            lines.map(|line| line.unwrap()).take_while(|line| line != "Press Ctrl-C to stop.").collect();
        Self { child, address: address.into(), token: token.into(), greeting }
    }

    pub(crate) fn request(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
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

    /// The status of a request with a header.
    pub(crate) fn status(&self, path: &str, header: &str) -> u16 {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{header}\r\n\r\n")
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text.split(' ').nth(1).unwrap().parse().unwrap()
    }

    pub(crate) fn create_game(&self, silver: &Value) -> String {
        let config = json!({"gold": {"kind": "human"}, "silver": silver, "time_control": "10m/10m/100/10m"});
        let (status, game) = self.request("POST", "/games", &config.to_string());
        assert_eq!(status, 201, "{game}");
        game["id"].as_str().unwrap().to_string()
    }

    pub(crate) fn signal(mut self, signal: &str) -> Option<i32> {
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
pub(crate) struct Socket {
    pub(crate) socket: WebSocket<TcpStream>,
    next_id: u32,
}

impl Socket {
    pub(crate) fn open(board: &Board) -> Self {
        let stream = TcpStream::connect(&board.address).unwrap();
        let url = format!("ws://{}/api/v1/ws", board.address);
        Self { socket: tungstenite::client(url, stream).unwrap().0, next_id: 1 }
    }

    /// Sends a command and waits for the reply. Returns `None` if the board was killed.
    pub(crate) fn command(&mut self, command: &Value) -> Option<Value> {
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

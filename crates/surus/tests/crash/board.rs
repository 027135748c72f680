//! A board that is killed while a game is played on it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use surus_rules::SplitMix;
use tungstenite::{Message, WebSocket};

use super::{TempDir, kills, spawn};

struct Board {
    child: Child,
    address: String,
}

impl Board {
    fn start(dir: &TempDir) -> Self {
        let mut child = spawn(&["play", "--port", "0", "--no-open", "--data", dir.0.to_str().unwrap()]);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.find_map(|line| line.ok().filter(|line| line.contains("http://"))).unwrap();
        let address = line.split("http://").nth(1).unwrap();
        let end = address.find(|c: char| !(c.is_ascii_digit() || ".:".contains(c))).unwrap_or(address.len());
        let address = address[..end].to_owned();
        // What it prints later must not fill the pipe.
        thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// The body of the answer to a request.
    fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} /api/v1/{path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    fn socket(&self) -> WebSocket<TcpStream> {
        let stream = TcpStream::connect(&self.address).unwrap();
        tungstenite::client(format!("ws://{}/api/v1/live", self.address), stream).unwrap().0
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a command; whether the board said that it is done, before it died.
fn send(socket: &mut WebSocket<TcpStream>, id: u64, command: &Value) -> bool {
    let text = json!({ "id": id, "command": command }).to_string();
    if socket.send(Message::text(text)).is_err() {
        return false;
    }
    loop {
        let Ok(message) = socket.read() else { return false };
        let Ok(answer) = serde_json::from_str::<Value>(message.to_text().unwrap_or_default()) else {
            continue;
        };
        if answer["id"] == id {
            assert_eq!(answer["is"], "done", "{command}: {answer}");
            return true;
        }
    }
}

/// The elephant of the side to move walks to and fro; the turns of the game so far.
fn steps(turns: usize) -> &'static str {
    ["Ed2n", "ed7s", "Ed3e", "ed6e", "Ee3w", "ee6w", "Ed3s", "ed6n"][turns % 8]
}

/// Its turns, as text.
fn turns(state: &Value) -> Vec<String> {
    state["turns"].as_array().unwrap().iter().map(|turn| turn["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_killed_board_loses_no_turn_that_it_confirmed() {
    let dir = TempDir::new("board");
    let mut rng = SplitMix::new(4);
    let person = json!({ "kind": "person" });
    let mut game = String::new();
    // What the board confirmed: finished turns, and the step of the turn that has not ended.
    let (mut expected, mut taken): (Vec<String>, Option<&str>) = (Vec::new(), None);
    for attempt in 0..=kills() {
        let board = Board::start(&dir);
        // A game cannot repeat positions for ever, so that every few kills there is a new one.
        if attempt % 4 == 0 {
            let start = json!({
                "gold": person, "silver": person,
                "origin": { "board": format!("rrrrrrrr   e{}   E    RRRRRRRR", " ".repeat(36)), "tag": "2g" },
            });
            game = board.request("POST", "games", &start.to_string())["id"].as_str().unwrap().to_owned();
            (expected, taken) = (Vec::new(), None);
        }
        let state = board.request("GET", &format!("games/{game}"), "");
        let stored = turns(&state);
        // One command may have been stored without its confirmation having reached us.
        assert!(
            stored.starts_with(&expected) && stored.len() <= expected.len() + 1,
            "{stored:?} {expected:?}"
        );
        let running = state["view"]["running"].as_str().unwrap().split_whitespace().count();
        assert!(running == 1 || taken.is_none() || stored.len() > expected.len(), "a step was lost: {state}");
        expected = stored;
        taken = (running == 1).then(|| steps(expected.len()));
        let mut socket = board.socket();
        assert!(send(&mut socket, 0, &json!({ "do": "watch", "game": game })));
        let address = board.address.clone();
        let delay = Duration::from_micros(rng.draw() % 20_000);
        let killer = thread::spawn(move || {
            thread::sleep(delay);
            board.kill();
        });
        // Fewer than three rounds: the third repetition of a position is illegal.
        let mut id = 0;
        while expected.len() < 14 {
            id += 1;
            let step = steps(expected.len());
            if taken.is_none() {
                if !send(&mut socket, 2 * id, &json!({ "do": "steps", "game": game, "text": step })) {
                    break;
                }
                taken = Some(step);
            }
            if !send(&mut socket, 2 * id + 1, &json!({ "do": "end", "game": game })) {
                break;
            }
            expected.push(step.into());
            taken = None;
        }
        killer.join().unwrap();
        assert!(TcpStream::connect(&address).is_err(), "the board is still there");
    }
}

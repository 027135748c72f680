//! The API of a running board.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use surus_rules::SplitMix;
use tungstenite::Message;

use super::board::{Board, Socket, TempDir};
use super::mutator::{below, mutated};
use super::{inputs, samples};

/// A connection that stays open for several requests.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(board: &Board) -> Self {
        let stream = TcpStream::connect(&board.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Self(BufReader::new(stream))
    }

    /// Sends a request; returns the status and whether the board closes the connection, as the HTTP library does with
    /// what is no HTTP.
    fn send(&mut self, request: &[u8]) -> Option<(u16, bool)> {
        self.0.get_mut().write_all(request).ok()?;
        let mut status = String::new();
        self.0.read_line(&mut status).ok().filter(|&count| count > 0)?;
        let (mut length, mut closes) = (0, false);
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).ok()?;
            let line = line.trim_end().to_ascii_lowercase();
            match line.split_once(": ") {
                None => break,
                Some(("content-length", value)) => length = value.parse().unwrap(),
                Some(("connection", value)) => closes = value == "close",
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).ok()?;
        let status = status.split(' ').nth(1)?.parse().ok()?;
        assert!(status < 500 || status == 503, "{status}: {}", String::from_utf8_lossy(&body));
        if status >= 400 && length > 0 {
            let text = String::from_utf8(body).unwrap();
            assert!(text.starts_with("{\"error\":\"") && text.len() < 6000, "{text}");
        }
        Some((status, closes))
    }
}

#[test]
fn no_request_crashes_the_board() {
    let data = TempDir::new("attack-requests");
    let board = Board::start(&data.0, &[]);
    let requests = samples::requests();
    let mut random = SplitMix::new(5);
    let mut connection = Connection::open(&board);
    let mut refused = 0;
    for _ in 0..inputs(3000) {
        let (method, path, body) = &requests[below(&mut random, requests.len())];
        let bodies = [body.clone(), requests[below(&mut random, requests.len())].2.clone()];
        // Most changes concern the body, some the path.
        let (path, body) = match below(&mut random, 5) {
            0 => (mutated(&mut random, &[(*path).to_string()]), body.clone()),
            _ => ((*path).to_string(), mutated(&mut random, &bodies)),
        };
        let path: String = path.chars().filter(|&c| c.is_ascii_graphic()).take(2000).collect();
        let head = format!(
            "{method} /api/v1{path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n",
            board.address,
            body.len()
        );
        let answer = connection.send(&[head.as_bytes(), body.as_bytes()].concat());
        refused += u64::from(answer.is_some_and(|(status, closes)| status >= 400 && !closes));
        if answer.is_none_or(|(_, closes)| closes) {
            connection = Connection::open(&board);
        }
    }
    let (status, stats) = board.request("GET", "/stats", "");
    assert_eq!((status, &stats["refused"]["failed"]), (200, &0.into()), "{stats}");
    let counted: u64 =
        ["access", "limits", "invalid"].iter().map(|kind| stats["refused"][kind].as_u64().unwrap()).sum();
    assert!(counted >= refused && refused > 1000, "{refused} requests were refused, {counted} counted");
    assert_eq!(board.signal("-TERM"), Some(0));
}

#[test]
fn no_command_crashes_the_board() {
    let data = TempDir::new("attack-commands");
    let board = Board::start(&data.0, &[]);
    let id = board.create_game(&serde_json::json!({"kind": "human"}));
    let commands: Vec<String> =
        samples::commands().into_iter().map(|command| command.replace("abcdefghjkmn", &id)).collect();
    let mut random = SplitMix::new(9);
    let mut socket = Socket::open(&board);
    for _ in 0..inputs(1500) {
        let text: String = mutated(&mut random, &commands).chars().filter(|&c| c != '\0').collect();
        socket.socket.send(Message::text(text)).unwrap();
        // Every message has an answer; the states of games and analyses come in between.
        loop {
            let message = socket.socket.read().unwrap();
            let Ok(text) = message.to_text() else { continue };
            if ["{\"type\":\"ok\"", "{\"type\":\"error\"", "{\"type\":\"position\""]
                .iter()
                .any(|start| text.starts_with(start))
            {
                break;
            }
        }
    }
    let (_, stats) = board.request("GET", "/stats", "");
    assert_eq!(stats["refused"]["failed"], 0, "{stats}");
    assert!(stats["refused"]["invalid"].as_u64().unwrap() > 300, "{stats}");
}

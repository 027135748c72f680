//! The board as a process: one per data directory, what it stores, and how it shuts down.
#![cfg(unix)]

#[path = "common/board.rs"]
mod harness;

use std::process::{Command, Output};
use std::time::Duration;

use harness::{Board, Socket, TempDir, play};
use serde_json::json;

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8";

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

#[test]
fn a_board_that_others_can_reach_requires_a_token() {
    let data = TempDir::new("token");
    let board = Board::start(&data.0, &["--host", "0.0.0.0"]);
    let owner = board.token.strip_prefix("?token=").expect("the address has a token");
    let others = board.greeting.iter().find_map(|line| line.strip_prefix("Others can open http://")).unwrap();
    let (_, guest) = others.split_once("?token=").unwrap();
    assert!(owner.len() == 24 && guest.len() == 24 && owner != guest);
    for path in ["/", "/js/main.js", "/api/v1/info", "/api/v1/games", "/api/v1/ws"] {
        assert_eq!(board.status(path, "X: y"), 401, "{path}");
        assert_eq!(board.status(path, &format!("Authorization: Bearer {}", &owner[1..])), 401, "{path}");
    }
    for token in [owner, guest] {
        assert_eq!(board.status("/api/v1/games", &format!("Authorization: Bearer {token}")), 200);
        assert_eq!(board.status(&format!("/?token={token}"), "X: y"), 303, "the token becomes a cookie");
    }
    let cookie =
        format!("Authorization: Bearer {owner}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors");
    assert_eq!(board.status("/api/v1/games", &cookie), 403, "not even with the token");
    assert_eq!(board.signal("-TERM"), Some(0));
}

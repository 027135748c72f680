//! An engine for tests of controllers: plays random turns over AEI with the faults given as arguments.
//!
//! `fake_engine crash-after=3 ignore-quit` crashes after three turns and ignores `quit`. With `getmove` as the first
//! argument it uses getMove instead.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::process::{Command, exit};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use surus_play::{Answer, Engine, Job, Random};
use surus_rules::{Game, Phase, Rules};

/// The standard options of AEI that do not start with `tc`.
const STANDARD_OPTIONS: [&str; 10] = [
    "greserve",
    "sreserve",
    "gused",
    "sused",
    "lastmoveused",
    "moveused",
    "opponent",
    "opponent_rating",
    "rating",
    "rated",
];

const FOREVER: Duration = Duration::from_secs(3600);

struct Fake {
    /// The faults with their values, 0 if there is none.
    faults: HashMap<String, u64>,
    engine: Random,
    game: Game,
    answers: u64,
    pondering: bool,
    /// The value of `tcmove`.
    per_turn: Duration,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let fault = |word: &String| match word.split_once('=') {
        Some((name, number)) => (name.to_string(), number.parse().unwrap_or_default()),
        None => (word.clone(), 0),
    };
    let faults = words.iter().map(fault).collect();
    let (engine, game, per_turn) = (Random::default(), Game::default(), Duration::ZERO);
    let mut fake = Fake { faults, engine, game, answers: 0, pondering: false, per_turn };
    if words.first().is_some_and(|word| word == "getmove") {
        return fake.play_getmove(&words);
    }
    if fake.has("sleep") {
        thread::sleep(FOREVER);
    }
    if fake.has("crash-at-start") {
        exit(3);
    }
    if fake.has("grandchild") {
        // The descendant inherits standard output.
        let path = std::env::current_exe().expect("a path");
        let mut child = Command::new(path).args(&words).arg("sleep").spawn().expect("a descendant");
        thread::spawn(move || child.wait());
    }
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    while let Ok(line) = lines.recv() {
        fake.handle_line(&line, &lines);
    }
    if fake.has("ignore-quit") || fake.has("ignore-end") {
        thread::sleep(FOREVER);
    }
}

fn send(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

impl Fake {
    fn has(&self, fault: &str) -> bool {
        self.faults.contains_key(fault)
    }

    fn milliseconds(&self, fault: &str) -> Duration {
        Duration::from_millis(self.faults.get(fault).copied().unwrap_or_default())
    }

    fn handle_line(&mut self, line: &str, lines: &Receiver<String>) {
        let line = if self.has("no-crlf") { line } else { line.trim_end() };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "aei" => self.handshake(),
            "isready" => {
                thread::sleep(self.milliseconds("late-ready"));
                if !self.has("no-readyok") {
                    send("readyok");
                }
            }
            "newgame" => self.game = Game::default(),
            "setposition" if self.has("no-old-letters") && rest.starts_with(['w', 'b']) => {
                send("log Error: invalid side");
            }
            "setposition" => self.game = Game::from_text(rest, Rules::Official).unwrap_or_default(),
            "setoption" => self.set_option(rest),
            "makemove" if self.has("no-captures") && rest.contains('x') => send("log Error: invalid turn"),
            "makemove" => {
                self.pondering = false;
                if let Err(error) = self.game.play_text(rest) {
                    send(&format!("log Error: {error}"));
                }
            }
            "go" if rest == "ponder" && !self.has("ponder-answers") => self.pondering = true,
            "go" => self.go(lines),
            "stop" if std::mem::take(&mut self.pondering) => self.answer(),
            "stop" => {}
            "quit" if self.has("ignore-quit") => {}
            "quit" => exit(0),
            _ if self.has("unknown-messages") => {}
            _ => {
                send("log Error: unknown message");
                exit(1);
            }
        }
    }

    fn handshake(&self) {
        thread::sleep(self.milliseconds("late-aeiok"));
        if self.has("flood-at-start") {
            flood();
        }
        if self.has("ids-first") {
            send("id name fake");
        }
        send("protocol-version 1");
        if !self.has("no-name") && !self.has("ids-first") {
            send("id name fake engine");
            send("id author none");
            send("id version 0.1");
        }
        if !self.has("no-aeiok") {
            send("aeiok");
        }
    }

    fn set_option(&mut self, rest: &str) {
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words[..] {
            ["name", "tcmove", "value", time] => {
                self.per_turn = Duration::from_secs_f64(time.parse().unwrap_or_default());
            }
            ["name", name, ..] if !name.starts_with("tc") && !STANDARD_OPTIONS.contains(&name) => {
                if self.has("crash-on-option") {
                    exit(4);
                }
                if !self.has("silent-options") {
                    send(&format!("log Warning: unknown option {name} in '{rest}'"));
                }
            }
            _ => {}
        }
    }

    fn go(&mut self, lines: &Receiver<String>) {
        if self.has("crash-on-go") || self.faults.get("crash-after") == Some(&self.answers) {
            send("log Error: about to crash");
            exit(3);
        }
        if self.has("hang-on-go") {
            thread::sleep(FOREVER);
        }
        if self.has("flood-lines") {
            flood();
        }
        if self.has("flood-line") {
            flood_line();
        }
        let second = Duration::from_secs(1);
        let search_time =
            if self.faults.get("overtime").is_some_and(|&seconds| self.per_turn == second * seconds as u32) {
                self.per_turn + second
            } else if self.has("use-time") {
                self.per_turn * 9 / 10
            } else if self.has("ignore-stop") {
                FOREVER
            } else {
                self.milliseconds("delay")
            };
        self.search(search_time, lines);
        self.answer();
    }

    /// Handles messages until the time is over or `stop` arrives.
    fn search(&mut self, time: Duration, lines: &Receiver<String>) {
        let end = Instant::now() + time;
        loop {
            let time_left = end.saturating_duration_since(Instant::now());
            match lines.recv_timeout(time_left) {
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => thread::sleep(time_left),
                Ok(line) if line.trim() == "stop" && !self.has("ignore-stop") => return,
                Ok(line) if line.trim() == "isready" && self.has("defer-readyok") => {
                    thread::sleep(time_left);
                    return send("readyok");
                }
                Ok(line) => self.handle_line(&line, lines),
            }
        }
    }

    fn answer(&mut self) {
        self.answers += 1;
        if self.has("chatter") {
            send("thinking hard");
        }
        send("info depth 4+");
        send("info score 17");
        let playing = matches!(self.game.phase(), Phase::Play(_));
        let text = if self.has("nonsense") {
            "Qz9 hello".into()
        } else if playing && self.has("illegal") {
            "Ea1n".into()
        } else {
            self.answer_text()
        };
        send(&format!("bestmove {text}"));
        if self.has("twice") {
            send(&format!("bestmove {text}"));
        }
    }

    fn answer_text(&mut self) -> String {
        match self.engine.think(&Job::new(self.game.clone()), &mut |_| {}) {
            Ok(Answer::Turn(turn)) => self.game.position().board().notation(&turn),
            Ok(Answer::Setup(setup)) => setup.to_string(),
            Ok(Answer::Resign) | Err(_) => "resigns".into(),
        }
    }

    /// Plays getMove; the last arguments are the files.
    fn play_getmove(&mut self, words: &[String]) {
        let files: Vec<String> = words.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
        if self.has("grandchild") {
            let path = std::env::current_exe().expect("a path");
            let tag = words.iter().find(|word| word.starts_with("tag-"));
            let child = Command::new(path).args(tag).arg("sleep").spawn();
            thread::spawn(move || child.map(|mut child| child.wait()));
        }
        if self.has("hang-on-go") {
            thread::sleep(FOREVER);
        }
        if self.has("flood-lines") {
            flood();
        }
        if self.has("crash-on-go") {
            exit(3);
        }
        let text = files.get(1).or(files.first()).cloned().unwrap_or_default();
        match Game::from_text(&text, Rules::Official) {
            Ok(game) => self.game = game,
            Err(error) => send(&error.to_string()),
        }
        if self.has("flood-line") {
            flood_line();
        }
        let text = match (self.has("nonsense"), self.has("illegal")) {
            (true, _) => "hello".into(),
            (_, true) => "Ea1n".into(),
            _ => self.answer_text(),
        };
        send(&text);
    }
}

fn flood_line() {
    loop {
        if io::stdout().write_all(&[b'x'; 4096]).is_err() {
            exit(0);
        }
    }
}

fn flood() {
    loop {
        send("info stat and another thing");
    }
}

//! Complete AEI sessions.

use std::io::{BufReader, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use surus_play::{Greedy, Job, LimitKind, OptionError, Random, check_limits};
use surus_rules::Setup;

use super::*;

/// An engine that reports the start of each search and searches until it is stopped.
struct BlockingEngine(Options);

impl Engine for BlockingEngine {
    fn id(&self) -> EngineId {
        EngineId::built_in("blocking", "", &[LimitKind::Time, LimitKind::Depth])
    }

    fn options(&self) -> &Options {
        &self.0
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.0.set(name, value)
    }

    fn new_game(&mut self) {}

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        check_limits(&self.id(), &job.limits)?;
        report(Info { messages: vec!["searching".into()], ..Info::default() });
        while !job.stop.should_stop() {
            thread::sleep(Duration::from_millis(1));
        }
        match job.game.phase() {
            Phase::Setup(side) => Ok(Answer::Setup(Setup::from_rows(side, "HDCMECDH", "RRRRRRRR").unwrap())),
            _ => Ok(Answer::Turn(job.game.legal_turns()[0])),
        }
    }
}

/// The controller side of a session.
struct Controller {
    input: Option<Sender<String>>,
    output: Receiver<String>,
    session: thread::JoinHandle<io::Result<SessionEnd>>,
}

struct LineReader(Receiver<String>, Vec<u8>);

impl Read for LineReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().map(|line| (line + "\n").into_bytes()).unwrap_or_default();
        }
        let count = self.1.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

struct LineWriter(Sender<String>, Vec<u8>);

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        while let Some(end) = self.1.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let _ = self.0.send(String::from_utf8_lossy(&line).trim_end().into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Controller {
    fn new(engine: Box<dyn Engine>, settings: SessionOptions) -> Self {
        let (input, input_receiver) = channel();
        let (output_sender, output) = channel();
        let reader = BufReader::new(LineReader(input_receiver, Vec::new()));
        let session = Session::new(engine, settings, reader, LineWriter(output_sender, Vec::new()));
        Self { input: Some(input), output, session: thread::spawn(|| session.run()) }
    }

    fn after_handshake(engine: Box<dyn Engine>, extended: bool) -> Self {
        let this = Self::new(engine, SessionOptions { extended, ..SessionOptions::default() });
        this.send("aei");
        this.read_until("aeiok");
        this
    }

    fn send(&self, line: &str) {
        self.input.as_ref().unwrap().send(line.into()).unwrap();
    }

    /// Reads up to and including a line that starts with `start`.
    fn read_until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.output.recv_timeout(Duration::from_secs(60)).expect("an answer");
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Closes the input and returns the remaining output and the end of the session.
    fn close(mut self) -> (Vec<String>, SessionEnd) {
        self.input = None;
        (self.output.iter().collect(), self.session.join().unwrap().unwrap())
    }
}

fn blocking_engine() -> Box<dyn Engine> {
    Box::new(BlockingEngine(Options::new(&[])))
}

const GOLD: &str = "makemove Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
const SILVER: &str = "makemove ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7";

#[test]
fn handshake_is_required_first() {
    let controller = Controller::new(Box::<Random>::default(), SessionOptions::default());
    controller.send("isready");
    assert_eq!(controller.read_until("log"), ["log Error: expected aei as the first message"]);
    controller.send("aei");
    let lines = controller.read_until("aeiok");
    assert_eq!(lines[0], "protocol-version 1");
    assert!(lines[1].starts_with("id name ") && lines[2].starts_with("id author "));
    assert_eq!(controller.close(), (vec![], SessionEnd::Quit));
}

#[test]
fn plays_a_game_from_the_setups() {
    let controller = Controller::after_handshake(Box::<Greedy>::default(), false);
    for line in ["newgame", "setoption name tcmove value 2", GOLD, "go"] {
        controller.send(line);
    }
    let best = controller.read_until("bestmove").pop().unwrap();
    assert_eq!(best.split_whitespace().count(), 17, "{best}");
    controller.send(&best.replace("bestmove", "makemove"));
    controller.send("go");
    let lines = controller.read_until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info nodes")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.starts_with("log")), "{lines:?}");
    controller.send("quit");
    assert_eq!(controller.close().1, SessionEnd::Quit);
}

#[test]
fn session_responds_during_a_search() {
    let controller = Controller::after_handshake(blocking_engine(), false);
    for line in ["newgame", GOLD, SILVER, "go"] {
        controller.send(line);
    }
    controller.read_until("info stat searching");
    controller.send("isready");
    controller.read_until("readyok");
    controller.send("go");
    controller.read_until("log Error: go: a search is already running");
    controller.send("stop");
    controller.read_until("bestmove");
    controller.send("stop");
    controller.read_until("log Error: stop: no search is running");
    assert_eq!(controller.close().1, SessionEnd::Quit);
}

#[test]
fn makemove_cancels_pondering() {
    let controller = Controller::after_handshake(blocking_engine(), false);
    for line in ["newgame", GOLD, SILVER, "go ponder"] {
        controller.send(line);
    }
    controller.read_until("info stat searching");
    controller.send("makemove Ee2n");
    controller.send("isready");
    assert!(controller.read_until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    controller.send("setoption name movetime value 0.01");
    controller.send("go");
    controller.read_until("bestmove");
    assert_eq!(controller.close().1, SessionEnd::Quit);
}

#[test]
fn pondering_holds_its_answer_until_stop() {
    let controller = Controller::after_handshake(Box::<Greedy>::default(), false);
    for line in ["newgame", GOLD, SILVER, "go ponder"] {
        controller.send(line);
    }
    // Greedy finishes immediately; its answer is held.
    controller.read_until("info pv");
    controller.send("isready");
    assert_eq!(controller.read_until("readyok"), ["readyok"]);
    controller.send("stop");
    controller.read_until("bestmove");
    assert_eq!(controller.close().1, SessionEnd::Quit);
}

#[test]
fn end_of_input_answers_a_search_but_not_pondering() {
    let controller = Controller::after_handshake(blocking_engine(), false);
    for line in ["newgame", "go"] {
        controller.send(line);
    }
    let (lines, end) = controller.close();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert_eq!(end, SessionEnd::Quit);
    let controller = Controller::after_handshake(blocking_engine(), false);
    for line in ["newgame", GOLD, SILVER, "go ponder"] {
        controller.send(line);
    }
    let (lines, end) = controller.close();
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    assert_eq!(end, SessionEnd::Quit);
}

#[test]
fn unknown_options_warn_and_unknown_messages_end_the_session() {
    let controller = Controller::after_handshake(Box::<Random>::default(), false);
    for (line, reply) in [
        ("setoption name fo value 1", "log Warning: unknown option 'fo': expected seed"),
        ("setoption name seed value x", "log Warning: invalid value 'x' for option 'seed'"),
        ("setoption name tcmove value x", "log Warning: invalid value 'x' for option 'tcmove'"),
        ("makemove Ee2n", "log Error: makemove: gold must set up its pieces first"),
        ("makemove Ra1", "log Error: makemove: the setup of gold has 1 pieces: expected 16"),
        ("setposition g [E]", "log Error: setposition: expected 64 characters"),
    ] {
        controller.send(line);
        controller.read_until(reply);
    }
    controller.send("setoption name hash value 100");
    controller.send("fly");
    let (lines, end) = controller.close();
    assert_eq!(
        (lines, end),
        (vec!["log Error: unknown message 'fly'".to_string()], SessionEnd::UnknownMessage)
    );
}

#[test]
fn extended_messages_run_from_init_lines() {
    let file = std::env::temp_dir().join(format!("surus-aei-{}.txt", std::process::id()));
    std::fs::write(&file, "g [rrrrrrrrhdcmecdh                                HDCEMCDHRRRRRRRR]").unwrap();
    let path = file.display();
    let init = format!(
        "aei\nnewgame\n# a comment\nsetpositionfile {path}\ngonothread\nboarddump\ntreedump\nmakemoverec\n\
         gonothread\neval\ngoalcheck\ntrapcheck\nmakemoverec\nmakemoverec\nquit"
    );
    let settings = SessionOptions {
        extended: true,
        init: init.lines().map(Into::into).collect(),
        ..SessionOptions::default()
    };
    let (lines, end) = Controller::new(Box::<Greedy>::default(), settings).close();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(end, SessionEnd::Quit);
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 2);
    assert!(lines.contains(&"log 8| r r r r r r r r |".to_string()), "{lines:?}");
    assert!(lines.contains(&"log Error: makemoverec: this position has not been searched".to_string()));
}

#[test]
fn goalcheck_and_trapcheck_report_both_sides() {
    let controller = Controller::after_handshake(Box::<Greedy>::default(), true);
    controller.send("goalcheck");
    controller.read_until("info goalcheck no side to move");
    controller.send("setposition g [r      r R         hE                                   RRRRRRR ]");
    controller.send("goalcheck");
    controller.send("trapcheck");
    controller.send("isready");
    let lines = controller.read_until("readyok");
    assert_eq!(lines[0], "info goalcheck gold Rb7n", "the form of [Akimot] first");
    assert_eq!(lines[1], "info goalcheck gold can score in 1: Rb7n");
    assert_eq!(lines[2], "info goalcheck silver cannot score");
    assert_eq!(lines[3], "info trapcheck gold hd6w hc6x Ee6w");
    assert_eq!(lines[4], "info trapcheck gold can capture the horse on d6 in c6 in 2: hd6w hc6x Ee6w");
    assert_eq!(lines[5], "info trapcheck silver cannot capture");
    controller.send("setposition s [r      r R         hE                                   RRRRRRR ]");
    controller.send("goalcheck");
    controller.send("trapcheck");
    controller.send("isready");
    let lines = controller.read_until("readyok");
    assert_eq!((&*lines[0], &*lines[3]), ("info goalcheck silver none", "info trapcheck silver none"));
}

#[test]
fn a_message_that_is_too_long_is_skipped() {
    let controller = Controller::after_handshake(Box::<Random>::default(), false);
    for length in [MAX_LINE_BYTES, 5 * MAX_LINE_BYTES + 7] {
        controller.send(&"x".repeat(length));
        controller.send("isready");
        let lines = controller.read_until("readyok");
        assert_eq!(lines, ["log Error: a message of more than 65536 bytes was skipped", "readyok"]);
    }
}

#[test]
fn boarddump_can_be_plain() {
    let settings = SessionOptions { extended: true, plain_boarddump: true, init: Vec::new() };
    let controller = Controller::new(Box::<Random>::default(), settings);
    ["aei", "boarddump", "isready"].iter().for_each(|line| controller.send(line));
    let lines = controller.read_until("readyok");
    assert!(lines.ends_with(&["   a b c d e f g h".to_string(), "readyok".into()]), "{lines:?}");
}

/// 100,000 lines, most of them one edit away from a valid one. Rejected lines must not change the game.
#[test]
fn random_lines_never_break_a_session() {
    let valid = [
        "isready",
        "newgame",
        "go",
        "go ponder",
        "stop",
        GOLD,
        SILVER,
        "makemove Ee2n Md2n",
        "makemove ee7s",
        "setoption name tcmove value 3",
        "setoption name seed value 4",
        "go infinite",
        "gonothread",
        "boarddump",
        "setposition g [rrrrrrrrhdcmecdh                                HDCEMCDHRRRRRRRR]",
        "makemoverec",
        "eval",
        "setpositionfile /nowhere",
        "setoption name depth value 3",
        "makemove Hh2n Hh3n Hh4n Hh5n",
        "aei",
    ];
    let mut state = 42u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % n.max(1)
    };
    let start = || {
        let settings = SessionOptions { extended: true, ..SessionOptions::default() };
        let mut session =
            Session::new(Box::<Random>::default(), settings, BufReader::new(io::empty()), Vec::<u8>::new());
        session.handle_line("aei").unwrap();
        session
    };
    let mut session = start();
    let mut errors = 0;
    for _ in 0..100_000 {
        let mut line: Vec<char> = valid[below(valid.len())].chars().collect();
        if below(4) != 0 {
            let index = below(line.len());
            let letter = ['x', '9', ' ', 'é', '\0', 'R', '[', '\t', 'n', '-'][below(10)];
            match below(5) {
                0 => line.insert(index, letter),
                1 => line[index] = letter,
                2 => drop(line.remove(index)),
                3 => line.truncate(index),
                _ => line.extend_from_within(index..),
            }
        }
        let line: String = line.into_iter().collect();
        let before = session.game.clone();
        session.out.clear();
        let end = session.handle_line(&line).unwrap();
        let output = String::from_utf8(session.out.clone()).unwrap();
        if output.contains("log Error") {
            errors += 1;
            assert_eq!(session.game, before, "{line}");
        }
        while let Ok(event) = session.events.try_recv() {
            if !matches!(event, Event::EndOfInput) {
                session.handle_event(event).unwrap();
            }
        }
        if end.is_some() {
            session = start();
        }
    }
    assert!(errors > 10_000, "{errors}");
}

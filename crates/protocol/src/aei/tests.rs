//! Whole conversations with an engine.

use std::io::{BufReader, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use surus_play::{Greedy, LimitKind, OptionError, Random, check_limits};
use surus_rules::Setup;

use super::*;

/// An engine that thinks until it is stopped, and tells once that it has begun.
struct BlockingEngine(Options);

impl Engine for BlockingEngine {
    fn id(&self) -> EngineId {
        EngineId::built_in("sleeper", "", &[LimitKind::Time, LimitKind::Depth])
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
        report(Info { messages: vec!["asleep".into()], ..Info::default() });
        while !job.stop.should_stop() {
            thread::sleep(Duration::from_millis(1));
        }
        match job.game.phase() {
            Phase::Setup(side) => Ok(Answer::Setup(Setup::from_rows(side, "HDCMECDH", "RRRRRRRR").unwrap())),
            _ => Ok(Answer::Turn(job.game.legal_turns()[0])),
        }
    }
}

/// One end of a conversation: lines go in, lines come out.
struct Controller {
    to: Option<Sender<String>>,
    from: Receiver<String>,
    session: thread::JoinHandle<io::Result<SessionEnd>>,
}

struct Pipe(Receiver<String>, Vec<u8>);

impl Read for Pipe {
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

struct Lines(Sender<String>, Vec<u8>);

impl Write for Lines {
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
        let (to, input) = channel();
        let (output, from) = channel();
        let pipe = BufReader::new(Pipe(input, Vec::new()));
        let session = Session::new(engine, settings, pipe, Lines(output, Vec::new()));
        Self { to: Some(to), from, session: thread::spawn(|| session.run()) }
    }

    fn greeted(engine: Box<dyn Engine>, extended: bool) -> Self {
        let this = Self::new(engine, SessionOptions { extended, init: Vec::new() });
        this.tell("aei");
        this.until("aeiok");
        this
    }

    fn tell(&self, line: &str) {
        self.to.as_ref().unwrap().send(line.into()).unwrap();
    }

    /// All lines up to one that begins like this.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.from.recv_timeout(Duration::from_secs(60)).expect("an answer");
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Ends the input and gives the rest of what was said, and how it ended.
    fn close(mut self) -> (Vec<String>, SessionEnd) {
        self.to = None;
        (self.from.iter().collect(), self.session.join().unwrap().unwrap())
    }
}

fn sleeper() -> Box<dyn Engine> {
    Box::new(BlockingEngine(Options::new(&[])))
}

const GOLD: &str = "makemove Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
const SILVER: &str = "makemove ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7";

#[test]
fn the_handshake_comes_first_and_in_order() {
    let controller = Controller::new(Box::<Random>::default(), SessionOptions::default());
    controller.tell("isready");
    assert_eq!(controller.until("log"), ["log Error: expected aei as the first message"]);
    controller.tell("aei");
    let lines = controller.until("aeiok");
    assert_eq!(lines[0], "protocol-version 1");
    assert!(lines[1].starts_with("id name ") && lines[2].starts_with("id author "));
    assert_eq!(controller.close(), (vec![], SessionEnd::Quit));
}

#[test]
fn a_game_is_played_from_the_setups_on() {
    let controller = Controller::greeted(Box::<Greedy>::default(), false);
    for line in ["newgame", "setoption name tcmove value 2", GOLD, "go"] {
        controller.tell(line);
    }
    let best = controller.until("bestmove").pop().unwrap();
    assert_eq!(best.split_whitespace().count(), 17, "{best}");
    controller.tell(&best.replace("bestmove", "makemove"));
    controller.tell("go");
    let lines = controller.until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info nodes")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.starts_with("log")), "{lines:?}");
    controller.tell("quit");
    assert_eq!(controller.close().1, SessionEnd::Quit);
}

#[test]
fn the_controller_is_served_while_the_engine_thinks() {
    let controller = Controller::greeted(sleeper(), false);
    for line in ["newgame", GOLD, SILVER, "go"] {
        controller.tell(line);
    }
    controller.until("info stat asleep");
    controller.tell("isready");
    controller.until("readyok");
    controller.tell("go");
    controller.until("log Error: go: a search is running already");
    controller.tell("stop");
    controller.until("bestmove");
    controller.tell("stop");
    controller.until("log Error: stop: no search is running");
    assert_eq!(controller.close().1, SessionEnd::Quit);
}

#[test]
fn a_turn_ends_a_search_that_runs_without_an_answer() {
    let controller = Controller::greeted(sleeper(), false);
    for line in ["newgame", GOLD, SILVER, "go ponder"] {
        controller.tell(line);
    }
    controller.until("info stat asleep");
    controller.tell("makemove Ee2n");
    controller.tell("isready");
    assert!(controller.until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    controller.tell("setoption name movetime value 0.01");
    controller.tell("go");
    controller.until("bestmove");
    assert_eq!(controller.close().1, SessionEnd::Quit);
}

#[test]
fn pondering_holds_its_answer_until_it_is_asked_for() {
    let controller = Controller::greeted(Box::<Greedy>::default(), false);
    for line in ["newgame", GOLD, SILVER, "go ponder"] {
        controller.tell(line);
    }
    // Greedy is done at once, and says nothing.
    controller.until("info pv");
    controller.tell("isready");
    assert_eq!(controller.until("readyok"), ["readyok"]);
    controller.tell("stop");
    controller.until("bestmove");
    assert_eq!(controller.close().1, SessionEnd::Quit);
}

#[test]
fn the_end_of_the_input_ends_the_program_with_what_it_still_owes() {
    let controller = Controller::greeted(sleeper(), false);
    for line in ["newgame", "go"] {
        controller.tell(line);
    }
    let (lines, end) = controller.close();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert_eq!(end, SessionEnd::Quit);
    let controller = Controller::greeted(sleeper(), false);
    for line in ["newgame", GOLD, SILVER, "go ponder"] {
        controller.tell(line);
    }
    let (lines, end) = controller.close();
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    assert_eq!(end, SessionEnd::Quit);
}

#[test]
fn unknown_options_warn_and_unknown_messages_end() {
    let controller = Controller::greeted(Box::<Random>::default(), false);
    for (line, reply) in [
        ("setoption name fo value 1", "log Warning: unknown option 'fo': expected seed"),
        ("setoption name seed value x", "log Warning: invalid value 'x' for option 'seed'"),
        ("setoption name tcmove value x", "log Warning: invalid value 'x' for option 'tcmove'"),
        ("makemove Ee2n", "log Error: makemove: gold must set up its pieces first"),
        ("makemove Ra1", "log Error: makemove: the setup of gold has 1 pieces: expected 16"),
        ("setposition g [E]", "log Error: setposition: expected 64 characters"),
    ] {
        controller.tell(line);
        controller.until(reply);
    }
    controller.tell("setoption name hash value 100");
    controller.tell("fly");
    let (lines, end) = controller.close();
    assert_eq!(
        (lines, end),
        (vec!["log Error: unknown message 'fly'".to_string()], SessionEnd::UnknownMessage)
    );
}

#[test]
fn akimots_session_runs_from_a_file() {
    let file = std::env::temp_dir().join(format!("surus-aei-{}.txt", std::process::id()));
    std::fs::write(&file, "g [rrrrrrrrhdcmecdh                                HDCEMCDHRRRRRRRR]").unwrap();
    let path = file.display();
    let init = format!(
        "aei\nnewgame\n# a comment\nsetpositionfile {path}\ngonothread\nboarddump\ntreedump\nmakemoverec\n\
         gonothread\neval\ngoalcheck\ntrapcheck\nmakemoverec\nmakemoverec\nquit"
    );
    let settings = SessionOptions { extended: true, init: init.lines().map(Into::into).collect() };
    let (lines, end) = Controller::new(Box::<Greedy>::default(), settings).close();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(end, SessionEnd::Quit);
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 2);
    assert!(lines.contains(&"log 8| r r r r r r r r |".to_string()), "{lines:?}");
    assert!(lines.contains(&"log Error: makemoverec: there was no search in this position".to_string()));
}

#[test]
fn goals_and_captures_are_shown_for_both_sides() {
    let controller = Controller::greeted(Box::<Greedy>::default(), true);
    controller.tell("goalcheck");
    controller.until("info goalcheck nobody is to move");
    controller.tell("setposition g [r      r R         hE                                   RRRRRRR ]");
    controller.tell("goalcheck");
    controller.tell("trapcheck");
    controller.tell("isready");
    let lines = controller.until("readyok");
    assert_eq!(lines[0], "info goalcheck gold can score in 1: Rb7n");
    assert_eq!(lines[1], "info goalcheck silver can't score");
    assert_eq!(lines[2], "info trapcheck gold can capture the horse on d6 in c6 in 2: hd6w hc6x Ee6w");
    assert_eq!(lines[3], "info trapcheck silver can't capture");
}

/// A hundred thousand lines, most of them one edit away from a valid one: nothing panics or hangs, and a line that
/// is answered by an error leaves the game as it was.
#[test]
fn no_line_whatever_breaks_a_session() {
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
        let settings = SessionOptions { extended: true, init: Vec::new() };
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
            let at = below(line.len());
            let letter = ['x', '9', ' ', 'é', '\0', 'R', '[', '\t', 'n', '-'][below(10)];
            match below(5) {
                0 => line.insert(at, letter),
                1 => line[at] = letter,
                2 => drop(line.remove(at)),
                3 => line.truncate(at),
                _ => line.extend_from_within(at..),
            }
        }
        let line: String = line.into_iter().collect();
        let before = session.game.clone();
        session.out.clear();
        let end = session.handle_line(&line).unwrap();
        let said = String::from_utf8(session.out.clone()).unwrap();
        if said.contains("log Error") {
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
    assert!(10_000 < errors, "{errors}");
}

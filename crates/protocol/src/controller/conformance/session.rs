//! A session with an engine under test.

use std::time::{Duration, Instant};

use surus_rules::{Game, Rules};

use super::CheckContext;
use super::error::CheckError;
use crate::controller::parse::strip_keyword;
use crate::controller::process::{EngineProcess, ReadOutcome};

/// The clock of most checks: short, with a reserve for slow engines.
const CLOCK: [(&str, u32); 6] = [
    ("tcmove", 1),
    ("tcreserve", 10),
    ("tcpercent", 100),
    ("greserve", 10),
    ("sreserve", 10),
    ("moveused", 0),
];

/// The messages that an engine may send.
const ENGINE_MESSAGES: [&str; 7] = ["protocol-version", "id", "aeiok", "readyok", "bestmove", "info", "log"];

/// An engine after the handshake, and the game that has been sent to it.
pub(super) struct CheckSession<'a> {
    context: &'a CheckContext<'a>,
    pub(super) process: EngineProcess,
    pub(super) game: Game,
    /// Appended to each line sent.
    pub(super) line_end: &'static str,
    unanswered: Vec<&'static str>,
    unknown_message: Option<String>,
}

impl<'a> CheckSession<'a> {
    /// Starts a process and performs the handshake.
    pub(super) fn start(context: &'a CheckContext<'a>) -> Result<Self, CheckError> {
        let process = context.start_process()?;
        let game = Game::default();
        let unanswered = context.unanswered.clone();
        let mut session = Self { context, process, game, line_end: "", unanswered, unknown_message: None };
        session.send("aei");
        session.read_until("aeiok", context.settings.startup_timeout)?;
        Ok(session)
    }

    /// Ends the process and returns the unanswered keywords and the first unknown message.
    pub(super) fn finish(mut self) -> (Vec<&'static str>, Option<String>) {
        self.send("quit");
        self.process.wait_timeout(self.context.settings.quit_timeout);
        (self.unanswered, self.unknown_message)
    }

    pub(super) fn stop_timeout(&self) -> Duration {
        self.context.settings.stop_timeout
    }

    pub(super) fn send(&self, line: &str) {
        self.process.send(&format!("{line}{}", self.line_end));
    }

    pub(super) fn set_options(&self, options: &[(&str, u32)]) {
        for (name, value) in options {
            self.send(&format!("setoption name {name} value {value}"));
        }
    }

    /// Starts a game with these turns and the default clock.
    pub(super) fn new_game(&mut self, turns: &[&str]) -> Result<(), CheckError> {
        self.send("newgame");
        self.game = Game::default();
        self.set_options(&CLOCK);
        turns.iter().try_for_each(|turn| self.make_move(turn))
    }

    /// Starts a game from a position with the default clock.
    pub(super) fn set_position(&mut self, text: &str) -> Result<(), CheckError> {
        self.send("newgame");
        self.send(&format!("setposition {text}"));
        self.set_options(&CLOCK);
        self.game = Game::from_text(text, Rules::Official)?;
        Ok(())
    }

    pub(super) fn make_move(&mut self, turn: &str) -> Result<(), CheckError> {
        self.send(&format!("makemove {turn}"));
        Ok(self.game.play_text(turn)?)
    }

    /// Reads the next line; `None` after the deadline.
    fn read_line(&mut self, deadline: Instant) -> Result<Option<String>, CheckError> {
        loop {
            match self.process.read_line() {
                ReadOutcome::Line(line) => {
                    let known = ENGINE_MESSAGES.iter().any(|word| strip_keyword(&line, word).is_some());
                    if !known && !line.trim().is_empty() && self.unknown_message.is_none() {
                        self.unknown_message = Some(line.chars().take(60).collect());
                    }
                    return Ok(Some(line));
                }
                ReadOutcome::Pending if Instant::now() >= deadline => return Ok(None),
                ReadOutcome::Pending => {}
                ReadOutcome::LineTooLong => return Err(CheckError::LineTooLong),
                ReadOutcome::Exited => {
                    let (status, log_tail) = (self.process.status(), self.process.log_tail());
                    return Err(CheckError::Exited { status, log_tail });
                }
            }
        }
    }

    /// Reads up to and including a line that starts with `keyword`.
    pub(super) fn read_until(
        &mut self,
        keyword: &'static str,
        timeout: Duration,
    ) -> Result<Vec<String>, CheckError> {
        let deadline = Instant::now() + timeout;
        let mut lines = Vec::new();
        while let Some(line) = self.read_line(deadline)? {
            let found = strip_keyword(&line, keyword).is_some();
            lines.push(line);
            if found {
                return Ok(lines);
            }
            if Instant::now() >= deadline || lines.len() > self.context.settings.max_lines {
                break;
            }
        }
        Err(CheckError::Timeout { keyword, timeout })
    }

    /// Reads all lines for a duration.
    pub(super) fn collect_for(&mut self, duration: Duration) -> Result<Vec<String>, CheckError> {
        let deadline = Instant::now() + duration;
        let mut lines = Vec::new();
        while let Some(line) = self.read_line(deadline)? {
            if Instant::now() >= deadline || lines.len() > self.context.settings.max_lines {
                break;
            }
            lines.push(line);
        }
        Ok(lines)
    }

    /// Sends a line and reads up to its answer. Skipped if an earlier check has timed out on this answer.
    fn request(
        &mut self,
        line: &'static str,
        answer: &'static str,
        timeout: Duration,
    ) -> Result<Vec<String>, CheckError> {
        if self.unanswered.contains(&answer) {
            return Err(CheckError::Skipped(line));
        }
        self.send(line);
        let lines = self.read_until(answer, timeout);
        if lines.is_err() && !self.process.has_exited() {
            self.unanswered.push(answer);
        }
        lines
    }

    pub(super) fn wait_ready(&mut self) -> Result<Vec<String>, CheckError> {
        self.request("isready", "readyok", self.context.settings.ready_timeout)
    }

    /// Requests a turn or setup, plays it on both sides and returns the time it took.
    pub(super) fn go(&mut self) -> Result<Duration, CheckError> {
        let start = Instant::now();
        let lines = self.request("go", "bestmove", self.context.go_timeout)?;
        let time = start.elapsed();
        self.play_bestmove(&lines)?;
        Ok(time)
    }

    /// Plays the `bestmove` in the last of these lines.
    pub(super) fn play_bestmove(&mut self, lines: &[String]) -> Result<(), CheckError> {
        let answer = lines.last().and_then(|line| strip_keyword(line, "bestmove"));
        let text = answer.ok_or(CheckError::Timeout { keyword: "bestmove", timeout: Duration::ZERO })?;
        self.game
            .play_text(text)
            .map_err(|error| CheckError::IllegalAnswer { answer: text.chars().take(60).collect(), error })?;
        self.send(&format!("makemove {text}"));
        Ok(())
    }
}

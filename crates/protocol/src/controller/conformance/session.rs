//! A conversation with a program that is being checked.

use std::time::{Duration, Instant};

use surus_rules::{Game, Rules};

use super::CheckContext;
use super::error::CheckError;
use crate::controller::parse::strip_keyword;
use crate::controller::process::{EngineProcess, ReadOutcome};

/// The clock of most checks: short, with a reserve for programs that need a moment.
pub(super) const CLOCK: [(&str, u32); 6] = [
    ("tcmove", 1),
    ("tcreserve", 10),
    ("tcpercent", 100),
    ("greserve", 10),
    ("sreserve", 10),
    ("moveused", 0),
];

/// Every message of a program.
const MESSAGES: [&str; 7] = ["protocol-version", "id", "aeiok", "readyok", "bestmove", "info", "log"];

/// A greeted program, and the game that it should know.
pub(super) struct CheckSession<'a> {
    ground: &'a CheckContext<'a>,
    pub(super) child: EngineProcess,
    pub(super) game: Game,
    /// Behind every line; a carriage return for one check.
    pub(super) line_end: &'static str,
    missed: Vec<&'static str>,
    strange: Option<String>,
}

impl<'a> CheckSession<'a> {
    /// A fresh program after the handshake.
    pub(super) fn greeted(ground: &'a CheckContext<'a>) -> Result<Self, CheckError> {
        let child = ground.child()?;
        let game = Game::default();
        let missed = ground.unanswered.clone();
        let mut talk = Self { ground, child, game, line_end: "", missed, strange: None };
        talk.say("aei");
        talk.until("aeiok", ground.settings.startup_timeout)?;
        Ok(talk)
    }

    /// Ends the program, and tells which answers did not come and what it said that is no message.
    pub(super) fn leave(mut self) -> (Vec<&'static str>, Option<String>) {
        self.say("quit");
        self.child.wait_timeout(self.ground.settings.quit_timeout);
        (self.missed, self.strange)
    }

    pub(super) fn grace(&self) -> Duration {
        self.ground.settings.stop_timeout
    }

    pub(super) fn say(&self, line: &str) {
        self.child.say(&format!("{line}{}", self.line_end));
    }

    pub(super) fn set(&self, options: &[(&str, u32)]) {
        for (name, value) in options {
            self.say(&format!("setoption name {name} value {value}"));
        }
    }

    /// Begins a game with these turns, on the usual clock.
    pub(super) fn new_game(&mut self, turns: &[&str]) -> Result<(), CheckError> {
        self.say("newgame");
        self.game = Game::default();
        self.set(&CLOCK);
        turns.iter().try_for_each(|turn| self.make_move(turn))
    }

    /// Begins with a position, on the usual clock.
    pub(super) fn set_position(&mut self, text: &str) -> Result<(), CheckError> {
        self.say("newgame");
        self.say(&format!("setposition {text}"));
        self.set(&CLOCK);
        self.game = Game::from_text(text, Rules::Official)?;
        Ok(())
    }

    pub(super) fn make_move(&mut self, turn: &str) -> Result<(), CheckError> {
        self.say(&format!("makemove {turn}"));
        Ok(self.game.play_text(turn)?)
    }

    /// The next line within a time.
    fn read_line(&mut self, end: Instant) -> Result<Option<String>, CheckError> {
        loop {
            match self.child.wait() {
                ReadOutcome::Line(line) => {
                    let known = MESSAGES.iter().any(|word| strip_keyword(&line, word).is_some());
                    if !known && !line.trim().is_empty() && self.strange.is_none() {
                        self.strange = Some(line.chars().take(60).collect());
                    }
                    return Ok(Some(line));
                }
                ReadOutcome::Nothing if end <= Instant::now() => return Ok(None),
                ReadOutcome::Nothing => {}
                ReadOutcome::TooLong => return Err(CheckError::EndlessLine),
                ReadOutcome::Gone => {
                    let (status, last_words) = (self.child.status(), self.child.log_tail());
                    return Err(CheckError::Ended { status, last_words });
                }
            }
        }
    }

    /// All lines up to one that begins with this word, which is the last of them.
    pub(super) fn until(&mut self, word: &'static str, time: Duration) -> Result<Vec<String>, CheckError> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.read_line(end)? {
            let found = strip_keyword(&line, word).is_some();
            lines.push(line);
            if found {
                return Ok(lines);
            }
            if end <= Instant::now() || self.ground.settings.max_lines < lines.len() {
                break;
            }
        }
        Err(CheckError::Silent { word, time })
    }

    /// What it says in a time in which nothing is asked.
    pub(super) fn collect_for(&mut self, time: Duration) -> Result<Vec<String>, CheckError> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.read_line(end)? {
            if end <= Instant::now() || self.ground.settings.max_lines < lines.len() {
                break;
            }
            lines.push(line);
        }
        Ok(lines)
    }

    /// Asks for an answer that has to come; if it once did not, it is not asked for again.
    fn request(
        &mut self,
        line: &'static str,
        answer: &'static str,
        time: Duration,
    ) -> Result<Vec<String>, CheckError> {
        if self.missed.contains(&answer) {
            return Err(CheckError::NotTried(line));
        }
        self.say(line);
        let lines = self.until(answer, time);
        if lines.is_err() && !self.child.has_exited() {
            self.missed.push(answer);
        }
        lines
    }

    pub(super) fn ready(&mut self) -> Result<Vec<String>, CheckError> {
        self.request("isready", "readyok", self.ground.settings.ready_timeout)
    }

    /// Has it play a turn or a setup, here and there, and tells how long that took.
    pub(super) fn go(&mut self) -> Result<Duration, CheckError> {
        let begun = Instant::now();
        let lines = self.request("go", "bestmove", self.ground.go_timeout)?;
        let time = begun.elapsed();
        self.play_bestmove(&lines)?;
        Ok(time)
    }

    /// Plays the answer that is the last of these lines.
    pub(super) fn play_bestmove(&mut self, lines: &[String]) -> Result<(), CheckError> {
        let answer = lines.last().and_then(|line| strip_keyword(line, "bestmove"));
        let text = answer.ok_or(CheckError::Silent { word: "bestmove", time: Duration::ZERO })?;
        self.game
            .play_text(text)
            .map_err(|error| CheckError::Illegal { answer: text.chars().take(60).collect(), error })?;
        self.say(&format!("makemove {text}"));
        Ok(())
    }
}

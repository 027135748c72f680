//! The engine side of AEI.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use surus_play::{Answer, Engine, EngineError, EngineId, Info, Options};
use surus_rules::{Game, Phase, Rules};

use crate::command::{AeiCommand, CommandError};
use crate::engine_thread::EngineThread;
use crate::time_options::{SetOptionResult, TimeOptions};
use search::{ActiveSearch, SearchMode};

mod extended;
mod search;

/// Options of a session.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Whether to accept the extended messages of \[Akimot\].
    pub extended: bool,
    /// Whether `boarddump` prints the board without `log` before each line.
    pub plain_boarddump: bool,
    /// Lines to process before those of the controller.
    pub init: Vec<String>,
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionEnd {
    /// `quit`, or the end of the input.
    Quit,
    /// A message that AEI does not define.
    UnknownMessage,
    /// The engine panicked.
    EngineCrashed,
    /// Ended by [`Session::ender`].
    Interrupted {
        /// Whether a search was running.
        searching: bool,
    },
}

/// Maximum length of a message in bytes. A position has 70, the longest legal turn fewer.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 16;

/// Input of the session's event loop.
pub(crate) enum Event {
    Line(String),
    /// A line that exceeds [`MAX_LINE_BYTES`] and was skipped.
    LineTooLong,
    EndOfInput,
    Info(u64, Box<Info>),
    SearchFinished(u64, Result<Answer, EngineError>),
    Warning(String),
    Ready,
    /// Reply to `eval` or `treedump`, with the name of the message.
    DebugLines(&'static str, Vec<String>),
    Crashed,
    Interrupted,
}

/// One engine serving one controller.
pub struct Session<W: Write> {
    out: W,
    settings: SessionOptions,
    id: EngineId,
    options: Options,
    engine: EngineThread,
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// Lines not processed yet, because a search or a debug reply blocks the input.
    pending_lines: VecDeque<String>,
    input_ended: bool,
    handshake_done: bool,
    /// Whether input is blocked until the engine thread has replied with debug lines.
    awaiting_debug: bool,
    /// Number of `isready` messages that the engine thread has not answered yet.
    pending_isready: u32,
    game: Game,
    time_options: TimeOptions,
    search: Option<ActiveSearch>,
    search_count: u64,
    last_answer: Option<Answer>,
}

impl<W: Write> std::fmt::Debug for Session<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("id", &self.id).field("game", &self.game).finish_non_exhaustive()
    }
}

/// `None` continues the session.
type Flow = io::Result<Option<SessionEnd>>;

impl<W: Write> Session<W> {
    /// Creates a session; `input` is read on a separate thread.
    pub fn new(
        engine: Box<dyn Engine>,
        settings: SessionOptions,
        input: impl BufRead + Send + 'static,
        out: W,
    ) -> Self {
        let (sender, events) = channel();
        let (id, options) = (engine.id(), engine.options().clone());
        let engine = EngineThread::start(engine, sender.clone());
        let lines = sender.clone();
        thread::spawn(move || read_lines(input, &lines));
        Self {
            out,
            pending_lines: settings.init.iter().cloned().collect(),
            settings,
            id,
            options,
            engine,
            events,
            sender,
            input_ended: false,
            handshake_done: false,
            awaiting_debug: false,
            pending_isready: 0,
            game: Game::default(),
            time_options: TimeOptions::default(),
            search: None,
            search_count: 0,
            last_answer: None,
        }
    }

    /// Returns a callback that ends the session from any thread. A running search is not answered.
    pub fn ender(&self) -> impl Fn() + Send + 'static {
        let sender = self.sender.clone();
        move || {
            // Sending fails only if the session has ended.
            let _ = sender.send(Event::Interrupted);
        }
    }

    /// Serves the controller until the session ends.
    pub fn run(mut self) -> io::Result<SessionEnd> {
        let end = self.serve();
        self.cancel_search();
        end
    }

    fn serve(&mut self) -> io::Result<SessionEnd> {
        loop {
            let blocked = self.awaiting_debug || self.search.as_ref().is_some_and(ActiveSearch::blocks_input);
            let flow = if !blocked && let Some(line) = self.pending_lines.pop_front() {
                self.handle_line(&line)?
            } else if !blocked && self.input_ended && !self.has_pending_reply() {
                Some(SessionEnd::Quit)
            } else {
                match self.events.recv() {
                    Ok(event) => self.handle_event(event)?,
                    Err(_) => Some(SessionEnd::Quit),
                }
            };
            if let Some(end) = flow {
                return Ok(end);
            }
        }
    }

    fn handle_event(&mut self, event: Event) -> Flow {
        match event {
            Event::Line(line) => self.pending_lines.push_back(line),
            Event::LineTooLong => {
                self.log("Error", &format!("a message of more than {MAX_LINE_BYTES} bytes was skipped"))?;
            }
            Event::EndOfInput => self.input_ended = true,
            Event::Warning(text) => self.log("Warning", &text)?,
            Event::Ready => {
                self.pending_isready -= 1;
                self.send("readyok")?;
            }
            Event::DebugLines(message, lines) => {
                self.awaiting_debug = false;
                self.send_debug_lines(message, &lines)?;
            }
            Event::Crashed => {
                self.log("Error", "the engine crashed")?;
                return Ok(Some(SessionEnd::EngineCrashed));
            }
            Event::Interrupted => {
                return Ok(Some(SessionEnd::Interrupted { searching: self.search.is_some() }));
            }
            Event::Info(search_id, info) => self.send_info(search_id, &info)?,
            Event::SearchFinished(search_id, answer) => self.on_search_finished(search_id, answer)?,
        }
        Ok(None)
    }

    fn handle_line(&mut self, line: &str) -> Flow {
        let line = line.trim();
        if line.is_empty() || (self.settings.extended && line.starts_with('#')) {
            return Ok(None);
        }
        match AeiCommand::parse(line, self.settings.extended) {
            Ok(command) => self.handle_command(command),
            Err(error @ CommandError::Unknown(_)) => {
                self.log("Error", &error.to_string())?;
                Ok(Some(SessionEnd::UnknownMessage))
            }
            Err(error) => {
                self.log("Error", &error.to_string())?;
                Ok(None)
            }
        }
    }

    fn handle_command(&mut self, command: AeiCommand) -> Flow {
        if !self.handshake_done && !matches!(command, AeiCommand::Aei | AeiCommand::Quit) {
            self.log("Error", "expected aei as the first message")?;
            return Ok(None);
        }
        match command {
            AeiCommand::Quit => return Ok(Some(SessionEnd::Quit)),
            AeiCommand::Aei => self.send_handshake()?,
            // The engine thread would reply only after the search.
            AeiCommand::IsReady if self.search.is_some() => self.send("readyok")?,
            AeiCommand::IsReady => {
                self.pending_isready += 1;
                self.engine.ping();
            }
            AeiCommand::NewGame => {
                self.set_game(Game::default());
                self.time_options.new_game();
                self.engine.new_game();
            }
            AeiCommand::SetPosition(position) => {
                match Game::from_text(&position.to_string(), Rules::Official) {
                    Ok(game) => self.set_game(game),
                    Err(error) => self.log("Error", &format!("setposition: {error}"))?,
                }
            }
            AeiCommand::SetOption(name, value) => self.set_option(&name, &value)?,
            AeiCommand::MakeMove(text) => self.make_move(&text)?,
            AeiCommand::Go => self.go(SearchMode::Normal)?,
            AeiCommand::GoPonder => self.go(SearchMode::Ponder)?,
            AeiCommand::Stop => self.stop()?,
            AeiCommand::Extended(extended) => self.handle_extended(extended)?,
        }
        Ok(None)
    }

    fn send_handshake(&mut self) -> io::Result<()> {
        self.handshake_done = true;
        let version = self.id.full_version();
        let EngineId { name, author, .. } = self.id.clone();
        self.send("protocol-version 1")?;
        self.send(&format!("id name surus {name}"))?;
        self.send(&format!("id author {author}"))?;
        self.send(&format!("id version {version}"))?;
        self.send("aeiok")
    }

    fn set_game(&mut self, game: Game) {
        self.cancel_search();
        self.game = game;
        self.last_answer = None;
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        // AEI's `hash` sets the memory of engines with a tree instead of a table.
        let has = |name: &str| self.options.contains(name);
        let name = if name == "hash" && !has("hash") && has("memory") { "memory" } else { name };
        match self.time_options.set(name, value) {
            SetOptionResult::Accepted => Ok(()),
            SetOptionResult::InvalidValue(expected) => self
                .log("Warning", &format!("invalid value '{value}' for option '{name}': expected {expected}")),
            // Standard options that an engine may ignore.
            SetOptionResult::Unrecognized
                if ["hash", "threads"].contains(&name) && !self.options.contains(name) =>
            {
                Ok(())
            }
            SetOptionResult::Unrecognized => match self.options.set(name, value) {
                Ok(()) => {
                    self.engine.set_option(name, value);
                    Ok(())
                }
                Err(error) => self.log("Warning", &error.to_string()),
            },
        }
    }

    fn make_move(&mut self, text: &str) -> io::Result<()> {
        match self.game.play_text(text) {
            Ok(()) => {
                self.cancel_search();
                self.last_answer = None;
                if matches!(self.game.phase(), Phase::Over(_)) {
                    self.engine.game_over(&self.game);
                }
                Ok(())
            }
            Err(error) => self.log("Error", &format!("makemove: {error}")),
        }
    }

    fn send(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    fn log(&mut self, level: &str, text: &str) -> io::Result<()> {
        self.send(&format!("log {level}: {text}"))
    }
}

fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    // Whether the beginning of the current line was too long.
    let mut skipping = false;
    loop {
        bytes.clear();
        match input.by_ref().take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let is_complete = bytes.ends_with(b"\n") || bytes.len() < MAX_LINE_BYTES;
                // Invalid UTF-8 is an unknown message, not the end of the input.
                let event = if is_complete {
                    Event::Line(String::from_utf8_lossy(&bytes).trim_end().to_string())
                } else {
                    Event::LineTooLong
                };
                // A line that is too long is reported once, at its beginning.
                if !skipping && events.send(event).is_err() {
                    return;
                }
                skipping = !is_complete;
            }
        }
    }
    let _ = events.send(Event::EndOfInput);
}

#[cfg(test)]
mod tests;

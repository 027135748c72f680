//! The engine's end of AEI.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use surus_play::{Answer, Engine, EngineError, EngineId, Info, Job, Limits, Options, StopToken, TimeBudget};
use surus_rules::{Game, Phase, Rules};

use crate::clocks::{SetOptionResult, TimeOptions};
use crate::command::{AeiCommand, CommandError};
use crate::engine_thread::EngineThread;
use crate::format::{format_bestmove, info_lines};

/// The time for a turn where the controller tells of no clock and no other limit.
const DEFAULT_TURN_TIME: Duration = Duration::from_secs(5);

/// How a session is to be held.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Whether Akimot's messages are understood.
    pub extended: bool,
    /// Lines to take before those of the controller.
    pub init: Vec<String>,
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionEnd {
    /// `quit`, or the end of the input.
    Quit,
    /// A message that the protocol does not know.
    UnknownMessage,
    /// The engine failed.
    EngineCrashed,
    /// It was ended from outside.
    Interrupted {
        /// Whether a search was running.
        searching: bool,
    },
}

/// What a session waits for.
pub(crate) enum Event {
    Line(String),
    EndOfInput,
    Info(u64, Box<Info>),
    SearchFinished(u64, Result<Answer, EngineError>),
    Warning(String),
    Ready,
    /// What was asked for, and the answer.
    DebugLines(&'static str, Vec<String>),
    Crashed,
    Interrupted,
}

/// What the engine is thinking about.
struct ActiveSearch {
    search_id: u64,
    game: Game,
    stop: StopToken,
    /// Answer only when told to stop: pondering, and thinking without end.
    hold_answer: bool,
    /// The answer that waits for that.
    held_bestmove: Option<String>,
    /// Whether lines wait until it is done.
    blocks_input: bool,
}

/// An engine at the other end of a pair of pipes.
pub struct Session<W: Write> {
    out: W,
    settings: SessionOptions,
    id: EngineId,
    options: Options,
    worker: EngineThread,
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// Lines that arrived while a search had to be waited for.
    pending_lines: VecDeque<String>,
    input_ended: bool,
    handshake_done: bool,
    /// Whether lines wait until the engine's thread has told what it thinks of a position.
    awaiting_debug: bool,
    /// Pings that the engine's thread has yet to answer.
    pending_isready: u32,
    game: Game,
    clocks: TimeOptions,
    thinking: Option<ActiveSearch>,
    searches: u64,
    last_answer: Option<Answer>,
}

impl<W: Write> std::fmt::Debug for Session<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("id", &self.id).field("game", &self.game).finish_non_exhaustive()
    }
}

/// Goes on, or ends the session.
type Flow = io::Result<Option<SessionEnd>>;

impl<W: Write> Session<W> {
    /// A session of this engine that reads `input` in a thread of its own.
    pub fn new(
        engine: Box<dyn Engine>,
        settings: SessionOptions,
        input: impl BufRead + Send + 'static,
        out: W,
    ) -> Self {
        let (sender, events) = channel();
        let (id, options) = (engine.id(), engine.options().clone());
        let worker = EngineThread::start(engine, sender.clone());
        let lines = sender.clone();
        thread::spawn(move || read_lines(input, &lines));
        Self {
            out,
            pending_lines: settings.init.iter().cloned().collect(),
            settings,
            id,
            options,
            worker,
            events,
            sender,
            input_ended: false,
            handshake_done: false,
            awaiting_debug: false,
            pending_isready: 0,
            game: Game::default(),
            clocks: TimeOptions::default(),
            thinking: None,
            searches: 0,
            last_answer: None,
        }
    }

    /// Ends the session when it is called, from any thread; a search that runs gives no answer.
    pub fn ender(&self) -> impl Fn() + Send + 'static {
        let sender = self.sender.clone();
        move || {
            // A session that no longer listens has ended.
            let _ = sender.send(Event::Interrupted);
        }
    }

    /// Serves the controller until it goes away.
    pub fn run(mut self) -> io::Result<SessionEnd> {
        let end = self.serve();
        if let Some(thinking) = &self.thinking {
            thinking.stop.request();
        }
        end
    }

    fn serve(&mut self) -> io::Result<SessionEnd> {
        loop {
            let blocked =
                self.awaiting_debug || self.thinking.as_ref().is_some_and(|thinking| thinking.blocks_input);
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

    /// Whether something was asked that has no answer yet. Nobody will ask anything more after the end of the
    /// input, so a search is told to end then and its answer is the last thing said.
    fn has_pending_reply(&self) -> bool {
        let searching = self.thinking.as_ref().filter(|thinking| !thinking.hold_answer);
        if let Some(thinking) = searching {
            thinking.stop.request();
        }
        self.pending_isready != 0 || searching.is_some()
    }

    fn handle_event(&mut self, event: Event) -> Flow {
        match event {
            Event::Line(line) => self.pending_lines.push_back(line),
            Event::EndOfInput => self.input_ended = true,
            Event::Warning(text) => self.log("Warning", &text)?,
            Event::Ready => {
                self.pending_isready -= 1;
                self.send("readyok")?;
            }
            Event::DebugLines(what, lines) => {
                self.awaiting_debug = false;
                self.explained(what, &lines)?;
            }
            Event::Crashed => {
                self.log("Error", "the engine failed")?;
                return Ok(Some(SessionEnd::EngineCrashed));
            }
            Event::Interrupted => {
                return Ok(Some(SessionEnd::Interrupted { searching: self.thinking.is_some() }));
            }
            Event::Info(number, info) => self.send_info(number, &info)?,
            Event::SearchFinished(number, answer) => self.on_search_finished(number, answer)?,
        }
        Ok(None)
    }

    fn handle_line(&mut self, line: &str) -> Flow {
        let line = line.trim();
        if line.is_empty() || (self.settings.extended && line.starts_with('#')) {
            return Ok(None);
        }
        match AeiCommand::parse(line, self.settings.extended) {
            Ok(command) => self.command(command),
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

    fn command(&mut self, command: AeiCommand) -> Flow {
        if !self.handshake_done && !matches!(command, AeiCommand::Aei | AeiCommand::Quit) {
            self.log("Error", "expected aei as the first message")?;
            return Ok(None);
        }
        match command {
            AeiCommand::Quit => return Ok(Some(SessionEnd::Quit)),
            AeiCommand::Aei => self.send_handshake()?,
            // A search answers pings only when it has ended, but whoever asks wants to know now.
            AeiCommand::IsReady if self.thinking.is_some() => self.send("readyok")?,
            AeiCommand::IsReady => {
                self.pending_isready += 1;
                self.worker.ping();
            }
            AeiCommand::NewGame => self.set_game(Game::default(), true),
            AeiCommand::SetPosition(position) => {
                match Game::from_text(&position.to_string(), Rules::Official) {
                    Ok(game) => self.set_game(game, false),
                    // The game stays as it was: another position than the controller's would lose it.
                    Err(error) => self.log("Error", &format!("setposition: {error}"))?,
                }
            }
            AeiCommand::SetOption(name, value) => self.set_option(&name, &value)?,
            AeiCommand::MakeMove(text) => self.make_move(&text)?,
            AeiCommand::Go => self.go(false, false, false)?,
            AeiCommand::GoPonder => self.go(true, true, false)?,
            AeiCommand::Stop => self.stop()?,
            AeiCommand::Extended(extended) => self.extended(extended)?,
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

    /// Another game or position: a search that runs is of no use any more.
    fn set_game(&mut self, game: Game, new: bool) {
        self.cancel_search();
        self.game = game;
        self.last_answer = None;
        if new {
            self.clocks.new_game();
            self.worker.new_game();
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        // What AEI calls hash is the memory of engines that have a tree instead of a table.
        let has = |name: &str| self.options.contains(name);
        let name = if name == "hash" && !has("hash") && has("memory") { "memory" } else { name };
        match self.clocks.set(name, value) {
            SetOptionResult::Accepted => Ok(()),
            SetOptionResult::InvalidValue(expected) => self
                .log("Warning", &format!("invalid value '{value}' for option '{name}': expected {expected}")),
            // An engine may have a use for these two or not; they are never wrong to set.
            SetOptionResult::Unrecognized
                if ["hash", "threads"].contains(&name) && !self.options.contains(name) =>
            {
                Ok(())
            }
            SetOptionResult::Unrecognized => match self.options.set(name, value) {
                Ok(()) => {
                    self.worker.set(name, value);
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
                    self.worker.game_over(&self.game);
                }
                Ok(())
            }
            Err(error) => self.log("Error", &format!("makemove: {error}")),
        }
    }

    fn go(&mut self, holds: bool, quietly: bool, blocks: bool) -> io::Result<()> {
        if self.thinking.is_some() {
            return self.log("Error", "go: a search is running already");
        }
        let (side, setup) = match self.game.phase() {
            Phase::Over(ending) => return self.log("Error", &format!("go: the game is over: {ending}")),
            // There is nothing to think ahead about before the pieces stand.
            Phase::Setup(_) if quietly => return Ok(()),
            Phase::Setup(side) => (side, true),
            Phase::Play(side) => (side, false),
        };
        let mut limits = if holds { Limits::default() } else { self.clocks.limits(side, setup) };
        for limit in limits.kinds() {
            // Simple engines answer at once, so that a clock is no burden to them; a fixed depth would be a lie.
            if !self.id.supported_limits.contains(&limit) && limit != surus_play::LimitKind::Time {
                self.log("Warning", &format!("{} has no use for a limit of {limit}", self.id.name))?;
            }
        }
        limits.depth =
            limits.depth.filter(|_| self.id.supported_limits.contains(&surus_play::LimitKind::Depth));
        limits.nodes =
            limits.nodes.filter(|_| self.id.supported_limits.contains(&surus_play::LimitKind::Nodes));
        if !holds
            && limits == Limits::default()
            && self.id.supported_limits.contains(&surus_play::LimitKind::Time)
        {
            // Nobody has said how long, and a search has no end of its own.
            limits.time = Some(TimeBudget::fixed(DEFAULT_TURN_TIME));
        }
        self.searches += 1;
        let stop = StopToken::after(limits.time);
        let lines = self.clocks.multipv();
        let job = Job { stop: stop.clone(), multi_pv: lines, ..Job::limited(self.game.clone(), limits) };
        let (number, game) = (self.searches, self.game.clone());
        self.worker.think(job, number);
        self.thinking = Some(ActiveSearch {
            search_id: number,
            game,
            stop,
            hold_answer: holds,
            held_bestmove: None,
            blocks_input: blocks,
        });
        Ok(())
    }

    fn stop(&mut self) -> io::Result<()> {
        match &mut self.thinking {
            None => self.log("Error", "stop: no search is running"),
            Some(thinking) => {
                thinking.stop.request();
                thinking.hold_answer = false;
                match thinking.held_bestmove.take() {
                    None => Ok(()),
                    Some(best) => {
                        self.thinking = None;
                        self.send(&format!("bestmove {best}"))
                    }
                }
            }
        }
    }

    /// Ends a search whose answer nobody wants any more.
    fn cancel_search(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.request();
        }
    }

    fn send_info(&mut self, number: u64, info: &Info) -> io::Result<()> {
        let Some(thinking) = self.thinking.as_ref().filter(|thinking| thinking.search_id == number) else {
            return Ok(());
        };
        for line in info_lines(info, &thinking.game) {
            writeln!(self.out, "info {line}")?;
        }
        self.out.flush()
    }

    fn on_search_finished(&mut self, number: u64, answer: Result<Answer, EngineError>) -> io::Result<()> {
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.search_id == number) else {
            return Ok(());
        };
        match answer {
            Ok(answer) => {
                self.last_answer = Some(answer);
                let best = format_bestmove(&answer, thinking.game.position().board());
                if thinking.hold_answer {
                    thinking.held_bestmove = Some(best);
                    return Ok(());
                }
                self.thinking = None;
                self.send(&format!("bestmove {best}"))
            }
            Err(error) => {
                self.thinking = None;
                self.log("Error", &error.to_string())
            }
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
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                // What is no text is an unknown message, not the end of the world.
                let line = String::from_utf8_lossy(&bytes).trim_end().to_string();
                if events.send(Event::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
    let _ = events.send(Event::EndOfInput);
}

mod extended;

#[cfg(test)]
mod tests;

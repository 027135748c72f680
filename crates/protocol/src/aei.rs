//! The engine's end of AEI.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use surus_play::{Answer, Engine, EngineError, EngineId, Info, Job, Limits, Options, StopToken, TimeBudget};
use surus_rules::{Game, Phase, Rules};

use crate::clocks::{Clocks, Taken};
use crate::command::{Command, CommandError};
use crate::speak::{best_move, info_lines};
use crate::worker::Worker;

/// The time for a turn where the controller tells of no clock and no other limit.
const UNTOLD: Duration = Duration::from_secs(5);

/// How a session is to be held.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whether Akimot's messages are understood.
    pub extended: bool,
    /// Lines to take before those of the controller.
    pub init: Vec<String>,
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// `quit`, or the end of the input.
    Quit,
    /// A message that the protocol does not know.
    UnknownMessage,
    /// The engine failed.
    Crashed,
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
    Done(u64, Result<Answer, EngineError>),
    Warning(String),
    Pong,
    /// What was asked for, and the answer.
    Explained(&'static str, Vec<String>),
    Crashed,
    Interrupted,
}

/// What the engine is thinking about.
struct Thinking {
    number: u64,
    game: Game,
    stop: StopToken,
    /// Answer only when told to stop: pondering, and thinking without end.
    holds: bool,
    /// The answer that waits for that.
    held: Option<String>,
    /// Whether lines wait until it is done.
    blocks: bool,
}

/// An engine at the other end of a pair of pipes.
pub struct Session<W: Write> {
    out: W,
    settings: Settings,
    id: EngineId,
    options: Options,
    worker: Worker,
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// Lines that arrived while a search had to be waited for.
    waiting: VecDeque<String>,
    input_ended: bool,
    greeted: bool,
    /// Whether lines wait until the engine's thread has told what it thinks of a position.
    explaining: bool,
    /// Pings that the engine's thread has yet to answer.
    pings: u32,
    game: Game,
    clocks: Clocks,
    thinking: Option<Thinking>,
    searches: u64,
    last_answer: Option<Answer>,
}

impl<W: Write> std::fmt::Debug for Session<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("id", &self.id).field("game", &self.game).finish_non_exhaustive()
    }
}

/// Goes on, or ends the session.
type Flow = io::Result<Option<End>>;

impl<W: Write> Session<W> {
    /// A session of this engine that reads `input` in a thread of its own.
    pub fn new(
        engine: Box<dyn Engine>,
        settings: Settings,
        input: impl BufRead + Send + 'static,
        out: W,
    ) -> Self {
        let (sender, events) = channel();
        let (id, options) = (engine.id(), engine.options().clone());
        let worker = Worker::start(engine, sender.clone());
        let lines = sender.clone();
        thread::spawn(move || read_lines(input, &lines));
        Self {
            out,
            waiting: settings.init.iter().cloned().collect(),
            settings,
            id,
            options,
            worker,
            events,
            sender,
            input_ended: false,
            greeted: false,
            explaining: false,
            pings: 0,
            game: Game::default(),
            clocks: Clocks::default(),
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
    pub fn run(mut self) -> io::Result<End> {
        let end = self.serve();
        if let Some(thinking) = &self.thinking {
            thinking.stop.request();
        }
        end
    }

    fn serve(&mut self) -> io::Result<End> {
        loop {
            let blocked = self.explaining || self.thinking.as_ref().is_some_and(|thinking| thinking.blocks);
            let flow = if !blocked && let Some(line) = self.waiting.pop_front() {
                self.line(&line)?
            } else if !blocked && self.input_ended && !self.owes_an_answer() {
                Some(End::Quit)
            } else {
                match self.events.recv() {
                    Ok(event) => self.event(event)?,
                    Err(_) => Some(End::Quit),
                }
            };
            if let Some(end) = flow {
                return Ok(end);
            }
        }
    }

    /// Whether something was asked that has no answer yet. Nobody will ask anything more after the end of the
    /// input, so a search is told to end then and its answer is the last thing said.
    fn owes_an_answer(&self) -> bool {
        let searching = self.thinking.as_ref().filter(|thinking| !thinking.holds);
        if let Some(thinking) = searching {
            thinking.stop.request();
        }
        self.pings != 0 || searching.is_some()
    }

    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::Line(line) => self.waiting.push_back(line),
            Event::EndOfInput => self.input_ended = true,
            Event::Warning(text) => self.log("Warning", &text)?,
            Event::Pong => {
                self.pings -= 1;
                self.say("readyok")?;
            }
            Event::Explained(what, lines) => {
                self.explaining = false;
                self.explained(what, &lines)?;
            }
            Event::Crashed => {
                self.log("Error", "the engine failed")?;
                return Ok(Some(End::Crashed));
            }
            Event::Interrupted => {
                return Ok(Some(End::Interrupted { searching: self.thinking.is_some() }));
            }
            Event::Info(number, info) => self.inform(number, &info)?,
            Event::Done(number, answer) => self.answered(number, answer)?,
        }
        Ok(None)
    }

    fn line(&mut self, line: &str) -> Flow {
        let line = line.trim();
        if line.is_empty() || (self.settings.extended && line.starts_with('#')) {
            return Ok(None);
        }
        match Command::parse(line, self.settings.extended) {
            Ok(command) => self.command(command),
            Err(error @ CommandError::Unknown(_)) => {
                self.log("Error", &error.to_string())?;
                Ok(Some(End::UnknownMessage))
            }
            Err(error) => {
                self.log("Error", &error.to_string())?;
                Ok(None)
            }
        }
    }

    fn command(&mut self, command: Command) -> Flow {
        if !self.greeted && !matches!(command, Command::Aei | Command::Quit) {
            self.log("Error", "expected aei as the first message")?;
            return Ok(None);
        }
        match command {
            Command::Quit => return Ok(Some(End::Quit)),
            Command::Aei => self.greet()?,
            // A search answers pings only when it has ended, but whoever asks wants to know now.
            Command::IsReady if self.thinking.is_some() => self.say("readyok")?,
            Command::IsReady => {
                self.pings += 1;
                self.worker.ping();
            }
            Command::NewGame => self.set_game(Game::default(), true),
            Command::SetPosition(position) => {
                match Game::from_text(&position.to_string(), Rules::Official) {
                    Ok(game) => self.set_game(game, false),
                    // The game stays as it was: another position than the controller's would lose it.
                    Err(error) => self.log("Error", &format!("setposition: {error}"))?,
                }
            }
            Command::SetOption(name, value) => self.set_option(&name, &value)?,
            Command::MakeMove(text) => self.make_move(&text)?,
            Command::Go => self.go(false, false, false)?,
            Command::GoPonder => self.go(true, true, false)?,
            Command::Stop => self.stop()?,
            Command::Extended(extended) => self.extended(extended)?,
        }
        Ok(None)
    }

    fn greet(&mut self) -> io::Result<()> {
        self.greeted = true;
        let version = self.id.full_version();
        let EngineId { name, author, .. } = self.id.clone();
        self.say("protocol-version 1")?;
        self.say(&format!("id name surus {name}"))?;
        self.say(&format!("id author {author}"))?;
        self.say(&format!("id version {version}"))?;
        self.say("aeiok")
    }

    /// Another game or position: a search that runs is of no use any more.
    fn set_game(&mut self, game: Game, new: bool) {
        self.abandon();
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
            Taken::Yes => Ok(()),
            Taken::BadValue(expected) => self
                .log("Warning", &format!("invalid value '{value}' for option '{name}': expected {expected}")),
            // An engine may have a use for these two or not; they are never wrong to set.
            Taken::No if ["hash", "threads"].contains(&name) && !self.options.contains(name) => Ok(()),
            Taken::No => match self.options.set(name, value) {
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
                self.abandon();
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
            limits.time = Some(TimeBudget::fixed(UNTOLD));
        }
        self.searches += 1;
        let stop = StopToken::after(limits.time);
        let lines = self.clocks.lines();
        let job = Job { stop: stop.clone(), multi_pv: lines, ..Job::limited(self.game.clone(), limits) };
        let (number, game) = (self.searches, self.game.clone());
        self.worker.think(job, number);
        self.thinking = Some(Thinking { number, game, stop, holds, held: None, blocks });
        Ok(())
    }

    fn stop(&mut self) -> io::Result<()> {
        match &mut self.thinking {
            None => self.log("Error", "stop: no search is running"),
            Some(thinking) => {
                thinking.stop.request();
                thinking.holds = false;
                match thinking.held.take() {
                    None => Ok(()),
                    Some(best) => {
                        self.thinking = None;
                        self.say(&format!("bestmove {best}"))
                    }
                }
            }
        }
    }

    /// Ends a search whose answer nobody wants any more.
    fn abandon(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.request();
        }
    }

    fn inform(&mut self, number: u64, info: &Info) -> io::Result<()> {
        let Some(thinking) = self.thinking.as_ref().filter(|thinking| thinking.number == number) else {
            return Ok(());
        };
        for line in info_lines(info, &thinking.game) {
            writeln!(self.out, "info {line}")?;
        }
        self.out.flush()
    }

    fn answered(&mut self, number: u64, answer: Result<Answer, EngineError>) -> io::Result<()> {
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.number == number) else {
            return Ok(());
        };
        match answer {
            Ok(answer) => {
                self.last_answer = Some(answer);
                let best = best_move(&answer, thinking.game.position().board());
                if thinking.holds {
                    thinking.held = Some(best);
                    return Ok(());
                }
                self.thinking = None;
                self.say(&format!("bestmove {best}"))
            }
            Err(error) => {
                self.thinking = None;
                self.log("Error", &error.to_string())
            }
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    fn log(&mut self, level: &str, text: &str) -> io::Result<()> {
        self.say(&format!("log {level}: {text}"))
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

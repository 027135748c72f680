//! The controller's end of AEI: an outside program as an engine.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, LimitKind, OptionError, Options, StopToken,
    check_limits,
};
use surus_rules::{Clock, Game, Phase};

use command_line::CommandLine;
use parse::{InfoParser, read_answer, strip_keyword};
use process::{EngineProcess, ReadOutcome};
use sync::{SyncedGame, default_value, limit_options, set_option};

mod command_line;
mod conformance;
mod getmove;
mod parse;
pub(crate) mod process;
mod settings;
mod sync;

pub use conformance::{CheckResult, CheckStatus, check_engine};
pub use getmove::{GetMoveEngine, SideLetters};
pub use settings::EngineProcessOptions;

/// An outside AEI program, in a process group of its own that goes away with this value, whatever the program does.
///
/// Once it has failed it is ended, and fails in the same way until it is restarted.
pub struct AeiEngine {
    command_line: String,
    settings: EngineProcessOptions,
    options: Options,
    id: EngineId,
    child: Result<EngineProcess, EngineError>,
    /// The game that the program has been told.
    synced: Option<SyncedGame>,
    /// The limits that the program has been told.
    sent_options: BTreeMap<&'static str, String>,
}

impl std::fmt::Debug for AeiEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AeiProgram").field("command_line", &self.command_line).finish_non_exhaustive()
    }
}

/// What is known of a program that has not told its name: the words of its command line, and a hash of its files, none
/// if they can't be read.
fn unnamed(command_line: &str, settings: &EngineProcessOptions, honours: Vec<LimitKind>) -> EngineId {
    let words = CommandLine::parse(command_line, settings.working_dir.as_deref());
    let name = words.as_ref().map_or_else(|_| command_line.into(), CommandLine::name);
    let revision = words.and_then(|words| words.revision()).unwrap_or_else(|_| String::new());
    EngineId {
        name,
        version: String::new(),
        author: String::new(),
        revision,
        parts: Vec::new(),
        supported_limits: honours,
    }
}

impl AeiEngine {
    /// Starts a program by its command line, which is split as a shell does but needs none, greets it and sets its
    /// options.
    pub fn start(
        command_line: &str,
        options: &[(String, String)],
        settings: EngineProcessOptions,
    ) -> Result<Self, EngineError> {
        let child = Err(EngineError::NotStarted(command_line.into()));
        let id = unnamed(command_line, &settings, Vec::new());
        let (options_set, options) = (options, Options::accept_any());
        let (known, told) = (None, BTreeMap::new());
        let command_line = command_line.into();
        let mut program =
            Self { command_line, settings, options, id, child, synced: known, sent_options: told };
        for (name, value) in options_set {
            program.set_option(name, value).map_err(|error| EngineError::Failed(error.to_string()))?;
        }
        program.launch()?;
        Ok(program)
    }

    fn launch(&mut self) -> Result<(), EngineError> {
        self.id = unnamed(&self.command_line, &self.settings, Vec::new());
        self.child = EngineProcess::start(&self.command_line, &[], &self.settings);
        self.greet().map_err(|error| match error {
            EngineError::Crashed(text) | EngineError::Timeout(text) => {
                self.fail(EngineError::NotStarted(text))
            }
            other => other,
        })
    }

    fn greet(&mut self) -> Result<(), EngineError> {
        self.say("aei");
        let mut id = self.id.clone();
        self.read_until("aeiok", self.settings.startup_timeout, None, |line| {
            let Some((word, rest)) = strip_keyword(line, "id").and_then(|text| text.split_once(' ')) else {
                return;
            };
            let field = match word {
                "name" => &mut id.name,
                "author" => &mut id.author,
                "version" => &mut id.version,
                _ => return,
            };
            *field = rest.trim().into();
        })?;
        id.supported_limits = vec![LimitKind::Time, LimitKind::Depth];
        if self.settings.supports_nodes || id.name.starts_with("surus") {
            id.supported_limits.push(LimitKind::Nodes);
        }
        self.id = id;
        let lines: Vec<String> = self.options.others().map(|(name, value)| set_option(name, value)).collect();
        lines.iter().for_each(|line| self.say(line));
        self.wait_ready(None)
    }

    /// Has the program deal with everything it was told; whatever it says until then belongs to the past.
    fn wait_ready(&mut self, stop: Option<&StopToken>) -> Result<(), EngineError> {
        self.say("isready");
        self.read_until("readyok", self.settings.ready_timeout, stop, |_| {})
    }

    fn say(&self, line: &str) {
        if let Ok(child) = &self.child {
            child.say(line);
        }
    }

    /// Hears lines until the one that is waited for. Whoever called to stop waits no longer than the grace.
    fn read_until(
        &mut self,
        word: &str,
        time: Duration,
        stop: Option<&StopToken>,
        mut heed: impl FnMut(&str),
    ) -> Result<(), EngineError> {
        let mut end = Instant::now() + time;
        let mut lines = 0;
        let mut called = false;
        loop {
            if !called && stop.is_some_and(StopToken::stop_requested) {
                called = true;
                end = end.min(Instant::now() + self.settings.stop_timeout);
            }
            if end <= Instant::now() {
                return Err(self.timeout_error(&format!("no {word}")));
            }
            match self.next_line(&mut lines)? {
                Some(line) if line == word => return Ok(()),
                Some(line) => heed(&line),
                None => {}
            }
        }
    }

    /// The next line, if there is one within a tick.
    fn next_line(&mut self, lines: &mut usize) -> Result<Option<String>, EngineError> {
        let child = self.child.as_mut().map_err(|error| error.clone())?;
        match child.wait() {
            ReadOutcome::Nothing => Ok(None),
            ReadOutcome::Line(line) if *lines < self.settings.max_lines => {
                *lines += 1;
                Ok(Some(line))
            }
            ReadOutcome::Line(_) => {
                let text = format!("{}: more than {} lines", self.id.name, self.settings.max_lines);
                Err(self.fail(EngineError::Flooded(text)))
            }
            ReadOutcome::TooLong => {
                let text =
                    format!("{}: a line of more than {} bytes", self.id.name, self.settings.max_line_len);
                Err(self.fail(EngineError::Flooded(text)))
            }
            ReadOutcome::Gone => {
                let text = format!("{}: {}{}", self.id.name, child.status(), child.log_tail());
                Err(self.fail(EngineError::Crashed(text)))
            }
        }
    }

    fn timeout_error(&mut self, what: &str) -> EngineError {
        let words = self.child.as_ref().map_or_else(|_| String::new(), EngineProcess::log_tail);
        self.fail(EngineError::Timeout(format!("{}: {what}{words}", self.id.name)))
    }

    /// Ends the program for good.
    fn fail(&mut self, error: EngineError) -> EngineError {
        self.reset_sync();
        self.child = Err(error.clone());
        error
    }

    fn reset_sync(&mut self) {
        self.synced = None;
        self.sent_options.clear();
    }

    /// Lets the program go in peace, for a moment.
    fn quit(&mut self) {
        if let Ok(child) = &mut self.child {
            child.say("quit");
            child.close_stdin();
            child.wait_timeout(self.settings.quit_timeout);
        }
        self.fail(EngineError::NotStarted(format!("{}: it was told to quit", self.id.name)));
    }

    /// Why the program has no way to do a job.
    fn check_supported(&self, job: &Job) -> Result<(), EngineError> {
        let unable =
            |what| Err(EngineError::Failed(format!("{} can't {what}: AEI has no word for it", self.id.name)));
        match job.game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            _ if !job.game.current_turn().is_empty() => unable("begin in the middle of a turn"),
            _ if !job.search_turns.is_empty() => unable("be restricted to some turns"),
            _ => check_limits(&self.id, &job.limits),
        }
    }

    fn send_position(&mut self, game: &Game) {
        let (lines, known) = SyncedGame::sync_commands(self.synced.take(), game);
        self.synced = Some(known);
        lines.iter().for_each(|line| self.say(line));
    }

    fn send_limits(&mut self, job: &Job) {
        for option in limit_options(job) {
            let before =
                self.sent_options.get(option.name).map_or(default_value(option.name), String::as_str);
            if option.always || before != option.value {
                self.say(&set_option(option.name, &option.value));
                self.sent_options.insert(option.name, option.value);
            }
        }
    }

    fn read_bestmove(
        &mut self,
        job: &Job,
        begun: Instant,
        report: &mut dyn FnMut(Info),
    ) -> Result<Answer, EngineError> {
        let setup = matches!(job.game.phase(), Phase::Setup(_));
        // A program with a clock shares out its time by itself and is told to stop only when all of it is gone.
        let latest = job.clock.as_ref().map(|clock: &Clock| clock.available(job.game.side(), setup));
        let mut stopped: Option<Instant> = None;
        let mut reading = InfoParser::new(&job.game);
        let mut lines = 0;
        loop {
            let over = match latest {
                Some(latest) => job.stop.stop_requested() || latest <= begun.elapsed(),
                None => job.stop.should_stop(),
            };
            match stopped {
                None if over => {
                    self.say("stop");
                    stopped = Some(Instant::now());
                }
                Some(since) if self.settings.stop_timeout <= since.elapsed() => {
                    let grace = self.settings.stop_timeout.as_secs_f64();
                    return Err(self.timeout_error(&format!("no bestmove within {grace} s of stop")));
                }
                _ => {}
            }
            let Some(line) = self.next_line(&mut lines)? else { continue };
            if let Some(text) = strip_keyword(&line, "bestmove") {
                return read_answer(text).ok_or_else(|| {
                    let text = text.chars().take(200).collect();
                    self.fail(EngineError::InvalidReply(text))
                });
            }
            if let Some(info) = strip_keyword(&line, "info").and_then(|text| reading.feed(text)) {
                report(info);
            }
        }
    }
}

impl Engine for AeiEngine {
    fn id(&self) -> EngineId {
        self.id.clone()
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(OptionError::Unknown { name: name.into(), known: "a name of one word".into() });
        }
        if value.contains(['\n', '\r']) {
            let expected = "one line".into();
            return Err(OptionError::InvalidValue { name: name.into(), value: value.into(), expected });
        }
        self.options.set(name, value)?;
        self.say(&set_option(name, value));
        Ok(())
    }

    fn new_game(&mut self) {
        self.say("newgame");
        self.synced = Some(SyncedGame::new_game());
        // A failure is kept, and the next question finds it.
        let _ = self.wait_ready(None);
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        if let Err(error) = &self.child {
            return Err(error.clone());
        }
        self.check_supported(job)?;
        let begun = Instant::now();
        self.send_position(&job.game);
        self.send_limits(job);
        self.wait_ready(Some(&job.stop))?;
        self.say("go");
        self.read_bestmove(job, begun, report)
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        self.quit();
        self.launch()
    }
}

impl Drop for AeiEngine {
    fn drop(&mut self) {
        self.quit();
    }
}

//! The controller side of AEI: an external process as an engine.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, LimitKind, OptionError, Options, StopToken,
    check_limits,
};
use surus_rules::{Clock, Game, Phase};

use command_line::CommandLine;
use parse::{InfoParser, parse_answer, strip_keyword};
use process::{EngineProcess, ReadOutcome};
use sync::{SyncedGame, default_value, limit_options, setoption};

mod command_line;
mod conformance;
mod extended;
mod getmove;
mod parse;
pub(crate) mod process;
mod settings;
mod sync;

pub use conformance::{CheckResult, CheckStatus, check_engine};
pub use getmove::{GetMoveEngine, SideLetters};
pub use settings::EngineProcessOptions;

/// An external AEI engine. Dropping it kills its process group.
///
/// After an error its process is killed, and every search returns the same error until [`Engine::restart`].
pub struct AeiEngine {
    command_line: String,
    settings: EngineProcessOptions,
    options: Options,
    id: EngineId,
    process: Result<EngineProcess, EngineError>,
    /// The game that has been sent to the engine.
    synced: Option<SyncedGame>,
    /// The limit options that have been sent to the engine.
    sent_options: BTreeMap<&'static str, String>,
}

impl std::fmt::Debug for AeiEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AeiEngine").field("command_line", &self.command_line).finish_non_exhaustive()
    }
}

/// The id of an engine that reports none: its command line, and a hash of its files if they can be read.
fn default_id(
    command_line: &str,
    settings: &EngineProcessOptions,
    supported_limits: Vec<LimitKind>,
) -> EngineId {
    let parsed = CommandLine::parse(command_line, settings.working_dir.as_deref());
    let name = parsed.as_ref().map_or_else(|_| command_line.into(), CommandLine::name);
    let revision = parsed.and_then(|parsed| parsed.revision()).unwrap_or_default();
    EngineId {
        name,
        version: String::new(),
        author: String::new(),
        revision,
        parts: Vec::new(),
        supported_limits,
    }
}

impl AeiEngine {
    /// Starts an engine, performs the handshake and sets its options. The command line is split by shell quoting rules,
    /// without running a shell.
    pub fn start(
        command_line: &str,
        options: &[(String, String)],
        settings: EngineProcessOptions,
    ) -> Result<Self, EngineError> {
        let mut engine = Self {
            command_line: command_line.into(),
            id: default_id(command_line, &settings, Vec::new()),
            settings,
            options: Options::accept_any(),
            process: Err(EngineError::NotStarted(command_line.into())),
            synced: None,
            sent_options: BTreeMap::new(),
        };
        for (name, value) in options {
            engine.set_option(name, value).map_err(|error| EngineError::Failed(error.to_string()))?;
        }
        engine.launch()?;
        Ok(engine)
    }

    fn launch(&mut self) -> Result<(), EngineError> {
        self.id = default_id(&self.command_line, &self.settings, Vec::new());
        self.process = EngineProcess::start(&self.command_line, &[], &self.settings);
        self.handshake().map_err(|error| match error {
            EngineError::Crashed(text) | EngineError::Timeout(text) => {
                self.fail(EngineError::NotStarted(text))
            }
            other => other,
        })
    }

    fn handshake(&mut self) -> Result<(), EngineError> {
        self.send("aei");
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
        let lines: Vec<String> = self.options.others().map(|(name, value)| setoption(name, value)).collect();
        lines.iter().for_each(|line| self.send(line));
        self.wait_ready(None)
    }

    /// Waits until the engine has processed all messages. Discards its output, which belongs to earlier searches.
    fn wait_ready(&mut self, stop: Option<&StopToken>) -> Result<(), EngineError> {
        self.send("isready");
        self.read_until("readyok", self.settings.ready_timeout, stop, |_| {})
    }

    fn send(&self, line: &str) {
        if let Ok(process) = &self.process {
            process.send(line);
        }
    }

    /// Reads lines up to `keyword`. A stop request shortens the timeout to `stop_timeout`.
    fn read_until(
        &mut self,
        keyword: &str,
        timeout: Duration,
        stop: Option<&StopToken>,
        mut on_line: impl FnMut(&str),
    ) -> Result<(), EngineError> {
        let mut deadline = Instant::now() + timeout;
        let mut line_count = 0;
        let mut stopped = false;
        loop {
            if !stopped && stop.is_some_and(StopToken::stop_requested) {
                stopped = true;
                deadline = deadline.min(Instant::now() + self.settings.stop_timeout);
            }
            if Instant::now() >= deadline {
                return Err(self.timeout_error(&format!("no {keyword}")));
            }
            match self.read_line(&mut line_count)? {
                Some(line) if line == keyword => return Ok(()),
                Some(line) => on_line(&line),
                None => {}
            }
        }
    }

    /// Reads the next line; `None` if there is none within the poll interval.
    fn read_line(&mut self, line_count: &mut usize) -> Result<Option<String>, EngineError> {
        let process = self.process.as_mut().map_err(|error| error.clone())?;
        let EngineProcessOptions { max_lines, max_line_len, .. } = self.settings;
        match process.read_line() {
            ReadOutcome::Pending => Ok(None),
            ReadOutcome::Line(line) if *line_count < max_lines => {
                *line_count += 1;
                Ok(Some(line))
            }
            ReadOutcome::Line(_) => {
                let text = format!("{}: more than {max_lines} lines", self.id.name);
                Err(self.fail(EngineError::OutputLimitExceeded(text)))
            }
            ReadOutcome::LineTooLong => {
                let text = format!("{}: line longer than {max_line_len} bytes", self.id.name);
                Err(self.fail(EngineError::OutputLimitExceeded(text)))
            }
            ReadOutcome::Exited => {
                let text = format!("{}: {}{}", self.id.name, process.status(), process.log_tail());
                Err(self.fail(EngineError::Crashed(text)))
            }
        }
    }

    fn timeout_error(&mut self, missing: &str) -> EngineError {
        let log_tail = self.process.as_ref().map_or_else(|_| String::new(), EngineProcess::log_tail);
        self.fail(EngineError::Timeout(format!("{}: {missing}{log_tail}", self.id.name)))
    }

    /// Kills the process and stores the error for later calls.
    fn fail(&mut self, error: EngineError) -> EngineError {
        self.reset_sync();
        self.process = Err(error.clone());
        error
    }

    fn reset_sync(&mut self) {
        self.synced = None;
        self.sent_options.clear();
    }

    /// Sends `quit` and gives the process a moment to exit before killing it.
    fn quit(&mut self) {
        if let Ok(process) = &mut self.process {
            process.send("quit");
            process.close_stdin();
            process.wait_timeout(self.settings.quit_timeout);
        }
        self.fail(EngineError::NotStarted(format!("{}: quit", self.id.name)));
    }

    fn check_supported(&self, job: &Job) -> Result<(), EngineError> {
        let unsupported =
            |what| Err(EngineError::Failed(format!("{}: AEI does not support {what}", self.id.name)));
        match job.game.phase() {
            Phase::Over(result) => Err(EngineError::GameOver(result)),
            _ if !job.game.current_turn().is_empty() => unsupported("positions within a turn"),
            _ if !job.search_turns.is_empty() => unsupported("a restriction to some turns"),
            _ => check_limits(&self.id, &job.limits),
        }
    }

    fn send_position(&mut self, game: &Game) {
        let (lines, synced) = SyncedGame::sync_commands(self.synced.take(), game);
        self.synced = Some(synced);
        lines.iter().for_each(|line| self.send(line));
    }

    fn send_limits(&mut self, job: &Job) {
        for option in limit_options(job) {
            let current =
                self.sent_options.get(option.name).map_or(default_value(option.name), String::as_str);
            if option.always || current != option.value {
                self.send(&setoption(option.name, &option.value));
                self.sent_options.insert(option.name, option.value);
            }
        }
    }

    fn read_bestmove(
        &mut self,
        job: &Job,
        start: Instant,
        report: &mut dyn FnMut(Info),
    ) -> Result<Answer, EngineError> {
        let setup = matches!(job.game.phase(), Phase::Setup(_));
        // An engine with a clock manages its time itself and is stopped only when the clock runs out.
        let available = job.clock.as_ref().map(|clock: &Clock| clock.available(job.game.side(), setup));
        let mut stop_sent: Option<Instant> = None;
        let mut parser = InfoParser::new(&job.game);
        let mut line_count = 0;
        loop {
            let should_stop = match available {
                Some(available) => job.stop.stop_requested() || start.elapsed() >= available,
                None => job.stop.should_stop(),
            };
            match stop_sent {
                None if should_stop => {
                    self.send("stop");
                    stop_sent = Some(Instant::now());
                }
                Some(time) if time.elapsed() >= self.settings.stop_timeout => {
                    let seconds = self.settings.stop_timeout.as_secs_f64();
                    return Err(self.timeout_error(&format!("no bestmove within {seconds} s of stop")));
                }
                _ => {}
            }
            let Some(line) = self.read_line(&mut line_count)? else { continue };
            if let Some(text) = strip_keyword(&line, "bestmove") {
                return parse_answer(text).ok_or_else(|| {
                    let text = text.chars().take(200).collect();
                    self.fail(EngineError::InvalidReply(text))
                });
            }
            if let Some(info) = strip_keyword(&line, "info").and_then(|text| parser.feed(text)) {
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
            return Err(OptionError::Unknown { name: name.into(), known: "a name without spaces".into() });
        }
        if value.contains(['\n', '\r']) {
            let expected = "a single line".into();
            return Err(OptionError::InvalidValue { name: name.into(), value: value.into(), expected });
        }
        self.options.set(name, value)?;
        self.send(&setoption(name, value));
        Ok(())
    }

    fn new_game(&mut self) {
        self.send("newgame");
        self.synced = Some(SyncedGame::new_game());
        // The next search returns a failure.
        let _ = self.wait_ready(None);
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        if let Err(error) = &self.process {
            return Err(error.clone());
        }
        self.check_supported(job)?;
        let start = Instant::now();
        self.send_position(&job.game);
        self.send_limits(job);
        self.wait_ready(Some(&job.stop))?;
        self.send("go");
        self.read_bestmove(job, start, report)
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

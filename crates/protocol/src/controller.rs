//! The controller's end of AEI: an outside program as an engine.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, LimitKind, OptionError, Options, StopToken,
    check_limits,
};
use surus_rules::{Clock, Game, Phase};

use child::{Child, Wait};
use command_line::CommandLine;
use hear::{Reading, behind, read_answer};
use tell::{Known, limit_options, set_option, usual};

mod check;
pub(crate) mod child;
mod command_line;
mod each_turn;
mod hear;
mod settings;
mod tell;

pub use check::{Finding, Verdict, check_engine};
pub use each_turn::{GetMoveProgram, SideLetters};
pub use settings::ProgramSettings;

/// An outside AEI program, in a process group of its own that goes away with this value, whatever the program does.
///
/// Once it has failed it is ended, and fails in the same way until it is restarted.
pub struct AeiProgram {
    command_line: String,
    settings: ProgramSettings,
    options: Options,
    id: EngineId,
    child: Result<Child, EngineError>,
    /// The game that the program has been told.
    known: Option<Known>,
    /// The limits that the program has been told.
    told: BTreeMap<&'static str, String>,
}

impl std::fmt::Debug for AeiProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AeiProgram").field("command_line", &self.command_line).finish_non_exhaustive()
    }
}

/// What is known of a program that has not told its name: the words of its command line, and a hash of its files, none
/// if they can't be read.
fn unnamed(command_line: &str, settings: &ProgramSettings, honours: Vec<LimitKind>) -> EngineId {
    let words = CommandLine::parse(command_line, settings.directory.as_deref());
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

impl AeiProgram {
    /// Starts a program by its command line, which is split as a shell does but needs none, greets it and sets its
    /// options.
    pub fn start(
        command_line: &str,
        options: &[(String, String)],
        settings: ProgramSettings,
    ) -> Result<Self, EngineError> {
        let child = Err(EngineError::NotStarted(command_line.into()));
        let id = unnamed(command_line, &settings, Vec::new());
        let (options_set, options) = (options, Options::accept_any());
        let (known, told) = (None, BTreeMap::new());
        let command_line = command_line.into();
        let mut program = Self { command_line, settings, options, id, child, known, told };
        for (name, value) in options_set {
            program.set_option(name, value).map_err(|error| EngineError::Failed(error.to_string()))?;
        }
        program.launch()?;
        Ok(program)
    }

    fn launch(&mut self) -> Result<(), EngineError> {
        self.id = unnamed(&self.command_line, &self.settings, Vec::new());
        self.child = Child::start(&self.command_line, &[], &self.settings);
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
        self.until("aeiok", self.settings.start, None, |line| {
            let Some((word, rest)) = behind(line, "id").and_then(|text| text.split_once(' ')) else { return };
            let field = match word {
                "name" => &mut id.name,
                "author" => &mut id.author,
                "version" => &mut id.version,
                _ => return,
            };
            *field = rest.trim().into();
        })?;
        id.supported_limits = vec![LimitKind::Time, LimitKind::Depth];
        if self.settings.nodes || id.name.starts_with("surus") {
            id.supported_limits.push(LimitKind::Nodes);
        }
        self.id = id;
        let lines: Vec<String> = self.options.others().map(|(name, value)| set_option(name, value)).collect();
        lines.iter().for_each(|line| self.say(line));
        self.ready(None)
    }

    /// Has the program deal with everything it was told; whatever it says until then belongs to the past.
    fn ready(&mut self, stop: Option<&StopToken>) -> Result<(), EngineError> {
        self.say("isready");
        self.until("readyok", self.settings.ready, stop, |_| {})
    }

    fn say(&self, line: &str) {
        if let Ok(child) = &self.child {
            child.say(line);
        }
    }

    /// Hears lines until the one that is waited for. Whoever called to stop waits no longer than the grace.
    fn until(
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
                end = end.min(Instant::now() + self.settings.grace);
            }
            if end <= Instant::now() {
                return Err(self.stalled(&format!("no {word}")));
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
            Wait::Nothing => Ok(None),
            Wait::Line(line) if *lines < self.settings.lines => {
                *lines += 1;
                Ok(Some(line))
            }
            Wait::Line(_) => {
                let text = format!("{}: more than {} lines", self.id.name, self.settings.lines);
                Err(self.fail(EngineError::Flooded(text)))
            }
            Wait::TooLong => {
                let text =
                    format!("{}: a line of more than {} bytes", self.id.name, self.settings.line_length);
                Err(self.fail(EngineError::Flooded(text)))
            }
            Wait::Gone => {
                let text = format!("{}: {}{}", self.id.name, child.status(), child.last_words());
                Err(self.fail(EngineError::Crashed(text)))
            }
        }
    }

    fn stalled(&mut self, what: &str) -> EngineError {
        let words = self.child.as_ref().map_or_else(|_| String::new(), Child::last_words);
        self.fail(EngineError::Timeout(format!("{}: {what}{words}", self.id.name)))
    }

    /// Ends the program for good.
    fn fail(&mut self, error: EngineError) -> EngineError {
        self.forget();
        self.child = Err(error.clone());
        error
    }

    fn forget(&mut self) {
        self.known = None;
        self.told.clear();
    }

    /// Lets the program go in peace, for a moment.
    fn leave(&mut self) {
        if let Ok(child) = &mut self.child {
            child.say("quit");
            child.hang_up();
            child.ends_within(self.settings.quit);
        }
        self.fail(EngineError::NotStarted(format!("{}: it was told to quit", self.id.name)));
    }

    /// Why the program has no way to do a job.
    fn refuses(&self, job: &Job) -> Result<(), EngineError> {
        let unable =
            |what| Err(EngineError::Failed(format!("{} can't {what}: AEI has no word for it", self.id.name)));
        match job.game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            _ if !job.game.current_turn().is_empty() => unable("begin in the middle of a turn"),
            _ if !job.search_turns.is_empty() => unable("be restricted to some turns"),
            _ => check_limits(&self.id, &job.limits),
        }
    }

    fn tell_game(&mut self, game: &Game) {
        let (lines, known) = Known::news(self.known.take(), game);
        self.known = Some(known);
        lines.iter().for_each(|line| self.say(line));
    }

    fn tell_limits(&mut self, job: &Job) {
        for option in limit_options(job) {
            let before = self.told.get(option.name).map_or(usual(option.name), String::as_str);
            if option.always || before != option.value {
                self.say(&set_option(option.name, &option.value));
                self.told.insert(option.name, option.value);
            }
        }
    }

    fn hear_answer(
        &mut self,
        job: &Job,
        begun: Instant,
        report: &mut dyn FnMut(Info),
    ) -> Result<Answer, EngineError> {
        let setup = matches!(job.game.phase(), Phase::Setup(_));
        // A program with a clock shares out its time by itself and is told to stop only when all of it is gone.
        let latest = job.clock.as_ref().map(|clock: &Clock| clock.available(job.game.side(), setup));
        let mut stopped: Option<Instant> = None;
        let mut reading = Reading::new(&job.game);
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
                Some(since) if self.settings.grace <= since.elapsed() => {
                    let grace = self.settings.grace.as_secs_f64();
                    return Err(self.stalled(&format!("no bestmove within {grace} s of stop")));
                }
                _ => {}
            }
            let Some(line) = self.next_line(&mut lines)? else { continue };
            if let Some(text) = behind(&line, "bestmove") {
                return read_answer(text).ok_or_else(|| {
                    let text = text.chars().take(200).collect();
                    self.fail(EngineError::InvalidReply(text))
                });
            }
            if let Some(info) = behind(&line, "info").and_then(|text| reading.take(text)) {
                report(info);
            }
        }
    }
}

impl Engine for AeiProgram {
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
        self.known = Some(Known::new_game());
        // A failure is kept, and the next question finds it.
        let _ = self.ready(None);
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        if let Err(error) = &self.child {
            return Err(error.clone());
        }
        self.refuses(job)?;
        let begun = Instant::now();
        self.tell_game(&job.game);
        self.tell_limits(job);
        self.ready(Some(&job.stop))?;
        self.say("go");
        self.hear_answer(job, begun, report)
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        self.leave();
        self.launch()
    }
}

impl Drop for AeiProgram {
    fn drop(&mut self) {
        self.leave();
    }
}

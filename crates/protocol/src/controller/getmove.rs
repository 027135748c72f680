//! The controller side of getMove: a program that is started for each turn.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, LimitKind, OptionError, Options, check_limits,
};
use surus_rules::{Board, Game, Phase, Side, TurnTag};

use super::EngineProcessOptions;
use super::default_id;
use super::parse::parse_answer;
use super::process::{EngineProcess, ReadOutcome};
use super::sync::{clock_values, job_clock};

/// The side letters in the files, and with them the form of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SideLetters {
    /// w and b, which old programs expect.
    #[default]
    WhiteBlack,
    /// g and s.
    GoldSilver,
}

impl SideLetters {
    const fn letter(self, side: Side) -> char {
        match (self, side) {
            (Self::WhiteBlack, Side::Gold) => 'w',
            (Self::WhiteBlack, Side::Silver) => 'b',
            (Self::GoldSilver, side) => side.letter(),
        }
    }

    /// The diagram of a position; old programs expect blanks for empty squares and `X` for empty traps.
    fn diagram(self, game: &Game) -> String {
        let text = self.rewrite(&game.diagram());
        if self == Self::GoldSilver {
            return text;
        }
        let old = |line: &str| match line.split_once('|') {
            Some((rank, squares)) => format!("{rank}|{}\n", squares.replace('.', " ").replace('x', "X")),
            None => format!("{line}\n"),
        };
        text.lines().map(old).collect()
    }

    /// Rewrites the turn tags of a diagram or record with these letters.
    fn rewrite(self, text: &str) -> String {
        let mut written = String::new();
        for line in text.lines() {
            let (word, rest) = line.find(' ').map_or((line, ""), |end| line.split_at(end));
            // Writing to a string cannot fail.
            let _ = match TurnTag::parse(word) {
                Some(tag) => writeln!(written, "{}{}{rest}", tag.number, self.letter(tag.side)),
                None => writeln!(written, "{line}"),
            };
        }
        written
    }
}

/// An external program that is called with a position, a record and a state file for each turn.
#[derive(Debug)]
pub struct GetMoveEngine {
    command_line: String,
    directory: PathBuf,
    letters: SideLetters,
    settings: EngineProcessOptions,
    options: Options,
    id: EngineId,
}

impl Drop for GetMoveEngine {
    /// Removes the files, and the directory if it is empty.
    fn drop(&mut self) {
        for name in ["position.txt", "record.txt", "state.txt"] {
            let _ = std::fs::remove_file(self.directory.join(name));
        }
        let _ = std::fs::remove_dir(&self.directory);
    }
}

impl GetMoveEngine {
    /// Creates an engine with a directory for its files. Nothing is started or written before the first turn.
    #[must_use]
    pub fn new(
        command_line: &str,
        directory: PathBuf,
        letters: SideLetters,
        settings: EngineProcessOptions,
    ) -> Self {
        let id = default_id(command_line, &settings, vec![LimitKind::Time]);
        let (command_line, options) = (command_line.into(), Options::new(&[]));
        Self { command_line, directory, letters, settings, options, id }
    }

    /// Writes the files for a turn and returns their paths. A record starts with the setups, so a game from a given
    /// position gets neither record nor state.
    fn write_files(&self, job: &Job) -> Result<Vec<PathBuf>, EngineError> {
        let failed = |file: &Path, error: std::io::Error| {
            EngineError::Failed(format!("cannot write {}: {error}", file.display()))
        };
        let directory =
            std::path::absolute(&self.directory).map_err(|error| failed(&self.directory, error))?;
        std::fs::create_dir_all(&directory).map_err(|error| failed(&directory, error))?;
        let mut texts = vec![("position.txt", self.letters.diagram(&job.game))];
        if *job.game.origin().0 == Board::EMPTY {
            texts.push(("record.txt", self.letters.rewrite(&job.game.to_string())));
            texts.push(("state.txt", self.state(job)));
        }
        let write = |(name, text): (&str, String)| {
            let file = directory.join(name);
            std::fs::write(&file, text).map_err(|error| failed(&file, error))?;
            Ok(file)
        };
        texts.into_iter().map(write).collect()
    }

    /// The `key=value` lines of a game state file.
    fn state(&self, job: &Job) -> String {
        let letter = |side| self.letters.letter(side);
        let mut text = format!("turn={}\n", letter(job.game.side()));
        if let Some(clock) = job_clock(job) {
            for (name, value) in clock_values(Some(&clock)) {
                let _ = match name {
                    "greserve" => {
                        writeln!(text, "{0}reserve={value}\ntc{0}reserve2={value}", letter(Side::Gold))
                    }
                    "sreserve" => {
                        writeln!(text, "{0}reserve={value}\ntc{0}reserve2={value}", letter(Side::Silver))
                    }
                    _ => writeln!(text, "{name}={value}"),
                };
            }
        }
        text
    }

    /// Returns the last line that is not blank when the process exits.
    fn read_last_line(&self, process: &mut EngineProcess, job: &Job) -> Result<String, EngineError> {
        let start = Instant::now();
        let deadline = job_clock(job).map(|clock| {
            let setup = matches!(job.game.phase(), Phase::Setup(_));
            let time = if job.clock.is_some() {
                clock.available(job.game.side(), setup)
            } else {
                clock.control().per_turn
            };
            time.saturating_add(self.settings.stop_timeout)
        });
        let (mut last, mut lines) = (String::new(), 0);
        loop {
            // getMove has no stop message, so the deadline includes the time of an answer after `stop`.
            let stopped = match deadline {
                Some(deadline) => job.stop.stop_requested() || start.elapsed() >= deadline,
                None => job.stop.should_stop(),
            };
            if stopped {
                return Err(EngineError::Timeout(format!("{}: no turn", self.command_line)));
            }
            match process.read_line() {
                ReadOutcome::Pending => {}
                ReadOutcome::Exited => return Ok(last),
                ReadOutcome::Line(line) if lines < self.settings.max_lines => {
                    lines += 1;
                    if !line.trim().is_empty() {
                        last = line;
                    }
                }
                ReadOutcome::Line(_) => {
                    let text = format!("{}: more than {} lines", self.command_line, self.settings.max_lines);
                    return Err(EngineError::OutputLimitExceeded(text));
                }
                ReadOutcome::LineTooLong => {
                    let max = self.settings.max_line_len;
                    let text = format!("{}: line longer than {max} bytes", self.command_line);
                    return Err(EngineError::OutputLimitExceeded(text));
                }
            }
        }
    }
}

impl Engine for GetMoveEngine {
    fn id(&self) -> EngineId {
        self.id.clone()
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.options.set(name, value)
    }

    fn new_game(&mut self) {}

    fn think(&mut self, job: &Job, _: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let unsupported =
            |what| Err(EngineError::Failed(format!("{} does not support {what}", self.command_line)));
        match job.game.phase() {
            Phase::Over(result) => return Err(EngineError::GameOver(result)),
            _ if !job.game.current_turn().is_empty() => return unsupported("positions within a turn"),
            _ if !job.search_turns.is_empty() => return unsupported("a restriction to some turns"),
            _ => check_limits(&self.id, &job.limits)?,
        }
        let files = self.write_files(job)?;
        let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let mut process = EngineProcess::start(&self.command_line, &paths, &self.settings)?;
        process.close_stdin();
        let text = self.read_last_line(&mut process, job)?;
        process.wait_timeout(Duration::from_millis(200));
        let answer = parse_answer(text.trim());
        match process.kill() {
            // A turn is valid even if the process had to be killed.
            Some(status) if !status.success() && (status.code().is_some() || answer.is_none()) => {
                Err(EngineError::Crashed(format!("{}: {status}", self.command_line)))
            }
            _ => answer.ok_or_else(|| EngineError::InvalidReply(text.chars().take(200).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Rules;

    use super::*;

    #[test]
    fn positions_of_old_programs_have_blanks_and_capital_traps() {
        let start = "g [rrrrrrrrhdcmecdh                                HDCEMCDHRRRRRRRR]";
        let game = Game::from_text(start, Rules::Official).unwrap();
        let expected = "2w\n +-----------------+\n8| r r r r r r r r |\n7| h d c m e c d h |\n6|     X     X     |\n\
            5|                 |\n4|                 |\n3|     X     X     |\n2| H D C E M C D H |\n\
            1| R R R R R R R R |\n +-----------------+\n   a b c d e f g h\n";
        assert_eq!(SideLetters::WhiteBlack.diagram(&game), expected);
        assert_eq!(SideLetters::GoldSilver.diagram(&game), game.diagram());
        // The form is read back as the same position.
        let read = Game::from_text(&SideLetters::WhiteBlack.diagram(&game), Rules::Official).unwrap();
        assert_eq!(read.position(), game.position());
    }

    #[test]
    fn tags_use_the_given_letters() {
        let game = Game::default();
        assert!(SideLetters::WhiteBlack.rewrite(&game.diagram()).starts_with("1w\n +---"));
        assert_eq!(SideLetters::GoldSilver.rewrite(&game.diagram()), game.diagram());
        assert_eq!(SideLetters::WhiteBlack.rewrite("1g Ra1\n1s ra8\n2g"), "1w Ra1\n1b ra8\n2w\n");
    }
}

//! The caller's end of getMove: a program that is started for every turn.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, LimitKind, OptionError, Options, check_limits,
};
use surus_rules::{Board, Phase, Side, TurnTag};

use super::EngineProcessOptions;
use super::parse::read_answer;
use super::process::{EngineProcess, ReadOutcome};
use super::sync::{clock_values, job_clock};
use super::unnamed;

/// The letters that the sides have in the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SideLetters {
    /// w and b, as the programs of getMove's time expect.
    #[default]
    WhiteBlack,
    /// g and s.
    GoldSilver,
}

impl SideLetters {
    const fn of(self, side: Side) -> char {
        match (self, side) {
            (Self::WhiteBlack, Side::Gold) => 'w',
            (Self::WhiteBlack, Side::Silver) => 'b',
            (Self::GoldSilver, side) => side.letter(),
        }
    }

    /// A diagram or a record with the tags of its turns in these letters.
    fn rewrite(self, text: &str) -> String {
        let mut written = String::new();
        for line in text.lines() {
            let (word, rest) = line.find(' ').map_or((line, ""), |end| line.split_at(end));
            // Writing to a string can't fail.
            let _ = match TurnTag::parse(word) {
                Some(tag) => writeln!(written, "{}{}{rest}", tag.number, self.of(tag.side)),
                None => writeln!(written, "{line}"),
            };
        }
        written
    }
}

/// An outside program that is called with a position, a record and a state file for every turn and prints its turn.
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
    /// Takes its files away, and the directory if nothing else is in it.
    fn drop(&mut self) {
        for name in ["position.txt", "record.txt", "state.txt"] {
            let _ = std::fs::remove_file(self.directory.join(name));
        }
        let _ = std::fs::remove_dir(&self.directory);
    }
}

impl GetMoveEngine {
    /// A program by its command line, with a directory of its own for the files; both are first needed when it is
    /// called.
    #[must_use]
    pub fn new(
        command_line: &str,
        directory: PathBuf,
        letters: SideLetters,
        settings: EngineProcessOptions,
    ) -> Self {
        let id = unnamed(command_line, &settings, vec![LimitKind::Time]);
        let (command_line, options) = (command_line.into(), Options::new(&[]));
        Self { command_line, directory, letters, settings, options, id }
    }

    /// Writes the files for a turn, and tells which of them to hand over. A record begins with the setups, so that a
    /// game from a given position has none, and no state behind it.
    fn write_files(&self, job: &Job) -> Result<Vec<PathBuf>, EngineError> {
        let failed = |file: &Path, error: std::io::Error| {
            EngineError::Failed(format!("can't write {}: {error}", file.display()))
        };
        let directory =
            std::path::absolute(&self.directory).map_err(|error| failed(&self.directory, error))?;
        std::fs::create_dir_all(&directory).map_err(|error| failed(&directory, error))?;
        let mut texts = vec![("position.txt", self.letters.rewrite(&job.game.diagram()))];
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

    /// Lines of key=value, as the gameroom writes them.
    fn state(&self, job: &Job) -> String {
        let letter = |side| self.letters.of(side);
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

    /// The last line with something on it that the program prints before it ends.
    fn read_last_line(&self, child: &mut EngineProcess, job: &Job) -> Result<String, EngineError> {
        let begun = Instant::now();
        let latest = job_clock(job).map(|clock| {
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
            // It can't be told to stop and to answer. Who calls for an end does not want the answer; who only runs
            // out of time is given the grace to be late.
            let over = match latest {
                Some(latest) => job.stop.stop_requested() || latest <= begun.elapsed(),
                None => job.stop.should_stop(),
            };
            if over {
                return Err(EngineError::Timeout(format!("{}: no turn", self.command_line)));
            }
            match child.wait() {
                ReadOutcome::Nothing => {}
                ReadOutcome::Gone => return Ok(last),
                ReadOutcome::Line(line) if lines < self.settings.max_lines => {
                    lines += 1;
                    if !line.trim().is_empty() {
                        last = line;
                    }
                }
                ReadOutcome::Line(_) => {
                    let text = format!("{}: more than {} lines", self.command_line, self.settings.max_lines);
                    return Err(EngineError::Flooded(text));
                }
                ReadOutcome::TooLong => {
                    let most = self.settings.max_line_len;
                    let text = format!("{}: a line of more than {most} bytes", self.command_line);
                    return Err(EngineError::Flooded(text));
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
        let unable = |what| Err(EngineError::Failed(format!("{} can't {what}", self.command_line)));
        match job.game.phase() {
            Phase::Over(ending) => return Err(EngineError::GameOver(ending)),
            _ if !job.game.current_turn().is_empty() => return unable("begin in the middle of a turn"),
            _ if !job.search_turns.is_empty() => return unable("be restricted to some turns"),
            _ => check_limits(&self.id, &job.limits)?,
        }
        let files = self.write_files(job)?;
        let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let mut child = EngineProcess::start(&self.command_line, &paths, &self.settings)?;
        child.close_stdin();
        let text = self.read_last_line(&mut child, job)?;
        child.wait_timeout(Duration::from_millis(200));
        let answer = read_answer(text.trim());
        match child.kill() {
            // A program that lingers after its turn has answered all the same.
            Some(status) if !status.success() && (status.code().is_some() || answer.is_none()) => {
                Err(EngineError::Crashed(format!("{}: {status}", self.command_line)))
            }
            _ => answer.ok_or_else(|| EngineError::InvalidReply(text.chars().take(200).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Game;

    use super::*;

    #[test]
    fn tags_are_written_in_the_letters_of_the_time() {
        let game = Game::default();
        assert!(SideLetters::WhiteBlack.rewrite(&game.diagram()).starts_with("1w\n +---"));
        assert_eq!(SideLetters::GoldSilver.rewrite(&game.diagram()), game.diagram());
        assert_eq!(SideLetters::WhiteBlack.rewrite("1g Ra1\n1s ra8\n2g"), "1w Ra1\n1b ra8\n2w\n");
    }
}

//! The messages that [Akimot] added to AEI.

use std::io::{self, Write};

use surus_rules::{Game, Rules};

use super::Session;
use super::search::SearchMode;
use crate::command::ExtendedCommand;
use crate::format::{format_bestmove, goal_lines, trap_lines};

impl<W: Write> Session<W> {
    pub(super) fn handle_extended(&mut self, command: ExtendedCommand) -> io::Result<()> {
        match command {
            ExtendedCommand::SetPositionFile(path) => {
                let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
                match text.and_then(|text| Game::from_text(&text, Rules::Official).map_err(|e| e.to_string()))
                {
                    Ok(game) => self.set_game(game),
                    Err(error) => self.log("Error", &format!("setpositionfile {path}: {error}"))?,
                }
            }
            ExtendedCommand::MakeMoveRec => match self.last_answer {
                Some(answer) => {
                    let text = format_bestmove(&answer, self.game.position().board());
                    self.make_move(&text)?;
                }
                None => self.log("Error", "makemoverec: this position has not been searched")?,
            },
            ExtendedCommand::GoNoThread => self.go(SearchMode::Blocking)?,
            ExtendedCommand::GoInfinite => self.go(SearchMode::Infinite)?,
            ExtendedCommand::BoardDump => {
                let diagram = self.game.diagram();
                let prefix = if self.settings.plain_boarddump { "" } else { "log " };
                for line in diagram.lines() {
                    self.send(&format!("{prefix}{line}"))?;
                }
            }
            ExtendedCommand::GoalCheck => {
                for line in goal_lines(&self.game) {
                    self.send(&format!("info goalcheck {line}"))?;
                }
            }
            ExtendedCommand::TrapCheck => {
                for line in trap_lines(&self.game) {
                    self.send(&format!("info trapcheck {line}"))?;
                }
            }
            ExtendedCommand::Eval if self.search.is_some() => {
                self.log("Error", "eval: a search is running")?;
            }
            ExtendedCommand::Eval => {
                self.awaiting_debug = true;
                self.engine.explain(&self.game);
            }
            ExtendedCommand::TreeDump if self.search.is_some() => {
                self.log("Error", "treedump: a search is running")?;
            }
            ExtendedCommand::TreeDump => {
                self.awaiting_debug = true;
                self.engine.dump_tree();
            }
        }
        Ok(())
    }

    pub(super) fn send_debug_lines(&mut self, message: &str, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return self.send(&format!("log {message}: not supported by engine {}", self.id.name));
        }
        lines.iter().try_for_each(|line| self.send(&format!("info {message} {line}")))
    }
}

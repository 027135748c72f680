//! The messages that Akimot added to AEI.

use std::io::{self, Write};

use surus_rules::{Game, Rules};

use super::Session;
use crate::command::ExtendedCommand;
use crate::format::{format_bestmove, goal_lines, trap_lines};

impl<W: Write> Session<W> {
    pub(super) fn extended(&mut self, command: ExtendedCommand) -> io::Result<()> {
        match command {
            ExtendedCommand::SetPositionFile(path) => {
                let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
                match text.and_then(|text| Game::from_text(&text, Rules::Official).map_err(|e| e.to_string()))
                {
                    Ok(game) => self.set_game(game, false),
                    Err(error) => self.log("Error", &format!("setpositionfile {path}: {error}"))?,
                }
            }
            ExtendedCommand::MakeMoveRec => match self.last_answer {
                Some(answer) => {
                    let text = format_bestmove(&answer, self.game.position().board());
                    self.make_move(&text)?;
                }
                None => self.log("Error", "makemoverec: there was no search in this position")?,
            },
            ExtendedCommand::GoNoThread => self.go(false, false, true)?,
            ExtendedCommand::GoInfinite => self.go(true, false, false)?,
            ExtendedCommand::BoardDump => {
                let diagram = self.game.diagram();
                for line in diagram.lines() {
                    self.send(&format!("log {line}"))?;
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
            ExtendedCommand::Eval if self.thinking.is_some() => {
                self.log("Error", "eval: a search is running")?;
            }
            ExtendedCommand::Eval => {
                self.awaiting_debug = true;
                self.worker.explain(&self.game);
            }
            ExtendedCommand::TreeDump if self.thinking.is_some() => {
                self.log("Error", "treedump: a search is running")?;
            }
            ExtendedCommand::TreeDump => {
                self.awaiting_debug = true;
                self.worker.tree();
            }
        }
        Ok(())
    }

    /// The engine has told what it thinks of a position, or the tree of its last search.
    pub(super) fn explained(&mut self, what: &str, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return self.send(&format!("log {what}: the engine {} has nothing to show", self.id.name));
        }
        lines.iter().try_for_each(|line| self.send(&format!("info {what} {line}")))
    }
}

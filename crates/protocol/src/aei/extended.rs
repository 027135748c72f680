//! The messages that Akimot added to AEI.

use std::io::{self, Write};

use surus_rules::{Game, Rules};

use super::Session;
use crate::command::Extended;
use crate::speak::{best_move, goal_lines, trap_lines};

impl<W: Write> Session<W> {
    pub(super) fn extended(&mut self, command: Extended) -> io::Result<()> {
        match command {
            Extended::SetPositionFile(path) => {
                let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
                match text.and_then(|text| Game::from_text(&text, Rules::Official).map_err(|e| e.to_string()))
                {
                    Ok(game) => self.set_game(game, false),
                    Err(error) => self.log("Error", &format!("setpositionfile {path}: {error}"))?,
                }
            }
            Extended::MakeMoveRec => match self.last_answer {
                Some(answer) => {
                    let text = best_move(&answer, self.game.position().board());
                    self.make_move(&text)?;
                }
                None => self.log("Error", "makemoverec: there was no search in this position")?,
            },
            Extended::GoNoThread => self.go(false, false, true)?,
            Extended::GoInfinite => self.go(true, false, false)?,
            Extended::BoardDump => {
                let diagram = self.game.diagram();
                for line in diagram.lines() {
                    self.say(&format!("log {line}"))?;
                }
            }
            Extended::GoalCheck => {
                for line in goal_lines(&self.game) {
                    self.say(&format!("info goalcheck {line}"))?;
                }
            }
            Extended::TrapCheck => {
                for line in trap_lines(&self.game) {
                    self.say(&format!("info trapcheck {line}"))?;
                }
            }
            Extended::Eval if self.thinking.is_some() => {
                self.log("Error", "eval: a search is running")?;
            }
            Extended::Eval => {
                self.explaining = true;
                self.worker.explain(&self.game);
            }
            Extended::TreeDump if self.thinking.is_some() => {
                self.log("Error", "treedump: a search is running")?;
            }
            Extended::TreeDump => {
                self.explaining = true;
                self.worker.tree();
            }
        }
        Ok(())
    }

    /// The engine has told what it thinks of a position, or the tree of its last search.
    pub(super) fn explained(&mut self, what: &str, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return self.say(&format!("log {what}: the engine {} has nothing to show", self.id.name));
        }
        lines.iter().try_for_each(|line| self.say(&format!("info {what} {line}")))
    }
}

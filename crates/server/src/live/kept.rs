//! How a game is written down, and taken up again.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use surus_rules::{Ending, Reason, Side};

use super::{Live, steps_of, turn_texts};
use crate::wire::NewGame;

/// What a finished turn cost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) used_ms: u64,
    /// Both reserves before it, so that a takeback gives them back.
    pub(super) reserves_ms: [u64; 2],
}

/// How a game is kept: enough to play it through again.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    terms: NewGame,
    turns: Vec<String>,
    done: Vec<Done>,
    running: Vec<String>,
    redo: Vec<String>,
    used_ms: u64,
    reserves_ms: [u64; 2],
    /// An end that the board does not tell: the winner and the archive's letter.
    end: Option<(char, char)>,
    change: u64,
}

impl Live {
    /// A game that was kept.
    pub(crate) fn resume(id: String, kept: Kept, created: i64) -> Result<Self, String> {
        let mut live = Self::begin(id, kept.terms, created)?;
        for turn in &kept.turns {
            live.game.play_text(turn).map_err(|error| error.to_string())?;
        }
        for step in steps_of(&kept.running.join(" "))? {
            live.game.step(step).map_err(|error| error.to_string())?;
        }
        live.redo = steps_of(&kept.redo.join(" "))?;
        live.done = kept.done;
        live.used = Duration::from_millis(kept.used_ms);
        live.set_reserves(kept.reserves_ms);
        live.change = kept.change;
        if let Some((winner, letter)) = kept.end {
            let winner = Side::from_letter(winner);
            let reason = Reason::from_letter(letter).unwrap_or(Reason::Forfeit);
            live.game.end(Ending { winner, reason });
        }
        Ok(live)
    }

    /// How to keep it.
    pub(crate) fn kept(&self) -> Kept {
        let outside = |ending: &Ending| {
            use Reason::{Abandoned, Forfeit, Illegal, Resignation, Score, Time};
            matches!(ending.reason, Resignation | Time | Score | Forfeit | Illegal | Abandoned)
        };
        Kept {
            terms: self.terms.clone(),
            turns: turn_texts(&self.game),
            done: self.done.clone(),
            running: self.game.running().steps().map(|step| step.to_string()).collect(),
            redo: self.redo.iter().map(ToString::to_string).collect(),
            used_ms: self.used().as_millis() as u64,
            reserves_ms: self.reserves(),
            end: self
                .game
                .ending()
                .filter(outside)
                .and_then(|e| Some((e.winner?.letter(), e.reason.letter()))),
            change: self.change,
        }
    }
}

//! The state of a game, for the API.

use surus_rules::{HistoryEntry, Phase, Piece, PieceKind, PlayedTurn as Played, Side};

use super::persist::TurnTiming;
use super::{ActiveGame, turn_texts};
use crate::api::{ClockState, GameState, PlayedTurn};
use crate::position_view::{position_view, start_position};
use crate::steps::steps_from_text;

impl ActiveGame {
    /// The complete state.
    pub(crate) fn state(&self) -> GameState {
        let texts = turn_texts(&self.game);
        let turn = |((entry, text), timing): ((&HistoryEntry, String), &TurnTiming)| PlayedTurn {
            tag: entry.tag.to_string(),
            steps: steps_from_text(&text),
            text,
            elapsed_ms: timing.elapsed_ms,
        };
        GameState {
            id: self.id.clone(),
            version: self.version,
            config: self.config.clone(),
            start: start_position(&self.game),
            turns: self.game.entries().iter().zip(texts).zip(&self.turn_timings).map(turn).collect(),
            redo_count: self.redo.len(),
            position: position_view(&self.game),
            captured: self.captured(),
            clock: self.clock_state(),
            engine_to_move: self.engine_to_move().is_some(),
            created_at: self.created_at,
        }
    }

    fn clock_state(&self) -> Option<ClockState> {
        let clock = self.clock?;
        let setup = matches!(self.game.phase(), Phase::Setup(_));
        Some(ClockState {
            time_control: clock.control().to_string(),
            gold_ms: clock.reserve(Side::Gold).as_millis() as u64,
            silver_ms: clock.reserve(Side::Silver).as_millis() as u64,
            per_turn_ms: clock.per_turn(setup).as_millis() as u64,
            elapsed_ms: self.elapsed().as_millis() as u64,
            available_ms: clock.available(self.game.side(), setup).as_millis() as u64,
            running: self.clock_started.is_some() && self.game.result().is_none(),
        })
    }

    /// The captured pieces, strongest first.
    fn captured(&self) -> String {
        let board = self.game.position().board();
        let mut full_board = *self.game.origin().0;
        for entry in self.game.entries() {
            if let Played::Setup(_) = entry.played {
                full_board = entry.board;
            }
        }
        let mut letters = String::new();
        for side in Side::BOTH {
            for kind in PieceKind::ALL.into_iter().rev() {
                let count = full_board.count(side, kind).saturating_sub(board.count(side, kind));
                letters.extend(std::iter::repeat_n(Piece::new(side, kind).letter(), count as usize));
            }
        }
        letters
    }
}

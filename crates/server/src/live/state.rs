//! What is told about a game.

use surus_rules::{Phase, Piece, PieceKind, PlayedTurn, Side};

use super::kept::Done;
use super::{Live, turn_texts};
use crate::view;
use crate::wire::{ClockState, GameState, TurnState};

impl Live {
    /// All that is to be known about it.
    pub(crate) fn state(&self) -> GameState {
        let texts = turn_texts(&self.game);
        let turn = |((entry, text), done): ((&surus_rules::HistoryEntry, String), &Done)| TurnState {
            tag: entry.tag.to_string(),
            text,
            used_ms: done.used_ms,
        };
        let setup = matches!(self.game.phase(), Phase::Setup(_));
        let clock = self.clock.map(|clock| ClockState {
            control: clock.control().to_string(),
            gold_ms: clock.reserve(Side::Gold).as_millis() as u64,
            silver_ms: clock.reserve(Side::Silver).as_millis() as u64,
            per_turn_ms: clock.per_turn(setup).as_millis() as u64,
            used_ms: self.used().as_millis() as u64,
            available_ms: clock.available(self.game.side(), setup).as_millis() as u64,
            running: self.since.is_some() && self.game.result().is_none(),
        });
        GameState {
            id: self.id.clone(),
            change: self.change,
            terms: self.terms.clone(),
            origin: view::origin(&self.game),
            turns: self.game.entries().iter().zip(texts).zip(&self.done).map(turn).collect(),
            redo: self.redo.len(),
            view: view::view(&self.game),
            captured: self.captured(),
            clock,
            engine_to_play: self.engine_to_play().is_some(),
            created: self.created,
        }
    }

    /// The strongest first.
    fn captured(&self) -> String {
        let now = self.game.position().board();
        let mut most = *self.game.origin().0;
        for entry in self.game.entries() {
            if let PlayedTurn::Setup(_) = entry.played {
                most = entry.board;
            }
        }
        let mut letters = String::new();
        for side in Side::BOTH {
            for kind in PieceKind::ALL.into_iter().rev() {
                let gone = most.count(side, kind).saturating_sub(now.count(side, kind));
                letters.extend(std::iter::repeat_n(Piece::new(side, kind).letter(), gone as usize));
            }
        }
        letters
    }
}

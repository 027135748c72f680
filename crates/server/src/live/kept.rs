//! From a game to what is stored of it, and back.

use std::time::Duration;

use surus_rules::{GameResult, Termination};

use super::{GameError, Live, ResumeError, steps_of, turn_texts_from};
use crate::store::{Change, Listed, StoredGame, StoredPlayer, StoredTerms, StoredTurn};
use crate::view;
use crate::wire::{GameSummary, Handicaps, ListedGame, NewGame, Origin, Player, UnreadableGame};

/// What a finished turn cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    pub(super) used_ms: u64,
    /// Both reserves before it, so that a takeback restores them.
    pub(super) reserves_ms: [u64; 2],
}

impl Live {
    /// Replays a stored game.
    pub(crate) fn resume(stored: &StoredGame, turns: &[StoredTurn]) -> Result<Self, ResumeError> {
        let mut live = Self::begin(stored.id.clone(), terms(&stored.terms), stored.created)
            .map_err(ResumeError::Terms)?;
        for StoredTurn { text, used_ms, reserves_ms } in turns {
            let tag = live.game.tag().to_string();
            let fail = |error| ResumeError::Turn { tag, text: text.clone(), error };
            live.game.play_text(text).map_err(fail)?;
            live.done.push(Done { used_ms: *used_ms, reserves_ms: *reserves_ms });
        }
        let fail = |error| ResumeError::Running { text: stored.running.clone(), error };
        for step in steps_of(&stored.running).map_err(|error| fail(error.into()))? {
            live.game.step(step).map_err(|error| fail(GameError::Illegal(error)))?;
        }
        let fail = |error| ResumeError::Redo { text: stored.redo.clone(), error };
        live.redo = steps_of(&stored.redo).map_err(fail)?;
        live.used = Duration::from_millis(stored.used_ms);
        live.set_reserves(stored.reserves_ms);
        live.change = stored.change;
        if let Some(ending) = stored.ending {
            if is_from_outside(ending) {
                live.game.end(ending);
            }
            if live.game.result() != Some(ending) {
                let found = live.game.result().map(|ending| ending.reason);
                return Err(ResumeError::Ending { stored: ending.reason, found });
            }
        }
        Ok(live)
    }

    /// Its row in the store.
    pub(crate) fn stored(&self) -> StoredGame {
        let steps = |steps: &mut dyn Iterator<Item = surus_rules::Step>| {
            steps.map(|step| step.to_string()).collect::<Vec<_>>().join(" ")
        };
        StoredGame {
            id: self.id.clone(),
            created: self.created,
            change: self.change,
            terms: stored_terms(&self.terms),
            running: steps(&mut self.game.current_turn().steps()),
            redo: steps(&mut self.redo.iter().copied()),
            used_ms: self.used().as_millis() as u64,
            reserves_ms: self.reserves(),
            board: self.game.position().board().compact(),
            tag: self.game.tag().to_string(),
            ending: self.game.result(),
        }
    }

    /// What is to be stored of it, where `before` is stored already.
    pub(crate) fn change_since(&self, before: &Self) -> Change {
        let (old, new) = (before.game.entries(), self.game.entries());
        let turns_kept = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let turn = |(text, done): (String, &Done)| StoredTurn {
            text,
            used_ms: done.used_ms,
            reserves_ms: done.reserves_ms,
        };
        Change {
            expected: before.change,
            game: self.stored(),
            turns_before: old.len(),
            turns_kept,
            new_turns: turn_texts_from(&self.game, turns_kept)
                .into_iter()
                .zip(&self.done[turns_kept.min(self.done.len())..])
                .map(turn)
                .collect(),
        }
    }
}

/// Whether an ending does not follow from the turns.
const fn is_from_outside(ending: GameResult) -> bool {
    use Termination::{Abandoned, Forfeit, Illegal, Resignation, Score, Time};
    matches!(ending.reason, Resignation | Time | Score | Forfeit | Illegal | Abandoned)
}

/// A row of the list, for the API.
pub(crate) fn listed(row: Listed) -> ListedGame {
    match row {
        Listed::Game(one) => ListedGame::Game(GameSummary {
            id: one.id,
            gold: player(&one.gold),
            silver: player(&one.silver),
            board: one.board,
            tag: one.tag,
            end: one.ending.map(view::end),
            created: one.created,
            changed: one.changed,
        }),
        Listed::Unreadable { id, created, changed, reason } => {
            ListedGame::Unreadable(UnreadableGame { id, created, changed, reason })
        }
    }
}

fn terms(stored: &StoredTerms) -> NewGame {
    let [gold, silver] = stored.handicaps.clone();
    NewGame {
        gold: player(&stored.gold),
        silver: player(&stored.silver),
        control: stored.control.clone(),
        handicap: Handicaps { gold, silver },
        origin: stored.origin.clone().map(|(board, tag)| Origin { board, tag }),
    }
}

fn stored_terms(terms: &NewGame) -> StoredTerms {
    let player = |player: &Player| match player.clone() {
        Player::Person { name } => StoredPlayer::Person { name },
        Player::Engine { name, seconds } => StoredPlayer::Engine { name, seconds },
    };
    StoredTerms {
        gold: player(&terms.gold),
        silver: player(&terms.silver),
        control: terms.control.clone(),
        handicaps: [terms.handicap.gold.clone(), terms.handicap.silver.clone()],
        origin: terms.origin.clone().map(|Origin { board, tag }| (board, tag)),
    }
}

fn player(stored: &StoredPlayer) -> Player {
    match stored.clone() {
        StoredPlayer::Person { name } => Player::Person { name },
        StoredPlayer::Engine { name, seconds } => Player::Engine { name, seconds },
    }
}

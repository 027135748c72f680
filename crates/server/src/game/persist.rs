//! Conversion between a game and its stored form.

use std::collections::BTreeMap;
use std::time::Duration;

use surus_rules::{GameResult, Step, Termination};

use super::{ActiveGame, GameError, RestoreError, parse_steps, turn_texts_from};
use crate::api::{
    EngineResults, GameSummary, Handicaps, ListedGame, NewGame, Player, StartPosition, UnreadableGame,
};
use crate::position_view::game_end;
use crate::store::{Change, ResultCount, StoredConfig, StoredEntry, StoredGame, StoredPlayer, StoredTurn};

/// The clock data of a complete turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnTiming {
    pub(super) elapsed_ms: u64,
    /// Both reserves before the turn, so that a takeback restores them.
    pub(super) reserves_ms: [u64; 2],
}

impl ActiveGame {
    /// Replays a stored game.
    pub(crate) fn from_stored(stored: &StoredGame, turns: &[StoredTurn]) -> Result<Self, RestoreError> {
        let mut active = Self::new(stored.id.clone(), config(&stored.config), stored.created_at)
            .map_err(RestoreError::Config)?;
        for StoredTurn { text, elapsed_ms, reserves_ms } in turns {
            let tag = active.game.tag().to_string();
            let fail = |error| RestoreError::Turn { tag, text: text.clone(), error };
            active.game.play_text(text).map_err(fail)?;
            let timing = TurnTiming { elapsed_ms: *elapsed_ms, reserves_ms: *reserves_ms };
            active.turn_timings.push(timing);
        }
        let fail = |error| RestoreError::CurrentTurn { text: stored.steps_played.clone(), error };
        for step in parse_steps(&stored.steps_played).map_err(|error| fail(error.into()))? {
            active.game.step(step).map_err(|error| fail(GameError::Illegal(error)))?;
        }
        let fail = |error| RestoreError::Redo { text: stored.redo.clone(), error };
        active.redo = parse_steps(&stored.redo).map_err(fail)?;
        active.elapsed = Duration::from_millis(stored.elapsed_ms);
        active.set_reserves(stored.reserves_ms);
        active.version = stored.version;
        if let Some(result) = stored.result {
            active.restore_result(result)?;
        }
        Ok(active)
    }

    fn restore_result(&mut self, result: GameResult) -> Result<(), RestoreError> {
        if is_external(result) {
            self.game.end(result);
        }
        if self.game.result() == Some(result) {
            return Ok(());
        }
        let found = self.game.result().map(|found| found.reason);
        Err(RestoreError::Result { stored: result.reason, found })
    }

    /// Its row in the store.
    pub(crate) fn to_stored(&self) -> StoredGame {
        let join = |steps: &mut dyn Iterator<Item = Step>| {
            steps.map(|step| step.to_string()).collect::<Vec<_>>().join(" ")
        };
        StoredGame {
            id: self.id.clone(),
            created_at: self.created_at,
            version: self.version,
            config: stored_config(&self.config),
            steps_played: join(&mut self.game.current_turn().steps()),
            redo: join(&mut self.redo.iter().copied()),
            elapsed_ms: self.elapsed().as_millis() as u64,
            reserves_ms: self.reserves(),
            board: self.game.position().board().compact(),
            tag: self.game.tag().to_string(),
            result: self.game.result(),
        }
    }

    /// The rows of its complete turns in the store.
    pub(crate) fn stored_turns(&self) -> Vec<StoredTurn> {
        self.stored_turns_from(0)
    }

    fn stored_turns_from(&self, first: usize) -> Vec<StoredTurn> {
        let timings = self.turn_timings.get(first..).unwrap_or_default();
        let stored_turn = |(text, timing): (String, &TurnTiming)| StoredTurn {
            text,
            elapsed_ms: timing.elapsed_ms,
            reserves_ms: timing.reserves_ms,
        };
        turn_texts_from(&self.game, first).into_iter().zip(timings).map(stored_turn).collect()
    }

    /// The difference to an earlier state, which is stored already.
    pub(crate) fn change_since(&self, before: &Self) -> Change {
        let (old, new) = (before.game.entries(), self.game.entries());
        let turns_kept = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        Change {
            expected_version: before.version,
            game: self.to_stored(),
            turns_before: old.len(),
            turns_kept,
            new_turns: self.stored_turns_from(turns_kept),
        }
    }
}

/// Whether a result does not follow from the turns.
const fn is_external(result: GameResult) -> bool {
    use Termination::{Abandoned, Forfeit, Illegal, Resignation, Score, Time};
    matches!(result.reason, Resignation | Time | Score | Forfeit | Illegal | Abandoned)
}

/// An entry of the list of games, for the API.
pub(crate) fn listed_game(entry: StoredEntry) -> ListedGame {
    match entry {
        StoredEntry::Game(summary) => ListedGame::Game(GameSummary {
            id: summary.id,
            gold: player(&summary.gold),
            silver: player(&summary.silver),
            board: summary.board,
            tag: summary.tag,
            end: summary.result.map(game_end),
            created_at: summary.created_at,
            updated_at: summary.updated_at,
        }),
        StoredEntry::Unreadable { id, created_at, updated_at, reason } => {
            ListedGame::Unreadable(UnreadableGame { id, created_at, updated_at, reason })
        }
    }
}

/// The results of each engine.
pub(crate) fn engine_results(counts: Vec<ResultCount>) -> Vec<EngineResults> {
    let mut engines: BTreeMap<String, EngineResults> = BTreeMap::new();
    for ResultCount { engine, won, games } in counts {
        let results =
            engines.entry(engine.clone()).or_insert(EngineResults { engine, won: 0, lost: 0, drawn: 0 });
        *match won {
            Some(true) => &mut results.won,
            Some(false) => &mut results.lost,
            None => &mut results.drawn,
        } += games;
    }
    engines.into_values().collect()
}

fn config(stored: &StoredConfig) -> NewGame {
    let [gold, silver] = stored.handicaps.clone();
    NewGame {
        gold: player(&stored.gold),
        silver: player(&stored.silver),
        time_control: stored.time_control.clone(),
        handicap: Handicaps { gold, silver },
        start: stored.start.clone().map(|(board, tag)| StartPosition { board, tag }),
        turns: Vec::new(),
    }
}

fn stored_config(config: &NewGame) -> StoredConfig {
    let player = |player: &Player| match player.clone() {
        Player::Human { name } => StoredPlayer::Human { name },
        Player::Engine { name, seconds } => StoredPlayer::Engine { name, seconds },
    };
    StoredConfig {
        gold: player(&config.gold),
        silver: player(&config.silver),
        time_control: config.time_control.clone(),
        handicaps: [config.handicap.gold.clone(), config.handicap.silver.clone()],
        start: config.start.clone().map(|StartPosition { board, tag }| (board, tag)),
    }
}

fn player(stored: &StoredPlayer) -> Player {
    match stored.clone() {
        StoredPlayer::Human { name } => Player::Human { name },
        StoredPlayer::Engine { name, seconds } => Player::Engine { name, seconds },
    }
}

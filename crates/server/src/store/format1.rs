//! Format 1: each game as one JSON text. Only read, for migration.

use rusqlite::{Transaction, params};
use serde::Deserialize;
use surus_rules::{GameResult, Side, Termination};

use super::rows::{StoredConfig, StoredGame, StoredPlayer, StoredTurn};
use super::write;
use crate::game::{ActiveGame, RestoreError};

/// Why a row cannot be converted.
#[derive(Debug, thiserror::Error)]
enum ConvertError {
    #[error("invalid game of format 1: {0}")]
    Json(#[from] serde_json::Error),
    #[error("invalid termination code '{0}'")]
    Reason(char),
    #[error("{turns} turns, but the times of {times}")]
    Times { turns: usize, times: usize },
    #[error(transparent)]
    Restore(#[from] RestoreError),
}

#[derive(Deserialize)]
struct SavedGame {
    terms: Terms,
    turns: Vec<String>,
    done: Vec<Done>,
    running: Vec<String>,
    redo: Vec<String>,
    used_ms: u64,
    reserves_ms: [u64; 2],
    /// A result that does not follow from the turns: the winner and the termination code.
    end: Option<(char, char)>,
    change: u64,
}

#[derive(Deserialize)]
struct Done {
    used_ms: u64,
    reserves_ms: [u64; 2],
}

#[derive(Deserialize)]
struct Terms {
    gold: Player,
    silver: Player,
    control: Option<String>,
    handicap: Handicaps,
    origin: Option<Origin>,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Player {
    Person { name: String },
    Engine { name: String, seconds: u32 },
}

#[derive(Deserialize)]
struct Handicaps {
    gold: String,
    silver: String,
}

#[derive(Deserialize)]
struct Origin {
    board: String,
    tag: String,
}

/// Converts all rows of `games_1` to today's format. A row that cannot be converted is moved to `unreadable` unchanged.
pub(super) fn convert(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare("SELECT id, created, changed, game FROM games_1")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (id, created_at, updated_at): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let text: String = row.get(3)?;
        match game(&id, created_at, &text) {
            Ok((game, turns)) => {
                write::insert(transaction, &game, updated_at)?;
                write::append(transaction, &id, 0, &turns)?;
            }
            Err(error) => {
                transaction.execute(
                    "INSERT INTO unreadable (id, created_at, updated_at, format, data, reason) VALUES (?, ?, ?, 1, ?, ?)",
                    params![id, created_at, updated_at, text, error.to_string()],
                )?;
            }
        }
    }
    Ok(())
}

/// Converts a game, replaying it for its summary.
fn game(id: &str, created_at: i64, text: &str) -> Result<(StoredGame, Vec<StoredTurn>), ConvertError> {
    let saved: SavedGame = serde_json::from_str(text)?;
    if saved.turns.len() != saved.done.len() {
        return Err(ConvertError::Times { turns: saved.turns.len(), times: saved.done.len() });
    }
    let result = match saved.end {
        None => None,
        Some((winner, letter)) => {
            let reason = Termination::from_letter(letter).ok_or(ConvertError::Reason(letter))?;
            Some(GameResult { winner: Side::from_letter(winner), reason })
        }
    };
    let player = |player| match player {
        Player::Person { name } => StoredPlayer::Human { name },
        Player::Engine { name, seconds } => StoredPlayer::Engine { name, seconds },
    };
    let turns: Vec<StoredTurn> = saved
        .turns
        .into_iter()
        .zip(saved.done)
        .map(|(text, done)| StoredTurn { text, elapsed_ms: done.used_ms, reserves_ms: done.reserves_ms })
        .collect();
    let game = StoredGame {
        id: id.into(),
        created_at,
        version: saved.change,
        config: StoredConfig {
            gold: player(saved.terms.gold),
            silver: player(saved.terms.silver),
            time_control: saved.terms.control,
            handicaps: [saved.terms.handicap.gold, saved.terms.handicap.silver],
            start: saved.terms.origin.map(|origin| (origin.board, origin.tag)),
        },
        steps_played: saved.running.join(" "),
        redo: saved.redo.join(" "),
        elapsed_ms: saved.used_ms,
        reserves_ms: saved.reserves_ms,
        board: String::new(),
        tag: String::new(),
        result,
    };
    let active = ActiveGame::from_stored(&game, &turns)?;
    Ok((active.to_stored(), turns))
}

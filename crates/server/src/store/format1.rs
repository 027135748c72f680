//! Format 1: a game as one JSON text. It is only read, to be converted.

use rusqlite::{Transaction, params};
use serde::Deserialize;
use surus_rules::{GameResult, Side, Termination};

use super::rows::{StoredGame, StoredPlayer, StoredTerms, StoredTurn};
use super::write;
use crate::live::{Live, ResumeError};

/// Why a row of this format can't be converted.
#[derive(Debug, thiserror::Error)]
enum ConvertError {
    #[error("it is not a game of format 1: {0}")]
    Json(#[from] serde_json::Error),
    #[error("'{0}' is not a reason for the end of a game")]
    Reason(char),
    #[error("it has {turns} turns, but the times of {times}")]
    Times { turns: usize, times: usize },
    #[error(transparent)]
    Resume(#[from] ResumeError),
}

#[derive(Deserialize)]
struct Kept {
    terms: Terms,
    turns: Vec<String>,
    done: Vec<Done>,
    running: Vec<String>,
    redo: Vec<String>,
    used_ms: u64,
    reserves_ms: [u64; 2],
    /// An end that the board does not show: the winner and the archive's letter.
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

/// Converts all rows of `games_1`; one that can't be converted goes to `unreadable` as it is.
pub(super) fn convert(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare("SELECT id, created, changed, game FROM games_1")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (id, created, changed): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let text: String = row.get(3)?;
        match game(&id, created, &text) {
            Ok((game, turns)) => {
                write::insert(transaction, &game, changed)?;
                write::append(transaction, &id, 0, &turns)?;
            }
            Err(error) => {
                transaction.execute(
                    "INSERT INTO unreadable (id, created, changed, format, data, reason) VALUES (?, ?, ?, 1, ?, ?)",
                    params![id, created, changed, text, error.to_string()],
                )?;
            }
        }
    }
    Ok(())
}

/// The game is replayed once, for its summary.
fn game(id: &str, created: i64, text: &str) -> Result<(StoredGame, Vec<StoredTurn>), ConvertError> {
    let kept: Kept = serde_json::from_str(text)?;
    if kept.turns.len() != kept.done.len() {
        return Err(ConvertError::Times { turns: kept.turns.len(), times: kept.done.len() });
    }
    let ending = match kept.end {
        None => None,
        Some((winner, letter)) => {
            let reason = Termination::from_letter(letter).ok_or(ConvertError::Reason(letter))?;
            Some(GameResult { winner: Side::from_letter(winner), reason })
        }
    };
    let player = |player| match player {
        Player::Person { name } => StoredPlayer::Person { name },
        Player::Engine { name, seconds } => StoredPlayer::Engine { name, seconds },
    };
    let turns: Vec<StoredTurn> = kept
        .turns
        .into_iter()
        .zip(kept.done)
        .map(|(text, done)| StoredTurn { text, used_ms: done.used_ms, reserves_ms: done.reserves_ms })
        .collect();
    let game = StoredGame {
        id: id.into(),
        created,
        change: kept.change,
        terms: StoredTerms {
            gold: player(kept.terms.gold),
            silver: player(kept.terms.silver),
            control: kept.terms.control,
            handicaps: [kept.terms.handicap.gold, kept.terms.handicap.silver],
            origin: kept.terms.origin.map(|origin| (origin.board, origin.tag)),
        },
        running: kept.running.join(" "),
        redo: kept.redo.join(" "),
        used_ms: kept.used_ms,
        reserves_ms: kept.reserves_ms,
        board: String::new(),
        tag: String::new(),
        ending,
    };
    let live = Live::resume(&game, &turns)?;
    Ok((live.stored(), turns))
}

//! The list of known wins in two turns.

use std::collections::BTreeMap;

use serde::Serialize;
use surus_record::{KnownWin, parse_known_wins};
use surus_rules::{Game, Position, Rules, Side, TurnTag};

use super::legal::SymmetryMatch;
use super::{Hit, LookupOptions, LookupResult};
use crate::error::{ArchiveError, Result};
use crate::import::{RejectReason, RejectedGame, counts};
use crate::pack::{SetupOrTurn, pack_board, pack_played, unpack_board};
use crate::rank::PositionId;
use crate::store::{ArchiveDb, Value};
use crate::view::MoverBoard;

/// The result of importing a list of known wins.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct KnownWinsSummary {
    /// Lines in the list.
    pub read: u64,
    /// Positions added.
    pub added: u64,
    /// Positions that were already present.
    pub duplicates: u64,
    /// Rejected lines, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// The rejected lines.
    #[serde(skip)]
    pub rejects: Vec<RejectedGame>,
}

/// Imports a list of lines `gameNumber:turnNumber turn`. The archive must contain the games, which provide the boards.
pub fn import_wins(store: &ArchiveDb, file: &str, text: &str) -> Result<KnownWinsSummary> {
    let mut summary = KnownWinsSummary::default();
    store.transaction(|| {
        for parsed in parse_known_wins(text) {
            summary.read += 1;
            let rejected =
                |line, id, reason, detail| RejectedGame { file: file.into(), line, id, reason, detail };
            let win = match parsed {
                Ok(win) => win,
                Err(error) => {
                    let detail =
                        format!("expected gameNumber:turnNumber and a turn, found '{}'", error.found);
                    summary.rejects.push(rejected(error.line, String::new(), RejectReason::Record, detail));
                    continue;
                }
            };
            match row(store, &win)? {
                Ok(values) if insert(store, &values)? => summary.added += 1,
                Ok(_) => summary.duplicates += 1,
                Err((reason, detail)) => {
                    summary.rejects.push(rejected(win.line, win.game.to_string(), reason, detail));
                }
            }
        }
        Ok(())
    })?;
    summary.rejected = counts(&summary.rejects);
    Ok(summary)
}

/// The columns after the id, or why the win cannot be added.
fn row(store: &ArchiveDb, win: &KnownWin) -> Result<std::result::Result<[Value; 6], (RejectReason, String)>> {
    let TurnTag { number, side } = win.tag;
    let Some(game) = crate::games::find_by_external_id(store, win.game)? else {
        return Ok(Err((RejectReason::UnknownGame, format!("game {} is not in the archive", win.game))));
    };
    let id = PositionId::new(game, number, side);
    let rows = store.query("SELECT board FROM positions WHERE id = $1", &[id.0.into()])?;
    let Some(row) = rows.first() else {
        let detail = format!("game {} has no turn {}", win.game, win.tag);
        return Ok(Err((RejectReason::UnknownTurn, detail)));
    };
    let board = unpack_board(row.bytes(0)?)
        .ok_or_else(|| ArchiveError::Corrupt(format!("the board of position {}", id.0)))?;
    let played = Position::new(board, side).map_err(|error| error.to_string()).and_then(|position| {
        let mut game = Game::from_position(&position, number, Rules::Official);
        game.play_text(&win.turn).map_err(|error| error.to_string())?;
        game.entries().last().map(|entry| pack_played(&entry.played)).ok_or_else(|| "no turn".to_string())
    });
    let played = match played {
        Ok(played) => played,
        Err(detail) => return Ok(Err((RejectReason::Illegal, detail))),
    };
    let key = MoverBoard::new(&board, side).full().key as i64;
    Ok(Ok([
        win.game.into(),
        i64::from(number).into(),
        (side as i32).into(),
        pack_board(&board).into(),
        played.into(),
        key.into(),
    ]))
}

/// Inserts a win; returns false for a duplicate.
fn insert(store: &ArchiveDb, values: &[Value; 6]) -> Result<bool> {
    let id = store.query_scalar("SELECT max(id) FROM known_wins", &[])? + 1;
    let sql = "INSERT INTO known_wins (id, external_id, turn, side, board, played, full_key)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (external_id, turn, side, played) DO NOTHING";
    Ok(store.execute(sql, &[&[id.into()][..], values].concat())? > 0)
}

const SQL: &str =
    "SELECT external_id, turn, side, board, played FROM known_wins WHERE full_key = $1 ORDER BY id";

pub(super) fn lookup(store: &ArchiveDb, game: &Game, options: &LookupOptions) -> Result<LookupResult> {
    let pattern = MoverBoard::new(game.turn_start(), game.side()).full();
    let mut result = LookupResult::default();
    for row in store.query(SQL, &[(pattern.key as i64).into()])? {
        let side = if row.get_i64(2)? == 0 { Side::Gold } else { Side::Silver };
        let corrupt = || ArchiveError::Corrupt("a board in the list of known wins".into());
        let board = unpack_board(row.bytes(3)?).ok_or_else(corrupt)?;
        result.examined += 1;
        let found = MoverBoard::new(&board, side).full();
        let flipped = side != game.side();
        let images = SymmetryMatch::new(found.mirrored != pattern.mirrored, pattern.symmetric);
        let legal =
            if found == pattern { images.legal(game, row.bytes(4)?, &board, flipped, options) } else { None };
        if let Some((turn, mirrored)) = legal {
            let played = SetupOrTurn::Turn(turn);
            let number = row.get_i32(1)?.unsigned_abs();
            let position = crate::games::find_by_external_id(store, row.get_i64(0)?)?
                .map(|game| PositionId::new(game, number, side));
            result.hit =
                Some(Hit { played, position, rank: None, games: None, mirrored, flipped, recentred: false });
            break;
        }
        result.illegal += 1;
    }
    Ok(result)
}

pub(super) fn plan(store: &ArchiveDb) -> Result<Vec<String>> {
    store.explain(SQL, &[0i64.into()])
}

//! The list of positions that are won in two turns.

use serde::Serialize;
use surus_record::parse_known_wins;
use surus_rules::{Game, Position, Rules, Side, TurnTag};

use super::legal::SymmetryMatch;
use super::{Hit, LookupOptions, LookupResult};
use crate::error::{ArchiveError, Result};
use crate::pack::{SetupOrTurn, pack_board, pack_played, unpack_board};
use crate::rank::PositionId;
use crate::store::{ArchiveDb, Value};
use crate::view::MoverBoard;

/// What became of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct KnownWinsSummary {
    /// Lines of the list.
    pub read: u64,
    /// Positions that were added.
    pub added: u64,
    /// Positions that were there.
    pub duplicates: u64,
    /// Lines that could not be used, with the reason.
    pub rejected: Vec<String>,
}

/// Reads a list of lines `gameNumber:turnNumber winning turn`. The games must be in the store, for they hold the boards.
pub fn import_wins(store: &ArchiveDb, text: &str) -> Result<KnownWinsSummary> {
    let mut done = KnownWinsSummary::default();
    store.transaction(|| {
        for found in parse_known_wins(text) {
            done.read += 1;
            let win = match found {
                Ok(win) => win,
                Err(error) => {
                    done.rejected.push(error.to_string());
                    continue;
                }
            };
            match add(store, &win) {
                Ok(true) => done.added += 1,
                Ok(false) => done.duplicates += 1,
                Err(ArchiveError::InvalidQuery(sentence)) => {
                    done.rejected.push(format!("line {}: {sentence}", win.line));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    })?;
    Ok(done)
}

fn add(store: &ArchiveDb, win: &surus_record::KnownWin) -> Result<bool> {
    let missing =
        || ArchiveError::InvalidQuery(format!("game {} has no turn {} in the archive", win.game, win.tag));
    let TurnTag { number, side } = win.tag;
    let game = crate::games::find_by_external_id(store, win.game)?.ok_or_else(missing)?;
    let id = PositionId::new(game, number, side);
    let rows = store.query("SELECT board FROM positions WHERE id = $1", &[id.0.into()])?;
    let board = rows.first().ok_or_else(missing)?.bytes(0)?.to_vec();
    let board = unpack_board(&board)
        .ok_or_else(|| ArchiveError::Corrupt(format!("the board of position {}", id.0)))?;
    let position =
        Position::new(board, side).map_err(|error| ArchiveError::InvalidQuery(error.to_string()))?;
    let mut game = Game::from_position(&position, number, Rules::Official);
    game.play_text(&win.turn).map_err(|error| ArchiveError::InvalidQuery(error.to_string()))?;
    let next = game.entries().last().map(|entry| pack_played(&entry.played)).ok_or_else(missing)?;
    let key = MoverBoard::new(&board, side).full().key as i64;
    let last = store.query_scalar("SELECT max(id) FROM wins", &[])?;
    let values: [Value; 7] = [
        (last + 1).into(),
        win.game.into(),
        i64::from(number).into(),
        (side as i32).into(),
        pack_board(&board).into(),
        next.into(),
        key.into(),
    ];
    let sql =
        "INSERT INTO wins (id, number, turn, side, board, next, full_key) VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (number, turn, side, next) DO NOTHING";
    Ok(0 < store.execute(sql, &values)?)
}

const SQL: &str = "SELECT number, turn, side, board, next FROM wins WHERE full_key = $1 ORDER BY id";

pub(super) fn ask(store: &ArchiveDb, game: &Game, options: &LookupOptions) -> Result<LookupResult> {
    let pattern = MoverBoard::new(game.turn_start(), game.side()).full();
    let mut asked = LookupResult::default();
    for row in store.query(SQL, &[(pattern.key as i64).into()])? {
        let side = if row.get_i64(2)? == 0 { Side::Gold } else { Side::Silver };
        let damaged = || ArchiveError::Corrupt("a board in the list of wins".into());
        let board = unpack_board(row.bytes(3)?).ok_or_else(damaged)?;
        asked.examined += 1;
        let found = MoverBoard::new(&board, side).full();
        let flipped = side != game.side();
        let images = SymmetryMatch::new(found.mirrored != pattern.mirrored, pattern.symmetric);
        let legal =
            if found == pattern { images.legal(game, row.bytes(4)?, &board, flipped, options) } else { None };
        if let Some((turn, mirrored)) = legal {
            let next = SetupOrTurn::Turn(turn);
            let number = row.get_i32(1)?.unsigned_abs();
            let position = crate::games::find_by_external_id(store, row.get_i64(0)?)?
                .map(|game| PositionId::new(game, number, side));
            asked.hit =
                Some(Hit { next, position, rank: None, games: None, mirrored, flipped, recentred: false });
            break;
        }
        asked.illegal += 1;
    }
    Ok(asked)
}

pub(super) fn plan(store: &ArchiveDb) -> Result<Vec<String>> {
    store.explain(SQL, &[0i64.into()])
}

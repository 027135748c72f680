//! The list of positions that are won in two turns.

use serde::Serialize;
use surus_record::parse_known_wins;
use surus_rules::{Game, Position, Rules, Side, TurnTag};

use super::legal::Images;
use super::{AskOptions, Asked, Hit};
use crate::error::{ArchiveError, Result};
use crate::pack::{Next, pack_board, pack_played, unpack_board};
use crate::rank::PositionId;
use crate::store::{Store, Value};
use crate::view::View;

/// What became of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct WinsImported {
    /// Lines of the list.
    pub read: u64,
    /// Positions that were added.
    pub added: u64,
    /// Positions that were there.
    pub known: u64,
    /// Lines that could not be used, with the reason.
    pub aside: Vec<String>,
}

/// Reads a list of lines `gameNumber:turnNumber winning turn`. The games must be in the store, for they hold the boards.
pub fn import_wins(store: &Store, text: &str) -> Result<WinsImported> {
    let mut done = WinsImported::default();
    store.transaction(|| {
        for found in parse_known_wins(text) {
            done.read += 1;
            let win = match found {
                Ok(win) => win,
                Err(error) => {
                    done.aside.push(error.to_string());
                    continue;
                }
            };
            match add(store, &win) {
                Ok(true) => done.added += 1,
                Ok(false) => done.known += 1,
                Err(ArchiveError::Asked(sentence)) => {
                    done.aside.push(format!("line {}: {sentence}", win.line));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    })?;
    Ok(done)
}

fn add(store: &Store, win: &surus_record::KnownWin) -> Result<bool> {
    let missing = || ArchiveError::Asked(format!("game {} has no turn {} in the archive", win.game, win.tag));
    let TurnTag { number, side } = win.tag;
    let game = crate::games::by_number(store, win.game)?.ok_or_else(missing)?;
    let id = PositionId::new(game, number, side);
    let rows = store.rows("SELECT board FROM positions WHERE id = $1", &[id.0.into()])?;
    let board = rows.first().ok_or_else(missing)?.bytes(0)?.to_vec();
    let board = unpack_board(&board)
        .ok_or_else(|| ArchiveError::Damaged(format!("the board of position {}", id.0)))?;
    let position = Position::new(board, side).map_err(|error| ArchiveError::Asked(error.to_string()))?;
    let mut game = Game::from_position(&position, number, Rules::Official);
    game.play_text(&win.turn).map_err(|error| ArchiveError::Asked(error.to_string()))?;
    let next = game.entries().last().map(|entry| pack_played(&entry.played)).ok_or_else(missing)?;
    let key = View::new(&board, side).full().key as i64;
    let last = store.number("SELECT max(id) FROM wins", &[])?;
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

pub(super) fn ask(store: &Store, game: &Game, options: &AskOptions) -> Result<Asked> {
    let pattern = View::new(game.turn_start(), game.side()).full();
    let mut asked = Asked::default();
    for row in store.rows(SQL, &[(pattern.key as i64).into()])? {
        let side = if row.whole(2)? == 0 { Side::Gold } else { Side::Silver };
        let damaged = || ArchiveError::Damaged("a board in the list of wins".into());
        let board = unpack_board(row.bytes(3)?).ok_or_else(damaged)?;
        asked.looked_at += 1;
        let found = View::new(&board, side).full();
        let flipped = side != game.side();
        let images = Images::new(found.mirrored != pattern.mirrored, pattern.symmetric);
        let legal =
            if found == pattern { images.legal(game, row.bytes(4)?, &board, flipped, options) } else { None };
        if let Some((turn, mirrored)) = legal {
            let next = Next::Turn(turn);
            let number = row.int(1)?.unsigned_abs();
            let position = crate::games::by_number(store, row.whole(0)?)?
                .map(|game| PositionId::new(game, number, side));
            asked.hit =
                Some(Hit { next, position, rank: None, games: None, mirrored, flipped, again: false });
            break;
        }
        asked.illegal += 1;
    }
    Ok(asked)
}

pub(super) fn plan(store: &Store) -> Result<Vec<String>> {
    store.plan(SQL, &[0i64.into()])
}

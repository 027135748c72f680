//! Makes the rows of a store out of a game of a file.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use surus_record::{ArchiveFileError as RowError, ArchiveRow, RawGame};
use surus_rules::{Game, PlayedTurn, Rules, Side, Step};

use super::read::{FileFormat, SourceEntry};
use super::reject::RejectReason;
use super::replay::{ReplayedGame, replay_dated, replay_undated};
use crate::games::gameroom_key;
use crate::hash::fingerprint;
use crate::pack::{moved_pieces, pack_board, pack_played};
use crate::rank::{MOST_PLIES, PositionAttributes, PositionId, Rank};
use crate::store::Value;
use crate::view::{PartialKeys, PositionKeys};

/// A game that is ready to be kept. Its number, and those of its positions, are given by the store.
#[derive(Clone, Debug)]
pub(crate) struct GameRows {
    pub(crate) origin: String,
    /// The columns of the games table behind the origin, but for the file's name.
    pub(crate) columns: Vec<Value>,
    pub(crate) movelist: String,
    pub(crate) events: String,
    pub(crate) line: usize,
    pub(crate) positions: Vec<PositionRow>,
}

/// A position that is ready to be kept.
#[derive(Clone, Debug)]
pub(crate) struct PositionRow {
    pub(crate) number: u32,
    pub(crate) side: Side,
    pub(crate) rank: Rank,
    pub(crate) about: PositionAttributes,
    pub(crate) board: Vec<u8>,
    pub(crate) next: Vec<u8>,
    pub(crate) moved_pieces: i32,
    pub(crate) keys: PositionKeys,
}

impl PositionRow {
    /// The row of the table of positions.
    pub(crate) fn row(&self, game: i64) -> Vec<Value> {
        let PositionKeys { full, parts, .. } = self.keys;
        let part = |of: fn(PartialKeys) -> i32| Value::from(parts.map(of));
        vec![
            PositionId::new(game, self.number, self.side).0.into(),
            self.rank.0.into(),
            self.about.pack().into(),
            self.board.clone().into(),
            self.next.clone().into(),
            full.into(),
            part(|p| p.middle),
            part(|p| p.areas[0]),
            part(|p| p.areas[1]),
            part(|p| p.areas[2]),
            part(|p| p.areas[3]),
            part(|p| p.pieces[0]),
            part(|p| p.pieces[1]),
            self.moved_pieces.into(),
        ]
    }
}

/// What is told of a game beside its turns.
#[derive(Clone, Debug, Default)]
struct GameMetadata {
    winner: Option<Side>,
    ratings: [Option<i64>; 2],
    bots: [bool; 2],
    year: Option<i32>,
}

/// The game of an item, or why it is set aside, with its number in the file if that is known.
pub(crate) fn prepare(
    layout: &FileFormat,
    item: &SourceEntry,
) -> Result<GameRows, (String, RejectReason, String)> {
    let unnamed = |(why, detail)| (String::new(), why, detail);
    let text = decode_utf8(&item.text).map_err(unnamed)?;
    match layout {
        FileFormat::ArchiveRows(columns) => {
            let row = columns.parse_row(text, item.line).map_err(|error| match error {
                RowError::Columns { expected, found, .. } => unnamed((
                    RejectReason::ColumnCount,
                    format!("expected {expected} columns, found {found}"),
                )),
                other @ RowError::Header(_) => unnamed((RejectReason::ColumnCount, other.to_string())),
            })?;
            from_row(&row).map_err(|(why, detail)| (row.id().into(), why, detail))
        }
        FileFormat::Records => from_record(text, item.line).map_err(unnamed),
    }
}

fn decode_utf8(bytes: &[u8]) -> Result<&str, (RejectReason, String)> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        (RejectReason::InvalidEncoding, format!("byte {} is no UTF-8 text", error.valid_up_to() + 1))
    })?;
    match text.char_indices().find(|(_, c)| c.is_control() && !matches!(c, '\t' | '\n')) {
        Some((at, c)) => Err((
            RejectReason::InvalidEncoding,
            format!("byte {} is the control character {:#04x}", at + 1, c as u32),
        )),
        None => Ok(text),
    }
}

fn from_row(row: &ArchiveRow) -> Result<GameRows, (RejectReason, String)> {
    let number = |name: &str| match row.get(name).trim() {
        "" | "NULL" => Ok(None),
        text => text
            .parse::<i64>()
            .map(Some)
            .map_err(|_| (RejectReason::Number, format!("{name}: expected a number, found '{text}'"))),
    };
    let code = |name: &str, known: &str| {
        let text = row.get(name).trim();
        let fits = text.is_empty() || text.len() == 1 && known.contains(text);
        let wrong =
            || (RejectReason::UnknownCode, format!("{name}: expected one of {known}, found '{text}'"));
        if fits { Ok(text.to_owned()) } else { Err(wrong()) }
    };
    let text = |name: &str| Value::from(row.get(name));
    let result = match code("result", "wbgsdu")?.as_str() {
        "w" => "g".into(),
        "b" => "s".into(),
        other => other.to_owned(),
    };
    let termination = code("termination", "gmetrifaspnu")?;
    let types = [code("gtype", "hb")?, code("stype", "hb")?];
    let ratings = [number("grating")?, number("srating")?];
    let started = number("startts")?;
    let id = number("id")?;
    let mut columns = vec![id.into(), number("gplayerid")?.into(), number("splayerid")?.into()];
    columns.extend(["gusername", "susername", "gtitle", "stitle", "gcountry", "scountry"].map(text));
    columns.extend(ratings.map(Value::from));
    columns.extend([number("gratingk")?.into(), number("sratingk")?.into()]);
    columns.extend(types.clone().map(Value::from));
    columns.extend(["event", "site", "timecontrol"].map(text));
    columns.extend([number("postal")?.into(), started.into(), number("endts")?.into()]);
    columns.extend([Value::from(result), termination.into(), number("plycount")?.into(), text("mode")]);
    let corrupt = number("corrupt")?;
    columns.extend([number("rated")?.into(), corrupt.into()]);
    let legal = replay_dated(&RawGame::from(row))?;
    if corrupt == Some(1) {
        return Err((RejectReason::Corrupt, "the archive marks the game as corrupt".into()));
    }
    let told = GameMetadata {
        winner: row.winner(),
        ratings,
        bots: types.map(|code| code == "b"),
        year: started.filter(|&seconds| 0 < seconds).and_then(year),
    };
    let (movelist, events) = (row.get("movelist").to_owned(), row.get("events").to_owned());
    build_rows(dedup_key(row, id)?, columns, (movelist, events), row.line, &legal, &told)
}

/// The gameroom numbers its games once and for all; other programs begin at 1 again, so that only what happened tells
/// their games apart.
fn dedup_key(row: &ArchiveRow, id: Option<i64>) -> Result<String, (RejectReason, String)> {
    if row.get("site") == "Over the Net" {
        return id
            .map(gameroom_key)
            .ok_or_else(|| (RejectReason::Number, "id: expected a number, found nothing".into()));
    }
    let parts = ["id", "gusername", "susername", "site", "startts", "movelist"].map(|name| row.get(name));
    Ok(format!("row {}", fingerprint(parts.join("\t").as_bytes())))
}

fn from_record(text: &str, line: usize) -> Result<GameRows, (RejectReason, String)> {
    let source =
        RawGame { name: line.to_string(), line, record: text.into(), rules: Rules::Official, start: None };
    let legal = replay_undated(&source)?;
    let ending = legal.segments.last().and_then(Game::result);
    let result = ending.map_or("u", |ending| match ending.winner {
        Some(Side::Gold) => "g",
        Some(Side::Silver) => "s",
        None => "d",
    });
    let termination = ending.map(|ending| ending.reason.letter().to_string()).unwrap_or_default();
    let last = legal.segments.iter().flat_map(Game::entries).map(|entry| entry.tag.number).max();
    let empty = || Value::from("");
    let mut columns = vec![Value::Null; 3];
    columns.extend(std::iter::repeat_with(empty).take(6));
    columns.extend(vec![Value::Null; 4]);
    columns.extend(std::iter::repeat_with(empty).take(5));
    columns.extend(vec![Value::Null; 3]);
    columns.extend([result.into(), termination.into(), last.map(i64::from).into(), "".into()]);
    columns.extend(vec![Value::Null; 2]);
    let told = GameMetadata { winner: ending.and_then(|ending| ending.winner), ..GameMetadata::default() };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let movelist = lines.join("\\n");
    let origin = format!("record {}", fingerprint(movelist.as_bytes()));
    build_rows(origin, columns, (movelist, String::new()), line, &legal, &told)
}

/// The year of a time.
pub(crate) fn year(seconds: i64) -> Option<i32> {
    let time = Timestamp::from_second(seconds).ok()?;
    Some(time.to_zoned(TimeZone::UTC).date().year().into())
}

fn build_rows(
    origin: String,
    mut columns: Vec<Value>,
    (movelist, events): (String, String),
    line: usize,
    legal: &ReplayedGame,
    told: &GameMetadata,
) -> Result<GameRows, (RejectReason, String)> {
    let positions = positions(legal, told)?;
    if positions.is_empty() {
        return Err((RejectReason::Empty, "the record has no turn".into()));
    }
    columns.push(legal.rules.name().into());
    columns.push((positions.len() as i64).into());
    columns.push((legal.takebacks as i64).into());
    Ok(GameRows { origin, columns, movelist, events, line, positions })
}

/// Every position in which something was played.
fn positions(legal: &ReplayedGame, told: &GameMetadata) -> Result<Vec<PositionRow>, (RejectReason, String)> {
    let entries = || legal.segments.iter().flat_map(Game::entries);
    let last = |side| {
        entries().filter(|entry| entry.tag.side == side).map(|entry| entry.tag.number).max().unwrap_or(0)
    };
    let lasts = Side::BOTH.map(last);
    if lasts.iter().any(|&last| MOST_PLIES / 2 <= last) {
        return Err((RejectReason::TooManyTurns, format!("more than {} turns", MOST_PLIES / 2)));
    }
    let mut stored = Vec::with_capacity(entries().count());
    for part in &legal.segments {
        let mut before = *part.origin().0;
        for entry in part.entries() {
            let (side, number) = (entry.tag.side, entry.tag.number);
            let (own, other) = (side as usize, side.other() as usize);
            let (mover, moved_pieces) = match &entry.played {
                PlayedTurn::Setup(_) => (None, 0),
                PlayedTurn::Turn(turn) => {
                    let first = turn.steps().find(|step| step.piece().side() == side).map(Step::from);
                    (first, moved_pieces(turn))
                }
            };
            let keys = PositionKeys::new(&before, side, mover);
            let rating = |index: usize| told.ratings[index].unwrap_or(0).clamp(0, 9999) as i32;
            let left = lasts[own].saturating_sub(number) as i32;
            stored.push(PositionRow {
                moved_pieces,
                number,
                side,
                rank: Rank::new(told.winner == Some(side), rating(own), left),
                about: PositionAttributes {
                    rating: rating(other),
                    no_winner: told.winner.is_none(),
                    bots: [told.bots[own], told.bots[other]],
                    year: told.year,
                    mirrored: keys.mirrored,
                },
                board: pack_board(&before),
                next: pack_played(&entry.played),
                keys,
            });
            before = entry.board;
        }
    }
    Ok(stored)
}

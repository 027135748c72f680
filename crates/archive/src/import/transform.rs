//! Converts a game of a file to database rows.

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
use crate::rank::{MAX_PLIES, PositionAttributes, PositionId, Rank};
use crate::store::Value;
use crate::view::{PartialKeys, PositionKeys};

/// The rows of a game, without ids.
#[derive(Clone, Debug)]
pub(crate) struct GameRows {
    pub(crate) dedup_key: String,
    /// The columns of the games table after `dedup_key`, except the file name.
    pub(crate) columns: Vec<Value>,
    pub(crate) movelist: String,
    pub(crate) events: String,
    pub(crate) line: usize,
    pub(crate) positions: Vec<PositionRow>,
}

/// The row of a position, without its id.
#[derive(Clone, Debug)]
pub(crate) struct PositionRow {
    pub(crate) number: u32,
    pub(crate) side: Side,
    pub(crate) rank: Rank,
    pub(crate) attributes: PositionAttributes,
    pub(crate) board: Vec<u8>,
    pub(crate) played: Vec<u8>,
    pub(crate) moved_pieces: i32,
    pub(crate) keys: PositionKeys,
}

impl PositionRow {
    /// The values of the row in the order of the table's columns.
    pub(crate) fn row(&self, game: i64) -> Vec<Value> {
        let PositionKeys { full, parts, .. } = self.keys;
        let key = |of: fn(PartialKeys) -> i32| Value::from(parts.map(of));
        vec![
            PositionId::new(game, self.number, self.side).0.into(),
            self.rank.0.into(),
            self.attributes.pack().into(),
            self.board.clone().into(),
            self.played.clone().into(),
            full.into(),
            key(|p| p.middle),
            key(|p| p.areas[0]),
            key(|p| p.areas[1]),
            key(|p| p.areas[2]),
            key(|p| p.areas[3]),
            key(|p| p.pieces[0]),
            key(|p| p.pieces[1]),
            self.moved_pieces.into(),
        ]
    }
}

/// What is known about a game besides its turns.
#[derive(Clone, Debug, Default)]
struct GameMetadata {
    winner: Option<Side>,
    ratings: [Option<i64>; 2],
    bots: [bool; 2],
    year: Option<i32>,
}

/// The rows of a game, or its id in the file (if known) and the reason for its rejection.
pub(crate) fn transform(
    format: &FileFormat,
    entry: &SourceEntry,
) -> Result<GameRows, (String, RejectReason, String)> {
    let unnamed = |(reason, detail)| (String::new(), reason, detail);
    let text = decode_utf8(&entry.text).map_err(unnamed)?;
    match format {
        FileFormat::ArchiveRows(columns) => {
            let row = columns.parse_row(text, entry.line).map_err(|error| match error {
                RowError::Columns { expected, found, .. } => unnamed((
                    RejectReason::ColumnCount,
                    format!("expected {expected} columns, found {found}"),
                )),
                other @ RowError::Header(_) => unnamed((RejectReason::ColumnCount, other.to_string())),
            })?;
            from_row(&row).map_err(|(reason, detail)| (row.id().into(), reason, detail))
        }
        FileFormat::Records => from_record(text, entry.line).map_err(unnamed),
    }
}

fn decode_utf8(bytes: &[u8]) -> Result<&str, (RejectReason, String)> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        (RejectReason::InvalidEncoding, format!("byte {} is not valid UTF-8", error.valid_up_to() + 1))
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
    let code = |name: &str, codes: &str| {
        let text = row.get(name).trim();
        let valid = text.is_empty() || text.len() == 1 && codes.contains(text);
        let wrong =
            || (RejectReason::UnknownCode, format!("{name}: expected one of {codes}, found '{text}'"));
        if valid { Ok(text.to_owned()) } else { Err(wrong()) }
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
    let replayed = replay_dated(&RawGame::from(row))?;
    if corrupt == Some(1) {
        return Err((RejectReason::Corrupt, "the archive marks the game as corrupt".into()));
    }
    let metadata = GameMetadata {
        winner: row.winner(),
        ratings,
        bots: types.map(|code| code == "b"),
        year: started.filter(|&seconds| seconds > 0).and_then(year),
    };
    let (movelist, events) = (row.get("movelist").to_owned(), row.get("events").to_owned());
    build_rows(dedup_key(row, id)?, columns, movelist, events, row.line, &replayed, &metadata)
}

/// Ids of the gameroom are unique. Other sources number their games from 1, so those are identified by their content.
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
    let replayed = replay_undated(&source)?;
    let ending = replayed.segments.last().and_then(Game::result);
    let result = ending.map_or("u", |ending| match ending.winner {
        Some(Side::Gold) => "g",
        Some(Side::Silver) => "s",
        None => "d",
    });
    let termination = ending.map(|ending| ending.reason.letter().to_string()).unwrap_or_default();
    let last = replayed.segments.iter().flat_map(Game::entries).map(|entry| entry.tag.number).max();
    let empty = || Value::from("");
    let mut columns = vec![Value::Null; 3];
    columns.extend(std::iter::repeat_with(empty).take(6));
    columns.extend(vec![Value::Null; 4]);
    columns.extend(std::iter::repeat_with(empty).take(5));
    columns.extend(vec![Value::Null; 3]);
    columns.extend([result.into(), termination.into(), last.map(i64::from).into(), "".into()]);
    columns.extend(vec![Value::Null; 2]);
    let metadata =
        GameMetadata { winner: ending.and_then(|ending| ending.winner), ..GameMetadata::default() };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let movelist = lines.join("\\n");
    let dedup_key = format!("record {}", fingerprint(movelist.as_bytes()));
    build_rows(dedup_key, columns, movelist, String::new(), line, &replayed, &metadata)
}

/// The year of a Unix time.
pub(crate) fn year(seconds: i64) -> Option<i32> {
    let time = Timestamp::from_second(seconds).ok()?;
    Some(time.to_zoned(TimeZone::UTC).date().year().into())
}

fn build_rows(
    dedup_key: String,
    mut columns: Vec<Value>,
    movelist: String,
    events: String,
    line: usize,
    replayed: &ReplayedGame,
    metadata: &GameMetadata,
) -> Result<GameRows, (RejectReason, String)> {
    let positions = positions(replayed, metadata)?;
    if positions.is_empty() {
        return Err((RejectReason::Empty, "the record has no turns".into()));
    }
    columns.push(replayed.rules.name().into());
    columns.push((positions.len() as i64).into());
    columns.push((replayed.takebacks as i64).into());
    Ok(GameRows { dedup_key, columns, movelist, events, line, positions })
}

/// The rows of all positions in which something was played.
fn positions(
    replayed: &ReplayedGame,
    metadata: &GameMetadata,
) -> Result<Vec<PositionRow>, (RejectReason, String)> {
    let entries = || replayed.segments.iter().flat_map(Game::entries);
    let last = |side| {
        entries().filter(|entry| entry.tag.side == side).map(|entry| entry.tag.number).max().unwrap_or(0)
    };
    let lasts = Side::BOTH.map(last);
    if lasts.iter().any(|&last| last >= MAX_PLIES / 2) {
        return Err((RejectReason::TooManyTurns, format!("more than {} turns", MAX_PLIES / 2)));
    }
    let mut stored = Vec::with_capacity(entries().count());
    for segment in &replayed.segments {
        let mut before = *segment.origin().0;
        for entry in segment.entries() {
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
            let rating = |index: usize| metadata.ratings[index].unwrap_or(0).clamp(0, 9999) as i32;
            let left = lasts[own].saturating_sub(number) as i32;
            stored.push(PositionRow {
                moved_pieces,
                number,
                side,
                rank: Rank::new(metadata.winner == Some(side), rating(own), left),
                attributes: PositionAttributes {
                    rating: rating(other),
                    no_winner: metadata.winner.is_none(),
                    bots: [metadata.bots[own], metadata.bots[other]],
                    year: metadata.year,
                    mirrored: keys.mirrored,
                },
                board: pack_board(&before),
                played: pack_played(&entry.played),
                keys,
            });
            before = entry.board;
        }
    }
    Ok(stored)
}

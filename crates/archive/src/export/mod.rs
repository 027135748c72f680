//! Table export: CSV, JSON Lines and, if compiled in, Parquet.

#[cfg(feature = "parquet")]
mod parquet;
mod text;

use std::io::{self, Write};
use std::str::FromStr;

use surus_rules::Side;

use crate::error::{ArchiveError, ChoiceError, Result};
use crate::pack::SetupOrTurn;
use crate::positions::for_each_position;
use crate::store::{ArchiveDb, DbLocation, DbRow};

/// An export format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// Comma-separated values with a header line.
    Csv,
    /// One JSON object per line.
    JsonLines,
    /// Apache Parquet, compressed with zstd.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl ExportFormat {
    /// The formats of this build.
    pub const NAMES: &[&str] =
        if cfg!(feature = "parquet") { &["csv", "jsonl", "parquet"] } else { &["csv", "jsonl"] };
}

impl FromStr for ExportFormat {
    type Err = ChoiceError;

    fn from_str(text: &str) -> std::result::Result<Self, ChoiceError> {
        match text {
            "csv" => Ok(Self::Csv),
            "jsonl" => Ok(Self::JsonLines),
            #[cfg(feature = "parquet")]
            "parquet" => Ok(Self::Parquet),
            #[cfg(not(feature = "parquet"))]
            "parquet" => {
                let expected =
                    format!("{} (Parquet needs a build with '--features parquet')", Self::NAMES.join(", "));
                Err(ChoiceError::new("format", text, expected))
            }
            _ => Err(ChoiceError::new("format", text, Self::NAMES.join(", "))),
        }
    }
}

/// A column of an exported table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportColumn {
    /// The name.
    pub name: &'static str,
    /// Whether the values are integers rather than text.
    pub integer: bool,
    /// The meaning.
    pub description: &'static str,
}

const fn text(name: &'static str, description: &'static str) -> ExportColumn {
    ExportColumn { name, integer: false, description }
}

const fn integer(name: &'static str, description: &'static str) -> ExportColumn {
    ExportColumn { name, integer: true, description }
}

/// The columns of the games table.
pub const GAME_COLUMNS: [ExportColumn; 15] = [
    integer("id", "the game's id in the archive"),
    integer("external_id", "its id in the source, if any"),
    text("gold", "gold's name"),
    text("silver", "silver's name"),
    integer("gold_rating", "gold's rating before the game"),
    integer("silver_rating", "silver's rating before the game"),
    text("gold_type", "h for a human, b for a bot"),
    text("silver_type", "h for a human, b for a bot"),
    text("event", "the event"),
    text("timecontrol", "the time control as in the archive file"),
    integer("started", "start time in seconds since 1970"),
    text("result", "g, s, d for a draw, u for unknown"),
    text("termination", "the termination code of the archive file"),
    integer("turns", "turns of both sides, including setups"),
    text("record", "the turns, separated by the two characters \\n"),
];

/// The columns of the positions table [McKee, table 3].
pub const POSITION_COLUMNS: [ExportColumn; 10] = [
    integer("id", "the position's id: the game's id times 65536 plus the ply"),
    integer("game", "the game's id in the archive"),
    integer("turn", "the turn number, 1 for the setups"),
    text("side", "g or s, the side to move"),
    integer("rating", "the rating of the side to move, 0 if unknown"),
    integer("other_rating", "the rating of the other side, 0 if unknown"),
    integer("won", "1 if the side to move won, 0 if it lost, empty if unknown"),
    text("board", "64 characters, a8 to h1, - for an empty square"),
    text("played", "the turn or setup in notation"),
    integer("turns_left", "turns of the side to move after this one"),
];

/// The value of a field.
enum FieldValue {
    Text(String),
    Number(Option<i64>),
}

/// Writes the rows of a table.
trait TableWriter {
    fn write_row(&mut self, fields: Vec<FieldValue>) -> io::Result<()>;

    /// Flushes buffered rows.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

fn open_writer<'a>(
    out: &'a mut (dyn Write + Send),
    format: ExportFormat,
    columns: &'static [ExportColumn],
) -> io::Result<Box<dyn TableWriter + 'a>> {
    Ok(match format {
        ExportFormat::Csv => Box::new(text::Csv::new(out, columns)?),
        ExportFormat::JsonLines => Box::new(text::JsonLines::new(out, columns)),
        #[cfg(feature = "parquet")]
        ExportFormat::Parquet => Box::new(parquet::Parquet::new(out, columns)?),
    })
}

fn export_error(store: &ArchiveDb) -> impl Fn(io::Error) -> ArchiveError + use<> {
    let location: DbLocation = store.location().clone();
    move |error| ArchiveError::Io { file: format!("the export of {location}").into(), error }
}

/// Exports all games and returns their number.
pub fn export_games(store: &ArchiveDb, out: &mut (dyn Write + Send), format: ExportFormat) -> Result<u64> {
    let on_error = export_error(store);
    let mut table = open_writer(out, format, &GAME_COLUMNS).map_err(&on_error)?;
    let sql = "SELECT g.id, g.external_id, g.gusername, g.susername, g.grating, g.srating, g.gtype, g.stype, g.event, g.timecontrol,
            g.startts, g.result, g.termination, g.turns, r.movelist
        FROM games g JOIN records r ON r.game = g.id WHERE g.id > $1 ORDER BY g.id LIMIT 1000";
    let (mut last, mut count) = (0, 0);
    loop {
        let rows = store.query(sql, &[last.into()])?;
        let Some(end) = rows.last() else { break };
        last = end.get_i64(0)?;
        count += rows.len() as u64;
        for row in &rows {
            table.write_row(game_fields(row)?).map_err(&on_error)?;
        }
    }
    table.finish().map_err(&on_error)?;
    Ok(count)
}

fn game_fields(row: &DbRow<'_>) -> Result<Vec<FieldValue>> {
    let field = |(index, column): (usize, &ExportColumn)| {
        Ok(if column.integer {
            FieldValue::Number(row.get_opt_i64(index)?)
        } else {
            FieldValue::Text(row.text(index)?)
        })
    };
    GAME_COLUMNS.iter().enumerate().map(field).collect()
}

/// Exports all positions and returns their number.
pub fn export_positions(
    store: &ArchiveDb,
    out: &mut (dyn Write + Send),
    format: ExportFormat,
) -> Result<u64> {
    let on_error = export_error(store);
    let mut table = open_writer(out, format, &POSITION_COLUMNS).map_err(&on_error)?;
    let mut count = 0;
    for_each_position(store, |one| {
        let won = match (one.attributes.no_winner, one.rank.won()) {
            (true, _) => None,
            (false, won) => Some(i64::from(won)),
        };
        let played = match one.played {
            SetupOrTurn::Setup(setup) => setup.to_string(),
            SetupOrTurn::Turn(turn) => one.board.notation(&turn),
        };
        let fields = vec![
            FieldValue::Number(Some(one.id.0)),
            FieldValue::Number(Some(one.id.game())),
            FieldValue::Number(Some(one.id.turn().into())),
            FieldValue::Text(if one.id.side() == Side::Gold { "g" } else { "s" }.into()),
            FieldValue::Number(Some(one.rank.rating().into())),
            FieldValue::Number(Some(one.attributes.rating.into())),
            FieldValue::Number(won),
            FieldValue::Text(one.board.compact().replace(' ', "-")),
            FieldValue::Text(played),
            FieldValue::Number(Some(one.rank.turns_left().into())),
        ];
        count += 1;
        table.write_row(fields).map_err(&on_error)?;
        Ok(true)
    })?;
    table.finish().map_err(&on_error)?;
    Ok(count)
}

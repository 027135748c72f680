//! Tables for other programs: comma-separated values, JSON lines, and Parquet where it is built in.

#[cfg(feature = "parquet")]
mod parquet;
mod text;

use std::io::{self, Write};
use std::str::FromStr;

use surus_rules::Side;

use crate::error::{ArchiveError, ChoiceError, Result};
use crate::pack::SetupOrTurn;
use crate::positions::each_position;
use crate::store::{ArchiveDb, DbLocation, DbRow};

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// Comma-separated values with a first line of names.
    Csv,
    /// One JSON object on each line.
    JsonLines,
    /// Columns packed with zstd.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl ExportFormat {
    /// The names of those that this program was built with.
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

/// A column of the export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyColumn {
    /// Its name.
    pub name: &'static str,
    /// Whether it holds whole numbers, or text.
    pub integer: bool,
    /// What it holds.
    pub description: &'static str,
}

const fn text(name: &'static str, about: &'static str) -> KeyColumn {
    KeyColumn { name, integer: false, description: about }
}

const fn whole(name: &'static str, about: &'static str) -> KeyColumn {
    KeyColumn { name, integer: true, description: about }
}

/// The columns of games.
pub const GAME_COLUMNS: [KeyColumn; 15] = [
    whole("id", "the game's number in the store"),
    whole("number", "its number where it was played, if it has one"),
    text("gold", "gold's name"),
    text("silver", "silver's name"),
    whole("gold_rating", "gold's rating before the game"),
    whole("silver_rating", "silver's rating before the game"),
    text("gold_type", "h for a person, b for a program"),
    text("silver_type", "h for a person, b for a program"),
    text("event", "where it belongs to"),
    text("timecontrol", "the clock, as the archive writes it"),
    whole("started", "when it began, in seconds since 1970"),
    text("result", "g, s, d for a draw, u for unknown"),
    text("termination", "how it ended, as the archive writes it"),
    whole("turns", "turns of both sides, setups included"),
    text("record", "the turns, with the two characters \\n between them"),
];

/// The columns of positions: the document's table 3.
pub const POSITION_COLUMNS: [KeyColumn; 10] = [
    whole("id", "the position's number: the game's times 65536, plus the turn's"),
    whole("game", "the game's number in the store"),
    whole("turn", "the number of the turn, from 1 for the setups"),
    text("side", "g or s, the side to move"),
    whole("rating", "the rating of the side to move, 0 if it has none"),
    whole("other_rating", "the rating of the other side, 0 if it has none"),
    whole("won", "1 if the side to move won, 0 if it lost, empty if nobody knows"),
    text("board", "64 characters, a8 to h1, - for an empty square"),
    text("next", "what was played, in notation"),
    whole("turns_left", "how many turns the side to move had left after it"),
];

/// What stands in a column of one row.
enum FieldValue {
    Text(String),
    Number(Option<i64>),
}

/// Takes the rows of a table.
trait TableWriter {
    fn write_row(&mut self, fields: Vec<FieldValue>) -> io::Result<()>;

    /// Writes what is left.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

fn open_writer<'a>(
    out: &'a mut (dyn Write + Send),
    format: ExportFormat,
    columns: &'static [KeyColumn],
) -> io::Result<Box<dyn TableWriter + 'a>> {
    Ok(match format {
        ExportFormat::Csv => Box::new(text::Csv::new(out, columns)?),
        ExportFormat::JsonLines => Box::new(text::JsonLines::new(out, columns)),
        #[cfg(feature = "parquet")]
        ExportFormat::Parquet => Box::new(parquet::Parquet::new(out, columns)?),
    })
}

fn told(store: &ArchiveDb) -> impl Fn(io::Error) -> ArchiveError + use<> {
    let place: DbLocation = store.place().clone();
    move |error| ArchiveError::Io { file: format!("the export of {place}").into(), error }
}

/// Writes all games; says how many.
pub fn export_games(store: &ArchiveDb, out: &mut (dyn Write + Send), format: ExportFormat) -> Result<u64> {
    let fail = told(store);
    let mut table = open_writer(out, format, &GAME_COLUMNS).map_err(&fail)?;
    let sql = "SELECT g.id, g.number, g.gusername, g.susername, g.grating, g.srating, g.gtype, g.stype, g.event, g.timecontrol,
            g.startts, g.result, g.termination, g.turns, r.movelist
        FROM games g JOIN records r ON r.game = g.id WHERE g.id > $1 ORDER BY g.id LIMIT 1000";
    let (mut last, mut count) = (0, 0);
    loop {
        let rows = store.query(sql, &[last.into()])?;
        let Some(end) = rows.last() else { break };
        last = end.get_i64(0)?;
        count += rows.len() as u64;
        for row in &rows {
            table.write_row(game_fields(row)?).map_err(&fail)?;
        }
    }
    table.finish().map_err(&fail)?;
    Ok(count)
}

fn game_fields(row: &DbRow<'_>) -> Result<Vec<FieldValue>> {
    let field = |(index, column): (usize, &KeyColumn)| {
        Ok(if column.integer {
            FieldValue::Number(row.get_opt_i64(index)?)
        } else {
            FieldValue::Text(row.text(index)?)
        })
    };
    GAME_COLUMNS.iter().enumerate().map(field).collect()
}

/// Writes all positions; says how many.
pub fn export_positions(
    store: &ArchiveDb,
    out: &mut (dyn Write + Send),
    format: ExportFormat,
) -> Result<u64> {
    let fail = told(store);
    let mut table = open_writer(out, format, &POSITION_COLUMNS).map_err(&fail)?;
    let mut count = 0;
    each_position(store, |one| {
        let won = match (one.about.no_winner, one.rank.won()) {
            (true, _) => None,
            (false, won) => Some(i64::from(won)),
        };
        let next = match one.next {
            SetupOrTurn::Setup(setup) => setup.to_string(),
            SetupOrTurn::Turn(turn) => one.board.notation(&turn),
        };
        let fields = vec![
            FieldValue::Number(Some(one.id.0)),
            FieldValue::Number(Some(one.id.game())),
            FieldValue::Number(Some(one.id.turn().into())),
            FieldValue::Text(if one.id.side() == Side::Gold { "g" } else { "s" }.into()),
            FieldValue::Number(Some(one.rank.rating().into())),
            FieldValue::Number(Some(one.about.rating.into())),
            FieldValue::Number(won),
            FieldValue::Text(one.board.compact().replace(' ', "-")),
            FieldValue::Text(next),
            FieldValue::Number(Some(one.rank.turns_left().into())),
        ];
        count += 1;
        table.write_row(fields).map_err(&fail)?;
        Ok(true)
    })?;
    table.finish().map_err(&fail)?;
    Ok(count)
}

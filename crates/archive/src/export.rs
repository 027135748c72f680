//! Tables for other programs: comma-separated values and JSON lines.

use std::io::{self, Write};

use surus_rules::Side;

use crate::error::{ArchiveError, Result};
use crate::pack::Next;
use crate::positions::each_position;
use crate::store::{Place, Row, Store};

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Comma-separated values with a first line of names.
    Csv,
    /// One JSON object on each line.
    JsonLines,
}

/// A column of the export: its name and what it holds.
pub type ColumnInfo = (&'static str, &'static str);

/// The columns of games.
pub const GAME_COLUMNS: [ColumnInfo; 15] = [
    ("id", "the game's number in the store"),
    ("number", "its number where it was played, if it has one"),
    ("gold", "gold's name"),
    ("silver", "silver's name"),
    ("gold_rating", "gold's rating before the game"),
    ("silver_rating", "silver's rating before the game"),
    ("gold_type", "h for a person, b for a program"),
    ("silver_type", "h for a person, b for a program"),
    ("event", "where it belongs to"),
    ("timecontrol", "the clock, as the archive writes it"),
    ("started", "when it began, in seconds since 1970"),
    ("result", "g, s, d for a draw, u for unknown"),
    ("termination", "how it ended, as the archive writes it"),
    ("turns", "turns of both sides, setups included"),
    ("record", "the turns, with the two characters \\n between them"),
];

/// The columns of positions: the document's table 3.
pub const POSITION_COLUMNS: [ColumnInfo; 10] = [
    ("id", "the position's number: the game's times 65536, plus the turn's"),
    ("game", "the game's number in the store"),
    ("turn", "the number of the turn, from 1 for the setups"),
    ("side", "g or s, the side to move"),
    ("rating", "the rating of the side to move, 0 if it has none"),
    ("other_rating", "the rating of the other side, 0 if it has none"),
    ("won", "1 if the side to move won, 0 if it lost, empty if nobody knows"),
    ("board", "64 characters, a8 to h1, - for an empty square"),
    ("next", "what was played, in notation"),
    ("turns_left", "how many turns the side to move had left after it"),
];

/// Writes one table row by row.
struct Writer<'a, W: Write> {
    out: &'a mut W,
    format: Format,
    columns: &'static [ColumnInfo],
}

enum Field {
    Text(String),
    Number(Option<i64>),
}

impl<'a, W: Write> Writer<'a, W> {
    fn new(out: &'a mut W, format: Format, columns: &'static [ColumnInfo]) -> io::Result<Self> {
        if format == Format::Csv {
            let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
            writeln!(out, "{}", names.join(","))?;
        }
        Ok(Self { out, format, columns })
    }

    fn row(&mut self, fields: Vec<Field>) -> io::Result<()> {
        match self.format {
            Format::Csv => {
                let texts: Vec<String> = fields.iter().map(csv).collect();
                writeln!(self.out, "{}", texts.join(","))
            }
            Format::JsonLines => {
                let value = |field: Field| match field {
                    Field::Text(text) => text.into(),
                    Field::Number(number) => number.into(),
                };
                let names = self.columns.iter().map(|(name, _)| (*name).to_string());
                let object: serde_json::Map<String, serde_json::Value> =
                    names.zip(fields.into_iter().map(value)).collect();
                serde_json::to_writer(&mut *self.out, &object)?;
                writeln!(self.out)
            }
        }
    }
}

/// Quoted where a reader would stumble.
fn csv(field: &Field) -> String {
    match field {
        Field::Number(number) => number.map_or_else(String::new, |number| number.to_string()),
        Field::Text(text) if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Field::Text(text) => text.clone(),
    }
}

fn told(store: &Store) -> impl Fn(io::Error) -> ArchiveError + use<> {
    let place: Place = store.place().clone();
    move |error| ArchiveError::File { file: format!("the export of {place}").into(), error }
}

/// Writes all games; says how many.
pub fn export_games(store: &Store, out: &mut impl Write, format: Format) -> Result<u64> {
    let fail = told(store);
    let mut writer = Writer::new(out, format, &GAME_COLUMNS).map_err(&fail)?;
    let sql = "SELECT g.id, g.number, g.gusername, g.susername, g.grating, g.srating, g.gtype, g.stype, g.event, g.timecontrol,
            g.startts, g.result, g.termination, g.turns, r.movelist
        FROM games g JOIN records r ON r.game = g.id WHERE g.id > $1 ORDER BY g.id LIMIT 1000";
    let (mut last, mut count) = (0, 0);
    loop {
        let rows = store.rows(sql, &[last.into()])?;
        let Some(end) = rows.last() else { return Ok(count) };
        last = end.whole(0)?;
        count += rows.len() as u64;
        for row in &rows {
            writer.row(game_fields(row)?).map_err(&fail)?;
        }
    }
}

fn game_fields(row: &Row) -> Result<Vec<Field>> {
    let numbers = [0, 1, 4, 5, 10, 13];
    (0..GAME_COLUMNS.len())
        .map(|column| {
            Ok(if numbers.contains(&column) {
                Field::Number(row.maybe(column)?)
            } else {
                Field::Text(row.text(column)?)
            })
        })
        .collect()
}

/// Writes all positions; says how many.
pub fn export_positions(store: &Store, out: &mut impl Write, format: Format) -> Result<u64> {
    let fail = told(store);
    let mut writer = Writer::new(out, format, &POSITION_COLUMNS).map_err(&fail)?;
    let mut count = 0;
    each_position(store, |one| {
        let won = match (one.about.undecided, one.rank.won()) {
            (true, _) => None,
            (false, won) => Some(i64::from(won)),
        };
        let next = match one.next {
            Next::Setup(setup) => setup.to_string(),
            Next::Turn(turn) => one.board.notation(&turn),
        };
        let fields = vec![
            Field::Number(Some(one.id.0)),
            Field::Number(Some(one.id.game())),
            Field::Number(Some(one.id.turn().into())),
            Field::Text(if one.id.side() == Side::Gold { "g" } else { "s" }.into()),
            Field::Number(Some(one.rank.rating().into())),
            Field::Number(Some(one.about.rating.into())),
            Field::Number(won),
            Field::Text(one.board.compact().replace(' ', "-")),
            Field::Text(next),
            Field::Number(Some(one.rank.turns_left().into())),
        ];
        count += 1;
        writer.row(fields).map_err(&fail)?;
        Ok(true)
    })?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_that_is_needed() {
        assert_eq!(csv(&Field::Text("a,\"b\"".into())), "\"a,\"\"b\"\"\"");
        assert_eq!(csv(&Field::Text("plain".into())), "plain");
        assert_eq!(csv(&Field::Number(None)), "");
    }
}

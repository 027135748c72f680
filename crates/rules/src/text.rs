//! Positions as text: the compact form, the diagram, and detection of these and of game records.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::notation::shortened;
use crate::{
    Board, Game, Handicap, Piece, Position, PositionError, Record, RecordError, Rules, Side, Square, TurnTag,
};

/// A text that is neither a position nor a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseGameError {
    /// An invalid position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// An invalid game record.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl Game {
    /// Parses a compact position, a diagram or a game record. Records of handicap games are rejected; see
    /// [`Record::replay`].
    pub fn from_text(text: &str, rules: Rules) -> Result<Self, ParseGameError> {
        if text.trim().is_empty() {
            return Err(PositionError::Empty.into());
        }
        // Comments occur in records only and may contain anything.
        let has = |shape: fn(&str) -> bool| {
            text.lines().map(str::trim_start).any(|line| !line.starts_with('#') && shape(line))
        };
        if has(|line| line.contains('[')) {
            let position: Position = text.parse()?;
            return Ok(Self::from_position(
                &position,
                first_number(position.board(), position.side()),
                rules,
            ));
        }
        if has(|line| line.contains('|') || line.starts_with('+')) {
            let diagram: Diagram = text.parse()?;
            return Ok(Self::from_position(&diagram.position, diagram.number, rules));
        }
        Ok(Record::parse(text)?.replay(rules, Handicap::None)?.game)
    }
}

/// The turn number of a compact position: 1 before a side's setup, otherwise 2.
fn first_number(board: &Board, side: Side) -> u32 {
    if board.by_side(side).is_empty() { 1 } else { 2 }
}

/// Parses the character of a square.
fn read_square(found: char, square: Square) -> Result<Option<Piece>, PositionError> {
    match found {
        '.' | 'x' | 'X' | '-' | ' ' => Ok(None),
        _ => Piece::from_letter(found).map(Some).ok_or(PositionError::Character { square, found }),
    }
}

/// The squares in reading order: a8 to h8, then a7, down to h1.
fn reading_order() -> impl Iterator<Item = Square> {
    (0..8).rev().flat_map(|rank| (0..8).filter_map(move |file| Square::from_coords(file, rank)))
}

impl Board {
    /// The 64 characters of the compact form, a8 to h1, with spaces for empty squares.
    #[must_use]
    pub fn compact(&self) -> String {
        reading_order().map(|square| self.piece_at(square).map_or(' ', Piece::letter)).collect()
    }

    /// Parses the 64 characters of the compact form. Trailing spaces, which occur in existing files, are ignored.
    pub fn from_compact(text: &str) -> Result<Self, PositionError> {
        let length = text.chars().count();
        if length < 64 || text.chars().skip(64).any(|c| c != ' ') {
            return Err(PositionError::Length(length));
        }
        let mut board = Self::EMPTY;
        for (square, found) in reading_order().zip(text.chars()) {
            board.set(square, read_square(found, square)?);
        }
        Ok(board)
    }
}

impl fmt::Display for Position {
    /// The compact form `g [64 characters]`, which does not include steps already taken in the turn.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.side().letter(), self.board().compact())
    }
}

impl FromStr for Position {
    type Err = PositionError;

    /// Parses the compact form.
    fn from_str(text: &str) -> Result<Self, PositionError> {
        let Some((head, rest)) = text.split_once('[') else {
            return Err(PositionError::Bracket('[', shortened(text.trim())));
        };
        let letter = head.trim();
        let side = Some(letter)
            .filter(|letter| letter.len() == 1)
            .and_then(|letter| Side::from_letter(letter.chars().next()?))
            .ok_or_else(|| PositionError::Side(shortened(letter)))?;
        let Some((squares, tail)) = rest.split_once(']') else {
            return Err(PositionError::Bracket(']', shortened(rest)));
        };
        if !tail.trim().is_empty() {
            let line = text[..text.len() - tail.trim_start().len()].split('\n').count();
            return Err(PositionError::Trailing { line, found: shortened(tail.trim()) });
        }
        Self::new(Board::from_compact(squares)?, side)
    }
}

/// The standard diagram: the tag of a turn and the board with a border.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The number of the turn.
    pub number: u32,
    /// Board and side.
    pub position: Position,
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const BORDER: &str = " +-----------------+";
        writeln!(f, "{}\n{BORDER}", TurnTag { number: self.number, side: self.position.side() })?;
        for square in reading_order() {
            if square.file() == 0 {
                write!(f, "{}|", square.rank() + 1)?;
            }
            let empty = if square.is_trap() { 'x' } else { '.' };
            write!(f, " {}", self.position.board().piece_at(square).map_or(empty, Piece::letter))?;
            if square.file() == 7 {
                writeln!(f, " |")?;
            }
        }
        writeln!(f, "{BORDER}\n   a b c d e f g h")
    }
}

impl FromStr for Diagram {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (line, tag) = lines.next().ok_or(PositionError::Empty)?;
        // Some programs write the steps of the current turn after the tag; they are rejected.
        let tag = TurnTag::parse(tag.trim())
            .ok_or_else(|| PositionError::Tag { line: line + 1, found: shortened(tag.trim()) })?;
        let is_border = |line: &str| line.trim().starts_with('+');
        let mut board = Board::EMPTY;
        let mut rank = 8;
        let mut last = line + 1;
        let mut rows = lines.by_ref().skip_while(|(_, line)| is_border(line));
        while rank > 0 {
            let (line, row) = rows.next().ok_or(PositionError::Truncated { line: last + 1, rank })?;
            last = line + 1;
            read_rank(row, last, rank, &mut board)?;
            rank -= 1;
        }
        let is_files =
            |line: &str| line.split_whitespace().collect::<String>().eq_ignore_ascii_case("abcdefgh");
        if let Some((line, rest)) = rows.find(|(_, line)| !is_border(line) && !is_files(line)) {
            return Err(PositionError::Trailing { line: line + 1, found: shortened(rest.trim()) });
        }
        Ok(Self { number: tag.number, position: Position::new(board, tag.side)? })
    }
}

/// Reads `8| r . . . . r r r |`; empty squares may be spaces, as long as the columns are kept.
fn read_rank(row: &str, line: usize, rank: u8, board: &mut Board) -> Result<(), PositionError> {
    let wrong = || PositionError::Rank { line, rank, found: shortened(row.trim()) };
    let (head, rest) = row.split_once('|').ok_or_else(wrong)?;
    if head.trim().parse() != Ok(rank) {
        return Err(wrong());
    }
    let (squares, behind) = rest.split_once('|').unwrap_or((rest, ""));
    if !behind.trim().is_empty() {
        return Err(wrong());
    }
    let seen = |squares: &[char]| squares.iter().filter(|c| !c.is_whitespace()).count();
    let letters: Vec<char> = squares.chars().filter(|c| !c.is_whitespace()).collect();
    let columns: Vec<char> = squares.chars().skip(1).step_by(2).take(8).collect();
    let found = if letters.len() < 8 { &columns } else { &letters };
    // A letter between the columns would be ignored.
    if found.len() != 8 || seen(found) != letters.len() {
        return Err(PositionError::RankLength { line, rank, found: letters.len() });
    }
    for (file, &letter) in (0..8).zip(found) {
        if let Some(square) = Square::from_coords(file, rank - 1) {
            board.set(square, read_square(letter, square)?);
        }
    }
    Ok(())
}

impl Game {
    /// The position as a diagram with the number of the turn.
    #[must_use]
    pub fn diagram(&self) -> String {
        let mut text = String::new();
        let diagram = Diagram { number: self.tag().number, position: *self.position() };
        // Writing to a string can't fail.
        let _ = write!(text, "{diagram}");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPACT: &str = "s [r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR]";
    const DIAGRAM: &str = "8s
 +-----------------+
8| r . . . . r r r |
7| . r c . . c . h |
6| h . x r . x d . |
5| . . . . . r . . |
4| . . d . r e . . |
3| . D x E M x D . |
2| H . C m . C . H |
1| R R R R R R R R |
 +-----------------+
   a b c d e f g h
";

    #[test]
    fn the_forms_describe_the_same_position_and_round_trip() {
        let compact: Position = COMPACT.parse().unwrap();
        let diagram: Diagram = DIAGRAM.parse().unwrap();
        assert_eq!(diagram, Diagram { number: 8, position: compact });
        assert_eq!(compact.to_string(), COMPACT);
        assert_eq!(diagram.to_string(), DIAGRAM);
        for text in [COMPACT, DIAGRAM] {
            assert_eq!(Game::from_text(text, Rules::Official).unwrap().position(), &compact);
        }
    }

    #[test]
    fn reading_is_lenient_about_letters_line_ends_and_empty_squares() {
        let compact: Position = COMPACT.parse().unwrap();
        for text in [COMPACT.replace("s [", "B["), COMPACT.replace("s [", " b  [") + "\r\n"] {
            assert_eq!(text.parse::<Position>().unwrap(), compact);
        }
        let inside = COMPACT.trim_start_matches("s ").replace(' ', "-");
        assert_eq!(format!("b {inside}").parse::<Position>().unwrap(), compact);
        for text in [
            DIAGRAM.replace('\n', "\r\n"),
            DIAGRAM.replace("8s", "8B"),
            DIAGRAM.replace('.', " "),
            DIAGRAM.replace(['.', 'x'], "-"),
            DIAGRAM.replace('\n', "\n\n"),
            DIAGRAM.lines().filter(|line| !line.contains('+')).collect::<Vec<_>>().join("\n"),
        ] {
            assert_eq!(text.parse::<Diagram>().unwrap().position, compact, "{text}");
        }
    }

    #[test]
    fn an_empty_board_begins_with_the_setups() {
        let empty = format!("g [{}]", " ".repeat(64));
        let game = Game::from_text(&empty, Rules::Official).unwrap();
        assert_eq!(game.phase(), crate::Phase::Setup(Side::Gold));
        let gold = format!("s [{}HDCMECDHRRRRRRRR]", " ".repeat(48));
        let game = Game::from_text(&gold, Rules::Official).unwrap();
        assert_eq!(game.phase(), crate::Phase::Setup(Side::Silver));
    }
}

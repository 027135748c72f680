//! Searches positions by squares or material.

use surus_rules::{Board, Piece, PieceKind, Side, Square};

use crate::error::{ArchiveError, Result};
use crate::games::{GameHeader, load_headers};
use crate::pack::unpack_board;
use crate::rank::PositionId;
use crate::store::{ArchiveDb, Value};

/// Rows per query.
const CHUNK: i64 = 20_000;

/// A condition on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SquarePattern {
    Empty,
    Piece(Piece),
    /// Any piece of a side.
    Side(Side),
    /// Any piece of a side except rabbits.
    NonRabbit(Side),
    /// Any piece.
    Any,
}

/// A pattern of positions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionPattern {
    cells: Vec<(Square, SquarePattern)>,
    side: Option<Side>,
    /// The number of pieces by side and kind.
    material: Option<[[u32; 6]; 2]>,
}

impl PositionPattern {
    /// Parses conditions on squares: `Ed4` a gold elephant, `.c3` an empty square, `Ac3` any gold piece, `ac3` any silver one,
    /// `Oc3` and `oc3` any except a rabbit, `*c3` any piece. Other squares may hold anything.
    pub fn squares(text: &str) -> Result<Self> {
        let mut pattern = Self::default();
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let wrong = || {
                ArchiveError::InvalidQuery(format!(
                    "invalid square pattern '{word}': expected a piece and a square (Ed4), or one of . A a O o * and a square"
                ))
            };
            let mut letters = word.chars();
            let cell = match letters.next().ok_or_else(wrong)? {
                '.' => SquarePattern::Empty,
                'A' => SquarePattern::Side(Side::Gold),
                'a' => SquarePattern::Side(Side::Silver),
                'O' => SquarePattern::NonRabbit(Side::Gold),
                'o' => SquarePattern::NonRabbit(Side::Silver),
                '*' => SquarePattern::Any,
                letter => SquarePattern::Piece(Piece::from_letter(letter).ok_or_else(wrong)?),
            };
            pattern.cells.push((letters.as_str().parse().map_err(|_| wrong())?, cell));
        }
        Ok(pattern)
    }

    /// Adds the side to move.
    #[must_use]
    pub fn to_move(self, side: Option<Side>) -> Self {
        Self { side, ..self }
    }

    /// Adds exact material as piece letters, such as `EMHHDDCCRRRRRRRR emhhddccrrrrrrr`.
    pub fn with_material(self, text: &str) -> Result<Self> {
        let mut counts = [[0; 6]; 2];
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            let piece = Piece::from_letter(letter).ok_or_else(|| {
                ArchiveError::InvalidQuery(format!(
                    "invalid piece '{letter}': expected one of EMHDCR or emhdcr"
                ))
            })?;
            counts[piece.side() as usize][piece.kind() as usize - 1] += 1;
        }
        Ok(Self { material: Some(counts), ..self })
    }

    fn matches(&self, board: &Board) -> bool {
        let cell = |&(square, cell): &(Square, SquarePattern)| match (cell, board.piece_at(square)) {
            (SquarePattern::Empty, found) => found.is_none(),
            (SquarePattern::Piece(piece), found) => found == Some(piece),
            (SquarePattern::Side(side), found) => found.is_some_and(|piece| piece.side() == side),
            (SquarePattern::NonRabbit(side), found) => {
                found.is_some_and(|piece| piece.side() == side && piece.kind() != PieceKind::Rabbit)
            }
            (SquarePattern::Any, found) => found.is_some(),
        };
        let material = || {
            self.material.is_none_or(|counts| {
                Side::BOTH.iter().all(|&side| {
                    PieceKind::ALL
                        .iter()
                        .all(|&kind| board.count(side, kind) == counts[side as usize][kind as usize - 1])
                })
            })
        };
        self.cells.iter().all(cell) && material()
    }
}

/// The first matching position of each game, in the order of games. Scans all positions, since no index supports
/// arbitrary patterns; `progress` is called with the current game and returns whether to continue.
pub fn search(
    store: &ArchiveDb,
    pattern: &PositionPattern,
    limit: usize,
    mut progress: impl FnMut(i64) -> bool,
) -> Result<Vec<(PositionId, GameHeader)>> {
    // The length of a packed board gives the number of pieces.
    let pieces = pattern.material.map(|counts| counts.iter().flatten().sum::<u32>());
    let length =
        pieces.map_or(String::new(), |pieces| format!("AND length(board) = {}", 8 + pieces.div_ceil(2)));
    let sql = format!("SELECT id, board FROM positions WHERE id > $1 {length} ORDER BY id LIMIT $2");
    let mut found: Vec<PositionId> = Vec::new();
    let mut last = -1;
    loop {
        let mut rows = 0;
        store.for_each_row(&sql, &[Value::from(last), CHUNK.into()], |row| {
            rows += 1;
            let id = PositionId(row.get_i64(0)?);
            last = id.0;
            let another = found.last().is_none_or(|previous| previous.game() != id.game());
            if another && pattern.side.is_none_or(|side| side == id.side()) {
                let board = unpack_board(row.bytes(1)?)
                    .ok_or_else(|| ArchiveError::Corrupt(format!("the board of position {}", id.0)))?;
                if pattern.matches(&board) && found.len() < limit {
                    found.push(id);
                }
            }
            Ok(true)
        })?;
        if rows < CHUNK || found.len() >= limit || !progress(last >> 16) {
            break;
        }
    }
    let ids: Vec<i64> = found.iter().map(|id| id.game()).collect();
    let lines = load_headers(store, &ids)?;
    Ok(found.into_iter().filter_map(|id| Some((id, lines.get(&id.game())?.clone()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_classes_and_material_fit_or_do_not() {
        let board =
            Board::from_compact("r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR").unwrap();
        let fits = |text: &str| PositionPattern::squares(text).unwrap().matches(&board);
        assert!(fits("Ed3 md2 .c3 Ab3 aa6 Oe3 *a1"));
        for wrong in ["Ec3", ".d3", "ad3", "Oa1", "*c3", "oa8"] {
            assert!(!fits(wrong), "{wrong}");
        }
        let error = PositionPattern::squares("Ed9").unwrap_err().to_string();
        assert!(error.starts_with("invalid square pattern 'Ed9'"), "{error}");
        let with = |text: &str| PositionPattern::default().with_material(text).unwrap().matches(&board);
        assert!(with("EMHHDDCCRRRRRRRR emhhddccrrrrrrrr"));
        assert!(!with("EMHHDDCCRRRRRRRR emhhddccrrrrrrr"));
    }
}

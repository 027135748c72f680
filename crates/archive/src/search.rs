//! Positions that look like something: some squares, or the material.

use surus_rules::{Board, Piece, PieceKind, Side, Square};

use crate::error::{ArchiveError, Result};
use crate::games::{GameLine, lines};
use crate::pack::unpack_board;
use crate::rank::PositionId;
use crate::store::{Store, Value};

/// Rows that are read at once.
const CHUNK: i64 = 20_000;

/// What a square must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cell {
    Empty,
    Piece(Piece),
    /// Any piece of a side.
    Side(Side),
    /// Any piece of a side but a rabbit.
    Officer(Side),
    /// Any piece.
    Any,
}

/// What to look for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Partial {
    cells: Vec<(Square, Cell)>,
    side: Option<Side>,
    /// How many of each piece there are, gold's kinds first.
    material: Option<[[u32; 6]; 2]>,
}

impl Partial {
    /// Reads squares: `Ed4` a gold elephant, `.c3` nothing, `Ac3` any gold piece and `ac3` any silver one, `Oc3` and `oc3`
    /// any but a rabbit, `*c3` any piece. What is not named does not matter.
    pub fn squares(text: &str) -> Result<Self> {
        let mut partial = Self::default();
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let wrong = || {
                ArchiveError::Asked(format!(
                    "'{word}' is no square to look for: expected a piece and a square (Ed4), or . A a O o * before the square"
                ))
            };
            let mut letters = word.chars();
            let cell = match letters.next().ok_or_else(wrong)? {
                '.' => Cell::Empty,
                'A' => Cell::Side(Side::Gold),
                'a' => Cell::Side(Side::Silver),
                'O' => Cell::Officer(Side::Gold),
                'o' => Cell::Officer(Side::Silver),
                '*' => Cell::Any,
                letter => Cell::Piece(Piece::from_letter(letter).ok_or_else(wrong)?),
            };
            partial.cells.push((letters.as_str().parse().map_err(|_| wrong())?, cell));
        }
        Ok(partial)
    }

    /// Also this side is to move.
    #[must_use]
    pub fn to_move(self, side: Option<Side>) -> Self {
        Self { side, ..self }
    }

    /// Also exactly this material: all letters of the pieces that are left, as in `EMHHDDCCRRRRRRRR emhhddccrrrrrrr`.
    pub fn with_material(self, text: &str) -> Result<Self> {
        let mut counts = [[0; 6]; 2];
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            let piece = Piece::from_letter(letter).ok_or_else(|| {
                ArchiveError::Asked(format!("'{letter}' is no piece: expected letters of EMHDCR and emhdcr"))
            })?;
            counts[piece.side() as usize][piece.kind() as usize - 1] += 1;
        }
        Ok(Self { material: Some(counts), ..self })
    }

    fn fits(&self, board: &Board) -> bool {
        let cell = |&(square, cell): &(Square, Cell)| match (cell, board.piece_at(square)) {
            (Cell::Empty, found) => found.is_none(),
            (Cell::Piece(piece), found) => found == Some(piece),
            (Cell::Side(side), found) => found.is_some_and(|piece| piece.side() == side),
            (Cell::Officer(side), found) => {
                found.is_some_and(|piece| piece.side() == side && piece.kind() != PieceKind::Rabbit)
            }
            (Cell::Any, found) => found.is_some(),
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

/// The first position of each game that fits, in the order of the games; `progress` hears how far it is and says whether
/// to go on. All positions are looked at, as no index can know what will be asked.
pub fn search(
    store: &Store,
    partial: &Partial,
    limit: usize,
    mut progress: impl FnMut(i64) -> bool,
) -> Result<Vec<(PositionId, GameLine)>> {
    // The number of pieces is in the length of a board, and costs nothing to look at.
    let pieces = partial.material.map(|counts| counts.iter().flatten().sum::<u32>());
    let length =
        pieces.map_or(String::new(), |pieces| format!("AND length(board) = {}", 8 + pieces.div_ceil(2)));
    let sql = format!("SELECT id, board FROM positions WHERE id > $1 {length} ORDER BY id LIMIT $2");
    let mut found: Vec<PositionId> = Vec::new();
    let mut last = -1;
    loop {
        let mut rows = 0;
        store.each(&sql, &[Value::from(last), CHUNK.into()], |row| {
            rows += 1;
            let id = PositionId(row.whole(0)?);
            last = id.0;
            let another = found.last().is_none_or(|known| known.game() != id.game());
            if another && partial.side.is_none_or(|side| side == id.side()) {
                let board = unpack_board(row.bytes(1)?)
                    .ok_or_else(|| ArchiveError::Damaged(format!("the board of position {}", id.0)))?;
                if partial.fits(&board) && found.len() < limit {
                    found.push(id);
                }
            }
            Ok(true)
        })?;
        if rows < CHUNK || limit <= found.len() || !progress(last >> 16) {
            break;
        }
    }
    let ids: Vec<i64> = found.iter().map(|id| id.game()).collect();
    let lines = lines(store, &ids)?;
    Ok(found.into_iter().filter_map(|id| Some((id, lines.get(&id.game())?.clone()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_classes_and_material_fit_or_do_not() {
        let board =
            Board::from_compact("r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR").unwrap();
        let fits = |text: &str| Partial::squares(text).unwrap().fits(&board);
        assert!(fits("Ed3 md2 .c3 Ab3 aa6 Oe3 *a1"));
        for wrong in ["Ec3", ".d3", "ad3", "Oa1", "*c3", "oa8"] {
            assert!(!fits(wrong), "{wrong}");
        }
        let error = Partial::squares("Ed9").unwrap_err().to_string();
        assert!(error.starts_with("'Ed9' is no square to look for"), "{error}");
        let with = |text: &str| Partial::default().with_material(text).unwrap().fits(&board);
        assert!(with("EMHHDDCCRRRRRRRR emhhddccrrrrrrrr"));
        assert!(!with("EMHHDDCCRRRRRRRR emhhddccrrrrrrr"));
    }
}

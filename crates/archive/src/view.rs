//! Boards from the side to move's point of view, and the patterns and keys of the lookup tiers.

use surus_rules::{Board, PieceKind, Side, Square};

use crate::hash::zobrist;

/// A board from the side to move's point of view: its own pieces have codes without bit 8 and move north. A position of
/// silver thus has the same key as the corresponding one of gold.
#[derive(Clone, Debug)]
pub(crate) struct MoverBoard {
    cells: [u8; 64],
    occupied: u64,
    flip: u8,
}

/// A part of a board. Patterns are equal if their cells are.
#[derive(Clone, Debug)]
pub(crate) struct BoardPattern {
    /// The four-bit code of each piece, 0 for empty squares and squares outside the pattern.
    cells: [u8; 64],
    pub(crate) key: u64,
    /// Whether the cells are mirrored, so that a pattern equals its mirror image.
    pub(crate) mirrored: bool,
    /// Whether the pattern is its own mirror image.
    pub(crate) symmetric: bool,
}

impl PartialEq for BoardPattern {
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells
    }
}

pub(crate) const ALL: u64 = u64::MAX;
/// Ranks 3 to 6.
pub(crate) const MIDDLE: u64 = 0x0000_ffff_ffff_0000;

impl MoverBoard {
    pub(crate) fn new(board: &Board, side: Side) -> Self {
        let (flip, side_bit) = if side == Side::Silver { (56, 8) } else { (0, 0) };
        let mut view = Self { cells: [0; 64], occupied: 0, flip };
        for (square, piece) in board.iter() {
            let index = square.index() ^ flip as usize;
            view.cells[index] = piece.code() as u8 ^ side_bit;
            view.occupied |= 1 << index;
        }
        view
    }

    /// The index of a square in this view.
    pub(crate) const fn index(&self, square: Square) -> u8 {
        square.index() as u8 ^ self.flip
    }

    /// The keys of a part and of its mirror image.
    fn keys(&self, mask: u64, reduce: impl Fn(u8) -> u8) -> [u64; 2] {
        let mut keys = [0; 2];
        for index in indices(self.occupied & mask) {
            let code = reduce(self.cells[index as usize]);
            keys[0] ^= zobrist(code, index);
            keys[1] ^= zobrist(code, index ^ 7);
        }
        keys
    }

    /// The pattern or its mirror image, whichever has the smaller key.
    fn canonical(
        &self,
        mask: u64,
        marker: u64,
        markers: [u64; 2],
        reduce: impl Fn(u8) -> u8,
    ) -> BoardPattern {
        let [plain, mirror] = self.keys(mask, &reduce);
        let (plain, mirror) = (plain ^ markers[0], mirror ^ markers[1]);
        let mirrored = mirror < plain;
        let mut cells = self.masked(mask, mirrored, reduce);
        for index in indices(marker) {
            // A bit that no piece has marks the centre.
            cells[usize::from(if mirrored { index ^ 7 } else { index })] |= 16;
        }
        BoardPattern { cells, key: plain.min(mirror), mirrored, symmetric: plain == mirror }
    }

    fn masked(&self, mask: u64, mirrored: bool, reduce: impl Fn(u8) -> u8) -> [u8; 64] {
        let mut cells = [0; 64];
        for index in indices(self.occupied & mask) {
            let to = if mirrored { index ^ 7 } else { index };
            cells[to as usize] = reduce(self.cells[index as usize]);
        }
        cells
    }

    /// The full board.
    pub(crate) fn full(&self) -> BoardPattern {
        self.canonical(ALL, 0, [0; 2], |code| code)
    }

    /// The middle four ranks.
    pub(crate) fn middle(&self) -> BoardPattern {
        self.canonical(MIDDLE, 0, [0; 2], |code| code)
    }

    /// Five by five squares around a trap; areas of the right traps are mirrored to the left.
    pub(crate) fn area(&self, trap: Trap) -> BoardPattern {
        let mirrored = trap.is_right();
        let mask = area_mask(trap.index());
        let [plain, mirror] = self.keys(mask, |code| code);
        let key = if mirrored { mirror } else { plain };
        BoardPattern { cells: self.masked(mask, mirrored, |code| code), key, mirrored, symmetric: false }
    }

    /// The area of one of the side's own pieces with relative strengths: own pieces and weaker enemies become rabbits,
    /// stronger enemies elephants.
    pub(crate) fn piece(&self, index: u8, center: AreaCenter) -> BoardPattern {
        let strength = self.cells[index as usize & 63] & 7;
        let middle = match center {
            AreaCenter::Piece => index,
            AreaCenter::Trap => Trap::nearest(index).index(),
        };
        let reduce = |code: u8| match code & 7 {
            _ if code & 8 == 0 => PieceKind::Rabbit as u8,
            enemy if enemy < strength => 8 | PieceKind::Rabbit as u8,
            enemy if enemy > strength => 8 | PieceKind::Elephant as u8,
            _ => code,
        };
        // A code that no piece has marks the piece's square.
        let markers = [zobrist(0, index), zobrist(0, index ^ 7)];
        self.canonical(area_mask(middle), 1 << (index & 63), markers, reduce)
    }
}

fn indices(set: u64) -> impl Iterator<Item = u8> {
    surus_rules::Bitboard(set).into_iter().map(|square| square.index() as u8)
}

/// The five by five squares around `index` that are on the board.
pub(crate) fn area_mask(index: u8) -> u64 {
    let (file, rank) = (i32::from(index & 7), i32::from(index >> 3));
    let mut mask = 0;
    for r in (rank - 2).max(0)..=(rank + 2).min(7) {
        for f in (file - 2).max(0)..=(file + 2).min(7) {
            mask |= 1 << (8 * r + f);
        }
    }
    mask
}

/// The centre of a specific piece's area: the piece according to the text of \[McKee\], its nearest trap according to
/// [McKee, figure 7].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AreaCenter {
    /// The piece.
    #[default]
    Piece,
    /// Its nearest trap.
    Trap,
}

/// A trap from the side to move's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trap {
    HomeLeft,
    HomeRight,
    AwayLeft,
    AwayRight,
}

impl Trap {
    pub(crate) const ALL: [Self; 4] = [Self::HomeLeft, Self::HomeRight, Self::AwayLeft, Self::AwayRight];

    const fn index(self) -> u8 {
        match self {
            Self::HomeLeft => 18,
            Self::HomeRight => 21,
            Self::AwayLeft => 42,
            Self::AwayRight => 45,
        }
    }

    const fn is_right(self) -> bool {
        matches!(self, Self::HomeRight | Self::AwayRight)
    }

    /// Its mirror image.
    pub(crate) const fn mirrored(self) -> Self {
        match self {
            Self::HomeLeft => Self::HomeRight,
            Self::HomeRight => Self::HomeLeft,
            Self::AwayLeft => Self::AwayRight,
            Self::AwayRight => Self::AwayLeft,
        }
    }

    /// The trap nearest to a square.
    pub(crate) const fn nearest(index: u8) -> Self {
        match (index >> 3 < 4, index & 7 < 4) {
            (true, true) => Self::HomeLeft,
            (true, false) => Self::HomeRight,
            (false, true) => Self::AwayLeft,
            (false, false) => Self::AwayRight,
        }
    }

    /// The squares of its area.
    pub(crate) fn area(self) -> u64 {
        area_mask(self.index())
    }
}

/// The keys of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PositionKeys {
    pub(crate) full: i64,
    /// Whether the full key is that of the mirror image.
    pub(crate) mirrored: bool,
    /// The partial keys, for positions after the setups.
    pub(crate) parts: Option<PartialKeys>,
}

/// Keys of parts of a board. 32 bits are enough, because matches are verified on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PartialKeys {
    pub(crate) middle: i32,
    /// In the order of [`Trap::ALL`].
    pub(crate) areas: [i32; 4],
    /// Centred on the piece that moves first, and on its nearest trap.
    pub(crate) pieces: [i32; 2],
}

/// The stored 32 bits of a key.
pub(crate) const fn truncate_key(key: u64) -> i32 {
    key as u32 as i32
}

impl PositionKeys {
    /// The keys of a position in which the piece on `mover` moves first; `None` for a setup.
    pub(crate) fn new(board: &Board, side: Side, mover: Option<Square>) -> Self {
        let view = MoverBoard::new(board, side);
        let [plain, mirror] = view.keys(ALL, |code| code);
        let parts = mover.map(|mover| {
            let smaller = |keys: [u64; 2]| truncate_key(keys[0].min(keys[1]));
            PartialKeys {
                middle: smaller(view.keys(MIDDLE, |code| code)),
                areas: Trap::ALL.map(|trap| {
                    truncate_key(view.keys(trap.area(), |code| code)[usize::from(trap.is_right())])
                }),
                pieces: [AreaCenter::Piece, AreaCenter::Trap]
                    .map(|center| truncate_key(view.piece(view.index(mover), center).key)),
            }
        });
        Self { full: plain.min(mirror) as i64, mirrored: mirror < plain, parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        Board::from_compact(text).unwrap()
    }

    const TEXT: &str = "r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR";

    #[test]
    fn the_four_images_of_a_position_have_the_same_keys() {
        let board = board(TEXT);
        let square: Square = "d3".parse().unwrap();
        let keys = |board: &Board, side, square| {
            let keys = PositionKeys::new(board, side, Some(square));
            let parts = keys.parts.unwrap();
            (keys.full, parts.middle, parts.pieces)
        };
        let plain = keys(&board, Side::Gold, square);
        assert_eq!(plain, keys(&board.mirrored(), Side::Gold, square.mirrored()));
        assert_eq!(plain, keys(&board.flipped(), Side::Silver, square.flipped()));
        assert_eq!(plain, keys(&board.flipped().mirrored(), Side::Silver, square.flipped().mirrored()));
        assert_ne!(plain, keys(&board, Side::Silver, square));
        let areas = |board: &Board, side| PositionKeys::new(board, side, Some(square)).parts.unwrap().areas;
        let [a, b, c, d] = areas(&board, Side::Gold);
        assert_eq!(areas(&board.mirrored(), Side::Gold), [b, a, d, c]);
        assert_eq!(areas(&board.flipped(), Side::Silver), [a, b, c, d]);
    }

    #[test]
    fn keys_on_disk_do_not_change() {
        let keys = PositionKeys::new(&board(TEXT), Side::Gold, Some("d3".parse().unwrap()));
        let parts = keys.parts.unwrap();
        assert_eq!(keys.full, PINNED.0, "{keys:?}");
        assert_eq!((parts.middle, parts.areas[0], parts.pieces[0]), PINNED.1, "{keys:?}");
    }

    /// The keys of existing archives must not change.
    const PINNED: (i64, (i32, i32, i32)) =
        (-7_693_422_938_041_574_207, (627_761_911, -806_088_487, 2_034_681_110));

    #[test]
    fn patterns_and_keys_agree_and_what_is_outside_does_not_matter() {
        let one = board(TEXT);
        let mut two = one;
        two.set("a8".parse().unwrap(), None);
        let (a, b) = (MoverBoard::new(&one, Side::Gold), MoverBoard::new(&two, Side::Gold));
        assert_ne!(a.full(), b.full());
        assert_eq!(a.middle(), b.middle());
        for trap in Trap::ALL {
            assert_eq!(a.area(trap) == b.area(trap), trap != Trap::AwayLeft, "{trap:?}");
            let keys = PositionKeys::new(&one, Side::Gold, Some("d3".parse().unwrap())).parts.unwrap();
            let index = Trap::ALL.iter().position(|t| *t == trap).unwrap();
            assert_eq!(keys.areas[index], truncate_key(a.area(trap).key));
        }
        let index = a.index("d3".parse().unwrap());
        // The camel on e3 becomes a horse: both are weaker than the elephant.
        let mut changed = one;
        changed.set("e3".parse().unwrap(), piece('H'));
        let c = MoverBoard::new(&changed, Side::Gold);
        assert_eq!(a.piece(index, AreaCenter::Piece), c.piece(index, AreaCenter::Piece));
        assert_eq!(a.piece(index, AreaCenter::Trap), c.piece(index, AreaCenter::Trap));
        // An enemy of equal strength keeps its strength.
        changed.set("d2".parse().unwrap(), piece('e'));
        assert_ne!(
            a.piece(index, AreaCenter::Piece),
            MoverBoard::new(&changed, Side::Gold).piece(index, AreaCenter::Piece)
        );
    }

    fn piece(letter: char) -> Option<surus_rules::Piece> {
        surus_rules::Piece::from_letter(letter)
    }

    #[test]
    fn every_square_has_one_nearest_trap_with_a_complete_area() {
        for index in 0..64u8 {
            let trap = Trap::nearest(index).index();
            let distance = |other: u8| (index & 7).abs_diff(other & 7) + (index >> 3).abs_diff(other >> 3);
            assert!(Trap::ALL.iter().all(|t| t.index() == trap || distance(trap) < distance(t.index())));
            assert_eq!(Trap::nearest(index).area().count_ones(), 25);
        }
        assert_eq!(area_mask(0).count_ones(), 9);
    }
}

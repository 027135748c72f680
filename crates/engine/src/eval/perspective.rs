//! A board as one side sees it: its home at the bottom, its own pieces and the others'.

use surus_rules::{Board, Kind, Side, Square, Squares};

use crate::common::material::{self, Counts};

/// What the terms ask again and again, found once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// Own pieces by kind, from rabbits to elephants; the other side's.
    pub(crate) own: [Squares; 6],
    pub(crate) foe: [Squares; 6],
    pub(crate) mine: Squares,
    pub(crate) theirs: Squares,
    pub(crate) empty: Squares,
    /// Next to a stronger piece of the other side.
    pub(crate) pressed: Squares,
    pub(crate) foe_pressed: Squares,
    /// Pressed, and nobody helps.
    pub(crate) frozen: Squares,
    pub(crate) foe_frozen: Squares,
    /// Neither frozen nor bound to what they do.
    pub(crate) free: Squares,
    pub(crate) foe_free: Squares,
    /// For each kind how many pieces of the other side are stronger.
    pub(crate) above: Counts,
    pub(crate) foe_above: Counts,
}

impl View {
    /// As gold sees it.
    pub(crate) fn of_gold(board: &Board) -> Self {
        let [mine, theirs] = Side::BOTH.map(|side| board.side(side));
        let kinds = Kind::ALL.map(|kind| board.kind(kind));
        let (own, foe) = (kinds.map(|kind| kind & mine), kinds.map(|kind| kind & theirs));
        let [pressed, foe_pressed] = Side::BOTH.map(|side| board.dominated(side));
        let count = |pieces: &[Squares; 6]| pieces.map(Squares::len);
        let frozen = pressed & !mine.neighbours();
        let foe_frozen = foe_pressed & !theirs.neighbours();
        Self {
            own,
            foe,
            mine,
            theirs,
            empty: board.empty(),
            pressed,
            foe_pressed,
            frozen,
            foe_frozen,
            free: mine & !frozen & !bound(&own, mine, &foe, theirs, foe_pressed),
            foe_free: theirs & !foe_frozen & !bound(&foe, theirs, &own, mine, pressed),
            above: material::stronger(&count(&foe)),
            foe_above: material::stronger(&count(&own)),
        }
    }

    /// As the other side sees it.
    pub(crate) fn turned(&self) -> Self {
        let turn = |squares: Squares| Squares(squares.0.swap_bytes());
        Self {
            own: self.foe.map(turn),
            foe: self.own.map(turn),
            mine: turn(self.theirs),
            theirs: turn(self.mine),
            empty: turn(self.empty),
            pressed: turn(self.foe_pressed),
            foe_pressed: turn(self.pressed),
            frozen: turn(self.foe_frozen),
            foe_frozen: turn(self.frozen),
            free: turn(self.foe_free),
            foe_free: turn(self.free),
            above: self.foe_above,
            foe_above: self.above,
        }
    }

    /// The class of an own kind: officers by how many enemies are stronger, rabbits last.
    #[inline]
    pub(crate) fn class(&self, kind: usize) -> usize {
        class(kind, &self.above)
    }

    #[inline]
    pub(crate) fn foe_class(&self, kind: usize) -> usize {
        class(kind, &self.foe_above)
    }

    /// The kind of an own piece.
    #[inline]
    pub(crate) fn kind_at(&self, square: Square) -> usize {
        self.own.iter().position(|pieces| pieces.contains(square)).unwrap_or(0)
    }

    /// The pieces of the other side that are stronger than a kind.
    #[inline]
    pub(crate) fn stronger_foes(&self, kind: usize) -> Squares {
        self.foe.iter().skip(kind + 1).fold(Squares::NONE, |all, &pieces| all | pieces)
    }
}

/// Pieces that are bound to what they do: holding a hostage, guarding a piece on a trap alone, or being that piece.
fn bound(own: &[Squares; 6], mine: Squares, foe: &[Squares; 6], theirs: Squares, held: Squares) -> Squares {
    let mut bound = Squares::NONE;
    for square in mine & Squares::TRAPS {
        let around = Squares::from(square).neighbours();
        let guards = around & mine;
        if guards.len() == 1 && !(around & theirs).is_empty() {
            bound = bound | guards | square.into();
        }
    }
    // Rabbits are not worth holding, and nobody holds an elephant.
    let mut stronger = own[5];
    for kind in (1..5).rev() {
        bound |= (foe[kind] & held & NEAR_TRAPS).neighbours() & stronger;
        stronger |= own[kind];
    }
    bound
}

/// Classes of pieces: nobody is stronger, one, two or three, four or five, more; and rabbits.
pub(crate) const CLASSES: usize = 6;
pub(crate) const RABBIT: usize = 5;

#[inline]
fn class(kind: usize, above: &Counts) -> usize {
    const BY_STRONGER: [u8; 16] = [0, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4];
    if kind == 0 { RABBIT } else { BY_STRONGER[above[kind].min(15) as usize] as usize }
}

/// A square folded onto the left half of the board: rank times four and the file from the edge.
#[inline]
pub(crate) fn folded(square: Square) -> usize {
    let (rank, file) = (square.index() / 8, square.index() % 8);
    rank * 4 + if file < 4 { file } else { 7 - file }
}

/// Steps between two squares.
#[inline]
pub(crate) fn distance(a: Square, b: Square) -> usize {
    usize::from(a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank()))
}

/// Steps from a square to the nearest square of a set; eight if there is none or it is further.
#[inline]
pub(crate) fn nearest(square: Square, of: Squares) -> usize {
    of.into_iter().map(|other| distance(square, other)).min().unwrap_or(8).min(8)
}

/// The four traps as a side sees them: its own two first.
pub(crate) const TRAPS: [u8; 4] = [18, 21, 42, 45];

/// The trap that is nearest to each square (never are two), and how far it is.
pub(crate) const NEAREST_TRAP: [(u8, u8); 64] = {
    let mut table = [(0, 0); 64];
    let mut square = 0;
    while square < 64 {
        let (mut best, mut trap) = ((0, 255), 0);
        while trap < 4 {
            let at = TRAPS[trap] as usize;
            let steps = (at % 8).abs_diff(square % 8) + (at / 8).abs_diff(square / 8);
            if steps < best.1 {
                best = (trap as u8, steps);
            }
            trap += 1;
        }
        table[square] = (best.0, best.1 as u8);
        square += 1;
    }
    table
};

/// The squares next to each trap.
pub(crate) const AROUND: [Squares; 4] = {
    let mut around = [Squares::NONE; 4];
    let mut trap = 0;
    while trap < 4 {
        around[trap] = Squares(1 << TRAPS[trap]).neighbours();
        trap += 1;
    }
    around
};

/// At most two steps from a trap.
pub(crate) const NEAR_TRAPS: Squares = {
    let mut near = 0;
    let mut square = 0;
    while square < 64 {
        if NEAREST_TRAP[square].1 <= 2 {
            near |= 1 << square;
        }
        square += 1;
    }
    Squares(near)
};

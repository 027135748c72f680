//! Zones: a main line, and the trajectories of the pieces that can take part in it, with their time.

mod advance;
mod cut;
mod negation;
mod network;

pub use advance::{TimeModel, advance_zone, advance_zone_by, rabbit_run};
pub use cut::{CutKind, cut_zones, cut_zones_at, cut_zones_by};
pub use network::Network;

use surus_rules::{Bitboard, Board, Piece, PieceKind, Side, Square};

use crate::abg::{MovementKind, heavier};
use crate::trajectory::{Bundle, Trajectory};

/// A zone has no more negations than this.
pub const NEGATIONS: u8 = 3;

/// What a trajectory is there for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Comes to the victim and dislodges it.
    Captor,
    /// Is led into the trap.
    Victim,
    /// Runs to the goal.
    Runner,
    /// Of the other side: guards, blocks, freezes.
    Intercept,
    /// Of the own side: keeps those away, or escorts.
    Support,
}

/// One symbol t(p, t, τ) of a zone: a bundle of trajectories of one piece to one square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZoneSymbol {
    /// The piece; it stands where the bundle begins.
    pub piece: Piece,
    /// What it is there for.
    pub role: Role,
    /// 0 for the main line, then the number of the negation.
    pub negation: u8,
    /// Its trajectories.
    pub bundle: Bundle,
    /// TIME of the square it goes to.
    pub time: i16,
}

impl ZoneSymbol {
    /// How the piece goes: by itself, or dislodged.
    #[must_use]
    pub const fn mover(&self) -> MovementKind {
        match self.role {
            Role::Victim => MovementKind::Any,
            _ => MovementKind::of(self.piece),
        }
    }

    /// The first of its trajectories.
    #[must_use]
    pub fn path(&self) -> Trajectory {
        self.bundle.first(&self.mover())
    }
}

/// What a zone is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZoneKind {
    /// The capture of a piece.
    Cut {
        /// Where it is to die.
        trap: Square,
        /// Who dislodges.
        captor: Square,
        /// Who is captured.
        victim: Square,
        /// How.
        way: CutKind,
        /// Steps that it takes where nothing is in the way.
        cost: u8,
        /// Whether a friend of the victim, other than itself, stands beside the trap.
        guarded: bool,
    },
    /// A rabbit's run.
    Advance {
        /// Where it stands.
        rabbit: Square,
        /// Where it goes.
        goal: Square,
        /// In so many steps.
        length: u8,
        /// How time is counted.
        clock: TimeModel,
    },
}

/// A zone; the first symbol is the main trajectory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    /// Whose plan it is.
    pub attacker: Side,
    /// What it is about.
    pub subject: ZoneKind,
    /// Main line, then the negations in the order in which the grammar yields them.
    pub symbols: Vec<ZoneSymbol>,
}

impl Zone {
    /// The squares of all pieces that take part.
    #[must_use]
    pub fn participants(&self) -> Bitboard {
        let piece = match self.subject {
            ZoneKind::Cut { captor, victim, .. } => Bitboard::from(captor) | victim.into(),
            ZoneKind::Advance { rabbit, .. } => rabbit.into(),
        };
        self.symbols.iter().fold(piece, |all, symbol| all | symbol.bundle.from.into())
    }

    /// The time that the document prints with a symbol: an advance zone adds one.
    #[must_use]
    pub fn printed_time(&self, symbol: &ZoneSymbol) -> i16 {
        match self.subject {
            ZoneKind::Advance { length, .. } if symbol.negation == 0 => i16::from(length) + 1,
            ZoneKind::Advance { .. } => symbol.time + 1,
            ZoneKind::Cut { .. } => symbol.time,
        }
    }

    /// C: whether a symbol ends on a square that another one passes; the last square counts only on the main line of an
    /// advance. Around a trap, whoever comes beside it is connected with the main line.
    #[must_use]
    pub fn connected(&self, symbol: &ZoneSymbol, to: &ZoneSymbol) -> bool {
        let passed = match (self.subject, to.negation) {
            (ZoneKind::Advance { .. }, 0) => to.bundle.after_start(),
            (ZoneKind::Cut { trap, .. }, 0) => to.bundle.inner() | Bitboard::from(trap).neighbours(),
            _ => to.bundle.inner(),
        };
        passed.contains(symbol.bundle.to)
    }

    /// The symbols of the negation before that a symbol is connected with.
    #[must_use]
    pub fn parents(&self, index: usize) -> Vec<usize> {
        let Some(symbol) = self.symbols.get(index) else { return Vec::new() };
        let Some(before) = symbol.negation.checked_sub(1) else { return Vec::new() };
        let is_parent = |(i, to): &(usize, &ZoneSymbol)| {
            to.negation == before && (before != 0 || *i == 0) && self.connected(symbol, to)
        };
        self.symbols.iter().enumerate().filter(is_parent).map(|(i, _)| i).collect()
    }

    /// Opposing pieces that stand in the way of the main trajectory already.
    #[must_use]
    pub fn blockers(&self, board: &Board) -> Bitboard {
        let way = self.symbols.first().map_or(Bitboard::EMPTY, |main| match self.subject {
            ZoneKind::Advance { .. } => main.bundle.after_start(),
            ZoneKind::Cut { .. } => main.bundle.inner(),
        });
        way & board.by_side(self.attacker.other())
    }

    /// Whether a symbol is still in time, by the condition that its grammar lets it in with.
    #[must_use]
    pub fn in_time(&self, symbol: &ZoneSymbol, runner: Piece) -> bool {
        let (len, own) = (symbol.bundle.len, symbol.piece.side() == self.attacker);
        let heavy = heavier(symbol.piece, runner);
        match self.subject {
            ZoneKind::Cut { .. } if own => len == 1,
            ZoneKind::Cut { .. } => i16::from(len) <= symbol.time,
            ZoneKind::Advance { length, .. } => joins(own, heavy, len, symbol.time, length),
        }
    }
}

/// The condition of the advance zone's fourth production.
fn joins(own: bool, heavy: bool, steps: u8, time: i16, length: u8) -> bool {
    match (own, heavy) {
        (true, true) => steps < length,
        (true, false) => steps == 1,
        (false, true) => i16::from(steps) <= time,
        (false, false) => i16::from(steps) < time,
    }
}

/// Whether a piece is a rabbit.
pub(crate) fn is_rabbit(board: &Board, square: Square) -> bool {
    board.by_kind(PieceKind::Rabbit).contains(square)
}

//! Zones: a main line and the trajectories of the pieces that can take part in it, with their times.

mod advance;
mod cut;
mod negation;
mod network;
mod tracked;

pub use advance::{
    TimeModel, advance_zone, advance_zone_by, advance_zone_printed, rabbit_run, shortest_printed,
};
pub use cut::{CutKind, cut_main_lines, cut_zones, cut_zones_at, cut_zones_by};
pub use network::Network;
pub use tracked::TrackedNetwork;

use surus_rules::{Bitboard, Board, Piece, PieceKind, Side, Square};

use crate::abg::{MovementKind, heavier};
use crate::trajectory::{Bundle, Trajectory};

/// The maximum number of negations of a zone.
pub const NEGATIONS: u8 = 3;

/// The purpose of a trajectory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Approaches the victim and displaces it.
    Captor,
    /// Is displaced into the trap.
    Victim,
    /// Runs to the goal.
    Runner,
    /// A defender that guards, blocks or freezes.
    Intercept,
    /// An attacker that stops defenders or escorts.
    Support,
}

/// One symbol t(p, t, τ) of a zone: a bundle of trajectories of one piece to one square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZoneSymbol {
    /// The piece, on the first square of the bundle.
    pub piece: Piece,
    /// Its purpose.
    pub role: Role,
    /// 0 for the main line, otherwise the number of the negation.
    pub negation: u8,
    /// Its trajectories.
    pub bundle: Bundle,
    /// TIME of its target.
    pub time: i16,
}

impl ZoneSymbol {
    /// How the piece moves: by its own steps, or displaced.
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

/// The goal of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZoneKind {
    /// The capture of a piece.
    Cut {
        /// The trap.
        trap: Square,
        /// The square of the piece that displaces the victim.
        captor: Square,
        /// The square of the piece to be captured.
        victim: Square,
        /// How the victim gets into the trap.
        kind: CutKind,
        /// The steps needed without obstacles.
        cost: u8,
        /// Whether another piece of the victim's side is next to the trap.
        guarded: bool,
    },
    /// The run of a rabbit.
    Advance {
        /// The square of the rabbit.
        rabbit: Square,
        /// The goal square.
        goal: Square,
        /// The length of the run in steps.
        length: u8,
        /// How time is counted.
        clock: TimeModel,
    },
}

/// A zone; the first symbol is the main trajectory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    /// The side whose goal it is.
    pub attacker: Side,
    /// The goal.
    pub subject: ZoneKind,
    /// The main line, then the negations in the order of the grammar.
    pub symbols: Vec<ZoneSymbol>,
}

impl Zone {
    /// The squares of all pieces in the zone.
    #[must_use]
    pub fn participants(&self) -> Bitboard {
        let piece = match self.subject {
            ZoneKind::Cut { captor, victim, .. } => Bitboard::from(captor) | victim.into(),
            ZoneKind::Advance { rabbit, .. } => rabbit.into(),
        };
        self.symbols.iter().fold(piece, |all, symbol| all | symbol.bundle.from.into())
    }

    /// The time as \[LG\] prints it: in an advance zone one more.
    #[must_use]
    pub fn printed_time(&self, symbol: &ZoneSymbol) -> i16 {
        match self.subject {
            ZoneKind::Advance { length, .. } if symbol.negation == 0 => i16::from(length) + 1,
            ZoneKind::Advance { .. } => symbol.time + 1,
            ZoneKind::Cut { .. } => symbol.time,
        }
    }

    /// The most steps that the piece of a symbol may take to its target, as in [`Self::in_time`].
    #[must_use]
    pub fn steps_available(&self, symbol: &ZoneSymbol, runner: Piece) -> i16 {
        let (own, heavy) = (symbol.piece.side() == self.attacker, heavier(symbol.piece, runner));
        match (self.subject, symbol.negation) {
            (ZoneKind::Cut { .. }, 0) => symbol.bundle.len.into(),
            (ZoneKind::Cut { .. }, _) if own => 1,
            (ZoneKind::Cut { .. }, _) => symbol.time,
            (ZoneKind::Advance { length, .. }, 0) => length.into(),
            (ZoneKind::Advance { length, .. }, _) if own && heavy => i16::from(length) - 1,
            (ZoneKind::Advance { .. }, _) if own => 1,
            (ZoneKind::Advance { .. }, _) => symbol.time - i16::from(!heavy),
        }
    }

    /// C: whether a symbol ends on a square that another one passes. The last square counts only on the main line of an
    /// advance zone. In a CUT zone, the squares next to the trap are connected with the main line.
    #[must_use]
    pub fn connected(&self, symbol: &ZoneSymbol, to: &ZoneSymbol) -> bool {
        let passed = match (self.subject, to.negation) {
            (ZoneKind::Advance { .. }, 0) => to.bundle.after_start(),
            (ZoneKind::Cut { trap, .. }, 0) => to.bundle.inner() | Bitboard::from(trap).neighbours(),
            _ => to.bundle.inner(),
        };
        passed.contains(symbol.bundle.to)
    }

    /// The symbols of the previous negation that a symbol is connected with.
    #[must_use]
    pub fn parents(&self, index: usize) -> Vec<usize> {
        let Some(symbol) = self.symbols.get(index) else { return Vec::new() };
        let Some(before) = symbol.negation.checked_sub(1) else { return Vec::new() };
        let is_parent = |(i, to): &(usize, &ZoneSymbol)| {
            to.negation == before && (before != 0 || *i == 0) && self.connected(symbol, to)
        };
        self.symbols.iter().enumerate().filter(is_parent).map(|(i, _)| i).collect()
    }

    /// The defenders on the main trajectory.
    #[must_use]
    pub fn blockers(&self, board: &Board) -> Bitboard {
        let trajectory = self.symbols.first().map_or(Bitboard::EMPTY, |main| match self.subject {
            ZoneKind::Advance { .. } => main.bundle.after_start(),
            ZoneKind::Cut { .. } => main.bundle.inner(),
        });
        trajectory & board.by_side(self.attacker.other())
    }

    /// Whether a symbol satisfies the time condition of its production.
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

/// The condition of the fourth production of advance zones.
fn joins(own: bool, heavy: bool, steps: u8, time: i16, length: u8) -> bool {
    match (own, heavy) {
        (true, true) => steps < length,
        (true, false) => steps == 1,
        (false, true) => i16::from(steps) <= time,
        (false, false) => i16::from(steps) < time,
    }
}

/// Whether the square has a rabbit.
pub(crate) fn is_rabbit(board: &Board, square: Square) -> bool {
    board.by_kind(PieceKind::Rabbit).contains(square)
}

//! The double loop of both grammars: finds the pieces that can reach a square of the previous negation in time.

use surus_rules::{Bitboard, Board, Piece, Side, Square};

use super::{NEGATIONS, Role, ZoneSymbol, joins};
use crate::abg::{MovementKind, heavier, lethal_traps};
use crate::trajectory::{Bundle, shortest};

/// The condition for admitting a piece.
#[derive(Clone, Copy)]
pub(super) enum AdmissionRule {
    Cut,
    Advance { runner: Piece, length: u8 },
}

impl AdmissionRule {
    /// Whether to admit a piece that is `steps` steps away from a target with this time.
    fn admits(self, own: bool, piece: Piece, steps: u8, time: i16, negation: u8) -> bool {
        match self {
            Self::Cut if own => negation > 1 && steps == 1,
            Self::Cut => i16::from(steps) <= time,
            Self::Advance { runner, length } => joins(own, heavier(piece, runner), steps, time, length),
        }
    }
}

/// Selects the trajectories of a piece that become part of a zone, given the shortest ones and the step limit.
pub(super) trait SelectTrajectories {
    fn select(&mut self, mover: MovementKind, all: Bundle, limit: u8, blocked: Bitboard) -> Bundle;
}

/// All shortest trajectories as one symbol.
pub(super) struct AllShortest;

impl SelectTrajectories for AllShortest {
    #[inline]
    fn select(&mut self, _: MovementKind, all: Bundle, _: u8, _: Bitboard) -> Bundle {
        all
    }
}

/// One trajectory, chosen by its index among TRACKS, like a string of the grammar.
pub(super) struct SingleTrajectory<'a>(pub(super) &'a mut dyn FnMut(usize) -> usize);

impl SelectTrajectories for SingleTrajectory<'_> {
    fn select(&mut self, mover: MovementKind, all: Bundle, limit: u8, blocked: Bitboard) -> Bundle {
        let tracks = crate::trajectory::tracks(&mover, all.from, all.to, limit, blocked);
        let last = tracks.len().saturating_sub(1);
        let index = (self.0)(tracks.len()).min(last);
        tracks.get(index).and_then(Bundle::from_trajectory).unwrap_or(all)
    }
}

/// The target squares, their times, and the pieces whose trajectories added them.
#[derive(Clone)]
pub(super) struct Frontier {
    pub(super) squares: Bitboard,
    pub(super) time: [i16; 64],
    owners: [Bitboard; 64],
}

impl Frontier {
    pub(super) fn new() -> Self {
        Self { squares: Bitboard::EMPTY, time: [0; 64], owners: [Bitboard::EMPTY; 64] }
    }

    /// Adds a target; the larger time counts.
    pub(super) fn add(&mut self, square: Square, time: i16, owner: Bitboard) {
        let existing = &mut self.time[square.index()];
        *existing = if self.squares.contains(square) { time.max(*existing) } else { time };
        self.squares |= square.into();
        self.owners[square.index()] |= owner;
    }
}

pub(super) struct Negations<'a> {
    pub(super) board: &'a Board,
    pub(super) attacker: Side,
    pub(super) rule: AdmissionRule,
    /// The pieces of the main line, and others that the grammar skips.
    pub(super) excluded: Bitboard,
}

impl Negations<'_> {
    /// Adds the symbols of all negations, starting with the given frontier.
    pub(super) fn run(
        &self,
        mut frontier: Frontier,
        selector: &mut impl SelectTrajectories,
        symbols: &mut Vec<ZoneSymbol>,
    ) {
        for negation in 1..=NEGATIONS {
            if frontier.squares.is_empty() {
                return;
            }
            let mut next = Frontier::new();
            for target in frontier.squares {
                let time = frontier.time[target.index()];
                if time > 0 {
                    self.add_participants(
                        target,
                        time,
                        negation,
                        frontier.owners[target.index()],
                        selector,
                        |symbol| {
                            let left = time - i16::from(symbol.bundle.len) + 1;
                            for square in symbol.bundle.inner() {
                                next.add(square, left, symbol.bundle.from.into());
                            }
                            symbols.push(symbol);
                        },
                    );
                }
            }
            frontier = next;
        }
    }

    /// Adds the pieces that can reach a target in time.
    fn add_participants(
        &self,
        target: Square,
        time: i16,
        negation: u8,
        owners: Bitboard,
        selector: &mut impl SelectTrajectories,
        mut add: impl FnMut(ZoneSymbol),
    ) {
        // Cheap filter by Manhattan distance, a lower bound of the length.
        let own_reach = match self.rule {
            AdmissionRule::Cut => u8::from(negation > 1),
            AdmissionRule::Advance { length, .. } => length.saturating_sub(1).max(1),
        };
        let friends = self.board.by_side(self.attacker) & within(target, own_reach);
        let enemies = self.board.by_side(self.attacker.other()) & within(target, time.clamp(0, 14) as u8);
        let mut pieces = (friends | enemies) & !self.excluded & !Bitboard::from(target);
        if owners.len() == 1 {
            // A piece does not oppose its own trajectory.
            pieces &= !owners;
        }
        for (from, piece) in pieces.into_iter().filter_map(|s| Some((s, self.board.piece_at(s)?))) {
            let own = piece.side() == self.attacker;
            let (mover, blocked) = (MovementKind::of(piece), lethal_traps(self.board, from));
            let Some(all) = shortest(&mover, from, target, blocked) else { continue };
            if self.rule.admits(own, piece, all.len, time, negation) {
                let limit = all.len.max(time.clamp(0, 64) as u8);
                let bundle = selector.select(mover, all, limit, blocked);
                let role = if own { Role::Support } else { Role::Intercept };
                add(ZoneSymbol { piece, role, negation, bundle, time });
            }
        }
    }
}

/// The squares with a Manhattan distance of up to `steps`.
#[inline]
fn within(square: Square, steps: u8) -> Bitboard {
    WITHIN[square.index()][steps.min(MAX_STEPS as u8) as usize]
}

/// The distance between opposite corners.
const MAX_STEPS: usize = 14;

/// Indexed by square and distance.
static WITHIN: [[Bitboard; MAX_STEPS + 1]; 64] = {
    let mut table = [[Bitboard::EMPTY; MAX_STEPS + 1]; 64];
    let mut square = 0;
    while square < 64 {
        table[square][0] = Bitboard(1 << square);
        let mut steps = 1;
        while steps <= MAX_STEPS {
            let near = table[square][steps - 1];
            table[square][steps] = Bitboard(near.0 | near.neighbours().0);
            steps += 1;
        }
        square += 1;
    }
    table
};

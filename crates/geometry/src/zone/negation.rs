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
    fn admits(self, own: bool, piece: Piece, steps: u8, time: i16) -> bool {
        match self {
            Self::Cut if own => steps == 1,
            Self::Cut => i16::from(steps) <= time,
            Self::Advance { runner, length } => joins(own, heavier(piece, runner), steps, time, length),
        }
    }

    /// The most steps from which a piece is admitted.
    fn reach(self, own: bool, heavy: bool, time: i16) -> u8 {
        let time = time.clamp(0, 14) as u8;
        match (self, own, heavy) {
            (Self::Cut, true, _) | (Self::Advance { .. }, true, false) => 1,
            (Self::Advance { length, .. }, true, true) => length.saturating_sub(1),
            (Self::Cut, false, _) | (Self::Advance { .. }, false, true) => time,
            (Self::Advance { .. }, false, false) => time.saturating_sub(1),
        }
    }

    /// Whether a piece counts as heavy: heavier than the runner.
    pub(super) fn is_heavy(self, piece: Piece) -> bool {
        match self {
            Self::Cut => true,
            Self::Advance { runner, .. } => heavier(piece, runner),
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
    time: [i16; 64],
    /// The square of the only owner, or one of the values below.
    owner: [u8; 64],
}

/// No owner, as for the targets of the main line; more than one.
const NO_OWNER: u8 = 64;
const SEVERAL_OWNERS: u8 = 65;

impl Frontier {
    pub(super) const fn new() -> Self {
        Self { squares: Bitboard::EMPTY, time: [0; 64], owner: [NO_OWNER; 64] }
    }

    /// Adds a target; the larger time counts.
    pub(super) fn add(&mut self, square: Square, time: i16, owner: Option<Square>) {
        let i = square.index();
        self.time[i] = if self.squares.contains(square) { time.max(self.time[i]) } else { time };
        self.squares |= square.into();
        if let Some(owner) = owner.map(|owner| owner.index() as u8) {
            let is_other = self.owner[i] != NO_OWNER && self.owner[i] != owner;
            self.owner[i] = if is_other { SEVERAL_OWNERS } else { owner };
        }
    }

    /// The largest time of a target.
    pub(super) fn max_time(&self) -> i16 {
        self.squares.into_iter().map(|square| self.time[square.index()]).max().unwrap_or(0)
    }

    /// Removes targets.
    pub(super) fn remove(&mut self, squares: Bitboard) {
        self.squares &= !squares;
        for square in squares {
            self.owner[square.index()] = NO_OWNER;
        }
    }

    /// The piece that a target does not oppose: the only one whose trajectories added it.
    pub(super) fn sole_owner(&self, square: Square) -> Bitboard {
        Square::new(self.owner[square.index()]).map_or(Bitboard::EMPTY, Bitboard::from)
    }

    /// The squares that are targets of only one of two frontiers, or with another time or sole owner.
    pub(super) fn difference(&self, other: &Self) -> Bitboard {
        let differs = |square: &Square| {
            let i = square.index();
            self.time[i] != other.time[i] || self.owner[i] != other.owner[i]
        };
        let both = self.squares & other.squares;
        (self.squares ^ other.squares) | both.into_iter().filter(differs).collect()
    }

    /// The time of a target, if it can be reached in time at all.
    pub(super) fn time(&self, square: Square) -> Option<i16> {
        let time = self.time[square.index()];
        (self.squares.contains(square) && time > 0).then_some(time)
    }
}

pub(super) struct Negations<'a> {
    pub(super) board: &'a Board,
    pub(super) attacker: Side,
    pub(super) rule: AdmissionRule,
    /// The pieces of the main line, and others that the grammar skips.
    pub(super) excluded: Bitboard,
    /// Whether the conditions are those in print: own pieces also join a first negation, also on their own trajectories,
    /// and the time left is always one.
    pub(super) printed: bool,
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
            let mut next = Frontier::new();
            for target in frontier.squares {
                let Some(time) = frontier.time(target) else { continue };
                let before = symbols.len();
                self.add_participants(target, negation, &frontier, Bitboard::ALL, selector, symbols);
                if negation == NEGATIONS {
                    continue;
                }
                for symbol in &symbols[before..] {
                    let left = self.time_left(time, symbol.bundle.len);
                    for square in symbol.bundle.inner() {
                        next.add(square, left, Some(symbol.bundle.from));
                    }
                }
            }
            frontier = next;
        }
    }

    /// The time left for the squares of a trajectory of some length.
    pub(super) fn time_left(&self, time: i16, length: u8) -> i16 {
        if self.printed { 1 } else { time - i16::from(length) + 1 }
    }

    /// Adds those of `candidates` that can reach a target in time.
    pub(super) fn add_participants(
        &self,
        target: Square,
        negation: u8,
        frontier: &Frontier,
        candidates: Bitboard,
        selector: &mut impl SelectTrajectories,
        symbols: &mut Vec<ZoneSymbol>,
    ) {
        let time = frontier.time[target.index()];
        let mut pieces = self.nearby(target, negation, time) & candidates;
        if !self.printed {
            // A piece does not oppose its own trajectory.
            pieces &= !frontier.sole_owner(target);
        }
        for (from, piece) in pieces.into_iter().filter_map(|s| Some((s, self.board.piece_at(s)?))) {
            let own = piece.side() == self.attacker;
            let mover = MovementKind::of(piece);
            let blocked = if self.printed { Bitboard::EMPTY } else { lethal_traps(self.board, from) };
            let Some(all) = shortest(&mover, from, target, blocked) else { continue };
            if self.rule.admits(own, piece, all.len, time) {
                let limit = all.len.max(time.clamp(0, 64) as u8);
                let bundle = selector.select(mover, all, limit, blocked);
                let role = if own { Role::Support } else { Role::Intercept };
                symbols.push(ZoneSymbol { piece, role, negation, bundle, time });
            }
        }
    }

    /// The pieces that may be near enough, by Manhattan distance, a lower bound of the length.
    fn nearby(&self, target: Square, negation: u8, time: i16) -> Bitboard {
        let of = |own: bool, side| {
            self.board.by_side(side) & within(target, self.rule.reach(own, true, time).max(1))
        };
        let friends = if self.own_joins(negation) { of(true, self.attacker) } else { Bitboard::EMPTY };
        let enemies = of(false, self.attacker.other());
        (friends | enemies) & !self.excluded & !Bitboard::from(target)
    }

    /// Adds the squares from which a piece could join at a target, by class.
    pub(super) fn extend_reach(
        &self,
        target: Square,
        negation: u8,
        frontier: &Frontier,
        reach: &mut [Bitboard; 4],
    ) {
        let time = frontier.time[target.index()];
        for (i, (own, heavy)) in
            [(true, true), (true, false), (false, true), (false, false)].into_iter().enumerate()
        {
            if !own || self.own_joins(negation) {
                reach[i] |= within(target, self.rule.reach(own, heavy, time));
            }
        }
    }

    /// Whether a symbol is admitted with another time.
    pub(super) fn admits(&self, symbol: &ZoneSymbol, length: u8, time: i16) -> bool {
        let own = symbol.piece.side() == self.attacker;
        self.rule.admits(own, symbol.piece, length, time)
    }

    /// The most steps from which a piece joins at a target with this time.
    pub(super) fn reach_of(&self, piece: Piece, time: i16) -> u8 {
        self.rule.reach(piece.side() == self.attacker, self.rule.is_heavy(piece), time)
    }

    /// The most steps from which any piece joins at a target.
    pub(super) fn max_reach(&self, target: Square, frontier: &Frontier) -> u8 {
        let time = frontier.time[target.index()];
        self.rule.reach(true, true, time).max(self.rule.reach(false, true, time))
    }

    /// Whether own pieces join a negation: in CUT zones from the second.
    fn own_joins(&self, negation: u8) -> bool {
        self.printed || negation > 1 || matches!(self.rule, AdmissionRule::Advance { .. })
    }
}

/// The squares with a Manhattan distance of up to `steps`.
#[inline]
pub(super) fn within(square: Square, steps: u8) -> Bitboard {
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

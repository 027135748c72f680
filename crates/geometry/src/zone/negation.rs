//! The double loop of both grammars: who can reach a square of the line before in time.

use surus_rules::{Bitboard, Board, Piece, Side, Square};

use super::{NEGATIONS, Role, ZoneSymbol, joins};
use crate::abg::{MovementKind, heavier, lethal_traps};
use crate::trajectory::{Bundle, shortest};

/// By what condition pieces are let in.
#[derive(Clone, Copy)]
pub(super) enum AdmissionRule {
    Cut,
    Advance { runner: Piece, length: u8 },
}

impl AdmissionRule {
    /// Whether a piece takes part that is so many steps away from a square with this time.
    fn admits(self, own: bool, piece: Piece, steps: u8, time: i16, negation: u8) -> bool {
        match self {
            Self::Cut if own => 1 < negation && steps == 1,
            Self::Cut => i16::from(steps) <= time,
            Self::Advance { runner, length } => joins(own, heavier(piece, runner), steps, time, length),
        }
    }
}

/// Chooses what of all trajectories of a piece goes into a zone. It is given the shortest ones and the most steps that
/// there is time for.
pub(super) trait SelectTrajectories {
    fn choose(&mut self, mover: MovementKind, all: Bundle, most: u8, blocked: Bitboard) -> Bundle;
}

/// All shortest ones at once.
pub(super) struct AllShortest;

impl SelectTrajectories for AllShortest {
    #[inline]
    fn choose(&mut self, _: MovementKind, all: Bundle, _: u8, _: Bitboard) -> Bundle {
        all
    }
}

/// One, by its place among the tracks: what one string of the grammar has.
pub(super) struct SingleTrajectory<'a>(pub(super) &'a mut dyn FnMut(usize) -> usize);

impl SelectTrajectories for SingleTrajectory<'_> {
    fn choose(&mut self, mover: MovementKind, all: Bundle, most: u8, blocked: Bitboard) -> Bundle {
        let tracks = crate::trajectory::tracks(&mover, all.from, all.to, most, blocked);
        let last = tracks.len().saturating_sub(1);
        let index = (self.0)(tracks.len()).min(last);
        tracks.get(index).and_then(Bundle::of_path).unwrap_or(all)
    }
}

/// The squares to reach, the time of each, and whose trajectories put it there.
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

    /// A square is to be reached in this time, or in a longer one that it has already.
    pub(super) fn add(&mut self, square: Square, time: i16, owner: Bitboard) {
        let known = &mut self.time[square.index()];
        *known = if self.squares.contains(square) { time.max(*known) } else { time };
        self.squares |= square.into();
        self.owners[square.index()] |= owner;
    }
}

pub(super) struct Negations<'a> {
    pub(super) board: &'a Board,
    pub(super) attacker: Side,
    pub(super) rule: AdmissionRule,
    /// The pieces of the main line, and those that the grammar passes over.
    pub(super) excluded: Bitboard,
}

impl Negations<'_> {
    /// Adds the symbols of all negations that follow from the first front.
    pub(super) fn run(
        &self,
        mut front: Frontier,
        choose: &mut impl SelectTrajectories,
        symbols: &mut Vec<ZoneSymbol>,
    ) {
        for negation in 1..=NEGATIONS {
            if front.squares.is_empty() {
                return;
            }
            let mut next = Frontier::new();
            for target in front.squares {
                let time = front.time[target.index()];
                if 0 < time {
                    self.add_participants(
                        target,
                        time,
                        negation,
                        front.owners[target.index()],
                        choose,
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
            front = next;
        }
    }

    /// Everybody who can come to a square in time.
    fn add_participants(
        &self,
        target: Square,
        time: i16,
        negation: u8,
        owners: Bitboard,
        choose: &mut impl SelectTrajectories,
        mut add: impl FnMut(ZoneSymbol),
    ) {
        // Where the way through an empty board is too long, a detour is too.
        let own_reach = match self.rule {
            AdmissionRule::Cut => u8::from(1 < negation),
            AdmissionRule::Advance { length, .. } => length.saturating_sub(1).max(1),
        };
        let friends = self.board.by_side(self.attacker) & within(target, own_reach);
        let others = self.board.by_side(self.attacker.other()) & within(target, time.clamp(0, 14) as u8);
        let mut pieces = (friends | others) & !self.excluded & !Bitboard::from(target);
        if owners.len() == 1 {
            // Nobody goes against its own trajectory alone.
            pieces &= !owners;
        }
        for (from, piece) in pieces.into_iter().filter_map(|s| Some((s, self.board.piece_at(s)?))) {
            let own = piece.side() == self.attacker;
            let (mover, blocked) = (MovementKind::of(piece), lethal_traps(self.board, from));
            let Some(all) = shortest(&mover, from, target, blocked) else { continue };
            if self.rule.admits(own, piece, all.len, time, negation) {
                let most = all.len.max(time.clamp(0, 64) as u8);
                let bundle = choose.choose(mover, all, most, blocked);
                let role = if own { Role::Support } else { Role::Intercept };
                add(ZoneSymbol { piece, role, negation, bundle, time });
            }
        }
    }
}

/// All squares that are no more than so many steps away.
#[inline]
fn within(square: Square, steps: u8) -> Bitboard {
    WITHIN[square.index()][steps.min(MAX_STEPS as u8) as usize]
}

/// Steps from corner to corner.
const MAX_STEPS: usize = 14;

/// For each square what is near it, by the most steps.
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

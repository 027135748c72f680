//! Advance zones: the run of a rabbit to the goal.

use surus_rules::{Bitboard, Board, Piece, Square};

use super::negation::{
    AdmissionRule, AllShortest, Frontier, Negations, SelectTrajectories, SingleTrajectory,
};
use super::{Role, Zone, ZoneKind, ZoneSymbol, is_rabbit};
use crate::abg::{MovementKind, lethal_traps};
use crate::trajectory::{Bundle, shortest, tracks};

/// How time is counted along the run of a rabbit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeModel {
    /// The sides alternate after each step \[LG\].
    Serial,
    /// The sides alternate after four steps; the attacker has this many left in the current turn (0: the defender is to
    /// move).
    Turns(u8),
}

impl TimeModel {
    /// TIME of the square that the rabbit enters with step k.
    #[must_use]
    pub const fn at(self, k: u8) -> i16 {
        match self {
            Self::Serial => k as i16 + 1,
            Self::Turns(left) => 4 * (k.saturating_sub(left).div_ceil(4) as i16) + 1,
        }
    }
}

/// The zone of a rabbit's run to a goal square in up to `length` steps. `None` if `rabbit` is not the square of a rabbit,
/// `goal` is not one of its goal squares, or it is not reachable in time.
#[must_use]
pub fn advance_zone(
    board: &Board,
    rabbit: Square,
    goal: Square,
    length: u8,
    clock: TimeModel,
) -> Option<Zone> {
    let (main, ..) = run(board, rabbit, goal, length)?;
    zone(board, rabbit, length, clock, main, &mut AllShortest)
}

/// Like [`advance_zone`] with a single trajectory per symbol, like a string of the grammar: `pick` is called with the
/// number of trajectories and returns an index.
#[must_use]
pub fn advance_zone_by(
    board: &Board,
    rabbit: Square,
    goal: Square,
    length: u8,
    pick: &mut dyn FnMut(usize) -> usize,
) -> Option<Zone> {
    let (_, mover, blocked) = run(board, rabbit, goal, length)?;
    let mains = tracks(&mover, rabbit, goal, length, blocked);
    let index = pick(mains.len()).min(mains.len().checked_sub(1)?);
    zone(
        board,
        rabbit,
        length,
        TimeModel::Serial,
        Bundle::from_trajectory(&mains[index])?,
        &mut SingleTrajectory(pick),
    )
}

/// The zone of a piece's way to a cell as \[LG\] prints it: an enemy piece must stand on the cell, and the distances of
/// SUM are those *from* it, so that no rabbit has a trajectory across more than one rank.
#[must_use]
pub fn advance_zone_printed(board: &Board, from: Square, to: Square, length: u8) -> Option<Zone> {
    let piece = board.piece_at(from)?;
    board.piece_at(to).filter(|enemy| enemy.side() != piece.side())?;
    let main = shortest_printed(MovementKind::of(piece), from, to).filter(|main| main.len <= length)?;
    let run = Run { rabbit: from, runner: piece, length, clock: TimeModel::Serial, main, printed: true };
    Some(run.zone(board, &mut AllShortest))
}

/// The shortest trajectories with the printed SUM, which contains only squares that the piece can reach from the end.
#[must_use]
pub fn shortest_printed(mover: MovementKind, from: Square, to: Square) -> Option<Bundle> {
    let all = shortest(&mover, from, to, Bitboard::EMPTY)?;
    let returns = |square: &Square| mover == MovementKind::Any || square.rank() == to.rank();
    all.within(Bitboard::ALL.into_iter().filter(returns).collect())
}

/// The nearest goal square of a rabbit and its distance; the lowest of several.
#[must_use]
pub fn rabbit_run(board: &Board, rabbit: Square) -> Option<(Square, u8)> {
    let piece = board.piece_at(rabbit).filter(|_| is_rabbit(board, rabbit))?;
    let blocked = lethal_traps(board, rabbit);
    let runs = piece.side().goal().into_iter().filter_map(|goal| {
        let bundle = shortest(&MovementKind::of(piece), rabbit, goal, blocked)?;
        Some((goal, bundle.len))
    });
    runs.min_by_key(|&(goal, length)| (length, goal.index()))
}

fn run(board: &Board, rabbit: Square, goal: Square, length: u8) -> Option<(Bundle, MovementKind, Bitboard)> {
    let piece = board.piece_at(rabbit).filter(|_| is_rabbit(board, rabbit))?;
    let (mover, blocked) = (MovementKind::of(piece), lethal_traps(board, rabbit));
    let main = shortest(&mover, rabbit, goal, blocked)?;
    (piece.side().goal().contains(goal) && main.len <= length).then_some((main, mover, blocked))
}

fn zone(
    board: &Board,
    rabbit: Square,
    length: u8,
    clock: TimeModel,
    main: Bundle,
    selector: &mut impl SelectTrajectories,
) -> Option<Zone> {
    let run = Run { rabbit, runner: board.piece_at(rabbit)?, length, clock, main, printed: false };
    Some(run.zone(board, selector))
}

/// The main line of an advance zone.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) rabbit: Square,
    pub(super) runner: Piece,
    pub(super) length: u8,
    pub(super) clock: TimeModel,
    pub(super) main: Bundle,
    pub(super) printed: bool,
}

impl Run {
    fn zone(&self, board: &Board, selector: &mut impl SelectTrajectories) -> Zone {
        let mut symbols = self.symbols();
        self.negations(board).run(self.frontier(), selector, &mut symbols);
        self.with_symbols(symbols)
    }

    pub(super) fn with_symbols(&self, symbols: Vec<ZoneSymbol>) -> Zone {
        let Self { rabbit, length, clock, .. } = *self;
        let subject = ZoneKind::Advance { rabbit, goal: self.main.to, length, clock };
        Zone { attacker: self.runner.side(), subject, symbols }
    }

    pub(super) fn symbols(&self) -> Vec<ZoneSymbol> {
        let mut symbols = Vec::with_capacity(128);
        let time = self.clock.at(self.main.len);
        symbols.push(ZoneSymbol {
            piece: self.runner,
            role: Role::Runner,
            negation: 0,
            bundle: self.main,
            time,
        });
        symbols
    }

    /// The targets of the first negation.
    pub(super) fn frontier(&self) -> Frontier {
        let mut frontier = Frontier::new();
        for k in 1..=self.main.len {
            for square in self.main.layer(k) {
                frontier.add(square, self.clock.at(k), None);
            }
        }
        frontier
    }

    pub(super) fn negations<'a>(&self, board: &'a Board) -> Negations<'a> {
        let rule = AdmissionRule::Advance { runner: self.runner, length: self.length };
        let excluded = Bitboard::from(self.rabbit) | self.main.to.into();
        Negations { board, attacker: self.runner.side(), rule, excluded, printed: self.printed }
    }
}

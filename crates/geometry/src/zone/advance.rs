//! Advance zones: the run of a rabbit to the goal.

use surus_rules::{Bitboard, Board, Square};

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
/// SUM are those *from* it, so that no rabbit has a trajectory that leaves its rank.
#[must_use]
pub fn advance_zone_printed(board: &Board, from: Square, to: Square, length: u8) -> Option<Zone> {
    let piece = board.piece_at(from)?;
    board.piece_at(to).filter(|enemy| enemy.side() != piece.side())?;
    let main = shortest_printed(MovementKind::of(piece), from, to).filter(|main| main.len <= length)?;
    zone(board, from, length, TimeModel::Serial, main, &mut AllShortest)
}

/// The shortest trajectories with the printed SUM.
#[must_use]
pub fn shortest_printed(mover: MovementKind, from: Square, to: Square) -> Option<Bundle> {
    let has_return = mover == MovementKind::Any || from.rank() == to.rank();
    shortest(&mover, from, to, Bitboard::EMPTY).filter(|_| has_return)
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
    let runner = board.piece_at(rabbit)?;
    let (attacker, goal) = (runner.side(), main.to);
    let mut symbols = Vec::with_capacity(128);
    let time = clock.at(main.len);
    symbols.push(ZoneSymbol { piece: runner, role: Role::Runner, negation: 0, bundle: main, time });
    let mut frontier = Frontier::new();
    for k in 1..=main.len {
        for square in main.layer(k) {
            frontier.add(square, clock.at(k), Bitboard::EMPTY);
        }
    }
    let excluded = Bitboard::from(rabbit) | goal.into();
    let rule = AdmissionRule::Advance { runner, length };
    Negations { board, attacker, rule, excluded }.run(frontier, selector, &mut symbols);
    Some(Zone { attacker, subject: ZoneKind::Advance { rabbit, goal, length, clock }, symbols })
}

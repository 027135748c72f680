//! Defences: what a side can do in its turn against a capture or a goal in the next.

use surus_rules::{Bitboard, Board, DistinctTurns, Position, Side, Square, Step, Turn};

use super::{Capture, Goal, SearchStats, all_captures, capture_of, goal_in_one_turn};
use crate::Fidelity::Extended;
use crate::abg::{heavier, lethal_traps, manhattan, weight};
use crate::trajectory::Trajectory;
use crate::zone::{Role, TimeModel, Zone, ZoneKind, ZoneSymbol, advance_zone, cut_zones_at};

/// How a defence works.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DefenceKind {
    /// The attacked piece leaves.
    Retreat,
    /// A piece comes beside the trap.
    ProtectTrap,
    /// A piece comes into the way.
    Block,
    /// A stronger piece comes beside the rabbit's way.
    Freeze,
    /// A piece is pushed or pulled away, or something else; found by trying every turn.
    Other,
}

/// A turn after which the same search finds nothing any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence {
    /// How it works.
    pub means: DefenceKind,
    /// The turn.
    pub turn: Turn,
    /// The board after it.
    pub board: Board,
    /// Whether the piece that comes to help can be captured itself then.
    pub loses_defender: bool,
}

/// When trying the ways of a zone has taken so many boards, the rest are not tried.
const NODE_BUDGET: u64 = 600;

/// No longer way of a piece is tried than a turn has steps, and no more ways to one square than these.
const MAX_PATHS: usize = 6;

/// Turns that save one piece from one capture, in the order of the document: it leaves, somebody covers the trap,
/// somebody blocks the way. At most so many. It may be lost to something else.
#[must_use]
pub fn defend_capture(
    board: &Board,
    threat: &Capture,
    most: usize,
    effort: &mut SearchStats,
) -> Vec<Defence> {
    let attacker = threat.piece.side().other();
    let mut found: Vec<Defence> = Vec::new();
    let enough = effort.nodes + NODE_BUDGET;
    for (means, path) in cut_candidates(board, threat, 4) {
        if found.len() == most || enough < effort.nodes {
            break;
        }
        let Some((turn, after)) = walk(board, attacker.other(), &path) else { continue };
        let now =
            if path.0[0] == threat.square { *path.0.last().unwrap_or(&threat.square) } else { threat.square };
        let alive = after.piece_at(now) == Some(threat.piece);
        if alive && capture_of(&after, attacker, 4, now, Extended, effort).is_none() {
            let came = path.0.last().copied().filter(|_| means != DefenceKind::Retreat);
            let loses =
                came.is_some_and(|came| capture_of(&after, attacker, 4, came, Extended, effort).is_some());
            found.push(Defence { means, turn, board: after, loses_defender: loses });
        }
    }
    found
}

/// The ways that the zones of a threat let the defender try, in the order of preference.
fn cut_candidates(board: &Board, threat: &Capture, left: u8) -> Vec<(DefenceKind, Trajectory)> {
    let attacker = threat.piece.side().other();
    let mut ways = leaving(board, threat.square, left);
    let about = |zone: &Zone| match zone.subject {
        ZoneKind::Cut { trap, victim, .. } => trap == threat.trap && victim == threat.square,
        ZoneKind::Advance { .. } => false,
    };
    let zones: Vec<Zone> =
        cut_zones_at(board, attacker, threat.trap, 4, Extended).into_iter().filter(about).collect();
    let beside = Bitboard::from(threat.trap).neighbours();
    let answers = |means: DefenceKind| {
        let of = zones.iter().flat_map(|zone| &zone.symbols).filter(move |symbol| {
            let covers = beside.contains(symbol.bundle.to);
            symbol.role == Role::Intercept
                && symbol.negation == 1
                && covers == (means == DefenceKind::ProtectTrap)
        });
        of.flat_map(move |symbol| paths(symbol, left).into_iter().map(move |path| (means, path)))
    };
    for way in answers(DefenceKind::ProtectTrap).chain(answers(DefenceKind::Block)) {
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

fn paths(symbol: &ZoneSymbol, left: u8) -> Vec<Trajectory> {
    if left < symbol.bundle.len { Vec::new() } else { symbol.bundle.paths(&symbol.mover(), MAX_PATHS) }
}

/// The ways on which the attacked piece can go by itself, one step, then two.
fn leaving(board: &Board, square: Square, left: u8) -> Vec<(DefenceKind, Trajectory)> {
    let Some(piece) = board.piece_at(square) else { return Vec::new() };
    let mover = crate::abg::MovementKind::of(piece);
    let free = board.empty() & !lethal_traps(board, square);
    use crate::abg::Reach;
    let once: Vec<Trajectory> =
        (mover.successors(square.into()) & free).into_iter().map(|to| Trajectory(vec![square, to])).collect();
    let mut all = once.clone();
    for path in once.iter().filter(|_| 2 <= left) {
        let last = Bitboard::from(path.0[1]);
        all.extend(
            (mover.successors(last) & free).into_iter().map(|to| Trajectory(vec![square, path.0[1], to])),
        );
    }
    all.into_iter().map(|path| (DefenceKind::Retreat, path)).collect()
}

/// Plays the steps of one piece by the rules.
fn walk(board: &Board, side: Side, path: &Trajectory) -> Option<(Turn, Board)> {
    let start = Position::new(*board, side).ok()?;
    let (turn, position) = follow(&start, path)?;
    position.can_end_turn(board).then_some((turn, *position.board()))
}

fn follow(start: &Position, path: &Trajectory) -> Option<(Turn, Position)> {
    let mut position = *start;
    let mut turn = Turn::EMPTY;
    for pair in path.0.windows(2) {
        let piece = position.board().piece_at(pair[0])?;
        let step = Step::new(piece, pair[0], pair[0].direction_to(pair[1])?)?;
        position = position.try_step(step).ok()?;
        if !turn.push(step) {
            return None;
        }
    }
    Some((turn, position))
}

/// Boards that a search for a defence against everything looks at, at most.
const MAX_BOARDS: usize = 600;

/// The turn with the fewest steps after which no capture at all is found, and no goal; the most valuable piece is
/// looked after first.
#[must_use]
pub fn defend_all(board: &Board, defender: Side, effort: &mut SearchStats) -> Option<Turn> {
    let start = Position::new(*board, defender).ok()?;
    let mut boards = MAX_BOARDS;
    (1..=4).find_map(|steps| save_all(&start, Turn::EMPTY, steps, &mut boards, effort))
}

fn save_all(
    position: &Position,
    turn: Turn,
    left: u8,
    boards: &mut usize,
    effort: &mut SearchStats,
) -> Option<Turn> {
    let (board, attacker) = (position.board(), position.side().other());
    *boards = boards.checked_sub(1)?;
    let mut threats = all_captures(board, attacker, 4, Extended, effort);
    if threats.is_empty() {
        let goal = goal_in_one_turn(board, attacker, 4, Extended, effort);
        return (goal.is_none() && !turn.is_empty()).then_some(turn);
    }
    threats.sort_by_key(|threat| std::cmp::Reverse(weight(threat.piece.kind())));
    let mut ways = cut_candidates(board, &threats[0], left);
    ways.sort_by_key(|(_, path)| path.len());
    for (_, path) in ways.into_iter().filter(|(_, path)| path.len() <= usize::from(left)) {
        let Some((steps, after)) = follow(position, &path) else { continue };
        let whole = after.board().by_side(position.side()).len() == board.by_side(position.side()).len();
        let mut next = turn;
        if !whole || !steps.steps().all(|step| next.push(step)) {
            continue;
        }
        if let Some(found) = save_all(&after, next, left - path.len() as u8, boards, effort) {
            return Some(found);
        }
    }
    None
}

/// Turns that stop a goal, those that freeze before those that block, at most so many; if the zone has none and `every`
/// is set, all turns are tried.
#[must_use]
pub fn defend_goal(
    board: &Board,
    defender: Side,
    threat: &Goal,
    most: usize,
    every: bool,
    effort: &mut SearchStats,
) -> Vec<Defence> {
    let mut found: Vec<Defence> = Vec::new();
    let enough = effort.nodes + NODE_BUDGET;
    for (means, path) in goal_candidates(board, threat) {
        if found.len() == most || enough < effort.nodes {
            break;
        }
        let Some((turn, after)) = walk(board, defender, &path) else { continue };
        if found.iter().all(|known| known.board != after) && stops(&after, defender, effort) {
            found.push(Defence { means, turn, board: after, loses_defender: false });
        }
    }
    let start = Position::new(*board, defender).ok().filter(|_| found.is_empty() && every);
    if let Some(start) = start {
        let turns = DistinctTurns::new(&start, board, 4);
        let mut all: Vec<(Turn, &Board)> = turns.iter().collect();
        all.sort_by_key(|(turn, _)| turn.len());
        for (turn, after) in all {
            if found.len() == most {
                break;
            }
            if stops(after, defender, effort) {
                found.push(Defence { means: DefenceKind::Other, turn, board: *after, loses_defender: false });
            }
        }
    }
    found
}

/// Whether the other side has no goal on this board, neither now nor in its turn.
fn stops(board: &Board, defender: Side, effort: &mut SearchStats) -> bool {
    let attacker = defender.other();
    (board.rabbits(attacker) & attacker.goal()).is_empty()
        && goal_in_one_turn(board, attacker, 4, Extended, effort).is_none()
}

fn goal_candidates(board: &Board, threat: &Goal) -> Vec<(DefenceKind, Trajectory)> {
    let Some(runner) = board.piece_at(threat.rabbit) else { return Vec::new() };
    let length = manhattan(threat.rabbit, threat.goal);
    let Some(zone) = advance_zone(board, threat.rabbit, threat.goal, length.max(1), TimeModel::Turns(0))
    else {
        return Vec::new();
    };
    let (mut freezing, mut blocking) = (Vec::new(), Vec::new());
    for symbol in zone.symbols.iter().filter(|symbol| symbol.role == Role::Intercept && symbol.negation == 1)
    {
        for path in symbol.bundle.paths(&symbol.mover(), MAX_PATHS) {
            // Whoever is stronger need only come beside the square.
            let beside = Trajectory(path.0[..path.0.len() - 1].to_vec());
            if heavier(symbol.piece, runner) && (1..=4).contains(&beside.len()) {
                freezing.push((DefenceKind::Freeze, beside));
            }
            if path.len() <= 4 {
                blocking.push((DefenceKind::Block, path));
            }
        }
    }
    freezing.append(&mut blocking);
    freezing.sort_by_key(|(means, path)| (*means != DefenceKind::Freeze, path.len()));
    freezing.dedup();
    freezing
}

//! Defences: turns that prevent a capture or a goal in the opponent's next turn.

use surus_rules::{Bitboard, Board, DistinctTurns, Position, Side, Square, Step, Turn};

use super::{
    Capture, Goal, Guidance, HeuristicRule, HeuristicRules, SearchStats, all_captures, capture_of,
    goal_in_one_turn,
};
use crate::Fidelity;
use crate::abg::{heavier, lethal_traps, manhattan, weight};
use crate::trajectory::Trajectory;
use crate::zone::{Role, TimeModel, Zone, ZoneKind, ZoneSymbol, advance_zone, cut_zones_at};

/// How a defence works.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DefenceKind {
    /// The attacked piece steps away.
    Retreat,
    /// A piece moves next to the trap.
    ProtectTrap,
    /// A piece moves onto the trajectory.
    Block,
    /// A stronger piece moves next to the trajectory of the rabbit.
    Freeze,
    /// Any other defence, such as a push or pull; found by trying every turn.
    Other,
}

/// A turn after which the search no longer finds the threat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence {
    /// How it works.
    pub means: DefenceKind,
    /// The turn.
    pub turn: Turn,
    /// The board after the turn.
    pub board: Board,
    /// Whether the defending piece can then be captured.
    pub loses_defender: bool,
}

/// No further trajectories are tried after this number of boards.
const NODE_BUDGET: u64 = 600;

/// The maximum number of trajectories per symbol.
const MAX_PATHS: usize = 6;

/// Up to `limit` turns that save one piece from one capture, in the order of \[LG\]: it retreats, a piece protects the
/// trap, a piece blocks the captor. Other pieces may still be lost.
#[must_use]
pub fn defend_capture(
    board: &Board,
    threat: &Capture,
    limit: usize,
    rules: HeuristicRules,
    stats: &mut SearchStats,
) -> Vec<Defence> {
    let attacker = threat.piece.side().other();
    let mut found: Vec<Defence> = Vec::new();
    let node_limit = stats.nodes + NODE_BUDGET;
    for (means, path) in cut_candidates(board, threat, 4, rules) {
        if found.len() == limit || stats.nodes > node_limit {
            break;
        }
        let Some((turn, after)) = play_path(board, attacker.other(), &path) else { continue };
        let square =
            if path.0[0] == threat.square { *path.0.last().unwrap_or(&threat.square) } else { threat.square };
        let alive = after.piece_at(square) == Some(threat.piece);
        if alive && capture_of(&after, attacker, 4, square, Guidance::EXTENDED, stats).is_none() {
            let defender = path.0.last().copied().filter(|_| means != DefenceKind::Retreat);
            let loses = defender.is_some_and(|square| {
                capture_of(&after, attacker, 4, square, Guidance::EXTENDED, stats).is_some()
            });
            found.push(Defence { means, turn, board: after, loses_defender: loses });
        }
    }
    found
}

/// The defending trajectories that the zones of a threat propose, in order of preference.
pub(super) fn cut_candidates(
    board: &Board,
    threat: &Capture,
    left: u8,
    rules: HeuristicRules,
) -> Vec<(DefenceKind, Trajectory)> {
    let attacker = threat.piece.side().other();
    let mut candidates = Vec::new();
    if rules.has(HeuristicRule::Retreat) {
        candidates = retreats(board, threat.square, left);
    }
    let about = |zone: &Zone| match zone.subject {
        ZoneKind::Cut { trap, victim, .. } => trap == threat.trap && victim == threat.square,
        ZoneKind::Advance { .. } => false,
    };
    let zones: Vec<Zone> =
        cut_zones_at(board, attacker, threat.trap, 4, Fidelity::Extended).into_iter().filter(about).collect();
    let adjacent = Bitboard::from(threat.trap).neighbours();
    let proposals = |means: DefenceKind| {
        let of = zones.iter().flat_map(|zone| &zone.symbols).filter(move |symbol| {
            let covers = adjacent.contains(symbol.bundle.to);
            symbol.role == Role::Intercept
                && symbol.negation == 1
                && covers == (means == DefenceKind::ProtectTrap)
        });
        of.flat_map(move |symbol| paths(symbol, left).into_iter().map(move |path| (means, path)))
    };
    for (rule, means) in [
        (HeuristicRule::DominateTrap, DefenceKind::ProtectTrap),
        (HeuristicRule::BlockMain, DefenceKind::Block),
    ] {
        for candidate in proposals(means).filter(|_| rules.has(rule)) {
            if !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
    }
    candidates
}

fn paths(symbol: &ZoneSymbol, left: u8) -> Vec<Trajectory> {
    if symbol.bundle.len > left { Vec::new() } else { symbol.bundle.paths(&symbol.mover(), MAX_PATHS) }
}

/// The retreats of the attacked piece: one step, then two.
fn retreats(board: &Board, square: Square, left: u8) -> Vec<(DefenceKind, Trajectory)> {
    let Some(piece) = board.piece_at(square) else { return Vec::new() };
    let mover = crate::abg::MovementKind::of(piece);
    let free = board.empty() & !lethal_traps(board, square);
    use crate::abg::Reach;
    let once: Vec<Trajectory> =
        (mover.successors(square.into()) & free).into_iter().map(|to| Trajectory(vec![square, to])).collect();
    let mut all = once.clone();
    for path in once.iter().filter(|_| left >= 2) {
        let last = Bitboard::from(path.0[1]);
        all.extend(
            (mover.successors(last) & free).into_iter().map(|to| Trajectory(vec![square, path.0[1], to])),
        );
    }
    all.into_iter().map(|path| (DefenceKind::Retreat, path)).collect()
}

/// Plays a trajectory of one piece as a complete turn.
pub(super) fn play_path(board: &Board, side: Side, path: &Trajectory) -> Option<(Turn, Board)> {
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

/// The maximum number of boards of [`defend_all`].
const MAX_BOARDS: usize = 600;

/// Finds the shortest turn after which neither a capture nor a goal is found; defends the limit valuable piece first.
#[must_use]
pub fn defend_all(board: &Board, defender: Side, stats: &mut SearchStats) -> Option<Turn> {
    let start = Position::new(*board, defender).ok()?;
    let mut boards = MAX_BOARDS;
    (1..=4).find_map(|steps| save_all(&start, Turn::EMPTY, steps, &mut boards, stats))
}

fn save_all(
    position: &Position,
    turn: Turn,
    left: u8,
    boards: &mut usize,
    stats: &mut SearchStats,
) -> Option<Turn> {
    let (board, attacker) = (position.board(), position.side().other());
    *boards = boards.checked_sub(1)?;
    let mut threats = all_captures(board, attacker, 4, Guidance::EXTENDED, stats);
    if threats.is_empty() {
        let goal = goal_in_one_turn(board, attacker, 4, Guidance::EXTENDED, stats);
        return (goal.is_none() && !turn.is_empty()).then_some(turn);
    }
    threats.sort_by_key(|threat| std::cmp::Reverse(weight(threat.piece.kind())));
    let mut candidates = cut_candidates(board, &threats[0], left, HeuristicRules::ALL);
    candidates.sort_by_key(|(_, path)| path.len());
    for (_, path) in candidates.into_iter().filter(|(_, path)| path.len() <= usize::from(left)) {
        let Some((steps, after)) = follow(position, &path) else { continue };
        let lossless = after.board().by_side(position.side()).len() == board.by_side(position.side()).len();
        let mut next = turn;
        if !lossless || !steps.steps().all(|step| next.push(step)) {
            continue;
        }
        if let Some(found) = save_all(&after, next, left - path.len() as u8, boards, stats) {
            return Some(found);
        }
    }
    None
}

/// Up to `limit` turns that stop a goal, freezing the rabbit before blocking it. If the zone has none and `exhaustive`
/// is set, all turns are tried.
#[must_use]
pub fn defend_goal(
    board: &Board,
    defender: Side,
    threat: &Goal,
    limit: usize,
    exhaustive: bool,
    rules: HeuristicRules,
    stats: &mut SearchStats,
) -> Vec<Defence> {
    let mut found: Vec<Defence> = Vec::new();
    let node_limit = stats.nodes + NODE_BUDGET;
    for (means, path) in goal_candidates(board, threat, rules) {
        if found.len() == limit || stats.nodes > node_limit {
            break;
        }
        let Some((turn, after)) = play_path(board, defender, &path) else { continue };
        if found.iter().all(|existing| existing.board != after) && stops(&after, defender, stats) {
            found.push(Defence { means, turn, board: after, loses_defender: false });
        }
    }
    let start = Position::new(*board, defender).ok().filter(|_| found.is_empty() && exhaustive);
    if let Some(start) = start {
        let turns = DistinctTurns::new(&start, board, 4);
        let mut all: Vec<(Turn, &Board)> = turns.iter().collect();
        all.sort_by_key(|(turn, _)| turn.len());
        for (turn, after) in all {
            if found.len() == limit {
                break;
            }
            if stops(after, defender, stats) {
                found.push(Defence { means: DefenceKind::Other, turn, board: *after, loses_defender: false });
            }
        }
    }
    found
}

/// Whether the opponent neither has reached the goal nor can in its next turn.
fn stops(board: &Board, defender: Side, stats: &mut SearchStats) -> bool {
    let attacker = defender.other();
    (board.rabbits(attacker) & attacker.goal()).is_empty()
        && goal_in_one_turn(board, attacker, 4, Guidance::EXTENDED, stats).is_none()
}

pub(super) fn goal_candidates(
    board: &Board,
    threat: &Goal,
    rules: HeuristicRules,
) -> Vec<(DefenceKind, Trajectory)> {
    if !rules.has(HeuristicRule::Intercept) {
        return Vec::new();
    }
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
            // A stronger piece only needs to be next to the square.
            let adjacent = Trajectory(path.0[..path.0.len() - 1].to_vec());
            if heavier(symbol.piece, runner) && (1..=4).contains(&adjacent.len()) {
                freezing.push((DefenceKind::Freeze, adjacent));
            }
            if path.len() <= 4 {
                blocking.push((DefenceKind::Block, path));
            }
        }
    }
    freezing.append(&mut blocking);
    let prefers_freezing = rules.has(HeuristicRule::FreezeFirst);
    freezing.sort_by_key(|(means, path)| (prefers_freezing && *means != DefenceKind::Freeze, path.len()));
    freezing.dedup();
    freezing
}

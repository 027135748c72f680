//! Search over two turns: an attack by the zones, every reply, and a goal or capture.

use surus_rules::{Board, DistinctTurns, KeyMap, Position, Side, Turn};

use super::defence::{cut_candidates, goal_candidates, play_path};
use super::{
    Guidance, HeuristicRules, SearchStats, all_captures, capture_zones, goal, goal_in_one_turn, goal_zones,
};
use crate::Fidelity;
use crate::trajectory::Trajectory;

/// What a plan is to achieve with its second turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanTarget {
    /// A rabbit on its goal rank, or whatever else the exact answers count as a win.
    Goal,
    /// The capture of a piece.
    Capture,
}

/// Which replies of the defender are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replies {
    /// Those that the zones propose: the result is a plan, which other replies may refute.
    Zones,
    /// All distinct turns: the result is a proof, as far as the exact answers are.
    All,
}

/// The exact answer about one turn: a turn with which a side achieves the target from a board.
pub type ExactTactics<'a> = &'a dyn Fn(&Board, Side) -> Option<Turn>;

/// An attack after which every tried reply is answered.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first turn.
    pub attack: Turn,
    /// The replies with their answers; an empty answer if the reply itself pushes a rabbit onto its goal rank.
    pub answers: Vec<(Turn, Turn)>,
    /// The number of attacks tried, including this one.
    pub attacks: usize,
    /// Which replies were tried.
    pub replies: Replies,
}

/// The maximum number of boards that the attacks of one search reach, and of attacks that are tried.
const MAX_BOARDS: usize = 3000;
const MAX_ATTACKS: usize = 60;

/// Searches for an attack that the tried replies do not refute; the exact answers decide about the second turn.
#[must_use]
pub fn plan(
    board: &Board,
    side: Side,
    target: PlanTarget,
    replies: Replies,
    exact: ExactTactics<'_>,
    stats: &mut SearchStats,
) -> Option<Plan> {
    let attacks = attacks(board, side, target, stats);
    attacks.into_iter().take(MAX_ATTACKS).enumerate().find_map(|(i, (attack, after))| {
        // A pass must not help: without a threat there is nothing to reply to.
        exact(&after, side)?;
        let answers = answers(&after, side, target, replies, exact, stats)?;
        Some(Plan { attack, answers, attacks: i + 1, replies })
    })
}

/// The answer to each tried reply; `None` if a reply has none.
#[must_use]
pub fn answers(
    after: &Board,
    side: Side,
    target: PlanTarget,
    replies: Replies,
    exact: ExactTactics<'_>,
    stats: &mut SearchStats,
) -> Option<Vec<(Turn, Turn)>> {
    let defender = side.other();
    let answer = |(turn, board): (Turn, Board), stats: &mut SearchStats| {
        stats.nodes += 1;
        let on_goal = |side: Side| !(board.rabbits(side) & side.goal()).is_empty();
        // The defender's own goal counts first.
        match (on_goal(defender), on_goal(side)) {
            (true, _) => None,
            (false, true) => Some((turn, Turn::EMPTY)),
            (false, false) => exact(&board, side).map(|answer| (turn, answer)),
        }
    };
    let proposed = zone_replies(after, side, target, stats);
    let mut found = Vec::new();
    for reply in proposed {
        found.push(answer(reply, stats)?);
    }
    if replies == Replies::All {
        let start = Position::new(*after, defender).ok()?;
        found.clear();
        for (turn, board) in DistinctTurns::new(&start, after, 4).iter() {
            found.push(answer((turn, *board), stats)?);
        }
    }
    Some(found)
}

/// The defending turns that the zones of the threats propose.
fn zone_replies(
    after: &Board,
    side: Side,
    target: PlanTarget,
    stats: &mut SearchStats,
) -> Vec<(Turn, Board)> {
    let paths: Vec<Trajectory> = match target {
        PlanTarget::Goal => {
            let threat = goal_in_one_turn(after, side, 4, Guidance::EXTENDED, stats);
            let candidates = threat.map(|threat| goal_candidates(after, &threat, HeuristicRules::ALL));
            candidates.into_iter().flatten().map(|(_, path)| path).collect()
        }
        PlanTarget::Capture => all_captures(after, side, 4, Guidance::EXTENDED, stats)
            .iter()
            .flat_map(|threat| cut_candidates(after, threat, 4, HeuristicRules::ALL))
            .map(|(_, path)| path)
            .collect(),
    };
    let mut seen = KeyMap::default();
    let replies = paths.iter().filter_map(|path| play_path(after, side.other(), path));
    replies.filter(|(_, board)| seen.insert(board.key(), ()).is_none()).collect()
}

/// The turns along the zones of two turns, those that come nearest to the target first.
fn attacks(board: &Board, side: Side, target: PlanTarget, stats: &mut SearchStats) -> Vec<(Turn, Board)> {
    let mut reached = Reached { side, boards: KeyMap::default(), turns: Vec::new() };
    match target {
        PlanTarget::Goal => {
            let mut rabbits: Vec<_> = board.rabbits(side).into_iter().collect();
            rabbits.sort_by_key(|&rabbit| goal::ranks(side, rabbit));
            for rabbit in rabbits.into_iter().filter(|&rabbit| (1..=8).contains(&goal::ranks(side, rabbit))) {
                reached.visit(board, Turn::EMPTY, 4, &mut |board, turn, left, add| {
                    let at = turn.steps().fold(rabbit, |at, s| if s.from() == at { s.to() } else { at });
                    if board.rabbits(side).contains(at) {
                        goal_zones::extended_moves(board, side, left + 4, at, HeuristicRules::ALL)
                            .for_each_action(left, |_, action| add(action));
                    }
                });
            }
        }
        PlanTarget::Capture => {
            let rules = (Fidelity::Extended, HeuristicRules::ALL);
            for target in capture_zones::targets(board, side, 8, rules) {
                reached.visit(board, Turn::EMPTY, 4, &mut |board, turn, left, add| {
                    let victim =
                        turn.steps().fold(target.victim, |at, s| if s.from() == at { s.to() } else { at });
                    let target = capture_zones::CutTarget { victim, ..target };
                    capture_zones::extended_moves(board, side, left + 4, target, rules.1)
                        .for_each_action(left, |_, action| add(action));
                });
            }
        }
    }
    stats.nodes += reached.turns.len() as u64;
    let distance = |board: &Board| match target {
        PlanTarget::Goal => {
            board.rabbits(side).into_iter().map(|rabbit| goal::ranks(side, rabbit)).min().unwrap_or(8)
        }
        PlanTarget::Capture => 0,
    };
    reached.turns.retain(|(_, after)| after != board);
    reached.turns.sort_by_key(|(turn, after)| (distance(after), turn.len()));
    reached.turns
}

/// The boards that the moves of zones reach within a turn.
struct Reached {
    side: Side,
    boards: KeyMap<u8>,
    turns: Vec<(Turn, Board)>,
}

/// Calls its last argument with the actions that zones propose on a board after a part of a turn.
type Proposals<'a> = &'a mut dyn FnMut(&Board, &Turn, u8, &mut dyn FnMut(surus_rules::Action));

impl Reached {
    fn visit(&mut self, board: &Board, turn: Turn, left: u8, propose: Proposals<'_>) {
        let mut actions = Vec::new();
        propose(board, &turn, left, &mut |action| actions.push(action));
        for action in actions {
            let after = board.after_action(action);
            let left = left - action.len();
            let known = self.boards.get(&after.key()).copied();
            let is_lossless = after.by_side(self.side).len() == board.by_side(self.side).len();
            if known.is_some_and(|known| known > left) || !is_lossless || self.turns.len() >= MAX_BOARDS {
                continue;
            }
            let mut next = turn;
            if !action.steps().all(|step| next.push(step)) {
                continue;
            }
            if self.boards.insert(after.key(), left + 1).is_none() {
                self.turns.push((next, after));
            }
            if left > 0 {
                self.visit(&after, next, left, propose);
            }
        }
    }
}

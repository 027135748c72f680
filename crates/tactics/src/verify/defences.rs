//! Comparison of defences with all turns, which are generated step by step.

use surus_rules::{Board, KeyMap, Position, Side, Square, Step, Turn};

use super::compare::Comparison;
use super::{Mismatch, Report};
use crate::{Defences, all_goal_defences, capture_defences, captures, goal_defences, steps_to_goal};

/// A piece whose defences are compared: its square, `None` once it is lost.
type Tracked = Option<Square>;

/// The board at the end of a turn in compact form, the square of the tracked piece, and the number of steps.
type End = (String, Tracked, usize);

impl Comparison {
    /// Compares the defences against a goal.
    pub(super) fn goal_defences(&self, report: &mut Report) -> Result<(), Box<Mismatch>> {
        let (position, side) = (&self.position, self.position.side());
        let holds = |board: &Board| has_goal(board, side) || steps_to_goal(board, side.other(), 4).is_none();
        let all = self.ends(None, |board, _| holds(board));
        let shortest = goal_defences(position, &self.start);
        let is_threat = position.is_mid_push() || !holds(position.board());
        self.defences("goal defences", &shortest, is_threat, None, with_fewest_steps(&all))?;
        self.defences("all goal defences", &all_goal_defences(position, &self.start), is_threat, None, all)?;
        report.defences += 1;
        report.lost += u64::from(shortest == Defences::Unstoppable);
        Ok(())
    }

    /// Compares the defences against the capture of a piece: of one that can be captured, of another one where none can.
    /// `threats` has those that can be captured, unless a push is unfinished.
    pub(super) fn capture_defences(
        &self,
        threats: Option<&[Option<u8>; 64]>,
        report: &mut Report,
    ) -> Result<(), Box<Mismatch>> {
        let (position, side) = (&self.position, self.position.side());
        let pieces = position.board().by_side(side).into_iter();
        let (threatened, others): (Vec<Square>, Vec<Square>) =
            pieces.partition(|square| threats.is_none_or(|threats| threats[square.index()].is_some()));
        let is_open = has_goal(position.board(), side) || !has_goal(position.board(), side.other());
        for &square in others.iter().filter(|_| is_open) {
            let found = capture_defences(position, &self.start, square);
            self.same("defences of a piece that is safe", found, Defences::NoThreat)?;
        }
        let Some(&square) = threatened.get(report.positions as usize % threatened.len().max(1)) else {
            return Ok(());
        };
        let is_saved = |board: &Board, tracked: Tracked| {
            let Some(square) = tracked else { return false };
            !has_goal(board, side.other()) && captures(board, side.other(), 4).steps(square).is_none()
        };
        let holds = |board: &Board, tracked| has_goal(board, side) || is_saved(board, tracked);
        let expected = with_fewest_steps(&self.ends(Some(square), holds));
        let actual = capture_defences(position, &self.start, square);
        let query = format!("defences of {square}");
        report.threatened_pieces += 1;
        report.lost_pieces += u64::from(actual == Defences::Unstoppable);
        let is_threat = position.is_mid_push() || !holds(position.board(), Some(square));
        self.defences(&query, &actual, is_threat, Some(square), expected)
    }

    /// Compares turns by what they lead to; each must be legal.
    fn defences(
        &self,
        query: &str,
        actual: &Defences,
        is_threat: bool,
        tracked: Tracked,
        expected: Vec<End>,
    ) -> Result<(), Box<Mismatch>> {
        self.same(query, *actual != Defences::NoThreat, is_threat)?;
        if !is_threat {
            return Ok(());
        }
        for turn in actual.turns() {
            self.line(query, Some(*turn), |_| true)?;
        }
        let mut ends: Vec<End> = actual.turns().iter().map(|turn| self.end(turn, tracked)).collect();
        ends.sort_unstable();
        self.same(query, ends, expected)
    }

    fn end(&self, turn: &Turn, tracked: Tracked) -> End {
        let (board, tracked) = turn.steps().fold((*self.position.board(), tracked), after_step);
        (board.compact(), tracked, turn.len())
    }

    /// The ends of all turns at which `holds` is true, each with the fewest steps, sorted.
    fn ends(&self, tracked: Tracked, holds: impl Fn(&Board, Tracked) -> bool) -> Vec<End> {
        let first = self.position.steps_taken();
        let mut fewest: KeyMap<(Board, Tracked, u8)> = KeyMap::default();
        let mut layer: KeyMap<(Position, Tracked)> = KeyMap::default();
        layer.insert(key(self.position.key(), tracked), (self.position, tracked));
        for taken in first..=Turn::MAX as u8 {
            let mut next = KeyMap::default();
            for (position, tracked) in layer.values() {
                if position.can_end_turn(&self.start) {
                    let board = position.board();
                    fewest.entry(key(board.key(), *tracked)).or_insert((*board, *tracked, taken - first));
                }
                if taken < Turn::MAX as u8 {
                    position.for_each_next(|step, after| {
                        let (_, tracked) = after_step((*position.board(), *tracked), step);
                        next.insert(key(after.key(), tracked), (*after, tracked));
                    });
                }
            }
            layer = next;
        }
        let mut ends: Vec<End> = fewest
            .into_values()
            .filter(|(board, tracked, _)| holds(board, *tracked))
            .map(|(board, tracked, steps)| (board.compact(), tracked, usize::from(steps)))
            .collect();
        ends.sort_unstable();
        ends
    }
}

fn with_fewest_steps(ends: &[End]) -> Vec<End> {
    let fewest = ends.iter().map(|(.., steps)| *steps).min();
    ends.iter().filter(|(.., steps)| Some(*steps) == fewest).cloned().collect()
}

fn has_goal(board: &Board, side: Side) -> bool {
    !(board.rabbits(side) & side.goal()).is_empty()
}

/// The board and the square of the tracked piece after a step.
fn after_step((board, tracked): (Board, Tracked), step: Step) -> (Board, Tracked) {
    let moved = tracked.map(|square| if square == step.from() { step.to() } else { square });
    let captured = board.captured_by(step).map(|(_, trap)| trap);
    (board.after_step(step), moved.filter(|_| moved != captured))
}

/// Distinguishes equal boards with the piece on different squares.
fn key(key: u64, tracked: Tracked) -> u64 {
    key.wrapping_add(
        tracked.map_or(0, |square| (square.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
    )
}

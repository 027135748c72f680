//! Remarks on a position: possible goals and captures of both sides, and rabbits near their goal.

use std::cmp::Reverse;

use surus_geometry::Fidelity::{self, Extended};
use surus_geometry::abg::weight;
use surus_geometry::search::{
    Capture, Defence, Goal, SearchStats, all_captures, defend_capture, defend_goal, goal_in_one_turn,
};
use surus_geometry::zone::{TimeModel, Zone, ZoneKind, advance_zone, cut_zones_at, rabbit_run};
use surus_rules::{Bitboard, Board, Side, Square, Step};

use crate::phrases::{describe_capture, describe_defence, describe_goal, describe_run};
use crate::remark::{Remark, Topic};

/// The maximum number of defences to search for.
const MAX_SEARCHED: usize = 5;

/// The maximum number of defences to list.
const MAX_SHOWN: usize = 2;

/// Rabbits with at most this many steps to their goal get a remark.
const MAX_RUN_STEPS: u8 = 4;

/// The maximum number of runs of a side to list.
const MAX_RUNS: usize = 2;

/// Remarks on what either side could do with a full turn, and on rabbits near their goal.
#[must_use]
pub fn explain_position(board: &Board) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for side in Side::BOTH {
        remarks.extend(threats(board, side));
        remarks.extend(runs(board, side));
    }
    if remarks.is_empty() {
        let text =
            "The zones show no goal and no capture in one turn for either side, and no rabbit near its goal.";
        remarks.push(Remark::new(Topic::None, Side::Gold, text.into()));
    }
    remarks
}

/// The goal and the captures that a side could make with a full turn, each with defences of the other side.
#[must_use]
pub fn threats(board: &Board, side: Side) -> Vec<Remark> {
    let mut stats = SearchStats::default();
    let mut remarks = Vec::new();
    if let Some(goal) = goal_in_one_turn(board, side, 4, Extended, &mut stats) {
        remarks.push(goal_threat(board, side, &goal, &mut stats));
    }
    let mut captures = all_captures(board, side, 4, Extended, &mut stats);
    captures.sort_by_key(|capture| Reverse(weight(capture.piece.kind())));
    remarks.extend(captures.iter().map(|capture| capture_threat(board, side, capture, &mut stats)));
    remarks
}

fn goal_threat(board: &Board, side: Side, goal: &Goal, stats: &mut SearchStats) -> Remark {
    let defences = distinct(defend_goal(board, side.other(), goal, MAX_SEARCHED, false, stats));
    let answer = describe_defence(board, side.other(), goal.goal, &defences);
    let text = format!("{}; {answer}.", describe_goal(side, goal));
    Remark { turn: Some(goal.turn), zone: goal_zone(board, goal), ..Remark::new(Topic::Threat, side, text) }
}

/// The remark on a possible capture by `side`, with defences of the other side.
#[must_use]
pub fn capture_threat(board: &Board, side: Side, capture: &Capture, stats: &mut SearchStats) -> Remark {
    let defences = distinct(defend_capture(board, capture, MAX_SEARCHED, stats));
    let answer = describe_defence(board, side.other(), capture.trap, &defences);
    let text = format!("{}; {answer}.", describe_capture(side, capture));
    Remark {
        turn: Some(capture.turn),
        zone: capture_zone(board, side, capture, Extended),
        ..Remark::new(Topic::Threat, side, text)
    }
}

/// The first defences that differ in their kind or in the piece that moves first.
fn distinct(defences: Vec<Defence>) -> Vec<Defence> {
    let mut kept: Vec<Defence> = Vec::new();
    let from = |defence: &Defence| defence.turn.steps().next().map(Step::from);
    for defence in defences {
        let is_duplicate = |other: &Defence| other.means == defence.means && from(other) == from(&defence);
        if kept.len() < MAX_SHOWN && !kept.iter().any(is_duplicate) {
            kept.push(defence);
        }
    }
    kept
}

/// The advance zone of a goal within one turn.
#[must_use]
pub fn goal_zone(board: &Board, goal: &Goal) -> Option<Zone> {
    let (straight, length) = rabbit_run(board, goal.rabbit)?;
    advance_zone(board, goal.rabbit, goal.goal, length.max(4), TimeModel::Turns(0))
        .or_else(|| advance_zone(board, goal.rabbit, straight, length, TimeModel::Turns(0)))
}

/// The zone of a capture: one with its piece and trap, preferably with a captor that moves in its turn.
#[must_use]
pub fn capture_zone(board: &Board, side: Side, capture: &Capture, fidelity: Fidelity) -> Option<Zone> {
    let movers: Bitboard = capture.turn.steps().map(Step::from).collect();
    let mut other = None;
    for zone in cut_zones_at(board, side, capture.trap, 4, fidelity) {
        let ZoneKind::Cut { trap, captor, victim, .. } = zone.subject else { continue };
        if (trap, victim) == (capture.trap, capture.square) {
            if movers.contains(captor) {
                return Some(zone);
            }
            other.get_or_insert(zone);
        }
    }
    other
}

/// The runs of the rabbits of a side that are nearest to their goal.
#[must_use]
pub fn runs(board: &Board, side: Side) -> Vec<Remark> {
    let mut near: Vec<(u8, Square, Square)> = board
        .rabbits(side)
        .into_iter()
        .filter_map(|rabbit| rabbit_run(board, rabbit).map(|(goal, length)| (length, rabbit, goal)))
        .filter(|(length, ..)| (1..=MAX_RUN_STEPS).contains(length))
        .collect();
    near.sort_by_key(|&(length, rabbit, _)| (length, rabbit.index()));
    near.into_iter()
        .take(MAX_RUNS)
        .filter_map(|(length, rabbit, goal)| {
            let zone = advance_zone(board, rabbit, goal, length, TimeModel::Turns(0))?;
            let text = describe_run(board, &zone, rabbit, goal, length);
            Some(Remark { zone: Some(zone), ..Remark::new(Topic::GoalRun, side, text) })
        })
        .collect()
}

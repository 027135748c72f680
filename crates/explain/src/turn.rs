//! Remarks on a turn: its captures and losses, the threats that it ends, makes and leaves.

use std::cmp::Reverse;

use surus_geometry::Fidelity::Extended;
use surus_geometry::abg::weight;
use surus_geometry::search::{
    Capture, CapturedPiece, Goal, SearchStats, TurnOutcome, all_captures, goal_in_one_turn, replay,
};
use surus_rules::{Board, GameResult, Rules, Side, Square, Turn};

use crate::phrases::{Tense, describe_actions, describe_capture, describe_goal, possessive};
use crate::position::{capture_threat, capture_zone, goal_zone, runs};
use crate::remark::{BoardAt, Remark, Topic};

/// The turn is not legal on its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the turn is not legal on this board")]
pub struct NotLegal;

/// Explains the purpose of a turn: its captures and goal, and the threats that it ends, makes and leaves.
///
/// # Errors
///
/// If the turn is not legal on the board.
pub fn explain_turn(board: &Board, side: Side, turn: &Turn) -> Result<Vec<Remark>, NotLegal> {
    let outcome = replay(board, side, turn).ok_or(NotLegal)?;
    let mut remarks = turn_effects(board, side, turn, &outcome);
    if remarks.iter().any(|remark| remark.topic == Topic::Goal) {
        return Ok(remarks);
    }
    let after = &outcome.board;
    if let Some(result) = GameResult::from_board(after, side, Rules::Official) {
        remarks.push(Remark::new(Topic::Goal, side, format!("It ends the game: {result}.")));
        return Ok(remarks);
    }
    let mut stats = SearchStats::default();
    let enemy_before = SideThreats::new(board, side.other(), &mut stats);
    let enemy_after = SideThreats::new(after, side.other(), &mut stats);
    remarks.extend(ended_threats(board, turn, &outcome.lost, &enemy_before, &enemy_after));
    let own_before = SideThreats::new(board, side, &mut stats);
    let own_after = SideThreats::new(after, side, &mut stats);
    remarks.extend(made_threats(after, turn, &own_before, &own_after, &mut stats));
    remarks.extend(remaining_threats(after, &enemy_after));
    remarks.extend(runs(after, side));
    if remarks.is_empty() {
        let text = "The zones show no goal, no capture and no threat of either side that this turn changes.";
        remarks.push(Remark::new(Topic::None, side, text.into()));
    }
    Ok(remarks)
}

/// The goal and the captures that a side could make with a full turn.
struct SideThreats {
    side: Side,
    goal: Option<Goal>,
    captures: Vec<Capture>,
}

impl SideThreats {
    fn new(board: &Board, side: Side, stats: &mut SearchStats) -> Self {
        let mut captures = all_captures(board, side, 4, Extended, stats);
        captures.sort_by_key(|capture| Reverse(weight(capture.piece.kind())));
        Self { side, goal: goal_in_one_turn(board, side, 4, Extended, stats), captures }
    }
}

/// The square after a turn of the piece that stood on `square` before it.
fn square_after(turn: &Turn, square: Square) -> Square {
    turn.steps().fold(square, |current, step| if step.from() == current { step.to() } else { current })
}

/// Goal, captures and losses of the turn itself.
fn turn_effects(board: &Board, side: Side, turn: &Turn, outcome: &TurnOutcome) -> Vec<Remark> {
    let mut remarks = Vec::new();
    remarks.extend(scored_goal(board, side, turn, outcome));
    for loss in &outcome.captured {
        let capture = Capture {
            piece: loss.piece,
            square: loss.from,
            trap: loss.trap,
            turn: *turn,
            other_captures: outcome.captured.iter().filter(|other| *other != loss).copied().collect(),
            own_losses: outcome.lost.clone(),
        };
        let (kind, from, trap) = (loss.piece.kind(), loss.from, loss.trap);
        let actions = describe_actions(side, turn, &outcome.captured, Tense::Does);
        remarks.push(Remark {
            turn: Some(*turn),
            zone: capture_zone(board, side, &capture, Extended),
            when: BoardAt::Before,
            ..Remark::new(
                Topic::Capture,
                side,
                format!("It captures the {kind} from {from} on {trap}. {actions}."),
            )
        });
    }
    for loss in &outcome.lost {
        let text =
            format!("It costs the {} from {}, which dies on {}.", loss.piece.kind(), loss.from, loss.trap);
        remarks.push(Remark { turn: Some(*turn), ..Remark::new(Topic::Loss, side, text) });
    }
    remarks
}

/// The goal that the turn scores.
fn scored_goal(board: &Board, side: Side, turn: &Turn, outcome: &TurnOutcome) -> Option<Remark> {
    if !outcome.goal {
        return None;
    }
    let goal = (outcome.board.rabbits(side) & side.goal()).into_iter().find_map(|goal| {
        let mut rabbits = board.rabbits(side).into_iter();
        let rabbit = rabbits.find(|&rabbit| square_after(turn, rabbit) == goal)?;
        Some(Goal { rabbit, goal, turn: *turn, lost: outcome.lost.clone() })
    })?;
    let text = format!("{} rabbit on {} reaches its goal on {}.", possessive(side), goal.rabbit, goal.goal);
    Some(Remark {
        turn: Some(*turn),
        zone: goal_zone(board, &goal),
        when: BoardAt::Before,
        ..Remark::new(Topic::Goal, side, text)
    })
}

/// Threats of the other side that no longer exist after the turn.
fn ended_threats(
    board: &Board,
    turn: &Turn,
    lost: &[CapturedPiece],
    before: &SideThreats,
    after: &SideThreats,
) -> Vec<Remark> {
    let enemy = before.side;
    let mut remarks = Vec::new();
    if let (Some(goal), None) = (&before.goal, &after.goal) {
        let text = format!("It stops the goal of {enemy}'s rabbit on {}.", goal.rabbit);
        remarks.push(Remark {
            turn: Some(goal.turn),
            zone: goal_zone(board, goal),
            when: BoardAt::Before,
            ..Remark::new(Topic::Defence, enemy, text)
        });
    }
    let was_lost = |square: Square| lost.iter().any(|loss| loss.from == square);
    let is_threatened = |square: Square| after.captures.iter().any(|capture| capture.square == square);
    for capture in &before.captures {
        let (kind, square, trap) = (capture.piece.kind(), capture.square, capture.trap);
        if was_lost(square) || is_threatened(square_after(turn, square)) {
            continue;
        }
        let text = format!("It saves the {kind} that {enemy} could have captured from {square} on {trap}.");
        remarks.push(Remark {
            turn: Some(capture.turn),
            zone: capture_zone(board, enemy, capture, Extended),
            when: BoardAt::Before,
            ..Remark::new(Topic::Defence, enemy, text)
        });
    }
    remarks
}

/// Threats of the side that played the turn, on the board after it.
fn made_threats(
    board: &Board,
    turn: &Turn,
    before: &SideThreats,
    after: &SideThreats,
    stats: &mut SearchStats,
) -> Vec<Remark> {
    let side = after.side;
    let threatens = |existed: bool| if existed { "It still threatens" } else { "It threatens" };
    let mut remarks = Vec::new();
    if let Some(goal) = &after.goal {
        let text = format!("{} a goal: {}.", threatens(before.goal.is_some()), describe_goal(side, goal));
        remarks.push(Remark {
            turn: Some(goal.turn),
            zone: goal_zone(board, goal),
            ..Remark::new(Topic::Threat, side, text)
        });
    }
    for capture in &after.captures {
        let existed = before.captures.iter().any(|old| square_after(turn, old.square) == capture.square);
        let mut remark = capture_threat(board, side, capture, stats);
        let (kind, square) = (capture.piece.kind(), capture.square);
        remark.text = format!("{} the {kind} on {square}: {}", threatens(existed), remark.text);
        remarks.push(remark);
    }
    remarks
}

/// Threats of the other side, which is now to move: defences would come too late and are not listed.
fn remaining_threats(board: &Board, threats: &SideThreats) -> Vec<Remark> {
    let enemy = threats.side;
    let mut remarks = Vec::new();
    if let Some(goal) = &threats.goal {
        let text = format!("It leaves a goal: {}.", describe_goal(enemy, goal));
        remarks.push(Remark {
            turn: Some(goal.turn),
            zone: goal_zone(board, goal),
            ..Remark::new(Topic::Threat, enemy, text)
        });
    }
    for capture in &threats.captures {
        let (kind, square) = (capture.piece.kind(), capture.square);
        let text = format!("It leaves the {kind} on {square}: {}.", describe_capture(enemy, capture));
        remarks.push(Remark {
            turn: Some(capture.turn),
            zone: capture_zone(board, enemy, capture, Extended),
            ..Remark::new(Topic::Threat, enemy, text)
        });
    }
    remarks
}

//! What a turn is good for.

use surus_rules::{Board, GameResult, Rules, Side, Square, Turn};

use super::phrases::{Tense, possessive, turn_words};
use super::{BoardAt, Remark, Topic, capture_threat, capture_zone, goal_zone, runs};
use crate::Fidelity::Extended;
use crate::abg::weight;
use crate::search::{Capture, Goal, SearchStats, TurnOutcome, all_captures, goal_in_one_turn, replay};
use crate::zone::Zone;

/// A turn that the rules do not allow on its board has no explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotLegal;

/// Why a side plays a turn, whoever chose it: what it captures and scores, which threats it ends, which it makes, and which
/// are left.
pub fn explain_turn(board: &Board, side: Side, turn: &Turn) -> Result<Vec<Remark>, NotLegal> {
    let outcome = replay(board, side, turn).ok_or(NotLegal)?;
    let mut remarks = deeds(board, side, turn, &outcome);
    if remarks.iter().any(|remark| remark.topic == Topic::Goal) {
        return Ok(remarks);
    }
    if let Some(ending) = GameResult::from_board(&outcome.board, side, Rules::Official) {
        remarks.push(Remark::new(Topic::Goal, side, format!("It ends the game: {ending}.")));
        return Ok(remarks);
    }
    let mut effort = SearchStats::default();
    let (before, after) = (
        SideThreats::new(board, side.other(), &mut effort),
        SideThreats::new(&outcome.board, side.other(), &mut effort),
    );
    let now = |square: Square| moved(turn, square);
    if let (Some(goal), None) = (&before.goal, &after.goal) {
        let text = format!("It stops the goal of {}'s rabbit on {}.", side.other(), goal.rabbit);
        remarks.push(Remark {
            turn: Some(goal.turn),
            zone: goal_zone(board, goal),
            when: BoardAt::Before,
            ..Remark::new(Topic::Defence, side.other(), text)
        });
    }
    let died = |square: Square| outcome.lost.iter().any(|loss| loss.from == square);
    for capture in before.captures.iter().filter(|capture| !died(capture.square)) {
        if after.captures.iter().all(|left| left.square != now(capture.square)) {
            let (kind, square, trap) = (capture.piece.kind(), capture.square, capture.trap);
            let text = format!(
                "It saves the {kind} that {} could have captured from {square} on {trap}.",
                side.other()
            );
            remarks.push(Remark {
                turn: Some(capture.turn),
                zone: capture_zone(board, side.other(), capture, Extended),
                when: BoardAt::Before,
                ..Remark::new(Topic::Defence, side.other(), text)
            });
        }
    }
    let own_before = SideThreats::new(board, side, &mut effort);
    let own_after = SideThreats::new(&outcome.board, side, &mut effort);
    let threat = |known: bool| if known { "It still threatens" } else { "It threatens" };
    if let Some(goal) = &own_after.goal {
        let text = format!(
            "{} a goal: {}.",
            threat(own_before.goal.is_some()),
            super::describe_goal(&outcome.board, side, goal)
        );
        remarks.push(Remark {
            turn: Some(goal.turn),
            zone: goal_zone(&outcome.board, goal),
            ..Remark::new(Topic::Threat, side, text)
        });
    }
    for capture in &own_after.captures {
        let known = own_before.captures.iter().any(|old| now(old.square) == capture.square);
        let mut remark = capture_threat(&outcome.board, side, capture, &mut effort);
        let text =
            format!("{} the {} on {}: {}", threat(known), capture.piece.kind(), capture.square, remark.text);
        remark.text = text;
        remarks.push(remark);
    }
    remarks.extend(remaining_threats(&outcome.board, side, &after));
    remarks.extend(runs(&outcome.board, side));
    if remarks.is_empty() {
        let text = "The zones show no goal, no capture and no threat of either side that this turn changes.";
        remarks.push(Remark::new(Topic::None, side, text.into()));
    }
    Ok(remarks)
}

/// What a side could do with a full turn.
struct SideThreats {
    goal: Option<Goal>,
    captures: Vec<Capture>,
}

impl SideThreats {
    fn new(board: &Board, side: Side, effort: &mut SearchStats) -> Self {
        let mut captures = all_captures(board, side, 4, Extended, effort);
        captures.sort_by_key(|capture| std::cmp::Reverse(weight(capture.piece.kind())));
        Self { goal: goal_in_one_turn(board, side, 4, Extended, effort), captures }
    }
}

/// Where a piece stands after a turn that began with it on this square.
fn moved(turn: &Turn, square: Square) -> Square {
    turn.steps().fold(square, |at, step| if step.from() == at { step.to() } else { at })
}

/// Goal, captures and losses of the turn itself.
fn deeds(board: &Board, side: Side, turn: &Turn, outcome: &TurnOutcome) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if outcome.goal {
        let scored = (outcome.board.rabbits(side) & side.goal()).into_iter().find_map(|goal| {
            let rabbit = board.rabbits(side).into_iter().find(|&rabbit| moved(turn, rabbit) == goal)?;
            Some(Goal { rabbit, goal, turn: *turn, lost: outcome.lost.clone() })
        });
        if let Some(goal) = scored {
            let text =
                format!("{} rabbit on {} reaches its goal on {}.", possessive(side), goal.rabbit, goal.goal);
            let zone: Option<Zone> = goal_zone(board, &goal);
            remarks.push(Remark {
                turn: Some(*turn),
                zone,
                when: BoardAt::Before,
                ..Remark::new(Topic::Goal, side, text)
            });
        }
    }
    for loss in &outcome.captured {
        let capture = Capture {
            piece: loss.piece,
            square: loss.from,
            trap: loss.trap,
            turn: *turn,
            other_captures: outcome.captured.iter().filter(|other| *other != loss).copied().collect(),
            own_losses: outcome.lost.clone(),
        };
        let told = turn_words(board, side, turn, &outcome.captured, Tense::Does);
        let text =
            format!("It captures the {} from {} on {}. {}.", loss.piece.kind(), loss.from, loss.trap, told);
        remarks.push(Remark {
            turn: Some(*turn),
            zone: capture_zone(board, side, &capture, Extended),
            when: BoardAt::Before,
            ..Remark::new(Topic::Capture, side, text)
        });
    }
    for loss in &outcome.lost {
        let text =
            format!("It costs the {} from {}, which dies on {}.", loss.piece.kind(), loss.from, loss.trap);
        remarks.push(Remark { turn: Some(*turn), ..Remark::new(Topic::Loss, side, text) });
    }
    remarks
}

/// What the other side can do next.
fn remaining_threats(board: &Board, side: Side, after: &SideThreats) -> Vec<Remark> {
    let other = side.other();
    let mut remarks = Vec::new();
    if let Some(goal) = &after.goal {
        let text = format!("It leaves a goal: {}.", super::describe_goal(board, other, goal));
        remarks.push(Remark {
            turn: Some(goal.turn),
            zone: goal_zone(board, goal),
            ..Remark::new(Topic::Threat, other, text)
        });
    }
    for capture in &after.captures {
        // It is the other side's turn now: what could be done against it comes too late.
        let told = super::describe_capture(board, other, capture);
        let text = format!("It leaves the {} on {}: {told}.", capture.piece.kind(), capture.square);
        remarks.push(Remark {
            turn: Some(capture.turn),
            zone: capture_zone(board, other, capture, Extended),
            ..Remark::new(Topic::Threat, other, text)
        });
    }
    remarks
}

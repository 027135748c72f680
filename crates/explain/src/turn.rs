//! Remarks on a turn: its captures and losses, the threats that it ends, makes and leaves.

use surus_geometry::search::CapturedPiece;
use surus_rules::{Board, Position, Rules, Side, Square, Turn};

use crate::claim::{Claim, Win};
use crate::outcome::Outcome;
use crate::phrases::{Owner, describe_line, describe_win, possessive};
use crate::remark::{BoardAt, Remark, Topic};
use crate::scene::{Scene, Winning};

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
    turn_remarks(board, side, turn, Rules::Official)
}

pub(crate) fn turn_remarks(
    board: &Board,
    side: Side,
    turn: &Turn,
    rules: Rules,
) -> Result<Vec<Remark>, NotLegal> {
    let scene = Position::new(*board, side).ok().and_then(|_| Scene::full_turn(board, side, rules));
    let scene = scene.ok_or(NotLegal)?;
    let outcome = Outcome::new(&scene.position, turn).ok_or(NotLegal)?;
    if !scene.may_end_on(&outcome.board) {
        return Err(NotLegal);
    }
    let mut remarks = effects(&scene, turn, &outcome);
    if let Some(result) = scene.result(&outcome.board) {
        if !remarks.iter().any(|remark| remark.topic == Topic::Win) {
            let (text, claim) = (format!("It ends the game: {result}."), Claim::GameEnded(result));
            remarks.push(Remark::new(Topic::Win, side, claim, text));
        }
        return Ok(remarks);
    }
    let full_turn = |board: &Board, side| Scene::full_turn(board, side, rules).map(Threats::new);
    let other = side.other();
    if let (Some(before), Some(after)) = (full_turn(board, other), full_turn(&outcome.board, other)) {
        remarks.extend(ended_threats(&outcome, &before, &after));
        remarks.extend(threats(&after, None, &outcome));
    }
    if let (Some(before), Some(after)) = (full_turn(board, side), full_turn(&outcome.board, side)) {
        remarks.extend(threats(&after, Some(&before), &outcome));
    }
    if remarks.is_empty() {
        let text = "It captures and loses nothing, and changes nothing that either side can win or capture.";
        remarks.push(Remark::new(Topic::None, side, Claim::NoEffect, text.into()));
    }
    Ok(remarks)
}

/// What a side could do with a full turn.
struct Threats<'a> {
    scene: Scene<'a>,
    win: Option<Winning>,
    captures: Vec<(CapturedPiece, Turn)>,
}

impl<'a> Threats<'a> {
    fn new(scene: Scene<'a>) -> Self {
        Self { win: scene.win(), captures: scene.captures(), scene }
    }

    fn captures_from(&self, square: Square) -> bool {
        self.captures.iter().any(|(dead, _)| dead.from == square)
    }
}

/// Goal, captures and losses of the turn itself.
fn effects(scene: &Scene<'_>, turn: &Turn, outcome: &Outcome) -> Vec<Remark> {
    let side = scene.side();
    let mut remarks = Vec::new();
    if let Some(win @ Win::Goal { rabbit, goal }) = scene.goal_of(turn) {
        let text = format!("{} rabbit on {rabbit} reaches its goal on {goal}.", possessive(side));
        remarks.push(Remark {
            line: Some(*turn),
            zone: scene.zone_of_win(win),
            when: BoardAt::Before,
            ..Remark::new(Topic::Win, side, Claim::Scored(win), text)
        });
    }
    for &dead in &outcome.captured {
        let CapturedPiece { piece, from, trap } = dead;
        let actions = describe_line(scene, turn, &outcome.captured, Owner::Named);
        let text = format!("It captures the {} from {from} on {trap}. {actions}.", piece.kind());
        remarks.push(Remark {
            line: Some(*turn),
            zone: scene.zone_of_capture(dead, turn),
            when: BoardAt::Before,
            ..Remark::new(Topic::Capture, side, Claim::Captured(dead), text)
        });
    }
    for &dead in &outcome.lost {
        let CapturedPiece { piece, from, trap } = dead;
        let text = format!("It costs the {} from {from}, which dies on {trap}.", piece.kind());
        remarks.push(Remark {
            line: Some(*turn),
            when: BoardAt::Before,
            ..Remark::new(Topic::Loss, side, Claim::Lost(dead), text)
        });
    }
    remarks
}

/// Threats of the other side that no longer exist after the turn.
fn ended_threats(outcome: &Outcome, before: &Threats<'_>, after: &Threats<'_>) -> Vec<Remark> {
    let other = before.scene.side();
    let mut remarks = Vec::new();
    if let (Some(Winning { win, turn }), None) = (before.win, after.win) {
        let text = format!("It stops {other} from winning {}.", describe_win(other, win));
        remarks.push(Remark {
            line: Some(turn),
            zone: before.scene.zone_of_win(win),
            when: BoardAt::Before,
            ..Remark::new(Topic::Defence, other, Claim::StoppedWin(win), text)
        });
    }
    for &(dead, turn) in &before.captures {
        let CapturedPiece { piece, from, trap } = dead;
        let is_saved = outcome.square_of(from).is_some_and(|square| !after.captures_from(square));
        if !is_saved {
            continue;
        }
        let text =
            format!("It saves the {} that {other} could have captured from {from} on {trap}.", piece.kind());
        remarks.push(Remark {
            line: Some(turn),
            zone: before.scene.zone_of_capture(dead, &turn),
            when: BoardAt::Before,
            ..Remark::new(Topic::Defence, other, Claim::Saved(dead), text)
        });
    }
    remarks
}

/// What a side could do after the turn. With `before`, the side has played the turn and threatens it; otherwise the turn
/// leaves it to the other side, which is to move.
fn threats(after: &Threats<'_>, before: Option<&Threats<'_>>, outcome: &Outcome) -> Vec<Remark> {
    let (scene, side) = (&after.scene, after.scene.side());
    let verb = |existed: bool| match (before, existed) {
        (None, _) => "It leaves",
        (Some(_), true) => "It still threatens",
        (Some(_), false) => "It threatens",
    };
    let mut remarks = Vec::new();
    if let Some(Winning { win, turn }) = after.win {
        let verb = verb(before.is_some_and(|before| before.win.is_some()));
        let line = describe_line(scene, &turn, &[], Owner::Named);
        let text = format!("{verb} a win {}: {line}.", describe_win(side, win));
        remarks.push(Remark {
            line: Some(turn),
            zone: scene.zone_of_win(win),
            ..Remark::new(Topic::Threat, side, Claim::CanWin(win), text)
        });
    }
    for &(dead, turn) in &after.captures {
        let existed = before.is_some_and(|before| before.captures_from(outcome.origin(dead.from)));
        let captured = Outcome::new(&scene.position, &turn).map_or_else(Vec::new, |outcome| outcome.captured);
        let line = describe_line(scene, &turn, &captured, Owner::Named);
        let text = format!("{} the {} on {}: {line}.", verb(existed), dead.piece.kind(), dead.from);
        remarks.push(Remark {
            line: Some(turn),
            zone: scene.zone_of_capture(dead, &turn),
            ..Remark::new(Topic::Threat, side, Claim::CanCapture(dead), text)
        });
    }
    remarks
}

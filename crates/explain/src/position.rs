//! Remarks on a position, addressed to the side to move.

use std::cmp::Reverse;

use surus_geometry::search::CapturedPiece;
use surus_rules::{Board, Position, Turn};

use crate::answers::{Threat, cheapest_captures, responses};
use crate::claim::{Claim, Response, Win};
use crate::guards::goal_guards;
use crate::outcome::Outcome;
use crate::phrases::{Owner, describe_aftermath, describe_line, describe_win};
use crate::remark::{Remark, Topic};
use crate::scene::{Scene, Winning};
use crate::value::{GAME, piece_value, total_value};

/// What the side to move can do in the rest of its turn, which started on `start`; what the other side could do with a
/// full turn if this one ended here, with the best answers; and which pieces hold a rabbit. The most important remark
/// comes first, and there is at least one. Empty in the middle of a push.
///
/// Repetition is not checked.
#[must_use]
pub fn explain_position(position: &Position, start: &Board) -> Vec<Remark> {
    explain_scene(&Scene::new(position, start))
}

pub(crate) fn explain_scene(scene: &Scene<'_>) -> Vec<Remark> {
    if scene.position.is_mid_push() {
        return Vec::new();
    }
    // Each with its importance.
    let mut remarks: Vec<(u32, Remark)> = Vec::new();
    if let Some(win) = scene.win() {
        remarks.push((4 * GAME, own_win(scene, win)));
    }
    remarks.extend(own_captures(scene));
    // If the turn could end here with a win, nothing could follow.
    let passed = scene.passed().filter(|_| scene.result(scene.board()).is_none());
    if let Some(other) = &passed {
        remarks.extend(threats(scene, other));
    }
    if remarks.is_empty() {
        remarks.push((0, nothing_in_reach(scene)));
    }
    remarks.sort_by_key(|(importance, _)| Reverse(*importance));
    let mut remarks: Vec<Remark> = remarks.into_iter().map(|(_, remark)| remark).collect();
    if let Some(other) = &passed {
        remarks.extend(goal_guards(other, false));
    }
    remarks.extend(goal_guards(scene, true));
    remarks
}

fn own_win(scene: &Scene<'_>, Winning { win, turn }: Winning) -> Remark {
    let side = scene.side();
    let text = if turn.is_empty() {
        format!("You can win now {}: end the turn.", describe_win(side, win))
    } else {
        let line = describe_line(scene, &turn, &captured(scene, &turn), Owner::Your);
        format!("You can win now {}: {line}.", describe_win(side, win))
    };
    Remark {
        line: Some(turn),
        zone: scene.zone_of_win(win),
        ..Remark::new(Topic::Win, side, Claim::CanWin(win), text)
    }
}

/// The enemy pieces that a turn captures.
fn captured(scene: &Scene<'_>, turn: &Turn) -> Vec<CapturedPiece> {
    Outcome::new(&scene.position, turn).map_or_else(Vec::new, |outcome| outcome.captured)
}

fn own_captures(scene: &Scene<'_>) -> Vec<(u32, Remark)> {
    let mut captures = scene.captures();
    cheapest_captures(scene, &mut captures);
    captures.into_iter().filter_map(|(dead, turn)| own_capture(scene, dead, turn)).collect()
}

fn own_capture(scene: &Scene<'_>, dead: CapturedPiece, turn: Turn) -> Option<(u32, Remark)> {
    let (side, aftermath) = (scene.side(), scene.aftermath(&turn)?);
    let line = describe_line(scene, &turn, &captured(scene, &turn), Owner::Your);
    let text = format!("You can capture the {} on {}: {line}.", dead.piece.kind(), dead.from);
    let is_loss = aftermath.win.is_some();
    let cost = aftermath.capture.as_ref().map_or(0, |(dead, _)| piece_value(dead.piece))
        + total_value(&aftermath.lost);
    // One that loses the game is the least important; an equal exchange still goes before a threat of the same value.
    let importance = if is_loss { 1 } else { 2 * (2 * piece_value(dead.piece)).saturating_sub(cost) + 2 };
    let response_text = describe_aftermath(side, &aftermath, "If you stop there,").trim_start().to_string();
    let remark = Remark {
        line: Some(turn),
        zone: scene.zone_of_capture(dead, &turn),
        response: Response::Reply(aftermath),
        response_text,
        ..Remark::new(Topic::Capture, side, Claim::CanCapture(dead), text)
    };
    Some((importance, remark))
}

/// What the other side could do if the turn ended here, with answers.
fn threats(scene: &Scene<'_>, other: &Scene<'_>) -> Vec<(u32, Remark)> {
    let mut found: Vec<(u32, Threat, Remark)> = Vec::new();
    if let Some(Winning { win, turn }) = other.win() {
        found.push((2 * GAME, Threat::Win(win), win_threat(other, win, turn)));
    }
    for (dead, turn) in other.captures() {
        found.push((
            4 * piece_value(dead.piece) + 1,
            Threat::Capture(dead),
            capture_threat(other, dead, turn),
        ));
    }
    let threats: Vec<Threat> = found.iter().map(|(_, threat, _)| *threat).collect();
    let with_response = |((importance, _, remark), response): ((u32, Threat, Remark), Response)| {
        let response_text = response_text(&response);
        (importance, Remark { response, response_text, ..remark })
    };
    found.into_iter().zip(responses(scene, &threats)).map(with_response).collect()
}

pub(crate) fn win_threat(other: &Scene<'_>, win: Win, turn: Turn) -> Remark {
    let side = other.side();
    let line = describe_line(other, &turn, &captured(other, &turn), Owner::Its);
    let text = format!("{side} threatens to win {}: {line}.", describe_win(side, win));
    Remark {
        line: Some(turn),
        zone: other.zone_of_win(win),
        ..Remark::new(Topic::Threat, side, Claim::CanWin(win), capitalised(&text))
    }
}

pub(crate) fn capture_threat(other: &Scene<'_>, dead: CapturedPiece, turn: Turn) -> Remark {
    let side = other.side();
    let line = describe_line(other, &turn, &captured(other, &turn), Owner::Its);
    let text = format!("{side} threatens to capture your {} on {}: {line}.", dead.piece.kind(), dead.from);
    Remark {
        line: Some(turn),
        zone: other.zone_of_capture(dead, &turn),
        ..Remark::new(Topic::Threat, side, Claim::CanCapture(dead), capitalised(&text))
    }
}

fn response_text(response: &Response) -> String {
    match response {
        Response::Unstoppable => "Nothing you can do stops it.".into(),
        Response::Defences { answers, .. } => match answers.first() {
            Some(best) => format!("Your best answer: {}", best.text),
            None => String::new(),
        },
        Response::None | Response::Reply(_) => String::new(),
    }
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn nothing_in_reach(scene: &Scene<'_>) -> Remark {
    let text = "Neither side can win or capture anything within a turn.";
    Remark::new(Topic::None, scene.side(), Claim::NothingInReach, text.into())
}

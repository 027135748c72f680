//! Explanations: what zones and searches say of a position or of a turn, in sentences.
//!
//! A sentence that says that something can be done comes from a line that the rules have replayed.

mod phrases;
mod turn;

pub use phrases::{describe_capture, describe_defence, describe_goal};
pub use turn::{NotLegal, explain_turn};

use surus_rules::{Bitboard, Board, Side, Square, Turn};

use crate::Fidelity::{self, Extended};
use crate::abg::weight;
use crate::search::{
    Capture, Defence, Goal, SearchStats, all_captures, defend_capture, defend_goal, goal_in_one_turn,
};
use crate::zone::{Role, TimeModel, Zone, ZoneKind, advance_zone, cut_zones_at, rabbit_run};

/// What a remark is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// A rabbit arrives in this turn, or it ends the game otherwise.
    Goal,
    /// A piece is captured in this turn.
    Capture,
    /// An own piece dies in this turn.
    Loss,
    /// Something is possible no longer.
    Defence,
    /// Something that a side could do with a full turn.
    Threat,
    /// A rabbit's way to the goal.
    GoalRun,
    /// There is nothing to say.
    None,
}

/// Which board a zone is to be drawn on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardAt {
    /// That before the turn.
    Before,
    /// That after it, or the only one.
    After,
}

/// A sentence with the zone and the line that it comes from.
#[derive(Clone, Debug)]
pub struct Remark {
    /// What it is about.
    pub topic: Topic,
    /// Whose plan it tells of.
    pub side: Side,
    /// The sentence.
    pub text: String,
    /// The line that shows it, from the board of the zone on.
    pub turn: Option<Turn>,
    /// The zone to draw.
    pub zone: Option<Zone>,
    /// The board it belongs to.
    pub when: BoardAt,
}

impl Remark {
    fn new(topic: Topic, side: Side, text: String) -> Self {
        Self { topic, side, text, turn: None, zone: None, when: BoardAt::After }
    }
}

/// No more than so many defences are looked for, and named.
const MAX_SEARCHED: usize = 5;
const MAX_SHOWN: usize = 2;

/// The first defences that do not say the same of the same piece.
fn distinct(defences: Vec<Defence>) -> Vec<Defence> {
    let mut kept: Vec<Defence> = Vec::new();
    let from = |defence: &Defence| defence.turn.steps().next().map(surus_rules::Step::from);
    for defence in defences {
        let known = |old: &Defence| old.means == defence.means && from(old) == from(&defence);
        if kept.len() < MAX_SHOWN && !kept.iter().any(known) {
            kept.push(defence);
        }
    }
    kept
}

/// Everything that there is to say of a position: what either side could do with a full turn, and the runs.
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

/// What a side could do if it had a full turn now: a goal, and every piece that it could capture, each with what the
/// other side could do against it first.
#[must_use]
pub fn threats(board: &Board, side: Side) -> Vec<Remark> {
    let mut effort = SearchStats::default();
    let mut remarks = Vec::new();
    if let Some(goal) = goal_in_one_turn(board, side, 4, Extended, &mut effort) {
        remarks.push(goal_threat(board, side, &goal, &mut effort));
    }
    let mut captures = all_captures(board, side, 4, Extended, &mut effort);
    captures.sort_by_key(|capture| std::cmp::Reverse(weight(capture.piece.kind())));
    remarks.extend(captures.iter().map(|capture| capture_threat(board, side, capture, &mut effort)));
    remarks
}

fn goal_threat(board: &Board, side: Side, goal: &Goal, effort: &mut SearchStats) -> Remark {
    let defences = distinct(defend_goal(board, side.other(), goal, MAX_SEARCHED, false, effort));
    let answer = describe_defence(board, side.other(), goal.goal, &defences);
    let text = format!("{}; {answer}.", describe_goal(board, side, goal));
    Remark { turn: Some(goal.turn), zone: goal_zone(board, goal), ..Remark::new(Topic::Threat, side, text) }
}

/// The remark about one piece that can be captured, with what its side can do against it.
#[must_use]
pub fn capture_threat(board: &Board, side: Side, capture: &Capture, effort: &mut SearchStats) -> Remark {
    let defences = distinct(defend_capture(board, capture, MAX_SEARCHED, effort));
    let answer = describe_defence(board, side.other(), capture.trap, &defences);
    let text = format!("{}; {answer}.", describe_capture(board, side, capture));
    Remark {
        turn: Some(capture.turn),
        zone: capture_zone(board, side, capture, Extended),
        ..Remark::new(Topic::Threat, side, text)
    }
}

/// The advance zone of a goal that can be scored in this turn.
#[must_use]
pub fn goal_zone(board: &Board, goal: &Goal) -> Option<Zone> {
    let (straight, length) = rabbit_run(board, goal.rabbit)?;
    advance_zone(board, goal.rabbit, goal.goal, length.max(4), TimeModel::Turns(0))
        .or_else(|| advance_zone(board, goal.rabbit, straight, length, TimeModel::Turns(0)))
}

/// The zone that fits a capture best: of its piece and trap, with the captor of its line if there is one.
#[must_use]
pub fn capture_zone(board: &Board, side: Side, capture: &Capture, fidelity: Fidelity) -> Option<Zone> {
    let movers: Bitboard = capture.turn.steps().map(surus_rules::Step::from).collect();
    let (mut found, mut same) = (None, None);
    for zone in cut_zones_at(board, side, capture.trap, 4, fidelity) {
        let ZoneKind::Cut { trap, captor, victim, .. } = zone.subject else { continue };
        if (trap, victim) == (capture.trap, capture.square) {
            if movers.contains(captor) && same.is_none() {
                same = Some(zone);
            } else if found.is_none() {
                found = Some(zone);
            }
        }
    }
    same.or(found)
}

/// Rabbits that are this near to their goal are worth a sentence.
const MAX_RUN_STEPS: u8 = 4;

/// The runs of a side's rabbits that are near their goal and have no goal in this turn, the nearest two.
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
        .take(2)
        .filter_map(|(length, rabbit, goal)| {
            let zone = advance_zone(board, rabbit, goal, length, TimeModel::Turns(0))?;
            let text = phrases::describe_run(board, &zone, rabbit, goal, length);
            Some(Remark { zone: Some(zone), ..Remark::new(Topic::GoalRun, side, text) })
        })
        .collect()
}

/// Whether a zone has somebody of the other side in it who can still come.
pub(crate) fn interceptors(zone: &Zone) -> impl Iterator<Item = &crate::zone::ZoneSymbol> {
    zone.symbols.iter().filter(|symbol| symbol.role == Role::Intercept && symbol.negation == 1)
}

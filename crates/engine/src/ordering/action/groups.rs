//! The groups of action features.

use super::super::group::{Axis, Group, offsets};

pub(super) const STEP: usize = 0;
pub(super) const VICTIM: usize = 1;
pub(super) const DISPLACEMENT: usize = 2;
pub(super) const TRAP_STATUS: usize = 3;
pub(super) const MOVER_PRESSURE: usize = 4;
pub(super) const VICTIM_PRESSURE: usize = 5;
pub(super) const FREEZING: usize = 6;
pub(super) const CAPTURE: usize = 7;
pub(super) const NEAR_LAST_ACTION: usize = 8;
pub(super) const NEAR_LAST_TURN: usize = 9;
pub(super) const SAME_PIECE: usize = 10;
pub(super) const THREATENED: usize = 11;
pub(super) const STEPS_LEFT: usize = 12;
pub(super) const GOAL: usize = 13;

const UP_TO_7: Axis = Axis::Range(0, 7);
const PRESSURE: Axis = Axis::Named(&["free", "dominated", "frozen"]);

const fn group(name: &'static str, axes: &'static [Axis], description: &'static str) -> Group {
    Group { name, axes, published: false, description }
}

/// All groups; the constants above are the indices.
pub(in crate::ordering) static GROUPS: [Group; 14] = TABLE;

/// The number of the first feature of each group, then the number of features.
pub(in crate::ordering) static OFFSETS: [u16; 15] = STARTS;

pub(super) const STARTS: [u16; 15] = offsets(&TABLE);

const TABLE: [Group; 14] = [
    group(
        "step",
        &[Axis::Kind, Axis::Square, Axis::Direction],
        "The own piece that moves, its square and direction",
    ),
    group("victim", &[Axis::Kind, Axis::Square, Axis::Direction], "The enemy piece that is displaced"),
    group(
        "displacement",
        &[Axis::Named(&["push", "pull"]), Axis::Kind, Axis::Kind],
        "The own kind that pushes or pulls and the enemy kind",
    ),
    group(
        "trap status",
        &[Axis::Trap, Axis::Side, UP_TO_7, UP_TO_7],
        "The guards of a trap before and after, where they changed, numbered as for turns",
    ),
    group(
        "mover pressure",
        &[Axis::Kind, PRESSURE, PRESSURE],
        "Whether stronger enemies are next to the mover, and no friend, before and after",
    ),
    group("victim pressure", &[Axis::Kind, PRESSURE, PRESSURE], "The same for the displaced enemy piece"),
    group(
        "freezing",
        &[Axis::Named(&["own frozen", "own thawed", "enemy frozen", "enemy thawed"]), Axis::Kind],
        "Another piece was frozen or thawed",
    ),
    group("capture", &[Axis::Piece], "A piece was captured"),
    group("near last action", &[UP_TO_7], "The distance from the squares of the previous action of the turn"),
    group(
        "near last turn",
        &[UP_TO_7],
        "The distance from the squares that the opponent's last turn changed",
    ),
    group("same piece", &[Axis::Kind], "The piece that moved in the previous action moves again"),
    group(
        "threatened",
        &[Axis::Named(&["moves", "stays"]), Axis::Kind],
        "An own piece that the opponent could capture at the start of the turn moves, or another one moves",
    ),
    group(
        "steps left",
        &[Axis::Named(&["step", "push or pull"]), Axis::Kind, Axis::Range(1, 4)],
        "The steps left before the action, by the own kind that moves",
    ),
    group("goal", &[Axis::Range(0, 7)], "A rabbit reaches this rank, counted from 0"),
];

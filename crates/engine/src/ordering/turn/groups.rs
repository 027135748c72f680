//! The groups of turn features.

use super::super::group::{Axis, Group, offsets};

/// Distances between pieces are counted up to this one.
pub(super) const MAX_DISTANCE: usize = 7;

pub(super) const SOURCE: usize = 0;
pub(super) const DESTINATION: usize = 1;
pub(super) const TRAP_STATUS: usize = 2;
pub(super) const FREEZING: usize = 3;
pub(super) const ON_TRAP: usize = 4;
pub(super) const FREEZING_SQUARE: usize = 5;
pub(super) const MOVEMENT: usize = 6;
pub(super) const DISPLACEMENT: usize = 7;
pub(super) const CAPTURE: usize = 8;
pub(super) const CAPTURE_THREAT: usize = 9;
pub(super) const CAPTURE_ALLOWED: usize = 10;
pub(super) const GOAL_THREAT: usize = 11;
pub(super) const GOAL_ALLOWED: usize = 12;
pub(super) const GOAL_REACHED: usize = 13;
pub(super) const RABBIT_ADVANCE: usize = 14;
pub(super) const RABBIT_SHIFT: usize = 15;
pub(super) const ADVANCE: usize = 16;
pub(super) const DISTANCE: usize = 17;
pub(super) const DOMINATED: usize = 18;
pub(super) const TRAP_GUARDS: usize = 19;
pub(super) const BLOCKING: usize = 20;
pub(super) const PHALANX: usize = 21;
pub(super) const ALONE: usize = 22;
pub(super) const PIECES_MOVED: usize = 23;
pub(super) const STEPS: usize = 24;
pub(super) const MOBILITY: usize = 25;
pub(super) const ELEPHANT_FREEDOM: usize = 26;
pub(super) const REVERSIBILITY: usize = 27;
pub(super) const NEAR_LAST_TURN: usize = 28;
pub(super) const UNDOING: usize = 29;

const KINDS_MOVED: Axis = Axis::Range(0, 63);
const CHANGE: Axis = Axis::Range(-4, 4);
const UP_TO_7: Axis = Axis::Range(0, 7);
const FREEZES: Axis = Axis::Named(&["own frozen", "own thawed", "enemy frozen", "enemy thawed"]);

const fn group(name: &'static str, axes: &'static [Axis], description: &'static str) -> Group {
    Group { name, axes, published: false, description }
}

const fn published(name: &'static str, axes: &'static [Axis], description: &'static str) -> Group {
    Group { name, axes, published: true, description }
}

/// All groups; the constants above are the indices.
pub(in crate::ordering) static GROUPS: [Group; 30] = TABLE;

/// The number of the first feature of each group, then the number of features.
pub(in crate::ordering) static OFFSETS: [u16; 31] = STARTS;

pub(super) const STARTS: [u16; 31] = offsets(&TABLE);

const TABLE: [Group; 30] = [
    published("source", &[Axis::Piece, Axis::Square], "A piece left the square, or was captured on it"),
    published("destination", &[Axis::Piece, Axis::Square], "A piece arrived on the square"),
    published(
        "trap status",
        &[Axis::Trap, Axis::Side, UP_TO_7, UP_TO_7],
        "The guards of a trap before and after, where they changed: 0 none, 1 and 2 one guard without and with the \
         elephant, 3 and 4 two, 5 and 6 three, 7 four",
    ),
    published("freezing", &[FREEZES, Axis::Kind], "A piece was frozen or thawed"),
    published(
        "on trap",
        &[Axis::Trap, Axis::Kind, Axis::Range(1, 3)],
        "An own piece arrived on a trap with this number of friends next to it, three for more",
    ),
    group("freezing square", &[FREEZES, Axis::Square], "A piece on the square was frozen or thawed"),
    group(
        "movement",
        &[Axis::Kind, Axis::Range(0, 4), CHANGE],
        "The only own piece of its kind that moved went this far sideways and forward",
    ),
    group(
        "displacement",
        &[Axis::Kind, Axis::Range(0, 2), Axis::Range(-2, 2)],
        "The only enemy piece of its kind that was displaced went this far sideways and away from the mover's home",
    ),
    group("capture", &[Axis::Piece, Axis::Range(1, 2)], "This number of pieces was captured"),
    group(
        "capture threat",
        &[Axis::Kind, Axis::Named(&["made", "kept", "dropped"]), Axis::Range(2, 4)],
        "The mover can capture an enemy piece of the kind in his next turn with this number of steps; dropped: no \
         longer, although it was not captured",
    ),
    group(
        "capture allowed",
        &[
            Axis::Kind,
            Axis::Named(&["newly", "still", "prevented by moving it", "prevented otherwise"]),
            Axis::Range(2, 4),
        ],
        "The opponent can capture an own piece of the kind with this number of steps; prevented: no longer",
    ),
    group(
        "goal threat",
        &[Axis::Named(&["without threat before", "with threat before"]), Axis::Range(0, 4)],
        "The mover has a goal in his next turn with this number of steps; 0: no longer",
    ),
    group(
        "goal allowed",
        &[Axis::Named(&["without threat before", "with threat before"]), Axis::Range(0, 4)],
        "The opponent has a goal with this number of steps; 0: his goal was stopped",
    ),
    group("goal reached", &[Axis::Side], "A rabbit stands on its goal rank"),
    group("rabbit advance", &[Axis::Range(0, 4)], "The own rabbits that moved gained this number of ranks"),
    group(
        "rabbit shift",
        &[CHANGE],
        "The enemy rabbits that were displaced moved this far from the mover's home",
    ),
    group("advance", &[Axis::Kind, CHANGE], "The own pieces of the kind gained this number of ranks"),
    group(
        "distance",
        &[Axis::Named(&super::distances::PAIRS), UP_TO_7, UP_TO_7],
        "The smallest distance between two pieces, or a piece and a trap, before and after, where it changed; 7 for more",
    ),
    group(
        "dominated",
        &[Axis::Side, Axis::Kind, Axis::Named(&["fewer", "more"])],
        "The number of pieces of the kind next to a stronger one changed",
    ),
    group(
        "trap guards",
        &[Axis::Trap, Axis::Range(0, 4), Axis::Range(0, 4)],
        "Own and enemy guards of a trap at the end, where either changed",
    ),
    group(
        "blocking",
        &[
            Axis::Named(&[
                "enemy rabbit blocked",
                "enemy rabbit unblocked",
                "own rabbit blocked",
                "own rabbit unblocked",
            ]),
            Axis::Range(1, 8),
        ],
        "The square in front of a rabbit on this rank, counted from the mover's home, was occupied or vacated",
    ),
    group(
        "phalanx",
        &[Axis::Named(&["side by side", "one behind the other"]), CHANGE],
        "The number of pairs of own neighbours changed by this",
    ),
    group(
        "alone",
        &[Axis::Kind, Axis::Named(&["safe", "next to a stronger enemy"])],
        "An own piece moved to a square without friends next to it",
    ),
    group(
        "pieces moved",
        &[KINDS_MOVED, Axis::Range(1, 4)],
        "The own kinds that moved (rabbit 1, cat 2, dog 4, horse 8, camel 16, elephant 32), with the steps used",
    ),
    group(
        "steps",
        &[Axis::Range(0, 4), Axis::Range(1, 4)],
        "The number of own pieces that moved, with the steps used",
    ),
    group("mobility", &[Axis::Side, CHANGE], "The number of pieces that are not frozen changed by this"),
    group(
        "elephant freedom",
        &[Axis::Side, Axis::Range(0, 4), Axis::Range(0, 4)],
        "The number of empty squares around the elephant before and after, where it changed",
    ),
    group(
        "reversibility",
        &[Axis::Named(&["can be undone", "rabbit moved", "enemy displaced", "piece captured"])],
        "Whether the mover could take back the turn in his next one, or why not",
    ),
    group(
        "near last turn",
        &[Axis::Named(&["the opponent's", "the mover's"]), UP_TO_7],
        "The smallest distance from a square of this turn to one of the last turn",
    ),
    group(
        "undoing",
        &[Axis::Named(&["own piece returns", "displaced piece moves"]), Axis::Kind],
        "A piece returns to a square that one of its kind left in the mover's last turn, or moves after the opponent displaced it",
    ),
];

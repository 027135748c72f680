//! Captures and goals in the next turn of either side, exactly.

use surus_rules::{Board, Side};
use surus_tactics::{captures, steps_to_goal};

use super::super::view::View;
use super::groups::{CAPTURE_ALLOWED, CAPTURE_THREAT, GOAL_ALLOWED, GOAL_THREAT};
use super::{Change, Sink};

/// What either side can capture, and whether it has a goal, if it has a full turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threats {
    /// By the mover against the enemy, and the other way round.
    captures: [CaptureThreats; 2],
    /// Steps of the mover's goal and of the enemy's.
    goals: [Option<u8>; 2],
}

/// For each kind, how many pieces can be captured, and the fewest steps.
#[derive(Clone, Copy, Default, Debug)]
struct CaptureThreats {
    count: [u8; 6],
    steps: [u8; 6],
    /// Their squares as the mover sees them.
    squares: u64,
}

impl CaptureThreats {
    fn new(board: &Board, by: Side, view: &View, mover: Side) -> Self {
        let found = captures(board, by, 4);
        let mut threats = Self::default();
        if found.is_empty() {
            return threats;
        }
        for square in found.squares() {
            let index = if mover == Side::Gold { square.index() } else { square.index() ^ 56 };
            let kind = view.piece_at(index) % 6;
            let steps = found.steps(square).unwrap_or(4);
            let fewest = &mut threats.steps[kind];
            *fewest = if *fewest == 0 { steps } else { steps.min(*fewest) };
            threats.count[kind] += 1;
            threats.squares |= 1 << index;
        }
        threats
    }
}

impl Threats {
    pub(super) fn new(board: &Board, mover: Side) -> Self {
        Self::with_view(board, mover, &View::new(board, mover))
    }

    fn with_view(board: &Board, mover: Side, view: &View) -> Self {
        let sides = [mover, mover.other()];
        Self {
            captures: sides.map(|by| CaptureThreats::new(board, by, view, mover)),
            goals: sides.map(|by| steps_to_goal(board, by, 4)),
        }
    }
}

pub(super) fn add(change: &Change<'_>, sink: &mut Sink<'_>) {
    let before = &change.context.threats;
    let after = Threats::with_view(change.end, change.context.side, &change.after);
    for kind in 0..6 {
        add_own(kind, change, &before.captures[0], &after.captures[0], sink);
        add_enemy(kind, change, &before.captures[1], &after.captures[1], sink);
    }
    for (group, own_or_enemy) in [(GOAL_THREAT, 0), (GOAL_ALLOWED, 1)] {
        let [old, new] = [before, &after].map(|threats| threats.goals[own_or_enemy]);
        if old.is_some() || new.is_some() {
            sink.add(group, 5 * usize::from(old.is_some()) + usize::from(new.unwrap_or(0).min(4)));
        }
    }
}

const fn step_index(steps: u8) -> usize {
    steps.saturating_sub(2) as usize
}

/// Threats against an enemy kind.
fn add_own(
    kind: usize,
    change: &Change<'_>,
    before: &CaptureThreats,
    after: &CaptureThreats,
    sink: &mut Sink<'_>,
) {
    let (old, new) = (before.count[kind], after.count[kind]);
    let captured = change.left[kind + 6].count_ones().saturating_sub(change.arrived[kind + 6].count_ones());
    let mut add =
        |event: usize, steps: u8| sink.add(CAPTURE_THREAT, 9 * kind + 3 * event + step_index(steps));
    if new > old {
        add(0, after.steps[kind]);
    } else if new > 0 {
        add(1, after.steps[kind]);
    }
    if u32::from(new) + captured < u32::from(old) {
        add(2, before.steps[kind]);
    }
}

/// Threats of the opponent against an own kind.
fn add_enemy(
    kind: usize,
    change: &Change<'_>,
    before: &CaptureThreats,
    after: &CaptureThreats,
    sink: &mut Sink<'_>,
) {
    let (old, new) = (before.count[kind], after.count[kind]);
    let mut add =
        |event: usize, steps: u8| sink.add(CAPTURE_ALLOWED, 12 * kind + 3 * event + step_index(steps));
    if new > old {
        add(0, after.steps[kind]);
    }
    if new > 0 && old > 0 {
        add(1, after.steps[kind]);
    }
    if new < old {
        let moved = change.left[kind] & before.squares != 0;
        add(if moved { 2 } else { 3 }, before.steps[kind]);
    }
}

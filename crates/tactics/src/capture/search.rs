//! The search for captures.
//!
//! A displacement (push or pull, two steps) moves one enemy piece by one square, and an own step none, so the enemy pieces
//! around a trap determine how many displacements a capture needs:
//! - a piece on a trap is captured when its guards are gone: one displacement per guard;
//! - a piece next to a trap is captured on it if it has no other guard: one displacement, and one per guard;
//! - a piece two squares from a trap without guards: two displacements;
//! - nothing else is possible with four steps. A displacement captures at most one piece, because no square is next to two
//!   traps.
//!
//! If one displacement is needed, there are two steps to spare, also for another displacement; if two are needed, none.

use crate::bit_action::{BitAction, StepSequence};
use crate::relative_board::{RelativeBoard, TRAPS, any, lowest, neighbours, with_neighbours};

/// A piece that one displacement captures, given a piece that can carry it out.
#[derive(Clone, Copy)]
struct Target {
    trap: u64,
    /// The captured piece.
    victim: u64,
    /// The piece that must be displaced: the victim or its last guard.
    moved: u64,
}

/// Calls `report` with the present square of every enemy piece that `steps` steps can capture, the minimum number of steps,
/// and a sequence.
pub(crate) fn search(relative: &RelativeBoard, steps: u8, mut report: impl FnMut(u64, u8, &StepSequence)) {
    if steps < 2 {
        return;
    }
    let near_traps = with_neighbours(with_neighbours(TRAPS)) & relative.enemy;
    if near_traps == 0 {
        return;
    }
    let mobile = relative.mobile();
    let mut found = 0;
    let mut record = |victim: u64, steps: u8, actions: &[&BitAction]| {
        if found & victim == 0 {
            found |= victim;
            let mut line = StepSequence::default();
            for action in actions {
                line.push(action);
            }
            report(victim, steps, &line);
        }
    };
    let mut open = [Target { trap: 0, victim: 0, moved: 0 }; 4];
    let mut count = 0;
    for_each_target(relative, |target| {
        if let Some(action) = immediate_capture(relative, mobile, &target) {
            record(target.victim, 2, &[&action]);
        } else {
            open[count] = target;
            count += 1;
        }
    });
    if steps < 3 {
        return;
    }
    let mut open = &mut open[..count];
    let mut left = 0;
    for i in 0..open.len() {
        let target = open[i];
        let mut last = None;
        if one_step(relative, mobile, &target, |step, action| {
            last = Some((step, action));
        }) {
            if let Some((step, action)) = last {
                record(target.victim, 3, &[&step, &action]);
            }
        } else {
            open[left] = target;
            left += 1;
        }
    }
    open = &mut open[..left];
    if steps < 4 {
        return;
    }
    two_displacements(relative, mobile, open, |victim, first, second| record(victim, 4, &[first, second]));
    for target in open {
        two_steps(relative, mobile, target, |first, second, action| {
            record(target.victim, 4, &[first, second, action]);
        });
    }
}

/// Calls `visit` with the targets: at most one per trap.
#[inline]
fn for_each_target(relative: &RelativeBoard, mut visit: impl FnMut(Target)) {
    any(TRAPS & with_neighbours(relative.enemy), |trap| {
        let around = neighbours(trap) & relative.enemy;
        if around.is_power_of_two() {
            let victim = if relative.enemy & trap == 0 { around } else { trap };
            visit(Target { trap, victim, moved: around });
        }
        false
    });
}

/// The displacement that captures the target at once.
#[inline]
fn immediate_capture(relative: &RelativeBoard, mobile: u64, target: &Target) -> Option<BitAction> {
    let Target { trap, victim, moved } = *target;
    let near = mobile & neighbours(moved);
    if near == 0 {
        return None;
    }
    let by = near & relative.stronger_than(moved);
    if by == 0 {
        return None;
    }
    let empty = relative.empty();
    let push = |to| BitAction { first: (moved, to), second: Some((lowest(by), moved)) };
    let pull = |by, to| BitAction { first: (by, to), second: Some((moved, by)) };
    if victim == trap {
        let exits = neighbours(moved) & empty;
        if exits != 0 {
            return Some(push(lowest(exits)));
        }
        let puller = lowest(by & neighbours(empty));
        return (puller != 0).then(|| pull(puller, lowest(neighbours(puller) & empty)));
    }
    if trap & empty != 0 {
        return Some(push(trap));
    }
    let exits = neighbours(trap) & empty;
    (by & trap != 0 && exits != 0).then(|| pull(trap, lowest(exits)))
}

/// The squares on which a displacement of a piece depends: up to two away from it, and guards of traps among them.
#[inline]
fn influence_area(moved: u64) -> u64 {
    with_guards(with_neighbours(with_neighbours(moved)))
}

/// A set and the guards of its traps.
#[inline]
const fn with_guards(set: u64) -> u64 {
    set | neighbours(set & TRAPS)
}

/// An own step after which the target can be captured.
#[inline]
fn one_step(
    relative: &RelativeBoard,
    mobile: u64,
    target: &Target,
    found: impl FnOnce(BitAction, BitAction),
) -> bool {
    let strong = relative.own & relative.stronger_than(target.moved);
    let mut actions = None;
    if strong & neighbours(target.moved) == 0 {
        // A stronger piece must step next to it.
        let adjacent = neighbours(target.moved) & relative.empty();
        any(strong & mobile & neighbours(adjacent), |from| {
            any(neighbours(from) & adjacent, |to| attempt(relative, from, to, target, &mut actions))
        });
    } else {
        // A stronger piece is next to it: it must be unfrozen, or a square must be vacated.
        let area = influence_area(target.moved);
        any(mobile & with_neighbours(area), |from| {
            let targets = if from & area == 0 {
                relative.step_targets(from) & area
            } else {
                relative.step_targets(from)
            };
            any(targets, |to| attempt(relative, from, to, target, &mut actions))
        });
    }
    let success = actions.is_some();
    if let Some((step, action)) = actions {
        found(step, action);
    }
    success
}

#[inline]
fn attempt(
    relative: &RelativeBoard,
    from: u64,
    to: u64,
    target: &Target,
    actions: &mut Option<(BitAction, BitAction)>,
) -> bool {
    let next = relative.after_own_step(from, to);
    *actions =
        immediate_capture(&next, next.mobile(), target).map(|action| (BitAction::step(from, to), action));
    actions.is_some()
}

/// Two own steps after which the target can be captured.
fn two_steps(
    relative: &RelativeBoard,
    mobile: u64,
    target: &Target,
    found: impl FnOnce(&BitAction, &BitAction, &BitAction),
) {
    let strong = relative.own & relative.stronger_than(target.moved);
    let close = with_neighbours(with_neighbours(target.moved));
    if strong & with_neighbours(close) == 0 {
        return;
    }
    let mut actions = None;
    let mut try_first = |from, to| {
        let next = relative.after_own_step(from, to);
        one_step(&next, next.mobile(), target, |second, action| {
            actions = Some((BitAction::step(from, to), second, action));
        })
    };
    if strong & close == 0 {
        // The same piece must take both steps.
        any(strong & mobile & with_neighbours(close), |from| {
            any(neighbours(from) & close & relative.empty(), |to| try_first(from, to))
        });
    } else {
        // A helper starts at most one square outside the influence area and depends on squares at most two outside.
        let area = with_guards(with_neighbours(with_neighbours(influence_area(target.moved))));
        any(mobile & with_neighbours(area), |from| {
            let targets = if from & area == 0 {
                relative.step_targets(from) & area
            } else {
                relative.step_targets(from)
            };
            any(targets, |to| try_first(from, to))
        });
    }
    if let Some((first, second, action)) = actions {
        found(&first, &second, &action);
    }
}

/// A displacement followed by another one that captures: one of the targets, or a piece that needs two displacements.
fn two_displacements(
    relative: &RelativeBoard,
    mobile: u64,
    open: &[Target],
    mut found: impl FnMut(u64, &BitAction, &BitAction),
) {
    let mut enemies = 0;
    any(TRAPS & with_neighbours(with_neighbours(relative.enemy)), |trap| {
        let around = neighbours(trap) & relative.enemy;
        match around.count_ones() {
            0 if relative.enemy & trap == 0 => enemies |= neighbours(neighbours(trap)) & relative.enemy,
            2 => enemies |= around,
            _ => {}
        }
        false
    });
    let mut area = 0;
    for target in open {
        let strong = relative.own & relative.stronger_than(target.moved);
        if strong & with_neighbours(with_neighbours(target.moved)) != 0 {
            area |= influence_area(target.moved);
        }
    }
    if enemies == 0 && area == 0 {
        return;
    }
    relative.any_displacement(
        mobile,
        enemies | relative.enemy & with_neighbours(with_neighbours(area)),
        |first, next| {
            let (from, to) = displaced(&first, relative);
            if from & enemies != 0 || first.touched() & area != 0 {
                let mobile = next.mobile();
                for_each_target(next, |target| {
                    if let Some(second) = immediate_capture(next, mobile, &target) {
                        let origin = if target.victim == to { from } else { target.victim };
                        found(origin, &first, &second);
                    }
                });
            }
            false
        },
    );
}

/// The squares that the enemy piece of a displacement leaves and enters.
#[inline]
fn displaced(action: &BitAction, relative: &RelativeBoard) -> (u64, u64) {
    match action.second {
        Some(second) if action.first.0 & relative.enemy == 0 => second,
        _ => action.first,
    }
}

/// A displacement that captures this piece at once.
pub(crate) fn capture_now(relative: &RelativeBoard, victim: u64) -> Option<BitAction> {
    let mobile = relative.mobile();
    let mut action = None;
    for_each_target(relative, |target| {
        if target.victim == victim {
            action = action.or(immediate_capture(relative, mobile, &target));
        }
    });
    action
}

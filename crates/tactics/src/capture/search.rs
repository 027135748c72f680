//! The narrow search for captures.
//!
//! A displacement (push or pull, two steps) takes one enemy piece one square further, and an own step none, so
//! what enemies do around a trap says how many displacements a capture needs:
//! - a piece on a trap dies when its guards are gone: one displacement for each;
//! - a piece next to a trap dies on it when it has no other guard: one displacement, and one for each guard;
//! - a piece two squares from a trap that has no guard at all: two displacements;
//! - nothing else can be had with four steps. A displacement captures one piece at most, because no square is
//!   next to two traps.
//!
//! Where one displacement is needed there are two steps to spare, which another displacement may use too; where
//! two are needed there are none.

use crate::bit_action::{BitAction, StepSequence};
use crate::relative_board::{RelativeBoard, TRAPS, any, lowest, neighbours, with_neighbours};

/// A piece that one displacement could capture if the right piece stood at the right place.
#[derive(Clone, Copy)]
struct Target {
    trap: u64,
    /// What dies.
    victim: u64,
    /// What must be displaced for that: the victim, or its last guard.
    moved: u64,
}

/// Calls with every enemy piece (by the square where it stands now) that so many steps can capture, the steps
/// that it takes at least, and a line.
pub(crate) fn search(field: &RelativeBoard, steps: u8, mut report: impl FnMut(u64, u8, &StepSequence)) {
    if steps < 2 {
        return;
    }
    let near_traps = with_neighbours(with_neighbours(TRAPS)) & field.enemy;
    if near_traps == 0 {
        return;
    }
    let mobile = field.mobile();
    let mut found = 0;
    let mut note = |victim: u64, steps: u8, deeds: &[&BitAction]| {
        if found & victim == 0 {
            found |= victim;
            let mut line = StepSequence::default();
            for deed in deeds {
                line.add(deed);
            }
            report(victim, steps, &line);
        }
    };
    let mut open = [Target { trap: 0, victim: 0, moved: 0 }; 4];
    let mut count = 0;
    for_each_target(field, |target| {
        if let Some(deed) = immediate_capture(field, mobile, &target) {
            note(target.victim, 2, &[&deed]);
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
        if one_step(field, mobile, &target, |step, deed| {
            last = Some((step, deed));
        }) {
            if let Some((step, deed)) = last {
                note(target.victim, 3, &[&step, &deed]);
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
    two_displacements(field, mobile, open, |victim, first, second| note(victim, 4, &[first, second]));
    for target in open {
        two_steps(field, mobile, target, |first, second, deed| {
            note(target.victim, 4, &[first, second, deed]);
        });
    }
}

/// All pieces that one displacement could capture: at most one for every trap.
#[inline]
fn for_each_target(field: &RelativeBoard, mut visit: impl FnMut(Target)) {
    any(TRAPS & with_neighbours(field.enemy), |trap| {
        let around = neighbours(trap) & field.enemy;
        if around.is_power_of_two() {
            let victim = if field.enemy & trap == 0 { around } else { trap };
            visit(Target { trap, victim, moved: around });
        }
        false
    });
}

/// The displacement that captures the target at once.
#[inline]
fn immediate_capture(field: &RelativeBoard, mobile: u64, target: &Target) -> Option<BitAction> {
    let Target { trap, victim, moved } = *target;
    let near = mobile & neighbours(moved);
    if near == 0 {
        return None;
    }
    let by = near & field.stronger_than(moved);
    if by == 0 {
        return None;
    }
    let empty = field.empty();
    let push = |to| BitAction { first: (moved, to), second: Some((lowest(by), moved)) };
    let pull = |by, to| BitAction { first: (by, to), second: Some((moved, by)) };
    if victim == trap {
        let ways = neighbours(moved) & empty;
        if ways != 0 {
            return Some(push(lowest(ways)));
        }
        let puller = lowest(by & neighbours(empty));
        return (puller != 0).then(|| pull(puller, lowest(neighbours(puller) & empty)));
    }
    if trap & empty != 0 {
        return Some(push(trap));
    }
    let ways = neighbours(trap) & empty;
    (by & trap != 0 && ways != 0).then(|| pull(trap, lowest(ways)))
}

/// All that a displacement of a piece looks at: the neighbours of those that are next to it.
#[inline]
fn influence_area(moved: u64) -> u64 {
    with_guards(with_neighbours(with_neighbours(moved)))
}

/// A set, and all that can guard a trap of it.
#[inline]
const fn with_guards(set: u64) -> u64 {
    set | neighbours(set & TRAPS)
}

/// An own step after which the target can be captured.
#[inline]
fn one_step(
    field: &RelativeBoard,
    mobile: u64,
    target: &Target,
    found: impl FnOnce(BitAction, BitAction),
) -> bool {
    let strong = field.own & field.stronger_than(target.moved);
    let mut way = None;
    if strong & neighbours(target.moved) == 0 {
        // A stronger piece must come.
        let places = neighbours(target.moved) & field.empty();
        any(strong & mobile & neighbours(places), |from| {
            any(neighbours(from) & places, |to| attempt(field, from, to, target, &mut way))
        });
    } else {
        // One is there: it must be set free, or its way.
        let scene = influence_area(target.moved);
        any(mobile & with_neighbours(scene), |from| {
            let ways =
                if from & scene == 0 { field.step_targets(from) & scene } else { field.step_targets(from) };
            any(ways, |to| attempt(field, from, to, target, &mut way))
        });
    }
    let success = way.is_some();
    if let Some((step, deed)) = way {
        found(step, deed);
    }
    success
}

#[inline]
fn attempt(
    field: &RelativeBoard,
    from: u64,
    to: u64,
    target: &Target,
    way: &mut Option<(BitAction, BitAction)>,
) -> bool {
    let next = field.after_own_step(from, to);
    *way = immediate_capture(&next, next.mobile(), target).map(|deed| (BitAction::step(from, to), deed));
    way.is_some()
}

/// Two own steps after which the target can be captured.
fn two_steps(
    field: &RelativeBoard,
    mobile: u64,
    target: &Target,
    found: impl FnOnce(&BitAction, &BitAction, &BitAction),
) {
    let strong = field.own & field.stronger_than(target.moved);
    let close = with_neighbours(with_neighbours(target.moved));
    if strong & with_neighbours(close) == 0 {
        return;
    }
    let mut way = None;
    let mut try_first = |from, to| {
        let next = field.after_own_step(from, to);
        one_step(&next, next.mobile(), target, |second, deed| {
            way = Some((BitAction::step(from, to), second, deed));
        })
    };
    if strong & close == 0 {
        // The same piece must come in both steps.
        any(strong & mobile & with_neighbours(close), |from| {
            any(neighbours(from) & close & field.empty(), |to| try_first(from, to))
        });
    } else {
        // A helper starts at most one square outside the scene, and looks at most two outside.
        let area = with_guards(with_neighbours(with_neighbours(influence_area(target.moved))));
        any(mobile & with_neighbours(area), |from| {
            let ways =
                if from & area == 0 { field.step_targets(from) & area } else { field.step_targets(from) };
            any(ways, |to| try_first(from, to))
        });
    }
    if let Some((first, second, deed)) = way {
        found(&first, &second, &deed);
    }
}

/// A displacement after which another one captures: of one of the targets, or of a piece that needs two.
fn two_displacements(
    field: &RelativeBoard,
    mobile: u64,
    open: &[Target],
    mut found: impl FnMut(u64, &BitAction, &BitAction),
) {
    let mut foes = 0;
    any(TRAPS & with_neighbours(with_neighbours(field.enemy)), |trap| {
        let around = neighbours(trap) & field.enemy;
        match around.count_ones() {
            0 if field.enemy & trap == 0 => foes |= neighbours(neighbours(trap)) & field.enemy,
            2 => foes |= around,
            _ => {}
        }
        false
    });
    let mut area = 0;
    for target in open {
        let strong = field.own & field.stronger_than(target.moved);
        if strong & with_neighbours(with_neighbours(target.moved)) != 0 {
            area |= influence_area(target.moved);
        }
    }
    if foes == 0 && area == 0 {
        return;
    }
    field.any_displacement(
        mobile,
        foes | field.enemy & with_neighbours(with_neighbours(area)),
        |first, next| {
            let (from, to) = displaced(&first, field);
            if from & foes != 0 || first.touched() & area != 0 {
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

/// Where the enemy piece of a displacement came from, and where it went.
#[inline]
fn displaced(deed: &BitAction, field: &RelativeBoard) -> (u64, u64) {
    match deed.second {
        Some(second) if deed.first.0 & field.enemy == 0 => second,
        _ => deed.first,
    }
}

/// A displacement that captures this piece at once.
pub(crate) fn capture_now(field: &RelativeBoard, victim: u64) -> Option<BitAction> {
    let mobile = field.mobile();
    let mut deed = None;
    for_each_target(field, |target| {
        if target.victim == victim {
            deed = deed.or(immediate_capture(field, mobile, &target));
        }
    });
    deed
}

//! The narrow search for one rabbit.

use super::helper_area::AREAS;
use crate::bit_action::{BitAction, StepSequence};
use crate::relative_board::{GOAL, RelativeBoard, TRAPS, any, neighbours, rabbit_targets, with_neighbours};

/// The minimum number of steps of a rabbit to its goal.
#[inline]
const fn ranks_to_go(rabbit: u64) -> u32 {
    rabbit.leading_zeros() / 8
}

/// Whether a rabbit can be on the goal rank after at most `steps` steps. On success the sequence is prepended to `line`.
pub(crate) fn solve(relative: &RelativeBoard, rabbit: u64, steps: u32, line: &mut StepSequence) -> bool {
    let needed = ranks_to_go(rabbit);
    if needed == 0 {
        return true;
    }
    if steps < needed {
        return false;
    }
    let slack = steps - needed;
    // Pieces on traps that are captured as soon as this rabbit leaves. They are rare, and only then does a step of the rabbit
    // change more than its own squares.
    let orphans = {
        let others = relative.own ^ rabbit;
        others & TRAPS & neighbours(rabbit) & !neighbours(others)
    };
    if orphans == 0 {
        if walks(relative, rabbit, rabbit, steps) {
            walk(relative, rabbit, steps, line);
            return true;
        }
        match slack {
            0 => return false,
            1 => return goal_with_one_helper(relative, rabbit, steps, line),
            _ => {}
        }
    }
    if slack >= 2 && !not_ruled_out(relative, rabbit, steps, slack) {
        return false;
    }
    let mobile = relative.mobile();
    if mobile & rabbit != 0 && rabbit_steps(relative, rabbit, slack, steps, line) {
        return true;
    }
    if slack == 0 {
        return false;
    }
    let areas = &AREAS[rabbit.trailing_zeros() as usize];
    let helpers = mobile & !rabbit;
    let area = areas[slack as usize - 1];
    let mut continue_with = |action: BitAction, next: &RelativeBoard, left| {
        let found = next.own & rabbit != 0 && solve(next, rabbit, left, line);
        if found {
            line.prepend(&action);
        }
        found
    };
    if any(helpers & with_neighbours(area), |from| {
        let targets =
            if from & area == 0 { relative.step_targets(from) & area } else { relative.step_targets(from) };
        any(targets, |to| {
            continue_with(BitAction::step(from, to), &relative.after_own_step(from, to), steps - 1)
        })
    }) {
        return true;
    }
    if slack < 2 {
        return false;
    }
    let area = areas[slack as usize - 2];
    relative.any_displacement(
        helpers,
        relative.enemy & with_neighbours(with_neighbours(area)),
        |action, next| action.touched() & area != 0 && continue_with(action, next, steps - 2),
    )
}

fn rabbit_steps(
    relative: &RelativeBoard,
    rabbit: u64,
    slack: u32,
    steps: u32,
    line: &mut StepSequence,
) -> bool {
    let targets = if slack == 0 { rabbit << 8 } else { rabbit_targets(rabbit) };
    any(targets & relative.empty(), |to| {
        let next = relative.after_own_step(rabbit, to);
        let found = next.own & to != 0 && solve(&next, to, steps - 1, line);
        if found {
            line.prepend(&BitAction::step(rabbit, to));
        }
        found
    })
}

/// The squares that stop a rabbit walking alone: where it would be frozen, and traps where it would be captured.
#[inline]
fn hazards(relative: &RelativeBoard, rabbit: u64) -> (u64, u64) {
    let helped = neighbours(relative.own ^ rabbit);
    (neighbours(relative.enemy & relative.officers()) & !helped, TRAPS & !helped)
}

/// Whether the rabbit reaches its goal from a square of its path without steps of other pieces. Exact unless a piece is
/// captured because the rabbit leaves.
#[inline]
fn walks(relative: &RelativeBoard, rabbit: u64, at: u64, steps: u32) -> bool {
    let (freezing, deadly) = hazards(relative, rabbit);
    let open = relative.empty() & !deadly;
    let mut reached = at;
    for _ in 0..steps {
        reached = rabbit_targets(reached & !freezing) & open;
        if reached & GOAL != 0 {
            return true;
        }
    }
    false
}

/// Prepends the path of a rabbit that [`walks`] to the line.
#[cold]
fn walk(relative: &RelativeBoard, rabbit: u64, steps: u32, line: &mut StepSequence) {
    let (_, deadly) = hazards(relative, rabbit);
    let open = relative.empty() & !deadly;
    let mut path = [rabbit; 5];
    let mut taken = 0;
    while path[taken] & GOAL == 0 && taken < steps as usize {
        let left = steps - taken as u32 - 1;
        let mut next = 0;
        any(rabbit_targets(path[taken]) & open, |to| {
            next = to;
            to & GOAL != 0 || walks(relative, rabbit, to, left)
        });
        taken += 1;
        path[taken] = next;
    }
    debug_assert!(path[taken] & GOAL != 0);
    for i in (0..taken).rev() {
        line.prepend(&BitAction::step(path[i], path[i + 1]));
    }
}

/// One step of slack, where the rabbit alone does not reach its goal: the only possible help is one own step by another
/// piece, and no enemy piece can be displaced.
fn goal_with_one_helper(relative: &RelativeBoard, rabbit: u64, steps: u32, line: &mut StepSequence) -> bool {
    let ahead = 0x0101_0101_0101_0100 << rabbit.trailing_zeros();
    let blockers = (relative.own | relative.enemy) & ahead;
    if blockers & relative.enemy != 0 {
        return false;
    }
    let (freezing, deadly) = hazards(relative, rabbit);
    let mobile = relative.mobile();
    let mut try_step = |from, to| {
        let next = relative.after_own_step(from, to);
        let found = next.own & rabbit != 0 && solve(&next, rabbit, steps - 1, line);
        if found {
            line.prepend(&BitAction::step(from, to));
        }
        found
    };
    let helped = if blockers == 0 {
        // A friendly piece must step next to every square where the rabbit would be stopped.
        let mut sides = relative.empty() & !ahead;
        any(freezing & (ahead & !GOAL | rabbit) | deadly & ahead, |stop| {
            sides &= neighbours(stop);
            sides == 0
        });
        any(sides, |to| {
            let helpers = mobile & neighbours(to) & !rabbit & !(relative.rabbits() & to << 8);
            any(helpers, |from| try_step(from, to))
        })
    } else if blockers & TRAPS == 0 {
        // The one blocker must step aside.
        blockers.is_power_of_two()
            && mobile & blockers != 0
            && any(relative.step_targets(blockers) & !ahead, |to| try_step(blockers, to))
    } else {
        // It may also be captured, when its guard steps away.
        let movers = mobile & (blockers | neighbours(blockers & TRAPS)) & !rabbit;
        any(movers, |from| any(relative.step_targets(from), |to| try_step(from, to)))
    };
    helped || mobile & rabbit != 0 && rabbit_steps(relative, rabbit, 0, steps, line)
}

/// False only if no turn of `steps` steps can bring the rabbit to its goal.
///
/// Every own piece on the path must step off it, which takes one step, and every enemy piece must be displaced, which takes
/// two and a stronger piece next to it: a push replaces an enemy on the path with an own piece and frees at most the
/// pusher's square, a pull frees one. Pieces on traps may be captured as a side effect and cost nothing, but an enemy there
/// needs a displacement.
fn not_ruled_out(relative: &RelativeBoard, rabbit: u64, steps: u32, slack: u32) -> bool {
    let movable = if slack == 2 {
        relative.outranked(relative.enemy, relative.own)
    } else {
        let near = with_neighbours(relative.own & relative.officers());
        relative.enemy & with_neighbours(near)
    };
    let one = relative.empty() | (relative.own | relative.enemy) & TRAPS;
    let two = relative.own & !TRAPS;
    let three = movable & !TRAPS;
    let after1 = rabbit_targets(rabbit) & one;
    let after2 = rabbit_targets(after1) & one | rabbit_targets(rabbit) & two;
    let after3 = rabbit_targets(after2) & one | rabbit_targets(after1) & two | rabbit_targets(rabbit) & three;
    let after4 = rabbit_targets(after3) & one | rabbit_targets(after2) & two | rabbit_targets(after1) & three;
    let reached = match steps {
        0 | 1 => after1,
        2 => after1 | after2,
        3 => after1 | after2 | after3,
        _ => after1 | after2 | after3 | after4,
    };
    if reached & GOAL == 0 {
        return false;
    }
    // A frozen rabbit needs another own piece near enough to unfreeze it or to displace the freezing piece.
    let frozen = neighbours(rabbit) & relative.enemy & relative.officers() != 0
        && neighbours(rabbit) & relative.own == 0;
    if frozen {
        let mut disk = with_neighbours(with_neighbours(with_neighbours(rabbit)));
        if slack == 3 {
            disk = with_neighbours(disk);
        }
        return disk & relative.own != rabbit;
    }
    true
}

//! The narrow search for one rabbit.

use super::helper_area::AREAS;
use crate::bit_action::{BitAction, StepSequence};
use crate::relative_board::{GOAL, RelativeBoard, TRAPS, any, neighbours, rabbit_targets, with_neighbours};

/// How many steps a rabbit needs at least.
#[inline]
const fn ranks_to_go(rabbit: u64) -> u32 {
    rabbit.leading_zeros() / 8
}

/// Whether this rabbit can stand on the goal rank after at most so many steps of the turn. On success the line
/// is put in front of what `line` holds.
pub(crate) fn solve(field: &RelativeBoard, rabbit: u64, steps: u32, line: &mut StepSequence) -> bool {
    let needed = ranks_to_go(rabbit);
    if needed == 0 {
        return true;
    }
    if steps < needed {
        return false;
    }
    let slack = steps - needed;
    // Pieces on traps that die as soon as this rabbit leaves. They are rare, and only then does the rabbit's
    // step change anything but its own square.
    let orphans = {
        let others = field.own ^ rabbit;
        others & TRAPS & neighbours(rabbit) & !neighbours(others)
    };
    if orphans == 0 {
        if walks(field, rabbit, rabbit, steps) {
            walk(field, rabbit, steps, line);
            return true;
        }
        match slack {
            0 => return false,
            1 => return goal_with_one_helper(field, rabbit, steps, line),
            _ => {}
        }
    }
    if 2 <= slack && !not_ruled_out(field, rabbit, steps, slack) {
        return false;
    }
    let mobile = field.mobile();
    if mobile & rabbit != 0 && rabbit_steps(field, rabbit, slack, steps, line) {
        return true;
    }
    if slack == 0 {
        return false;
    }
    let areas = &AREAS[rabbit.trailing_zeros() as usize];
    let helpers = mobile & !rabbit;
    let area = areas[slack as usize - 1];
    let mut go_on = |deed: BitAction, next: &RelativeBoard, left| {
        let found = next.own & rabbit != 0 && solve(next, rabbit, left, line);
        if found {
            line.add_before(&deed);
        }
        found
    };
    if any(helpers & with_neighbours(area), |from| {
        let ways = if from & area == 0 { field.step_targets(from) & area } else { field.step_targets(from) };
        any(ways, |to| go_on(BitAction::step(from, to), &field.after_own_step(from, to), steps - 1))
    }) {
        return true;
    }
    if slack < 2 {
        return false;
    }
    let area = areas[slack as usize - 2];
    field.any_displacement(helpers, field.enemy & with_neighbours(with_neighbours(area)), |deed, next| {
        deed.touched() & area != 0 && go_on(deed, next, steps - 2)
    })
}

fn rabbit_steps(field: &RelativeBoard, rabbit: u64, slack: u32, steps: u32, line: &mut StepSequence) -> bool {
    let ways = if slack == 0 { rabbit << 8 } else { rabbit_targets(rabbit) };
    any(ways & field.empty(), |to| {
        let next = field.after_own_step(rabbit, to);
        let found = next.own & to != 0 && solve(&next, to, steps - 1, line);
        if found {
            line.add_before(&BitAction::step(rabbit, to));
        }
        found
    })
}

/// Where a rabbit that walks alone is stopped: the squares it would be frozen on, and the traps where it would
/// die.
#[inline]
fn hazards(field: &RelativeBoard, rabbit: u64) -> (u64, u64) {
    let helped = neighbours(field.own ^ rabbit);
    (neighbours(field.enemy & field.officers()) & !helped, TRAPS & !helped)
}

/// Whether the rabbit gets there from this square of its way with no piece but itself moving. Exact while nobody
/// dies by its leaving.
#[inline]
fn walks(field: &RelativeBoard, rabbit: u64, at: u64, steps: u32) -> bool {
    let (freezing, deadly) = hazards(field, rabbit);
    let open = field.empty() & !deadly;
    let mut reached = at;
    for _ in 0..steps {
        reached = rabbit_targets(reached & !freezing) & open;
        if reached & GOAL != 0 {
            return true;
        }
    }
    false
}

/// Puts the way of a rabbit that [`walks`] in front of the line.
#[cold]
fn walk(field: &RelativeBoard, rabbit: u64, steps: u32, line: &mut StepSequence) {
    let (_, deadly) = hazards(field, rabbit);
    let open = field.empty() & !deadly;
    let mut way = [rabbit; 5];
    let mut taken = 0;
    while way[taken] & GOAL == 0 && taken < steps as usize {
        let left = steps - taken as u32 - 1;
        let mut next = 0;
        any(rabbit_targets(way[taken]) & open, |to| {
            next = to;
            to & GOAL != 0 || walks(field, rabbit, to, left)
        });
        taken += 1;
        way[taken] = next;
    }
    debug_assert!(way[taken] & GOAL != 0);
    for i in (0..taken).rev() {
        line.add_before(&BitAction::step(way[i], way[i + 1]));
    }
}

/// One step may be spent on something else than going straight, and going round did not do: so one own step by
/// another piece is all the help there can be, and no enemy piece moves.
fn goal_with_one_helper(field: &RelativeBoard, rabbit: u64, steps: u32, line: &mut StepSequence) -> bool {
    let ahead = 0x0101_0101_0101_0100 << rabbit.trailing_zeros();
    let blockers = (field.own | field.enemy) & ahead;
    if blockers & field.enemy != 0 {
        return false;
    }
    let (freezing, deadly) = hazards(field, rabbit);
    let mobile = field.mobile();
    let mut try_step = |from, to| {
        let next = field.after_own_step(from, to);
        let found = next.own & rabbit != 0 && solve(&next, rabbit, steps - 1, line);
        if found {
            line.add_before(&BitAction::step(from, to));
        }
        found
    };
    let helped = if blockers == 0 {
        // A friend must come to the side of every square where the rabbit would be stopped.
        let mut sides = field.empty() & !ahead;
        any(freezing & (ahead & !GOAL | rabbit) | deadly & ahead, |stop| {
            sides &= neighbours(stop);
            sides == 0
        });
        any(sides, |to| {
            let helpers = mobile & neighbours(to) & !rabbit & !(field.rabbits() & to << 8);
            any(helpers, |from| try_step(from, to))
        })
    } else if blockers & TRAPS == 0 {
        // The one blocker must step aside.
        blockers.is_power_of_two()
            && mobile & blockers != 0
            && any(field.step_targets(blockers) & !ahead, |to| try_step(blockers, to))
    } else {
        // It may also die where it stands, when its guard steps away.
        let movers = mobile & (blockers | neighbours(blockers & TRAPS)) & !rabbit;
        any(movers, |from| any(field.step_targets(from), |to| try_step(from, to)))
    };
    helped || mobile & rabbit != 0 && rabbit_steps(field, rabbit, 0, steps, line)
}

/// False only where no turn of so many steps can bring the rabbit to its goal.
///
/// Every own piece in the way must step off it, which takes a step for each, and every enemy piece must be
/// displaced, which takes two and a stronger piece next to it: a push turns an enemy in the way to an own piece
/// in the way and frees at most the pusher's square, a pull frees one. Pieces on traps may die as a by-effect:
/// they count nothing, but an enemy there needs a displacement.
fn not_ruled_out(field: &RelativeBoard, rabbit: u64, steps: u32, slack: u32) -> bool {
    let movable = if slack == 2 {
        field.outranked(field.enemy, field.own)
    } else {
        let near = with_neighbours(field.own & field.officers());
        field.enemy & with_neighbours(near)
    };
    let one = field.empty() | (field.own | field.enemy) & TRAPS;
    let two = field.own & !TRAPS;
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
    // A frozen rabbit needs another own piece near enough to come to its side or to deal with what freezes it.
    let frozen =
        neighbours(rabbit) & field.enemy & field.officers() != 0 && neighbours(rabbit) & field.own == 0;
    if frozen {
        let mut disk = with_neighbours(with_neighbours(with_neighbours(rabbit)));
        if slack == 3 {
            disk = with_neighbours(disk);
        }
        return disk & field.own != rabbit;
    }
    true
}

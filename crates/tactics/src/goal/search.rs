//! The narrow search for one rabbit.

use super::area::AREAS;
use crate::deed::{Deed, Line};
use crate::field::{Field, GOAL, TRAPS, any, grown, rabbit_ways, spread};

/// How many steps a rabbit needs at least.
#[inline]
const fn ranks_to_go(rabbit: u64) -> u32 {
    rabbit.leading_zeros() / 8
}

/// Whether this rabbit can stand on the goal rank after at most so many steps of the turn. On success the line
/// is put in front of what `line` holds.
pub(crate) fn solve(field: &Field, rabbit: u64, steps: u32, line: &mut Line) -> bool {
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
        others & TRAPS & spread(rabbit) & !spread(others)
    };
    if orphans == 0 {
        if walks(field, rabbit, rabbit, steps) {
            walk(field, rabbit, steps, line);
            return true;
        }
        match slack {
            0 => return false,
            1 => return helped_once(field, rabbit, steps, line),
            _ => {}
        }
    }
    if 2 <= slack && !conceivable(field, rabbit, steps, slack) {
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
    let mut go_on = |deed: Deed, next: &Field, left| {
        let found = next.own & rabbit != 0 && solve(next, rabbit, left, line);
        if found {
            line.add_before(&deed);
        }
        found
    };
    if any(helpers & grown(area), |from| {
        let ways = if from & area == 0 { field.ways(from) & area } else { field.ways(from) };
        any(ways, |to| go_on(Deed::step(from, to), &field.own_step(from, to), steps - 1))
    }) {
        return true;
    }
    if slack < 2 {
        return false;
    }
    let area = areas[slack as usize - 2];
    field.any_displacement(helpers, field.foe & grown(grown(area)), |deed, next| {
        deed.touched() & area != 0 && go_on(deed, next, steps - 2)
    })
}

fn rabbit_steps(field: &Field, rabbit: u64, slack: u32, steps: u32, line: &mut Line) -> bool {
    let ways = if slack == 0 { rabbit << 8 } else { rabbit_ways(rabbit) };
    any(ways & field.empty(), |to| {
        let next = field.own_step(rabbit, to);
        let found = next.own & to != 0 && solve(&next, to, steps - 1, line);
        if found {
            line.add_before(&Deed::step(rabbit, to));
        }
        found
    })
}

/// Where a rabbit that walks alone is stopped: the squares it would be frozen on, and the traps where it would
/// die.
#[inline]
fn hazards(field: &Field, rabbit: u64) -> (u64, u64) {
    let helped = spread(field.own ^ rabbit);
    (spread(field.foe & field.officers()) & !helped, TRAPS & !helped)
}

/// Whether the rabbit gets there from this square of its way with no piece but itself moving. Exact while nobody
/// dies by its leaving.
#[inline]
fn walks(field: &Field, rabbit: u64, at: u64, steps: u32) -> bool {
    let (freezing, deadly) = hazards(field, rabbit);
    let open = field.empty() & !deadly;
    let mut reached = at;
    for _ in 0..steps {
        reached = rabbit_ways(reached & !freezing) & open;
        if reached & GOAL != 0 {
            return true;
        }
    }
    false
}

/// Puts the way of a rabbit that [`walks`] in front of the line.
#[cold]
fn walk(field: &Field, rabbit: u64, steps: u32, line: &mut Line) {
    let (_, deadly) = hazards(field, rabbit);
    let open = field.empty() & !deadly;
    let mut way = [rabbit; 5];
    let mut taken = 0;
    while way[taken] & GOAL == 0 && taken < steps as usize {
        let left = steps - taken as u32 - 1;
        let mut next = 0;
        any(rabbit_ways(way[taken]) & open, |to| {
            next = to;
            to & GOAL != 0 || walks(field, rabbit, to, left)
        });
        taken += 1;
        way[taken] = next;
    }
    debug_assert!(way[taken] & GOAL != 0);
    for i in (0..taken).rev() {
        line.add_before(&Deed::step(way[i], way[i + 1]));
    }
}

/// One step may be spent on something else than going straight, and going round did not do: so one own step by
/// another piece is all the help there can be, and no enemy piece moves.
fn helped_once(field: &Field, rabbit: u64, steps: u32, line: &mut Line) -> bool {
    let ahead = 0x0101_0101_0101_0100 << rabbit.trailing_zeros();
    let blockers = (field.own | field.foe) & ahead;
    if blockers & field.foe != 0 {
        return false;
    }
    let (freezing, deadly) = hazards(field, rabbit);
    let mobile = field.mobile();
    let mut try_step = |from, to| {
        let next = field.own_step(from, to);
        let found = next.own & rabbit != 0 && solve(&next, rabbit, steps - 1, line);
        if found {
            line.add_before(&Deed::step(from, to));
        }
        found
    };
    let helped = if blockers == 0 {
        // A friend must come to the side of every square where the rabbit would be stopped.
        let mut sides = field.empty() & !ahead;
        any(freezing & (ahead & !GOAL | rabbit) | deadly & ahead, |stop| {
            sides &= spread(stop);
            sides == 0
        });
        any(sides, |to| {
            let helpers = mobile & spread(to) & !rabbit & !(field.rabbits() & to << 8);
            any(helpers, |from| try_step(from, to))
        })
    } else if blockers & TRAPS == 0 {
        // The one blocker must step aside.
        blockers.is_power_of_two()
            && mobile & blockers != 0
            && any(field.ways(blockers) & !ahead, |to| try_step(blockers, to))
    } else {
        // It may also die where it stands, when its guard steps away.
        let movers = mobile & (blockers | spread(blockers & TRAPS)) & !rabbit;
        any(movers, |from| any(field.ways(from), |to| try_step(from, to)))
    };
    helped || mobile & rabbit != 0 && rabbit_steps(field, rabbit, 0, steps, line)
}

/// False only where no turn of so many steps can bring the rabbit to its goal.
///
/// Every own piece in the way must step off it, which takes a step for each, and every enemy piece must be
/// displaced, which takes two and a stronger piece next to it: a push turns an enemy in the way to an own piece
/// in the way and frees at most the pusher's square, a pull frees one. Pieces on traps may die as a by-effect:
/// they count nothing, but an enemy there needs a displacement.
fn conceivable(field: &Field, rabbit: u64, steps: u32, slack: u32) -> bool {
    let movable = if slack == 2 {
        field.outranked(field.foe, field.own)
    } else {
        let near = grown(field.own & field.officers());
        field.foe & grown(near)
    };
    let one = field.empty() | (field.own | field.foe) & TRAPS;
    let two = field.own & !TRAPS;
    let three = movable & !TRAPS;
    let after1 = rabbit_ways(rabbit) & one;
    let after2 = rabbit_ways(after1) & one | rabbit_ways(rabbit) & two;
    let after3 = rabbit_ways(after2) & one | rabbit_ways(after1) & two | rabbit_ways(rabbit) & three;
    let after4 = rabbit_ways(after3) & one | rabbit_ways(after2) & two | rabbit_ways(after1) & three;
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
    let frozen = spread(rabbit) & field.foe & field.officers() != 0 && spread(rabbit) & field.own == 0;
    if frozen {
        let mut disk = grown(grown(grown(rabbit)));
        if slack == 3 {
            disk = grown(disk);
        }
        return disk & field.own != rabbit;
    }
    true
}

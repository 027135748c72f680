//! The squares that an action must touch to help a rabbit reach its goal.
//!
//! Consider a shortest sequence that brings the rabbit to its goal. No action of it can be omitted, so the boards with and
//! without an action differ on a square on which a later action depends. They differ on the squares that the action
//! touches, and on traps next to those, where it caused or prevented a capture.
//! - A rabbit's step depends on the square it leaves, the neighbours of that (frozen or not), the square it enters, and,
//!   if that is a trap, its neighbours. So the last helper must touch a square of the rabbit's path, a neighbour of one, or
//!   a neighbour of a trap among these: [`near`].
//! - An own step that helps in this way starts at most one square outside, and depends on the neighbours of its start and
//!   on its target. So an action that helps this helper touches a square at most two outside, or a neighbour of a trap
//!   among these: [`behind`]. A push or pull starts at most two squares outside, so one more.
//!
//! Slack, the steps that are not needed on a straight path, pays for steps sideways and for helpers. The slack left by an
//! action limits the width of the path and the number of helpers that can follow.

use crate::relative_board::{TRAPS, neighbours, with_neighbours};

/// The squares that an action must touch if it leaves no slack, one step of it, or two.
pub(crate) static AREAS: [[u64; 3]; 64] = {
    let mut areas = [[0; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let straight = near(path(square, 0));
        let bent = near(path(square, 1));
        let wide = near(path(square, 2));
        areas[square as usize] =
            [straight, behind(straight) | bent, behind(behind(straight)) | behind(bent) | wide];
        square += 1;
    }
    areas
};

/// The squares from a square to the goal rank, `width` files wide on either side.
const fn path(square: u32, width: u32) -> u64 {
    let mut files = 0x0101_0101_0101_0101u64 << (square % 8);
    let mut i = 0;
    while i < width {
        files |= crate::relative_board::east(files) | crate::relative_board::west(files);
        i += 1;
    }
    files & u64::MAX << (square / 8 * 8)
}

const fn near(path: u64) -> u64 {
    with_guards(with_neighbours(path))
}

const fn behind(area: u64) -> u64 {
    // The third growth is for pushes and pulls.
    with_guards(with_neighbours(with_neighbours(with_neighbours(area))))
}

/// A set and the guards of its traps.
const fn with_guards(set: u64) -> u64 {
    set | neighbours(set & TRAPS)
}

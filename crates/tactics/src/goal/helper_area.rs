//! Which squares an action must touch to be of any use to a rabbit on its way.
//!
//! Take a line of fewest steps that brings the rabbit to its goal. No action in it can be left out, so the board
//! with and without an action must differ on a square that a later action of the line looks at. They differ on
//! the squares that the action touches, and on traps next to those, where it made a piece die or live.
//! - A rabbit's step looks at the square it leaves, at that one's neighbours (frozen or not), at the square it
//!   enters, and, if that is a trap, at its neighbours. So the last helper must touch a square of the rabbit's
//!   way, a neighbour of one, or a neighbour of a trap among these: [`near`].
//! - An own step that is of use by that reason starts at most one square outside, and looks at the neighbours of
//!   its start and at its target. So what helps this helper touches a square at most two outside, or a neighbour
//!   of a trap among these: [`behind`]. A push or pull starts at most two squares outside, so one more.
//!
//! Slack, the steps that are not needed to go straight, pays for steps sideways and for helpers. How much of it
//! an action leaves says how wide the way can be, and how many helpers can follow.

use crate::relative_board::{TRAPS, neighbours, with_neighbours};

/// What an action must touch when it leaves no slack, one step of it, or two.
pub(crate) static AREAS: [[u64; 3]; 64] = {
    let mut areas = [[0; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let straight = near(way(square, 0));
        let bent = near(way(square, 1));
        let wide = near(way(square, 2));
        areas[square as usize] =
            [straight, behind(straight) | bent, behind(behind(straight)) | behind(bent) | wide];
        square += 1;
    }
    areas
};

/// The squares from here on to the goal rank, so many files wide on either side.
const fn way(square: u32, width: u32) -> u64 {
    let mut files = 0x0101_0101_0101_0101u64 << (square % 8);
    let mut i = 0;
    while i < width {
        files |= crate::relative_board::east(files) | crate::relative_board::west(files);
        i += 1;
    }
    files & u64::MAX << (square / 8 * 8)
}

const fn near(way: u64) -> u64 {
    with_guards(with_neighbours(way))
}

const fn behind(area: u64) -> u64 {
    // The third growth is for pushes and pulls.
    with_guards(with_neighbours(with_neighbours(with_neighbours(area))))
}

/// A set, and all that can guard a trap of it.
const fn with_guards(set: u64) -> u64 {
    set | neighbours(set & TRAPS)
}

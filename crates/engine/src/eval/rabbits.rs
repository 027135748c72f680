//! Rabbits on their way to goal.

use surus_rules::{Direction, Square, Squares};

use super::perspective::View;
use super::term::Tally;
use super::terms::*;

/// How far each rabbit still has to go, who stands in its way, and who helps.
pub(crate) fn runs(view: &View, tally: &mut impl Tally) {
    for square in view.own[0] {
        let left = 7 - usize::from(square.rank());
        let watching = (ahead(square) & view.theirs).len().min(3) as usize;
        let frozen = usize::from(view.frozen.contains(square));
        tally.one(RUN, (left * 4 + watching) * 2 + frozen);
        if 4 < left {
            continue;
        }
        let front = Squares::from(square).shifted(Direction::North);
        let way = match () {
            () if !(front & view.empty).is_empty() => 0,
            () if !(front & view.mine).is_empty() => 1,
            () => 2,
        };
        tally.one(FRONT, left * 3 + way);
        let near = Squares::from(square).neighbours();
        let near = near | near.neighbours();
        let officers = view.mine & !view.own[0] & !view.frozen & near;
        let strong = officers & (view.own[5] | view.own[4] | view.own[3]);
        let help = if officers.is_empty() {
            0
        } else if strong.is_empty() {
            1
        } else {
            2
        };
        tally.one(HELP, left * 3 + help);
    }
}

/// The squares in front of a rabbit, on its file and the two beside it.
#[inline]
fn ahead(square: Square) -> Squares {
    let file = 0x0101_0101_0101_0101_u64 << square.file();
    let (west, east) = (file >> 1 & 0x7f7f_7f7f_7f7f_7f7f, file << 1 & 0xfefe_fefe_fefe_fefe);
    let further = u64::MAX.checked_shl(8 * (u32::from(square.rank()) + 1)).unwrap_or(0);
    Squares((file | west | east) & further)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_ahead_is_three_files_wide_and_ends_at_the_goal() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let set = |names: &str| names.split(' ').map(square).fold(Squares::NONE, |a, b| a | b.into());
        assert_eq!(ahead(square("a6")), set("a7 b7 a8 b8"));
        assert_eq!(ahead(square("d7")), set("c8 d8 e8"));
        assert_eq!(ahead(square("h8")), Squares::NONE);
    }
}

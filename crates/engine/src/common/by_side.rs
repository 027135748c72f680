//! Tables indexed by a side.

use std::ops::{Index, IndexMut};

use surus_rules::Side;

/// One value per side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BySide<T>([T; 2]);

impl<T> BySide<T> {
    #[inline]
    pub(crate) fn from_fn(value: impl FnMut(Side) -> T) -> Self {
        Self(Side::BOTH.map(value))
    }

    #[inline]
    pub(crate) fn map<U>(self, value: impl FnMut(T) -> U) -> BySide<U> {
        BySide(self.0.map(value))
    }

    /// Gold's value, then silver's.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_has_its_own_entry() {
        let mut table = BySide::from_fn(|side| if side == Side::Gold { 1 } else { 2 });
        table[Side::Silver] += 10;
        assert_eq!((table[Side::Gold], table[Side::Silver]), (1, 12));
    }
}

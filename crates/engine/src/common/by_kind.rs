//! Tables indexed by the kind of a piece.

use std::ops::{Index, IndexMut};

use surus_rules::PieceKind;

/// The kinds that are not rabbits, weakest first.
pub(crate) const OFFICERS: [PieceKind; 5] =
    [PieceKind::Cat, PieceKind::Dog, PieceKind::Horse, PieceKind::Camel, PieceKind::Elephant];

/// One value per kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ByKind<T>([T; PieceKind::ALL.len()]);

impl<T> ByKind<T> {
    /// A table of values in the order of [`PieceKind::ALL`], rabbits first.
    pub(crate) const fn new(values: [T; PieceKind::ALL.len()]) -> Self {
        Self(values)
    }

    #[inline]
    pub(crate) fn from_fn(value: impl FnMut(PieceKind) -> T) -> Self {
        Self(PieceKind::ALL.map(value))
    }

    #[inline]
    pub(crate) fn map<U>(self, value: impl FnMut(T) -> U) -> ByKind<U> {
        ByKind(self.0.map(value))
    }

    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (PieceKind, &T)> {
        PieceKind::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<PieceKind> for ByKind<T> {
    type Output = T;

    #[inline]
    fn index(&self, kind: PieceKind) -> &T {
        &self.0[kind as usize - 1]
    }
}

impl<T> IndexMut<PieceKind> for ByKind<T> {
    #[inline]
    fn index_mut(&mut self, kind: PieceKind) -> &mut T {
        &mut self.0[kind as usize - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_own_entry() {
        let mut table = ByKind::from_fn(|kind| kind as u8);
        table[PieceKind::Camel] += 10;
        assert_eq!(table.iter().map(|(_, &value)| value).collect::<Vec<_>>(), [1, 2, 3, 4, 15, 6]);
        assert!(OFFICERS.is_sorted() && !OFFICERS.contains(&PieceKind::Rabbit));
    }
}

//! Groups of features: what their indices mean.

use std::fmt::Write;

use surus_rules::PieceKind;

/// What one coordinate of a feature stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// A kind of piece, rabbit first.
    Kind,
    /// A piece by side and kind, the mover's first.
    Piece,
    /// The mover's side or the other one.
    Side,
    /// A square as the mover sees it, with the files e to h folded onto d to a.
    Square,
    /// A direction as the mover sees it; east stands for east or west after folding.
    Direction,
    /// The traps of the mover's half or those of the other half.
    Trap,
    /// A number between two others.
    Range(i8, i8),
    /// One of these.
    Named(&'static [&'static str]),
}

impl Axis {
    /// The number of values.
    #[must_use]
    pub const fn len(self) -> usize {
        match self {
            Self::Kind => 6,
            Self::Piece => 12,
            Self::Side | Self::Trap => 2,
            Self::Square => 32,
            Self::Direction => 4,
            Self::Range(from, to) => (to - from + 1) as usize,
            Self::Named(names) => names.len(),
        }
    }

    /// Whether there are no values, which no group has.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    fn describe(self, value: usize) -> String {
        let kind = |value: usize| PieceKind::ALL.get(value % 6).map_or(String::new(), PieceKind::to_string);
        let side = |value: usize| if value == 0 { "own" } else { "enemy" };
        match self {
            Self::Kind => kind(value),
            Self::Piece => format!("{} {}", side(value / 6), kind(value)),
            Self::Side => side(value).into(),
            Self::Square => {
                let (file, rank) = (value % 4, value / 4 + 1);
                let name = |file: usize| char::from(b'a' + file as u8);
                format!("{}{rank}/{}{rank}", name(file), name(7 - file))
            }
            Self::Direction => ["forward", "inward", "backward", "outward"][value % 4].into(),
            Self::Trap => ["home trap", "away trap"][value % 2].into(),
            Self::Range(from, _) => (i32::from(from) + value as i32).to_string(),
            Self::Named(names) => names.get(value).copied().unwrap_or_default().into(),
        }
    }
}

/// Features that differ only in their coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its name in lists, on the command line and in model files.
    pub name: &'static str,
    /// The coordinates; the last one varies fastest.
    pub axes: &'static [Axis],
    /// Whether it belongs to the four groups of [Phase §5.1].
    pub published: bool,
    /// When a feature of the group holds.
    pub description: &'static str,
}

impl Group {
    /// The number of features.
    #[must_use]
    pub const fn len(&self) -> usize {
        let (mut len, mut i) = (1, 0);
        while i < self.axes.len() {
            len *= self.axes[i].len();
            i += 1;
        }
        len
    }

    /// Whether the group has no features, which no group of the tables has.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The feature with this index within the group, in words.
    #[must_use]
    pub fn describe(&self, index: usize) -> String {
        let mut coordinates = Vec::new();
        let mut rest = index;
        for axis in self.axes.iter().rev() {
            coordinates.push(axis.describe(rest % axis.len()));
            rest /= axis.len();
        }
        let mut text = self.name.to_string();
        for (index, coordinate) in coordinates.iter().rev().enumerate() {
            let _ = write!(text, "{}{coordinate}", if index == 0 { ": " } else { ", " });
        }
        text
    }
}

/// Where each group of a table starts, and the number of all features.
pub(super) const fn offsets<const N: usize, const M: usize>(groups: &[Group; N]) -> [u16; M] {
    assert!(M == N + 1, "one offset for each group and one for the end");
    let mut all = [0; M];
    let mut i = 0;
    while i < N {
        all[i + 1] = all[i] + groups[i].len() as u16;
        i += 1;
    }
    all
}

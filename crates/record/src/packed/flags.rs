//! Flags of a recorded turn.

use std::ops::BitOr;

/// A set of flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags(u16);

impl Flags {
    /// No flags.
    pub const NONE: Self = Self(0);
    /// No goal threat, no available capture, a best turn without capture, and a score that is not proven.
    pub const QUIET: Self = Self(1);
    /// One of the sides could reach goal with a full turn.
    pub const GOAL_THREAT: Self = Self(1 << 1);
    /// The side to move can capture a piece.
    pub const CAPTURE_AVAILABLE: Self = Self(1 << 2);
    /// A random turn was played instead of the best one.
    pub const RANDOM_TURN: Self = Self(1 << 3);
    /// The game was adjudicated because of a clear lead or a proven win.
    pub const ADJUDICATED: Self = Self(1 << 4);
    /// The position is from an imported game.
    pub const IMPORTED: Self = Self(1 << 5);
    /// The turn is only history for those that follow, because a filter excluded it.
    pub const CONTEXT: Self = Self(1 << 6);

    /// Every flag with its name in reports.
    pub const NAMES: [(&'static str, Self); 7] = [
        ("quiet", Self::QUIET),
        ("goal threat", Self::GOAL_THREAT),
        ("capture open", Self::CAPTURE_AVAILABLE),
        ("random turn", Self::RANDOM_TURN),
        ("adjudicated", Self::ADJUDICATED),
        ("imported", Self::IMPORTED),
        ("context", Self::CONTEXT),
    ];

    const ALL: u16 = (1 << Self::NAMES.len()) - 1;

    /// Whether all flags of `other` are set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These flags if the condition holds, or else none.
    #[must_use]
    pub const fn set_if(self, condition: bool) -> Self {
        if condition { self } else { Self::NONE }
    }

    /// The stored bits.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The known flags of stored bits.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL)
    }
}

impl BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

//! The two sets of features.

use std::fmt;

use super::group::Group;
use super::{action, turn};

/// What a model ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeatureKind {
    /// The distinct turns of a position.
    Turn,
    /// The actions at a point of a turn.
    Action,
}

impl FeatureKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Turn, Self::Action];

    /// The kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.to_string() == name)
    }

    /// Its features.
    #[must_use]
    pub const fn layout(self) -> Layout {
        match self {
            Self::Turn => Layout { groups: &turn::GROUPS, offsets: &turn::OFFSETS },
            Self::Action => Layout { groups: &action::GROUPS, offsets: &action::OFFSETS },
        }
    }
}

impl fmt::Display for FeatureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Turn => "turn",
            Self::Action => "action",
        })
    }
}

/// The groups of features and the number of the first feature of each.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// All groups in the order of their numbers.
    pub groups: &'static [Group],
    offsets: &'static [u16],
}

impl Layout {
    /// The number of features.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.offsets.last().copied().unwrap_or_default().into()
    }

    /// The group of a feature and its index there.
    #[must_use]
    pub fn locate(&self, feature: usize) -> Option<(&'static Group, usize)> {
        let group = self.offsets.iter().rposition(|&offset| usize::from(offset) <= feature)?;
        Some((self.groups.get(group)?, feature - usize::from(self.offsets[group])))
    }

    /// A feature in words.
    #[must_use]
    pub fn describe(&self, feature: usize) -> String {
        self.locate(feature).map_or_else(String::new, |(group, index)| group.describe(index))
    }

    /// For each feature, whether its group is selected.
    pub fn mask(&self, mut selects: impl FnMut(&Group) -> bool) -> Vec<bool> {
        self.groups.iter().flat_map(|group| std::iter::repeat_n(selects(group), group.len())).collect()
    }
}

//! Parts of a run.

/// One of several disjoint parts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Index, counted from 1.
    pub index: u64,
    /// Number of parts.
    pub count: u64,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

impl Shard {
    /// Whether the work item with this number, counted from 0, belongs to this part.
    #[must_use]
    pub const fn contains(&self, number: u64) -> bool {
        number % self.count == self.index - 1
    }
}

/// An invalid part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid part '{0}': expected i/n with i from 1 to n, like 2/5")]
pub struct ShardError(String);

impl std::str::FromStr for Shard {
    type Err = ShardError;

    /// Parses `2/5`.
    fn from_str(text: &str) -> Result<Self, ShardError> {
        text.split_once('/')
            .and_then(|(index, count)| Some(Self { index: index.parse().ok()?, count: count.parse().ok()? }))
            .filter(|shard| (1..=shard.count).contains(&shard.index))
            .ok_or_else(|| ShardError(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_parsed_and_disjoint() {
        assert_eq!("2/5".parse(), Ok(Shard { index: 2, count: 5 }));
        assert!(["0/5", "6/5", "x", "1/0"].iter().all(|text| text.parse::<Shard>().is_err()));
        assert_eq!(
            "6/5".parse::<Shard>().unwrap_err().to_string(),
            "invalid part '6/5': expected i/n with i from 1 to n, like 2/5"
        );
        for number in 0..20 {
            assert_eq!((1..=3).filter(|&index| Shard { index, count: 3 }.contains(number)).count(), 1);
        }
    }
}

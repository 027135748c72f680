//! A part of a run.

/// One of several parts that together are the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From 1 on.
    pub index: u64,
    /// How many parts there are.
    pub count: u64,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

impl Shard {
    /// Whether the piece of work with this number, counted from 0, belongs to this part.
    #[must_use]
    pub const fn contains(&self, number: u64) -> bool {
        number % self.count == self.index - 1
    }
}

/// A text that names no part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid part '{0}': expected i/n with i from 1 to n, like 2/5")]
pub struct ShardError(String);

impl std::str::FromStr for Shard {
    type Err = ShardError;

    /// Reads `2/5`.
    fn from_str(text: &str) -> Result<Self, ShardError> {
        text.split_once('/')
            .and_then(|(part, of)| Some(Self { index: part.parse().ok()?, count: of.parse().ok()? }))
            .filter(|shard| (1..=shard.count).contains(&shard.index))
            .ok_or_else(|| ShardError(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_and_are_the_whole() {
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

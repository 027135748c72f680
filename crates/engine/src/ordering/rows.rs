//! The features of many turns, one after the other.

/// For each candidate, the numbers of the features that hold, each once.
#[derive(Clone, Debug, Default)]
pub struct FeatureRows {
    ids: Vec<u16>,
    ends: Vec<u32>,
    /// For each feature, the last row that had it, to add it only once.
    last_row: Vec<u32>,
    row: u32,
}

impl FeatureRows {
    /// Removes all rows.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of a row.
    #[must_use]
    pub fn get(&self, row: usize) -> &[u16] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] as usize };
        &self.ids[start..self.ends[row] as usize]
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|row| self.get(row))
    }

    /// Adds a row of given features, each once.
    pub fn push_row(&mut self, features: &[u16]) {
        self.ids.extend(features);
        self.ends.push(self.ids.len() as u32);
    }

    /// Adds the rows of another collection.
    pub fn append(&mut self, other: &Self) {
        let offset = self.ids.len() as u32;
        self.ids.extend(&other.ids);
        self.ends.extend(other.ends.iter().map(|end| end + offset));
    }

    /// Starts a row of features out of `dimension`.
    pub(super) fn start(&mut self, dimension: usize) {
        if self.last_row.len() < dimension || self.row == u32::MAX {
            self.last_row.clear();
            self.last_row.resize(dimension, 0);
            self.row = 0;
        }
        self.row += 1;
    }

    /// Adds a feature to the row that was started.
    #[inline]
    pub(super) fn add(&mut self, feature: usize) {
        let last = &mut self.last_row[feature];
        if *last != self.row {
            *last = self.row;
            self.ids.push(feature as u16);
        }
    }

    /// Ends the row that was started.
    pub(super) fn end(&mut self) {
        self.ends.push(self.ids.len() as u32);
    }
}

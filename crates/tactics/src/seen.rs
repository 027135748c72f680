//! Boards that a search has met, by their keys.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Something for each of them.
pub(crate) type ByKey<T> = HashMap<u64, T, BuildHasherDefault<Plain>>;

/// The fewest steps taken with which each was met.
#[derive(Clone, Default, Debug)]
pub(crate) struct Seen(ByKey<u8>);

impl Seen {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether this one is new, or was met only with more steps taken.
    pub(crate) fn meet(&mut self, key: u64, taken: u8) -> bool {
        let least = self.0.entry(key).or_insert(u8::MAX);
        let better = taken < *least;
        *least = taken.min(*least);
        better
    }

    /// The fewest steps taken so far.
    pub(crate) fn least(&self, key: u64) -> Option<u8> {
        self.0.get(&key).copied()
    }
}

/// Keys are random enough as they are.
#[derive(Clone, Default, Debug)]
pub(crate) struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

//! A hash map keyed by Zobrist keys.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with keys such as [`Board::key`](crate::Board::key), which are not hashed again.
pub type KeyMap<T> = HashMap<u64, T, BuildHasherDefault<IdentityHasher>>;

/// Uses the key itself as its hash: Zobrist keys are random already.
#[derive(Clone, Default, Debug)]
pub struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
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

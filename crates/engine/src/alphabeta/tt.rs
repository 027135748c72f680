//! The transposition table, shared by all threads of a search: buckets of four entries, replaced by depth and age.
//!
//! It is lock-free. An entry is two words; the first contains half of the key mixed with the second, so that an entry
//! written by two threads at once matches no key.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::params::TT_AGE_WEIGHT;
use super::prefetch::prefetch;
use crate::common::resources;
use crate::common::score::Score;

/// The meaning of a stored score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
    /// The score is exactly this.
    Exact,
}

impl Bound {
    /// The meaning of a score that was found with a window.
    #[inline]
    pub(crate) const fn new(score: Score, alpha: Score, beta: Score) -> Self {
        if score >= beta {
            Self::Lower
        } else if score <= alpha {
            Self::Upper
        } else {
            Self::Exact
        }
    }
}

/// A stored result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    /// The packed best turn; 0 for none.
    pub(crate) best_turn: u32,
    pub(crate) score: Score,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

impl TtEntry {
    /// Whether it allows_cutoff a search with this window.
    #[inline]
    pub(crate) fn allows_cutoff(&self, depth: i32, score: Score, alpha: Score, beta: Score) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
                Bound::Exact => true,
            }
    }
}

/// The contents of an entry; all zeros for an empty one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct PackedEntry {
    /// The half of the key that does not choose the bucket.
    check: u32,
    best_turn: u32,
    score: Score,
    depth: i8,
    /// 0 for an empty entry.
    bound: u8,
    age: u8,
}

impl PackedEntry {
    #[inline]
    const fn to_words(self) -> [u64; 2] {
        let rest = self.score as u32 as u64
            | (self.depth as u8 as u64) << 32
            | (self.bound as u64) << 40
            | (self.age as u64) << 48;
        [((self.check as u64) << 32 | self.best_turn as u64) ^ mixed(rest), rest]
    }

    #[inline]
    const fn from_words([first, rest]: [u64; 2]) -> Self {
        let first = first ^ mixed(rest);
        Self {
            check: (first >> 32) as u32,
            best_turn: first as u32,
            score: rest as u32 as i32,
            depth: (rest >> 32) as i8,
            bound: (rest >> 40) as u8,
            age: (rest >> 48) as u8,
        }
    }

    const fn has(&self, check: u32) -> bool {
        self.check == check && self.bound != 0
    }
}

/// Spreads every bit of a word over the upper half, where the check is; zero stays zero.
#[inline]
const fn mixed(word: u64) -> u64 {
    let word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ word.rotate_left(32)
}

/// Entries per bucket.
const BUCKET_SIZE: usize = 4;

/// One cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; BUCKET_SIZE]);

const _: () = assert!(size_of::<Bucket>() == 64);

impl Bucket {
    #[inline]
    fn read(&self, slot: usize) -> PackedEntry {
        let [first, rest] = &self.0[slot];
        PackedEntry::from_words([first.load(Relaxed), rest.load(Relaxed)])
    }

    #[inline]
    fn write(&self, slot: usize, entry: PackedEntry) {
        let [first, rest] = entry.to_words();
        self.0[slot][0].store(first, Relaxed);
        self.0[slot][1].store(rest, Relaxed);
    }

    fn entries(&self) -> impl Iterator<Item = PackedEntry> {
        (0..BUCKET_SIZE).map(|slot| self.read(slot))
    }
}

/// A table of fixed size; each search ages the entries of earlier ones.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: u8,
}

impl TranspositionTable {
    /// Allocates a table of at most `megabytes`, less if the system refuses them.
    pub(crate) fn new(megabytes: u64) -> Self {
        let count = ((megabytes << 20) as usize / size_of::<Bucket>()).clamp(1, u32::MAX as usize);
        Self { buckets: resources::table(count, Bucket::default), age: 0 }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.age = 0;
    }

    /// Starts a new search, which ages all entries.
    pub(crate) fn new_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline]
    fn bucket(&self, key: u64) -> (&Bucket, u32) {
        // The lower half scaled to the number of buckets, which may be any.
        let index = (u64::from(key as u32) * self.buckets.len() as u64) >> 32;
        (&self.buckets[index as usize], (key >> 32) as u32)
    }

    /// Prefetches the bucket of a key.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key).0);
    }

    /// The entry of a key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TtEntry> {
        let (bucket, check) = self.bucket(key);
        let found = bucket.entries().find(|entry| entry.has(check))?;
        let bound = match found.bound {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        Some(TtEntry { best_turn: found.best_turn, score: found.score, depth: i32::from(found.depth), bound })
    }

    /// Stores an entry, replacing that of the same key or else the least valuable one.
    #[inline]
    pub(crate) fn store(&self, key: u64, new: TtEntry) {
        let (bucket, check) = self.bucket(key);
        let age = self.age;
        let value = |entry: &PackedEntry| {
            if entry.bound == 0 {
                return i32::MIN;
            }
            i32::from(entry.depth) - TT_AGE_WEIGHT * i32::from(age.wrapping_sub(entry.age))
        };
        let (mut victim, mut existing) = (0, bucket.read(0));
        for (slot, entry) in bucket.entries().enumerate() {
            if entry.has(check) {
                (victim, existing) = (slot, entry);
                break;
            }
            if value(&entry) < value(&existing) {
                (victim, existing) = (slot, entry);
            }
        }
        // A search that failed low has no best turn, but an earlier one may have.
        let keeps_turn = new.best_turn == 0 && existing.has(check);
        let best_turn = if keeps_turn { existing.best_turn } else { new.best_turn };
        let bound = match new.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        let depth = new.depth.clamp(0, 127) as i8;
        bucket.write(victim, PackedEntry { check, best_turn, score: new.score, depth, bound, age });
    }

    /// The part of the table filled by this search in permill, estimated from a sample.
    pub(crate) fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let current = |entry: &PackedEntry| entry.bound != 0 && entry.age == self.age;
        let used = sample.iter().flat_map(Bucket::entries).filter(current).count();
        (used * 1000 / (sample.len() * BUCKET_SIZE)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn known(best_turn: u32, depth: i32) -> TtEntry {
        TtEntry { best_turn, score: 5, depth, bound: Bound::Exact }
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_and_old_searches_go_first() {
        let mut table = TranspositionTable::new(0);
        let key = |n: u64| n << 32;
        for n in 1..=4 {
            table.store(key(n), known(n as u32, n as i32 + 10));
        }
        table.store(key(5), known(5, 1));
        assert_eq!((table.probe(key(1)), table.probe(key(5)).unwrap().best_turn), (None, 5));
        table.new_search();
        table.store(key(5), known(0, 2));
        assert_eq!(table.probe(key(5)).unwrap(), known(5, 2));
        table.new_search();
        table.store(key(6), known(6, 3));
        table.store(key(7), known(7, 3));
        assert_eq!((table.probe(key(6)).is_some(), table.probe(key(7)).is_some()), (true, true));
        table.clear();
        assert_eq!(table.probe(key(7)), None);
    }

    #[test]
    fn all_of_its_memory_is_used() {
        let table = TranspositionTable::new(3);
        assert_eq!(table.buckets.len() * size_of::<Bucket>(), 3 << 20);
        for n in 0..1_u64 << 18 {
            table.store(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), known(1, 1));
        }
        let full = |bucket: &Bucket| bucket.entries().all(|entry| entry.bound != 0);
        assert!(table.buckets.iter().filter(|bucket| full(bucket)).count() * 10 > table.buckets.len() * 6);
    }

    #[test]
    fn what_is_written_half_by_two_threads_is_nothing() {
        let content =
            |check, score| PackedEntry { check, best_turn: 77, score, depth: -1, bound: 3, age: 250 };
        assert_eq!(PackedEntry::from_words([0, 0]), PackedEntry::default());
        let (one, other) = (content(0x1234_5678, -1_000_000), content(0x8765_4321, 1_000_000));
        assert_eq!(PackedEntry::from_words(one.to_words()), one);
        let torn = PackedEntry::from_words([one.to_words()[0], other.to_words()[1]]);
        assert!(!torn.has(one.check) && !torn.has(other.check));
        // Even of the same position: one thread's score with the other's best_turn.
        let torn = PackedEntry::from_words([one.to_words()[0], content(one.check, 5).to_words()[1]]);
        assert!(!torn.has(one.check));
    }

    #[test]
    fn threads_read_only_what_one_of_them_wrote() {
        let table = TranspositionTable::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4_u32 {
                let table = &table;
                scope.spawn(move || {
                    for n in 0..20_000_u64 {
                        let key = (n % 8 + 1) << 32;
                        table
                            .store(key, TtEntry { score: thread as i32, ..known(thread + 1, thread as i32) });
                        if let Some(found) = table.probe(key) {
                            assert_eq!((found.best_turn as i32, found.depth), (found.score + 1, found.score));
                        }
                    }
                });
            }
        });
        assert!((1..=8).any(|n| table.probe(n << 32).is_some()));
    }
}

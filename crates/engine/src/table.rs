//! The table of positions met before: buckets of four, replaced by depth and age.

use crate::score::Score;

/// What a stored score says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// At least this.
    Lower,
    /// At most this.
    Upper,
    /// This.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// The code of the best choice; 0 for none.
    pub(crate) choice: u32,
    pub(crate) score: Score,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

impl Known {
    /// Whether it settles a search with this window.
    #[inline]
    pub(crate) fn settles(&self, depth: i32, score: Score, alpha: Score, beta: Score) -> bool {
        depth <= self.depth
            && match self.bound {
                Bound::Lower => beta <= score,
                Bound::Upper => score <= alpha,
                Bound::Exact => true,
            }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The half of the key that does not choose the bucket.
    check: u32,
    choice: u32,
    score: Score,
    depth: i8,
    /// 0 is an empty slot.
    bound: u8,
    age: u8,
}

const _: () = assert!(size_of::<Slot>() == 16);

const WAYS: usize = 4;

/// Sized once; a search ages what the searches before it have left.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    buckets: Vec<[Slot; WAYS]>,
    age: u8,
}

impl Table {
    /// As many buckets as fit into so many megabytes, a power of two.
    pub(crate) fn new(megabytes: u64) -> Self {
        let wanted = (megabytes << 20) as usize / size_of::<[Slot; WAYS]>();
        let count = if wanted < 2 { 1 } else { 1 << wanted.ilog2() };
        Self { buckets: vec![[Slot::default(); WAYS]; count], age: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill([Slot::default(); WAYS]);
        self.age = 0;
    }

    /// What is stored from now on belongs to a new search.
    pub(crate) fn next_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline]
    fn place(&self, key: u64) -> (usize, u32) {
        (key as usize & (self.buckets.len() - 1), (key >> 32) as u32)
    }

    /// What is known under this key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let (bucket, check) = self.place(key);
        let slot = self.buckets[bucket].iter().find(|slot| slot.check == check && slot.bound != 0)?;
        let bound = match slot.bound {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        Some(Known { choice: slot.choice, score: slot.score, depth: i32::from(slot.depth), bound })
    }

    /// Stores it in the place of the same key, else of what is least worth keeping.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, known: Known) {
        let (bucket, check) = self.place(key);
        let age = self.age;
        let bucket = &mut self.buckets[bucket];
        let worth = |slot: &Slot| {
            if slot.bound == 0 {
                return i32::MIN;
            }
            i32::from(slot.depth) - 8 * i32::from(age.wrapping_sub(slot.age))
        };
        let mut victim = 0;
        for (i, slot) in bucket.iter().enumerate() {
            if slot.check == check && slot.bound != 0 {
                victim = i;
                break;
            }
            if worth(slot) < worth(&bucket[victim]) {
                victim = i;
            }
        }
        let old = &mut bucket[victim];
        // A search that failed low knows no choice, but the one before may have.
        let same = old.check == check && old.bound != 0;
        let choice = if known.choice == 0 && same { old.choice } else { known.choice };
        let bound = match known.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        let depth = known.depth.clamp(-1, 127) as i8;
        *old = Slot { check, choice, score: known.score, depth, bound, age };
    }

    /// How much of it this search has filled, in thousandths, by a sample.
    pub(crate) fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample.iter().flatten().filter(|slot| slot.bound != 0 && slot.age == self.age).count();
        (used * 1000 / (sample.len() * WAYS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn known(choice: u32, depth: i32) -> Known {
        Known { choice, score: 5, depth, bound: Bound::Exact }
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_and_old_searches_go_first() {
        let mut table = Table::new(0);
        let key = |n: u64| n << 32;
        for n in 1..=4 {
            table.put(key(n), known(n as u32, n as i32 + 10));
        }
        table.put(key(5), known(5, 1));
        assert_eq!((table.get(key(1)), table.get(key(5)).unwrap().choice), (None, 5));
        table.next_search();
        table.put(key(5), known(0, 2));
        assert_eq!(table.get(key(5)).unwrap(), known(5, 2));
        table.next_search();
        table.put(key(6), known(6, 3));
        table.put(key(7), known(7, 3));
        assert_eq!((table.get(key(6)).is_some(), table.get(key(7)).is_some()), (true, true));
        table.clear();
        assert_eq!(table.get(key(7)), None);
    }
}

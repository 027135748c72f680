//! Locations of games, sorted in constant memory.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

/// Where a game is. The order of the fields is that of the merged file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct GameLocation {
    pub(super) origin: u16,
    pub(super) id: u64,
    pub(super) file: u32,
    pub(super) offset: u64,
    /// A hash of the samples.
    pub(super) content: u64,
}

/// Bytes of a location on disk.
const SIZE: usize = 30;
/// Locations in memory, in a sorted run on disk, and read ahead of each run.
const RUN: usize = 1 << 17;
const READ_AHEAD: usize = 256;

/// Collects locations; sorted runs of them go to a temporary file without a name.
#[derive(Default)]
pub(super) struct LocationSorter {
    buffer: Vec<GameLocation>,
    file: Option<BufWriter<File>>,
    runs: Vec<Run>,
}

/// A sorted run in the file.
struct Run {
    next: u64,
    left: u64,
    ahead: VecDeque<GameLocation>,
}

impl LocationSorter {
    /// Adds a location; `create` opens the temporary file when it is needed.
    pub(super) fn push(
        &mut self,
        location: GameLocation,
        create: impl FnOnce() -> io::Result<File>,
    ) -> io::Result<()> {
        self.buffer.push(location);
        if self.buffer.len() < RUN {
            return Ok(());
        }
        let file = match self.file.take() {
            Some(file) => file,
            None => BufWriter::new(create()?),
        };
        let file = self.file.insert(file);
        self.buffer.sort_unstable();
        for location in &self.buffer {
            file.write_all(&location.to_bytes())?;
        }
        let next = (self.runs.len() * RUN * SIZE) as u64;
        self.runs.push(Run { next, left: RUN as u64, ahead: VecDeque::new() });
        self.buffer.clear();
        Ok(())
    }

    /// Passes all locations in order to `on_location`.
    pub(super) fn finish<E: From<io::Error>>(
        mut self,
        mut on_location: impl FnMut(GameLocation) -> Result<(), E>,
    ) -> Result<(), E> {
        self.buffer.sort_unstable();
        let Some(file) = self.file else {
            return self.buffer.into_iter().try_for_each(on_location);
        };
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        // The last run is in memory.
        self.runs.push(Run { next: 0, left: 0, ahead: self.buffer.into() });
        let mut heads = BinaryHeap::new();
        for (index, run) in self.runs.iter_mut().enumerate() {
            heads.extend(run.pop(&mut file)?.map(|location| Reverse((location, index))));
        }
        while let Some(Reverse((location, index))) = heads.pop() {
            on_location(location)?;
            heads.extend(self.runs[index].pop(&mut file)?.map(|location| Reverse((location, index))));
        }
        Ok(())
    }
}

impl Run {
    fn pop(&mut self, file: &mut File) -> io::Result<Option<GameLocation>> {
        if self.ahead.is_empty() && self.left > 0 {
            let count = self.left.min(READ_AHEAD as u64);
            let mut bytes = vec![0; count as usize * SIZE];
            file.seek(SeekFrom::Start(self.next))?;
            file.read_exact(&mut bytes)?;
            self.ahead.extend(bytes.as_chunks::<SIZE>().0.iter().map(GameLocation::from_bytes));
            self.next += bytes.len() as u64;
            self.left -= count;
        }
        Ok(self.ahead.pop_front())
    }
}

impl GameLocation {
    fn to_bytes(self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..2].copy_from_slice(&self.origin.to_le_bytes());
        bytes[2..10].copy_from_slice(&self.id.to_le_bytes());
        bytes[10..14].copy_from_slice(&self.file.to_le_bytes());
        bytes[14..22].copy_from_slice(&self.offset.to_le_bytes());
        bytes[22..].copy_from_slice(&self.content.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; SIZE]) -> Self {
        let number = |from: usize, to: usize| {
            bytes[from..to].iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        };
        Self {
            origin: number(0, 2) as u16,
            id: number(2, 10),
            file: number(10, 14) as u32,
            offset: number(14, 22),
            content: number(22, SIZE),
        }
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::SplitMix;

    use super::*;

    #[test]
    fn several_runs_are_sorted_like_one() {
        let mut rng = SplitMix::new(3);
        let mut random = |_| GameLocation {
            origin: (rng.next_u64() % 2) as u16,
            id: rng.next_u64() % 100_000,
            file: rng.next_u64() as u32,
            offset: rng.next_u64(),
            content: rng.next_u64(),
        };
        for count in [0, 1, RUN, 2 * RUN + 1000] {
            let mut expected: Vec<GameLocation> = (0..count).map(&mut random).collect();
            let mut sorter = LocationSorter::default();
            for location in &expected {
                sorter.push(*location, tempfile::tempfile).unwrap();
            }
            assert_eq!(sorter.runs.len(), count / RUN);
            let mut sorted = Vec::new();
            let add = |location| {
                sorted.push(location);
                Ok::<_, io::Error>(())
            };
            sorter.finish(add).unwrap();
            expected.sort_unstable();
            assert!(sorted == expected, "{count}");
        }
    }
}

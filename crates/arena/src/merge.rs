//! Merges the parts of a run, with every game once.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as MapEntry;
use std::path::{Path, PathBuf};

use crate::game_row::GameEntry;
use crate::manifest::{Difference, Manifest, join_differences};
use crate::run_dir::{RunDir, RunDirError, read_games};

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergeSummary {
    /// Games in the merged run.
    pub games: usize,
    /// Games in more than one part; the first one is kept.
    pub duplicates: usize,
    /// Numbers of the games that no part has.
    pub missing: Vec<u64>,
}

/// Parts that cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A directory can't be read or written.
    #[error(transparent)]
    Folder(#[from] RunDirError),
    /// A part of another run.
    #[error("{} is not part of the same run as {}: {}", other.display(), first.display(), join_differences(differences))]
    DifferentRun {
        /// The first part.
        first: PathBuf,
        /// The part of another run.
        other: PathBuf,
        /// Settings that differ.
        differences: Vec<Difference>,
    },
    /// No parts were given.
    #[error("no run to merge")]
    NoInput,
}

/// Merges the runs in `parts` into a new run in `out`, which can be resumed to play missing games.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<MergeSummary, MergeError> {
    let first = parts.first().ok_or(MergeError::NoInput)?;
    let complete = |manifest: &Manifest| Manifest { shard: "1/1".into(), ..manifest.clone() };
    let mut manifest = complete(&read_games(first)?.0);
    let mut merged: BTreeMap<u64, (GameEntry, String)> = BTreeMap::new();
    let mut duplicates = 0;
    for part in parts {
        let (part_manifest, games) = read_games(part)?;
        let differences = manifest.differences(&complete(&part_manifest));
        if !differences.is_empty() {
            return Err(MergeError::DifferentRun { first: first.clone(), other: part.clone(), differences });
        }
        manifest.games = manifest.games.max(part_manifest.games);
        for (entry, columns) in games {
            match merged.entry(entry.id) {
                MapEntry::Occupied(_) => duplicates += 1,
                MapEntry::Vacant(slot) => drop(slot.insert((entry, columns))),
            }
        }
    }
    let mut run_dir = RunDir::open(out, &manifest, false)?;
    for (entry, columns) in merged.values() {
        run_dir.add(entry.clone(), columns)?;
    }
    run_dir.finish()?;
    let missing =
        manifest.schedule().games().map(|scheduled| scheduled.id).filter(|id| !merged.contains_key(id));
    Ok(MergeSummary { games: merged.len(), duplicates, missing: missing.collect() })
}

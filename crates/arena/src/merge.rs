//! Joins the parts of a run: every game exactly once, whatever was run twice or not at all.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::path::{Path, PathBuf};

use crate::game_row::GameEntry;
use crate::manifest::{Difference, Manifest, listed};
use crate::run_dir::{RunDir, RunDirError, read_games};

/// What was joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergeSummary {
    /// Games in the whole.
    pub games: usize,
    /// Games that stood in more than one part; the first one counts.
    pub duplicates: usize,
    /// Numbers of games that no part has.
    pub missing: Vec<u64>,
}

/// Parts that don't belong together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A folder can't be read or written.
    #[error(transparent)]
    Folder(#[from] RunDirError),
    /// A part of another run.
    #[error("{} is not part of the same run as {}: {}", other.display(), first.display(), listed(differences))]
    DifferentRun {
        /// The first part.
        first: PathBuf,
        /// The one that does not fit.
        other: PathBuf,
        /// What differs.
        differences: Vec<Difference>,
    },
    /// Nothing to join.
    #[error("there is nothing to join")]
    NoInput,
}

/// Joins the runs in `parts` into a new run in `out`, which can be resumed to play what is missing.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<MergeSummary, MergeError> {
    let first = parts.first().ok_or(MergeError::NoInput)?;
    let whole = |manifest: &Manifest| Manifest { shard: "1/1".into(), ..manifest.clone() };
    let mut manifest = whole(&read_games(first)?.0);
    let mut found: BTreeMap<u64, (GameEntry, String)> = BTreeMap::new();
    let mut duplicates = 0;
    for part in parts {
        let (theirs, games) = read_games(part)?;
        let differences = manifest.differences(&whole(&theirs));
        if !differences.is_empty() {
            return Err(MergeError::DifferentRun { first: first.clone(), other: part.clone(), differences });
        }
        manifest.games = manifest.games.max(theirs.games);
        for (entry, columns) in games {
            match found.entry(entry.id) {
                Slot::Occupied(_) => duplicates += 1,
                Slot::Vacant(slot) => drop(slot.insert((entry, columns))),
            }
        }
    }
    let mut folder = RunDir::open(out, &manifest, false)?;
    for (entry, columns) in found.values() {
        folder.add(entry.clone(), columns)?;
    }
    folder.finish()?;
    let missing = manifest
        .schedule()
        .games_per_pairing()
        .map(|fixture| fixture.id)
        .filter(|id| !found.contains_key(id));
    Ok(MergeSummary { games: found.len(), duplicates, missing: missing.collect() })
}

//! Joins the parts of a run: every game exactly once, whatever was run twice or not at all.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::{Folder, FolderError, Manifest, read_run};
use crate::row::Entry;
use crate::schedule::{Format, Schedule};

/// What was joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
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
    Folder(#[from] FolderError),
    /// A part of another run.
    #[error("{} is no part of the same run as {}: {}", other.display(), first.display(), differences.join("; "))]
    Foreign {
        /// The first part.
        first: PathBuf,
        /// The one that does not fit.
        other: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// Nothing to join.
    #[error("there is nothing to join")]
    Nothing,
}

/// Joins the runs in `parts` into a new run in `out`, which can be resumed to play what is missing.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Merged, MergeError> {
    let first = parts.first().ok_or(MergeError::Nothing)?;
    let whole = |manifest: &Manifest| Manifest { shard: "1/1".into(), ..manifest.clone() };
    let mut manifest = whole(&read_run(first)?.0);
    let mut found: BTreeMap<u64, (Entry, String)> = BTreeMap::new();
    let mut duplicates = 0;
    for part in parts {
        let (theirs, entries) = read_run(part)?;
        let differences = manifest.differences(&whole(&theirs));
        if !differences.is_empty() {
            return Err(MergeError::Foreign { first: first.clone(), other: part.clone(), differences });
        }
        manifest.games = manifest.games.max(theirs.games);
        let lines = lines_by_id(part)?;
        for entry in entries {
            let Some(line) = lines.get(&entry.id) else { continue };
            match found.entry(entry.id) {
                Slot::Occupied(_) => duplicates += 1,
                Slot::Vacant(slot) => drop(slot.insert((entry, line.clone()))),
            }
        }
    }
    let mut folder = Folder::open(out, &manifest, false)?;
    for (entry, line) in found.values() {
        let failed = |error| FolderError::File { path: out.into(), error };
        folder.add(entry, line).map_err(failed)?;
    }
    let missing =
        schedule(&manifest).fixtures().map(|fixture| fixture.id).filter(|id| !found.contains_key(id));
    Ok(Merged { games: found.len(), duplicates, missing: missing.collect() })
}

/// The first whole line of every game.
fn lines_by_id(part: &Path) -> Result<BTreeMap<u64, String>, FolderError> {
    let path = part.join("games.txt");
    let text = fs::read_to_string(&path).map_err(|error| FolderError::File { path, error })?;
    let mut lines = BTreeMap::new();
    for line in text.split_inclusive('\n').skip(1).filter(|line| line.ends_with('\n')) {
        if let Some(id) = line.split('\t').next().and_then(|id| id.parse().ok()) {
            lines.entry(id).or_insert_with(|| line.to_string());
        }
    }
    Ok(lines)
}

/// The schedule that a manifest tells of.
#[must_use]
pub fn schedule(manifest: &Manifest) -> Schedule {
    let format = if manifest.format == "gauntlet" { Format::Gauntlet } else { Format::RoundRobin };
    Schedule { engines: manifest.engine.len(), format, games: manifest.games }
}

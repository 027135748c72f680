//! A run on disk: what was agreed, and every game that was finished.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use surus_record::{Archive, Row};

use crate::row::{COLUMNS, Entry};

/// What a run was told, as it stands in `run.toml`. A run can be taken up again only under the same agreement; more
/// games and another comment may be asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The program and its version.
    pub program: String,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// What it was run for.
    pub comment: String,
    /// How many games each two engines play.
    pub games: u64,
    /// round robin, gauntlet, match or sprt.
    pub format: String,
    /// Where games begin.
    pub openings: String,
    /// When games are cut.
    pub adjudication: String,
    /// Which part of the whole, as i/n.
    pub shard: String,
    /// The engines in order.
    pub engine: Vec<ManifestEngine>,
}

/// One engine of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ManifestEngine {
    /// What it is called in the results.
    pub name: String,
    /// How it was asked for.
    pub source: String,
    /// What it said of itself.
    pub version: String,
    /// What it was held to.
    pub pace: String,
    /// All options with their values.
    pub options: BTreeMap<String, String>,
}

impl Manifest {
    /// The lines in which another run differs from this one, as far as that matters.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let part = |m: &Self| Self { games: 0, comment: String::new(), started: 0, ..m.clone() };
        let text = |m: &Self| toml::to_string(&part(m)).unwrap_or_default();
        let (mine, theirs) = (text(self), text(other));
        let old: Vec<&str> = mine.lines().collect();
        theirs.lines().filter(|line| !old.contains(line)).map(Into::into).collect()
    }
}

/// Why a folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// There is a run already and nobody asked to go on with it.
    #[error("{} holds a run already: go on with it by --resume, or choose another folder", .0.display())]
    Exists(PathBuf),
    /// The run there was another one.
    #[error("{} holds another run; it can't be resumed with: {}", path.display(), differences.join("; "))]
    Other {
        /// Which folder.
        path: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// Another process writes there.
    #[error("{} is in use by another run", .0.display())]
    InUse(PathBuf),
    /// A file there is damaged.
    #[error("{}: {problem}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong in it.
        problem: String,
    },
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, FolderError> {
    result.map_err(|error| FolderError::File { path: path.into(), error })
}

/// An open run.
#[derive(Debug)]
pub struct Folder {
    games: File,
    pgn: File,
    /// What was finished before.
    pub entries: Vec<Entry>,
}

impl Folder {
    /// Begins a run in a folder, or goes on with the one that is there.
    pub fn open(path: &Path, manifest: &Manifest, resume: bool) -> Result<Self, FolderError> {
        at(path, fs::create_dir_all(path))?;
        let (run, list) = (path.join("run.toml"), path.join("games.txt"));
        let known = match fs::read_to_string(&run) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(FolderError::File { path: run, error }),
        };
        if known.is_some() && !resume {
            return Err(FolderError::Exists(path.into()));
        }
        let games = at(&list, OpenOptions::new().create(true).append(true).read(true).open(&list))?;
        match games.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FolderError::InUse(path.into())),
            Err(TryLockError::Error(error)) => return Err(FolderError::File { path: list, error }),
        }
        let started = match known {
            None => manifest.started,
            Some(text) => {
                let damaged = |error: toml::de::Error| FolderError::Damaged {
                    path: run.clone(),
                    problem: error.to_string(),
                };
                let old: Manifest = toml::from_str(&text).map_err(damaged)?;
                let differences = old.differences(manifest);
                if !differences.is_empty() {
                    return Err(FolderError::Other { path: path.into(), differences });
                }
                old.started
            }
        };
        let text = toml::to_string(&Manifest { started, ..manifest.clone() }).unwrap_or_default();
        write_whole(&run, &text)?;
        let entries = repair(&list, &games)?;
        let file = path.join("games.pgn");
        write_whole(&file, &entries.iter().map(Entry::pgn).collect::<String>())?;
        let pgn = at(&file, OpenOptions::new().append(true).open(&file))?;
        Ok(Self { games, pgn, entries })
    }

    /// Writes a finished game; it is there when this returns.
    pub fn add(&mut self, entry: &Entry, line: &str) -> io::Result<()> {
        // One write each: after a kill there is a whole line or a part of it at the end, never a mixture.
        self.games.write_all(line.as_bytes())?;
        self.pgn.write_all(entry.pgn().as_bytes())
    }
}

/// Through a second file, so that there is always a whole one.
fn write_whole(path: &Path, text: &str) -> Result<(), FolderError> {
    let new = path.with_extension("new");
    at(&new, fs::write(&new, text))?;
    at(path, fs::rename(&new, path))
}

/// Cuts off what a killed run left unfinished, and reads the rest.
fn repair(path: &Path, games: &File) -> Result<Vec<Entry>, FolderError> {
    let bytes = at(path, fs::read(path))?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole != bytes.len() {
        at(path, games.set_len(whole as u64))?;
    }
    if whole == 0 {
        let mut out: &File = games;
        at(path, out.write_all(format!("{}\n", COLUMNS.join("\t")).as_bytes()))?;
        return Ok(Vec::new());
    }
    entries(path, &String::from_utf8_lossy(&bytes[..whole]))
}

fn entries(path: &Path, text: &str) -> Result<Vec<Entry>, FolderError> {
    let damaged = |problem: String| FolderError::Damaged { path: path.into(), problem };
    let archive = Archive::parse(text).map_err(|error| damaged(error.to_string()))?;
    let mut seen = std::collections::HashSet::new();
    let mut found = Vec::new();
    for row in &archive.rows {
        let entry = entry(row).ok_or_else(|| damaged(format!("line {}: not a game of a run", row.line)))?;
        if seen.insert(entry.id) {
            found.push(entry);
        }
    }
    Ok(found)
}

fn entry(row: &Row) -> Option<Entry> {
    Some(Entry {
        id: row.id().parse().ok()?,
        names: [row.get("gusername").into(), row.get("susername").into()],
        winner: row.winner(),
        reason: row.reason()?,
        turns: row.get("plycount").parse().ok()?,
    })
}

/// A run that is only read: what was agreed, and the games it has.
pub fn read_run(path: &Path) -> Result<(Manifest, Vec<Entry>), FolderError> {
    let (run, list) = (path.join("run.toml"), path.join("games.txt"));
    let text = at(&run, fs::read_to_string(&run))?;
    let damaged =
        |error: toml::de::Error| FolderError::Damaged { path: run.clone(), problem: error.to_string() };
    let manifest = toml::from_str(&text).map_err(damaged)?;
    let text = at(&list, fs::read_to_string(&list))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    Ok((manifest, if whole.is_empty() { Vec::new() } else { entries(&list, whole)? }))
}

//! The directory of a run: `run.toml` has the manifest, `games.txt` every finished game, `games.pgn` the results as PGN.
//!
//! `games.txt` is a [journal](surus_record::journal), which documents its durability: a game is finished when its row is
//! appended. `games.pgn` is derived from it and replaced when a run ends, so after a crash it is missing or outdated until
//! the run is resumed. A failure to write it never loses or repeats a game.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use surus_record::journal::{
    Journal, JournalError, LineJournal, for_each_line, for_each_line_after, replace_file,
};
use surus_record::{ArchiveFileError, ArchiveHeader};

use crate::game_row::{COLUMNS, GameEntry};
use crate::manifest::{Difference, Manifest, join_differences};

/// Columns that follow those of the official archive: the full ids of both engines.
const ENGINE_COLUMNS: [&str; 2] = ["gengine", "sengine"];

/// A run directory that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunDirError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The games can't be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The directory contains a run, and resuming was not requested.
    #[error("{} already contains a run: use --resume to continue it, or choose another directory", .0.display())]
    Exists(PathBuf),
    /// There are games without a manifest.
    #[error("{} has games but no run.toml: choose another directory", .0.display())]
    NoManifest(PathBuf),
    /// The directory contains another run.
    #[error("{} contains another run, which cannot be resumed: {}", path.display(), join_differences(diff))]
    ManifestMismatch {
        /// The directory.
        path: PathBuf,
        /// Settings that differ.
        diff: Vec<Difference>,
    },
    /// `run.toml` cannot be parsed.
    #[error("{}: {error}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: toml::de::Error,
    },
    /// The manifest cannot be written as TOML.
    #[error("the manifest of the run cannot be written as TOML")]
    Unwritable(#[from] toml::ser::Error),
    /// The columns of `games.txt` are not those of this version.
    #[error(transparent)]
    Columns(#[from] ArchiveFileError),
}

impl RunDirError {
    fn with_path(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { path: path.into(), error }
    }
}

/// An open run.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    games: LineJournal,
    /// The finished games.
    pub entries: Vec<GameEntry>,
}

impl RunDir {
    /// Starts a run in a directory, or resumes the one it contains.
    pub fn open(path: &Path, manifest: &Manifest, resume: bool) -> Result<Self, RunDirError> {
        fs::create_dir_all(path).map_err(RunDirError::with_path(path))?;
        let file = path.join("run.toml");
        if !resume && file.exists() {
            return Err(RunDirError::Exists(path.into()));
        }
        let games_file = path.join("games.txt");
        let mut rows = Rows::new()?;
        // Opening the journal locks the directory against other processes.
        let games = LineJournal::open(&games_file, &header(), |row| rows.add(row))?;
        let entries = rows.entries();
        let existing = match read_manifest(&file) {
            Ok(existing) => Some(existing),
            Err(RunDirError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let started = match &existing {
            None if entries.is_empty() => manifest.started,
            None => return Err(RunDirError::NoManifest(path.into())),
            Some(existing) => {
                let differences = existing.differences(manifest);
                if !differences.is_empty() {
                    return Err(RunDirError::ManifestMismatch { path: path.into(), diff: differences });
                }
                existing.started
            }
        };
        let manifest = Manifest { started, ..manifest.clone() };
        if existing.as_ref() != Some(&manifest) {
            let text = toml::to_string(&manifest)?;
            replace_file(&file, text.as_bytes()).map_err(RunDirError::with_path(&file))?;
        }
        Ok(Self { path: path.into(), games, entries })
    }

    /// Appends a finished game, with the columns of the official archive.
    pub fn add(&mut self, entry: GameEntry, columns: &str) -> Result<(), RunDirError> {
        let [gold, silver] = entry.engines.each_ref().map(|id| id.replace(['\t', '\n', '\r'], " "));
        self.games.append(&format!("{columns}\t{gold}\t{silver}"))?;
        self.entries.push(entry);
        Ok(())
    }

    /// Forces all games to the disk, so that other machines see them.
    pub fn sync(&mut self) -> Result<(), RunDirError> {
        Ok(self.games.sync()?)
    }

    /// Syncs the journal and writes the results as PGN.
    pub fn finish(&mut self) -> Result<(), RunDirError> {
        self.games.sync()?;
        let path = self.path.join("games.pgn");
        let text: String = self.entries.iter().map(GameEntry::pgn).collect();
        replace_file(&path, text.as_bytes()).map_err(RunDirError::with_path(&path))
    }
}

/// The column names, including the checksum of the journal.
fn header() -> String {
    [&COLUMNS[..], &ENGINE_COLUMNS, &["crc32"]].concat().join("\t")
}

/// The columns of a row, without the checksum.
fn row_columns() -> Result<ArchiveHeader, ArchiveFileError> {
    ArchiveHeader::parse(&[&COLUMNS[..], &ENGINE_COLUMNS].concat().join("\t"))
}

fn parse_entry(columns: &ArchiveHeader, text: &str) -> Result<GameEntry, String> {
    let row = columns.parse_row(text, 0).map_err(|error| error.to_string())?;
    let number = |name: &str| {
        let value = row.get(name);
        value.parse().map_err(|_| format!("column {name}: expected a number, found '{value}'"))
    };
    Ok(GameEntry {
        id: number("id")?,
        players: [row.get("gusername").into(), row.get("susername").into()],
        engines: ENGINE_COLUMNS.map(|name| row.get(name).into()),
        winner: row.winner(),
        termination: row.termination().ok_or_else(|| {
            format!("column termination: expected a code of the archive, found '{}'", row.get("termination"))
        })?,
        turns: u32::try_from(number("plycount")?).map_err(|_| "column plycount: too large".to_string())?,
    })
}

/// Parses the rows of a journal of games.
struct Rows {
    columns: ArchiveHeader,
    ids: HashSet<u64>,
    games: Vec<(GameEntry, String)>,
}

impl Rows {
    fn new() -> Result<Self, RunDirError> {
        Ok(Self { columns: row_columns()?, ids: HashSet::new(), games: Vec::new() })
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let entry = parse_entry(&self.columns, text)?;
        if !self.ids.insert(entry.id) {
            return Err(format!("duplicate game {}", entry.id));
        }
        let fields = text.rsplitn(ENGINE_COLUMNS.len() + 1, '\t').last().unwrap_or(text);
        self.games.push((entry, fields.into()));
        Ok(())
    }

    fn entries(self) -> Vec<GameEntry> {
        self.games.into_iter().map(|(entry, _)| entry).collect()
    }
}

/// Whether a process is writing the games of a run.
#[must_use]
pub fn is_run_in_use(path: &Path) -> bool {
    let games = path.join("games.txt");
    games.exists() && matches!(Journal::open(&games), Err(JournalError::Locked(_)))
}

fn read_manifest(path: &Path) -> Result<Manifest, RunDirError> {
    let text = fs::read_to_string(path).map_err(RunDirError::with_path(path))?;
    toml::from_str(&text).map_err(|error| RunDirError::Manifest { path: path.into(), error })
}

/// Reads the manifest and the games of a run without locking it.
pub fn read_run(path: &Path) -> Result<(Manifest, Vec<GameEntry>), RunDirError> {
    let (manifest, games) = read_games(path)?;
    Ok((manifest, games.into_iter().map(|(entry, _)| entry).collect()))
}

/// Returns whether a text starts with the header of the games of a run.
#[must_use]
pub fn is_games_file(text: &str) -> bool {
    text.lines().next() == Some(&header())
}

/// Passes the games of a run that were saved after `offset` to `on_game`, and returns where the last one ends; see
/// [`for_each_line_after`].
pub(crate) fn games_after(
    path: &Path,
    offset: u64,
    mut on_game: impl FnMut(GameEntry),
) -> Result<u64, RunDirError> {
    let columns = row_columns()?;
    let on_row = |text: &str| {
        on_game(parse_entry(&columns, text)?);
        Ok(())
    };
    Ok(for_each_line_after(path, offset, &header(), on_row)?)
}

/// Reads the games of a run without its manifest.
pub fn read_games_file(path: &Path) -> Result<Vec<GameEntry>, RunDirError> {
    let mut rows = Rows::new()?;
    for_each_line(path, &header(), |row| rows.add(row))?;
    Ok(rows.entries())
}

/// Reads a run, with the columns of the official archive of every game.
pub(crate) fn read_games(path: &Path) -> Result<(Manifest, Vec<(GameEntry, String)>), RunDirError> {
    let manifest = read_manifest(&path.join("run.toml"))?;
    let mut rows = Rows::new()?;
    for_each_line(&path.join("games.txt"), &header(), |row| rows.add(row))?;
    Ok((manifest, rows.games))
}

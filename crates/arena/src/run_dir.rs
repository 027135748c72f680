//! A run on disk: `run.toml` has its settings, `games.txt` every finished game, `games.pgn` the results once more.
//!
//! `games.txt` is a [journal](surus_record::journal), where the durability policy is stated: a game is finished when its row
//! is appended. `games.pgn` is derived from it and written as a whole when a run ends, so a run that was killed has none, or an
//! older one, until it is resumed; that it cannot be written never loses or repeats a game.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use surus_record::journal::{JournalError, LineJournal, for_each_line, replace_file};
use surus_record::{ArchiveFileError, ArchiveHeader};

use crate::game_row::{COLUMNS, GameEntry};
use crate::manifest::{Difference, Manifest, listed};

/// Columns that follow those of the official archive: the full ids of both engines.
const ENGINE_COLUMNS: [&str; 2] = ["gengine", "sengine"];

/// Why a folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum RunDirError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The games can't be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is a run already, and resuming was not asked for.
    #[error("{} already contains a run: use --resume to continue it, or choose another directory", .0.display())]
    Exists(PathBuf),
    /// There are games, but it is not known of what run.
    #[error("{} has games but no run.toml: choose another directory", .0.display())]
    NoManifest(PathBuf),
    /// The run there was another one.
    #[error("{} contains another run, which cannot be resumed: {}", path.display(), listed(diff))]
    ManifestMismatch {
        /// Which folder.
        path: PathBuf,
        /// What differs.
        diff: Vec<Difference>,
    },
    /// `run.toml` can't be understood.
    #[error("{}: {error}", path.display())]
    Manifest {
        /// Which file.
        path: PathBuf,
        /// What is wrong in it.
        error: toml::de::Error,
    },
    /// The settings can't be written as TOML.
    #[error("the settings of the run cannot be written as TOML")]
    Unwritable(#[from] toml::ser::Error),
    /// The columns of games.txt don't suit this program.
    #[error(transparent)]
    Columns(#[from] ArchiveFileError),
}

impl RunDirError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { path: path.into(), error }
    }
}

/// An open run.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    games: LineJournal,
    /// What is finished.
    pub entries: Vec<GameEntry>,
}

impl RunDir {
    /// Starts a run in a folder, or resumes the one that is there.
    pub fn open(path: &Path, manifest: &Manifest, resume: bool) -> Result<Self, RunDirError> {
        fs::create_dir_all(path).map_err(RunDirError::file(path))?;
        let file = path.join("run.toml");
        if !resume && file.exists() {
            return Err(RunDirError::Exists(path.into()));
        }
        let list = path.join("games.txt");
        let mut rows = Rows::new()?;
        // Opening takes the lock: from here on no other process changes the folder.
        let games = LineJournal::open(&list, &header(), |row| rows.add(row))?;
        let entries = rows.entries();
        let old = match read_manifest(&file) {
            Ok(old) => Some(old),
            Err(RunDirError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let started = match &old {
            None if entries.is_empty() => manifest.started,
            None => return Err(RunDirError::NoManifest(path.into())),
            Some(old) => {
                let differences = old.differences(manifest);
                if !differences.is_empty() {
                    return Err(RunDirError::ManifestMismatch { path: path.into(), diff: differences });
                }
                old.started
            }
        };
        let manifest = Manifest { started, ..manifest.clone() };
        if old.as_ref() != Some(&manifest) {
            let text = toml::to_string(&manifest)?;
            replace_file(&file, text.as_bytes()).map_err(RunDirError::file(&file))?;
        }
        Ok(Self { path: path.into(), games, entries })
    }

    /// Appends a finished game: its entry, and its columns as in the official archive.
    pub fn add(&mut self, entry: GameEntry, columns: &str) -> Result<(), RunDirError> {
        let [gold, silver] = entry.engines.each_ref().map(|id| id.replace(['\t', '\n', '\r'], " "));
        self.games.append(&format!("{columns}\t{gold}\t{silver}"))?;
        self.entries.push(entry);
        Ok(())
    }

    /// Ends a block of games: forces them to the disk and writes the results as PGN.
    pub fn finish(&mut self) -> Result<(), RunDirError> {
        self.games.sync()?;
        let path = self.path.join("games.pgn");
        let text: String = self.entries.iter().map(GameEntry::pgn).collect();
        replace_file(&path, text.as_bytes()).map_err(RunDirError::file(&path))
    }
}

/// The names of the columns, the journal's checksum among them.
fn header() -> String {
    [&COLUMNS[..], &ENGINE_COLUMNS, &["crc32"]].concat().join("\t")
}

/// Reads the rows of a journal of games.
struct Rows {
    columns: ArchiveHeader,
    seen: HashSet<u64>,
    found: Vec<(GameEntry, String)>,
}

impl Rows {
    fn new() -> Result<Self, RunDirError> {
        let columns = ArchiveHeader::parse(&[&COLUMNS[..], &ENGINE_COLUMNS].concat().join("\t"))?;
        Ok(Self { columns, seen: HashSet::new(), found: Vec::new() })
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let row = self.columns.parse_row(text, 0).map_err(|error| error.to_string())?;
        let number = |name: &str| {
            let value = row.get(name);
            value.parse().map_err(|_| format!("column {name}: expected a number, found '{value}'"))
        };
        let entry = GameEntry {
            id: number("id")?,
            players: [row.get("gusername").into(), row.get("susername").into()],
            engines: ENGINE_COLUMNS.map(|name| row.get(name).into()),
            winner: row.winner(),
            termination: row.termination().ok_or_else(|| {
                format!(
                    "column termination: expected a code of the archive, found '{}'",
                    row.get("termination")
                )
            })?,
            turns: u32::try_from(number("plycount")?)
                .map_err(|_| "column plycount: too large".to_string())?,
        };
        if !self.seen.insert(entry.id) {
            return Err(format!("game {} is there twice", entry.id));
        }
        let fields = text.rsplitn(ENGINE_COLUMNS.len() + 1, '\t').last().unwrap_or(text);
        self.found.push((entry, fields.into()));
        Ok(())
    }

    fn entries(self) -> Vec<GameEntry> {
        self.found.into_iter().map(|(entry, _)| entry).collect()
    }
}

fn read_manifest(path: &Path) -> Result<Manifest, RunDirError> {
    let text = fs::read_to_string(path).map_err(RunDirError::file(path))?;
    toml::from_str(&text).map_err(|error| RunDirError::Manifest { path: path.into(), error })
}

/// A run that is only read: its settings and its games.
pub fn read_run(path: &Path) -> Result<(Manifest, Vec<GameEntry>), RunDirError> {
    let (manifest, games) = read_games(path)?;
    Ok((manifest, games.into_iter().map(|(entry, _)| entry).collect()))
}

/// Whether a text begins as the games of a run do.
#[must_use]
pub fn is_games_file(text: &str) -> bool {
    text.lines().next() == Some(&header())
}

/// The games of a run without its settings.
pub fn read_games_file(path: &Path) -> Result<Vec<GameEntry>, RunDirError> {
    let mut rows = Rows::new()?;
    for_each_line(path, &header(), |row| rows.add(row))?;
    Ok(rows.entries())
}

/// A run, with the columns of the official archive of every game.
pub(crate) fn read_games(path: &Path) -> Result<(Manifest, Vec<(GameEntry, String)>), RunDirError> {
    let manifest = read_manifest(&path.join("run.toml"))?;
    let mut rows = Rows::new()?;
    for_each_line(&path.join("games.txt"), &header(), |row| rows.add(row))?;
    Ok((manifest, rows.found))
}

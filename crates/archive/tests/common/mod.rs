//! Archives for tests. The tests run with SQLite, or with PostgreSQL if SURUS_TEST_POSTGRES names a server.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use surus_archive::import::{self, ImportOptions, ImportSummary};
use surus_archive::{ArchiveDb, DbLocation, SyntheticGames};

/// A directory that is removed after the test.
pub(crate) struct TempDir(PathBuf);

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl TempDir {
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-archive-{}-{test}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = self.file(name);
        std::fs::write(&file, text).unwrap();
        file
    }

    /// A file of synthetic games.
    pub(crate) fn synth(&self, name: &str, games: u64, seed: u64) -> PathBuf {
        let mut text = Vec::new();
        SyntheticGames { games, seed }.write(&mut text, |_| true).unwrap();
        self.write(name, text)
    }

    /// An empty location for an archive of this test.
    pub(crate) fn location(&self, name: &str) -> DbLocation {
        let Ok(url) = std::env::var("SURUS_TEST_POSTGRES") else {
            return DbLocation::Sqlite(self.file(&format!("{name}.db")));
        };
        let test: String = self.0.display().to_string().chars().filter(char::is_ascii_alphanumeric).collect();
        let schema = format!("{test}{name}");
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        client
            .batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}"))
            .unwrap();
        let sign = if url.contains('?') { '&' } else { '?' };
        DbLocation::Postgres(format!("{url}{sign}options=-csearch_path%3D{schema}"))
    }

    pub(crate) fn store(&self, name: &str) -> ArchiveDb {
        ArchiveDb::open_or_create(&self.location(name)).unwrap()
    }
}

pub(crate) fn options() -> ImportOptions {
    ImportOptions { threads: 2, batch: 50, stats_threshold: 20 }
}

/// Imports files with small transactions and a low threshold for statistics.
pub(crate) fn import(store: &ArchiveDb, files: &[&Path]) -> ImportSummary {
    let files: Vec<PathBuf> = files.iter().map(|file| file.to_path_buf()).collect();
    import::import(store, &files, &options(), &Default::default(), &mut |_| {}).unwrap()
}

/// A file of the shared games; tests that need it are skipped without it.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games").join(name);
    if file.exists() {
        return Some(file);
    }
    println!("SKIPPED: no ../shared");
    None
}

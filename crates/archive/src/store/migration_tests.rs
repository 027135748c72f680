//! Archives of earlier schema versions are migrated with their data.

use std::path::PathBuf;

use surus_rules::Game;

use super::*;
use crate::explore::explore;
use crate::filter::GameFilter;
use crate::import::{ImportOptions, import};
use crate::lookup::{LookupOptions, Tier, import_wins, lookup};
use crate::synth::SyntheticGames;

/// Tables with their names before version 4.
const TABLES: [(&str, &str); 6] = [
    ("games", "games"),
    ("records", "records"),
    ("positions", "positions"),
    ("position_stats", "common"),
    ("position_stats_games", "common_entries"),
    ("known_wins", "wins"),
];

/// A directory that is removed after the test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A new SQLite file, or a new schema of the server in `SURUS_TEST_POSTGRES`.
    fn location(&self, name: &str) -> DbLocation {
        let Ok(url) = std::env::var("SURUS_TEST_POSTGRES") else {
            return DbLocation::Sqlite(self.0.join(format!("{name}.db")));
        };
        let schema = format!("surus{}{name}", std::process::id());
        let mut client = ::postgres::Client::connect(&url, ::postgres::NoTls).unwrap();
        client
            .batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}"))
            .unwrap();
        let separator = if url.contains('?') { '&' } else { '?' };
        DbLocation::Postgres(format!("{url}{separator}options=-csearch_path%3D{schema}"))
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An archive of an earlier version.
fn old_archive(location: &DbLocation, version: usize) -> ArchiveDb {
    let store = ArchiveDb::connect(location).unwrap();
    for sql in schema::migrations_after(0).take(version) {
        store.execute_batch(sql).unwrap();
    }
    store.set_meta("version", &version.to_string()).unwrap();
    store
}

fn rows(store: &ArchiveDb, table: &str) -> Vec<Vec<Value>> {
    let rows = store.query(&format!("SELECT * FROM {table} ORDER BY 1, 2"), &[]).unwrap();
    let values =
        |row| if let DbRow::Owned(values) = row { values } else { unreachable!("query returns owned rows") };
    rows.into_iter().map(values).collect()
}

fn copy(from: &ArchiveDb, table: &str, to: &ArchiveDb, old_table: &str) {
    for row in rows(from, table) {
        let placeholders: Vec<String> = (1..=row.len()).map(|index| format!("${index}")).collect();
        to.execute(&format!("INSERT INTO {old_table} VALUES ({})", placeholders.join(", ")), &row).unwrap();
    }
}

fn import_files(store: &ArchiveDb, files: &[PathBuf]) -> bool {
    let options = ImportOptions { threads: 1, batch: 50, stats_threshold: 20 };
    import(store, files, &options, &Default::default(), &mut |_| ()).unwrap().completed
}

#[test]
fn version_3_is_migrated_with_its_data() {
    let dir = TempDir::new("version-3");
    let (file, mut text) = (dir.0.join("games.txt"), Vec::new());
    SyntheticGames { games: 60, seed: 3 }.write(&mut text, |_| true).unwrap();
    std::fs::write(&file, text).unwrap();
    let new = ArchiveDb::open_or_create(&dir.location("new")).unwrap();
    assert!(import_files(&new, std::slice::from_ref(&file)));
    let record = crate::games::game(&new, 5).unwrap().unwrap().record;
    let line = record.lines().find(|line| line.starts_with("3g ")).unwrap();
    let wins = import_wins(&new, "wins.txt", &format!("5:3g {}", &line[3..])).unwrap();
    assert_eq!((wins.added, wins.rejects), (1, vec![]));

    let location = dir.location("old");
    let old = old_archive(&location, 3);
    for (table, old_table) in TABLES {
        copy(&new, table, &old, old_table);
        assert!(!rows(&old, old_table).is_empty(), "{old_table}");
    }
    for (name, old_name) in [("games", "games"), ("positions", "positions"), ("stats_game_count", "counted")]
    {
        old.set_meta(old_name, &new.meta(name).unwrap().unwrap()).unwrap();
    }
    old.set_meta("loading", "0").unwrap();
    old.execute_batch("CREATE INDEX by_full ON positions (full_key, standing, id)").unwrap();
    drop(old);

    let error = ArchiveDb::open(&location).unwrap_err();
    assert!(matches!(error, ArchiveError::MigrationRequired { found: 3, .. }), "{error}");
    let old = ArchiveDb::open_or_create(&location).unwrap();
    assert_eq!(old.version().unwrap(), Some(VERSION));
    assert!(matches!(old.ensure_ready(), Err(ArchiveError::ImportIncomplete(_))));
    assert!(import_files(&old, &[]));
    old.ensure_ready().unwrap();
    for (table, _) in TABLES {
        assert_eq!(rows(&old, table), rows(&new, table), "{table}");
    }
    assert_eq!(rows(&old, "position_details"), rows(&new, "position_details"));
    assert_eq!(rows(&old, "archive_meta"), rows(&new, "archive_meta"));
    let explored = |store| explore(store, &Game::default(), &GameFilter::default()).unwrap();
    assert_eq!(explored(&old), explored(&new));
    let game = surus_rules::Record::parse(&record.lines().take(4).collect::<Vec<_>>().join("\n")).unwrap();
    let game = game.replay(surus_rules::Rules::Official, surus_rules::Handicap::Allowed).unwrap().game;
    for tier in [Tier::Win, Tier::Full, Tier::Middle, Tier::Piece] {
        let hit =
            |store| lookup(store, &game, tier, &LookupOptions::default()).unwrap().hit.map(|hit| hit.played);
        assert_eq!(hit(&old), hit(&new), "{tier}");
        assert!(tier != Tier::Win || hit(&old).is_some());
    }
    assert!(!import_new_games(&old, &file));
}

/// Whether importing the file again adds games.
fn import_new_games(store: &ArchiveDb, file: &Path) -> bool {
    let before = crate::import::row_count(store, "games").unwrap();
    assert!(import_files(store, &[file.into()]));
    crate::import::row_count(store, "games").unwrap() > before
}

#[test]
fn version_1_is_migrated_by_imports_only() {
    let dir = TempDir::new("version-1");
    let location = dir.location("first");
    drop(old_archive(&location, 1));
    assert!(matches!(ArchiveDb::open(&location), Err(ArchiveError::MigrationRequired { found: 1, .. })));
    let store = ArchiveDb::open_or_create(&location).unwrap();
    assert_eq!(store.version().unwrap(), Some(VERSION));
    assert_eq!(store.query_scalar("SELECT count(*) FROM known_wins", &[]).unwrap(), 0);
    store.ensure_ready().unwrap();
}

#[test]
fn version_2_needs_its_indexes_before_queries() {
    let dir = TempDir::new("version-2");
    let location = dir.location("second");
    let store = old_archive(&location, 2);
    let position =
        "INSERT INTO positions (id, standing, about, board, next, full_key) VALUES (65536, 0, 0, '', '', 1)";
    store.execute_batch(position).unwrap();
    store.execute_batch("CREATE INDEX by_piece ON positions (piece_key, standing)").unwrap();
    drop(store);
    let store = ArchiveDb::open_or_create(&location).unwrap();
    assert!(store.is_bulk_loading().unwrap());
    assert!(matches!(ArchiveDb::open_read_only(&location), Err(ArchiveError::ImportIncomplete(_))));
    store.execute_batch("DELETE FROM positions").unwrap();
    assert!(import_files(&store, &[]));
    let plan = "SELECT id FROM positions WHERE piece_key = 1 ORDER BY rank, played, moved_pieces, id";
    let plan = store.explain(plan, &[]).unwrap().join("\n");
    assert!(!store.is_sqlite() || plan.contains("positions_piece_key_idx"), "{plan}");
    assert!(ArchiveDb::open_read_only(&location).is_ok());
}

//! Formats, migrations and failing writes.

use super::*;
use crate::api::{NewGame, Player};
use crate::game::ActiveGame;
use crate::test_dir::TempDir;

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8";

fn new_game(id: &str) -> ActiveGame {
    let config: NewGame = serde_json::from_str(
        r#"{"gold": {"kind": "human", "name": "Ann"}, "silver": {"kind": "engine", "name": "greedy", "seconds": 3}}"#,
    )
    .unwrap();
    ActiveGame::new(id.into(), config, 5).unwrap()
}

fn apply(
    store: &GameStore,
    active: &mut ActiveGame,
    act: impl FnOnce(&mut ActiveGame),
) -> Result<(), StoreError> {
    let mut next = active.clone();
    act(&mut next);
    store.update(&next.change_since(active), 10)?;
    *active = next;
    Ok(())
}

fn loaded(store: &GameStore, id: &str) -> ActiveGame {
    let (game, turns) = store.load(id).unwrap();
    ActiveGame::from_stored(&game, &turns).unwrap()
}

fn ids(store: &GameStore) -> Vec<String> {
    let (rows, _) = store.list(None, 100, 0).unwrap();
    rows.into_iter()
        .map(|row| match row {
            StoredEntry::Game(game) => game.id,
            StoredEntry::Unreadable { id, .. } => format!("{id}!"),
        })
        .collect()
}

/// A file of format 1, which has no version number.
fn format1(file: &Path, rows: &[(&str, i64, &str)]) {
    let connection = Connection::open(file).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL;
             CREATE TABLE IF NOT EXISTS games (
                 id TEXT PRIMARY KEY,
                 created INTEGER NOT NULL,
                 changed INTEGER NOT NULL,
                 game TEXT NOT NULL
             ) STRICT;
             CREATE INDEX IF NOT EXISTS games_changed ON games (changed);",
        )
        .unwrap();
    for (id, changed, game) in rows {
        let insert = "INSERT INTO games VALUES (?, 1, ?, ?)";
        connection.execute(insert, rusqlite::params![id, changed, game]).unwrap();
    }
}

fn format1_game(end: &str) -> String {
    format!(
        r#"{{"terms": {{"gold": {{"kind": "person", "name": "Ann"}},
              "silver": {{"kind": "engine", "name": "greedy", "seconds": 3}},
              "control": "2m/2m/100/10m/8h", "handicap": {{"gold": "", "silver": ""}}, "origin": null}},
            "turns": ["{GOLD}", "{SILVER}", "Ee2n Ee3n", "ed7s"],
            "done": [{{"used_ms": 1000, "reserves_ms": [120000, 120000]}}, {{"used_ms": 2, "reserves_ms": [120000, 120000]}},
                     {{"used_ms": 3000, "reserves_ms": [120000, 120000]}}, {{"used_ms": 4, "reserves_ms": [237000, 120000]}}],
            "running": ["Ee4n"], "redo": ["Ee5n"], "used_ms": 77, "reserves_ms": [237000, 239996], "end": {end},
            "change": 9}}"#
    )
}

#[test]
fn format_1_is_converted_completely() {
    let dir = TempDir::new("format1");
    let file = dir.path().join("games.sqlite");
    let over = format1_game(r#"["g", "r"]"#).replace(r#"["Ee4n"]"#, "[]");
    format1(&file, &[("going", 7, &format1_game("null")), ("over", 8, &over)]);
    drop(GameStore::open(&file).unwrap());
    let store = GameStore::open(&file).unwrap();
    assert_eq!(ids(&store), ["over", "going"]);
    let active = loaded(&store, "going");
    let state = active.state();
    assert_eq!((state.version, state.created_at, state.redo_count), (9, 1, 1));
    assert_eq!((state.position.tag.as_str(), state.position.turn_text.as_str()), ("3g", "Ee4n"));
    let times: Vec<u64> = state.turns.iter().map(|turn| turn.elapsed_ms).collect();
    assert_eq!(times, [1000, 2, 3000, 4]);
    let clock = state.clock.unwrap();
    assert_eq!((clock.gold_ms, clock.silver_ms, clock.elapsed_ms), (237_000, 239_996, 77));
    let (rows, total) = store.list(None, 10, 0).unwrap();
    let StoredEntry::Game(summary) = &rows[0] else { panic!("{rows:?}") };
    assert_eq!((summary.updated_at, summary.tag.as_str(), total), (8, "3g", 2));
    assert_eq!(summary.result.unwrap().to_string(), "gold wins by resignation");
    let version: u32 = store.raw().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 4);
}

/// A file of format 2 with one game in progress and one row that could not be converted from format 1.
const FORMAT_2: &str = "
    CREATE TABLE games (
        id TEXT PRIMARY KEY, created INTEGER NOT NULL, changed INTEGER NOT NULL, change INTEGER NOT NULL,
        gold_name TEXT NOT NULL, gold_seconds INTEGER, silver_name TEXT NOT NULL, silver_seconds INTEGER,
        control TEXT, gold_handicap TEXT NOT NULL, silver_handicap TEXT NOT NULL,
        origin_board TEXT, origin_tag TEXT, running TEXT NOT NULL, redo TEXT NOT NULL,
        used_ms INTEGER NOT NULL, gold_ms INTEGER NOT NULL, silver_ms INTEGER NOT NULL,
        board TEXT NOT NULL, tag TEXT NOT NULL, winner TEXT, reason TEXT, problem TEXT
    ) STRICT;
    CREATE INDEX games_changed ON games (changed DESC, id);
    CREATE TABLE turns (
        game TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL,
        used_ms INTEGER NOT NULL, gold_ms INTEGER NOT NULL, silver_ms INTEGER NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE unreadable (
        id TEXT PRIMARY KEY, created INTEGER NOT NULL, changed INTEGER NOT NULL,
        format INTEGER NOT NULL, data TEXT NOT NULL, reason TEXT NOT NULL
    ) STRICT;
    INSERT INTO games VALUES ('game', 1, 7, 9, 'Ann', NULL, 'greedy', 3, '2m/2m/100/10m/8h', '', '',
        'r                                  rE                          R', '2g', 'Ee5n', 'Ee6n', 77, 237000,
        239996, 'r                          E      r                            R', '3g', NULL, NULL, NULL);
    INSERT INTO turns VALUES ('game', 1, 'Ee4n', 3000, 120000, 120000), ('game', 2, 'ra8s', 4, 237000, 120000);
    INSERT INTO unreadable VALUES ('torn', 2, 8, 1, '{', 'invalid');
    PRAGMA user_version = 2;";

#[test]
fn format_2_is_migrated_completely() {
    let dir = TempDir::new("format2");
    let file = dir.path().join("games.sqlite");
    Connection::open(&file).unwrap().execute_batch(FORMAT_2).unwrap();
    assert!(matches!(GameStore::open_read_only(&file), Err(StoreError::Older { found: 2 })));
    drop(GameStore::open(&file).unwrap());
    let store = GameStore::open(&file).unwrap();
    assert_eq!(ids(&store), ["torn!", "game"]);
    let mut active = loaded(&store, "game");
    let state = active.state();
    assert_eq!((state.version, state.created_at, state.redo_count), (9, 1, 1));
    assert_eq!((state.position.tag.as_str(), state.position.turn_text.as_str()), ("3g", "Ee5n"));
    assert_eq!(state.config.gold, Player::Human { name: "Ann".into() });
    assert_eq!(state.config.silver, Player::Engine { name: "greedy".into(), seconds: 3 });
    assert_eq!(state.config.start.unwrap().tag, "2g");
    let times: Vec<u64> = state.turns.iter().map(|turn| turn.elapsed_ms).collect();
    assert_eq!(times, [3000, 4]);
    let clock = state.clock.unwrap();
    assert_eq!((clock.gold_ms, clock.silver_ms, clock.elapsed_ms), (237_000, 239_996, 77));
    apply(&store, &mut active, |active| active.end_turn().unwrap()).unwrap();
    assert_eq!(loaded(&store, "game").state().turns.len(), 3);
    let error = store.load("torn").unwrap_err();
    assert_eq!(error.to_string(), "the stored game 'torn' cannot be read: invalid");
    let version: u32 = store.raw().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 4);
}

#[test]
fn unreadable_rows_of_format_1_are_kept_until_deleted() {
    let dir = TempDir::new("unreadable");
    let file = dir.path().join("games.sqlite");
    let illegal = format1_game("null").replace("ed7s", "ed7n");
    let letter = format1_game(r#"["g", "z"]"#);
    let good = format1_game("null");
    let rows: [(&str, i64, &str); 4] =
        [("torn", 4, r#"{"terms": "#), ("illegal", 3, &illegal), ("letter", 2, &letter), ("good", 1, &good)];
    format1(&file, &rows);
    let store = GameStore::open(&file).unwrap();
    assert_eq!(ids(&store), ["torn!", "illegal!", "letter!", "good"]);
    let (listed, total) = store.list(None, 10, 1).unwrap();
    assert_eq!(total, 4);
    let StoredEntry::Unreadable { created_at: 1, updated_at: 3, reason, .. } = &listed[0] else {
        panic!("{listed:?}")
    };
    assert!(reason.starts_with("turn 2s 'ed7n'"), "{reason}");
    let error = store.load("torn").unwrap_err().to_string();
    assert!(error.starts_with("the stored game 'torn' cannot be read: invalid game of format 1"), "{error}");
    let data: String = store
        .raw()
        .query_row("SELECT data FROM unreadable WHERE id = 'illegal'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(data, illegal, "kept unchanged");
    store.delete("torn").unwrap();
    assert_eq!(ids(&store), ["illegal!", "letter!", "good"]);
}

#[test]
fn failed_migration_leaves_the_file_unchanged() {
    let dir = TempDir::new("conversion");
    let file = dir.path().join("games.sqlite");
    format1(&file, &[("game", 7, &format1_game("null"))]);
    // A table with a conflicting name.
    Connection::open(&file).unwrap().execute_batch("CREATE TABLE unreadable (x)").unwrap();
    assert!(matches!(GameStore::open(&file), Err(StoreError::Write(_))));
    let connection = Connection::open(&file).unwrap();
    let game: String =
        connection.query_row("SELECT game FROM games WHERE id = 'game'", [], |row| row.get(0)).unwrap();
    assert_eq!(game, format1_game("null"));
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 0);
}

#[test]
fn newer_formats_are_rejected() {
    let dir = TempDir::new("newer");
    let file = dir.path().join("games.sqlite");
    drop(GameStore::open(&file).unwrap());
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 5).unwrap();
    let error = GameStore::open(&file).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the games are stored in format 5, which requires a newer version of the program: expected at most 4"
    );
    assert!(matches!(GameStore::open_read_only(&file), Err(StoreError::Newer { found: 5 })));
}

#[test]
fn steps_write_one_row_and_turns_two() {
    let dir = TempDir::new("delta");
    let store = GameStore::open(&dir.path().join("games.sqlite")).unwrap();
    let mut active = new_game("x");
    store.insert(&active.to_stored(), &[], None, 5).unwrap();
    let written = |active: &mut ActiveGame, act: fn(&mut ActiveGame)| {
        let before = store.raw().total_changes();
        apply(&store, active, act).unwrap();
        store.raw().total_changes() - before
    };
    assert_eq!(written(&mut active, |active| active.place_setup(GOLD).unwrap()), 2);
    let silver = surus_rules::Setup::parse(SILVER, surus_rules::Side::Silver, surus_rules::Handicap::None);
    apply(&store, &mut active, |active| active.play_setup(silver.unwrap()).unwrap()).unwrap();
    for _ in 0..10 {
        assert_eq!(written(&mut active, |active| active.play_steps("Ee2n").unwrap()), 1);
        assert_eq!(written(&mut active, |active| active.undo().unwrap()), 1);
    }
    assert_eq!(written(&mut active, |active| active.redo().unwrap()), 1);
    assert_eq!(written(&mut active, |active| active.end_turn().unwrap()), 2);
    assert_eq!(loaded(&store, "x").state(), active.state());
    assert_eq!(written(&mut active, |active| active.take_back().unwrap()), 2);
    assert_eq!(loaded(&store, "x").state(), active.state());
}

#[test]
fn rows_with_invalid_values_are_listed_as_unreadable() {
    let dir = TempDir::new("value");
    let store = GameStore::open(&dir.path().join("games.sqlite")).unwrap();
    for id in ["bad", "good"] {
        store.insert(&new_game(id).to_stored(), &[], None, 5).unwrap();
    }
    store.raw().execute("UPDATE games SET reason = 'boredom' WHERE id = 'bad'", []).unwrap();
    let (rows, _) = store.list(None, 10, 0).unwrap();
    let StoredEntry::Unreadable { reason, .. } = &rows[0] else { panic!("{rows:?}") };
    assert!(reason.contains("found 'boredom', expected a reason such as goal"), "{reason}");
    assert!(matches!(&rows[1], StoredEntry::Game(game) if game.id == "good"));
    assert!(matches!(store.load("bad"), Err(StoreError::Unreadable { .. })));
    store.raw().execute("UPDATE games SET reason = NULL, elapsed_ms = -1 WHERE id = 'bad'", []).unwrap();
    assert!(matches!(store.load("bad"), Err(StoreError::Unreadable { .. })));
}

#[test]
fn changes_on_a_full_disk_are_atomic() {
    let dir = TempDir::new("full");
    let store = GameStore::open(&dir.path().join("games.sqlite")).unwrap();
    let mut active = new_game("x");
    store.insert(&active.to_stored(), &[], None, 5).unwrap();
    let limit = |pages: u32| {
        let pragma = format!("PRAGMA max_page_count = {pages}");
        store.raw().query_row(&pragma, [], |row| row.get::<_, u32>(0)).unwrap()
    };
    limit(1);
    let mut stored = 0;
    let error = loop {
        let id = format!("filler{stored}");
        match store.insert(&new_game(&id).to_stored(), &[], None, 5) {
            Ok(()) => stored += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), "the change cannot be stored: database or disk is full");
    assert_eq!(store.count().unwrap(), stored + 1);
    let turn = StoredTurn { text: GOLD.into(), elapsed_ms: 0, reserves_ms: [0, 0] };
    let mut change = active.change_since(&active);
    change.game.steps_played = "Ee2n".into();
    change.new_turns = vec![turn; 1000];
    let error = store.update(&change, 6).unwrap_err();
    assert!(matches!(error, StoreError::Write(_)));
    let before = active.state();
    assert_eq!(loaded(&store, "x").state(), before, "nothing is stored");
    limit(10_000);
    apply(&store, &mut active, |active| active.place_setup(GOLD).unwrap()).unwrap();
    assert_eq!(loaded(&store, "x").state().turns.len(), 1);
}

#[test]
fn conflicting_changes_are_rejected() {
    let dir = TempDir::new("conflict");
    let store = GameStore::open(&dir.path().join("games.sqlite")).unwrap();
    let mut active = new_game("x");
    store.insert(&active.to_stored(), &[], None, 5).unwrap();
    let mut other = active.clone();
    apply(&store, &mut active, |active| active.place_setup(GOLD).unwrap()).unwrap();
    let conflict = apply(&store, &mut other, |active| active.resign().unwrap());
    assert!(matches!(conflict, Err(StoreError::Conflict(_))));
    store.delete("x").unwrap();
    let conflict = apply(&store, &mut active, |active| active.resign().unwrap());
    assert!(matches!(conflict, Err(StoreError::Conflict(_))));
    assert!(matches!(store.delete("x"), Err(StoreError::Missing(_))));
    let turns: u32 = store.raw().query_row("SELECT count(*) FROM turns", [], |row| row.get(0)).unwrap();
    assert_eq!(turns, 0);
}

#[test]
fn readers_see_changes_and_cannot_write() {
    let dir = TempDir::new("reader");
    let file = dir.path().join("games.sqlite");
    assert!(GameStore::open_read_only(&file).is_err(), "there is no file yet");
    format1(&file, &[]);
    assert!(matches!(GameStore::open_read_only(&file), Err(StoreError::Older { found: 0 })));
    let writer = GameStore::open(&file).unwrap();
    let reader = GameStore::open_read_only(&file).unwrap();
    writer.insert(&new_game("x").to_stored(), &[], None, 5).unwrap();
    assert_eq!(ids(&reader), ["x"]);
    assert!(matches!(reader.insert(&new_game("y").to_stored(), &[], None, 5), Err(StoreError::Write(_))));
    drop((writer, reader));
    assert_eq!(ids(&GameStore::open_read_only(&file).unwrap()), ["x"], "also without a writer");
}

#[test]
fn poisoned_lock_is_an_error() {
    let dir = TempDir::new("poisoned");
    let store = GameStore::open(&dir.path().join("games.sqlite")).unwrap();
    let panicked = std::thread::scope(|scope| {
        scope.spawn(|| store.write(|_| -> Result<(), StoreError> { panic!("on purpose") })).join().is_err()
    });
    assert!(panicked);
    assert!(matches!(store.insert(&new_game("x").to_stored(), &[], None, 5), Err(StoreError::Poisoned)));
    assert!(matches!(store.list(None, 10, 0), Err(StoreError::Poisoned)));
}

//! The file of games: its formats, and what happens when it can't be written.

use super::*;
use crate::live::Live;
use crate::test_folder::TestFolder;
use crate::wire::NewGame;

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8";

fn new_game(id: &str) -> Live {
    let terms: NewGame = serde_json::from_str(
        r#"{"gold": {"kind": "person", "name": "Ann"}, "silver": {"kind": "engine", "name": "greedy", "seconds": 3}}"#,
    )
    .unwrap();
    Live::begin(id.into(), terms, 5).unwrap()
}

fn apply(store: &Store, live: &mut Live, act: impl FnOnce(&mut Live)) -> Result<(), StoreError> {
    let mut next = live.clone();
    act(&mut next);
    store.update(&next.change_since(live), 10)?;
    *live = next;
    Ok(())
}

fn loaded(store: &Store, id: &str) -> Live {
    let (game, turns) = store.load(id).unwrap();
    Live::resume(&game, &turns).unwrap()
}

fn ids(store: &Store) -> Vec<String> {
    let (rows, _) = store.list(100, 0).unwrap();
    rows.into_iter()
        .map(|row| match row {
            Listed::Game(game) => game.id,
            Listed::Unreadable { id, .. } => format!("{id}!"),
        })
        .collect()
}

/// A file of format 1, as it was written before the formats had numbers.
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
fn a_file_of_format_1_is_converted_with_everything_in_it() {
    let folder = TestFolder::new("format1");
    let file = folder.path().join("games.sqlite");
    let over = format1_game(r#"["g", "r"]"#).replace(r#"["Ee4n"]"#, "[]");
    format1(&file, &[("going", 7, &format1_game("null")), ("over", 8, &over)]);
    drop(Store::open(&file).unwrap());
    let store = Store::open(&file).unwrap();
    assert_eq!(ids(&store), ["over", "going"]);
    let live = loaded(&store, "going");
    let state = live.state();
    assert_eq!((state.change, state.created, state.redo), (9, 1, 1));
    assert_eq!((state.view.tag.as_str(), state.view.running.as_str()), ("3g", "Ee4n"));
    let times: Vec<u64> = state.turns.iter().map(|turn| turn.used_ms).collect();
    assert_eq!(times, [1000, 2, 3000, 4]);
    let clock = state.clock.unwrap();
    assert_eq!((clock.gold_ms, clock.silver_ms, clock.used_ms), (237_000, 239_996, 77));
    let (rows, total) = store.list(10, 0).unwrap();
    let Listed::Game(summary) = &rows[0] else { panic!("{rows:?}") };
    assert_eq!((summary.changed, summary.tag.as_str(), total), (8, "3g", 2));
    assert_eq!(summary.ending.unwrap().to_string(), "gold wins by resignation");
    let version: u32 = store.raw().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 2);
}

#[test]
fn rows_of_format_1_that_cannot_be_read_are_listed_and_kept_until_they_are_deleted() {
    let folder = TestFolder::new("unreadable");
    let file = folder.path().join("games.sqlite");
    let illegal = format1_game("null").replace("ed7s", "ed7n");
    let letter = format1_game(r#"["g", "z"]"#);
    let good = format1_game("null");
    let rows: [(&str, i64, &str); 4] =
        [("torn", 4, r#"{"terms": "#), ("illegal", 3, &illegal), ("letter", 2, &letter), ("good", 1, &good)];
    format1(&file, &rows);
    let store = Store::open(&file).unwrap();
    assert_eq!(ids(&store), ["torn!", "illegal!", "letter!", "good"]);
    let (listed, total) = store.list(10, 1).unwrap();
    assert_eq!(total, 4);
    let Listed::Unreadable { created: 1, changed: 3, reason, .. } = &listed[0] else { panic!("{listed:?}") };
    assert!(reason.starts_with("turn 2s 'ed7n'"), "{reason}");
    let error = store.load("torn").unwrap_err().to_string();
    assert!(
        error.starts_with("the stored game 'torn' cannot be read: it is not a game of format 1"),
        "{error}"
    );
    let kept: String = store
        .raw()
        .query_row("SELECT data FROM unreadable WHERE id = 'illegal'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, illegal, "as it was");
    store.delete("torn").unwrap();
    assert_eq!(ids(&store), ["illegal!", "letter!", "good"]);
}

#[test]
fn a_conversion_that_fails_leaves_the_file_as_it_was() {
    let folder = TestFolder::new("conversion");
    let file = folder.path().join("games.sqlite");
    format1(&file, &[("game", 7, &format1_game("null"))]);
    // A table that is in the way.
    Connection::open(&file).unwrap().execute_batch("CREATE TABLE unreadable (x)").unwrap();
    assert!(matches!(Store::open(&file), Err(StoreError::Write(_))));
    let connection = Connection::open(&file).unwrap();
    let game: String =
        connection.query_row("SELECT game FROM games WHERE id = 'game'", [], |row| row.get(0)).unwrap();
    assert_eq!(game, format1_game("null"));
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 0);
}

#[test]
fn a_file_of_a_newer_format_is_refused() {
    let folder = TestFolder::new("newer");
    let file = folder.path().join("games.sqlite");
    drop(Store::open(&file).unwrap());
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 3).unwrap();
    let error = Store::open(&file).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the games are stored in format 3, which needs a newer program: expected at most 2"
    );
    assert!(matches!(Store::open_read_only(&file), Err(StoreError::Newer { found: 3 })));
}

#[test]
fn a_step_writes_one_row_and_a_turn_two() {
    let folder = TestFolder::new("delta");
    let store = Store::open(&folder.path().join("games.sqlite")).unwrap();
    let mut live = new_game("x");
    store.insert(&live.stored(), 5).unwrap();
    let written = |live: &mut Live, act: fn(&mut Live)| {
        let before = store.raw().total_changes();
        apply(&store, live, act).unwrap();
        store.raw().total_changes() - before
    };
    assert_eq!(written(&mut live, |live| live.set_up(GOLD).unwrap()), 2);
    let silver = surus_rules::Setup::parse(SILVER, surus_rules::Side::Silver, surus_rules::Handicap::None);
    apply(&store, &mut live, |live| live.play_setup(silver.unwrap()).unwrap()).unwrap();
    for _ in 0..10 {
        assert_eq!(written(&mut live, |live| live.take_steps("Ee2n").unwrap()), 1);
        assert_eq!(written(&mut live, |live| live.undo().unwrap()), 1);
    }
    assert_eq!(written(&mut live, |live| live.redo().unwrap()), 1);
    assert_eq!(written(&mut live, |live| live.end_turn().unwrap()), 2);
    assert_eq!(loaded(&store, "x").state(), live.state());
    assert_eq!(written(&mut live, |live| live.take_back().unwrap()), 2);
    assert_eq!(loaded(&store, "x").state(), live.state());
}

#[test]
fn a_row_with_a_value_that_is_none_is_listed_as_unreadable() {
    let folder = TestFolder::new("value");
    let store = Store::open(&folder.path().join("games.sqlite")).unwrap();
    for id in ["bad", "good"] {
        store.insert(&new_game(id).stored(), 5).unwrap();
    }
    store.raw().execute("UPDATE games SET reason = 'boredom' WHERE id = 'bad'", []).unwrap();
    let (rows, _) = store.list(10, 0).unwrap();
    let Listed::Unreadable { reason, .. } = &rows[0] else { panic!("{rows:?}") };
    assert!(reason.contains("found 'boredom', expected a reason such as goal"), "{reason}");
    assert!(matches!(&rows[1], Listed::Game(game) if game.id == "good"));
    assert!(matches!(store.load("bad"), Err(StoreError::Unreadable { .. })));
    store.raw().execute("UPDATE games SET reason = NULL, used_ms = -1 WHERE id = 'bad'", []).unwrap();
    assert!(matches!(store.load("bad"), Err(StoreError::Unreadable { .. })));
}

#[test]
fn on_a_full_disk_a_change_is_refused_whole_and_works_when_there_is_room_again() {
    let folder = TestFolder::new("full");
    let store = Store::open(&folder.path().join("games.sqlite")).unwrap();
    let mut live = new_game("x");
    store.insert(&live.stored(), 5).unwrap();
    let limit = |pages: u32| {
        let pragma = format!("PRAGMA max_page_count = {pages}");
        store.raw().query_row(&pragma, [], |row| row.get::<_, u32>(0)).unwrap()
    };
    limit(1);
    let mut stored = 0;
    let error = loop {
        let id = format!("filler{stored}");
        match store.insert(&new_game(&id).stored(), 5) {
            Ok(()) => stored += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), "the change cannot be stored: database or disk is full");
    assert_eq!(store.count().unwrap(), stored + 1);
    let turn = StoredTurn { text: GOLD.into(), used_ms: 0, reserves_ms: [0, 0] };
    let mut change = live.change_since(&live);
    change.game.running = "Ee2n".into();
    change.new_turns = vec![turn; 1000];
    let error = store.update(&change, 6).unwrap_err();
    assert!(matches!(error, StoreError::Write(_)));
    let before = live.state();
    assert_eq!(loaded(&store, "x").state(), before, "nothing of it is stored");
    limit(10_000);
    apply(&store, &mut live, |live| live.set_up(GOLD).unwrap()).unwrap();
    assert_eq!(loaded(&store, "x").state().turns.len(), 1);
}

#[test]
fn a_change_of_a_game_that_is_gone_or_changed_elsewhere_is_refused() {
    let folder = TestFolder::new("conflict");
    let store = Store::open(&folder.path().join("games.sqlite")).unwrap();
    let mut live = new_game("x");
    store.insert(&live.stored(), 5).unwrap();
    let mut other = live.clone();
    apply(&store, &mut live, |live| live.set_up(GOLD).unwrap()).unwrap();
    let conflict = apply(&store, &mut other, |live| live.resign().unwrap());
    assert!(matches!(conflict, Err(StoreError::Conflict(_))));
    store.delete("x").unwrap();
    let conflict = apply(&store, &mut live, |live| live.resign().unwrap());
    assert!(matches!(conflict, Err(StoreError::Conflict(_))));
    assert!(matches!(store.delete("x"), Err(StoreError::Missing(_))));
    let turns: u32 = store.raw().query_row("SELECT count(*) FROM turns", [], |row| row.get(0)).unwrap();
    assert_eq!(turns, 0);
}

#[test]
fn a_reader_sees_what_a_writer_stores_and_cannot_write() {
    let folder = TestFolder::new("reader");
    let file = folder.path().join("games.sqlite");
    assert!(Store::open_read_only(&file).is_err(), "there is no file yet");
    format1(&file, &[]);
    assert!(matches!(Store::open_read_only(&file), Err(StoreError::Older { found: 0 })));
    let writer = Store::open(&file).unwrap();
    let reader = Store::open_read_only(&file).unwrap();
    writer.insert(&new_game("x").stored(), 5).unwrap();
    assert_eq!(ids(&reader), ["x"]);
    assert!(matches!(reader.insert(&new_game("y").stored(), 5), Err(StoreError::Write(_))));
    drop((writer, reader));
    assert_eq!(ids(&Store::open_read_only(&file).unwrap()), ["x"], "also when no writer is there");
}

#[test]
fn a_poisoned_lock_is_an_error_and_not_a_skipped_write() {
    let folder = TestFolder::new("poisoned");
    let store = Store::open(&folder.path().join("games.sqlite")).unwrap();
    let panicked = std::thread::scope(|scope| {
        scope.spawn(|| store.write(|_| -> Result<(), StoreError> { panic!("on purpose") })).join().is_err()
    });
    assert!(panicked);
    assert!(matches!(store.insert(&new_game("x").stored(), 5), Err(StoreError::Poisoned)));
    assert!(matches!(store.list(10, 0), Err(StoreError::Poisoned)));
}

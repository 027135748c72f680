//! Importing files: duplicates, formats, rejected games and interrupted imports.

mod common;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use common::{TempDir, import, options, shared};
use surus_archive::import::{RejectReason, import as import_files};
use surus_archive::{ArchiveDb, ArchiveError, DbLocation, GameFilter, explore, game, games_by_player};
use surus_rules::Game;

fn counts(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
    pairs.iter().map(|&(reason, count)| (reason.to_string(), count)).collect()
}

#[test]
fn shared_games_are_imported_with_the_documented_counts() {
    let names = ["allgames2002.txt", "allgames202602.txt", "engine_games.txt", "records.txt"];
    let mut files = Vec::new();
    for name in names {
        let Some(file) = shared(name) else { return };
        files.push(file);
    }
    let dir = TempDir::new("readme");
    let store = dir.store("readme");
    let mut added = Vec::new();
    for file in &files {
        let done = import(&store, &[file]);
        let rejects: Vec<(String, RejectReason)> =
            done.rejects.iter().map(|one| (one.id.clone(), one.reason)).collect();
        added.push((done.games_read, done.games_added, rejects));
    }
    let illegal = ["32", "46", "55"].map(|id| (id.to_string(), RejectReason::Illegal)).to_vec();
    assert_eq!(added, [(64, 61, illegal), (121, 121, vec![]), (240, 240, vec![]), (54, 54, vec![])]);
    let all: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
    let repeated = import(&store, &all);
    assert_eq!((repeated.games_added, repeated.positions, repeated.duplicates), (0, 0, 476));
    let found = explore(&store, &Game::default(), &GameFilter::default()).unwrap();
    // Every game except the fragment starts with a setup of gold.
    assert_eq!(found.games, 475);
    let dolores = games_by_player(&store, "BOT_DOLORES_V1", 100).unwrap();
    assert!(
        !dolores.is_empty()
            && dolores.iter().all(|game| game.event.len() < 100 && game.gold_rating.unwrap() >= 1400)
    );
}

#[test]
fn repeated_and_partial_imports_give_the_same_archive() {
    let dir = TempDir::new("twice");
    let complete = dir.synth("complete.txt", 120, 1);
    let text = std::fs::read_to_string(&complete).unwrap();
    let part = dir.write("part.txt", text.lines().take(71).collect::<Vec<_>>().join("\n"));
    let (one, two) = (dir.store("one"), dir.store("two"));
    let first = import(&one, &[&complete]);
    assert_eq!((first.games_added, first.duplicates, first.completed), (120, 0, true));
    let repeated = import(&one, &[&complete]);
    assert_eq!((repeated.games_added, repeated.positions, repeated.duplicates), (0, 0, 120));
    let parts = import(&two, &[&part]);
    assert_eq!(parts.games_added, 70);
    let remaining = import(&two, &[&complete]);
    assert_eq!((remaining.games_added, remaining.duplicates), (50, 70));
    assert_eq!(first.positions, parts.positions + remaining.positions);
    // The statistics are precomputed in one archive and updated per game in the other.
    for filters in [GameFilter::default(), GameFilter { from_year: Some(2010), ..GameFilter::default() }] {
        let result = |store: &ArchiveDb| explore(store, &Game::default(), &filters).unwrap();
        let (one, two) = (result(&one), result(&two));
        assert_eq!(one.games, two.games);
        assert_eq!(one.continuations.len(), two.continuations.len());
        for (a, b) in one.continuations.iter().zip(&two.continuations) {
            assert_eq!((&a.turn, a.games, a.gold_wins, a.rating), (&b.turn, b.games, b.gold_wins, b.rating));
        }
    }
}

#[test]
fn plain_gz_and_zip_files_give_the_same_games() {
    let dir = TempDir::new("packed");
    let plain = dir.synth("plain.txt", 30, 2);
    let text = std::fs::read(&plain).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&text).unwrap();
    let gz = dir.write("games.txt.gz", gz.finish().unwrap());
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let records = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n";
    for (name, text) in [("rows.txt", &text[..]), ("records.txt", records.as_bytes())] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text).unwrap();
    }
    let zip = dir.write("games.zip", zip.finish().unwrap().into_inner());
    let store = dir.store("packed");
    assert_eq!(import(&store, &[&plain]).games_added, 30);
    let packed = import(&store, &[&gz]);
    assert_eq!((packed.games_added, packed.duplicates), (0, 30));
    let zipped = import(&store, &[&zip]);
    assert_eq!((zipped.games_added, zipped.duplicates), (1, 30));
}

#[test]
fn a_truncated_file_does_not_affect_other_files() {
    let dir = TempDir::new("broken");
    let (first, last) = (dir.synth("first.txt", 40, 4), dir.synth("last.txt", 5, 5));
    let text = std::fs::read(&first).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&text).unwrap();
    let mut truncated = gz.finish().unwrap();
    truncated.truncate(truncated.len() * 3 / 4);
    let truncated = dir.write("truncated.txt.gz", truncated);
    let store = dir.store("broken");
    let done = import(&store, &[&truncated, &last]);
    assert!(done.games_added > 5 && done.games_added < 45 && done.completed, "{done:?}");
    assert_eq!(done.skipped_files.len(), 1, "{:?}", done.skipped_files);
    assert!(ArchiveDb::open(store.location()).is_ok());
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let last = std::fs::read(&last).unwrap();
    for (name, text) in
        [("._rows.txt", &b"\0\x05"[..]), ("rows.txt", &text), ("README", b"Games"), ("more.txt", &last)]
    {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text).unwrap();
    }
    let zip = dir.write("games.zip", zip.finish().unwrap().into_inner());
    let zipped = import(&store, &[&zip]);
    assert_eq!((zipped.games_added + zipped.duplicates, zipped.skipped_files.len()), (45, 0));
    assert_eq!(zipped.games_added + done.games_added, 45);
}

#[test]
fn gameroom_games_are_identified_by_their_id() {
    let dir = TempDir::new("numbers");
    let text = std::fs::read_to_string(dir.synth("games.txt", 3, 6)).unwrap();
    let store = dir.store("numbers");
    let ours = dir.write("ours.txt", &text);
    let text = text.replace("synthetic", "Over the Net");
    let mut lines: Vec<String> = text.lines().map(Into::into).collect();
    // A gameroom game without an id cannot be deduplicated.
    lines[2] = format!("\t{}", lines[2].split_once('\t').unwrap().1);
    let gameroom = dir.write("gameroom.txt", lines.join("\n"));
    assert_eq!(import(&store, &[&ours]).games_added, 3);
    let done = import(&store, &[&gameroom]);
    assert_eq!((done.games_added, done.rejected.get("number")), (2, Some(&1)), "{done:?}");
    let number = |id: i64| game(&store, id).unwrap().unwrap().header.external_id.unwrap();
    assert_eq!(surus_archive::find_by_external_id(&store, number(4)).unwrap(), Some(4));
    assert_eq!(surus_archive::find_by_external_id(&store, number(2)).unwrap(), Some(2));
}

#[test]
fn concurrent_imports_are_rejected_and_queries_are_not() {
    let dir = TempDir::new("repeated");
    let file = dir.synth("games.txt", 30, 7);
    let store = dir.store("repeated");
    import(&store, &[&file]);
    let files = [file];
    let mut calls = 0;
    import_files(&store, &files, &options(), &Default::default(), &mut |_| {
        calls += 1;
        assert!(ArchiveDb::open(store.location()).is_ok(), "queries are possible during an import");
        let second = ArchiveDb::open_or_create(store.location()).unwrap();
        let error = import_files(&second, &files, &options(), &Default::default(), &mut |_| {});
        assert!(matches!(error, Err(ArchiveError::ImportLocked(_))), "{error:?}");
    })
    .unwrap();
    assert!(calls > 0);
}

#[test]
fn invalid_games_are_rejected_with_their_location() {
    let dir = TempDir::new("wrong");
    let text = std::fs::read_to_string(dir.synth("good.txt", 8, 3)).unwrap();
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let header: Vec<&str> = text.lines().next().unwrap().split('\t').collect();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let mut set = |row: usize, name: &str, value: &str| {
        let line = String::from_utf8(lines[row].clone()).unwrap();
        let mut fields: Vec<&str> = line.split('\t').collect();
        fields[column(name)] = value;
        lines[row] = fields.join("\t").into_bytes();
    };
    set(2, "result", "q");
    set(3, "grating", "strong");
    set(4, "corrupt", "1");
    set(5, "movelist", "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n1s Ra3");
    set(6, "movelist", "1g");
    lines[7].truncate(40);
    lines[8][20] = 0xff;
    let wrong = dir.write("wrong.txt", lines.join(&b'\n'));
    let store = dir.store("wrong");
    let done = import(&store, &[&wrong]);
    assert_eq!((done.games_read, done.games_added), (8, 1));
    let reasons = [
        ("invalid-encoding", 1),
        ("unknown-code", 1),
        ("column-count", 1),
        ("corrupt", 1),
        ("empty", 1),
        ("illegal", 1),
        ("number", 1),
    ];
    assert_eq!(done.rejected, counts(&reasons));
    let mut report = Vec::new();
    surus_archive::import::write_report(&mut report, &done.rejects).unwrap();
    let report = String::from_utf8(report).unwrap();
    let line = report.lines().find(|line| line.contains("unknown-code")).unwrap();
    assert!(
        line.ends_with("wrong.txt\t3\t2	unknown-code	result: expected one of wbgsdu, found 'q'"),
        "{line}"
    );
    assert!(report.contains("	column-count	expected 29 columns, found"), "{report}");
}

#[test]
fn files_without_games_are_skipped() {
    let dir = TempDir::new("refused");
    let good = dir.synth("good.txt", 5, 4);
    let text_file = dir.write("text_file.txt", "Dear reader,\nthis is not a game.\n");
    let empty = dir.write("empty.txt", "");
    let noise = dir.write("noise.bin", [0u8, 159, 146, 150, 7, 8, 9]);
    let store = dir.store("refused");
    let done = import(&store, &[&text_file, &empty, &noise, &good]);
    assert_eq!((done.games_added, done.skipped_files.len()), (5, 3));
    assert!(
        done.skipped_files[0].contains("it starts with 'Dear reader,': expected rows of"),
        "{}",
        done.skipped_files[0]
    );
    assert!(done.skipped_files[1].contains("it is empty"), "{}", done.skipped_files[1]);
}

#[test]
fn old_archive_rows_are_imported() {
    let dir = TempDir::new("old");
    let names = "id wplayerid bplayerid wusername busername wtitle btitle wcountry bcountry wrating brating wratingk \
        bratingk wtype btype event site timecontrol postal startts endts result termination plycount mode rated movelist events";
    let movelist = "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
        1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\\n2w Ee2n Ee3n\\n2b takeback\\n2w Ee2n\\n2b";
    let row = [
        "7",
        "1",
        "2",
        "Ann",
        "Bob",
        "",
        "",
        "US",
        "DE",
        "1500",
        "1600",
        "-1",
        "-1",
        "h",
        "b",
        "Casual game",
        "Over the Net",
        "4/4/100/4/0",
        "0",
        "1100000000",
        "1100001000",
        "b",
        "t",
        "2",
        "IGS",
        "1",
        movelist,
        "NULL",
    ];
    assert_eq!(row.len(), 28);
    let file = dir.write(
        "old.txt",
        format!("{}\r\n{}\r\n", names.split_whitespace().collect::<Vec<_>>().join("\t"), row.join("\t")),
    );
    let store = dir.store("old");
    let done = import(&store, &[&file]);
    assert_eq!((done.games_added, done.positions), (1, 3), "{:?}", done.rejects);
    let complete = game(&store, 1).unwrap().unwrap();
    assert_eq!(
        (complete.header.gold.as_str(), complete.header.silver_rating, complete.rules.as_str()),
        ("Ann", Some(1600), "classic2004")
    );
    assert_eq!(
        (complete.header.result.as_str(), complete.header.external_id, complete.source.as_str()),
        ("s", Some(7), "old.txt:2")
    );
    assert!(complete.record.contains("\n2w Ee2n Ee3n\n2b takeback\n"));
}

#[test]
fn matches_that_start_from_a_position_are_imported() {
    let dir = TempDir::new("arena");
    let names = "id\tgusername\tsusername\tgrating\tsrating\tgtype\tstype\tevent\tsite\tstartts\tresult\ttermination\tmovelist\tevents";
    let start = "begins 8g [r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR]";
    let row = format!("1\ta\tb\t\t\tb\tb\tmatch\tSurus\t1700000000\tg\tr\t8g Ra1n\\n8s\t{start}");
    let wrong = row.replace("Ra1n", "Rb3n");
    let file = dir.write("games.txt", format!("{names}\n{row}\n{wrong}\n{}\n", row.replacen('1', "2", 1)));
    let store = dir.store("arena");
    let done = import(&store, &[&file]);
    assert_eq!(
        (done.games_read, done.games_added, done.positions),
        (3, 0, 0),
        "a2 is occupied by a horse: {:?}",
        done.rejects
    );
    let legal = row.replace("Ra1n", "Ed3n");
    let file = dir.write("games.txt", format!("{names}\n{legal}\n{}\n", legal.replacen('1', "2", 1)));
    assert_eq!(import(&store, &[&file]).positions, 2);
}

#[test]
fn an_interrupted_import_is_completed_by_the_next() {
    let dir = TempDir::new("stopped");
    let file = dir.synth("games.txt", 200, 5);
    let location = dir.location("stopped");
    let store = ArchiveDb::open_or_create(&location).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let stopped =
        surus_archive::import::import(&store, std::slice::from_ref(&file), &options(), &stop, &mut |_| {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        })
        .unwrap();
    assert!(!stopped.completed && stopped.games_added > 0 && stopped.games_added < 200, "{stopped:?}");
    let error = ArchiveDb::open(&location).unwrap_err().to_string();
    assert!(error.contains("are missing: run 'surus archive import --db"), "{error}");
    let remaining = import(&store, &[&file]);
    assert_eq!(
        (remaining.games_added + stopped.games_added, remaining.duplicates),
        (200, stopped.games_added)
    );
    assert!(ArchiveDb::open(&location).is_ok());
}

#[test]
fn missing_newer_and_other_databases_are_rejected_unchanged() {
    let dir = TempDir::new("foreign");
    let missing = dir.file("missing.db");
    let error = ArchiveDb::open(&DbLocation::Sqlite(missing.clone())).unwrap_err().to_string();
    assert!(error.contains("there is no archive at") && !missing.exists(), "{error}");
    let text_file =
        dir.write("text_file.db", "Dear reader, this is a long text and not a database.\n".repeat(40));
    let error = ArchiveDb::open_or_create(&DbLocation::Sqlite(text_file.clone())).unwrap_err().to_string();
    assert!(error.contains("is not a Surus archive: it is not an SQLite file"), "{error}");
    let other = dir.file("other.db");
    let connection = rusqlite::Connection::open(&other).unwrap();
    connection.execute_batch("CREATE TABLE cats (name TEXT)").unwrap();
    let error = ArchiveDb::open_or_create(&DbLocation::Sqlite(other)).unwrap_err().to_string();
    assert!(error.contains("it has the tables cats"), "{error}");
    let newer = dir.file("newer.db");
    drop(ArchiveDb::open_or_create(&DbLocation::Sqlite(newer.clone())).unwrap());
    let connection = rusqlite::Connection::open(&newer).unwrap();
    connection
        .execute_batch(
            "UPDATE archive_meta SET value = '99' WHERE name = 'version'; PRAGMA journal_mode = DELETE",
        )
        .unwrap();
    drop(connection);
    let before = std::fs::read(&newer).unwrap();
    for open in [ArchiveDb::open, ArchiveDb::open_or_create] {
        let error = open(&DbLocation::Sqlite(newer.clone())).unwrap_err().to_string();
        assert!(
            error.contains(
                "has schema version 99, this program supports up to 4: use a newer Surus (nothing was changed)"
            ),
            "{error}"
        );
    }
    assert_eq!(std::fs::read(&newer).unwrap(), before);
}

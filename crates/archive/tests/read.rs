//! Read-only archives.

mod common;

use common::{TempDir, import, options};
use surus_archive::import::import as import_files;
use surus_archive::{ArchiveDb, ArchiveError, GameFilter, explore, game};

#[test]
fn a_read_only_archive_answers_queries_and_rejects_imports() {
    let dir = TempDir::new("read");
    let (first, second) = (dir.synth("first.txt", 20, 1), dir.synth("second.txt", 5, 2));
    let store = dir.store("archive");
    import(&store, &[&first]);
    let reading = ArchiveDb::open_read_only(store.location()).unwrap();
    let [written, read] =
        [&store, &reading].map(|store| explore(store, &Default::default(), &GameFilter::default()).unwrap());
    assert_eq!(written, read);
    assert_eq!(read.games, 20);
    assert!(import_files(&reading, &[second], &options(), &Default::default(), &mut |_| {}).is_err());
    assert_eq!(explore(&store, &Default::default(), &GameFilter::default()).unwrap().games, 20);
}

#[test]
fn opening_for_reading_creates_no_file() {
    let dir = TempDir::new("reads-nothing");
    let location = dir.location("archive");
    let error = ArchiveDb::open_read_only(&location).unwrap_err();
    assert!(matches!(error, ArchiveError::Missing(_)), "{error}");
    assert!(matches!(ArchiveDb::open(&location), Err(ArchiveError::Missing(_))));
}

#[test]
fn the_start_position_of_a_game_is_stored() {
    let dir = TempDir::new("start");
    let board = format!("r      r{}E      R", " ".repeat(48));
    let mut row =
        "1\t0\t0\tAnn\tBob\t\t\t\t\t\t\t\t\th\th\t\t\t\t0\t1769941051\t1\tw\tr\t2\tI\t0\t0\t".to_string();
    row += &format!("2g Ea1n\\n2s ra8s\\n3g\tbegins 2g [{board}]");
    let columns = "id\twplayerid\tbplayerid\twusername\tbusername\twtitle\tbtitle\twcountry\tbcountry\twrating\tbrating\twratingk\tbratingk\twtype\tbtype\tevent\tsite\ttimecontrol\tpostal\tstartts\tendts\tresult\ttermination\tplycount\tmode\trated\tcorrupt\tmovelist\tevents";
    let file = dir.write("games.txt", format!("{columns}\n{row}\n"));
    let store = dir.store("archive");
    assert_eq!(import(&store, &[&file]).games_added, 1);
    assert_eq!(game(&store, 1).unwrap().unwrap().start, format!("2g [{board}]"));
}

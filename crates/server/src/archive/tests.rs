//! Queries to a small generated archive.

use surus_archive::{PlayerTypes, SyntheticGames, import};

use super::*;
use crate::api::{ArchiveFilters, ExploreRequest, PlayedLine, SearchRequest};
use crate::test_dir::TempDir;

fn temp_dir(test: &str) -> TempDir {
    TempDir::new(&format!("archive-{test}"))
}

fn location(dir: &TempDir) -> DbLocation {
    DbLocation::Sqlite(dir.path().join("archive.db"))
}

/// An archive of synthetic games.
fn archive(dir: &TempDir, games: u64) -> ArchiveService {
    let file = dir.path().join("games.txt");
    let mut text = Vec::new();
    SyntheticGames { games, seed: 7 }.write(&mut text, |_| true).unwrap();
    std::fs::write(&file, text).unwrap();
    let store = ArchiveDb::open_or_create(&location(dir)).unwrap();
    import::import(&store, &[file], &Default::default(), &Default::default(), &mut |_| {}).unwrap();
    ArchiveService::new(Some(location(dir)))
}

fn after(turns: &[String]) -> ExploreRequest {
    let line = PlayedLine { turns: turns.to_vec(), ..PlayedLine::default() };
    ExploreRequest { line, limit: Some(200), ..ExploreRequest::default() }
}

#[tokio::test]
async fn turn_counts_add_up() {
    let dir = temp_dir("turns");
    let archive = archive(&dir, 60);
    let mut turns = Vec::new();
    let mut min_games = 60;
    for tag in ["1g", "1s", "2g"] {
        let found = archive.explore(after(&turns)).await.unwrap();
        assert_eq!(found.tag, tag);
        // A turn is counted as often as the position after it, mirror images included.
        assert_eq!(found.games, min_games, "{tag}");
        let games = found.games;
        assert_eq!(found.turns.iter().map(|turn| turn.games).sum::<u64>(), games);
        assert_eq!(found.distinct_turns, found.turns.len());
        assert!(found.turns.is_sorted_by_key(|turn| std::cmp::Reverse(turn.games)));
        assert!(found.turns.iter().all(|turn| turn.gold_wins + turn.silver_wins <= turn.games));
        assert_eq!(found.games_sample.len(), 8.min(games as usize));
        min_games = found.turns[0].games;
        turns.push(found.turns[0].text.clone());
    }
}

#[tokio::test]
async fn a_setup_and_its_mirror_image_are_one_entry() {
    let dir = temp_dir("mirrored");
    let archive = archive(&dir, 60);
    let mirrored = |setup: &str| {
        surus_rules::Setup::parse(setup, surus_rules::Side::Gold, surus_rules::Handicap::None)
            .unwrap()
            .mirrored()
    };
    let texts = async |no_symmetry: bool| {
        let filters = ArchiveFilters { no_symmetry, ..ArchiveFilters::default() };
        let request = ExploreRequest { filters, limit: Some(200), ..ExploreRequest::default() };
        let found = archive.explore(request).await.unwrap();
        assert_eq!(found.distinct_turns, found.turns.len());
        assert_eq!(found.turns.iter().map(|turn| turn.games).sum::<u64>(), 60);
        found.turns.into_iter().map(|turn| turn.text).collect::<Vec<_>>()
    };
    let pairs =
        |texts: &[String]| texts.iter().filter(|text| texts.contains(&mirrored(text).to_string())).count();
    assert!(pairs(&texts(true).await) > 0, "the archive has setups in both orientations");
    assert_eq!(pairs(&texts(false).await), 0);
}

#[tokio::test]
async fn filters_partition_games() {
    let dir = temp_dir("filters");
    let archive = archive(&dir, 60);
    let games = async |filters: ArchiveFilters| {
        archive.explore(ExploreRequest { filters, ..ExploreRequest::default() }).await.unwrap().games
    };
    let all = games(ArchiveFilters::default()).await;
    let (before, after) = (
        games(ArchiveFilters { to_year: Some(2009), ..ArchiveFilters::default() }).await,
        games(ArchiveFilters { from_year: Some(2010), ..ArchiveFilters::default() }).await,
    );
    assert!(before > 0 && after > 0, "{before} {after}");
    assert_eq!(before + after, all);
    let mut kinds = 0;
    for players in [PlayerTypes::Humans, PlayerTypes::Bots, PlayerTypes::Mixed] {
        kinds += games(ArchiveFilters { players, ..ArchiveFilters::default() }).await;
    }
    assert_eq!(kinds, all);
    let event = Some("no such event".into());
    assert_eq!(games(ArchiveFilters { event, ..ArchiveFilters::default() }).await, 0);
}

#[tokio::test]
async fn setups_have_rows_and_scores() {
    let dir = temp_dir("setups");
    let archive = archive(&dir, 60);
    let gold = archive.setups(after(&[])).await.unwrap();
    assert_eq!((gold.side, gold.games), ('g', 60));
    assert!(gold.setups.iter().all(|one| one.front.len() == 8 && one.back.len() == 8));
    assert!(gold.setups.iter().any(|one| one.name.is_some() && one.score.is_some()));
    let first = archive.explore(after(&[])).await.unwrap().turns.remove(0);
    let silver = archive.setups(after(std::slice::from_ref(&first.text))).await.unwrap();
    assert_eq!(silver.side, 's');
    assert!(first.games <= silver.games && silver.games < 60, "{}", silver.games);
    let answer = archive.explore(after(std::slice::from_ref(&first.text))).await.unwrap().turns.remove(0);
    let error = archive.setups(after(&[first.text, answer.text])).await.unwrap_err();
    assert_eq!(error.to_string(), "no setup at 2g: expected 1g or 1s");
}

#[tokio::test]
async fn games_are_found_by_squares_material_and_player() {
    let dir = temp_dir("found");
    let archive = archive(&dir, 60);
    let squares = SearchRequest { squares: "Aa1 .e5".into(), side: Some('s'), ..SearchRequest::default() };
    let found = archive.search(&squares).await.unwrap();
    assert_eq!(found.games.len(), 30, "up to the limit");
    assert!(!found.complete);
    assert!(found.games[0].at_turn.as_ref().is_some_and(|tag| tag.ends_with('s')));
    let one = archive.game(found.games[0].id).await.unwrap();
    assert_eq!(one.nodes.len() as i64, found.games[0].turns);
    assert!(one.gold.starts_with(&found.games[0].gold), "{}", one.gold);
    assert_eq!(one.error, None);
    let material = SearchRequest { material: "E e".into(), ..SearchRequest::default() };
    let none = archive.search(&material).await.unwrap();
    assert_eq!((none.games.len(), none.complete), (0, true));
    let players = archive.players(String::new(), Some(3)).await.unwrap().players;
    assert_eq!(players.len(), 3);
    let games = archive.games_by_player(players[0].name.to_uppercase(), Some(200)).await.unwrap();
    assert_eq!((games.games.len() as i64, games.complete), (players[0].games, true));
    assert!(archive.game(61).await.is_err());
}

#[tokio::test]
async fn games_keep_thinking_times() {
    let dir = temp_dir("times");
    let file = dir.path().join("games.txt");
    let row = surus_record::GameRow {
        id: 1,
        site: "Surus".into(),
        record: "2g Ee1n\n2s ra8s\n3g".into(),
        events: "begins 2g [r      r                                                R   E  R]\n\
             after 2g, move used:0.213 gresv:5 sresv:5\nafter 2s, move used:1.000 gresv:5 sresv:5"
            .into(),
        ..surus_record::GameRow::default()
    };
    std::fs::write(&file, format!("{}\n{row}\n", surus_record::header())).unwrap();
    let store = ArchiveDb::open_or_create(&location(&dir)).unwrap();
    import::import(&store, &[file], &Default::default(), &Default::default(), &mut |_| {}).unwrap();
    let game = ArchiveService::new(Some(location(&dir))).game(1).await.unwrap();
    let times: Vec<_> = game.nodes.iter().map(|node| node.elapsed_ms).collect();
    assert_eq!((times, game.start.tag.as_str()), (vec![Some(213), Some(1000)], "2g"));
}

#[tokio::test]
async fn invalid_records_are_opened_up_to_the_error() {
    let dir = temp_dir("odd");
    let file = dir.path().join("games.txt");
    std::fs::write(&file, "1g Rc2 Ee5\n1s rc7 rf7 ed7\n2g Ee5n\n").unwrap();
    let store = ArchiveDb::open_or_create(&location(&dir)).unwrap();
    let done =
        import::import(&store, &[file], &Default::default(), &Default::default(), &mut |_| {}).unwrap();
    assert_eq!(done.games_added, 1);
    let game = ArchiveService::new(Some(location(&dir))).game(1).await.unwrap();
    assert_eq!(game.nodes.len(), 0);
    assert!(game.error.unwrap().contains("outside gold's home ranks"));
}

#[tokio::test]
async fn invalid_queries_are_rejected() {
    let dir = temp_dir("sense");
    let archive = archive(&dir, 2);
    let search = async |squares: &str| {
        let request = SearchRequest { squares: squares.into(), ..SearchRequest::default() };
        archive.search(&request).await.unwrap_err().to_string()
    };
    assert!(search("").await.starts_with("empty search"));
    assert!(search("Xd4").await.contains("'Xd4'"));
    assert!(search(&"Ed4 ".repeat(200)).await.contains("too long"));
    let illegal = archive.explore(after(&["Ee2n".into()])).await.unwrap_err();
    assert!(matches!(illegal, ApiError::Replay(_)), "{illegal}");
}

#[tokio::test]
async fn missing_archive_gives_a_hint_and_creates_nothing() {
    let dir = temp_dir("missing");
    let archive = ArchiveService::new(Some(location(&dir)));
    let status = archive.status().await.unwrap();
    let hint = status.hint.unwrap();
    assert!(!status.ready);
    let file = location(&dir);
    assert_eq!(
        hint,
        format!(
            "there is no archive yet: create one from game files with 'surus archive import FILE --db {file}'"
        )
    );
    let error = archive.explore(after(&[])).await.unwrap_err();
    assert!(
        matches!(&error, ApiError::Archive(QueryError::NoArchive(message)) if *message == hint),
        "{error}"
    );
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    std::fs::write(dir.path().join("archive.db"), "something else, which is no database at all").unwrap();
    let status = archive.status().await.unwrap();
    assert!(!status.ready && status.hint.unwrap().contains("archive.db"));
}

#[tokio::test]
async fn archive_created_later_is_found() {
    let dir = temp_dir("later");
    let early = ArchiveService::new(Some(location(&dir)));
    assert!(!early.status().await.unwrap().ready);
    let _ = archive(&dir, 2);
    assert!(early.status().await.unwrap().ready);
}

#[tokio::test]
async fn too_many_pending_queries_are_rejected() {
    let dir = temp_dir("many");
    let mut busy = archive(&dir, 2);
    busy.indexed = Pool::new("archive queries", 1, 0);
    let error = busy.explore(after(&[])).await.unwrap_err();
    assert_eq!(error.to_string(), "too many concurrent archive queries: try again shortly");
}

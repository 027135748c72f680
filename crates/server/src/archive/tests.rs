//! Questions to a small archive that the tests make themselves.

use surus_archive::{PlayerTypes, SyntheticGames, import};

use super::*;
use crate::test_folder::TestFolder;
use crate::wire::{ArchiveFilters, ExploreRequest, Line, SearchRequest};

fn folder(test: &str) -> TestFolder {
    TestFolder::new(&format!("archive-{test}"))
}

fn place(folder: &TestFolder) -> DbLocation {
    DbLocation::Sqlite(folder.path().join("archive.db"))
}

/// An archive of so many made-up games.
fn archive(folder: &TestFolder, games: u64) -> Archive {
    let file = folder.path().join("games.txt");
    let mut text = Vec::new();
    SyntheticGames { games, seed: 7 }.write(&mut text, |_| true).unwrap();
    std::fs::write(&file, text).unwrap();
    let store = ArchiveDb::open_or_create(&place(folder)).unwrap();
    import::import(&store, &[file], &Default::default(), &Default::default(), &mut |_| {}).unwrap();
    Archive::new(Some(place(folder)))
}

fn after(turns: &[String]) -> ExploreRequest {
    let line = Line { turns: turns.to_vec(), ..Line::default() };
    ExploreRequest { line, most: Some(200), ..ExploreRequest::default() }
}

#[tokio::test]
async fn the_turns_of_a_position_add_up_and_lead_on() {
    let folder = folder("turns");
    let archive = archive(&folder, 60);
    let mut turns = Vec::new();
    let mut least = 60;
    for tag in ["1g", "1s", "2g"] {
        let found = archive.explore(after(&turns)).await.unwrap();
        assert_eq!(found.tag, tag);
        // A position may be the mirror image of another, whose games then come here too.
        assert!(least <= found.games && found.games <= 60, "{least} {}", found.games);
        let games = found.games;
        assert_eq!(found.turns.iter().map(|turn| turn.games).sum::<u64>(), games);
        assert_eq!(found.distinct, found.turns.len());
        assert!(found.turns.is_sorted_by_key(|turn| std::cmp::Reverse(turn.games)));
        assert!(found.turns.iter().all(|turn| turn.gold + turn.silver <= turn.games));
        assert_eq!(found.samples.len(), 8.min(games as usize));
        least = found.turns[0].games;
        turns.push(found.turns[0].text.clone());
    }
}

#[tokio::test]
async fn filters_count_a_part_and_its_rest() {
    let folder = folder("filters");
    let archive = archive(&folder, 60);
    let games = async |filters: ArchiveFilters| {
        archive.explore(ExploreRequest { filters, ..ExploreRequest::default() }).await.unwrap().games
    };
    let all = games(ArchiveFilters::default()).await;
    let (before, after) = (
        games(ArchiveFilters { to_year: Some(2009), ..ArchiveFilters::default() }).await,
        games(ArchiveFilters { from_year: Some(2010), ..ArchiveFilters::default() }).await,
    );
    assert!(0 < before && 0 < after, "{before} {after}");
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
async fn setups_come_with_rows_and_scores_and_only_where_somebody_sets_up() {
    let folder = folder("setups");
    let archive = archive(&folder, 60);
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
    assert_eq!(error.to_string(), "nobody sets up at 2g: expected 1g or 1s");
}

#[tokio::test]
async fn games_are_found_by_squares_material_and_player_and_opened_there() {
    let folder = folder("found");
    let archive = archive(&folder, 60);
    let squares = SearchRequest { squares: "Aa1 .e5".into(), side: Some('s'), ..SearchRequest::default() };
    let found = archive.search(&squares).await.unwrap();
    assert_eq!(found.games.len(), 30, "as many as are asked for");
    assert!(!found.whole);
    assert!(found.games[0].before.as_ref().is_some_and(|tag| tag.ends_with('s')));
    let one = archive.game(found.games[0].id).await.unwrap();
    assert_eq!(one.nodes.len() as i64, found.games[0].turns);
    assert!(one.gold.starts_with(&found.games[0].gold), "{}", one.gold);
    assert_eq!(one.problem, None);
    let material = SearchRequest { material: "E e".into(), ..SearchRequest::default() };
    let none = archive.search(&material).await.unwrap();
    assert_eq!((none.games.len(), none.whole), (0, true));
    let players = archive.players(String::new(), Some(3)).await.unwrap().players;
    assert_eq!(players.len(), 3);
    let games = archive.games_of(players[0].name.to_uppercase(), Some(200)).await.unwrap();
    assert_eq!((games.games.len() as i64, games.whole), (players[0].games, true));
    assert!(archive.game(61).await.is_err());
}

#[tokio::test]
async fn a_game_of_a_match_keeps_the_times_of_its_turns() {
    let folder = folder("times");
    let file = folder.path().join("games.txt");
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
    let store = ArchiveDb::open_or_create(&place(&folder)).unwrap();
    import::import(&store, &[file], &Default::default(), &Default::default(), &mut |_| {}).unwrap();
    let game = Archive::new(Some(place(&folder))).game(1).await.unwrap();
    let times: Vec<_> = game.nodes.iter().map(|node| node.used_ms).collect();
    assert_eq!((times, game.origin.tag.as_str()), (vec![Some(213), Some(1000)], "2g"));
}

#[tokio::test]
async fn a_record_that_only_the_archive_understands_is_opened_as_far_as_it_goes() {
    let folder = folder("odd");
    let file = folder.path().join("games.txt");
    std::fs::write(&file, "1g Rc2 Ee5\n1s rc7 rf7 ed7\n2g Ee5n\n").unwrap();
    let store = ArchiveDb::open_or_create(&place(&folder)).unwrap();
    let done =
        import::import(&store, &[file], &Default::default(), &Default::default(), &mut |_| {}).unwrap();
    assert_eq!(done.games_added, 1);
    let game = Archive::new(Some(place(&folder))).game(1).await.unwrap();
    assert_eq!(game.nodes.len(), 0);
    assert!(game.problem.unwrap().contains("outside of gold's home ranks"));
}

#[tokio::test]
async fn questions_without_sense_are_refused_with_a_sentence() {
    let folder = folder("sense");
    let archive = archive(&folder, 2);
    let search = async |squares: &str| {
        let request = SearchRequest { squares: squares.into(), ..SearchRequest::default() };
        archive.search(&request).await.unwrap_err().to_string()
    };
    assert!(search("").await.starts_with("nothing to look for"));
    assert!(search("Xd4").await.starts_with("'Xd4' is no square to look for"));
    assert!(search(&"Ed4 ".repeat(200)).await.contains("too long"));
    let illegal = archive.explore(after(&["Ee2n".into()])).await.unwrap_err();
    assert!(matches!(illegal, Refusal::Line(_)), "{illegal}");
}

#[tokio::test]
async fn without_an_archive_everybody_is_told_how_to_make_one_and_nothing_is_made() {
    let folder = folder("missing");
    let archive = Archive::new(Some(place(&folder)));
    let state = archive.state().await.unwrap();
    let help = state.help.unwrap();
    assert!(!state.ready);
    let file = place(&folder);
    assert_eq!(
        help,
        format!(
            "there is no archive yet: 'surus archive import FILE --db {file}' makes one of files of games"
        )
    );
    let error = archive.explore(after(&[])).await.unwrap_err();
    assert!(
        matches!(&error, Refusal::Archive(QueryError::NoArchive(sentence)) if *sentence == help),
        "{error}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    std::fs::write(folder.path().join("archive.db"), "something else, which is no database at all").unwrap();
    let state = archive.state().await.unwrap();
    assert!(!state.ready && state.help.unwrap().contains("is not a Surus archive"));
}

#[tokio::test]
async fn an_archive_that_comes_later_is_seen() {
    let folder = folder("later");
    let early = Archive::new(Some(place(&folder)));
    assert!(!early.state().await.unwrap().ready);
    let _ = archive(&folder, 2);
    assert!(early.state().await.unwrap().ready);
}

#[tokio::test]
async fn more_questions_than_may_be_pending_are_refused() {
    let folder = folder("many");
    let mut busy = archive(&folder, 2);
    busy.look_ups = Pool::new("archive queries", 1, 0);
    let error = busy.explore(after(&[])).await.unwrap_err();
    assert_eq!(error.to_string(), "too many concurrent archive queries: try again shortly");
}

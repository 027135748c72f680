//! The explorer: counts, symmetry and filters.

mod common;

use std::collections::HashMap;

use common::{TempDir, import};
use surus_archive::{
    ArchiveDb, DbLocation, GameFilter, PlayerTypes, ResultFilter, SetupOrder, explore, game, games_through,
    search_players, setups,
};
use surus_record::{ArchiveRow, parse_games};
use surus_rules::{Board, Game, Handicap, Position, Record, Rules, Side};

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
/// The same setup with its placements in another order.
const REORDERED: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Hb2 Ra2 Cc2 Md2 Ee2 Cf2 Rh2 Hg2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

fn record(turns: &[&str]) -> String {
    let tags = (1..).flat_map(|n| [format!("{n}g"), format!("{n}s")]);
    turns.iter().zip(tags).map(|(turn, tag)| format!("{tag} {turn}\n")).collect()
}

/// The game after the given turns.
fn game_after(turns: &[&str]) -> Game {
    Record::parse(&record(turns)).unwrap().replay(Rules::Official, Handicap::None).unwrap().game
}

fn small(dir: &TempDir) -> ArchiveDb {
    let games = [
        record(&[GOLD, SILVER, "Ee2n Ee3n", "ed7s", "Hb2n", "resigns"]),
        record(&[REORDERED, SILVER, "Ee2n Ee3n Hb2n", "me7s", "Hg2n"]),
        // The same steps in another order lead to the same board.
        record(&[GOLD, SILVER, "Ee2n Hb2n Ee3n", "resigns"]),
    ];
    let file = dir.write("games.txt", games.join("\n"));
    let store = dir.store("small");
    let done = import(&store, &[&file]);
    assert_eq!(done.games_added, 3, "{:?}", done.rejects);
    store
}

#[test]
fn setups_and_turns_are_grouped_by_the_resulting_board() {
    let dir = TempDir::new("grouped");
    let store = small(&dir);
    let start = setups(&store, &Game::default(), &GameFilter::default(), SetupOrder::Games).unwrap();
    assert_eq!((start.len(), start[0].games, start[0].name.as_deref()), (1, 3, Some("99of9")));
    assert_eq!((start[0].front.as_str(), start[0].back.as_str()), ("RHCMECHR", "RRRDDRRR"));
    assert_eq!((start[0].share, start[0].score), (100.0, Some(100.0)));
    let found = explore(&store, &game_after(&[GOLD, SILVER]), &GameFilter::default()).unwrap();
    let continuations: Vec<_> =
        found.continuations.iter().map(|c| (c.turn.as_str(), c.games, c.gold_wins, c.silver_wins)).collect();
    assert_eq!(continuations.len(), 2);
    assert_eq!((continuations[0].1, continuations[1]), (2, ("Ee2n Ee3n", 1, 1, 0)));
    assert_eq!((found.games, found.gold_wins, found.silver_wins), (3, 2, 0));
    let through = games_through(
        &store,
        &game_after(&[GOLD, SILVER]),
        &GameFilter::default(),
        Some("Hb2n Ee2n Ee3n"),
        10,
    )
    .unwrap();
    assert_eq!(through.len(), 2);
    let complete = game(&store, through[0].0.game()).unwrap().unwrap();
    assert!(complete.record.starts_with("1g Ra1"));
}

#[test]
fn a_game_matches_in_four_orientations() {
    let dir = TempDir::new("four");
    let store = small(&dir);
    let game = game_after(&[GOLD, SILVER, "Ee2n Ee3n"]);
    let strict = GameFilter { no_symmetry: true, ..GameFilter::default() };
    let (board, side) = (*game.turn_start(), game.side());
    let images: [(Board, Side, &str); 4] = [
        (board, side, "ed7s"),
        (board.mirrored(), side, "ee7s"),
        (board.flipped(), side.other(), "Ed2n"),
        (board.flipped().mirrored(), side.other(), "Ee2n"),
    ];
    for (index, (board, side, turn)) in images.into_iter().enumerate() {
        let query = Game::from_position(&Position::new(board, side).unwrap(), 2, Rules::Official);
        let found = explore(&store, &query, &GameFilter::default()).unwrap();
        assert_eq!((found.games, found.continuations[0].turn.as_str()), (1, turn));
        // Silver lost that game; with the sides swapped gold lost.
        let lost = if side == Side::Silver { found.gold_wins } else { found.silver_wins };
        assert_eq!(lost, 1);
        assert_eq!(explore(&store, &query, &strict).unwrap().games, u64::from(index == 0));
    }
}

#[test]
fn filters_agree_with_counting_all_rows() {
    let dir = TempDir::new("filters");
    let file = dir.synth("games.txt", 150, 7);
    let store = dir.store("filters");
    import(&store, &[&file]);
    let text = std::fs::read_to_string(&file).unwrap();
    let archive = surus_record::ArchiveFile::parse(&text).unwrap();
    let number = |row: &ArchiveRow, name: &str| row.get(name).parse::<i64>().unwrap();
    let year = |row: &ArchiveRow| 1970 + number(row, "startts") / 31_556_952;
    type Check<'a> = Box<dyn Fn(&ArchiveRow) -> bool + 'a>;
    let cases: Vec<(GameFilter, Check<'_>)> = vec![
        (GameFilter::default(), Box::new(|_| true)),
        (
            GameFilter { min_rating: Some(1700), ..GameFilter::default() },
            Box::new(|row| number(row, "grating").min(number(row, "srating")) >= 1700),
        ),
        (
            GameFilter { max_rating: Some(2000), ..GameFilter::default() },
            Box::new(|row| number(row, "grating").max(number(row, "srating")) <= 2000),
        ),
        (
            GameFilter { players: PlayerTypes::Humans, ..GameFilter::default() },
            Box::new(|row| row.get("gtype") == "h" && row.get("stype") == "h"),
        ),
        (
            GameFilter { players: PlayerTypes::Mixed, ..GameFilter::default() },
            Box::new(|row| row.get("gtype") != row.get("stype")),
        ),
        (
            GameFilter { from_year: Some(2010), to_year: Some(2010), ..GameFilter::default() },
            Box::new(move |row| year(row) == 2010),
        ),
        (
            GameFilter { result: Some(ResultFilter::Silver), ..GameFilter::default() },
            Box::new(|row| row.get("result") == "s"),
        ),
        (GameFilter { event: Some("SYNTH".into()), ..GameFilter::default() }, Box::new(|_| true)),
        (GameFilter { event: Some("M_de".into()), ..GameFilter::default() }, Box::new(|_| false)),
        (
            GameFilter {
                player: Some(archive.rows[3].get("gusername").to_uppercase()),
                ..GameFilter::default()
            },
            Box::new(|row| {
                [row.get("gusername"), row.get("susername")].contains(&archive.rows[3].get("gusername"))
            }),
        ),
    ];
    for (filters, check) in cases {
        let expected = archive.rows.iter().filter(|row| check(row)).count() as u64;
        let found = explore(&store, &Game::default(), &filters).unwrap();
        assert_eq!(found.games, expected, "{filters:?}");
        assert_eq!(found.continuations.iter().map(|choice| choice.games).sum::<u64>(), expected);
    }
}

/// Counts every position of every game without the database.
#[test]
fn explorer_agrees_with_counting_all_games() {
    let dir = TempDir::new("plain");
    let file = dir.synth("games.txt", 60, 8);
    let store = dir.store("plain");
    import(&store, &[&file]);
    let text = std::fs::read_to_string(&file).unwrap();
    let mut counts: HashMap<(Board, Side), HashMap<Board, u64>> = HashMap::new();
    let mut positions: Vec<Game> = Vec::new();
    for source in parse_games(&text).unwrap() {
        let game = Record::parse(&source.record).unwrap().replay(source.rules, Handicap::None).unwrap().game;
        let mut before = Board::EMPTY;
        for entry in game.entries() {
            let side = entry.tag.side;
            for mirror in [false, true] {
                let view = |board: &Board| {
                    let relative = board.relative_to(side);
                    if mirror { relative.mirrored() } else { relative }
                };
                // A symmetric board is counted once, and with it the mirror images of what follows.
                let symmetric = view(&before) == view(&before).mirrored();
                if mirror && symmetric {
                    continue;
                }
                let mut after = view(&entry.board);
                if symmetric && after.mirrored().compact() < after.compact() {
                    after = after.mirrored();
                }
                *counts.entry((view(&before), Side::Gold)).or_default().entry(after).or_default() += 1;
            }
            if let Ok(position) = Position::new(before, side) {
                positions.push(Game::from_position(&position, entry.tag.number, Rules::Official));
            }
            before = entry.board;
        }
    }
    let mut with_several_games = 0;
    for query in positions.iter().step_by(7) {
        let found = explore(&store, query, &GameFilter::default()).unwrap();
        let side = query.side();
        let mut expected: Vec<u64> =
            counts[&(query.turn_start().relative_to(side), Side::Gold)].values().copied().collect();
        expected.sort_unstable_by(|a, b| b.cmp(a));
        let continuations: Vec<u64> = found.continuations.iter().map(|choice| choice.games).collect();
        assert_eq!(continuations, expected, "{}", query.position());
        with_several_games += usize::from(found.games > 1);
    }
    assert!(positions.len() > 100 && with_several_games > 10, "{with_several_games} of {}", positions.len());
}

#[test]
fn players_are_found_by_a_part_of_their_name() {
    let dir = TempDir::new("players");
    let file = dir.synth("games.txt", 80, 9);
    let store = dir.store("players");
    import(&store, &[&file]);
    let found = search_players(&store, "PLAYER1", 1000).unwrap();
    assert!(
        found.len() > 10
            && found.iter().all(|player| player.name.starts_with("player1") && player.won <= player.games)
    );
    assert!(found.is_sorted_by_key(|player| -player.games));
    assert!(search_players(&store, "%", 10).unwrap().is_empty());
    let first = surus_archive::games_by_player(&store, &found[0].name, 100).unwrap();
    assert_eq!(first.len() as i64, found[0].games);
}

#[test]
fn a_file_with_overwritten_pages_is_not_opened() {
    let dir = TempDir::new("overwritten");
    let store = small(&dir);
    let location = store.location().clone();
    drop(store);
    // PostgreSQL has checksums of its own.
    let DbLocation::Sqlite(file) = &location else { return };
    ArchiveDb::open(&location).unwrap();
    let valid = std::fs::read(file).unwrap();
    let size = usize::from(u16::from_be_bytes([valid[16], valid[17]]));
    let pages = valid.len() / size;
    assert!(pages > 20, "{pages} pages");
    // A page of zeros is found unless it is unused; one of the same kind may only be missed by an index.
    for (copies, share) in [(false, 9), (true, 5)] {
        let (mut tried, mut found) = (0, 0);
        for page in 1..pages - 1 {
            let mut bytes = valid.clone();
            match copies {
                true => bytes.copy_within((page + 1) * size..(page + 2) * size, page * size),
                false => bytes[page * size..(page + 1) * size].fill(0),
            }
            std::fs::write(file, &bytes).unwrap();
            tried += 1;
            if let Err(error) = ArchiveDb::open(&location) {
                let error = error.to_string();
                assert!(
                    error.contains("is damaged") || error.contains("malformed"),
                    "page {}: {error}",
                    page + 1
                );
                found += 1;
            }
        }
        assert!(10 * found >= share * tried, "{found} of {tried} overwritten pages were found");
    }
}

//! The searches on positions of real games, if available.

use std::path::PathBuf;

use surus_geometry::Fidelity::{Extended, Paper, Printed};
use surus_geometry::search::{Guidance, SearchStats, all_captures, capture_in_one_turn, goal_in_one_turn};
use surus_rules::{Board, Handicap, Record, Side};

/// The boards after every third turn of every third game; `None` without `../shared`.
fn boards() -> Option<Vec<(Board, Side)>> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/allgames202602.txt");
    let bytes = std::fs::read(file).ok()?;
    let games = surus_record::parse_games(&String::from_utf8_lossy(&bytes)).unwrap();
    let step = if std::env::var_os("SURUS_TEST_FULL").is_some() { 1 } else { 3 };
    let replays = games.iter().step_by(step).filter_map(|source| {
        Record::parse(&source.record).and_then(|r| r.replay(source.rules, Handicap::None)).ok()
    });
    let entries = replays.flat_map(|replay| {
        let entries: Vec<_> = replay.game.entries().iter().skip(1).step_by(step).cloned().collect();
        entries.into_iter().map(|entry| (entry.board, entry.tag.side.other()))
    });
    let is_over =
        |board: &Board| Side::BOTH.into_iter().any(|side| !(board.rabbits(side) & side.goal()).is_empty());
    Some(entries.filter(|(board, _)| !is_over(board)).collect())
}

#[test]
fn captures_and_goals_of_real_games_agree_with_tactics() {
    let Some(boards) = boards() else {
        println!("SKIPPED: no ../shared");
        return;
    };
    for (name, guidance, least) in [
        ("printed", Guidance::zones(Printed), 0),
        ("paper", Guidance::zones(Paper), 500),
        ("zones alone", Guidance::zones(Extended), 990),
        ("distances", Guidance::Distances, 999),
        ("both", Guidance::Both, 999),
    ] {
        let (mut found, mut exact, mut goals, mut scored, mut any, mut some) = (0, 0, 0, 0, 0, 0);
        let mut nodes = [0; 2];
        for (board, side) in &boards {
            let captures = all_captures(board, *side, 4, guidance, &mut SearchStats::default());
            let all = surus_tactics::captures(board, *side, 4);
            for capture in &captures {
                assert!(
                    all.iter().any(|one| one.square == capture.square),
                    "{} [{}] {} {}",
                    side.letter(),
                    board.compact(),
                    capture.square,
                    capture.turn
                );
            }
            found += captures.len();
            exact += all.iter().count();
            let mut stats = SearchStats::default();
            any += usize::from(capture_in_one_turn(board, *side, 4, guidance, &mut stats).is_some());
            nodes[0] += stats.nodes;
            some += usize::from(all.iter().next().is_some());
            let mut stats = SearchStats::default();
            let goal = goal_in_one_turn(board, *side, 4, guidance, &mut stats).is_some();
            nodes[1] += stats.nodes;
            let exists = surus_tactics::steps_to_goal(board, *side, 4).is_some_and(|steps| steps > 0);
            assert!(exists || !goal, "{board:?} {side}");
            goals += usize::from(exists);
            scored += usize::from(goal);
        }
        println!(
            "{name}: {found} of {exact} pieces, {any} of {some} captures, {scored} of {goals} goals, {nodes:?} nodes in {}",
            boards.len()
        );
        assert!(exact > 100 && goals > 10, "{exact} {goals}");
        assert!(exact * least <= found * 1000, "{name}: {found} of {exact} pieces");
        assert!(goals * least.min(990) <= scored * 1000, "{name}: {scored} of {goals} goals");
    }
}

//! The searches on positions of real games, if available.

use std::path::PathBuf;

use surus_geometry::Fidelity::Extended;
use surus_geometry::search::{SearchStats, all_captures, goal_in_one_turn};
use surus_rules::{Handicap, Record};

#[test]
fn captures_and_goals_of_real_games_agree_with_tactics() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/allgames202602.txt");
    let Ok(bytes) = std::fs::read(file) else {
        println!("SKIPPED: no ../shared");
        return;
    };
    let games = surus_record::parse_games(&String::from_utf8_lossy(&bytes)).unwrap();
    let (mut found, mut exact, mut goals, mut scored) = (0, 0, 0, 0);
    for source in games.iter().step_by(3) {
        let Ok(replay) = Record::parse(&source.record).and_then(|r| r.replay(source.rules, Handicap::None))
        else {
            continue;
        };
        for entry in replay.game.entries().iter().skip(1).step_by(3) {
            let (board, side) = (entry.board, entry.tag.side.other());
            let captures = all_captures(&board, side, 4, Extended, &mut SearchStats::default());
            let all = surus_tactics::captures(&board, side, 4);
            for capture in &captures {
                assert!(all.iter().any(|one| one.square == capture.square), "{board:?} {capture:?}");
            }
            found += captures.len();
            exact += all.iter().count();
            let goal = goal_in_one_turn(&board, side, 4, Extended, &mut SearchStats::default()).is_some();
            let exists = surus_tactics::steps_to_goal(&board, side, 4).is_some_and(|steps| steps > 0);
            assert!(exists || !goal, "{board:?} {side}");
            goals += usize::from(exists);
            scored += usize::from(goal);
        }
    }
    println!("{found} of {exact} captures, {scored} of {goals} goals");
    assert!(exact > 100 && goals > 10, "{exact} {goals}");
    assert!(exact * 999 <= found * 1000 && goals * 999 <= scored * 1000, "{found}/{exact} {scored}/{goals}");
}

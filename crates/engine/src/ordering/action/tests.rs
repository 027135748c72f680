use std::collections::BTreeSet;

use surus_rules::{Game, Rules, SplitMix};

use super::*;
use crate::ordering::FeatureKind;

fn row(context: &ActionContext, action: Action) -> Vec<u16> {
    let mut rows = FeatureRows::default();
    context.extract(action, &mut rows);
    let mut row = rows.get(0).to_vec();
    row.sort_unstable();
    row
}

fn described(position: &str, steps: &[&str]) -> BTreeSet<String> {
    let game = Game::from_text(position, Rules::Official).unwrap();
    let steps: Vec<Step> = steps.iter().map(|step| step.parse().unwrap()).collect();
    let action = Action { first: steps[0], second: steps.get(1).copied() };
    let board = game.position().board();
    let context = ActionContext::new(board, board, game.side(), 4, None, &History::default());
    row(&context, action).iter().map(|&id| FeatureKind::Action.layout().describe(id.into())).collect()
}

#[test]
fn push_onto_an_unguarded_trap_has_the_features_of_a_capture() {
    let position = format!("g [{:26}rD{:34}E ]", "", "");
    let features = described(&position, &["rc5n", "Dd5w"]);
    for expected in [
        "victim: rabbit, c5/f5, forward",
        "displacement: push, dog, rabbit",
        "capture: enemy rabbit",
        "steps left: push or pull, dog, 4",
    ] {
        assert!(features.contains(expected), "{expected} is missing: {features:?}");
    }
}

#[test]
fn features_are_the_same_for_mirrored_and_side_flipped_actions() {
    let mut random = SplitMix::new(7);
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let mut game = Game::from_text(start, Rules::Official).unwrap();
    let mut compared = 0;
    for _ in 0..40 {
        let (board, side) = (*game.position().board(), game.side());
        let history = History::of_game(&game);
        let transformed = |change: fn(&Board) -> Board,
                           side: Side,
                           steps_left: u8,
                           last: Option<Action>,
                           board: &Board,
                           start: &Board| {
            let boards =
                [history.before_opponent, history.before_own].map(|board| board.as_ref().map(change));
            let history = History { before_opponent: boards[0], before_own: boards[1] };
            ActionContext::new(&change(start), &change(board), side, steps_left, last, &history)
        };
        let with = |action: Action, change: fn(Step) -> Step| Action {
            first: change(action.first),
            second: action.second.map(change),
        };
        let mut first = Vec::new();
        board.for_each_action(side, 4, |action| first.push(action));
        let Some(&last) = first.get(random.next_u64() as usize % first.len().max(1)) else { break };
        let next = board.after_action(last);
        let left = 4 - last.len();
        let original = ActionContext::new(&board, &next, side, left, Some(last), &history);
        let mirrored =
            transformed(Board::mirrored, side, left, Some(with(last, Step::mirrored)), &next, &board);
        let flipped =
            transformed(Board::flipped, side.other(), left, Some(with(last, Step::flipped)), &next, &board);
        next.for_each_action(side, left, |action| {
            let expected = row(&original, action);
            assert_eq!(
                expected,
                row(&mirrored, with(action, Step::mirrored)),
                "{board:?} {last:?} {action:?}"
            );
            assert_eq!(expected, row(&flipped, with(action, Step::flipped)), "{board:?} {last:?} {action:?}");
            compared += 1;
        });
        let turns = game.legal_turns();
        let Some(turn) = turns.get(random.next_u64() as usize % turns.len().max(1)) else { break };
        game.play(turn).unwrap();
        if game.result().is_some() {
            break;
        }
    }
    assert!(compared > 500, "{compared}");
}

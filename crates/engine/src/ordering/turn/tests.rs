use std::collections::BTreeSet;

use surus_rules::{DistinctTurns, Game, Rules, SplitMix, Turn};

use super::*;
use crate::ordering::FeatureKind;

/// The game after a turn from a position, with the row of the turn's features.
fn features_of(position: &str, turn: &str) -> BTreeSet<String> {
    let game = Game::from_text(position, Rules::Official).unwrap();
    let mut after = game.clone();
    after.play_text(turn).unwrap();
    let board = game.position().board();
    let context = TurnContext::new(board, game.side(), &History::default());
    let steps = turn.split_whitespace().filter(|step| !step.ends_with('x')).count();
    let mut rows = FeatureRows::default();
    context.extract(after.position().board(), steps, &mut rows);
    rows.get(0).iter().map(|&id| FeatureKind::Turn.layout().describe(id.into())).collect()
}

fn has(features: &BTreeSet<String>, expected: &str) -> bool {
    features.iter().any(|feature| feature.starts_with(expected))
}

/// A position from its ranks, the eighth first, with dots for empty squares.
fn position(side: char, ranks: [&str; 8]) -> String {
    format!("{side} [{}]", ranks.concat().replace('.', " "))
}

/// Figure 2 of [Phase §2]: the rabbits on d4 and e5 are frozen, and the dog on g3 can capture the rabbit on f4 in three
/// steps.
const FIGURE_2: [&str; 8] =
    ["r.......", "........", "....c...", "....R...", "..eR.r..", "......D.", "........", "......E."];

#[test]
fn figure_2_has_two_frozen_rabbits_and_a_capture_in_three_steps() {
    let figure = position('g', FIGURE_2);
    let game = Game::from_text(&figure, Rules::Official).unwrap();
    let view = View::new(game.position().board(), Side::Gold);
    let frozen: Vec<String> = crate::ordering::view::squares(view.frozen[0])
        .filter_map(|index| surus_rules::Square::new(index as u8))
        .map(|square| square.to_string())
        .collect();
    assert_eq!((frozen, view.frozen[1]), (vec!["d4".into(), "e5".into()], 0));
    let waiting = features_of(&figure, "Eg1w");
    assert!(has(&waiting, "capture threat: rabbit, kept, 3"), "{waiting:?}");
    let away = features_of(&figure, "Dg3s Dg2e Dh2s");
    assert!(has(&away, "capture threat: rabbit, dropped, 3"), "{away:?}");
    let capture = features_of(&figure, "Dg3n rf4s rf3x Dg4w");
    assert!(has(&capture, "capture: enemy rabbit, 1"), "{capture:?}");
    assert!(has(&capture, "source: enemy rabbit, c4/f4") && !has(&capture, "destination: enemy rabbit"));
    assert!(!has(&capture, "capture threat: rabbit"), "{capture:?}");
    let mut elsewhere = FIGURE_2;
    (elsewhere[5], elsewhere[6]) = ("........", ".......D");
    let made = features_of(&position('g', elsewhere), "Dh2n Dh3w");
    assert!(has(&made, "capture threat: rabbit, made, 3"), "{made:?}");
}

#[test]
fn freezing_and_thawing_are_seen_from_both_sides() {
    let frozen = features_of(&position('g', FIGURE_2), "Eg1w Ef1n Ef2n");
    assert!(has(&frozen, "freezing: enemy frozen, rabbit"), "{frozen:?}");
    let mut without_rabbit = FIGURE_2;
    without_rabbit[4] = "..eR....";
    let helped = features_of(&position('g', without_rabbit), "Dg3n Dg4n Dg5w");
    assert!(has(&helped, "freezing: own thawed, rabbit"), "{helped:?}");
    assert!(has(&helped, "freezing square: own thawed, d5/e5"), "{helped:?}");
    let left = features_of(&position('s', FIGURE_2), "ce6n");
    assert!(has(&left, "freezing: enemy thawed, rabbit"), "{left:?}");
}

#[test]
fn goals_are_threatened_allowed_and_reached() {
    let ranks =
        ["........", "........", "R.......", ".r......", ".......E", "........", "........", "R......."];
    let turn = |text: &str| features_of(&position('g', ranks), text);
    let threat = turn("Ra6e");
    assert!(has(&threat, "goal threat: with threat before, 2"), "{threat:?}");
    assert!(has(&threat, "goal allowed: with threat before, 4"), "{threat:?}");
    let goal = turn("Ra6n Ra7n");
    assert!(has(&goal, "goal reached: own") && has(&goal, "rabbit advance: 2"), "{goal:?}");
    let guarded = turn("Eh4w Eg4w Ef4w Ee4w");
    assert!(!has(&guarded, "goal reached"), "{guarded:?}");
}

/// A position after random turns from an opening, with its history.
fn random_game(seed: u64, turns: u32) -> Game {
    let mut random = SplitMix::new(seed);
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let mut game = Game::from_text(start, Rules::Official).unwrap();
    for _ in 0..turns {
        let legal = game.legal_turns();
        let Some(turn) = legal.get(random.next_u64() as usize % legal.len().max(1)) else { break };
        let before = game.clone();
        game.play(turn).unwrap();
        if game.result().is_some() {
            return before;
        }
    }
    game
}

fn sorted_row(context: &TurnContext, board: &Board, steps: usize) -> Vec<u16> {
    let mut rows = FeatureRows::default();
    context.extract(board, steps, &mut rows);
    let mut row = rows.get(0).to_vec();
    row.sort_unstable();
    row
}

#[test]
fn features_are_the_same_for_mirrored_and_side_flipped_turns() {
    let mut compared = 0;
    for seed in 0..12 {
        let game = random_game(seed, 10 + 6 * seed as u32);
        let (board, side, history) = (game.position().board(), game.side(), History::of_game(&game));
        assert!(history.before_opponent.is_some() && history.before_own.is_some());
        let transformed = |change: fn(&Board) -> Board, side: Side| {
            let boards =
                [history.before_opponent, history.before_own].map(|board| board.as_ref().map(change));
            let history = History { before_opponent: boards[0], before_own: boards[1] };
            TurnContext::new(&change(board), side, &history)
        };
        let original = TurnContext::new(board, side, &history);
        let mirrored = transformed(Board::mirrored, side);
        let flipped = transformed(Board::flipped, side.other());
        let turns = DistinctTurns::new(game.position(), game.turn_start(), Turn::MAX as u8);
        for (turn, end) in turns.iter().step_by(97) {
            let row = sorted_row(&original, end, turn.len());
            assert_eq!(row, sorted_row(&mirrored, &end.mirrored(), turn.len()), "{board:?} {turn}");
            assert_eq!(row, sorted_row(&flipped, &end.flipped(), turn.len()), "{board:?} {turn}");
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn order_of_steps_does_not_matter() {
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    assert_eq!(features_of(start, "Ee2n Ha2n Ee3n Hh2n"), features_of(start, "Hh2n Ee2n Ee3n Ha2n"));
}

#[test]
fn each_feature_is_counted_once_and_described() {
    let game = random_game(5, 30);
    let context = TurnContext::new(game.position().board(), game.side(), &History::of_game(&game));
    let layout = FeatureKind::Turn.layout();
    let turns = DistinctTurns::new(game.position(), game.turn_start(), Turn::MAX as u8);
    for (turn, end) in turns.iter().step_by(50) {
        let row = sorted_row(&context, end, turn.len());
        assert!(row.windows(2).all(|pair| pair[0] < pair[1]), "{turn}: {row:?}");
        assert!(row.iter().all(|&id| usize::from(id) < layout.dimension()));
        assert!(row.len() >= 5, "{turn}: {row:?}");
    }
    assert_eq!(layout.describe(0), "source: own rabbit, a1/h1");
    let last = layout.groups.last().unwrap();
    assert_eq!(layout.describe(layout.dimension() - 1), last.describe(last.len() - 1));
    assert_eq!(layout.describe(layout.dimension()), "");
}

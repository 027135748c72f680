//! PlayoutPolicy: how long, from what, by what.

use surus_rules::{Board, PackedAction, Side};

use super::*;
use crate::common::action_list::ActionList;
use crate::common::math::fixed;
use crate::mcts::history::History;
use crate::mcts::playout::{PlayoutContext, PlayoutPolicy, PlayoutState};

/// Many playouts from the middlegame: their results, and what was counted.
fn many(values: &str, count: u64) -> (Vec<f32>, PlayoutContext) {
    many_with(values, 4, count)
}

/// The same with `left` steps left in the first turn.
fn many_with(values: &str, left: u8, count: u64) -> (Vec<f32>, PlayoutContext) {
    let config = config_of(values);
    let (playouts, mut context) = (PlayoutPolicy::new(&config, true), PlayoutContext::new(&config, 3));
    let position = *game(MIDDLE).position();
    let run = PlayoutState {
        board: *position.board(),
        side: position.side(),
        steps_left: left,
        last_action: PackedAction::NONE,
    };
    ((0..count).map(|_| playouts.play(run, &mut context, &History::new(false, false))).collect(), context)
}

#[test]
fn playouts_have_the_length_that_is_asked_for() {
    let turns = |values: &str| many(&format!("advisor=false,{values}"), 2000).1.turns as f64 / 2000.0;
    assert!((turns("") - 2.5).abs() < 0.1, "{}", turns(""));
    assert_eq!(turns("playout_min_turns=0,playout_max_turns=0"), 0.0);
    assert_eq!(turns("playout_min_turns=3,playout_max_turns=3"), 3.0);
    let config = "advisor=false,playout_length=full";
    let (results, context) = many(config, 30);
    assert!(context.turns > 300);
    assert!(
        results.iter().filter(|result| result.abs() == 1.0).count() > 20,
        "most reach the end of the game"
    );
}

#[test]
fn few_pieces_take_part_in_a_turn_where_a_turn_is_generated() {
    // With one piece chosen and knowledge off, a turn changes the squares of one own piece only, and those of what it
    // displaces.
    let moved = |values: &str| {
        let config = config_of(&format!(
            "advisor=false,playout_knowledge=false,playout_min_turns=1,playout_max_turns=1,{values}"
        ));
        let (playouts, mut context) = (PlayoutPolicy::new(&config, true), PlayoutContext::new(&config, 3));
        let position = *game(MIDDLE).position();
        let mut most = 0;
        for _ in 0..500 {
            let mut run = PlayoutState {
                board: *position.board(),
                side: position.side(),
                steps_left: 4,
                last_action: PackedAction::NONE,
            };
            playouts.turn(&mut run, &mut context, &History::new(false, false));
            let left = position.board().by_side(Side::Gold) & !run.board.by_side(Side::Gold);
            most = most.max(left.len());
        }
        most
    };
    assert!(
        moved("playout_min_pieces=1,playout_max_pieces=1") <= 2,
        "a piece, and a friend that it leaves on a trap"
    );
    assert!(moved("playout_generation=steps") > 3);
}

/// How often a turn of a playout loses an own piece.
fn losses(values: &str) -> usize {
    let config = config_of(&format!("advisor=false,playout_generation=steps,{values}"));
    let position = *game(MIDDLE).position();
    let playouts = PlayoutPolicy::new(&config, true).with_learned_values(&config, position.board());
    let mut context = PlayoutContext::new(&config, 5);
    let count = |board: &Board| board.by_side(Side::Gold).len();
    (0..2000)
        .filter(|_| {
            let mut run = PlayoutState {
                board: *position.board(),
                side: position.side(),
                steps_left: 4,
                last_action: PackedAction::NONE,
            };
            playouts.turn(&mut run, &mut context, &History::new(false, false));
            count(&run.board) < count(position.board())
        })
        .count()
}

#[test]
fn knowledge_keeps_playouts_from_giving_pieces_away() {
    let (with, without) = (losses("playout_candidates=10"), losses("playout_knowledge=false"));
    assert!(2 * with < without, "{with} {without}");
    assert!(losses("playout_candidates=10") < losses("playout_candidates=2"), "more candidates, more choice");
    let roulette = losses("playout_candidates=10,playout_selection=roulette");
    assert!(with < roulette && roulette < without, "{with} {roulette} {without}");
    let learned = losses("playout_candidates=10,playout_values=model");
    assert!(2 * learned < without, "{learned} {without}");
}

#[test]
fn the_advisor_is_asked_as_often_as_it_may_be() {
    let numbers = |values: &str| searched(values, 3000).stats();
    let queries = numbers("");
    // Only whole turns ask: less than a fifth of all, some of which begin in the middle.
    let share = queries.queries as f64 / queries.turns as f64;
    assert!((0.1..0.22).contains(&share), "{share}");
    assert!(queries.hits > 0 && queries.sequences > 0);
    assert_eq!(numbers("advisor=false").queries, 0);
    let often = numbers("advisor_probability=0.8");
    assert!(2 * queries.hits < often.hits);
}

/// 4.4.1: to the end of the game, one more rabbit weighs far more against an elephant than in a short playout.
#[test]
fn whole_playouts_think_more_of_a_rabbit_beside_an_elephant() {
    let position = *game("g [rrrrrrr hdcemcdh                                HDCM CDHRRRRRRRR]").position();
    let value = |values: &str| engine(&format!("advisor=false,{values}")).playout_win_rate(&position, 400);
    assert!(value("") < 0.4, "{}", value(""));
    let plain =
        value("playout_length=full,playout_knowledge=false,playout_generation=steps,goal_check=false");
    assert!(value("") + 0.1 < plain, "{plain}");
}

#[test]
fn a_playout_may_end_the_turn_in_which_it_begins() {
    let values = "playout_generation=steps,playout_knowledge=false,advisor=false,playout_min_turns=1,playout_max_turns=1";
    let steps = |left: u8| many_with(values, left, 2000).1.steps;
    assert!((1..2000).contains(&steps(1)), "{}", steps(1));
    assert!(steps(4) >= 2000, "but a whole turn is not passed");
}

#[test]
fn what_follows_an_advised_turn_knows_its_last_step() {
    let config = config_of("advisor_probability=1");
    let (playouts, mut context) = (PlayoutPolicy::new(&config, true), PlayoutContext::new(&config, 3));
    // The elephant can push the dog into c6.
    let board =
        *game("g [rrrrrrrr                  d       E                     RRRRRRRR]").position().board();
    context.advisor.add_captures(&board);
    let mut run = PlayoutState { board, side: Side::Gold, steps_left: 4, last_action: PackedAction::NONE };
    playouts.turn(&mut run, &mut context, &History::new(false, false));
    assert_eq!((context.advisor.hits, run.last_action.from()), (1, Some("c5".parse().unwrap())));
}

#[test]
fn the_history_of_the_tree_guides_playouts() {
    let config = config_of(
        "advisor=false,playout_history=50,playout_generation=steps,playout_candidates=64,playout_min_turns=1,playout_max_turns=1",
    );
    let (playouts, mut context) = (PlayoutPolicy::new(&config, true), PlayoutContext::new(&config, 3));
    let position = *game(MIDDLE).position();
    let mut chosen = |history: &History| -> Vec<PackedAction> {
        let play = |_| {
            let mut run = PlayoutState {
                board: *position.board(),
                side: Side::Gold,
                steps_left: 1,
                last_action: PackedAction::NONE,
            };
            playouts.turn(&mut run, &mut context, history);
            run.last_action
        };
        (0..40).map(play).collect()
    };
    let (none, some) = (History::new(true, true), History::new(true, true));
    let without = chosen(&none);
    let mut actions = ActionList::new();
    actions.add_all(position.board(), Side::Gold, 1);
    let favourite = *actions.as_mut().iter().find(|action| !without.contains(action)).unwrap();
    some.add(PackedAction::NONE, favourite, fixed(1.0));
    // Half of the actions are candidates.
    let with = chosen(&some).into_iter().filter(|&action| action == favourite).count();
    assert!((8..=32).contains(&with), "{with} of 40");
    assert_eq!(some.reply_mean(PackedAction::NONE, favourite), 1.0);
    assert_eq!(some.reply_mean(favourite, favourite), 0.0, "another preceding action is another reply");
}

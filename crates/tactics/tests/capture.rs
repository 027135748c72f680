//! Captures, eliminations, immobilisations and defences: one case for every kind.

mod common;

use common::{board, position};
use surus_rules::{Position, Side};
use surus_tactics::{
    GoalDefence, captures, captures_from, elimination, elimination_from, goal_defences, immobilisation_from,
};

/// What gold can capture: piece and square, trap, steps.
fn gold(words: &str) -> String {
    let found = captures(&board(words), Side::Gold, 4);
    let mut all: Vec<String> =
        found.iter().map(|c| format!("{}{} {} {}", c.piece.letter(), c.square, c.trap, c.steps)).collect();
    assert_eq!(found.squares().len() as usize, found.len());
    all.sort();
    all.join(", ")
}

#[test]
fn a_piece_is_pushed_or_pulled_into_a_trap() {
    assert_eq!(gold("rd6 Ce6"), "rd6 c6 2");
    assert_eq!(gold("rd6 Cc6 Rc5"), "rd6 c6 2");
    assert_eq!(gold("rd6 Ce5"), "rd6 c6 3");
    assert_eq!(gold("rd6 Cf5"), "rd6 c6 4");
    assert_eq!(gold("cd6 Ce6"), "");
    assert_eq!(gold("rd5 Ce5"), "rd5 c6 4");
    assert_eq!(gold("rd8 Ce8"), "");
}

#[test]
fn guards_must_go_first() {
    // The other trap has none.
    assert_eq!(gold("rd6 rc7 Ce6"), "rd6 f6 4");
    assert_eq!(gold("rd6 rc7 Ce6 Cb7"), "rc7 c6 4, rd6 c6 4");
    assert_eq!(gold("rc6 rc7 Cb7"), "rc6 c6 2");
    assert_eq!(gold("rc6 rc7 rd6 Cb7 Ce6"), "rc6 c6 4, rd6 f6 4");
    assert_eq!(gold("rc6 rc7 rd6 rb6 Cb7 Cc5"), "");
}

#[test]
fn equal_pieces_are_told_apart_by_where_they_stand() {
    // Each of the rabbits can go into its own trap; the camel has time for one of them.
    assert_eq!(gold("rd6 re6 Md7"), "rd6 c6 2, re6 f6 3");
}

#[test]
fn an_open_pull_is_finished_and_its_squares_are_those_of_now() {
    let after = position("rd6 Cc6 Rc5", Side::Gold, "Cc6w");
    let found = captures_from(&after);
    assert_eq!(found.len(), 1);
    let (square, steps) = (found[0].square.to_string(), found[0].steps);
    assert_eq!((square.as_str(), steps, found[0].turn.to_string().as_str()), ("d6", 1, "rd6w"));
}

#[test]
fn one_or_two_last_rabbits_can_be_eliminated() {
    let line = |words| elimination(&board(words), Side::Gold, 4).map(|line| line.len());
    assert_eq!(line("rd6 Ce6 ea1"), Some(2));
    assert_eq!(line("rd6 Cd7 re3 Ce2 ea1"), Some(4));
    assert_eq!(line("rd6 Cd7 re3 Ce2 ra1"), None);
    assert_eq!(line("ea1"), Some(0));
    let after = position("rd6 Cc6 Rc5 re3 Ce2", Side::Gold, "Cc6w");
    assert_eq!(elimination_from(&after).map(|line| line.len()), Some(3));
}

#[test]
fn the_last_free_piece_is_frozen_or_shut_in() {
    let line = |words| {
        let start = board(words);
        immobilisation_from(&Position::new(start, Side::Gold).unwrap(), &start).map(|line| line.len())
    };
    assert_eq!(line("ra2 Ca4 Rh1"), Some(1));
    assert_eq!(line("ra2 Ca6 Rh1"), Some(3));
    assert_eq!(line("ra2 Ca7 Rh1"), Some(4));
    assert_eq!(line("ra2 Ca8 Rh1"), None);
    assert_eq!(line("ra2 ch8 Ca4 Rh1"), None);
}

#[test]
fn a_threatened_goal_is_stopped_in_the_fewest_steps_or_not_at_all() {
    let silver = |words| {
        let start = board(words);
        match goal_defences(&Position::new(start, Side::Silver).unwrap(), &start) {
            GoalDefence::NoThreat => "no threat".to_string(),
            GoalDefence::Turns(turns) => turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            GoalDefence::Unstoppable => "none".to_string(),
        }
    };
    assert_eq!(silver("Ra3 rh8"), "no threat");
    assert_eq!(silver("Ra7 rh8"), "none");
    assert_eq!(silver("Ra7 cd7"), "cd7w cc7w");
    // Silver's own goal is a defence too.
    assert_eq!(silver("Ra7 rh2"), "rh2s");
}

//! Captures, eliminations, immobilisations and defences: one case for every kind.

mod common;

use common::{board, position};
use surus_rules::{Position, Side, Turn};
use surus_tactics::{
    Defences, all_goal_defences, capture_defences, captures, captures_from, elimination, elimination_from,
    goal_defences, immobilisation_from,
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
            Defences::NoThreat => "no threat".to_string(),
            Defences::Turns(turns) => turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            Defences::Unstoppable => "none".to_string(),
        }
    };
    assert_eq!(silver("Ra3 rh8"), "no threat");
    assert_eq!(silver("Ra7 rh8"), "none");
    assert_eq!(silver("Ra7 cd7"), "cd7w cc7w");
    // Silver's own goal is a defence too.
    assert_eq!(silver("Ra7 rh2"), "rh2s");
}

/// How silver saves its piece on a square.
fn saves(words: &str, square: &str) -> String {
    let start = board(words);
    let position = Position::new(start, Side::Silver).unwrap();
    match capture_defences(&position, &start, square.parse().unwrap()) {
        Defences::NoThreat => "no threat".to_string(),
        Defences::Unstoppable => "none".to_string(),
        Defences::Turns(turns) => {
            let mut turns: Vec<String> = turns.iter().map(ToString::to_string).collect();
            turns.sort();
            turns.join(", ")
        }
    }
}

#[test]
fn a_threatened_piece_is_saved_in_the_fewest_steps_or_not_at_all() {
    assert_eq!(saves("rd6 Rh1", "d6"), "no threat");
    assert_eq!(saves("rd6 Ce6 Rh1", "a1"), "no threat");
    // It leaves, but not to the other trap.
    assert_eq!(saves("cd6 De8 Rh1 Ra2", "d6"), "cd6n, cd6s");
    // Frozen: guarding one trap is not enough, because the other one is near; a friend lets it step away.
    assert_eq!(saves("rd6 Ce6 rc8 Rh1", "d6"), "rc8e rd8s rd6s, rc8s rc7s rd6s");
    assert_eq!(saves("rd6 Ce6 Rh1", "d6"), "none");
    // Silver's own goal comes first.
    assert_eq!(saves("rd6 Ce6 ra2 Rh1", "d6"), "ra2s");
}

#[test]
fn the_published_wrong_defence_is_not_needed() {
    let text = "s [rrrrrrrrdh emchd   c       E                    DHC MCHRRRRRDRRR]";
    let position: Position = text.parse().unwrap();
    let defences = capture_defences(&position, position.board(), "d6".parse().unwrap());
    let mut turns: Vec<String> = defences.turns().iter().map(ToString::to_string).collect();
    turns.sort();
    assert_eq!(turns, ["cd6e", "ed7w", "hb7e", "hb7s", "rc8s"]);
}

#[test]
fn saving_follows_the_piece_and_not_its_kind() {
    // The cat steps away and another one may take its place, where it is lost instead.
    let start = board("cd6 cd7 De6 Rh1 ra8");
    let position = Position::new(start, Side::Silver).unwrap();
    let defences = capture_defences(&position, &start, "d6".parse().unwrap());
    assert!(defences.turns().iter().all(|turn| turn.len() == 1), "{defences:?}");
}

#[test]
fn all_goal_defences_contain_the_shortest_and_are_ordered_by_length() {
    let start = board("Ra7 cd7 rh8 eh2");
    let position = Position::new(start, Side::Silver).unwrap();
    let (shortest, all) = (goal_defences(&position, &start), all_goal_defences(&position, &start));
    let (shortest, all) = (shortest.turns(), all.turns());
    assert_eq!(shortest.len(), 1);
    assert!(all.len() == 25 && all.is_sorted_by_key(Turn::len));
    assert_eq!(
        all.iter().filter(|turn| turn.len() == 2).map(ToString::to_string).collect::<Vec<_>>(),
        ["cd7w cc7w"]
    );
    assert_eq!(
        all_goal_defences(&Position::new(board("Ra7 rh8"), Side::Silver).unwrap(), &board("Ra7 rh8")),
        Defences::Unstoppable
    );
}

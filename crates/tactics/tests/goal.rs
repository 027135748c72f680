//! Goals: known answers, and one case for every way to help a rabbit.

mod common;

use common::{board, position, shared};
use surus_rules::{Board, Side};
use surus_tactics::{find_goal, find_goal_from, has_goal, steps_to_goal};

fn gold(words: &str) -> Option<u8> {
    let board = board(words);
    let answer = steps_to_goal(&board, Side::Gold, 4);
    // The same with sides exchanged, and in a mirror.
    assert_eq!(steps_to_goal(&board.flipped(), Side::Silver, 4), answer, "{words}");
    assert_eq!(steps_to_goal(&board.mirrored(), Side::Gold, 4), answer, "{words}");
    for steps in 0..=4 {
        assert_eq!(
            has_goal(&board, Side::Gold, steps),
            answer.is_some_and(|fewest| fewest <= steps),
            "{words}"
        );
    }
    for steps in 0..4 {
        assert_eq!(
            steps_to_goal(&board, Side::Gold, steps),
            answer.filter(|&least| least <= steps),
            "{words}"
        );
    }
    let line = find_goal(&board, Side::Gold, 4);
    assert_eq!(line.map(|line| line.len() as u8), answer, "{words}");
    answer
}

#[test]
fn the_known_positions_have_their_known_answers() {
    let Some(text) = shared("positions/goals.tsv") else { return };
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, side, squares, expected] = fields[..] else { panic!("{line}") };
        let side = Side::from_letter(side.chars().next().unwrap()).unwrap();
        let answer = steps_to_goal(&Board::from_compact(squares).unwrap(), side, 4);
        match expected {
            "no" => assert_eq!(answer, None, "{id}"),
            "yes" => assert!(answer.is_some(), "{id}"),
            steps => assert_eq!(answer, Some(steps.parse().unwrap()), "{id}"),
        }
        count += 1;
    }
    assert!(count > 200);
}

#[test]
fn a_rabbit_walks_as_far_as_the_steps_go_and_round_what_stands_in_its_way() {
    assert_eq!(gold("Rd4"), Some(4));
    assert_eq!(gold("Rd3"), None);
    assert_eq!(gold("Rd5 rd6"), Some(4));
    assert_eq!(gold("Rd4 rd6"), None);
    assert_eq!(gold("Rd8"), Some(0));
    assert_eq!(gold("Ed7"), None);
    assert_eq!(gold(""), None);
}

#[test]
fn a_trap_on_the_way_needs_a_guard() {
    assert_eq!(gold("Rc5 Cb6"), Some(3));
    // It can be guarded, or gone round.
    assert_eq!(gold("Rc5 Ca6"), Some(4));
    assert_eq!(gold("Rc5 rb5 rd5"), None);
    assert_eq!(gold("Rc5 rb5 rd5 Ca6"), Some(4));
}

#[test]
fn a_frozen_rabbit_is_freed_by_a_friend_or_by_moving_what_freezes_it() {
    assert_eq!(gold("Ra7 cb7"), None);
    assert_eq!(gold("Ra7 cb7 Ca5"), Some(2));
    assert_eq!(gold("Ra7 cb7 Rb5"), Some(3));
    // Rabbits do not step back to help.
    assert_eq!(gold("Ra6 ca7 cb6 ra8"), None);
    assert_eq!(gold("Ra7 cb7 Dc7"), Some(3));
    assert_eq!(gold("Ra7 db7 Dc5"), Some(4));
    // Freed at the next square by a friend that follows.
    assert_eq!(gold("Ra6 cb7 Ra5"), Some(3));
}

#[test]
fn blockers_step_aside_or_are_displaced() {
    assert_eq!(gold("Ra7 Ca8 rb7"), Some(2));
    assert_eq!(gold("Ra7 ra8 Cb8 rb7"), Some(3));
    assert_eq!(gold("Ra7 ra8 rb8 rb7"), None);
    // The way leads over a trap, and the cat on it can make room and guard it in one step.
    assert_eq!(gold("Rc5 Cc6 rb5 rd5"), Some(4));
}

#[test]
fn what_a_step_left_open_belongs_to_the_answer() {
    // The dog has stepped away from the cat: pulling it frees the rabbit. Further on it is too late.
    let after = position("Ra7 cb7 Dc7", Side::Gold, "Dc7e Dd7e De7e");
    assert_eq!(find_goal_from(&after), None);
    let after = position("Ra7 cb7 Dc7", Side::Gold, "Dc7e");
    assert_eq!(find_goal_from(&after).unwrap().to_string(), "cb7e Ra7n");
    // In the middle of a push nothing else can be done first.
    let after = position("Ra7 cb7 Dc7 rd7", Side::Gold, "rd7e");
    assert_eq!(find_goal_from(&after), None);
    let after = position("Ra7 rb6 Cb5", Side::Gold, "rb6e");
    assert_eq!(find_goal_from(&after).unwrap().to_string(), "Cb5n Ra7n");
    // A rabbit that stands there already has its goal when the turn ends.
    let after = position("Ra7 rb6 Cb5", Side::Gold, "Ra7n");
    assert_eq!(find_goal_from(&after).unwrap().len(), 0);
}

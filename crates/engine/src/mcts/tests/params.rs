//! Keys that other tests only touch together, each by its own statistic.

use surus_rules::{Board, PackedAction, PieceKind, Position, Side};

use super::*;
use crate::mcts::akimot_eval::AkimotEval;
use crate::mcts::history::History;
use crate::mcts::playout::{PlayoutContext, PlayoutPolicy, PlayoutState};

fn board(text: &str) -> Board {
    *text.parse::<Position>().unwrap().board()
}

fn lead(values: &str, text: &str) -> f32 {
    AkimotEval::new(&config_of(values)).raw_score(&board(text))
}

/// A hundred more for a kind is a hundred more for who has one more of it.
#[test]
fn each_kind_has_its_own_worth() {
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    for (kind, key) in [
        (PieceKind::Rabbit, "rabbit_value"),
        (PieceKind::Cat, "cat_value"),
        (PieceKind::Dog, "dog_value"),
        (PieceKind::Horse, "horse_value"),
        (PieceKind::Camel, "camel_value"),
        (PieceKind::Elephant, "elephant_value"),
    ] {
        let mut board = board(start);
        board.set(board.pieces(Side::Silver, kind).first().unwrap(), None);
        let with = |value: u32| AkimotEval::new(&config_of(&format!("{key}={value}"))).raw_score(&board);
        assert_eq!(with(400) - with(300), 100.0, "{key}");
    }
}

#[test]
fn lambda_is_the_slope_of_the_chance_to_win() {
    let text = "g [rrrrrrrr dcemcdh                                HDCMECDHRRRRRRRR]";
    let probability = |lambda: &str| {
        AkimotEval::new(&config_of(&format!("lambda={lambda}"))).evaluate(&board(text), Side::Gold)
    };
    assert_eq!(probability("0"), 0.0);
    assert!(probability("0.001") > 0.0 && probability("0.001") < probability("0.002"));
}

#[test]
fn a_piece_on_a_trap_with_one_friend_is_in_danger() {
    // A gold dog on c3 next to a cat, and the same with a second friend.
    let one = "g [rrrrrrrr                                 CD             RRRRRRRR]";
    let two = "g [rrrrrrrr                                 CDH            RRRRRRRR]";
    let change = |text: &str| lead("trap_occupied=-70", text) - lead("trap_occupied=-20", text);
    assert_eq!((change(one), change(two)), (-50.0, 0.0));
}

/// The own pieces that a turn of a playout has moved, the most and the mean of many.
fn moved(values: &str) -> (u32, f64) {
    let config = config_of(&format!("advisor=false,playout_knowledge=false,{values}"));
    let (playouts, mut context) = (PlayoutPolicy::new(&config, true), PlayoutContext::new(&config, 3));
    let position = *game(MIDDLE).position();
    let (mut most, mut sum) = (0, 0);
    for _ in 0..1000 {
        let mut run = PlayoutState {
            board: *position.board(),
            side: position.side(),
            steps_left: 4,
            last_action: PackedAction::NONE,
        };
        playouts.turn(&mut run, &mut context, &History::new(false, false));
        let left = (position.board().by_side(Side::Gold) & !run.board.by_side(Side::Gold)).len();
        most = most.max(left);
        sum += left;
    }
    (most, f64::from(sum) / 1000.0)
}

#[test]
fn the_fewest_and_the_most_pieces_of_a_turn_are_kept_each() {
    let few = moved("playout_min_pieces=1,playout_max_pieces=4");
    let many = moved("playout_min_pieces=4,playout_max_pieces=4");
    assert!(few.1 + 0.1 < many.1, "{few:?} {many:?}");
    let less = moved("playout_min_pieces=1,playout_max_pieces=2");
    assert!(less.0 < few.0 && less.1 < few.1, "{less:?} {few:?}");
}

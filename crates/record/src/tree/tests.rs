//! Trees as they are written by people, by the page, and by nobody in his right mind.

use surus_rules::{Handicap, PieceKind, Position, SplitMix, Square};

use super::reader::Reader;
use super::*;

const TREE: &str = "# Surus tree 1
# gold: Ann
position 2g [r      r                                                R   E  R]
2g Ee1nn !? (2.5s) {g:e1e3 r:c3} \"to the \\\"middle\\\"\"
[ 2g Ee1n \"shorter\"
2s ra8s ]
2s rh8s";

#[test]
fn variations_comments_marks_times_and_shapes_are_read() {
    let tree = GameTree::parse(TREE).unwrap();
    assert_eq!(tree.problem, None);
    assert_eq!((tree.gold.as_str(), tree.origin.1.to_string()), ("Ann", "2g".into()));
    let told: Vec<_> = tree.nodes.iter().map(|n| (n.parent, n.tag.to_string(), n.text.as_str())).collect();
    assert_eq!(
        told,
        [
            (None, "2g".into(), "Ee1n Ee2n"),
            (None, "2g".into(), "Ee1n"),
            (Some(1), "2s".into(), "ra8s"),
            (Some(0), "2s".into(), "rh8s")
        ]
    );
    let first = &tree.nodes[0];
    assert_eq!((first.mark, first.used), (Some("!?"), Some(Duration::from_millis(2500))));
    assert_eq!(
        (first.comment.as_str(), &first.shapes[..]),
        ("to the \"middle\"", &["g:e1e3".into(), "r:c3".into()][..])
    );
    assert_eq!(tree.record(), "2g Ee1n Ee2n\n2s rh8s\n");
}

#[test]
fn a_tree_is_read_as_far_as_it_is_right() {
    let tree = GameTree::parse(&TREE.replace("2s rh8s", "2s rh8n")).unwrap();
    assert_eq!(tree.nodes.len(), 3);
    assert_eq!(tree.problem.unwrap().to_string(), "2s: 'rh8n' leaves the board");
    assert_eq!(GameTree::parse("# Surus tree 1\n]"), Err(TreeError::NotOpen));
}

#[test]
fn what_is_not_understood_is_an_error_and_no_default() {
    let error = |text: &str| GameTree::parse(text).unwrap_err();
    assert!(matches!(error(&TREE.replace("2g [r", "2x [r")), TreeError::Position(_)));
    assert!(matches!(error(&TREE.replace("2g [r", "2g [rr")), TreeError::Position(_)));
    assert!(matches!(error(&TREE.replace("# gold: Ann", "# rules: chess")), TreeError::Rules(_)));
    let tree = GameTree::parse(&TREE.replace("(2.5s)", "(soon)")).unwrap();
    assert_eq!(tree.problem.unwrap().to_string(), "invalid time '(soon)': expected seconds, like (12.5s)");
}

/// A game of single steps in which the sides never meet, as the text of a tree.
fn long_game(turns: usize) -> (String, Game) {
    let position: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    // By these rules no turn is forbidden, and the third time a position arises the game is over.
    let mut game = Game::from_position(&position, 2, Rules::Classic2004);
    let mut text = format!("{FIRST_LINE}\n# rules: classic2004\nposition 2{position}\n");
    let mut chance = SplitMix::new(1);
    while game.entries().len() < turns {
        let mut steps = Vec::new();
        game.position().board().for_each_action(game.side(), 1, |action| steps.push(action.first));
        let apart = |square: Square| !square.is_trap() && !(3..5).contains(&square.rank());
        steps.retain(|step| step.piece().kind() != PieceKind::Rabbit && apart(step.to()));
        let step = steps[(chance.next_u64() % steps.len() as u64) as usize];
        let tag = game.tag();
        game.play_text(&step.to_string()).unwrap();
        if game.result().is_some() {
            game.undo_turn();
        } else {
            text += &format!("{tag} {step}\n");
        }
    }
    (text, game)
}

#[test]
fn work_grows_with_the_text_and_not_with_its_square() {
    const TURNS: usize = 8_000;
    const NESTED: usize = 5_000;
    let (line, _) = long_game(TURNS);
    let deep = format!("{line}{}{}", "[ ".repeat(NESTED), "] ".repeat(NESTED));
    let start = GameTree::parse(&line).unwrap();
    let position = Position::new(start.origin.0, start.origin.1.side).unwrap();
    let begin = || Game::from_position(&position, 2, start.rules);
    let mut reader = Reader::new(begin());
    reader.follow(&deep).unwrap();
    assert_eq!((reader.nodes.len(), reader.played), (TURNS, TURNS), "brackets alone play nothing");
    // Each variation replaces the turn before it, and the line goes on: two turns are played for each.
    let last = start.nodes.last().unwrap();
    let varied = format!("{line}{}", format!("[ {} {} ]\n", last.tag, last.text).repeat(NESTED));
    let mut reader = Reader::new(begin());
    reader.follow(&varied).unwrap();
    assert_eq!(reader.nodes.len(), TURNS + NESTED);
    assert!(reader.played <= TURNS + 2 * NESTED, "{} turns were played", reader.played);
}

#[test]
fn a_tree_beyond_its_limits_is_read_up_to_them() {
    let (line, _) = long_game(1);
    let turn = line.lines().last().unwrap();
    let read = |text: &str| {
        let tree = GameTree::parse(text).unwrap();
        (tree.nodes.len(), tree.problem)
    };
    let deep = format!("{line}{}", format!("[ {turn} ").repeat(MAX_DEPTH + 1));
    assert_eq!(read(&deep), (MAX_DEPTH + 1, Some(TreeError::TooDeep.into())));
    let wide = format!("{line}{}", format!("[ {turn} ]").repeat(MAX_NODES));
    assert_eq!(read(&wide), (MAX_NODES, Some(TreeError::TooManyTurns.into())));
    let long = "x".repeat(MAX_BYTES + 1);
    assert_eq!(GameTree::parse(&long), Err(TreeError::TooLong(MAX_BYTES + 1)));
}

#[test]
fn a_game_without_variations_is_a_tree_and_gives_its_record() {
    let game = Game::new(Rules::Official, Handicap::None);
    assert_eq!(GameTree::of_game(&game).record(), "");
    let (_, game) = long_game(9);
    let tree = GameTree::of_game(&game);
    let written: String = game.to_string().lines().take(9).map(|line| format!("{line}\n")).collect();
    assert_eq!((tree.nodes.len(), tree.record()), (9, written));
}

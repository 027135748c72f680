//! Trees with all features, with errors, and of extreme size.

use surus_rules::{Handicap, PieceKind, Position, SplitMix, Square};

use super::reader::TreeParser;
use super::*;

const TREE: &str = "# Surus tree 1
# gold: Ann
position 2g [r      r                                                R   E  R]
2g Ee1nn !? (2.5s) {g:e1e3 r:c3} \"to the \\\"middle\\\"\"
[ 2g Ee1n \"shorter\"
2s ra8s ]
2s rh8s";

#[test]
fn variations_comments_glyphs_times_and_shapes_are_parsed() {
    let tree = GameTree::parse(TREE).unwrap();
    assert_eq!(tree.problem, None);
    assert_eq!((tree.gold.as_str(), tree.origin.1.to_string()), ("Ann", "2g".into()));
    let nodes: Vec<_> = tree.nodes.iter().map(|n| (n.parent, n.tag.to_string(), n.text.as_str())).collect();
    assert_eq!(
        nodes,
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
fn a_tree_is_parsed_up_to_its_first_error() {
    let tree = GameTree::parse(&TREE.replace("2s rh8s", "2s rh8n")).unwrap();
    assert_eq!(tree.nodes.len(), 3);
    assert_eq!(tree.problem.unwrap().to_string(), "2s: 'rh8n' leaves the board");
    assert_eq!(GameTree::parse("# Surus tree 1\n]"), Err(TreeError::NotOpen));
}

#[test]
fn invalid_headers_and_times_are_errors() {
    let error = |text: &str| GameTree::parse(text).unwrap_err();
    assert!(matches!(error(&TREE.replace("2g [r", "2x [r")), TreeError::Position(_)));
    assert!(matches!(error(&TREE.replace("2g [r", "2g [rr")), TreeError::Position(_)));
    assert!(matches!(error(&TREE.replace("# gold: Ann", "# rules: chess")), TreeError::Rules(_)));
    let tree = GameTree::parse(&TREE.replace("(2.5s)", "(soon)")).unwrap();
    assert_eq!(tree.problem.unwrap().to_string(), "invalid time '(soon)': expected seconds, like (12.5s)");
}

/// A game of single steps without contact between the sides, as the text of a tree.
fn long_game(turns: usize) -> (String, Game) {
    let position: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    // These rules allow every repetition; the third occurrence of a position ends the game.
    let mut game = Game::from_position(&position, 2, Rules::Classic2004);
    let mut text = format!("{FIRST_LINE}\n# rules: classic2004\nposition 2{position}\n");
    let mut rng = SplitMix::new(1);
    while game.entries().len() < turns {
        let mut steps = Vec::new();
        game.position().board().for_each_action(game.side(), 1, |action| steps.push(action.first));
        let away_from_enemies = |square: Square| !square.is_trap() && !(3..5).contains(&square.rank());
        steps.retain(|step| step.piece().kind() != PieceKind::Rabbit && away_from_enemies(step.to()));
        let step = steps[(rng.next_u64() % steps.len() as u64) as usize];
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
fn parsing_takes_linear_time() {
    const TURNS: usize = 8_000;
    const NESTED: usize = 5_000;
    let (line, _) = long_game(TURNS);
    let deep = format!("{line}{}{}", "[ ".repeat(NESTED), "] ".repeat(NESTED));
    let start = GameTree::parse(&line).unwrap();
    let position = Position::new(start.origin.0, start.origin.1.side).unwrap();
    let start_game = || Game::from_position(&position, 2, start.rules);
    let mut parser = TreeParser::new(start_game());
    parser.parse(&deep).unwrap();
    assert_eq!((parser.nodes.len(), parser.played), (TURNS, TURNS), "brackets alone play nothing");
    // Each variation replaces the preceding turn, and the line continues: two turns are played per variation.
    let last = start.nodes.last().unwrap();
    let varied = format!("{line}{}", format!("[ {} {} ]\n", last.tag, last.text).repeat(NESTED));
    let mut parser = TreeParser::new(start_game());
    parser.parse(&varied).unwrap();
    assert_eq!(parser.nodes.len(), TURNS + NESTED);
    assert!(parser.played <= TURNS + 2 * NESTED, "{} turns were played", parser.played);
}

#[test]
fn a_tree_is_truncated_at_its_limits() {
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
fn a_game_without_variations_round_trips() {
    let game = Game::new(Rules::Official, Handicap::None);
    assert_eq!(GameTree::from_game(&game).record(), "");
    let (_, game) = long_game(9);
    let tree = GameTree::from_game(&game);
    let written: String = game.to_string().lines().take(9).map(|line| format!("{line}\n")).collect();
    assert_eq!((tree.nodes.len(), tree.record()), (9, written));
}

//! The sentences of explanations.

#[path = "../../geometry/tests/common/mod.rs"]
mod common;

use std::path::PathBuf;

use common::{CASE_1, board};
use surus_explain::svg::{SvgOverlay, svg, visible_symbols};
use surus_explain::{
    Claim, MAX_ANSWERS, NotLegal, Remark, Response, Topic, Win, explain_game, explain_position, explain_turn,
};
use surus_rules::{Board, Game, PlayedTurn, Position, Side, Turn};

fn turn(text: &str) -> Turn {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn texts(remarks: &[Remark]) -> Vec<&str> {
    remarks.iter().map(|remark| remark.text.as_str()).collect()
}

/// The remarks at the start of a side's turn.
fn remarks(board: &Board, side: Side) -> Vec<Remark> {
    explain_position(&Position::new(*board, side).unwrap(), board)
}

/// The answers to a threat, as turns.
fn answers(remark: &Remark) -> Vec<String> {
    let Response::Defences { answers, .. } = &remark.response else { return Vec::new() };
    answers.iter().map(|answer| answer.turn.to_string()).collect()
}

#[test]
fn a_win_comes_first_and_is_addressed_to_the_side_to_move() {
    let remarks = remarks(&board("Rb7 hd6 Ee6 Ra1 ra8 rg2"), Side::Gold);
    assert_eq!(
        texts(&remarks),
        [
            "You can win now by a goal on b8: your rabbit on b7 steps to b8.",
            "Silver threatens to win by a goal on g1: its rabbit on g2 steps to g1.",
            "You can capture the horse on d6: your elephant on e6 pushes the horse from d6 into the trap on c6.",
        ]
    );
    assert!(matches!(remarks[0].claim, Claim::CanWin(Win::Goal { .. })));
    assert_eq!(remarks[2].response_text, "If you stop there, silver can win by a goal on g1.");
}

#[test]
fn threats_have_the_best_answer_first() {
    let remarks = remarks(&board(&format!("{CASE_1} rh8")), Side::Silver);
    assert_eq!(
        texts(&remarks),
        [
            "Gold threatens to capture your horse on h3: its elephant on h4 pushes the horse from h3 through g3 into the trap on f3.",
            "Gold threatens to capture your dog on c5: its horse on e6 comes by e5 to d5 and pushes the dog from c5 into the trap on c6.",
        ]
    );
    assert_eq!(
        remarks[0].response_text,
        "Your best answer: your cat on e2 steps to f2 and your dog on c5 steps to d5. \
         Then gold can neither win nor capture anything."
    );
    // The shortest answers save only one of the two.
    let Response::Defences { answers, steps, count } = &remarks[0].response else { panic!() };
    assert_eq!((*steps, *count, answers[1].turn.len()), (1, 1, 1));
    assert_eq!(
        answers[1].text,
        "your cat on e2 steps to f2 to guard f3. Then gold can capture your dog on c5."
    );
}

/// Silver's cat on d6 can be captured.
const CAT: &str = "s [rrrrrrrrdh emchd   c       E                    DHC MCHRRRRRDRRR]";

#[test]
fn one_step_is_offered_where_one_step_is_enough() {
    let position: Position = CAT.parse().unwrap();
    let remarks = explain_position(&position, position.board());
    assert_eq!(answers(&remarks[0]), ["cd6e", "hb7e", "hb7s", "rc8s", "ed7w"]);
    assert_eq!(
        remarks[0].sentences(),
        "Gold threatens to capture your cat on d6: its elephant on d5 pushes the cat from d6 into the trap on c6. \
         Your best answer: your cat on d6 steps to e6. Then gold can neither win nor capture anything."
    );
}

/// Game 669123 after a turn.
fn game_669123(tag: &str) -> Option<Game> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/allgames202602.txt");
    let Ok(bytes) = std::fs::read(path) else {
        println!("SKIPPED: no ../shared/games/allgames202602.txt");
        return None;
    };
    let text = String::from_utf8_lossy(&bytes);
    let row = text.lines().find(|line| line.starts_with("669123\t")).unwrap();
    let mut game = surus_record::game(&format!("{}\n{row}\n", text.lines().next().unwrap())).unwrap();
    while game.entries().last().unwrap().tag.to_string() != tag {
        game.undo_turn().unwrap();
    }
    Some(game)
}

#[test]
fn the_defence_that_was_played_is_known() {
    let Some(game) = game_669123("12g") else { return };
    let remarks = explain_game(&game).unwrap().position;
    assert!(remarks[0].text.starts_with("Gold threatens to capture your camel on f5"), "{remarks:?}");
    assert_eq!(answers(&remarks[0]).len(), MAX_ANSWERS);
    let Response::Defences { steps, .. } = remarks[0].response else { panic!() };
    let played = game_669123("12s").unwrap();
    let Some(PlayedTurn::Turn(turn)) = played.entries().last().map(|entry| entry.played) else { panic!() };
    assert!(steps <= turn.len());
    let captures = explain_game(&played).unwrap().position;
    assert!(captures.iter().all(|remark| !remark.text.contains("camel")), "{:?}", texts(&captures));
}

#[test]
fn lines_have_no_idle_steps() {
    let Some(game) = game_669123("11g") else { return };
    let remarks = explain_game(&game).unwrap().position;
    let lines: Vec<String> = remarks.iter().filter_map(|remark| Some(remark.line?.to_string())).collect();
    assert_eq!(lines, ["Ee6e Ef6s rf7s"]);
}

#[test]
fn nothing_stops_a_threat_without_a_defence() {
    let remarks = remarks(&board("Ra7 rh8 Eh1"), Side::Silver);
    assert_eq!(
        remarks[0].sentences(),
        "Gold threatens to win by a goal on a8: its rabbit on a7 steps to a8. Nothing you can do stops it."
    );
}

#[test]
fn pieces_that_hold_a_rabbit_are_named() {
    let board = board("Ra7 ra8 rb7 rb8 rc8 rd8 Rh1 Cd1 eh3");
    assert_eq!(
        texts(&remarks(&board, Side::Silver)),
        [
            "Neither side can win or capture anything within a turn.",
            "Without your rabbit on a8, gold's rabbit on a7 would reach its goal."
        ]
    );
    let gold = remarks(&board, Side::Gold);
    assert_eq!(gold[1].text, "Without the rabbit on a8, your rabbit on a7 would reach its goal now.");
}

#[test]
fn the_rest_of_a_turn_is_explained() {
    // The cat has stepped away from the dog on d6: the pull captures it.
    let start = board("dd6 Hc6 Cc5 ra8 Rh1 mh4");
    let position = Position::new(start, Side::Gold).unwrap().try_step("Hc6w".parse().unwrap()).unwrap();
    let remarks = explain_position(&position, &start);
    assert_eq!(remarks[0].text, "You can capture the dog on d6: the pull brings the dog from d6 to c6.");
    assert_eq!(remarks[0].line, Some(turn("dd6w")));
}

#[test]
fn a_turn_is_explained_by_what_it_does_ends_makes_and_leaves() {
    let start = board(&format!("{CASE_1} rh8"));
    let remarks = explain_turn(&start, Side::Gold, &turn("hh3w Eh4s hg3w Eh3w")).unwrap();
    assert_eq!(remarks[0].topic, Topic::Capture);
    assert_eq!(
        remarks[0].text,
        "It captures the horse from h3 on f3. Gold's elephant on h4 pushes the horse from h3 through g3 into the trap on f3."
    );
    let remarks = explain_turn(&start, Side::Silver, &turn("ce2e")).unwrap();
    assert_eq!(
        texts(&remarks),
        [
            "It saves the horse that gold could have captured from h3 on f3.",
            "It leaves the dog on c5: Gold's horse on e6 comes by e5 to d5 and pushes the dog from c5 into the trap on c6.",
        ]
    );
    assert_eq!(explain_turn(&start, Side::Silver, &turn("hh3n")).unwrap_err(), NotLegal);
    assert_eq!(explain_turn(&start, Side::Silver, &Turn::EMPTY).unwrap_err(), NotLegal);
}

#[test]
fn a_goal_has_a_single_remark() {
    let remarks = explain_turn(&board("Rb7 Ra1 ra8 ee2"), Side::Gold, &turn("Rb7n")).unwrap();
    assert_eq!(texts(&remarks), ["Gold's rabbit on b7 reaches its goal on b8."]);
}

#[test]
fn immobilisation_ends_the_game() {
    let start = board("Rd3 Ee4 Db6 dd5 ca6 rb5");
    let remarks = explain_turn(&start, Side::Gold, &turn("Ee4n Ee5n dd5e")).unwrap();
    assert_eq!(texts(&remarks), ["It ends the game: gold wins by immobilisation."]);
}

#[test]
fn pictures_have_straight_main_lines_arcs_and_times() {
    let board = board(CASE_1);
    let zones: Vec<_> = remarks(&board, Side::Gold).into_iter().filter_map(|remark| remark.zone).collect();
    let notes = ["1 < 2 & 3".to_string()];
    let picture =
        svg(&board, &SvgOverlay { zones: &zones[..1], title: "f3", notes: &notes, ..SvgOverlay::default() });
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.contains("1 &lt; 2 &amp; 3"));
    let paths = |colour: &str| {
        picture
            .lines()
            .filter(|line| line.starts_with("<path d=\"M") && line.contains(colour))
            .collect::<Vec<_>>()
    };
    assert!(paths("#7a3fa0").iter().any(|line| line.contains('L') && !line.contains('Q')));
    assert!(paths("#1f5fbf").iter().any(|line| line.contains('Q')));
    assert_eq!(
        picture.matches("r=\"9\"").count(),
        visible_symbols(&zones[0], &board).len(),
        "a time for each trajectory"
    );
}

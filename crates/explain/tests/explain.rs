//! The sentences of explanations, and that every turn they are based on can be played.

#[path = "../../geometry/tests/common/mod.rs"]
mod common;

use common::{CASE_1, Random, board, boards};
use surus_explain::svg::{SvgOverlay, svg, visible_symbols};
use surus_explain::{BoardAt, NotLegal, Remark, Topic, explain_position, explain_turn};
use surus_geometry::search::replay;
use surus_rules::{Board, DistinctTurns, Position, Side, Turn};

fn turn(text: &str) -> Turn {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn texts(remarks: &[Remark]) -> Vec<&str> {
    remarks.iter().map(|remark| remark.text.as_str()).collect()
}

#[test]
fn explains_the_threats_of_case_1() {
    let remarks = explain_position(&board(&format!("{CASE_1} rh8")));
    assert_eq!(
        texts(&remarks),
        [
            "Gold's elephant on h4 can push the horse from h3 through g3 into the trap on f3; silver can guard f3 with the cat \
             from e2 or guard f3 with the dog from c5 (4 steps, but it can be captured then).",
            "Gold's horse on e6 can come by e5 to d5 and push the dog from c5 into the trap on c6; silver can leave with the \
             dog from c5 to c4.",
        ]
    );
    assert!(remarks.iter().all(|remark| remark.topic == Topic::Threat && remark.zone.is_some()));
}

#[test]
fn a_run_names_its_interceptors() {
    let remarks = explain_position(&board("Rd5 Ee4 Db6 db7 ca6 rb5"));
    let runs: Vec<&Remark> = remarks.iter().filter(|remark| remark.topic == Topic::GoalRun).collect();
    assert!(
        runs[0]
            .text
            .starts_with("Gold's rabbit on d5 is 3 steps from its goal on d8; of silver the dog on b7"),
        "{runs:?}"
    );
}

#[test]
fn explains_captures_and_remaining_threats_of_a_turn() {
    let start = board(&format!("{CASE_1} rh8"));
    let remarks = explain_turn(&start, Side::Gold, &turn("hh3w Eh4s hg3w Eh3w")).unwrap();
    assert_eq!(remarks[0].topic, Topic::Capture);
    assert_eq!(
        remarks[0].text,
        "It captures the horse from h3 on f3. Gold's elephant on h4 pushes the horse from h3 through g3 into the trap on f3."
    );
    let remarks = explain_turn(&start, Side::Silver, &turn("dc5w")).unwrap();
    assert!(texts(&remarks).contains(&"It leaves the horse on h3: Gold's elephant on h4 can push the horse from h3 through g3 into the trap on f3."), "{remarks:?}");
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

/// Checks that the turn of a remark is legal on its board, and that the pieces of its zone are on that board.
fn check(remark: &Remark, before: &Board, after: &Board) {
    let board = if remark.when == BoardAt::Before { before } else { after };
    if let Some(turn) = &remark.turn
        && remark.topic != Topic::Loss
    {
        assert!(replay(board, remark.side, turn).is_some(), "{board:?} {remark:?}");
    }
    for symbol in remark.zone.iter().flat_map(|zone| &zone.symbols) {
        assert_eq!(board.piece_at(symbol.bundle.from), Some(symbol.piece), "{board:?} {remark:?}");
    }
    assert!(remark.text.ends_with('.') && !remark.text.contains("  "), "{}", remark.text);
}

#[test]
fn turns_and_zones_of_remarks_fit_their_boards() {
    let mut random = Random::new(12);
    let mut count = 0;
    for (board, side) in boards(300, 13) {
        let Ok(position) = Position::new(board, side) else { continue };
        for remark in explain_position(&board) {
            check(&remark, &board, &board);
            count += 1;
        }
        let turns = DistinctTurns::new(&position, &board, 4);
        let all: Vec<(Turn, &Board)> = turns.iter().collect();
        if all.is_empty() {
            continue;
        }
        let (turn, after) = all[random.below(all.len())];
        for remark in explain_turn(&board, side, &turn).unwrap() {
            check(&remark, &board, after);
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn pictures_have_straight_main_lines_arcs_and_times() {
    let board = board(CASE_1);
    let zones: Vec<_> = explain_position(&board).into_iter().filter_map(|remark| remark.zone).collect();
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

//! The document's two test cases, with what it claims of them beside what the rules say.

use std::fmt::Write;

use surus_explain::svg::{SvgOverlay, svg};
use surus_geometry::Fidelity::{Extended, Paper, Printed};
use surus_geometry::search::{
    SearchStats, all_captures, capture_in_one_turn, defend_all, defend_capture, goal_in_one_turn,
    goal_is_forced, replay,
};
use surus_geometry::zone::{TimeModel, Zone, ZoneKind, advance_zone, cut_zones};
use surus_rules::{Bitboard, Board, DistinctTurns, Piece, Position, Side, Square, Step, Turn};

/// A silver rabbit is added to each, or silver would have lost before the first step.
const CASE_1: &str = "He6 Eh4 Ce3 Rf1 hf7 hh3 dc5 ce2 rh8";
const CASE_2: &str = "Rd3 Ee4 Db6 db7 ca6 rb5";

/// The part of the page about them, and its figures.
pub(super) fn render() -> (String, Vec<(String, String)>) {
    let mut text = String::new();
    let mut figures = Vec::new();
    case_1(&mut text, &mut figures);
    case_2(&mut text, &mut figures);
    (text, figures)
}

fn board(words: &str) -> Board {
    let place = |word: &str| {
        let mut letters = word.chars();
        let piece = letters.next().and_then(Piece::from_letter)?;
        Some((letters.as_str().parse::<Square>().ok()?, piece))
    };
    words.split_whitespace().filter_map(place).collect()
}

fn turn(text: &str) -> Turn {
    text.split_whitespace().filter_map(|word| word.parse::<Step>().ok()).collect()
}

fn figure(
    figures: &mut Vec<(String, String)>,
    name: &str,
    board: &Board,
    zone: &Zone,
    title: &str,
) -> String {
    let picture =
        svg(board, &SvgOverlay { zones: std::slice::from_ref(zone), title, ..SvgOverlay::default() });
    figures.push((format!("{name}.svg"), picture));
    format!("![{title}]({name}.svg)\n\n")
}

fn pieces(board: &Board, squares: Bitboard) -> String {
    let named = squares.into_iter().filter_map(|s| Some(format!("{}{s}", board.piece_at(s)?.letter())));
    named.collect::<Vec<_>>().join(" ")
}

fn at_trap(zone: &Zone) -> Option<Square> {
    match zone.subject {
        ZoneKind::Cut { trap, .. } => Some(trap),
        ZoneKind::Advance { .. } => None,
    }
}

fn case_1(text: &mut String, figures: &mut Vec<(String, String)>) {
    let board = board(CASE_1);
    let _ = write!(
        text,
        "\n## Test case 1: capture in one turn\n\nThe document's position, with a silver rabbit on h8 so that nobody has lost \
         already:\n\n```text\n{}\n```\n\n",
        rows(&board)
    );
    text.push_str(
        "| trap | the document's zone | as printed | paper | extended |\n| --- | --- | --- | --- | --- |\n",
    );
    for (trap, claimed) in
        [("c6", "all relevant pieces: H e6, d c5, h f7"), ("f3", "all pieces but the silver horse on f7")]
    {
        let of = |fidelity| {
            let zones = cut_zones(&board, Side::Gold, 4, fidelity);
            let found = zones.iter().find(|zone| at_trap(zone).is_some_and(|at| at.to_string() == trap));
            found.map_or("no zone".into(), |zone| pieces(&board, zone.participants()))
        };
        let _ = writeln!(text, "| {trap} | {claimed} | {} | {} | {} |", of(Printed), of(Paper), of(Extended));
    }
    text.push('\n');
    for zone in cut_zones(&board, Side::Gold, 4, Paper) {
        let trap = at_trap(&zone).map_or_else(String::new, |trap| trap.to_string());
        text.push_str(&figure(
            figures,
            &format!("geometry-case1-{trap}"),
            &board,
            &zone,
            &format!("Gold's CUT zone at {trap}"),
        ));
    }
    let mut effort = SearchStats::default();
    text.push_str("Gold to move. The document captures the dog on c6 by e6-e5-d5 and a push, and the horse on f3 by two pushes.\n\n");
    text.push_str("| search | finds | boards made |\n| --- | --- | --- |\n");
    for (name, fidelity) in [("paper", Paper), ("extended", Extended)] {
        let mut effort = SearchStats::default();
        let first = capture_in_one_turn(&board, Side::Gold, 4, fidelity, &mut effort);
        let line = first.map_or("nothing".into(), |capture| board.notation(&capture.turn));
        let _ = writeln!(text, "| {name}, first | `{line}` | {} |", effort.nodes);
        let mut effort = SearchStats::default();
        let all = all_captures(&board, Side::Gold, 4, fidelity, &mut effort);
        let lines: Vec<String> =
            all.iter().map(|capture| format!("`{}`", board.notation(&capture.turn))).collect();
        let _ = writeln!(text, "| {name}, all | {} | {} |", lines.join("; "), effort.nodes);
    }
    let exact: Vec<String> = surus_tactics::captures(&board, Side::Gold, 4)
        .iter()
        .map(|capture| format!("{}{}", capture.piece.letter(), capture.square))
        .collect();
    let _ = writeln!(
        text,
        "\nAll that gold can capture, exactly: {}. Silver can capture {}.\n",
        exact.join(", "),
        left(&board, Side::Silver)
    );
    text.push_str("Silver to move. What gold can still capture after it is exact, too.\n\n");
    text.push_str("| the document | line | what gold can capture then |\n| --- | --- | --- |\n");
    for (claim, line) in [
        ("the dog leaves (its program's answer at c6)", "dc5s"),
        ("the horse covers c6", "hf7w he7w hd7w"),
        ("the cat covers f3 (its program's answer at f3)", "ce2e"),
        ("the dog covers f3, and is lost instead", "dc5s dc4e dd4e de4e"),
        ("the cat on g3 covers, unfreezes and blocks", "ce2e cf2e cg2n"),
        ("not in the document", "ce2e dc5s"),
    ] {
        let after = replay(&board, Side::Silver, &turn(line)).map(|outcome| left(&outcome.board, Side::Gold));
        let _ =
            writeln!(text, "| {claim} | `{line}` | {} |", after.unwrap_or_else(|| "an illegal line".into()));
    }
    text.push_str("\nEach of the document's answers treats one trap by itself; the cat on g3 is taken itself, which it misses. What our search answers:\n\n");
    for capture in all_captures(&board, Side::Gold, 4, Extended, &mut effort) {
        let defences = defend_capture(&board, &capture, 1, &mut effort);
        let line = defences.first().map_or("nothing".into(), |defence| defence.turn.to_string());
        let _ =
            writeln!(text, "- to save the {} on {} alone: `{line}`", capture.piece.kind(), capture.square);
    }
    let all = defend_all(&board, Side::Silver, &mut effort).map_or("nothing".into(), |turn| turn.to_string());
    let _ = writeln!(text, "- to save everything: `{all}`");
}

fn left(board: &Board, side: Side) -> String {
    let exact = surus_tactics::captures(board, side, 4);
    let named: Vec<String> = exact.iter().map(|c| format!("{}{}", c.piece.letter(), c.square)).collect();
    if named.is_empty() { "nothing".into() } else { named.join(", ") }
}

fn case_2(text: &mut String, figures: &mut Vec<(String, String)>) {
    let board = board(CASE_2);
    let _ = write!(
        text,
        "\n## Test case 2: goal in one turn\n\nThe square of the silver cat is inferred from the document's words; a frozen silver \
         rabbit on b5 is added:\n\n```text\n{}\n```\n\n",
        rows(&board)
    );
    let (Ok(rabbit), Ok(goal)) = ("d3".parse(), "d8".parse()) else { return };
    for (name, clock, title) in [
        (
            "geometry-case2-serial",
            TimeModel::Serial,
            "The run of the rabbit on d3, a step for each side in turn",
        ),
        (
            "geometry-case2-turns",
            TimeModel::Turns(0),
            "The same with four steps for each side, silver to move",
        ),
    ] {
        if let Some(zone) = advance_zone(&board, rabbit, goal, 5, clock) {
            text.push_str(&figure(figures, name, &board, &zone, title));
        }
    }
    let mut effort = SearchStats::default();
    let one = goal_in_one_turn(&board, Side::Gold, 4, Extended, &mut effort);
    let all = Position::new(board, Side::Gold).map(|start| DistinctTurns::new(&start, &board, 4));
    let arrived = |after: &Board| !(after.rabbits(Side::Gold) & Side::Gold.goal()).is_empty();
    let (count, goals) =
        all.map_or((0, 0), |all| (all.len(), all.boards().filter(|after| arrived(after)).count()));
    let _ = writeln!(
        text,
        "Gold to move: a goal in this turn is {}; of all {count} turns {goals} score. The document runs to d7.\n",
        if one.is_some() { "found" } else { "not found" }
    );
    let Some(run) = replay(&board, Side::Gold, &turn("Rd3n Rd4n Rd5n Rd6n")).map(|outcome| outcome.board)
    else {
        return;
    };
    let forced = goal_is_forced(&run, Side::Silver, &mut effort);
    let stopping: Vec<String> =
        forced.refutations.iter().map(|turn| format!("`{}`", run.notation(turn))).collect();
    let _ = writeln!(
        text,
        "Silver then has {} turns; after all but {} of them gold has a goal: {}.\n",
        forced.turns,
        stopping.len(),
        stopping.join(", ")
    );
    text.push_str("| the document | silver | gold | legal, and it comes to |\n| --- | --- | --- | --- |\n");
    for (claim, silver, gold) in [
        ("frozen on d7, the elephant comes to d6", "db7e", "Ee4n Ee5n Ee6w Rd7n"),
        ("frozen on d7, the elephant comes to e7", "db7e", "Ee4n Ee5n Ee6n Rd7n"),
        ("dislodged to e7", "db7e Rd7e dc7e", "Ee4n Ee5n Re7n"),
        ("dislodged to c7", "db7e dc7w Rd7w", "Db6e Rc7n"),
        ("its program's line", "db7e dc7w Rd7w db7n", "Db6e Rc7n"),
        ("the same, shorter: not in the document", "db7e dc7w Rd7w db7n", "Rc7n"),
        ("dislodged to d6, the game goes on", "db7e Rd7s dc7e", "Ee4n Ee5w Rd6e Ed5n"),
    ] {
        let verdict = outcome_of(&run, silver, gold);
        let _ = writeln!(text, "| {claim} | `{silver}` | `{gold}` | {verdict} |");
    }
    text.push_str("\nSilver to move, `db7e dc7e dd7s dd6s` as the document says:\n\n| the document | gold | legal, and it comes to |\n| --- | --- | --- |\n");
    for (claim, gold) in [
        ("the elephant pulls the dog to e5, then captures it on f6", "Ee4n Ee5n dd5e"),
        ("its program: the rabbit goes round, silver loses a turn", "Rd3n Rd4w Rc4n Ee4w"),
    ] {
        let _ =
            writeln!(text, "| {claim} | `{gold}` | {} |", outcome_of(&board, "db7e dc7e dd7s dd6s", gold));
    }
    text.push_str("\nWhere the document plays on after silver has no step left, the game is over by the rules: silver has lost.\n");
}

/// What a turn of each side leads to, by the rules.
fn outcome_of(board: &Board, silver: &str, gold: &str) -> String {
    let Some(first) = replay(board, Side::Silver, &turn(silver)) else {
        return "an illegal line of silver".into();
    };
    let Some(second) = replay(&first.board, Side::Gold, &turn(gold)) else {
        return "an illegal line of gold".into();
    };
    if second.goal {
        "goal".into()
    } else if !second.board.has_step(Side::Silver) {
        "silver has no step left and has lost".into()
    } else {
        "the game goes on".into()
    }
}

fn rows(board: &Board) -> String {
    let row = |rank: u8| {
        let cell = |file: u8| {
            let square = Square::from_coords(file, rank);
            let empty = if square.is_some_and(Square::is_trap) { 'x' } else { '.' };
            square.and_then(|square| board.piece_at(square)).map_or(empty, Piece::letter)
        };
        let cells: Vec<String> = (0..8).map(|file| cell(file).to_string()).collect();
        format!("{} {}", rank + 1, cells.join(" "))
    };
    let mut lines: Vec<String> = (0..8).rev().map(row).collect();
    lines.push("  a b c d e f g h".into());
    lines.join("\n")
}

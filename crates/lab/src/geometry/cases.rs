//! The two test cases of \[LG\]: published claims and exact results side by side.

use std::fmt::Write;

use surus_explain::svg::{SvgOverlay, svg};
use surus_geometry::Fidelity::{Extended, Paper, Printed};
use surus_geometry::search::{
    Guidance, HeuristicRules, PlanTarget, Replies, SearchStats, all_captures, capture_in_one_turn,
    defend_all, defend_capture, goal_in_one_turn, goal_is_forced, plan, replay,
};
use surus_geometry::trajectory::Trajectory;
use surus_geometry::translation::{Transition, translate};
use surus_geometry::zone::{TimeModel, Zone, ZoneKind, advance_zone, cut_zones};
use surus_rules::{Bitboard, Board, DistinctTurns, Piece, Position, Side, Square, Step, Turn};

/// A silver rabbit is added to each: without one, silver has lost already.
const CASE_1: &str = "He6 Eh4 Ce3 Rf1 hf7 hh3 dc5 ce2 rh8";
const CASE_2: &str = "Rd3 Ee4 Db6 db7 ca6 rb5";

/// Renders the section of the report and its figures, as pairs of file name and SVG.
pub(super) fn render() -> (String, Vec<(String, String)>) {
    let mut text = String::new();
    let mut figures = Vec::new();
    case_1(&mut text, &mut figures);
    case_2(&mut text, &mut figures);
    translated_zone(&mut text, &mut figures);
    other_figures(&mut text, &mut figures);
    (text, figures)
}

fn parse_board(pieces: &str) -> Board {
    let parse_piece = |word: &str| {
        let mut letters = word.chars();
        let piece = letters.next().and_then(Piece::from_letter)?;
        Some((letters.as_str().parse::<Square>().ok()?, piece))
    };
    pieces.split_whitespace().filter_map(parse_piece).collect()
}

fn parse_turn(text: &str) -> Turn {
    text.split_whitespace().filter_map(|word| word.parse::<Step>().ok()).collect()
}

fn add_figure(
    figures: &mut Vec<(String, String)>,
    name: &str,
    board: &Board,
    zone: &Zone,
    title: &str,
) -> String {
    let svg = svg(board, &SvgOverlay { zones: std::slice::from_ref(zone), title, ..SvgOverlay::default() });
    figures.push((format!("{name}.svg"), svg));
    format!("![{title}]({name}.svg)\n\n")
}

fn pieces(board: &Board, squares: Bitboard) -> String {
    let pieces = squares.into_iter().filter_map(|s| Some(format!("{}{s}", board.piece_at(s)?.letter())));
    pieces.collect::<Vec<_>>().join(" ")
}

fn trap_of(zone: &Zone) -> Option<Square> {
    match zone.subject {
        ZoneKind::Cut { trap, .. } => Some(trap),
        ZoneKind::Advance { .. } => None,
    }
}

fn case_1(text: &mut String, figures: &mut Vec<(String, String)>) {
    let board = parse_board(CASE_1);
    let _ = write!(
        text,
        "\n## Test case 1: capture in one turn\n\nThe published position, with a silver rabbit added on h8 because silver has lost \
         without one:\n\n```text\n{}\n```\n\n",
        diagram(&board)
    );
    text.push_str(
        "| trap | published zone | as printed | paper | extended |\n| --- | --- | --- | --- | --- |\n",
    );
    for (trap, claimed) in
        [("c6", "all relevant pieces: H e6, d c5, h f7"), ("f3", "all pieces but the silver horse on f7")]
    {
        let participants = |fidelity| {
            let zones = cut_zones(&board, Side::Gold, 4, fidelity);
            let zone =
                zones.iter().find(|zone| trap_of(zone).is_some_and(|square| square.to_string() == trap));
            zone.map_or("no zone".into(), |zone| pieces(&board, zone.participants()))
        };
        let _ = writeln!(
            text,
            "| {trap} | {claimed} | {} | {} | {} |",
            participants(Printed),
            participants(Paper),
            participants(Extended)
        );
    }
    text.push('\n');
    for zone in cut_zones(&board, Side::Gold, 4, Paper) {
        let trap = trap_of(&zone).map_or_else(String::new, |trap| trap.to_string());
        text.push_str(&add_figure(
            figures,
            &format!("geometry-case1-{trap}"),
            &board,
            &zone,
            &format!("Gold's CUT zone at {trap}"),
        ));
    }
    let mut stats = SearchStats::default();
    text.push_str("Gold to move. [LG] captures the dog on c6 by e6-e5-d5 and a push, and the horse on f3 by two pushes.\n\n");
    text.push_str("| search | result | nodes |\n| --- | --- | --- |\n");
    for (name, fidelity) in [("paper", Paper), ("extended", Extended)] {
        let mut stats = SearchStats::default();
        let capture = capture_in_one_turn(&board, Side::Gold, 4, Guidance::zones(fidelity), &mut stats);
        let line = capture.map_or("none".into(), |capture| board.notation(&capture.turn));
        let _ = writeln!(text, "| {name}, first | `{line}` | {} |", stats.nodes);
        let mut stats = SearchStats::default();
        let all = all_captures(&board, Side::Gold, 4, Guidance::zones(fidelity), &mut stats);
        let lines: Vec<String> =
            all.iter().map(|capture| format!("`{}`", board.notation(&capture.turn))).collect();
        let _ = writeln!(text, "| {name}, all | {} | {} |", lines.join("; "), stats.nodes);
    }
    let exact: Vec<String> = surus_tactics::captures(&board, Side::Gold, 4)
        .iter()
        .map(|capture| format!("{}{}", capture.piece.letter(), capture.square))
        .collect();
    let _ = writeln!(
        text,
        "\nExact captures of gold: {}; of silver: {}.\n",
        exact.join(", "),
        captures_of(&board, Side::Silver)
    );
    text.push_str("Silver to move. The captures left to gold are exact, too.\n\n");
    text.push_str("| published | line | captures left to gold |\n| --- | --- | --- |\n");
    for (claim, line) in [
        ("the dog leaves (published solution at c6)", "dc5s"),
        ("the horse covers c6", "hf7w he7w hd7w"),
        ("the cat covers f3 (published solution at f3)", "ce2e"),
        ("the dog covers f3 and is captured instead", "dc5s dc4e dd4e de4e"),
        ("the cat on g3 covers, unfreezes and blocks", "ce2e cf2e cg2n"),
        ("not published", "ce2e dc5s"),
    ] {
        let after = replay(&board, Side::Silver, &parse_turn(line))
            .map(|outcome| captures_of(&outcome.board, Side::Gold));
        let _ = writeln!(text, "| {claim} | `{line}` | {} |", after.unwrap_or_else(|| "illegal".into()));
    }
    text.push_str("\nEach published solution defends one trap only; [LG] misses that the cat on g3 is captured itself. Defences that our search finds:\n\n");
    for capture in all_captures(&board, Side::Gold, 4, Guidance::EXTENDED, &mut stats) {
        let defences = defend_capture(&board, &capture, 1, HeuristicRules::ALL, &mut stats);
        let line = defences.first().map_or("none".into(), |defence| defence.turn.to_string());
        let _ =
            writeln!(text, "- to save the {} on {} alone: `{line}`", capture.piece.kind(), capture.square);
    }
    let all = defend_all(&board, Side::Silver, &mut stats).map_or("none".into(), |turn| turn.to_string());
    let _ = writeln!(text, "- to save everything: `{all}`");
}

fn captures_of(board: &Board, side: Side) -> String {
    let exact = surus_tactics::captures(board, side, 4);
    let captures: Vec<String> = exact.iter().map(|c| format!("{}{}", c.piece.letter(), c.square)).collect();
    if captures.is_empty() { "none".into() } else { captures.join(", ") }
}

fn case_2(text: &mut String, figures: &mut Vec<(String, String)>) {
    let board = parse_board(CASE_2);
    let _ = write!(
        text,
        "\n## Test case 2: goal in one turn\n\nThe square of the silver cat is inferred from the text of [LG]; a frozen silver \
         rabbit on b5 is added:\n\n```text\n{}\n```\n\n",
        diagram(&board)
    );
    let (Ok(rabbit), Ok(goal)) = ("d3".parse(), "d8".parse()) else { return };
    for (name, time_model, title) in [
        (
            "geometry-case2-serial",
            TimeModel::Serial,
            "The goal run of the rabbit on d3, sides alternating after each step",
        ),
        (
            "geometry-case2-turns",
            TimeModel::Turns(0),
            "The goal run with four steps per turn, silver to move",
        ),
    ] {
        if let Some(zone) = advance_zone(&board, rabbit, goal, 5, time_model) {
            text.push_str(&add_figure(figures, name, &board, &zone, title));
        }
    }
    let mut stats = SearchStats::default();
    let goal = goal_in_one_turn(&board, Side::Gold, 4, Guidance::EXTENDED, &mut stats);
    let turns = Position::new(board, Side::Gold).map(|start| DistinctTurns::new(&start, &board, 4));
    let reaches_goal = |after: &Board| !(after.rabbits(Side::Gold) & Side::Gold.goal()).is_empty();
    let (count, goals) = turns
        .map_or((0, 0), |turns| (turns.len(), turns.boards().filter(|after| reaches_goal(after)).count()));
    let _ = writeln!(
        text,
        "Gold to move: a goal in this turn is {}; {goals} of the {count} distinct turns reach goal. In [LG] the rabbit runs to d7.\n",
        if goal.is_some() { "found" } else { "not found" }
    );
    let mut plan_stats = SearchStats::default();
    let found =
        plan(&board, Side::Gold, PlanTarget::Goal, Replies::All, &super::plans::exact_win, &mut plan_stats);
    let found = found.and_then(|found| Some((replay(&board, Side::Gold, &found.attack)?.board, found)));
    let Some((run, found)) = found else {
        text.push_str("The search over two turns finds no attack.\n");
        return;
    };
    let _ = writeln!(
        text,
        "The search over two turns finds `{}` as attack {} and proves it: each of the {} replies is answered by a goal or an \
         immobilisation. It generates {} boards.\n",
        board.notation(&found.attack),
        found.attacks,
        found.answers.len(),
        plan_stats.nodes
    );
    let forced = goal_is_forced(&run, Side::Silver, &mut stats);
    let refutations: Vec<String> =
        forced.refutations.iter().map(|turn| format!("`{}`", run.notation(turn))).collect();
    let _ = writeln!(
        text,
        "Silver then has {} distinct turns; gold reaches goal after all but {} of them: {}.\n",
        forced.turns,
        refutations.len(),
        refutations.join(", ")
    );
    text.push_str("| published | silver | gold | result by the rules |\n| --- | --- | --- | --- |\n");
    for (claim, silver, gold) in [
        ("frozen on d7, the elephant moves to d6", "db7e", "Ee4n Ee5n Ee6w Rd7n"),
        ("frozen on d7, the elephant moves to e7", "db7e", "Ee4n Ee5n Ee6n Rd7n"),
        ("displaced to e7", "db7e Rd7e dc7e", "Ee4n Ee5n Re7n"),
        ("displaced to c7", "db7e dc7w Rd7w", "Db6e Rc7n"),
        ("published program output", "db7e dc7w Rd7w db7n", "Db6e Rc7n"),
        ("shortened, not published", "db7e dc7w Rd7w db7n", "Rc7n"),
        ("displaced to d6, the game continues", "db7e Rd7s dc7e", "Ee4n Ee5w Rd6e Ed5n"),
    ] {
        let outcome = outcome_of(&run, silver, gold);
        let _ = writeln!(text, "| {claim} | `{silver}` | `{gold}` | {outcome} |");
    }
    text.push_str("\nSilver to move plays `db7e dc7e dd7s dd6s` as in [LG]:\n\n| published | gold | result by the rules |\n| --- | --- | --- |\n");
    for (claim, gold) in [
        ("the elephant pulls the dog to e5, then captures it on f6", "Ee4n Ee5n dd5e"),
        ("published program output: the rabbit takes a detour, silver loses a turn", "Rd3n Rd4w Rc4n Ee4w"),
    ] {
        let _ =
            writeln!(text, "| {claim} | `{gold}` | {} |", outcome_of(&board, "db7e dc7e dd7s dd6s", gold));
    }
    text.push_str("\nWhere [LG] continues after silver has no legal step, the game is over by the rules: silver has lost.\n");
}

/// The zone of the second case through a turn, as in figures 6 and 7: each picture is the translation of the one before.
fn translated_zone(text: &mut String, figures: &mut Vec<(String, String)>) {
    text.push_str(
        "\n## A zone through a turn\n\nFigures 6 and 7 of [LG] show a translation. Here, the zone of test case 2 is translated after \
         each step of the rabbit: its times fall by one, and the trajectories that end behind the rabbit go.\n\n",
    );
    let mut board = parse_board(CASE_2);
    let (Ok(rabbit), Ok(goal)) = ("d3".parse(), "d8".parse()) else { return };
    let Some(mut zone) = advance_zone(&board, rabbit, goal, 5, TimeModel::Serial) else { return };
    for (i, step) in parse_turn("Rd3n Rd4n Rd5n").steps().enumerate() {
        board = board.after_step(step);
        let transition = Transition { piece: step.piece(), from: step.from(), to: step.to() };
        let Some(next) = translate(&zone, transition, &board) else { return };
        zone = next;
        let title = format!("The zone translated after {step}");
        text.push_str(&add_figure(
            figures,
            &format!("geometry-translation-{}", i + 1),
            &board,
            &zone,
            &title,
        ));
    }
}

/// Figures 2, 4 and 5, as far as their pieces are named.
fn other_figures(text: &mut String, figures: &mut Vec<(String, String)>) {
    text.push_str("## Other figures\n\nFigures 1, 2, 4 and 5 of [LG] with the pieces that the text names; figure 3 is a diagram of the levels.\n\n");
    let moves = parse_board("Ed3 rd2 rc2 ed5 Hd6 ra7 Ca6");
    let steps = ["d2 e2", "d3 d2", "d5 d4", "d6 d5"]
        .map(|words| Trajectory(words.split(' ').filter_map(|word| word.parse().ok()).collect()));
    let title = "Figure 1: the elephants push a rabbit and pull a horse";
    let picture = svg(&moves, &SvgOverlay { paths: &steps, title, ..SvgOverlay::default() });
    figures.push(("geometry-figure-1.svg".into(), picture));
    let _ = writeln!(text, "![{title}](geometry-figure-1.svg)\n");
    let run = parse_board("Rb5 Dc5 Cb7");
    let (Ok(rabbit), Ok(goal)) = ("b5".parse(), "c8".parse()) else { return };
    if let Some(zone) = advance_zone(&run, rabbit, goal, 4, TimeModel::Serial) {
        text.push_str(&add_figure(
            figures,
            "geometry-figure-2-goal",
            &run,
            &zone,
            "Figure 2: the goal in one turn, and a trajectory as in figure 4",
        ));
    }
    let pieces = parse_board("Ed5 Cb7 db6");
    for (side, name) in [(Side::Gold, "gold"), (Side::Silver, "silver")] {
        if let Some(zone) = cut_zones(&pieces, side, 4, Paper).first() {
            let title = format!("Figure 2: a capture in one turn by {name}, a web as in figure 5");
            text.push_str(&add_figure(figures, &format!("geometry-figure-2-{name}"), &pieces, zone, &title));
        }
    }
}

/// The result of one turn of each side by the rules.
fn outcome_of(board: &Board, silver: &str, gold: &str) -> String {
    let Some(after_silver) = replay(board, Side::Silver, &parse_turn(silver)) else {
        return "illegal turn of silver".into();
    };
    let Some(after_gold) = replay(&after_silver.board, Side::Gold, &parse_turn(gold)) else {
        return "illegal turn of gold".into();
    };
    if after_gold.goal {
        "goal".into()
    } else if !after_gold.board.has_step(Side::Silver) {
        "silver has no legal step and loses".into()
    } else {
        "the game continues".into()
    }
}

fn diagram(board: &Board) -> String {
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

//! The cost of zones, searches and explanations, on positions of real games where they are available.
//!
//! `cargo bench -p surus-explain`. Each figure is a mean over all positions, in microseconds and as a multiple of the cost
//! of making one board in the same run; the maximum of a single position is next to it.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use surus_explain::explain_position;
use surus_geometry::Fidelity::{Extended, Paper};
use surus_geometry::search::{Guidance, SearchStats, capture_in_one_turn, goal_in_one_turn};
use surus_geometry::zone::{Network, TimeModel, advance_zone, cut_zones, rabbit_run};
use surus_rules::{Board, Handicap, Position, Record, Side, Step};
use surus_tactics::verify::random_game_boards;

const ROUNDS: usize = 3;

fn main() {
    let (boards, source) = boards();
    let make = make_cost(&boards);
    println!("{} positions of {source}", boards.len());
    println!("{:40} {:9.4} µs", "one board make", make);
    let report = |name: &str, run: &dyn Fn(&Board, Side) -> u64| {
        let Cost { mean, max, results } = measure(&boards, run);
        let each = if results == 0 { 0.0 } else { mean * boards.len() as f64 / results as f64 };
        println!(
            "{name:40} {mean:9.2} µs {:8.0} makes, max {max:8.1} µs; {each:7.2} µs per result ({results})",
            mean / make
        );
    };
    report("CUT zones, paper", &|board, side| cut_zones(board, side, 4, Paper).len() as u64);
    report("CUT zones, extended", &|board, side| cut_zones(board, side, 4, Extended).len() as u64);
    report("advance zones, a step each", &|board, side| runs(board, side, TimeModel::Serial));
    report("advance zones, four steps each", &|board, side| runs(board, side, TimeModel::Turns(0)));
    report("network of both sides, runs up to 5", &|board, _| {
        Network::new(board, Extended, 5).zones().count() as u64
    });
    report("capture in one turn, extended", &|board, side| {
        u64::from(
            capture_in_one_turn(board, side, 4, Guidance::EXTENDED, &mut SearchStats::default()).is_some(),
        )
    });
    report("goal in one turn, extended", &|board, side| {
        u64::from(goal_in_one_turn(board, side, 4, Guidance::EXTENDED, &mut SearchStats::default()).is_some())
    });
    report("explanation of a position", &|board, side| {
        Position::new(*board, side).map_or(0, |position| explain_position(&position, board).len() as u64)
    });
}

fn runs(board: &Board, side: Side, clock: TimeModel) -> u64 {
    let zone = |rabbit| {
        let (goal, length) = rabbit_run(board, rabbit).filter(|(_, length)| (1..=5).contains(length))?;
        advance_zone(board, rabbit, goal, length, clock)
    };
    board.rabbits(side).into_iter().filter_map(zone).count() as u64
}

/// The cost of making a board, over the first steps of all actions.
fn make_cost(boards: &[(Board, Side)]) -> f64 {
    let mut steps: Vec<(Board, Step)> = Vec::new();
    for (board, side) in boards.iter().step_by(20) {
        board.for_each_action(*side, 1, |action| steps.push((*board, action.first)));
    }
    let mut min = f64::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let sum: u64 = steps.iter().map(|(board, step)| black_box(board.after_step(*step)).key() & 1).sum();
        black_box(sum);
        min = min.min(start.elapsed().as_secs_f64() * 1e6 / steps.len().max(1) as f64);
    }
    min
}

struct Cost {
    mean: f64,
    max: f64,
    /// The sum of the results of all positions.
    results: u64,
}

/// The cost of a function over all positions, each with the fastest of several rounds.
fn measure(boards: &[(Board, Side)], run: &dyn Fn(&Board, Side) -> u64) -> Cost {
    let mut times = vec![f64::MAX; boards.len()];
    let mut results = 0;
    for _ in 0..ROUNDS {
        results = 0;
        for ((board, side), time) in boards.iter().zip(&mut times) {
            let start = Instant::now();
            results += run(black_box(board), *side);
            *time = time.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    let max = times.iter().copied().fold(0.0, f64::max);
    Cost { mean: times.iter().sum::<f64>() / times.len().max(1) as f64, max, results }
}

fn boards() -> (Vec<(Board, Side)>, &'static str) {
    let mut boards = Vec::new();
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/allgames202602.txt");
    let text =
        std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    for source in surus_record::parse_games(&text).unwrap_or_default() {
        let replay = Record::parse(&source.record).and_then(|r| r.replay(source.rules, Handicap::None));
        let Ok(replay) = replay else { continue };
        boards
            .extend(replay.game.entries().iter().skip(1).map(|entry| (entry.board, entry.tag.side.other())));
        // No side is to move on the board that ended the game.
        if replay.game.result().is_some() {
            boards.pop();
        }
    }
    // A quarter of the positions is representative.
    let boards: Vec<_> = boards.into_iter().step_by(4).collect();
    if boards.is_empty() { (random_game_boards(40, 1), "random games") } else { (boards, "real games") }
}

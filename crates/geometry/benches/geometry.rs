//! How long zones, searches and explanations take, on positions of real games where they are at hand.
//!
//! `cargo bench -p surus-geometry`. Every figure is a mean over all positions, in microseconds and in multiples of making
//! one board in the same run; the longest single one stands beside it.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use surus_geometry::Fidelity::{Extended, Paper};
use surus_geometry::explain::{explain_position, threats};
use surus_geometry::search::{SearchStats, capture_in_one_turn, goal_in_one_turn};
use surus_geometry::zone::{Network, TimeModel, advance_zone, cut_zones, rabbit_run};
use surus_rules::{Board, Handicap, Record, Side, Step};
use surus_tactics::verify::random_game_boards;

const ROUNDS: usize = 3;

fn main() {
    let (boards, source) = boards();
    let make = make(&boards);
    println!("{} positions of {source}", boards.len());
    println!("{:40} {:9.4} µs", "one board make", make);
    let report = |name: &str, ask: &dyn Fn(&Board, Side) -> u64| {
        let (mean, longest, count) = time(&boards, ask);
        let each = if count == 0 { 0.0 } else { mean * boards.len() as f64 / count as f64 };
        println!(
            "{name:40} {mean:9.2} µs {:8.0} makes, longest {longest:8.1} µs; {each:7.2} µs each of {count}",
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
        u64::from(capture_in_one_turn(board, side, 4, Extended, &mut SearchStats::default()).is_some())
    });
    report("goal in one turn, extended", &|board, side| {
        u64::from(goal_in_one_turn(board, side, 4, Extended, &mut SearchStats::default()).is_some())
    });
    report("threats of one side, with defences", &|board, side| threats(board, side).len() as u64);
    report("explanation of a position", &|board, _| explain_position(board).len() as u64);
}

fn runs(board: &Board, side: Side, clock: TimeModel) -> u64 {
    let zone = |rabbit| {
        let (goal, length) = rabbit_run(board, rabbit).filter(|(_, length)| (1..=5).contains(length))?;
        advance_zone(board, rabbit, goal, length, clock)
    };
    board.rabbits(side).into_iter().filter_map(zone).count() as u64
}

/// Making the boards after every first step.
fn make(boards: &[(Board, Side)]) -> f64 {
    let mut steps: Vec<(Board, Step)> = Vec::new();
    for (board, side) in boards.iter().step_by(20) {
        board.for_each_action(*side, 1, |action| steps.push((*board, action.first)));
    }
    let mut least = f64::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let sum: u64 = steps.iter().map(|(board, step)| black_box(board.after_step(*step)).key() & 1).sum();
        black_box(sum);
        least = least.min(start.elapsed().as_secs_f64() * 1e6 / steps.len().max(1) as f64);
    }
    least
}

/// The mean time of a question and the longest, each position by its best round, and the sum of what was answered.
fn time(boards: &[(Board, Side)], ask: &dyn Fn(&Board, Side) -> u64) -> (f64, f64, u64) {
    let mut least = vec![f64::MAX; boards.len()];
    let mut count = 0;
    for _ in 0..ROUNDS {
        count = 0;
        for ((board, side), least) in boards.iter().zip(&mut least) {
            let start = Instant::now();
            count += ask(black_box(board), *side);
            *least = least.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    let longest = least.iter().copied().fold(0.0, f64::max);
    (least.iter().sum::<f64>() / least.len().max(1) as f64, longest, count)
}

fn boards() -> (Vec<(Board, Side)>, &'static str) {
    let mut boards = Vec::new();
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/allgames202602.txt");
    let text =
        std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    for source in surus_record::parse_games(&text).unwrap_or_default() {
        let replay = Record::parse(&source.record).and_then(|r| r.replay(source.rules, Handicap::None));
        let Ok(replay) = replay else { continue };
        boards.extend(replay.game.entries().iter().skip(1).map(|e| (e.board, e.tag.side.other())));
        // The board that ended the game is nobody's turn.
        if replay.game.result().is_some() {
            boards.pop();
        }
    }
    // Every fourth says as much as all.
    let boards: Vec<_> = boards.into_iter().step_by(4).collect();
    if boards.is_empty() { (random_game_boards(40, 1), "random games") } else { (boards, "real games") }
}

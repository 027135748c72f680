//! How long the questions take, on positions of real games where they are at hand.
//!
//! `cargo bench -p surus-tactics`. Every figure is a mean over all positions, in nanoseconds and in multiples of making one board in the same run.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use surus_rules::{Bitboard, Board, Handicap, Position, Record, Side, Step};
use surus_tactics::verify::random_game_boards;
use surus_tactics::{
    Defences, all_goal_defences, capture_defences, captures, elimination, find_goal, goal_defences,
    immobilisation_from, steps_to_goal,
};

const ROUNDS: usize = 7;

fn main() {
    let (boards, source) = boards();
    let both: Vec<(Board, Side)> =
        boards.iter().flat_map(|&(board, side)| [(board, side), (board, side.other())]).collect();
    let make = make(&boards);
    println!("{} positions of {source}, each for both sides", boards.len());
    println!("{:44} {make:9.1} ns", "one board make");
    let report = |name: &str, questions: &[(Board, Side)], ask: &dyn Fn(&Board, Side) -> u64| {
        let (mean, yes) = best(questions, ask);
        let share = 100.0 * yes as f64 / questions.len().max(1) as f64;
        println!(
            "{name:44} {mean:9.1} ns {:8.1} makes, {:6} questions, {share:5.1} % yes",
            mean / make,
            questions.len()
        );
    };
    let ask_goal = |board: &Board, side| u64::from(steps_to_goal(board, side, 4).is_some());
    let ask_captures = |board: &Board, side| u64::from(!captures(board, side, 4).is_empty());
    report("goal", &both, &ask_goal);
    for ranks in (1..=4).rev() {
        let near: Vec<_> = both.iter().copied().filter(|q| nearest(q) == ranks).collect();
        report(&format!("goal, nearest rabbit {ranks} from it"), &near, &ask_goal);
    }
    let near: Vec<_> = both.iter().copied().filter(|q| nearest(q) <= 4).collect();
    report("goal, a rabbit in reach (4 or fewer)", &near, &ask_goal);
    report("goal, a rabbit in reach, 3 steps left", &near, &|board, side| {
        u64::from(steps_to_goal(board, side, 3).is_some())
    });
    let goals: Vec<_> = both.iter().copied().filter(|(b, s)| steps_to_goal(b, *s, 4).is_some()).collect();
    report("goal, where there is one", &goals, &ask_goal);
    report("goal with its line, where there is one", &goals, &|board, side| {
        u64::from(find_goal(board, side, 4).is_some())
    });
    report("all captures", &both, &ask_captures);
    let taken: Vec<_> = both.iter().copied().filter(|(b, s)| !captures(b, *s, 4).is_empty()).collect();
    report("all captures, where there are some", &taken, &ask_captures);
    report("elimination", &both, &|board, side| u64::from(elimination(board, side, 4).is_some()));
    let few: Vec<_> = both.iter().copied().step_by(50).collect();
    report("immobilisation", &few, &|board, side| {
        let position = Position::new(*board, side);
        u64::from(position.is_ok_and(|position| immobilisation_from(&position, board).is_some()))
    });
    let threatened: Vec<_> = goals.iter().step_by(10).map(|&(b, s)| (b, s.other())).collect();
    report("shortest goal defences, where threatened", &threatened, &|board, side| {
        let position = Position::new(*board, side);
        u64::from(position.is_ok_and(|p| goal_defences(&p, board) != Defences::Unstoppable))
    });
    report("all goal defences, where threatened", &threatened, &|board, side| {
        let position = Position::new(*board, side);
        u64::from(position.is_ok_and(|p| all_goal_defences(&p, board) != Defences::Unstoppable))
    });
    let threatened: Vec<_> = taken.iter().step_by(20).map(|&(b, s)| (b, s.other())).collect();
    report("shortest defences of a threatened piece", &threatened, &|board, side| {
        let square = captures(board, side.other(), 4).squares().first();
        let position = Position::new(*board, side).ok();
        position.zip(square).map_or(0, |(position, square)| {
            u64::from(capture_defences(&position, board, square) != Defences::Unstoppable)
        })
    });
}

/// How far the nearest rabbit is from its goal.
fn nearest(&(board, side): &(Board, Side)) -> u32 {
    (0..8)
        .find(|&n| {
            let rank = side.goal_rank().abs_diff(n as u8);
            !(board.rabbits(side) & Bitboard::rank(rank)).is_empty()
        })
        .unwrap_or(8)
}

/// The mean time of a question in nanoseconds, and how often the answer was yes.
fn best(questions: &[(Board, Side)], ask: &dyn Fn(&Board, Side) -> u64) -> (f64, u64) {
    time(questions, |(board, side)| ask(black_box(board), *side))
}

/// Making the boards after every first step.
fn make(boards: &[(Board, Side)]) -> f64 {
    let mut steps: Vec<(Board, Step)> = Vec::new();
    for (board, side) in boards.iter().step_by(20) {
        board.for_each_action(*side, 1, |action| steps.push((*board, action.first)));
    }
    time(&steps, |(board, step)| black_box(board.after_step(*step)).key() & 1).0
}

/// The mean time of a call and the sum of what the calls say. Every round goes over all items, so that nothing is
/// remembered from the same call before, but is timed in small lots, of which the best round counts: other work
/// on the machine disturbs some rounds of a lot, not all.
fn time<T>(items: &[T], call: impl Fn(&T) -> u64) -> (f64, u64) {
    let lot = if items.len() < 2000 { 1 } else { 64 };
    let mut least = vec![f64::MAX; items.len().div_ceil(lot)];
    let mut yes = 0;
    for _ in 0..ROUNDS {
        yes = 0;
        for (items, least) in items.chunks(lot).zip(&mut least) {
            let start = Instant::now();
            yes += items.iter().map(&call).sum::<u64>();
            *least = least.min(start.elapsed().as_nanos() as f64);
        }
    }
    (least.iter().sum::<f64>() / items.len().max(1) as f64, yes)
}

fn boards() -> (Vec<(Board, Side)>, &'static str) {
    let mut boards = Vec::new();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games");
    for name in ["allgames202602.txt", "engine_games.txt"] {
        let Ok(bytes) = std::fs::read(folder.join(name)) else { continue };
        let Ok(games) = surus_record::parse_games(&String::from_utf8_lossy(&bytes)) else { continue };
        for source in games {
            let replay = Record::parse(&source.record).and_then(|r| r.replay(source.rules, Handicap::None));
            let Ok(replay) = replay else { continue };
            let running = replay.game.entries().iter().skip(1).map(|e| (e.board, e.tag.side.other()));
            boards.extend(running);
            // On the board that ended the game neither side is to move.
            if replay.game.result().is_some() {
                boards.pop();
            }
        }
    }
    if boards.is_empty() { (random_game_boards(200, 1), "random games") } else { (boards, "real games") }
}

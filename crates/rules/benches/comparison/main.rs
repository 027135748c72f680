//! How fast the rules are, as ratios to the two published crates in the same run: `cargo bench -p surus-rules`.
//!
//! Each crate is used as its documentation shows: its own generator, its own way of making a step, its own keys.
//! `arimaa_engine_step` walks the same tree of single steps as we do. `arimaa-engine` knows whole paths of a piece and
//! whole pushes and pulls only, so its steps are those inside of its actions.

mod compact;
mod engine_crate;
mod step_crate;

#[path = "../../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use surus_rules::{DistinctTurns, Game, Position, Record, Rules, walk_steps};

const POSITIONS: usize = 50;
const ROUNDS: usize = 7;

/// One of the things compared: what it counted in all positions, and the time of each round.
struct Contender {
    name: &'static str,
    count: u64,
    checksum: u64,
    times: Vec<Duration>,
}

impl Contender {
    fn new(name: &'static str) -> Self {
        Self { name, count: 0, checksum: 0, times: Vec::new() }
    }

    fn round(&mut self, work: impl Fn() -> (u64, u64)) {
        let start = Instant::now();
        (self.count, self.checksum) = black_box(work());
        self.times.push(start.elapsed());
    }

    /// In millions a second, by the median round.
    fn rate(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        self.count as f64 / times[times.len() / 2].as_secs_f64() / 1e6
    }
}

fn main() {
    let (source, positions) = positions();
    println!("{} positions of {source}, {ROUNDS} rounds, medians\n", positions.len());
    let texts: Vec<String> = positions.iter().map(ToString::to_string).collect();
    let step: Vec<_> = texts.iter().map(|text| step_crate::prepare(text)).collect();
    let engine: Vec<_> = texts.iter().map(|text| engine_crate::prepare(text)).collect();

    let mut walks = ["surus-rules", "arimaa_engine_step", "arimaa-engine"].map(Contender::new);
    let mut turns = ["surus-rules", "arimaa_engine_step", "arimaa-engine"].map(Contender::new);
    let mut memory = DistinctTurns::new(&positions[0], positions[0].board(), 4);
    for _ in 0..ROUNDS {
        walks[0].round(|| sum(positions.iter().map(walk_steps)));
        walks[1].round(|| sum(step.iter().map(step_crate::walk)));
        walks[2].round(|| sum(engine.iter().map(engine_crate::walk)));
        let start = Instant::now();
        turns[0].count = 0;
        for position in &positions {
            memory.regenerate(position, position.board(), 4);
            turns[0].count += black_box(&memory).len() as u64;
        }
        turns[0].times.push(start.elapsed());
        turns[1].round(|| sum(step.iter().map(|p| (step_crate::distinct(p), 0))));
        turns[2].round(|| sum(engine.iter().map(|p| (engine_crate::distinct(p), 0))));
    }
    assert_eq!(walks[0].count, walks[1].count, "the same tree");
    assert!(turns.iter().all(|contender| contender.count == turns[0].count), "the same turns");
    print("steps of one turn, every board made", &walks);
    print("distinct turns", &turns);
}

fn sum(parts: impl Iterator<Item = (u64, u64)>) -> (u64, u64) {
    parts.fold((0, 0), |(n, key), (more, part)| (n + more, key.wrapping_add(part)))
}

fn print(what: &str, contenders: &[Contender]) {
    println!("{what}:");
    let faster = contenders[1..].iter().map(Contender::rate).fold(0.0, f64::max);
    for contender in contenders {
        print!("  {:<20} {:>11} {:>8.2} M/s", contender.name, contender.count, contender.rate());
        if contender.checksum != 0 {
            print!("  sum of keys {:016x}", contender.checksum);
        }
        println!();
    }
    println!("  ratio to the faster crate: {:.1}\n", contenders[0].rate() / faster);
}

/// From the middles of real games where they are there, else of random ones.
fn positions() -> (&'static str, Vec<Position>) {
    let Some(file) = common::shared("games/engine_games.txt") else {
        return ("random games", common::random_positions(POSITIONS, 3));
    };
    let games = file.lines().skip(1).filter_map(|line| line.split('\t').rev().nth(1));
    let positions = games.enumerate().filter_map(|(index, moves)| {
        let lines: Vec<&str> = moves.split("\\n").collect();
        let part = lines.len() * (1 + index % 8) / 9;
        let record = Record::parse(&lines[..part.max(3)].join("\n")).ok()?;
        let game: Game = record.replay(Rules::Official, surus_rules::Handicap::None).ok()?.game;
        game.result().is_none().then(|| *game.position())
    });
    ("real games", positions.step_by(4).take(POSITIONS).collect())
}

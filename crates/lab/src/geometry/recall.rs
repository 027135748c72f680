//! How much the searches find, against all distinct turns of a position.

use std::fmt::Write;
use std::time::Instant;

use surus_explain::explain_position;
use surus_geometry::Fidelity::{self, Extended, Paper, Printed};
use surus_geometry::search::{SearchStats, all_captures, capture_in_one_turn, goal_in_one_turn};
use surus_rules::{Board, DistinctTurns, Position, Side};
use surus_tactics::verify::random_game_boards;

const FIDELITIES: [(&str, Fidelity); 3] = [("as printed", Printed), ("paper", Paper), ("extended", Extended)];

/// One search on one half of the positions.
#[derive(Default)]
struct RecallStats {
    total: u64,
    found: u64,
    false_positives: u64,
    nodes: Vec<u64>,
}

impl RecallStats {
    fn add(&mut self, exists: bool, claimed: bool, nodes: u64) {
        self.total += u64::from(exists);
        self.found += u64::from(exists && claimed);
        self.false_positives += u64::from(!exists && claimed);
        self.nodes.push(nodes);
    }

    fn row(&mut self, name: &str) -> String {
        let (mean, median, most) = percentiles(&mut self.nodes);
        format!(
            "| {name} | {} | {} | {} | {} | {mean:.1} | {median} | {most} |",
            self.total,
            self.found,
            share(self.found, self.total),
            self.false_positives
        )
    }
}

/// A share in percent; never rounded up to all of it.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".into();
    }
    let percent = 100.0 * part as f64 / whole as f64;
    if part == whole { "100 %".into() } else { format!("{:.3} %", percent.min(99.999)) }
}

/// Mean, median and 99th percentile.
fn percentiles(numbers: &mut [u64]) -> (f64, u64, u64) {
    numbers.sort_unstable();
    let at = |percent: usize| {
        numbers.get((numbers.len() * percent / 100).min(numbers.len().saturating_sub(1))).copied()
    };
    let mean = numbers.iter().sum::<u64>() as f64 / numbers.len().max(1) as f64;
    (mean, at(50).unwrap_or(0), at(99).unwrap_or(0))
}

#[derive(Default)]
struct RecallSample {
    positions: u64,
    captures: [RecallStats; 3],
    goals: [RecallStats; 3],
    pieces: (u64, u64),
    exhaustive: Vec<u64>,
    /// Boards made by both searches in hundredths of a percent of all distinct turns.
    ratio: Vec<u64>,
    nanoseconds: Vec<u64>,
    explanation: Vec<u64>,
    missed: Vec<String>,
}

/// Where chance comes from: the same positions every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

/// Measures, and tells it as a part of the page.
pub(super) fn render(real: &[(Board, Side)], positions: usize, tell: &mut impl FnMut(&str)) -> String {
    let half = positions / 2;
    let mut text = String::from(
        "\n## How much the searches find\n\nEach position is compared with all distinct turns of the side to move: a capture exists if \
         one of them leaves the other side with fewer pieces, a goal if one of them has a rabbit on its goal row. Every board that \
         a search makes counts, two for a push or a pull. A wrong claim would be one where none exists.\n",
    );
    let random = random_game_boards(half / 40 + 2, 2026);
    for (name, boards) in [("real games", real), ("random games", &random[..])] {
        if boards.is_empty() {
            let _ = writeln!(text, "\nNo real games were given with `--input`: that half is missing.");
            continue;
        }
        let mut chance = Rng(8);
        let mut seen = RecallSample::default();
        for _ in 0..half {
            let (board, side) = boards[chance.below(boards.len())];
            seen.measure(&board, side);
        }
        tell(&format!("{name}: {} positions compared", seen.positions));
        text.push_str(&seen.told(name));
    }
    text
}

impl RecallSample {
    fn measure(&mut self, board: &Board, side: Side) {
        let Ok(position) = Position::new(*board, side) else { return };
        self.positions += 1;
        let turns = DistinctTurns::new(&position, board, 4);
        let enemies = board.by_side(side.other()).len();
        let (mut capture, mut goal, mut count) = (false, false, 0u64);
        for after in turns.boards() {
            count += 1;
            capture |= after.by_side(side.other()).len() < enemies;
            goal |= !(after.rabbits(side) & side.goal()).is_empty();
        }
        self.exhaustive.push(count);
        let mut both = 0;
        for (i, (_, fidelity)) in FIDELITIES.into_iter().enumerate() {
            let (mut hunt, mut run) = (SearchStats::default(), SearchStats::default());
            let began = Instant::now();
            let captured = capture_in_one_turn(board, side, 4, fidelity, &mut hunt).is_some();
            let scored = goal_in_one_turn(board, side, 4, fidelity, &mut run).is_some();
            if fidelity == Extended {
                self.nanoseconds.push(began.elapsed().as_nanos() as u64);
                both = hunt.nodes + run.nodes;
                if (capture && !captured) || (goal && !scored) {
                    self.missed.push(format!("{} [{}]", side.letter(), board.compact()));
                }
            }
            self.captures[i].add(capture, captured, hunt.nodes);
            self.goals[i].add(goal, scored, run.nodes);
        }
        self.ratio.push(10_000 * both / count.max(1));
        let exact = surus_tactics::captures(board, side, 4);
        let found = all_captures(board, side, 4, Extended, &mut SearchStats::default());
        self.pieces.1 += exact.iter().count() as u64;
        self.pieces.0 += exact.iter().filter(|e| found.iter().any(|c| c.square == e.square)).count() as u64;
        // The best of three: other work on the machine disturbs one of them, seldom all.
        let explained = (0..3).map(|_| {
            let began = Instant::now();
            std::hint::black_box(explain_position(board));
            began.elapsed().as_nanos() as u64
        });
        self.explanation.extend(explained.min());
    }

    fn told(&mut self, name: &str) -> String {
        let mut text = format!("\n### {} positions of {name}\n\n", self.positions);
        let head = "exist | found | recall | wrong | boards made, mean | median | 99 of 100 under";
        for (what, rows) in [("capture", &mut self.captures), ("goal", &mut self.goals)] {
            let _ = writeln!(text, "| {what} | {head} |\n| --- | --- | --- | --- | --- | --- | --- | --- |");
            for ((name, _), found) in FIDELITIES.into_iter().zip(rows) {
                let _ = writeln!(text, "{}", found.row(name));
            }
            text.push('\n');
        }
        let (exhaustive, ..) = percentiles(&mut self.exhaustive);
        let (_, ratio, _) = percentiles(&mut self.ratio);
        let (_, median, most) = percentiles(&mut self.nanoseconds);
        let (_, told, longest) = percentiles(&mut self.explanation);
        let micro = |nanoseconds: u64| nanoseconds as f64 / 1000.0;
        let _ = writeln!(
            text,
            "Of {} pieces that can be captured, each by itself, the extended search finds {}. All distinct turns are {exhaustive:.0} a \
             position in the mean; both extended searches together make {:.2} % of that in the median.\n\nTime on the machine that \
             wrote this page, which had other work to do: both extended searches {:.1} µs in the median, 99 of 100 under {:.0} µs; \
             the explanation of a position {:.0} µs, 99 of 100 under {:.0} µs.",
            self.pieces.1,
            self.pieces.0,
            ratio as f64 / 100.0,
            micro(median),
            micro(most),
            micro(told),
            micro(longest)
        );
        if name.starts_with("random") {
            for position in self.missed.iter().take(5) {
                let _ = writeln!(text, "\nMissed: `{position}`");
            }
        }
        text
    }
}

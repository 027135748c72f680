//! Recall of the searches, compared with all distinct turns of a position.

use std::fmt::Write;
use std::time::Instant;

use surus_explain::explain_position;
use surus_geometry::Fidelity::{self, Extended, Paper, Printed};
use surus_geometry::search::{SearchStats, all_captures, capture_in_one_turn, goal_in_one_turn};
use surus_rules::{Board, DistinctTurns, Position, Side};
use surus_tactics::verify::random_game_boards;

const FIDELITIES: [(&str, Fidelity); 3] = [("as printed", Printed), ("paper", Paper), ("extended", Extended)];

/// Results of one search over a sample of positions.
#[derive(Default)]
struct RecallStats {
    total: u64,
    found: u64,
    false_positives: u64,
    nodes: Vec<u64>,
}

impl RecallStats {
    fn add(&mut self, exists: bool, found: bool, nodes: u64) {
        self.total += u64::from(exists);
        self.found += u64::from(exists && found);
        self.false_positives += u64::from(!exists && found);
        self.nodes.push(nodes);
    }

    fn row(&mut self, name: &str) -> String {
        let (mean, median, p99) = percentiles(&mut self.nodes);
        format!(
            "| {name} | {} | {} | {} | {} | {mean:.1} | {median} | {p99} |",
            self.total,
            self.found,
            percent(self.found, self.total),
            self.false_positives
        )
    }
}

/// `part / total` in percent, never rounded up to 100 %.
fn percent(part: u64, total: u64) -> String {
    if total == 0 {
        return "–".into();
    }
    let percent = 100.0 * part as f64 / total as f64;
    if part == total { "100 %".into() } else { format!("{:.3} %", percent.min(99.999)) }
}

/// Mean, median and 99th percentile.
fn percentiles(numbers: &mut [u64]) -> (f64, u64, u64) {
    numbers.sort_unstable();
    let percentile = |percent: usize| {
        numbers.get((numbers.len() * percent / 100).min(numbers.len().saturating_sub(1))).copied()
    };
    let mean = numbers.iter().sum::<u64>() as f64 / numbers.len().max(1) as f64;
    (mean, percentile(50).unwrap_or(0), percentile(99).unwrap_or(0))
}

/// Results of all searches over one sample of positions.
#[derive(Default)]
struct RecallSample {
    positions: u64,
    captures: [RecallStats; 3],
    goals: [RecallStats; 3],
    /// Capturable pieces that the extended search finds, and all of them.
    pieces: (u64, u64),
    /// Distinct turns per position.
    exhaustive: Vec<u64>,
    /// Nodes of both extended searches per distinct turn, in hundredths of a percent.
    ratio: Vec<u64>,
    /// Time of both extended searches in nanoseconds.
    search_times: Vec<u64>,
    /// Time of the explanation in nanoseconds.
    explanation_times: Vec<u64>,
    /// Positions in which an extended search misses a capture or a goal.
    missed: Vec<String>,
}

/// A linear congruential generator, so that every run samples the same positions.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Measures the recall and renders the section of the report.
pub(super) fn render(real: &[(Board, Side)], positions: usize, log: &mut impl FnMut(&str)) -> String {
    let half = positions / 2;
    let mut text = String::from(
        "\n## Recall of the searches\n\nEach position is compared with all distinct turns of the side to move: a capture exists if \
         one of them leaves the opponent with fewer pieces, a goal if one of them has a rabbit on its goal rank. Nodes are the \
         boards that a search generates, two for a push or a pull. A false positive is a capture or goal that does not exist.\n",
    );
    let random = random_game_boards(half / 40 + 2, 2026);
    for (name, boards) in [("real games", real), ("random games", &random[..])] {
        if boards.is_empty() {
            let _ = writeln!(text, "\nNo positions of real games: run with `--input` to add them.");
            continue;
        }
        let mut rng = Rng(8);
        let mut sample = RecallSample::default();
        for _ in 0..half {
            let (board, side) = boards[rng.below(boards.len())];
            sample.measure(&board, side);
        }
        log(&format!("{name}: {} positions compared", sample.positions));
        text.push_str(&sample.render(name));
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
            let (mut capture_stats, mut goal_stats) = (SearchStats::default(), SearchStats::default());
            let start = Instant::now();
            let captured = capture_in_one_turn(board, side, 4, fidelity, &mut capture_stats).is_some();
            let scored = goal_in_one_turn(board, side, 4, fidelity, &mut goal_stats).is_some();
            if fidelity == Extended {
                self.search_times.push(start.elapsed().as_nanos() as u64);
                both = capture_stats.nodes + goal_stats.nodes;
                if (capture && !captured) || (goal && !scored) {
                    self.missed.push(format!("{} [{}]", side.letter(), board.compact()));
                }
            }
            self.captures[i].add(capture, captured, capture_stats.nodes);
            self.goals[i].add(goal, scored, goal_stats.nodes);
        }
        self.ratio.push(10_000 * both / count.max(1));
        let exact = surus_tactics::captures(board, side, 4);
        let found = all_captures(board, side, 4, Extended, &mut SearchStats::default());
        self.pieces.1 += exact.iter().count() as u64;
        self.pieces.0 += exact.iter().filter(|e| found.iter().any(|c| c.square == e.square)).count() as u64;
        // The minimum of three runs, because other processes may disturb one of them.
        let times = (0..3).map(|_| {
            let start = Instant::now();
            std::hint::black_box(explain_position(&position, board));
            start.elapsed().as_nanos() as u64
        });
        self.explanation_times.extend(times.min());
    }

    fn render(&mut self, name: &str) -> String {
        let mut text = format!("\n### {} positions of {name}\n\n", self.positions);
        let head = "exist | found | recall | false positives | nodes, mean | median | 99th percentile";
        for (kind, rows) in [("capture", &mut self.captures), ("goal", &mut self.goals)] {
            let _ = writeln!(text, "| {kind} | {head} |\n| --- | --- | --- | --- | --- | --- | --- | --- |");
            for ((name, _), stats) in FIDELITIES.into_iter().zip(rows) {
                let _ = writeln!(text, "{}", stats.row(name));
            }
            text.push('\n');
        }
        let (exhaustive, ..) = percentiles(&mut self.exhaustive);
        let (_, ratio, _) = percentiles(&mut self.ratio);
        let (_, search_median, search_p99) = percentiles(&mut self.search_times);
        let (_, explain_median, explain_p99) = percentiles(&mut self.explanation_times);
        let micro = |nanoseconds: u64| nanoseconds as f64 / 1000.0;
        let _ = writeln!(
            text,
            "The extended search finds {} of the {} pieces that can be captured. A position has {exhaustive:.0} distinct turns on \
             average; both extended searches together generate {:.2} % of that number in the median.\n\nTime on a busy machine, \
             median and 99th percentile: both extended searches {:.1} µs and {:.0} µs, the explanation of a position {:.0} µs and \
             {:.0} µs.",
            self.pieces.0,
            self.pieces.1,
            ratio as f64 / 100.0,
            micro(search_median),
            micro(search_p99),
            micro(explain_median),
            micro(explain_p99)
        );
        if name.starts_with("random") {
            for position in self.missed.iter().take(5) {
                let _ = writeln!(text, "\nMissed: `{position}`");
            }
        }
        text
    }
}

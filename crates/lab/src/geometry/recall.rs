//! Recall of the searches, compared with all distinct turns of a position.

use std::fmt::Write;
use std::time::Instant;

use surus_explain::explain_position;
use surus_geometry::Fidelity::{Paper, Printed};
use surus_geometry::search::{Guidance, SearchStats, all_captures, capture_in_one_turn, goal_in_one_turn};
use surus_rules::{Board, DistinctTurns, Position, Side, SplitMix};
use surus_tactics::verify::random_game_boards;

const SEARCHES: [(&str, Guidance); 5] = [
    ("zones as printed", Guidance::zones(Printed)),
    ("zones, paper", Guidance::zones(Paper)),
    ("zones, extended", Guidance::EXTENDED),
    ("distances (yardstick)", Guidance::Distances),
    ("zones and distances", Guidance::Both),
];

/// The index of the extended zones among them.
const ZONES: usize = 2;

/// Results of one search over a sample of positions.
#[derive(Default)]
pub(super) struct RecallStats {
    total: u64,
    found: u64,
    false_positives: u64,
    nodes: Vec<u64>,
}

impl RecallStats {
    pub(super) fn add(&mut self, exists: bool, found: bool, nodes: u64) {
        self.total += u64::from(exists);
        self.found += u64::from(exists && found);
        self.false_positives += u64::from(!exists && found);
        self.nodes.push(nodes);
    }

    /// Found, their share of what exists, and the mean number of nodes.
    pub(super) fn summary(&self) -> (u64, String, f64) {
        let nodes = self.nodes.iter().sum::<u64>() as f64 / self.nodes.len().max(1) as f64;
        (self.found, percent(self.found, self.total), nodes)
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

/// The positions that are compared with all distinct turns and whose explanation is timed.
const DETAILED: u64 = 1000;

/// Results of all searches over one sample of positions.
#[derive(Default)]
struct RecallSample {
    positions: u64,
    captures: [RecallStats; SEARCHES.len()],
    goals: [RecallStats; SEARCHES.len()],
    /// Capturable pieces that the extended zones find, and all of them.
    pieces: (u64, u64),
    /// Distinct turns of the first positions, and how often they disagree with the exact answers.
    exhaustive: Vec<u64>,
    disagreements: u64,
    /// Nodes of both searches of the extended zones.
    nodes: Vec<u64>,
    /// Time of the searches for a capture and a goal in nanoseconds: by zones, by distances.
    search_times: [Vec<u64>; 2],
    /// Time of the explanation in nanoseconds.
    explanation_times: Vec<u64>,
    /// Positions in which the extended zones miss a capture or a goal.
    missed: Vec<String>,
}

/// Up to `count` different positions, drawn without replacement; every run draws the same ones.
pub(super) fn draw(boards: &[(Board, Side)], count: usize) -> Vec<(Board, Side)> {
    let mut seen = std::collections::HashSet::new();
    let mut pool: Vec<(Board, Side)> =
        boards.iter().filter(|(board, side)| seen.insert((board.key(), *side))).copied().collect();
    let mut random = SplitMix::new(8);
    let count = count.min(pool.len());
    for i in 0..count {
        let other = i + (random.next_u64() >> 11) as usize % (pool.len() - i);
        pool.swap(i, other);
    }
    pool.truncate(count);
    pool
}

/// Measures the recall and renders the section of the report.
pub(super) fn render(real: &[(Board, Side)], positions: usize, log: &mut impl FnMut(&str)) -> String {
    let half = positions / 2;
    let mut text = String::from(
        "\n## Recall of the searches\n\nPositions are drawn without replacement. Exact tactics decide whether the side to move has a capture or a goal; the \
         first 1,000 positions are also compared with all distinct turns, which count as the nodes of exhaustive search: a \
         capture exists if one of them leaves the opponent with fewer pieces, a goal if one of them has a rabbit on its goal \
         rank. Nodes are the boards that a search generates, two for a push or a pull. A false positive is a capture or goal that \
         does not exist.\n",
    );
    let random = random_game_boards(half / 40 + 2, 2026);
    for (name, boards) in [("real games", real), ("random games", &random[..])] {
        if boards.is_empty() {
            let _ = writeln!(text, "\nNo positions of real games: run with `--input` to add them.");
            continue;
        }
        let mut sample = RecallSample::default();
        for (board, side) in draw(boards, half) {
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
        let exact = surus_tactics::captures(board, side, 4);
        let capture = exact.iter().next().is_some();
        let goal = surus_tactics::has_goal(board, side, 4);
        let is_detailed = self.positions <= DETAILED;
        if is_detailed {
            self.compare_exhaustively(&position, board, (capture, goal));
        }
        for (i, (_, guidance)) in SEARCHES.into_iter().enumerate() {
            let (mut capture_stats, mut goal_stats) = (SearchStats::default(), SearchStats::default());
            let start = Instant::now();
            let captured = capture_in_one_turn(board, side, 4, guidance, &mut capture_stats).is_some();
            let scored = goal_in_one_turn(board, side, 4, guidance, &mut goal_stats).is_some();
            let time = start.elapsed().as_nanos() as u64;
            if guidance == Guidance::Distances {
                self.search_times[1].push(time);
            }
            if i == ZONES {
                self.search_times[0].push(time);
                self.nodes.push(capture_stats.nodes + goal_stats.nodes);
                if (capture && !captured) || (goal && !scored) {
                    self.missed.push(format!("{} [{}]", side.letter(), board.compact()));
                }
            }
            self.captures[i].add(capture, captured, capture_stats.nodes);
            self.goals[i].add(goal, scored, goal_stats.nodes);
        }
        let found = all_captures(board, side, 4, Guidance::EXTENDED, &mut SearchStats::default());
        self.pieces.1 += exact.iter().count() as u64;
        self.pieces.0 += exact.iter().filter(|e| found.iter().any(|c| c.square == e.square)).count() as u64;
        if is_detailed {
            // The minimum of three runs, because other processes may disturb one of them.
            let times = (0..3).map(|_| {
                let start = Instant::now();
                std::hint::black_box(explain_position(&position, board));
                start.elapsed().as_nanos() as u64
            });
            self.explanation_times.extend(times.min());
        }
    }

    /// Counts the distinct turns and checks the exact answers, whether there is a capture and a goal, against them.
    fn compare_exhaustively(&mut self, position: &Position, board: &Board, exact: (bool, bool)) {
        let (side, turns) = (position.side(), DistinctTurns::new(position, board, 4));
        let enemies = board.by_side(side.other()).len();
        let capture = turns.boards().any(|after| after.by_side(side.other()).len() < enemies);
        let goal = turns.boards().any(|after| !(after.rabbits(side) & side.goal()).is_empty());
        self.exhaustive.push(turns.len() as u64);
        self.disagreements += u64::from((capture, goal) != exact);
    }

    fn render(&mut self, name: &str) -> String {
        let mut text = format!("\n### {} positions of {name}\n\n", self.positions);
        let head = "exist | found | recall | false positives | nodes, mean | median | 99th percentile";
        for (kind, rows) in [("capture", &mut self.captures), ("goal", &mut self.goals)] {
            let _ = writeln!(text, "| {kind} | {head} |\n| --- | --- | --- | --- | --- | --- | --- | --- |");
            for ((name, _), stats) in SEARCHES.into_iter().zip(rows.iter_mut()) {
                let _ = writeln!(text, "{}", stats.row(name));
            }
            let mut exhaustive = RecallStats {
                nodes: self.exhaustive.clone(),
                found: rows[0].total,
                ..RecallStats::default()
            };
            exhaustive.total = rows[0].total;
            let _ = writeln!(text, "{}", exhaustive.row("exhaustive"));
            text.push('\n');
        }
        let (exhaustive, ..) = percentiles(&mut self.exhaustive);
        let (nodes, ..) = percentiles(&mut self.nodes);
        let [by_zones, by_distances] = self.search_times.each_mut().map(|times| percentiles(times));
        let (_, explain_median, explain_p99) = percentiles(&mut self.explanation_times);
        let micro = |nanoseconds: u64| nanoseconds as f64 / 1000.0;
        let _ = writeln!(
            text,
            "Exact tactics and all distinct turns disagree in {} of {} positions. The extended zones find {} of the {} pieces that can be captured. Their searches for a capture and a goal generate \
             {nodes:.1} boards together, {:.3} % of the {exhaustive:.0} distinct turns.\n\nTime on a busy machine, median and 99th \
             percentile: both searches by extended zones {:.1} µs and {:.0} µs, by distances {:.1} µs and {:.0} µs, the \
             explanation of a position {:.0} µs and {:.0} µs.",
            self.disagreements,
            self.exhaustive.len(),
            self.pieces.0,
            self.pieces.1,
            100.0 * nodes / exhaustive.max(1.0),
            micro(by_zones.1),
            micro(by_zones.2),
            micro(by_distances.1),
            micro(by_distances.2),
            micro(explain_median),
            micro(explain_p99)
        );
        for position in self.missed.iter().take(5) {
            let _ = writeln!(text, "\nMissed: `{position}`");
        }
        text
    }
}

//! One search: the engine's reports as lines of the API.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use surus_engine::eval::HANDCRAFTED_SCALE;
use surus_engine::win_probability;
use surus_play::{Engine, Info, Job, Limits, StopToken};
use surus_rules::{Game, Score, Side, Turn, TurnTag};

use crate::api::{AnalysisLine, AnalysisTurn};
use crate::steps::steps_from_text;

/// The minimum time between two reports of a search, except for the first and the last.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// What to search.
#[derive(Clone, Debug)]
pub(super) struct SearchJob {
    pub(super) game: Game,
    pub(super) line_count: usize,
    pub(super) nodes: Option<u64>,
    pub(super) stop: StopToken,
}

/// The lines of a search so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct SearchReport {
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) nps: u64,
    pub(super) hashfull: u32,
    pub(super) lines: Vec<AnalysisLine>,
}

/// Searches until the limit or a request to stop. The last report contains everything that was found.
pub(super) fn search(
    engine: &mut dyn Engine,
    job: &SearchJob,
    on_report: &mut dyn FnMut(&SearchReport),
) -> Result<SearchReport, String> {
    let limits = Limits { nodes: job.nodes, ..Limits::default() };
    let engine_job =
        Job { multi_pv: job.line_count, stop: job.stop.clone(), ..Job::limited(job.game.clone(), limits) };
    if job.nodes.is_some() {
        // A limited search gives the same answer again.
        engine.new_game();
    }
    let mut reporter = Reporter::new(&job.game, job.line_count, on_report);
    let answered =
        catch_unwind(AssertUnwindSafe(|| engine.think(&engine_job, &mut |info| reporter.add(&info))));
    match answered {
        Ok(Ok(_)) => Ok(reporter.finish()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it crashed".into()),
    }
}

/// Collects the lines of an iteration.
struct Reporter<'a> {
    game: &'a Game,
    line_count: usize,
    on_report: &'a mut dyn FnMut(&SearchReport),
    report: SearchReport,
    sent: Option<Instant>,
    has_unsent: bool,
}

impl<'a> Reporter<'a> {
    fn new(game: &'a Game, line_count: usize, on_report: &'a mut dyn FnMut(&SearchReport)) -> Self {
        Self { game, line_count, on_report, report: SearchReport::default(), sent: None, has_unsent: false }
    }

    fn add(&mut self, info: &Info) {
        let Some(score) = info.score.filter(|_| !info.pv.is_empty()) else { return };
        if info.pv_index == 0 {
            // The number of lines may be smaller than requested, which only the next iteration shows.
            self.send(false);
            self.report.lines.clear();
        }
        let nodes = info.nodes.unwrap_or(0);
        let seconds = info.time.unwrap_or_default().as_secs_f64();
        self.report = SearchReport {
            depth: info
                .depth
                .map_or(self.report.depth, |depth| depth - u32::from(!info.depth_complete && depth > 0)),
            nodes,
            nps: if seconds > 0.0 { (nodes as f64 / seconds) as u64 } else { 0 },
            hashfull: info.hashfull.unwrap_or(0),
            lines: std::mem::take(&mut self.report.lines),
        };
        self.report.lines.push(line(self.game, score, info.win_probability, &info.pv));
        self.has_unsent = true;
        if self.report.lines.len() == self.line_count {
            self.send(false);
        }
    }

    fn send(&mut self, is_last: bool) {
        let is_due = is_last || self.sent.is_none_or(|sent| sent.elapsed() >= REPORT_INTERVAL);
        if self.has_unsent && is_due {
            (self.on_report)(&self.report);
            self.sent = Some(Instant::now());
            self.has_unsent = false;
        }
    }

    fn finish(mut self) -> SearchReport {
        self.send(true);
        self.report
    }
}

fn line(game: &Game, score: Score, win: Option<f64>, turns: &[Turn]) -> AnalysisLine {
    let is_gold = game.side() == Side::Gold;
    let win = win.unwrap_or_else(|| win_probability(score, HANDCRAFTED_SCALE));
    AnalysisLine {
        score: if is_gold { score } else { score.reversed() }.to_string(),
        gold_win: if is_gold { win } else { 1.0 - win },
        turns: principal_variation(game, turns),
    }
}

/// The turns in notation. An engine's line may be wrong after its first turn, so it ends where it becomes illegal.
fn principal_variation(game: &Game, turns: &[Turn]) -> Vec<AnalysisTurn> {
    let mut board = *game.position().board();
    let mut tag = game.tag();
    let mut line = Vec::new();
    for turn in turns {
        let is_possible = turn.steps().try_fold(board, |board, step| {
            let stands =
                board.piece_at(step.from()) == Some(step.piece()) && board.piece_at(step.to()).is_none();
            stands.then(|| board.after_step(step))
        });
        let Some(after) = is_possible else { break };
        let text = board.notation(turn);
        line.push(AnalysisTurn { tag: tag.to_string(), steps: steps_from_text(&text), text });
        board = after;
        tag = TurnTag::next(tag);
    }
    line
}

//! Progress and result of a contest.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surus_arena::{
    Contest, ContestOutcome, FinishedGame, ManifestEngine, MatchReport, MatchStats, MatchSummary, Scoreboard,
    SequentialTest, Sprt,
};
use surus_rules::Side;

use super::options::ArenaArgs;
use crate::output;

/// Reports finished games: a progress bar on a terminal, or JSON lines.
pub(crate) struct ProgressReporter {
    bar: ProgressBar,
    json: bool,
    names: Vec<String>,
    failed: Option<io::Error>,
}

#[derive(Serialize)]
struct GameEvent<'a> {
    event: &'static str,
    id: u64,
    gold: &'a str,
    silver: &'a str,
    winner: Option<char>,
    termination: char,
    turns: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    forfeit_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault_kind: Option<String>,
}

impl ProgressReporter {
    pub(crate) fn new(args: &ArenaArgs, names: Vec<String>, games: u64) -> Self {
        let visible = io::stderr().is_terminal() && !args.json;
        let bar = if visible { ProgressBar::new(games) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left  {msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { bar, json: args.json, names, failed: None }
    }

    pub(crate) fn game(&mut self, finished: &FinishedGame<'_>) {
        let FinishedGame { scheduled, entry, match_game, board } = finished;
        self.bar.inc(1);
        self.bar.set_message(progress_line(board, &self.names));
        // Games of a resumed run were reported when they were played.
        if self.json && match_game.is_some() {
            let fault = match_game.and_then(|game| game.forfeit_reason.as_ref());
            let event = GameEvent {
                event: "game",
                id: entry.id,
                gold: &self.names[scheduled.gold],
                silver: &self.names[scheduled.silver],
                winner: entry.winner.map(Side::letter),
                termination: entry.termination.letter(),
                turns: entry.turns,
                forfeit_reason: fault.map(|fault| fault.detail.as_str()),
                fault_kind: fault.map(|fault| fault.kind.to_string()),
            };
            let printed = serde_json::to_string(&event).map_err(io::Error::from).and_then(|line| {
                let mut out = io::stdout().lock();
                writeln!(out, "{line}")?;
                out.flush()
            });
            self.failed = self.failed.take().or(printed.err());
        }
    }

    /// Clears the bar, and returns the first error of writing the output.
    pub(crate) fn end(self) -> Result<()> {
        self.bar.finish_and_clear();
        self.failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// The score of two engines, or the best three of several.
pub(crate) fn progress_line(board: &Scoreboard, names: &[String]) -> String {
    match names {
        [first, second] => {
            let stats = board.stats(0, 1);
            let elo = stats.pairs().elo().map_or_else(String::new, |elo| format!(", Elo {elo}"));
            format!("{first} {} - {} {second}{elo}", stats.points(), stats.games() as f64 - stats.points())
        }
        _ => {
            let mut order: Vec<usize> = (0..names.len()).collect();
            let score_rate = |engine: usize| {
                let (points, games) = board.points(engine);
                if games == 0 { 0.0 } else { points / games as f64 }
            };
            order.sort_by(|&a, &b| score_rate(b).total_cmp(&score_rate(a)));
            let best: Vec<String> = order
                .iter()
                .take(3)
                .map(|&e| format!("{} {:.0}%", names[e], 100.0 * score_rate(e)))
                .collect();
            best.join(", ")
        }
    }
}

/// The result of a match as a line of JSON.
#[derive(Serialize)]
pub(crate) struct ResultLine {
    pub(crate) event: &'static str,
    pub(crate) interrupted: bool,
    #[serde(flatten)]
    pub(crate) summary: MatchSummary,
}

/// The report about two engines.
pub(crate) fn report(
    engines: &[ManifestEngine],
    (first, second): (usize, usize),
    stats: MatchStats,
    sprt: Option<Sprt>,
) -> MatchReport {
    let limits = [first, second].map(|index| engines[index].pace.as_str());
    MatchReport {
        engine1: engines[first].name.clone(),
        engine2: engines[second].name.clone(),
        conditions: if limits[0] == limits[1] { limits[0].into() } else { limits.join(" vs ") },
        stats,
        sprt,
    }
}

/// The report about the two engines of a match, or about the counted pairs of a sequential test.
pub(crate) fn match_report(
    engines: &[ManifestEngine],
    board: &Scoreboard,
    test: Option<&SequentialTest>,
) -> MatchReport {
    let stats = test.map_or_else(|| board.stats(0, 1), SequentialTest::stats);
    report(engines, (0, 1), stats, test.map(SequentialTest::sprt))
}

/// Prints the result of a match, as text or JSON.
pub(crate) fn print_result(
    contest: &Contest<'_>,
    args: &ArenaArgs,
    outcome: &ContestOutcome,
    test: Option<&SequentialTest>,
) -> Result<()> {
    let report = match_report(contest.engines(), &outcome.board, test);
    if args.json {
        return output::json(&ResultLine {
            event: "result",
            interrupted: outcome.interrupted,
            summary: report.summary(),
        });
    }
    writeln!(io::stdout(), "{report}")?;
    print_notes(args, outcome)
}

/// Prints forfeits, where the games are saved, and how to resume.
pub(crate) fn print_notes(args: &ArenaArgs, outcome: &ContestOutcome) -> Result<()> {
    let mut out = io::stdout().lock();
    for (engine, faults) in &outcome.faults {
        for (fault, count) in faults {
            writeln!(out, "{engine} forfeited {count} game{}: {fault}", if *count == 1 { "" } else { "s" })?;
        }
    }
    if let Some(dir) = &args.out {
        writeln!(out, "Games saved in {}.", dir.display())?;
    }
    if outcome.interrupted {
        let how = if args.out.is_some() {
            "run the same command with --resume to continue"
        } else {
            "no games were saved, because --out was not given"
        };
        writeln!(out, "Interrupted; {how}.")?;
    }
    Ok(())
}

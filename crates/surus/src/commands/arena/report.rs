//! What a contest shows while it runs and when it is over.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surus_arena::{Contest, ContestOutcome, FinishedGame, MatchReport, MatchSummary, Scoreboard, Sprt};
use surus_rules::Side;

use super::options::ArenaArgs;
use crate::output;

/// Tells of games as they end: a bar on a terminal, JSON lines where they are asked for.
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
        let FinishedGame { fixture, entry, bout, board } = finished;
        self.bar.inc(1);
        self.bar.set_message(progress_line(board, &self.names));
        // Games of an earlier part of the run were told then.
        if self.json && bout.is_some() {
            let fault = bout.and_then(|bout| bout.forfeit_reason.as_ref());
            let event = GameEvent {
                event: "game",
                id: entry.id,
                gold: &self.names[fixture.gold],
                silver: &self.names[fixture.silver],
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

    /// Takes the bar away, and says if the output could not be written.
    pub(crate) fn end(self) -> Result<()> {
        self.bar.finish_and_clear();
        self.failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

fn progress_line(board: &Scoreboard, names: &[String]) -> String {
    match names {
        [first, second] => {
            let tally = board.tally(0, 1);
            let elo = tally.pairs().elo().map_or_else(String::new, |elo| format!(", Elo {elo}"));
            format!("{first} {} - {} {second}{elo}", tally.points(), tally.games() as f64 - tally.points())
        }
        _ => {
            let mut order: Vec<usize> = (0..names.len()).collect();
            let share = |engine: usize| {
                let (points, games) = board.points(engine);
                if games == 0 { 0.0 } else { points / games as f64 }
            };
            order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
            let best: Vec<String> =
                order.iter().take(3).map(|&e| format!("{} {:.0}%", names[e], 100.0 * share(e))).collect();
            best.join(", ")
        }
    }
}

/// The result as JSON: what is said of the contest, and of the two engines where there are two.
#[derive(Serialize)]
pub(crate) struct ResultLine {
    pub(crate) event: &'static str,
    pub(crate) interrupted: bool,
    #[serde(flatten)]
    pub(crate) summary: MatchSummary,
}

/// The report about two engines of a contest.
pub(crate) fn report(
    contest: &Contest<'_>,
    outcome: &ContestOutcome,
    (first, second): (usize, usize),
    sprt: Option<Sprt>,
) -> MatchReport {
    let paces = [first, second].map(|index| contest.specs()[index].pace.to_string());
    MatchReport {
        engine1: contest.specs()[first].name.clone(),
        engine2: contest.specs()[second].name.clone(),
        conditions: if paces[0] == paces[1] { paces[0].clone() } else { paces.join(" against ") },
        tally: outcome.board.tally(first, second),
        sprt,
    }
}

/// The result of a match in words or as JSON.
pub(crate) fn print_result(
    contest: &Contest<'_>,
    args: &ArenaArgs,
    outcome: &ContestOutcome,
    sprt: Option<Sprt>,
) -> Result<()> {
    let report = report(contest, outcome, (0, 1), sprt);
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

/// What went wrong, where the games are, and how to go on.
pub(crate) fn print_notes(args: &ArenaArgs, outcome: &ContestOutcome) -> Result<()> {
    let mut out = io::stdout().lock();
    for (engine, faults) in &outcome.faults {
        for (fault, count) in faults {
            writeln!(out, "{engine} lost {count} by fault: {fault}")?;
        }
    }
    if let Some(folder) = &args.out {
        writeln!(out, "The games are in {}.", folder.display())?;
    }
    if outcome.interrupted {
        let how = if args.out.is_some() {
            "the same command with --resume goes on"
        } else {
            "without --out nothing is kept"
        };
        writeln!(out, "Interrupted; {how}.")?;
    }
    Ok(())
}

//! The standings and pairings of a tournament.

use std::io::{self, Write};

use serde::Serialize;
use surus_arena::{ManifestEngine, MatchReport, MatchSummary, Scoreboard};

use super::report::report;

/// The results of a tournament.
pub(crate) struct Table<'a> {
    pub(crate) engines: &'a [ManifestEngine],
    pub(crate) board: &'a Scoreboard,
}

#[derive(Serialize)]
pub(crate) struct TournamentResult {
    event: &'static str,
    interrupted: bool,
    games: u64,
    standings: Vec<Standing>,
    pairings: Vec<MatchSummary>,
}

#[derive(Serialize)]
struct Standing {
    name: String,
    games: u64,
    points: f64,
}

impl Standing {
    /// Points per game.
    fn score_rate(&self) -> f64 {
        if self.games == 0 { 0.0 } else { self.points / self.games as f64 }
    }
}

impl Table<'_> {
    /// The engines, best first.
    fn standings(&self) -> Vec<Standing> {
        let standing = |(index, engine): (usize, &ManifestEngine)| {
            let (points, games) = self.board.points(index);
            Standing { name: engine.name.clone(), games, points }
        };
        let mut standings: Vec<Standing> = self.engines.iter().enumerate().map(standing).collect();
        standings.sort_by(|a, b| b.score_rate().total_cmp(&a.score_rate()));
        standings
    }

    fn reports(&self) -> impl Iterator<Item = MatchReport> {
        let pairings = self.board.pairings().into_iter();
        pairings.map(|pair| report(self.engines, pair, self.board.stats(pair.0, pair.1), None))
    }

    /// The results for JSON.
    pub(crate) fn result(&self, interrupted: bool) -> TournamentResult {
        let standings = self.standings();
        TournamentResult {
            event: "result",
            interrupted,
            games: standings.iter().map(|standing| standing.games).sum::<u64>() / 2,
            standings,
            pairings: self.reports().map(|report| report.summary()).collect(),
        }
    }

    /// Prints the standings, then a report of each pairing.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for (place, standing) in (1..).zip(self.standings()) {
            let Standing { name, games, points } = &standing;
            let percent = 100.0 * standing.score_rate();
            writeln!(out, "{place:>3}. {name:<30} {points:>7.1} of {games:<6} {percent:>5.1} %")?;
        }
        self.reports().try_for_each(|report| writeln!(out, "\n{report}"))
    }
}

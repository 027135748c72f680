//! Progress of long work.

use std::io::{self, IsTerminal};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use surus_record::packed::PackedGame;

/// A progress bar on a terminal, and the counts for the report.
pub(super) struct GameProgress {
    bar: ProgressBar,
    started: Instant,
    pub(super) games: u64,
    pub(super) positions: u64,
}

impl GameProgress {
    /// For `games` games, of which `existing` were finished earlier.
    pub(super) fn new(games: u64, existing: u64, quiet: bool) -> Self {
        let visible = io::stderr().is_terminal() && !quiet;
        let bar = if visible { ProgressBar::new(games) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_position(existing);
        bar.reset_eta();
        Self { bar, started: Instant::now(), games: 0, positions: 0 }
    }

    pub(super) fn game(&mut self, game: &PackedGame) {
        self.games += 1;
        self.positions += game.samples.len() as u64;
        self.bar.inc(1);
        let (games, positions) = self.speed();
        self.bar.set_message(format!("{games:.2} games/s, {positions:.0} positions/s"));
    }

    /// Games and positions per second.
    pub(super) fn speed(&self) -> (f64, f64) {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        (self.games as f64 / seconds, self.positions as f64 / seconds)
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar on a terminal for work whose extent is known once it has begun.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(super) fn new(name: &str, quiet: bool) -> Self {
        let visible = io::stderr().is_terminal() && !quiet;
        let bar = if visible { ProgressBar::new(0) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {percent} %, {eta} left") {
            bar.set_style(style);
        }
        bar.set_message(name.to_string());
        Self { bar }
    }

    pub(super) fn set(&self, done: usize, of: usize) {
        self.bar.set_length(of as u64);
        self.bar.set_position(done as u64);
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

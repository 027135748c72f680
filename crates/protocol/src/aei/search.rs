//! Starting, stopping and answering searches.

use std::io::{self, Write};
use std::time::Duration;

use surus_play::{Answer, EngineError, Info, Job, LimitKind, Limits, StopToken, TimeBudget};
use surus_rules::{Game, Phase};

use super::Session;
use crate::format::{format_bestmove, info_lines};

/// The time per turn if the controller sets neither a clock nor another limit.
const DEFAULT_TURN_TIME: Duration = Duration::from_secs(5);

/// The variants of `go`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchMode {
    Normal,
    /// Without limits; the answer is sent on `stop`.
    Ponder,
    /// Like `Ponder`, also in the setup.
    Infinite,
    /// No input is processed before the answer.
    Blocking,
}

impl SearchMode {
    const fn holds_answer(self) -> bool {
        matches!(self, Self::Ponder | Self::Infinite)
    }
}

/// The search that is running.
pub(super) struct ActiveSearch {
    search_id: u64,
    game: Game,
    stop: StopToken,
    mode: SearchMode,
    /// Whether the answer is sent only on `stop`.
    hold_answer: bool,
    /// An answer held back until `stop`.
    held_bestmove: Option<String>,
}

impl ActiveSearch {
    pub(super) fn blocks_input(&self) -> bool {
        self.mode == SearchMode::Blocking
    }
}

impl<W: Write> Session<W> {
    pub(super) fn go(&mut self, mode: SearchMode) -> io::Result<()> {
        if self.search.is_some() {
            return self.log("Error", "go: a search is already running");
        }
        let (side, setup) = match self.game.phase() {
            Phase::Over(result) => return self.log("Error", &format!("go: the game is over: {result}")),
            // Engines do not ponder in the setup.
            Phase::Setup(_) if mode == SearchMode::Ponder => return Ok(()),
            Phase::Setup(side) => (side, true),
            Phase::Play(side) => (side, false),
        };
        let limits =
            if mode.holds_answer() { Limits::default() } else { self.time_options.limits(side, setup) };
        let limits = self.supported_limits(limits, mode)?;
        self.search_count += 1;
        let stop = StopToken::after(limits.time);
        let multi_pv = self.time_options.multipv();
        let job = Job { stop: stop.clone(), multi_pv, ..Job::limited(self.game.clone(), limits) };
        let (search_id, game) = (self.search_count, self.game.clone());
        self.engine.think(job, search_id);
        let hold_answer = mode.holds_answer();
        self.search = Some(ActiveSearch { search_id, game, stop, mode, hold_answer, held_bestmove: None });
        Ok(())
    }

    /// Drops unsupported limits with a warning, and limits a search that would never end.
    fn supported_limits(&mut self, mut limits: Limits, mode: SearchMode) -> io::Result<Limits> {
        for limit in limits.kinds() {
            // An engine that answers immediately is fast enough for any clock.
            if !self.id.supported_limits.contains(&limit) && limit != LimitKind::Time {
                self.log("Warning", &format!("{} ignores the {limit} limit", self.id.name))?;
            }
        }
        let supports = |kind| self.id.supported_limits.contains(&kind);
        limits.depth = limits.depth.filter(|_| supports(LimitKind::Depth));
        limits.nodes = limits.nodes.filter(|_| supports(LimitKind::Nodes));
        if !mode.holds_answer() && limits == Limits::default() && supports(LimitKind::Time) {
            limits.time = Some(TimeBudget::fixed(DEFAULT_TURN_TIME));
        }
        Ok(limits)
    }

    pub(super) fn stop(&mut self) -> io::Result<()> {
        let Some(search) = &mut self.search else {
            return self.log("Error", "stop: no search is running");
        };
        search.stop.request();
        search.hold_answer = false;
        match search.held_bestmove.take() {
            None => Ok(()),
            Some(best) => {
                self.search = None;
                self.send(&format!("bestmove {best}"))
            }
        }
    }

    /// Stops the search and discards its answer.
    pub(super) fn cancel_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.request();
        }
    }

    /// Whether a reply is outstanding at the end of the input. Stops a running search, so that its answer is the last
    /// line of the session.
    pub(super) fn has_pending_reply(&self) -> bool {
        let search = self.search.as_ref().filter(|search| !search.hold_answer);
        if let Some(search) = search {
            search.stop.request();
        }
        self.pending_isready != 0 || search.is_some()
    }

    pub(super) fn send_info(&mut self, search_id: u64, info: &Info) -> io::Result<()> {
        let Some(search) = self.search.as_ref().filter(|search| search.search_id == search_id) else {
            return Ok(());
        };
        for line in info_lines(info, &search.game) {
            writeln!(self.out, "info {line}")?;
        }
        self.out.flush()
    }

    pub(super) fn on_search_finished(
        &mut self,
        search_id: u64,
        answer: Result<Answer, EngineError>,
    ) -> io::Result<()> {
        let Some(search) = self.search.as_mut().filter(|search| search.search_id == search_id) else {
            return Ok(());
        };
        match answer {
            Ok(answer) => {
                self.last_answer = Some(answer);
                let best = format_bestmove(&answer, search.game.position().board());
                if search.hold_answer {
                    search.held_bestmove = Some(best);
                    return Ok(());
                }
                self.search = None;
                self.send(&format!("bestmove {best}"))
            }
            Err(error) => {
                self.search = None;
                self.log("Error", &error.to_string())
            }
        }
    }
}

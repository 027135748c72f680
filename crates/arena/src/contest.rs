//! A match, tournament or sequential test: engines, a schedule and the directory of its games.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use surus_play::{EngineError, Registry, StopToken};
use surus_record::Shard;
use surus_rules::Side;

use crate::adjudication::Adjudication;
use crate::fault::FaultKind;
use crate::game_row::{GameEntry, now};
use crate::limits::EngineLimits;
use crate::manifest::{Invocation, Manifest, ManifestEngine};
use crate::match_game::{GameOptions, MatchGame};
use crate::opening::Openings;
use crate::run_dir::{RunDir, RunDirError};
use crate::schedule::{Schedule, ScheduledGame};
use crate::scoreboard::Scoreboard;
use crate::shared::{BlockQueue, ClaimError, SharedTask};
use crate::spec::EngineSpec;
use crate::tournament::{Participant, Tournament, TournamentError};

/// Options that apply to all games of a contest.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Source of the openings.
    pub openings: Openings,
    /// Description of the openings in the manifest.
    pub openings_name: String,
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// Time after which an untimed engine forfeits.
    pub stall: Duration,
    /// Games in parallel.
    pub concurrency: usize,
    /// The part of the games to play.
    pub shard: Shard,
    /// Comment in the manifest.
    pub comment: String,
    /// Directory of the games.
    pub out: Option<PathBuf>,
    /// Whether to continue a run that the directory contains.
    pub resume: bool,
    /// Directory of the logs of external engines, one for each of its games.
    pub engine_logs: Option<PathBuf>,
    /// Limits of engines that support limits and have none of their own.
    pub default_limits: EngineLimits,
    /// The process, as it is recorded in the manifest.
    pub invocation: Invocation,
    /// The part of this process in a run of several, whose directory is then that of its task.
    pub shared: Option<SharedTask>,
}

/// Engines that are ready to play a schedule.
#[derive(Debug)]
pub struct Contest<'a> {
    specs: Vec<EngineSpec>,
    engines: Vec<ManifestEngine>,
    schedule: Schedule,
    format: &'static str,
    /// Options that apply to all games.
    pub terms: Terms,
    registry: &'a Registry,
}

/// A contest that can't start, or ended early.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// An engine can't be created, or does not support its limits.
    #[error("engine '{name}': {error}")]
    Engine {
        /// The name of the engine.
        name: String,
        /// The cause.
        error: EngineError,
    },
    /// The directory can't be used.
    #[error(transparent)]
    Folder(#[from] RunDirError),
    /// A game could not be saved.
    #[error(transparent)]
    Run(#[from] TournamentError),
    /// The next block of a shared run could not be claimed.
    #[error(transparent)]
    Claim(#[from] ClaimError),
}

/// The outcome of a contest.
#[derive(Debug, Default)]
pub struct ContestOutcome {
    /// All results.
    pub board: Scoreboard,
    /// Forfeited games by engine and kind of fault.
    pub faults: BTreeMap<String, BTreeMap<FaultKind, u64>>,
    /// Whether it was stopped before its last game.
    pub interrupted: bool,
}

/// A finished game.
#[derive(Clone, Copy, Debug)]
pub struct FinishedGame<'a> {
    /// Its entry in the schedule.
    pub scheduled: &'a ScheduledGame,
    /// Its result.
    pub entry: &'a GameEntry,
    /// The game; `None` if it was played before the run was resumed.
    pub match_game: Option<&'a MatchGame>,
    /// All results so far.
    pub board: &'a Scoreboard,
}

impl<'a> Contest<'a> {
    /// Creates every engine once, so that errors are reported before the first game.
    pub fn prepare(
        mut specs: Vec<EngineSpec>,
        schedule: Schedule,
        format: &'static str,
        terms: Terms,
        registry: &'a Registry,
    ) -> Result<Self, ContestError> {
        let mut engines = Vec::new();
        for spec in &mut specs {
            let name = spec.name.clone();
            let failed = |error| ContestError::Engine { name, error };
            let engine = spec.instantiate(registry).map_err(failed.clone())?;
            if spec.limits == EngineLimits::default() && !engine.id().supported_limits.is_empty() {
                spec.limits = terms.default_limits;
            }
            spec.limits.check_supported(&engine.id()).map_err(failed)?;
            engines.push(ManifestEngine::new(spec, engine.as_ref()));
        }
        Ok(Self { specs, engines, schedule, format, terms, registry })
    }

    /// The engines in order.
    #[must_use]
    pub fn specs(&self) -> &[EngineSpec] {
        &self.specs
    }

    /// The engines as they are recorded.
    #[must_use]
    pub fn engines(&self) -> &[ManifestEngine] {
        &self.engines
    }

    /// The complete schedule.
    #[must_use]
    pub const fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// The names of the engines.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.specs.iter().map(|spec| spec.name.clone()).collect()
    }

    /// The games of this part of the schedule.
    pub fn scheduled_games(&self) -> impl Iterator<Item = ScheduledGame> + use<> {
        let shard = self.terms.shard;
        self.schedule.games().filter(move |scheduled| shard.contains(scheduled.pair))
    }

    /// The manifest of the run.
    #[must_use]
    pub fn manifest(&self) -> Manifest {
        let Shard { index, count } = self.terms.shard;
        Manifest {
            program: format!("surus {}", env!("CARGO_PKG_VERSION")),
            started: now(),
            comment: self.terms.comment.clone(),
            games: self.schedule.games_per_pairing,
            format: self.format.into(),
            openings: self.terms.openings_name.clone(),
            adjudication: self.terms.adjudication.to_string(),
            shard: format!("{index}/{count}"),
            invocation: self.terms.invocation.clone(),
            engine: self.engines.clone(),
        }
    }

    /// Plays all missing games. `on_game` is called for every game, saved ones first; if it returns true, the contest is
    /// decided and ends.
    pub fn play(
        &self,
        stop: &StopToken,
        mut on_game: impl FnMut(&FinishedGame<'_>) -> bool,
    ) -> Result<ContestOutcome, ContestError> {
        let mut run_dir = match &self.terms.out {
            None => None,
            Some(path) => Some(RunDir::open(path, &self.manifest(), self.terms.resume)?),
        };
        let mut outcome = ContestOutcome::default();
        let mut decided = false;
        if let Some(run_dir) = &run_dir {
            let saved: BTreeMap<u64, &GameEntry> =
                run_dir.entries.iter().map(|entry| (entry.id, entry)).collect();
            for scheduled in self.scheduled_games() {
                if let Some(entry) = saved.get(&scheduled.id) {
                    outcome.board.add(&scheduled, entry.winner);
                    decided |= on_game(&FinishedGame {
                        scheduled: &scheduled,
                        entry,
                        match_game: None,
                        board: &outcome.board,
                    });
                }
            }
        }
        if !decided {
            let mut blocks = match &self.terms.shared {
                None => None,
                Some(shared) => Some(BlockQueue::open(self.schedule, shared)?),
            };
            let games: Box<dyn Iterator<Item = ScheduledGame> + Send> = match &mut blocks {
                None => Box::new(self.scheduled_games()),
                Some(blocks) => Box::new(blocks),
            };
            self.run(stop).play(games, run_dir.as_mut(), |scheduled, entry, match_game| {
                outcome.board.add(scheduled, entry.winner);
                self.count_fault(&mut outcome, scheduled, entry, match_game);
                let finished =
                    FinishedGame { scheduled, entry, match_game: Some(match_game), board: &outcome.board };
                if on_game(&finished) && !decided {
                    decided = true;
                    stop.request();
                }
            })?;
            if let Some(error) = blocks.as_mut().and_then(BlockQueue::take_error) {
                return Err(error);
            }
            outcome.interrupted = stop.stop_requested() && !decided;
        }
        if let Some(run_dir) = &mut run_dir {
            run_dir.finish()?;
        }
        Ok(outcome)
    }

    fn run(&self, stop: &StopToken) -> Tournament<'_> {
        let Terms { openings, adjudication, stall, concurrency, comment, .. } = &self.terms;
        let participant = |(spec, engine)| self.participant(spec, engine);
        Tournament {
            participants: self.specs.iter().zip(&self.engines).map(participant).collect(),
            openings: openings.clone(),
            options: GameOptions { adjudication: *adjudication, stall_timeout: *stall, stop: stop.clone() },
            concurrency: *concurrency,
            sync_games: self.terms.shared.is_some(),
            event: if comment.is_empty() { self.format.into() } else { comment.clone() },
            engine_logs: self.terms.engine_logs.clone(),
        }
    }

    fn participant<'s>(&'s self, spec: &'s EngineSpec, engine: &ManifestEngine) -> Participant<'s> {
        Participant {
            name: spec.name.clone(),
            id: engine.id.clone(),
            limits: spec.limits,
            create_engine: Box::new(|log| spec.instantiate_logged(self.registry, log)),
        }
    }

    fn count_fault(
        &self,
        outcome: &mut ContestOutcome,
        scheduled: &ScheduledGame,
        entry: &GameEntry,
        match_game: &MatchGame,
    ) {
        let (Some(fault), Some(winner)) = (&match_game.forfeit_reason, entry.winner) else { return };
        let loser = if winner == Side::Gold { scheduled.silver } else { scheduled.gold };
        let name = self.specs[loser].name.clone();
        *outcome.faults.entry(name).or_default().entry(fault.kind).or_default() += 1;
    }
}

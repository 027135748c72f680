//! A match, a tournament or a sequential test: engines, a schedule, and the folder that keeps the games.

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
use crate::manifest::{Manifest, ManifestEngine};
use crate::match_game::{GameOptions, MatchGame};
use crate::opening::Openings;
use crate::run_dir::{RunDir, RunDirError};
use crate::schedule::{Schedule, ScheduledGame};
use crate::scoreboard::Scoreboard;
use crate::spec::EngineSpec;
use crate::tournament::{Participant, Tournament, TournamentError};

/// What holds for all games of a contest.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Where games begin.
    pub openings: Openings,
    /// How the openings are called in the settings of the run.
    pub openings_name: String,
    /// When games are cut.
    pub adjudication: Adjudication,
    /// How long an engine without a clock may be silent.
    pub stall: Duration,
    /// How many games at once.
    pub concurrency: usize,
    /// Which part of the games to play.
    pub shard: Shard,
    /// What the run is for.
    pub comment: String,
    /// The folder for the games.
    pub out: Option<PathBuf>,
    /// Whether the folder may contain a part of this run already.
    pub resume: bool,
    /// The limit of engines that search and have none of their own.
    pub default_pace: EngineLimits,
}

/// Engines that are ready to play a schedule.
#[derive(Debug)]
pub struct Contest<'a> {
    specs: Vec<EngineSpec>,
    engines: Vec<ManifestEngine>,
    schedule: Schedule,
    format: &'static str,
    /// What holds for all games.
    pub terms: Terms,
    registry: &'a Registry,
}

/// Why a contest can't begin, or ended early.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// An engine can't be made, or can't be held to its pace.
    #[error("engine '{name}': {error}")]
    Engine {
        /// What it is called.
        name: String,
        /// What is wrong.
        error: EngineError,
    },
    /// The folder can't be used.
    #[error(transparent)]
    Folder(#[from] RunDirError),
    /// A game could not be kept.
    #[error(transparent)]
    Run(#[from] TournamentError),
}

/// How a contest went.
#[derive(Debug, Default)]
pub struct ContestOutcome {
    /// All results.
    pub board: Scoreboard,
    /// Games lost by a fault, by engine and sort of fault.
    pub faults: BTreeMap<String, BTreeMap<FaultKind, u64>>,
    /// Whether it was stopped before its last game.
    pub interrupted: bool,
}

/// A finished game.
#[derive(Clone, Copy, Debug)]
pub struct FinishedGame<'a> {
    /// Its place in the schedule.
    pub fixture: &'a ScheduledGame,
    /// Its result.
    pub entry: &'a GameEntry,
    /// The game; none if it was played in an earlier part of the run.
    pub bout: Option<&'a MatchGame>,
    /// All results so far.
    pub board: &'a Scoreboard,
}

impl<'a> Contest<'a> {
    /// Makes every engine once, so that whatever is wrong is reported before the first game.
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
            if spec.pace == EngineLimits::default() && !engine.id().supported_limits.is_empty() {
                spec.pace = terms.default_pace;
            }
            spec.pace.check_supported(&engine.id()).map_err(failed)?;
            engines.push(ManifestEngine::new(spec, engine.as_ref()));
        }
        Ok(Self { specs, engines, schedule, format, terms, registry })
    }

    /// The engines in their order.
    #[must_use]
    pub fn specs(&self) -> &[EngineSpec] {
        &self.specs
    }

    /// The names of the engines.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.specs.iter().map(|spec| spec.name.clone()).collect()
    }

    /// The games of its part of the schedule.
    pub fn fixtures(&self) -> impl Iterator<Item = ScheduledGame> + use<> {
        let shard = self.terms.shard;
        self.schedule.games_per_pairing().filter(move |fixture| shard.contains(fixture.pair))
    }

    /// The settings of the run.
    #[must_use]
    pub fn manifest(&self) -> Manifest {
        let Shard { index: part, count: of } = self.terms.shard;
        Manifest {
            program: format!("surus {}", env!("CARGO_PKG_VERSION")),
            started: now(),
            comment: self.terms.comment.clone(),
            games: self.schedule.games_per_pairing,
            format: self.format.into(),
            openings: self.terms.openings_name.clone(),
            adjudication: self.terms.adjudication.to_string(),
            shard: format!("{part}/{of}"),
            engine: self.engines.clone(),
        }
    }

    /// Plays all games that the folder does not have. `on_game` is called for every game, those of an earlier part of
    /// the run first; when it returns true the contest is decided and ends.
    pub fn play(
        &self,
        stop: &StopToken,
        mut on_game: impl FnMut(&FinishedGame<'_>) -> bool,
    ) -> Result<ContestOutcome, ContestError> {
        let mut folder = match &self.terms.out {
            None => None,
            Some(path) => Some(RunDir::open(path, &self.manifest(), self.terms.resume)?),
        };
        let mut outcome = ContestOutcome::default();
        let mut decided = false;
        if let Some(folder) = &folder {
            let known: BTreeMap<u64, &GameEntry> =
                folder.entries.iter().map(|entry| (entry.id, entry)).collect();
            for fixture in self.fixtures() {
                if let Some(entry) = known.get(&fixture.id) {
                    outcome.board.add(&fixture, entry.winner);
                    decided |= on_game(&FinishedGame {
                        fixture: &fixture,
                        entry,
                        bout: None,
                        board: &outcome.board,
                    });
                }
            }
        }
        if !decided {
            self.run(stop).play(self.fixtures(), folder.as_mut(), |fixture, entry, bout| {
                outcome.board.add(fixture, entry.winner);
                self.count_fault(&mut outcome, fixture, entry, bout);
                let finished = FinishedGame { fixture, entry, bout: Some(bout), board: &outcome.board };
                if on_game(&finished) && !decided {
                    decided = true;
                    stop.request();
                }
            })?;
            outcome.interrupted = stop.stop_requested() && !decided;
        }
        if let Some(folder) = &mut folder {
            folder.finish()?;
        }
        Ok(outcome)
    }

    fn run(&self, stop: &StopToken) -> Tournament<'_> {
        let Terms { openings, adjudication, stall, concurrency, comment, .. } = &self.terms;
        let entrant = |(spec, described)| self.entrant(spec, described);
        Tournament {
            participants: self.specs.iter().zip(&self.engines).map(entrant).collect(),
            openings: openings.clone(),
            conditions: GameOptions {
                adjudication: *adjudication,
                stall_timeout: *stall,
                stop: stop.clone(),
            },
            concurrency: *concurrency,
            event: if comment.is_empty() { self.format.into() } else { comment.clone() },
        }
    }

    fn entrant<'s>(&'s self, spec: &'s EngineSpec, described: &ManifestEngine) -> Participant<'s> {
        Participant {
            name: spec.name.clone(),
            id: described.id.clone(),
            pace: spec.pace,
            create_engine: Box::new(|| spec.instantiate(self.registry)),
        }
    }

    fn count_fault(
        &self,
        outcome: &mut ContestOutcome,
        fixture: &ScheduledGame,
        entry: &GameEntry,
        bout: &MatchGame,
    ) {
        let (Some(fault), Some(winner)) = (&bout.forfeit_reason, entry.winner) else { return };
        let loser = if winner == Side::Gold { fixture.silver } else { fixture.gold };
        let name = self.specs[loser].name.clone();
        *outcome.faults.entry(name).or_default().entry(fault.kind).or_default() += 1;
    }
}

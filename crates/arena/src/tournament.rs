//! Plays the games of a schedule in parallel; a thread saves each game before it starts the next.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use surus_play::{Engine, EngineError};
use surus_rules::{Game, Side};

use crate::fault::Fault;
use crate::game_row::{GameEntry, GameInfo, format_row, now};
use crate::limits::EngineLimits;
use crate::match_game::{GameOptions, MatchGame, play_game};
use crate::observer::Players;
use crate::opening::Openings;
use crate::run_dir::{RunDir, RunDirError};
use crate::schedule::ScheduledGame;

/// Creates an engine whose messages are logged to files with this name.
pub type CreateEngine<'a> = dyn Fn(Option<&Path>) -> Result<Box<dyn Engine>, EngineError> + Sync + 'a;

/// An engine of a tournament.
pub struct Participant<'a> {
    /// Name in the results.
    pub name: String,
    /// Full engine id.
    pub id: String,
    /// Its limits.
    pub limits: EngineLimits,
    /// Creates an instance; called once per thread, or once per game with the name of its logs.
    pub create_engine: Box<CreateEngine<'a>>,
}

impl std::fmt::Debug for Participant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Participant")
            .field("name", &self.name)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Engines and options of a run.
#[derive(Debug)]
pub struct Tournament<'a> {
    /// The engines.
    pub participants: Vec<Participant<'a>>,
    /// Source of the openings.
    pub openings: Openings,
    /// Options of every game.
    pub options: GameOptions,
    /// Games in parallel.
    pub concurrency: usize,
    /// Whether every game is forced to the disk at once, so that other machines see it.
    pub sync_games: bool,
    /// The event column of the archive rows.
    pub event: String,
    /// Directory of the logs of each engine in each game.
    pub engine_logs: Option<PathBuf>,
}

/// A run that ended before its last game.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A game could not be saved.
    #[error(transparent)]
    Write(#[from] RunDirError),
    /// Another thread panicked while it held a lock.
    #[error("another thread of the run panicked")]
    Poisoned,
}

/// The schedule entry, result and turns of a game.
type FinishedGame = (ScheduledGame, GameEntry, Box<MatchGame>);

impl Tournament<'_> {
    /// Plays the games that `run_dir` does not contain yet. `on_game` is called for each and may end the run with the stop
    /// token of the options; games in progress are then dropped, and played when the run is resumed. The caller has to
    /// call [`crate::RunDir::finish`].
    pub fn play(
        &self,
        scheduled_games: impl Iterator<Item = ScheduledGame> + Send,
        run_dir: Option<&mut RunDir>,
        mut on_game: impl FnMut(&ScheduledGame, &GameEntry, &MatchGame),
    ) -> Result<(), TournamentError> {
        let saved: HashSet<u64> =
            run_dir.iter().flat_map(|run_dir| run_dir.entries.iter().map(|entry| entry.id)).collect();
        let queue = Mutex::new(scheduled_games.filter(|scheduled| !saved.contains(&scheduled.id)));
        let run_dir = Mutex::new(run_dir);
        let (sender, results) = channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (queue, run_dir) = (&queue, &run_dir);
                scope.spawn(move || self.worker_loop(queue, run_dir, &sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            for result in results {
                match result {
                    Ok((scheduled, entry, match_game)) => on_game(&scheduled, &entry, &match_game),
                    Err(error) => {
                        self.options.stop.request();
                        outcome = Err(error);
                    }
                }
            }
            outcome
        })
    }

    fn worker_loop(
        &self,
        queue: &Mutex<impl Iterator<Item = ScheduledGame>>,
        run_dir: &Mutex<Option<&mut RunDir>>,
        results: &Sender<Result<FinishedGame, TournamentError>>,
    ) {
        let mut engines: Vec<Option<Box<dyn Engine>>> = self.participants.iter().map(|_| None).collect();
        while !self.options.stop.should_stop() {
            let scheduled = match queue.lock() {
                Ok(mut queue) => queue.next(),
                Err(_) => {
                    let _ = results.send(Err(TournamentError::Poisoned));
                    return;
                }
            };
            let Some(scheduled) = scheduled else { return };
            match self.play_scheduled(&scheduled, &mut engines, run_dir) {
                Ok(None) => return,
                Ok(Some((entry, match_game))) => {
                    if results.send(Ok((scheduled, entry, Box::new(match_game)))).is_err() {
                        return;
                    }
                }
                Err(error) => {
                    let _ = results.send(Err(error));
                    return;
                }
            }
        }
    }

    fn play_scheduled(
        &self,
        scheduled: &ScheduledGame,
        engines: &mut [Option<Box<dyn Engine>>],
        run_dir: &Mutex<Option<&mut RunDir>>,
    ) -> Result<Option<(GameEntry, MatchGame)>, TournamentError> {
        let started = now();
        let opening = self.openings.get(scheduled.opening);
        let mut take_engine = |index: usize, side: Side| {
            let log = self.log_name(scheduled.id, side, &self.participants[index].name);
            let create = || (self.participants[index].create_engine)(log.as_deref());
            engines[index].take().map_or_else(create, Ok)
        };
        let pair = (take_engine(scheduled.gold, Side::Gold), take_engine(scheduled.silver, Side::Silver));
        let match_game = match pair {
            (Ok(mut gold), Ok(mut silver)) => {
                let limits = [scheduled.gold, scheduled.silver].map(|index| self.participants[index].limits);
                let players = Players::Two([gold.as_mut(), silver.as_mut()]);
                let played = play_game(players, limits, opening, &self.options, &mut ());
                let Some(match_game) = played else { return Ok(None) };
                // After a fault, and for logs by game, both engines are created again for their next game.
                if match_game.forfeit_reason.is_none() && self.engine_logs.is_none() {
                    engines[scheduled.gold] = Some(gold);
                    engines[scheduled.silver] = Some(silver);
                }
                match_game
            }
            (Err(error), _) => forfeit(opening, Side::Gold, &error),
            (_, Err(error)) => forfeit(opening, Side::Silver, &error),
        };
        let participants = [scheduled.gold, scheduled.silver].map(|index| &self.participants[index]);
        let info = GameInfo {
            id: scheduled.id,
            players: participants.map(|participant| participant.name.as_str()),
            engines: participants.map(|participant| participant.id.as_str()),
            limits: participants.map(|participant| participant.limits.to_string()),
            event: &self.event,
            started,
        };
        let (entry, text) = format_row(&info, &match_game);
        if let Some(run_dir) = run_dir.lock().map_err(|_| TournamentError::Poisoned)?.as_mut() {
            run_dir.add(entry.clone(), &text)?;
            if self.sync_games {
                run_dir.sync()?;
            }
        }
        Ok(Some((entry, match_game)))
    }
}

impl Tournament<'_> {
    /// The name of the logs of an engine in a game, without extension.
    fn log_name(&self, game: u64, side: Side, engine: &str) -> Option<PathBuf> {
        let allowed = |c: char| if c.is_alphanumeric() || ".-_".contains(c) { c } else { '_' };
        let engine: String = engine.chars().take(60).map(allowed).collect();
        self.engine_logs.as_ref().map(|dir| dir.join(format!("{game}-{side}-{engine}")))
    }
}

/// A game forfeited because an engine could not be created.
fn forfeit(game: Game, loser: Side, error: &EngineError) -> MatchGame {
    let mut match_game = MatchGame { game, turns: Vec::new(), forfeit_reason: None };
    match_game.forfeit(loser, Fault::from(error));
    match_game
}

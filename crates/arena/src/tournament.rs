//! Plays the games of a schedule, several at once, each on disk before its thread begins the next.

use std::collections::HashSet;
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

/// An engine that takes part.
pub struct Participant<'a> {
    /// What it is called in the results.
    pub name: String,
    /// Its full id.
    pub id: String,
    /// What it is held to.
    pub pace: EngineLimits,
    /// Makes one for each thread.
    pub create_engine: Box<dyn Fn() -> Result<Box<dyn Engine>, EngineError> + Sync + 'a>,
}

impl std::fmt::Debug for Participant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entrant").field("name", &self.name).field("pace", &self.pace).finish_non_exhaustive()
    }
}

/// All that a run needs.
#[derive(Debug)]
pub struct Tournament<'a> {
    /// Who plays.
    pub participants: Vec<Participant<'a>>,
    /// Where games begin.
    pub openings: Openings,
    /// When games are cut.
    pub conditions: GameOptions,
    /// How many games at once.
    pub concurrency: usize,
    /// What the archive's event column says.
    pub event: String,
}

/// Why a run ended before its last game.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A game could not be written.
    #[error(transparent)]
    Write(#[from] RunDirError),
    /// Another thread panicked while it held a lock.
    #[error("another thread of the run panicked")]
    Poisoned,
}

/// A game, and what there is to know of it.
type FinishedGame = (ScheduledGame, GameEntry, Box<MatchGame>);

impl Tournament<'_> {
    /// Plays all fixtures that the folder does not have yet. `finished` hears of each game and may end the run
    /// by the stop in the conditions. Games that run then are dropped, and are played when the run is resumed. At the end
    /// [`crate::RunDir::finish`] is left to the caller.
    pub fn play(
        &self,
        fixtures: impl Iterator<Item = ScheduledGame> + Send,
        folder: Option<&mut RunDir>,
        mut finished: impl FnMut(&ScheduledGame, &GameEntry, &MatchGame),
    ) -> Result<(), TournamentError> {
        let done: HashSet<u64> =
            folder.iter().flat_map(|folder| folder.entries.iter().map(|entry| entry.id)).collect();
        let waiting = Mutex::new(fixtures.filter(|fixture| !done.contains(&fixture.id)));
        let folder = Mutex::new(folder);
        let (sender, results) = channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (waiting, folder) = (&waiting, &folder);
                scope.spawn(move || self.worker_loop(waiting, folder, &sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            for result in results {
                match result {
                    Ok((fixture, entry, bout)) => finished(&fixture, &entry, &bout),
                    Err(error) => {
                        self.conditions.stop.request();
                        outcome = Err(error);
                    }
                }
            }
            outcome
        })
    }

    fn worker_loop(
        &self,
        waiting: &Mutex<impl Iterator<Item = ScheduledGame>>,
        folder: &Mutex<Option<&mut RunDir>>,
        results: &Sender<Result<FinishedGame, TournamentError>>,
    ) {
        let mut engines: Vec<Option<Box<dyn Engine>>> = self.participants.iter().map(|_| None).collect();
        while !self.conditions.stop.should_stop() {
            let fixture = match waiting.lock() {
                Ok(mut waiting) => waiting.next(),
                Err(_) => {
                    let _ = results.send(Err(TournamentError::Poisoned));
                    return;
                }
            };
            let Some(fixture) = fixture else { return };
            match self.play_scheduled(&fixture, &mut engines, folder) {
                Ok(None) => return,
                Ok(Some((entry, bout))) => {
                    if results.send(Ok((fixture, entry, Box::new(bout)))).is_err() {
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
        fixture: &ScheduledGame,
        engines: &mut [Option<Box<dyn Engine>>],
        folder: &Mutex<Option<&mut RunDir>>,
    ) -> Result<Option<(GameEntry, MatchGame)>, TournamentError> {
        let started = now();
        let opening = self.openings.get(fixture.opening);
        let mut enter = |index: usize| {
            engines[index].take().map_or_else(|| (self.participants[index].create_engine)(), Ok)
        };
        let bout = match (enter(fixture.gold), enter(fixture.silver)) {
            (Ok(mut gold), Ok(mut silver)) => {
                let paces = [fixture.gold, fixture.silver].map(|index| self.participants[index].pace);
                let players = Players::Two([gold.as_mut(), silver.as_mut()]);
                let played = play_game(players, paces, opening, &self.conditions, &mut ());
                let Some(bout) = played else { return Ok(None) };
                // An engine that has failed is started anew for its next game.
                if bout.forfeit_reason.is_none() {
                    engines[fixture.gold] = Some(gold);
                    engines[fixture.silver] = Some(silver);
                }
                bout
            }
            (Err(error), _) => forfeit(opening, Side::Gold, &error),
            (_, Err(error)) => forfeit(opening, Side::Silver, &error),
        };
        let entrants = [fixture.gold, fixture.silver].map(|index| &self.participants[index]);
        let about = GameInfo {
            id: fixture.id,
            players: entrants.map(|entrant| entrant.name.as_str()),
            engines: entrants.map(|entrant| entrant.id.as_str()),
            paces: entrants.map(|entrant| entrant.pace.to_string()),
            event: &self.event,
            started,
        };
        let (entry, text) = format_row(&about, &bout);
        if let Some(folder) = folder.lock().map_err(|_| TournamentError::Poisoned)?.as_mut() {
            folder.add(entry.clone(), &text)?;
        }
        Ok(Some((entry, bout)))
    }
}

/// A game that a side loses because it could not even be started.
fn forfeit(game: Game, loser: Side, error: &EngineError) -> MatchGame {
    let mut bout = MatchGame { game, turns: Vec::new(), forfeit_reason: None };
    bout.forfeit(loser, Fault::from(error));
    bout
}

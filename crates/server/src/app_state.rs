//! The shared state of the server: stored games, games with subscribers, and engines.
//!
//! The methods block, on SQLite and on locks: async code calls them through [`AppState::run_blocking`] or a pool. Locks
//! are taken in the order sessions, session, store.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::access::{Client, random_text};
use crate::analysis::AnalysisService;
use crate::api::{EngineResults, GameList, GameState, NewGame, Player, ServerMessage, ServerStats};
use crate::archive::ArchiveService;
use crate::blocking::Pool;
use crate::engine_pool::{EnginePool, EngineRequestError, MAX_SECONDS};
use crate::error::ApiError;
use crate::game::{self, ActiveGame, GameError};
use crate::refused::RefusedCounters;
use crate::session::{GameSession, SessionError, Subscriber, encode, send};
use crate::store::{GameStore, StoreError};

/// The maximum number of stored games.
const MAX_GAMES: u64 = 100_000;

/// The maximum length of a player's name, in characters.
const MAX_NAME_LEN: usize = 60;

/// Requests for stored games that run concurrently, and that may be pending.
const MAX_CONCURRENT_GAME_REQUESTS: usize = 4;
const MAX_PENDING_GAME_REQUESTS: usize = 64;

/// Pending computations, which need no stored game; one per processor runs.
const MAX_PENDING_COMPUTATIONS: usize = 64;

/// Pending hints; an engine's permit is needed for each.
const MAX_PENDING_HINTS: usize = 8;

/// The length of a game's id, in characters of 5 random bits; it is all that a client needs to open the game.
const ID_LEN: usize = 12;

/// The shared state of the server.
#[derive(Debug)]
pub(crate) struct AppState {
    store: GameStore,
    /// Whether games can only be viewed.
    pub(crate) read_only: bool,
    pub(crate) archive: ArchiveService,
    sessions: Mutex<HashMap<String, Arc<GameSession>>>,
    pub(crate) engines: EnginePool,
    pub(crate) analysis: Arc<AnalysisService>,
    pub(crate) default_engine: String,
    id_counter: AtomicU64,
    pub(crate) clients: AtomicUsize,
    /// Reads and writes stored games.
    pub(crate) game_pool: Pool,
    /// Replays and explains positions.
    pub(crate) compute: Pool,
    /// Searches for hints.
    pub(crate) hints: Pool,
    pub(crate) refused: Arc<RefusedCounters>,
}

impl AppState {
    pub(crate) fn new(
        store: GameStore,
        read_only: bool,
        archive: ArchiveService,
        engines: EnginePool,
        analysis: AnalysisService,
        default_engine: String,
    ) -> Self {
        let hints = Pool::new("hints", engines.max_concurrent, MAX_PENDING_HINTS);
        let compute = Pool::new("computations", engines.max_concurrent, MAX_PENDING_COMPUTATIONS);
        Self {
            store,
            read_only,
            archive,
            sessions: Mutex::default(),
            engines,
            analysis: Arc::new(analysis),
            default_engine,
            id_counter: AtomicU64::new(1),
            clients: AtomicUsize::new(0),
            game_pool: Pool::new(
                "requests for games",
                MAX_CONCURRENT_GAME_REQUESTS,
                MAX_PENDING_GAME_REQUESTS,
            ),
            compute,
            hints,
            refused: Arc::default(),
        }
    }

    /// Runs work on the stored games on a blocking thread.
    pub(crate) async fn run_blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Arc<Self>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let app = Arc::clone(self);
        self.game_pool.run(move || work(&app)).await?
    }

    fn sessions(&self) -> Result<MutexGuard<'_, HashMap<String, Arc<GameSession>>>, ApiError> {
        self.sessions.lock().map_err(|_| ApiError::Poisoned)
    }

    fn check_writable(&self) -> Result<(), ApiError> {
        if self.read_only { Err(ApiError::ReadOnly) } else { Ok(()) }
    }

    /// A unique number, for clients and searches.
    pub(crate) fn next_id(&self) -> u64 {
        self.id_counter.fetch_add(1, Ordering::Relaxed)
    }

    /// Stores the difference between two states of a game.
    pub(crate) fn save_game(&self, before: &ActiveGame, after: &ActiveGame) -> Result<(), ApiError> {
        Ok(self.store.update(&after.change_since(before), now())?)
    }

    /// Creates and stores a game.
    pub(crate) fn create_game(&self, client: &Client, config: NewGame) -> Result<GameState, ApiError> {
        self.check_writable()?;
        for player in [&config.gold, &config.silver] {
            self.check_player(player)?;
        }
        if self.store.count()? >= MAX_GAMES {
            return Err(ApiError::TooManyGames(MAX_GAMES));
        }
        let created_at = now();
        let active = ActiveGame::new(random_text(ID_LEN), config, created_at)?;
        self.store.insert(&active.to_stored(), &active.stored_turns(), client.guest(), created_at)?;
        Ok(active.state())
    }

    /// The results of a client against each engine.
    pub(crate) fn results(&self, client: &Client) -> Result<Vec<EngineResults>, ApiError> {
        Ok(game::engine_results(self.store.results(client.guest())?))
    }

    fn check_player(&self, player: &Player) -> Result<(), ApiError> {
        match player {
            Player::Human { name } if name.chars().count() > MAX_NAME_LEN => {
                Err(GameError::NameTooLong { max: MAX_NAME_LEN }.into())
            }
            Player::Human { .. } => Ok(()),
            Player::Engine { name, seconds } => {
                self.engines.validate_options(name)?;
                if !(1..=MAX_SECONDS).contains(seconds) {
                    return Err(EngineRequestError::Seconds(*seconds).into());
                }
                Ok(())
            }
        }
    }

    /// Replays a stored game. If that fails, the list of games shows the reason from now on.
    fn load(&self, id: &str) -> Result<ActiveGame, ApiError> {
        let (game, turns) = self.store.load(id)?;
        ActiveGame::from_stored(&game, &turns).map_err(|error| {
            let reason = error.to_string();
            if !self.read_only {
                // Best effort: the client gets the error in any case.
                let _ = self.store.mark_unreadable(id, &reason);
            }
            StoreError::Unreadable { id: id.into(), reason }.into()
        })
    }

    fn session(&self, id: &str) -> Result<Option<Arc<GameSession>>, ApiError> {
        Ok(self.sessions()?.get(id).map(Arc::clone))
    }

    /// The state of a game, with or without subscribers.
    pub(crate) fn game_state(&self, id: &str) -> Result<GameState, ApiError> {
        match self.session(id)? {
            Some(session) => Ok(session.game_state()?),
            None => Ok(self.load(id)?.state()),
        }
    }

    /// A copy of a game, with or without subscribers.
    pub(crate) fn active_game(&self, id: &str) -> Result<ActiveGame, ApiError> {
        match self.session(id)? {
            Some(session) => Ok(session.active_game()?),
            None => self.load(id),
        }
    }

    /// The record of a game, one turn per line.
    pub(crate) fn game_record(&self, id: &str) -> Result<String, ApiError> {
        Ok(format!("{}\n", self.load(id)?.game))
    }

    /// Subscribes a client to a game. A read-only board sends its state once.
    pub(crate) fn subscribe(self: &Arc<Self>, id: &str, subscriber: &Subscriber) -> Result<(), ApiError> {
        if self.read_only {
            let game = Box::new(self.load(id)?.state());
            send(subscriber, &encode(&ServerMessage::Game { game }));
            return Ok(());
        }
        // Loading under the lock prevents a second session with an older state of the game.
        let mut sessions = self.sessions()?;
        let existing = sessions.get(id).filter(|session| !session.is_poisoned()).map(Arc::clone);
        let session = match existing {
            Some(session) => session,
            None => {
                let session = Arc::new(GameSession::new(self.load(id)?));
                sessions.insert(id.into(), Arc::clone(&session));
                session
            }
        };
        Ok(session.subscribe(self, subscriber)?)
    }

    /// Unsubscribes a client. A session whose elapsed time could not be stored is kept, so that it is not lost.
    pub(crate) fn unsubscribe(&self, id: &str, client: u64) -> Result<(), ApiError> {
        let Some(session) = self.session(id)? else { return Ok(()) };
        session.unsubscribe(self, client)?;
        let mut sessions = self.sessions()?;
        if sessions.get(id).is_some_and(|existing| Arc::ptr_eq(existing, &session) && session.is_empty()) {
            sessions.remove(id);
        }
        Ok(())
    }

    /// Updates a game that has subscribers.
    pub(crate) fn update_game(
        self: &Arc<Self>,
        id: &str,
        update: impl FnOnce(&mut ActiveGame) -> Result<(), GameError>,
    ) -> Result<(), ApiError> {
        self.check_writable()?;
        let session = self.session(id)?.ok_or(SessionError::NotSubscribed)?;
        session.update(self, |active| Ok(update(active)?))
    }

    /// One page of the list of games of a client.
    pub(crate) fn list_games(&self, client: &Client, limit: u32, offset: u32) -> Result<GameList, ApiError> {
        let (entries, total) = self.store.list(client.guest(), limit, offset)?;
        Ok(GameList { games: entries.into_iter().map(game::listed_game).collect(), total })
    }

    /// Deletes a game of a client and notifies its subscribers.
    pub(crate) fn delete_game(&self, client: &Client, id: &str) -> Result<(), ApiError> {
        self.check_writable()?;
        if client.guest().is_some() && self.store.guest(id)?.as_deref() != client.guest() {
            return Err(ApiError::NotOwner);
        }
        self.store.delete(id)?;
        if let Some(session) = self.sessions()?.remove(id) {
            session.close()?;
        }
        Ok(())
    }

    /// The current load.
    pub(crate) fn stats(&self) -> Result<ServerStats, ApiError> {
        Ok(ServerStats {
            clients: self.clients.load(Ordering::Relaxed),
            games: self.sessions()?.len(),
            analyses: self.analysis.count(),
            memory: self.engines.used_memory(),
            refused: self.refused.counts(),
            searching: self.engines.max_concurrent - self.engines.permits.available_permits(),
        })
    }

    /// Stops all engines and clocks and stores the elapsed time. Returns the first failure.
    pub(crate) fn stop(&self) -> Result<(), ApiError> {
        self.analysis.stop_all();
        let sessions: Vec<Arc<GameSession>> = self.sessions()?.values().map(Arc::clone).collect();
        sessions.iter().map(|session| session.stop(self)).fold(Ok(()), Result::and)
    }

    /// The store, for tests that make it fail.
    #[cfg(test)]
    pub(crate) fn store(&self) -> &GameStore {
        &self.store
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

//! Everything that is shared: the stored games, those that are watched, and the engines.
//!
//! The methods block, on SQLite and on locks: async code calls them through [`Hub::blocking`] or a pool. Locks are taken
//! in the order rooms, room, store.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::archive::Archive;
use crate::blocking::Pool;
use crate::engines::{EngineRefused, MOST_SECONDS, Workshop};
use crate::error::Refusal;
use crate::live::{self, GameError, Live};
use crate::room::{Room, RoomError, Watcher, send, written};
use crate::store::{Store, StoreError};
use crate::wire::{GameState, Games, NewGame, Player, Served, Tell};

/// More games than this are not stored.
const MOST_GAMES: u64 = 100_000;

/// The longest name of a person, in characters.
const LONGEST_NAME: usize = 60;

/// Requests for stored games that run at the same time, and that may be pending.
const GAMES: (usize, usize) = (4, 64);

/// Pending requests for work that needs no stored game; as many run as there are processors.
const MOST_COMPUTING: usize = 64;

/// The shared state of the server.
#[derive(Debug)]
pub(crate) struct Hub {
    store: Store,
    /// Whether games can only be looked at.
    pub(crate) read_only: bool,
    pub(crate) archive: Archive,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    pub(crate) workshop: Workshop,
    pub(crate) engine: String,
    numbers: AtomicU64,
    pub(crate) clients: AtomicUsize,
    /// Where stored games are read and written.
    pub(crate) games: Pool,
    /// Where positions are looked at and explained.
    pub(crate) compute: Pool,
}

impl Hub {
    pub(crate) fn new(
        store: Store,
        read_only: bool,
        archive: Archive,
        workshop: Workshop,
        engine: String,
    ) -> Self {
        let compute = Pool::new("computations", workshop.size, MOST_COMPUTING);
        Self {
            store,
            read_only,
            archive,
            rooms: Mutex::default(),
            workshop,
            engine,
            numbers: AtomicU64::new(1),
            clients: AtomicUsize::new(0),
            games: Pool::new("requests for games", GAMES.0, GAMES.1),
            compute,
        }
    }

    /// Does something with the games on a blocking thread.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Arc<Self>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let hub = Arc::clone(self);
        self.games.run(move || work(&hub)).await?
    }

    fn rooms(&self) -> Result<MutexGuard<'_, HashMap<String, Arc<Room>>>, Refusal> {
        self.rooms.lock().map_err(|_| Refusal::Poisoned)
    }

    fn writable(&self) -> Result<(), Refusal> {
        if self.read_only { Err(Refusal::ReadOnly) } else { Ok(()) }
    }

    /// A number that nothing else has.
    pub(crate) fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Stores what has changed of a game.
    pub(crate) fn store_change(&self, before: &Live, after: &Live) -> Result<(), Refusal> {
        Ok(self.store.update(&after.change_since(before), now())?)
    }

    /// Begins a game.
    pub(crate) fn begin(&self, terms: NewGame) -> Result<GameState, Refusal> {
        self.writable()?;
        for player in [&terms.gold, &terms.silver] {
            match player {
                Player::Person { name } if LONGEST_NAME < name.chars().count() => {
                    return Err(GameError::NameTooLong { most: LONGEST_NAME }.into());
                }
                Player::Person { .. } => {}
                Player::Engine { name, seconds } => {
                    self.workshop.check(name)?;
                    if !(1..=MOST_SECONDS).contains(seconds) {
                        return Err(EngineRefused::Seconds(*seconds).into());
                    }
                }
            }
        }
        if MOST_GAMES <= self.store.count()? {
            return Err(Refusal::TooManyGames(MOST_GAMES));
        }
        let created = now();
        let live = Live::begin(new_id(), terms, created)?;
        self.store.insert(&live.stored(), created)?;
        Ok(live.state())
    }

    /// Replays a stored game. If that fails, the list of games says so from now on.
    fn load(&self, id: &str) -> Result<Live, Refusal> {
        let (game, turns) = self.store.load(id)?;
        Live::resume(&game, &turns).map_err(|error| {
            let reason = error.to_string();
            if !self.read_only {
                // The client is told in any case; the note is for the list.
                let _ = self.store.note_problem(id, &reason);
            }
            StoreError::Unreadable { id: id.into(), reason }.into()
        })
    }

    fn room(&self, id: &str) -> Result<Option<Arc<Room>>, Refusal> {
        Ok(self.rooms()?.get(id).map(Arc::clone))
    }

    /// The state of a game, watched or not.
    pub(crate) fn state(&self, id: &str) -> Result<GameState, Refusal> {
        match self.room(id)? {
            Some(room) => Ok(room.state()?),
            None => Ok(self.load(id)?.state()),
        }
    }

    /// The record of a game, one turn a line.
    pub(crate) fn record(&self, id: &str) -> Result<String, Refusal> {
        Ok(format!("{}\n", self.load(id)?.game))
    }

    /// Lets a client watch a game. A board that is read-only sends its state once.
    pub(crate) fn watch(self: &Arc<Self>, id: &str, watcher: &Watcher) -> Result<(), Refusal> {
        if self.read_only {
            let game = Box::new(self.load(id)?.state());
            send(watcher, &written(&Tell::Game { game }));
            return Ok(());
        }
        // Loading under the lock keeps an older state of the game from getting into a second room.
        let mut rooms = self.rooms()?;
        let known = rooms.get(id).filter(|room| !room.is_poisoned()).map(Arc::clone);
        let room = match known {
            Some(room) => room,
            None => {
                let room = Arc::new(Room::new(self.load(id)?));
                rooms.insert(id.into(), Arc::clone(&room));
                room
            }
        };
        Ok(room.join(self, watcher)?)
    }

    /// A client goes away from a game. A room whose time could not be stored stays, so that it is not lost.
    pub(crate) fn leave(&self, id: &str, client: u64) -> Result<(), Refusal> {
        let Some(room) = self.room(id)? else { return Ok(()) };
        room.leave(self, client)?;
        let mut rooms = self.rooms()?;
        if rooms.get(id).is_some_and(|known| Arc::ptr_eq(known, &room) && room.is_empty()) {
            rooms.remove(id);
        }
        Ok(())
    }

    /// Changes a game that is watched.
    pub(crate) fn change(
        self: &Arc<Self>,
        id: &str,
        act: impl FnOnce(&mut Live) -> Result<(), GameError>,
    ) -> Result<(), Refusal> {
        self.writable()?;
        let room = self.room(id)?.ok_or(RoomError::NotWatched)?;
        room.change(self, |live| Ok(act(live)?))
    }

    /// A page of the list.
    pub(crate) fn list(&self, most: u32, skip: u32) -> Result<Games, Refusal> {
        let (rows, total) = self.store.list(most, skip)?;
        Ok(Games { games: rows.into_iter().map(live::listed).collect(), total })
    }

    /// Deletes a game, and closes it for those who watch it.
    pub(crate) fn delete(&self, id: &str) -> Result<(), Refusal> {
        self.writable()?;
        self.store.delete(id)?;
        if let Some(room) = self.rooms()?.remove(id) {
            room.close()?;
        }
        Ok(())
    }

    /// Who is served now.
    pub(crate) fn served(&self) -> Result<Served, Refusal> {
        Ok(Served {
            clients: self.clients.load(Ordering::Relaxed),
            games: self.rooms()?.len(),
            thinking: self.workshop.size - self.workshop.places.available_permits(),
        })
    }

    /// Stops all engines and clocks and stores the time used so far; the first failure, if there is one.
    pub(crate) fn stop(&self) -> Result<(), Refusal> {
        let rooms: Vec<Arc<Room>> = self.rooms()?.values().map(Arc::clone).collect();
        rooms.iter().map(|room| room.stop(self)).fold(Ok(()), Result::and)
    }

    /// The store, for tests that make it fail.
    #[cfg(test)]
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

/// Twelve letters and digits that nobody guesses.
fn new_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bits = RandomState::new().build_hasher().finish();
    let mut letter = || {
        let letter = LETTERS[(bits & 31) as usize];
        bits >>= 5;
        char::from(letter)
    };
    (0..12).map(|_| letter()).collect()
}

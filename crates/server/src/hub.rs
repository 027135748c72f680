//! Everything that is shared: the kept games, those that are watched, and the engines.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::archive::Archive;
use crate::engines::{MOST_SECONDS, Workshop};
use crate::error::Refusal;
use crate::live::Live;
use crate::room::{Room, Watcher};
use crate::store::Store;
use crate::wire::{GameState, NewGame, Player, Served};

/// More games than this are not kept.
const MOST_GAMES: u64 = 100_000;

/// The shared state of the server.
#[derive(Debug)]
pub(crate) struct Hub {
    store: Store,
    pub(crate) archive: Archive,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    pub(crate) workshop: Arc<Workshop>,
    pub(crate) engine: String,
    numbers: AtomicU64,
    pub(crate) clients: AtomicUsize,
}

impl Hub {
    pub(crate) fn new(store: Store, archive: Archive, workshop: Workshop, engine: String) -> Self {
        Self {
            store,
            archive,
            rooms: Mutex::default(),
            workshop: Arc::new(workshop),
            engine,
            numbers: AtomicU64::new(1),
            clients: AtomicUsize::new(0),
        }
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number that nothing else has.
    pub(crate) fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn keep(&self, live: &Live, created: i64) -> Result<(), Refusal> {
        Ok(self.store.keep(live, created, now())?)
    }

    /// Begins a game.
    pub(crate) fn begin(&self, terms: NewGame) -> Result<GameState, Refusal> {
        for player in [&terms.gold, &terms.silver] {
            match player {
                Player::Person { name } if 60 < name.chars().count() => {
                    return Err(Refusal::Bad("the name is too long: expected at most 60 characters".into()));
                }
                Player::Person { .. } => {}
                Player::Engine { name, seconds } => {
                    self.workshop.check(name).map_err(Refusal::Bad)?;
                    if !(1..=MOST_SECONDS).contains(seconds) {
                        let sentence = format!("{seconds} seconds for a turn: expected 1 to {MOST_SECONDS}");
                        return Err(Refusal::Bad(sentence));
                    }
                }
            }
        }
        if MOST_GAMES <= self.store.count()? {
            return Err(Refusal::Busy(format!("{MOST_GAMES} games are kept already: delete some first")));
        }
        let created = now();
        let live = Live::begin(new_id(), terms, created).map_err(Refusal::Bad)?;
        self.keep(&live, created)?;
        Ok(live.state())
    }

    fn find(&self, id: &str) -> Result<Arc<Room>, Refusal> {
        if let Some(room) = self.rooms().get(id) {
            return Ok(Arc::clone(room));
        }
        let row = self
            .store
            .load(id)?
            .ok_or_else(|| Refusal::Missing(format!("there is no game '{}'", short(id))))?;
        let created = row.live.state().created;
        Ok(Arc::new(Room::new(row.live, created)))
    }

    /// The state of a game, watched or not.
    pub(crate) fn state(&self, id: &str) -> Result<GameState, Refusal> {
        Ok(self.find(id)?.state())
    }

    /// The record of a game, one turn a line.
    pub(crate) fn record(&self, id: &str) -> Result<String, Refusal> {
        let row = self
            .store
            .load(id)?
            .ok_or_else(|| Refusal::Missing(format!("there is no game '{}'", short(id))))?;
        Ok(format!("{}\n", row.live.game))
    }

    /// Lets a client watch a game.
    pub(crate) fn watch(self: &Arc<Self>, id: &str, watcher: &Watcher) -> Result<(), Refusal> {
        let room = self.find(id)?;
        // Two may have found it at once: the first one's room is everybody's.
        let room = Arc::clone(self.rooms().entry(id.into()).or_insert(room));
        room.join(self, watcher);
        Ok(())
    }

    /// A client goes away from a game.
    pub(crate) fn leave(&self, id: &str, client: u64) {
        let mut rooms = self.rooms();
        let Some(room) = rooms.get(id) else { return };
        if room.leave(self, client) {
            rooms.remove(id);
        }
    }

    /// Changes a game that is watched.
    pub(crate) fn change(
        self: &Arc<Self>,
        id: &str,
        act: impl FnOnce(&mut Live) -> Result<(), String>,
    ) -> Result<(), String> {
        let room = self.rooms().get(id).map(Arc::clone);
        room.ok_or("the game is not watched: watch it first")?.change(self, act)
    }

    /// A page of the list.
    pub(crate) fn list(&self, most: u32, skip: u32) -> Result<crate::wire::Games, Refusal> {
        let (rows, total) = self.store.list(most, skip)?;
        let games = rows.iter().map(|row| row.live.summary(row.changed)).collect();
        Ok(crate::wire::Games { games, total })
    }

    /// Forgets a game.
    pub(crate) fn delete(&self, id: &str) -> Result<(), Refusal> {
        if let Some(room) = self.rooms().remove(id) {
            room.close();
        }
        if self.store.delete(id)? {
            return Ok(());
        }
        Err(Refusal::Missing(format!("there is no game '{}'", short(id))))
    }

    /// Who is served now.
    pub(crate) fn served(&self) -> Served {
        Served {
            clients: self.clients.load(Ordering::Relaxed),
            games: self.rooms().len(),
            thinking: self.workshop.size - self.workshop.places.available_permits(),
        }
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

/// What a sentence quotes of a name that may be anything.
fn short(id: &str) -> String {
    id.chars().filter(|letter| !letter.is_control()).take(40).collect()
}

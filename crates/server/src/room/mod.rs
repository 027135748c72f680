//! A game that somebody watches: it broadcasts every change and lets its engine think.
//!
//! A change is made to a copy of the game, stored, and only then takes the place of the game. What can't be stored
//! leaves the game, its clock and its engine as they were. All methods block, but for the tasks that [`Room::proceed`]
//! starts.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use surus_play::StopToken;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;

use crate::error::Refusal;
use crate::hub::Hub;
use crate::live::Live;
use crate::wire::{GameState, Tell};

mod engine;
#[cfg(test)]
mod tests;

/// What could not be stored by itself is tried again after this time.
const RETRY: Duration = Duration::from_millis(if cfg!(test) { 20 } else { 5000 });

/// What a client is sent, already written.
pub(crate) type Message = Arc<str>;

/// Somebody who watches.
#[derive(Clone, Debug)]
pub(crate) struct Watcher {
    pub(crate) client: u64,
    pub(crate) send: mpsc::Sender<Message>,
    /// One permit: a client's engines think one after the other.
    pub(crate) work: Arc<Semaphore>,
}

/// Why a watched game can't be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum RoomError {
    #[error("the game is not watched: watch it first")]
    NotWatched,
    #[error("the time is over")]
    TimeOver,
    #[error("an earlier failure makes this game unavailable: open it again")]
    Poisoned,
}

/// A watched game.
#[derive(Debug)]
pub(crate) struct Room {
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    /// As it is stored, but for the time used since.
    live: Live,
    watchers: Vec<Watcher>,
    thinking: Option<Thinking>,
    alarm: Option<AbortHandle>,
}

/// What the engine is doing.
#[derive(Debug)]
struct Thinking {
    number: u64,
    stop: StopToken,
    /// The game with its answer, which is not stored yet.
    answered: Option<Box<Live>>,
}

impl Room {
    pub(crate) fn new(live: Live) -> Self {
        let inside = Inside { live, watchers: Vec::new(), thinking: None, alarm: None };
        Self { inside: Mutex::new(inside) }
    }

    fn lock(&self) -> Result<MutexGuard<'_, Inside>, RoomError> {
        self.inside.lock().map_err(|_| RoomError::Poisoned)
    }

    /// Whether it failed in the middle of a change; the stored game is still whole.
    pub(crate) fn is_poisoned(&self) -> bool {
        self.inside.is_poisoned()
    }

    /// Whether nobody watches it.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_ok_and(|inside| inside.watchers.is_empty())
    }

    /// A client comes: time runs, the engine begins.
    pub(crate) fn join(self: &Arc<Self>, hub: &Arc<Hub>, watcher: &Watcher) -> Result<(), RoomError> {
        let mut inside = self.lock()?;
        inside.watchers.retain(|known| known.client != watcher.client);
        inside.watchers.push(watcher.clone());
        inside.live.start_clock();
        send(watcher, &written(&Tell::Game { game: Box::new(inside.live.state()) }));
        drop(inside);
        self.proceed(hub)
    }

    /// A client goes. With the last one the engine and the clock stop, and the time used so far is stored.
    pub(crate) fn leave(&self, hub: &Hub, client: u64) -> Result<(), Refusal> {
        let mut inside = self.lock()?;
        inside.watchers.retain(|known| known.client != client);
        if !inside.watchers.is_empty() {
            return Ok(());
        }
        inside.rest(hub)
    }

    /// Stops the engine and the clock and stores the time used so far, whoever watches.
    pub(crate) fn stop(&self, hub: &Hub) -> Result<(), Refusal> {
        self.lock()?.rest(hub)
    }

    /// Changes the game, stores it, and broadcasts it.
    pub(crate) fn change(
        self: &Arc<Self>,
        hub: &Arc<Hub>,
        act: impl FnOnce(&mut Live) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut inside = self.lock()?;
        let late = inside.is_late();
        let mut next = inside.live.clone();
        if late {
            next.lose_on_time();
        } else {
            act(&mut next)?;
        }
        inside.commit(hub, next)?;
        drop(inside);
        self.proceed(hub)?;
        if late { Err(RoomError::TimeOver.into()) } else { Ok(()) }
    }

    /// What the game is now.
    pub(crate) fn state(&self) -> Result<GameState, RoomError> {
        Ok(self.lock()?.live.state())
    }

    /// The game was deleted.
    pub(crate) fn close(&self) -> Result<(), RoomError> {
        let mut inside = self.lock()?;
        inside.stop_thinking();
        inside.stop_alarm();
        let gone = written(&Tell::Gone { game: inside.live.id.clone() });
        inside.watchers.drain(..).for_each(|watcher| send(&watcher, &gone));
        Ok(())
    }

    /// Sets the alarm of the clock, and the engine to work if it is its turn.
    fn proceed(self: &Arc<Self>, hub: &Arc<Hub>) -> Result<(), RoomError> {
        let mut inside = self.lock()?;
        inside.stop_alarm();
        if let Some(left) = inside.live.time_left() {
            let alarm = Arc::clone(self).alarm(Arc::clone(hub), left + Duration::from_millis(5));
            inside.alarm = Some(tokio::spawn(alarm).abort_handle());
        }
        let Some(work) = inside.watchers.first().map(|watcher| Arc::clone(&watcher.work)) else {
            return Ok(());
        };
        if inside.thinking.is_none() && inside.live.engine_to_play().is_some() {
            let number = hub.next_number();
            inside.thinking = Some(Thinking { number, stop: StopToken::default(), answered: None });
            tokio::spawn(engine::play(Arc::clone(self), Arc::clone(hub), number, work));
        }
        Ok(())
    }

    /// Waits for the end of the time, and ends the game.
    async fn alarm(self: Arc<Self>, hub: Arc<Hub>, left: Duration) {
        tokio::time::sleep(left).await;
        loop {
            let (room, shared) = (Arc::clone(&self), Arc::clone(&hub));
            let rung = hub.games.run_always(move || room.ring(&shared)).await;
            if rung.is_ok_and(|stored| stored) {
                return;
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// The alarm of the clock; whether it has not to ring again.
    fn ring(&self, hub: &Hub) -> bool {
        let Ok(mut inside) = self.lock() else { return true };
        if !inside.is_late() {
            return true;
        }
        let mut next = inside.live.clone();
        next.lose_on_time();
        match inside.commit(hub, next) {
            Ok(()) => true,
            Err(error) => {
                inside.report(format!("the time is over, but {error}"));
                false
            }
        }
    }
}

impl Inside {
    /// Whether the side to move has no time left. An engine that has answered is not late, however long storing takes.
    fn is_late(&self) -> bool {
        let answered = self.thinking.as_ref().is_some_and(|thinking| thinking.answered.is_some());
        !answered && self.live.out_of_time()
    }

    /// Stores the game as it is to be; it takes the place of the present one only if that succeeds.
    fn commit(&mut self, hub: &Hub, mut next: Live) -> Result<(), Refusal> {
        hub.store_change(&self.live, &next)?;
        next.start_clock();
        self.live = next;
        self.stop_thinking();
        self.broadcast(&Tell::Game { game: Box::new(self.live.state()) });
        Ok(())
    }

    fn rest(&mut self, hub: &Hub) -> Result<(), Refusal> {
        self.stop_thinking();
        self.stop_alarm();
        hub.workshop.forget(&self.live.id, &self.live.game);
        if self.live.game.result().is_some() {
            return Ok(());
        }
        let before = self.live.clone();
        self.live.stop_clock();
        hub.store_change(&before, &self.live)
    }

    fn stop_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.request();
        }
    }

    fn stop_alarm(&mut self) {
        if let Some(alarm) = self.alarm.take() {
            alarm.abort();
        }
    }

    fn broadcast(&self, tell: &Tell) {
        let text = written(tell);
        self.watchers.iter().for_each(|watcher| send(watcher, &text));
    }

    /// Something went wrong that nobody asked for.
    fn report(&self, error: String) {
        self.broadcast(&Tell::Trouble { game: self.live.id.clone(), error });
    }
}

/// A message as it goes out.
pub(crate) fn written(tell: &Tell) -> Message {
    // No message has anything that JSON lacks.
    let failed = |_| r#"{"is":"refused","id":0,"error":"the answer cannot be written as JSON"}"#.into();
    serde_json::to_string(tell).unwrap_or_else(failed).into()
}

/// A client that does not take its messages misses some; its next question is answered with the newest state.
pub(crate) fn send(watcher: &Watcher, message: &Message) {
    let _ = watcher.send.try_send(Arc::clone(message));
}

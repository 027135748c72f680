//! A game with subscribers: broadcasts every change and runs its engine and clock.
//!
//! A change is made to a copy of the game, stored, and only then replaces the game. If storing fails, the game, its
//! clock and its engine are unchanged. All methods block, except for the tasks that [`GameSession::schedule`] spawns.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use surus_play::StopToken;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;

use crate::api::{GameState, ServerMessage};
use crate::app_state::AppState;
use crate::error::ApiError;
use crate::game::ActiveGame;

mod engine;
#[cfg(test)]
pub(crate) mod tests;

/// The delay before storing an engine's turn or a clock timeout is retried.
const RETRY_DELAY: Duration = Duration::from_millis(if cfg!(test) { 20 } else { 5000 });

/// How long after the end of the time the clock is checked, so that the time has certainly run out.
const CLOCK_MARGIN: Duration = Duration::from_millis(5);

/// An encoded message.
pub(crate) type Message = Arc<str>;

/// A client that is subscribed to a game.
#[derive(Clone, Debug)]
pub(crate) struct Subscriber {
    pub(crate) client: u64,
    pub(crate) sender: mpsc::Sender<Message>,
    /// One permit: the engines of one client search one after the other.
    pub(crate) engine_permit: Arc<Semaphore>,
}

/// Why a game with subscribers cannot be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum SessionError {
    #[error("the game has no subscriber: subscribe to it first")]
    NotSubscribed,
    #[error("the time has run out")]
    OutOfTime,
    #[error("this game is unavailable after an internal error: open it again")]
    Poisoned,
}

/// A game with subscribers.
#[derive(Debug)]
pub(crate) struct GameSession {
    state: Mutex<SessionState>,
}

#[derive(Debug)]
struct SessionState {
    /// As it is stored, except for the time elapsed since then.
    active: ActiveGame,
    subscribers: Vec<Subscriber>,
    search: Option<ActiveSearch>,
    clock_timer: Option<AbortHandle>,
}

/// The search of the engine to move.
#[derive(Debug)]
struct ActiveSearch {
    id: u64,
    stop: StopToken,
    /// The game after the engine's turn, until it is stored.
    answered: Option<Box<ActiveGame>>,
}

impl GameSession {
    pub(crate) fn new(active: ActiveGame) -> Self {
        let state = SessionState { active, subscribers: Vec::new(), search: None, clock_timer: None };
        Self { state: Mutex::new(state) }
    }

    fn lock(&self) -> Result<MutexGuard<'_, SessionState>, SessionError> {
        self.state.lock().map_err(|_| SessionError::Poisoned)
    }

    /// Whether a change panicked. The stored game is not affected.
    pub(crate) fn is_poisoned(&self) -> bool {
        self.state.is_poisoned()
    }

    /// Whether it has no subscribers.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_ok_and(|state| state.subscribers.is_empty())
    }

    /// Adds a client and starts the clock and the engine.
    pub(crate) fn subscribe(
        self: &Arc<Self>,
        app: &Arc<AppState>,
        subscriber: &Subscriber,
    ) -> Result<(), SessionError> {
        let mut state = self.lock()?;
        state.subscribers.retain(|existing| existing.client != subscriber.client);
        state.subscribers.push(subscriber.clone());
        state.active.start_clock();
        send(subscriber, &encode(&ServerMessage::Game { game: Box::new(state.active.state()) }));
        drop(state);
        self.schedule(app)
    }

    /// Removes a client. Without subscribers the engine and the clock stop, and the elapsed time is stored.
    pub(crate) fn unsubscribe(&self, app: &AppState, client: u64) -> Result<(), ApiError> {
        let mut state = self.lock()?;
        state.subscribers.retain(|existing| existing.client != client);
        if !state.subscribers.is_empty() {
            return Ok(());
        }
        state.suspend(app)
    }

    /// Stops the engine and the clock and stores the elapsed time, regardless of subscribers.
    pub(crate) fn stop(&self, app: &AppState) -> Result<(), ApiError> {
        self.lock()?.suspend(app)
    }

    /// Updates the game, stores it and broadcasts it.
    pub(crate) fn update(
        self: &Arc<Self>,
        app: &Arc<AppState>,
        update: impl FnOnce(&mut ActiveGame) -> Result<(), ApiError>,
    ) -> Result<(), ApiError> {
        let mut state = self.lock()?;
        let out_of_time = state.is_out_of_time();
        let mut next = state.active.clone();
        if out_of_time {
            next.lose_on_time();
        } else {
            update(&mut next)?;
        }
        state.commit(app, next)?;
        drop(state);
        self.schedule(app)?;
        if out_of_time { Err(SessionError::OutOfTime.into()) } else { Ok(()) }
    }

    /// The state of the game.
    pub(crate) fn game_state(&self) -> Result<GameState, SessionError> {
        Ok(self.lock()?.active.state())
    }

    /// A copy of the game.
    pub(crate) fn active_game(&self) -> Result<ActiveGame, SessionError> {
        Ok(self.lock()?.active.clone())
    }

    /// Stops everything after the game was deleted.
    pub(crate) fn close(&self) -> Result<(), SessionError> {
        let mut state = self.lock()?;
        state.stop_search();
        state.stop_clock_timer();
        let message = encode(&ServerMessage::GameDeleted { game: state.active.id.clone() });
        state.subscribers.drain(..).for_each(|subscriber| send(&subscriber, &message));
        Ok(())
    }

    /// Starts the clock timer, and the engine if it is to move.
    fn schedule(self: &Arc<Self>, app: &Arc<AppState>) -> Result<(), SessionError> {
        let mut state = self.lock()?;
        state.stop_clock_timer();
        if let Some(left) = state.active.time_left() {
            let timer = Arc::clone(self).run_clock_timer(Arc::clone(app), left + CLOCK_MARGIN);
            state.clock_timer = Some(tokio::spawn(timer).abort_handle());
        }
        let first = state.subscribers.first();
        let Some(permit) = first.map(|subscriber| Arc::clone(&subscriber.engine_permit)) else {
            return Ok(());
        };
        if state.search.is_none() && state.active.engine_to_move().is_some() {
            let id = app.next_id();
            state.search = Some(ActiveSearch { id, stop: StopToken::default(), answered: None });
            tokio::spawn(engine::play(Arc::clone(self), Arc::clone(app), id, permit));
        }
        Ok(())
    }

    /// Waits until the time has run out, then ends the game.
    async fn run_clock_timer(self: Arc<Self>, app: Arc<AppState>, left: Duration) {
        tokio::time::sleep(left).await;
        loop {
            let (session, shared) = (Arc::clone(&self), Arc::clone(&app));
            let handled = app.game_pool.run_always(move || session.on_clock_timeout(&shared)).await;
            if handled.is_ok_and(|done| done) {
                return;
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    /// Ends the game if the time has run out. Returns `false` if that has to be retried.
    fn on_clock_timeout(&self, app: &AppState) -> bool {
        let Ok(mut state) = self.lock() else { return true };
        if !state.is_out_of_time() {
            return true;
        }
        let mut next = state.active.clone();
        next.lose_on_time();
        match state.commit(app, next) {
            Ok(()) => true,
            Err(error) => {
                state.report_error(format!("the time has run out, but {error}"));
                false
            }
        }
    }
}

impl SessionState {
    /// Whether the side to move has no time left. An engine that has answered is not out of time, however long storing
    /// its turn takes.
    fn is_out_of_time(&self) -> bool {
        let answered = self.search.as_ref().is_some_and(|search| search.answered.is_some());
        !answered && self.active.is_out_of_time()
    }

    /// Stores the next state of the game, which replaces the present one only if that succeeds.
    fn commit(&mut self, app: &AppState, mut next: ActiveGame) -> Result<(), ApiError> {
        app.save_game(&self.active, &next)?;
        next.start_clock();
        self.active = next;
        self.stop_search();
        self.broadcast(&ServerMessage::Game { game: Box::new(self.active.state()) });
        Ok(())
    }

    fn suspend(&mut self, app: &AppState) -> Result<(), ApiError> {
        self.stop_search();
        self.stop_clock_timer();
        app.engines.drop_game(&self.active.id, &self.active.game);
        if self.active.game.result().is_some() {
            return Ok(());
        }
        let before = self.active.clone();
        self.active.stop_clock();
        app.save_game(&before, &self.active)
    }

    fn stop_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.request();
        }
    }

    fn stop_clock_timer(&mut self) {
        if let Some(timer) = self.clock_timer.take() {
            timer.abort();
        }
    }

    fn broadcast(&self, message: &ServerMessage) {
        let text = encode(message);
        self.subscribers.iter().for_each(|subscriber| send(subscriber, &text));
    }

    /// Reports an error that is not the reply to a command.
    fn report_error(&self, error: String) {
        self.broadcast(&ServerMessage::EngineError { game: self.active.id.clone(), error });
    }
}

/// Encodes a message as JSON.
pub(crate) fn encode(message: &ServerMessage) -> Message {
    // Unreachable: every message can be represented as JSON.
    let fallback = |_| r#"{"type":"error","id":0,"error":"the reply cannot be encoded as JSON"}"#.into();
    serde_json::to_string(message).unwrap_or_else(fallback).into()
}

/// Queues a message. A client whose queue is full misses it; its next command is answered with the current state.
pub(crate) fn send(subscriber: &Subscriber, message: &Message) {
    let _ = subscriber.sender.try_send(Arc::clone(message));
}
